//! What a server's lists say.

use serde::Deserialize;
use serde_json::Value;

/// A tool as it is listed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolInfo {
    /// Its name.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The schema of its arguments.
    pub input_schema: Value,
    /// The schema of its data.
    pub output_schema: Option<Value>,
    /// Hints on what it does.
    pub annotations: Option<Value>,
}

/// A prompt as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PromptInfo {
    /// Its name.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<PromptArgument>,
}

/// An argument of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// Whether it has to be given.
    #[serde(default)]
    pub required: bool,
}

/// A resource as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceInfo {
    /// Where it is.
    pub uri: String,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// Its media type.
    pub mime_type: Option<String>,
}

/// A resource template as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TemplateInfo {
    /// Its URIs, with variables.
    pub uri_template: String,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// The media type of its resources.
    pub mime_type: Option<String>,
}
