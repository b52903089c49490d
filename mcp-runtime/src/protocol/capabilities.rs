//! What a client says that it can do.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use super::{ErrorCode, ErrorObject};

/// The extension of tasks.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// The capabilities that a client declared: in every request (2026-07-28) or when it opened its
/// session (earlier).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClientCapabilities {
    /// It can ask its user.
    #[serde(default, deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub elicitation: Option<Map<String, Value>>,
    /// It can ask its model.
    #[serde(default, deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Map<String, Value>>,
    /// It has roots.
    #[serde(default, deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub roots: Option<Map<String, Value>>,
    /// Extensions by their identifier.
    #[serde(default, deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
    /// What is not standardised.
    #[serde(default, deserialize_with = "declared", skip_serializing_if = "Option::is_none")]
    pub experimental: Option<Map<String, Value>>,
}

/// One capability. What is no object declares nothing, and takes no other with it.
fn declared<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Map<String, Value>>, D::Error> {
    Ok(match Value::deserialize(value)? {
        Value::Object(settings) => Some(settings),
        _ => None,
    })
}

impl ClientCapabilities {
    /// Whether its user can be shown a form. An empty `elicitation` means forms.
    #[must_use]
    pub fn form(&self) -> bool {
        self.elicitation
            .as_ref()
            .is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
    }

    /// Whether it takes a task in place of a result (`io.modelcontextprotocol/tasks`).
    #[must_use]
    pub fn tasks(&self) -> bool {
        self.extensions.as_ref().is_some_and(|extensions| extensions.contains_key(TASKS))
    }

    /// Whether its user can be sent to a URL.
    #[must_use]
    pub fn url(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|modes| modes.contains_key("url"))
    }
}

/// One capability that a request may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capability {
    Form,
    Url,
    Sampling,
    SamplingTools,
    Roots,
    Tasks,
}

impl Capability {
    pub(crate) fn of(self, client: &ClientCapabilities) -> bool {
        match self {
            Self::Form => client.form(),
            Self::Url => client.url(),
            Self::Sampling => client.sampling.is_some(),
            Self::SamplingTools => client.sampling.as_ref().is_some_and(|s| s.contains_key("tools")),
            Self::Roots => client.roots.is_some(),
            Self::Tasks => client.tasks(),
        }
    }

    /// As `requiredCapabilities` says it.
    pub(crate) fn required(self) -> Value {
        match self {
            Self::Form => json!({ "elicitation": { "form": {} } }),
            Self::Url => json!({ "elicitation": { "url": {} } }),
            Self::Sampling => json!({ "sampling": {} }),
            Self::SamplingTools => json!({ "sampling": { "tools": {} } }),
            Self::Roots => json!({ "roots": {} }),
            Self::Tasks => json!({ "extensions": { TASKS: {} } }),
        }
    }

    /// The error of a request that needs it and whose client did not declare it; `why` ends the
    /// sentence.
    pub(crate) fn missing(self, why: impl std::fmt::Display) -> ErrorObject {
        let message = format!("This needs a capability that the client did not declare, {why}");
        ErrorObject::new(ErrorCode::MissingClientCapability, message)
            .data(&json!({ "requiredCapabilities": self.required() }))
    }
}
