//! An entry as a list shows it.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    handler::def::{Common, PromptDef, ResourceDef, ToolDef},
    protocol::{Icon, Meta, Shape, raw, write},
};

/// What a list says of one entry.
#[derive(Debug)]
pub(crate) struct Definition {
    key: String,
    body: Body,
    title: Option<&'static str>,
    description: Option<&'static str>,
    icons: Vec<Icon>,
    meta: Option<Box<RawValue>>,
}

#[derive(Debug)]
enum Body {
    Tool { input: Box<RawValue>, output: Option<Box<RawValue>>, hints: Hints },
    Prompt { arguments: Vec<Argument> },
    Resource { name: &'static str, mime_type: Option<&'static str>, size: Option<u64> },
    Template { name: &'static str, mime_type: Option<&'static str> },
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Hints {
    #[serde(skip_serializing_if = "Option::is_none")]
    read_only_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destructive_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotent_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_world_hint: Option<bool>,
}

#[derive(Debug, Serialize)]
struct Argument {
    name: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'static str,
    required: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Wire<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_template: Option<&'a str>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a [Argument]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a Hints>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    icons: Cow<'a, [Icon]>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

impl Definition {
    fn new(key: &str, common: &Common, body: Body) -> Self {
        let icon = |src: &&str| Icon { src: (*src).to_owned(), ..Icon::default() };
        Self {
            key: key.to_owned(),
            body,
            title: common.title,
            description: common.description,
            icons: common.icons.iter().map(icon).collect(),
            // Written anew: the author's text may have line breaks, which end a message on stdio.
            meta: common.meta.and_then(|text| raw(&serde_json::from_str::<Meta>(text).ok()?).ok()),
        }
    }

    pub(crate) fn tool(def: &ToolDef, input: Box<RawValue>, output: Option<Box<RawValue>>) -> Self {
        let hints = Hints {
            read_only_hint: def.read_only,
            destructive_hint: def.destructive,
            idempotent_hint: def.idempotent,
            open_world_hint: def.open_world,
        };
        Self::new(def.common.name, &def.common, Body::Tool { input, output, hints })
    }

    pub(crate) fn prompt(def: &PromptDef) -> Self {
        let arguments = def.common.params.iter().filter(|param| param.argument).map(|param| Argument {
            name: param.name,
            description: param.description,
            required: !param.has_default && !(param.optional)(),
        });
        Self::new(def.common.name, &def.common, Body::Prompt { arguments: arguments.collect() })
    }

    pub(crate) fn resource(def: &ResourceDef, template: bool) -> Self {
        let (name, mime_type) = (def.common.name, def.mime_type);
        let body = if template {
            Body::Template { name, mime_type }
        } else {
            Body::Resource { name, mime_type, size: def.size }
        };
        Self::new(def.uri, &def.common, body)
    }

    /// What entries are sorted and found by: the name, or of a resource the URI.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Writes it as a client of this shape knows it.
    pub(crate) fn write(&self, out: &mut Vec<u8>, shape: &Shape) {
        let mut wire = Wire {
            uri: None,
            uri_template: None,
            name: &self.key,
            title: self.title.filter(|_| shape.titles),
            description: self.description,
            input_schema: None,
            output_schema: None,
            arguments: None,
            mime_type: None,
            size: None,
            annotations: None,
            icons: if shape.icons { Cow::Borrowed(&self.icons) } else { Cow::Borrowed(&[]) },
            meta: self.meta.as_deref().filter(|_| shape.titles),
        };
        match &self.body {
            Body::Tool { input, output, hints } => {
                wire.input_schema = Some(input);
                wire.output_schema = output.as_deref().filter(|_| shape.structured);
                wire.annotations = (shape.tool_annotations && hints.any()).then_some(hints);
            }
            Body::Prompt { arguments } => wire.arguments = (!arguments.is_empty()).then_some(arguments),
            Body::Resource { name, mime_type, size } => {
                wire.uri = Some(&self.key);
                wire.name = name;
                wire.mime_type = *mime_type;
                wire.size = *size;
            }
            Body::Template { name, mime_type } => {
                wire.uri_template = Some(&self.key);
                wire.name = name;
                wire.mime_type = *mime_type;
            }
        }
        write(out, &wire);
    }
}

impl Hints {
    fn any(&self) -> bool {
        [self.read_only_hint, self.destructive_hint, self.idempotent_hint, self.open_world_hint]
            .iter()
            .any(Option::is_some)
    }
}
