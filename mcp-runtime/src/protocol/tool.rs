//! Results of tools, and what names a server or an icon.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Content;

/// The object under `_meta`: metadata under keys with a prefix of the author's own.
pub type Meta = Map<String, Value>;

/// What a tool answers, for a function that wants to say all of it itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallToolResult {
    /// The blocks that the model reads.
    pub content: Vec<Content>,
    /// The same as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether the tool failed in a way that the model can act on.
    #[serde(default)]
    pub is_error: bool,
    /// Metadata of the author's own.
    #[serde(default, rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CallToolResult {
    /// A result of these blocks.
    pub fn new(content: impl IntoIterator<Item = impl Into<Content>>) -> Self {
        Self { content: content.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// A failure that the model can act on.
    pub fn error(text: impl Into<String>) -> Self {
        Self { content: vec![Content::text(text)], is_error: true, ..Self::default() }
    }

    /// The same with data.
    #[must_use]
    pub fn structured(mut self, data: Value) -> Self {
        self.structured_content = Some(data);
        self
    }

    /// The same with metadata.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// The text of its first text block.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.content.iter().find_map(Content::as_text)
    }
}

impl From<Content> for CallToolResult {
    fn from(content: Content) -> Self {
        Self::new([content])
    }
}

impl From<String> for CallToolResult {
    fn from(text: String) -> Self {
        Self::new([text])
    }
}

impl From<&str> for CallToolResult {
    fn from(text: &str) -> Self {
        Self::new([text])
    }
}

/// Data, and a text that says the same. What is no object is told as text alone.
impl From<Value> for CallToolResult {
    fn from(data: Value) -> Self {
        let text = Self::new([data.to_string()]);
        if data.is_object() { text.structured(data) } else { text }
    }
}

/// A picture for a tool, a prompt, a resource or a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    /// An `https:` or `data:` URI.
    pub src: String,
    /// Its media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes it is good for, such as `48x48` or `any`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The background it is for: `light` or `dark`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
}

/// Who a server or a client says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Implementation {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its home page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
    /// Pictures for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
}

impl Implementation {
    /// A name and a version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), ..Self::default() }
    }
}
