//! An entry as a list shows it.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    handler::{
        def::{Common, PromptDef, ResourceDef, ToolDef},
        instances::Instance,
    },
    protocol::{Annotations, Icon, Meta, Shape, raw, write},
};

/// What a list says of one entry.
#[derive(Debug)]
pub(crate) struct Definition {
    key: String,
    body: Body,
    said: Said,
}

/// What every entry may say of itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Option<Box<RawValue>>,
}

#[derive(Debug)]
enum Body {
    Tool { input: Box<RawValue>, output: Option<Box<RawValue>>, hints: Hints },
    Prompt { arguments: Vec<Argument> },
    Resource { template: bool, about: About },
}

/// What a resource or a template says.
#[derive(Clone, Debug)]
struct About {
    name: Cow<'static, str>,
    mime_type: Option<Cow<'static, str>>,
    size: Option<u64>,
    annotations: Option<Annotations>,
}

/// The annotations of a tool.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Hints {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read_only_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) destructive_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idempotent_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) open_world_hint: Option<bool>,
}

/// What is under `annotations`: of a tool, or of a resource.
#[derive(Serialize)]
#[serde(untagged)]
enum Notes<'a> {
    Tool(&'a Hints),
    Resource(Cow<'a, Annotations>),
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
    annotations: Option<Notes<'a>>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    icons: Cow<'a, [Icon]>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

impl Definition {
    pub(crate) fn tool(def: &ToolDef, input: Box<RawValue>, output: Option<Box<RawValue>>) -> Self {
        let hints = Hints {
            read_only_hint: def.read_only,
            destructive_hint: def.destructive,
            idempotent_hint: def.idempotent,
            open_world_hint: def.open_world,
        };
        Self::given_tool(def.common.name.to_owned(), Said::of(&def.common), input, output, hints)
    }

    pub(crate) fn given_tool(
        name: String,
        said: Said,
        input: Box<RawValue>,
        output: Option<Box<RawValue>>,
        hints: Hints,
    ) -> Self {
        Self { key: name, body: Body::Tool { input, output, hints }, said }
    }

    pub(crate) fn prompt(def: &PromptDef) -> Self {
        let arguments = def.common.params.iter().filter(|param| param.argument).map(|param| Argument {
            name: param.name,
            description: param.description,
            required: !param.has_default && !(param.optional)(),
        });
        let body = Body::Prompt { arguments: arguments.collect() };
        Self { key: def.common.name.to_owned(), body, said: Said::of(&def.common) }
    }

    pub(crate) fn resource(def: &ResourceDef, template: bool) -> Self {
        let annotations = Annotations {
            audience: def.audience.to_vec(),
            priority: def.priority,
            last_modified: def.last_modified.map(str::to_owned),
        };
        let about = About {
            name: def.common.name.into(),
            mime_type: def.mime_type.map(Cow::Borrowed),
            size: def.size.filter(|_| !template),
            annotations: (annotations != Annotations::default()).then_some(annotations),
        };
        Self {
            key: def.uri.to_owned(),
            body: Body::Resource { template, about },
            said: Said::of(&def.common),
        }
    }

    /// The definition of one resource of this template: what it does not say itself, the template says.
    pub(crate) fn instance(&self, uri: &str, instance: Instance) -> Self {
        let (mut said, about) = (self.said.clone(), self.about());
        said.title = None;
        let mime_type = about.and_then(|about| about.mime_type.clone());
        let annotations = about.and_then(|about| about.annotations.clone());
        let about = match instance {
            Instance::Values(values) => {
                About { name: values.join(", ").into(), mime_type, size: None, annotations }
            }
            Instance::Link(link) => {
                said.title = link.title.map(Cow::Owned);
                said.description = link.description.map(Cow::Owned).or(said.description);
                if !link.icons.is_empty() {
                    said.icons = link.icons;
                }
                said.meta = link.meta.and_then(|meta| raw(&meta).ok()).or(said.meta);
                About {
                    name: link.name.into(),
                    mime_type: link.mime_type.map(Cow::Owned).or(mime_type),
                    size: link.size,
                    annotations: link.annotations.or(annotations),
                }
            }
        };
        Self { key: uri.to_owned(), body: Body::Resource { template: false, about }, said }
    }

    fn about(&self) -> Option<&About> {
        match &self.body {
            Body::Resource { about, .. } => Some(about),
            _ => None,
        }
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
            title: self.said.title.as_deref().filter(|_| shape.titles),
            description: self.said.description.as_deref(),
            input_schema: None,
            output_schema: None,
            arguments: None,
            mime_type: None,
            size: None,
            annotations: None,
            icons: if shape.icons { Cow::Borrowed(&self.said.icons) } else { Cow::Borrowed(&[]) },
            meta: self.said.meta.as_deref().filter(|_| shape.titles),
        };
        match &self.body {
            Body::Tool { input, output, hints } => {
                wire.input_schema = Some(input);
                wire.output_schema = output.as_deref().filter(|_| shape.structured);
                let told = shape.tool_annotations && hints.any();
                wire.annotations = told.then_some(Notes::Tool(hints));
            }
            Body::Prompt { arguments } => wire.arguments = (!arguments.is_empty()).then_some(arguments),
            Body::Resource { template, about } => {
                let uri = Some(self.key.as_str());
                (wire.uri, wire.uri_template) = if *template { (None, uri) } else { (uri, None) };
                wire.name = &about.name;
                wire.mime_type = about.mime_type.as_deref();
                wire.size = about.size;
                wire.annotations =
                    about.annotations.as_ref().map(|annotations| Notes::Resource(annotations.shaped(shape)));
            }
        }
        write(out, &wire);
    }
}

impl Said {
    fn of(common: &Common) -> Self {
        let icon = |src: &&str| Icon { src: (*src).to_owned(), ..Icon::default() };
        Self {
            title: common.title.map(Cow::Borrowed),
            description: common.description.map(Cow::Borrowed),
            icons: common.icons.iter().map(icon).collect(),
            // Written anew: the author's text may have line breaks, which end a message on stdio.
            meta: common.meta.and_then(|text| raw(&serde_json::from_str::<Meta>(text).ok()?).ok()),
        }
    }
}

impl Hints {
    fn any(&self) -> bool {
        [self.read_only_hint, self.destructive_hint, self.idempotent_hint, self.open_world_hint]
            .iter()
            .any(Option::is_some)
    }
}
