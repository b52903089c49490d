//! Questions that no user answers: to the client's model, for its roots; and consent to a URL.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use super::{Answer, Answered, answer::elicited};
use crate::protocol::{Content, Role, object};

/// The user agreed to be sent to the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consent;

impl Answered for Consent {
    fn read(result: &RawValue) -> Result<Answer<Self>, String> {
        elicited(result, |_| Ok(Self))
    }
}

/// A request to the client's model (`sampling/createMessage`).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// The conversation so far.
    pub messages: Vec<SampleMessage>,
    /// How many tokens the answer may have.
    pub max_tokens: u32,
    /// The system prompt that the server wishes for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// From 0 on: how free the model is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Texts at which the model stops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop_sequences: Vec<String>,
    /// Which model the server wishes for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// For the provider of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// Tools that the model may use; needs the capability `sampling.tools`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Value>,
    /// Whether the model has to use one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<Value>,
}

impl Sample {
    /// One question of the user's to the model, answered in at most `max_tokens` tokens.
    pub fn new(prompt: impl Into<String>, max_tokens: u32) -> Self {
        Self { messages: vec![SampleMessage::user(Content::text(prompt))], max_tokens, ..Self::default() }
    }

    /// The same with a system prompt.
    #[must_use]
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(prompt.into());
        self
    }

    pub(crate) fn uses_tools(&self) -> bool {
        !self.tools.is_empty() || self.tool_choice.is_some()
    }
}

/// One message to the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

impl SampleMessage {
    /// Said by the user.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// Said by the model.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// Which model a server wishes for; the client decides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelPreferences {
    /// Names or parts of names, the dearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<ModelHint>,
    /// How much cost matters, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// How much speed matters, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// How much intelligence matters, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
}

/// A model's name or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelHint {
    /// The name.
    pub name: String,
}

/// What the model answered.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampled {
    /// Which model it was.
    pub model: String,
    /// Who speaks: the model.
    pub role: Role,
    /// The blocks of its answer.
    #[serde(deserialize_with = "one_or_many")]
    pub content: Vec<Value>,
    /// Why it stopped.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// The text of the answer, its text blocks joined.
    #[must_use]
    pub fn text(&self) -> String {
        self.content.iter().filter_map(|block| block.get("text")?.as_str()).collect()
    }
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Vec<Value>, D::Error> {
    Ok(match Value::deserialize(value)? {
        Value::Array(blocks) => blocks,
        block => vec![block],
    })
}

impl Answered for Sampled {
    fn read(result: &RawValue) -> Result<Answer<Self>, String> {
        object(result).map(Answer::Accepted).map_err(|error| format!("no result of sampling: {error}"))
    }
}

/// A folder that the client works in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Root {
    /// Its `file:` URI.
    pub uri: String,
    /// What it is called.
    #[serde(default)]
    pub name: Option<String>,
}

/// The folders that the client works in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Roots {
    /// The folders.
    pub roots: Vec<Root>,
}

impl Answered for Roots {
    fn read(result: &RawValue) -> Result<Answer<Self>, String> {
        object(result).map(Answer::Accepted).map_err(|error| format!("no list of roots: {error}"))
    }
}
