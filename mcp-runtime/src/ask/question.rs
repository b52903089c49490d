//! What can be asked of a client.

use std::{fmt, marker::PhantomData};

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};
use sha2::{Digest, Sha256};

use super::{
    Answer, Answered, Form,
    sampling::{Consent, Roots, Sample, Sampled},
};
use crate::protocol::{Capability, raw};

/// A question whose answer is a `T`. A resolver returns it, or a function's body passes it to
/// `Context::ask`.
pub struct Ask<T> {
    pub(crate) question: Question,
    pub(crate) read: fn(&RawValue) -> Result<Answer<T>, String>,
    answer: PhantomData<fn() -> T>,
}

impl<T: Answered> Ask<T> {
    fn new(question: Question) -> Self {
        Self { question, read: T::read, answer: PhantomData }
    }
}

impl<T: Form> Ask<T> {
    /// Shows the user a form with this message. Never ask for secrets in a form: they would pass
    /// through the client (use [`Ask::url`]).
    pub fn form(message: impl Into<String>) -> Self {
        Self::new(Question::Form { message: message.into(), schema: super::form::schema::<T>() })
    }
}

impl Ask<Consent> {
    /// Sends the user to a page of the server's own, for what must not pass through the client.
    /// Accepting means that the user agreed to go there, not that anything was done there.
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(Question::Url { message: message.into(), url: url.into() })
    }
}

impl Ask<Sampled> {
    /// Asks the client's model.
    #[must_use]
    pub fn sample(sample: Sample) -> Self {
        Self::new(Question::Sample(Box::new(sample)))
    }
}

impl Ask<Roots> {
    /// Asks which folders the client works in.
    #[must_use]
    pub fn roots() -> Self {
        Self::new(Question::Roots)
    }
}

impl<T> fmt::Debug for Ask<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.question.fmt(f)
    }
}

/// A question as it goes to the client.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    Form { message: String, schema: Value },
    Url { message: String, url: String },
    Sample(Box<Sample>),
    Roots,
}

/// How a client's revision wants to be asked.
#[derive(Debug, Default)]
pub(crate) struct Dialect {
    /// The name of a visit to a URL, where it wants one.
    pub(crate) visit: Option<String>,
    /// Whether it knows titles of choices only as `enumNames`.
    pub(crate) enum_names: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FormParams<'a> {
    message: &'a str,
    requested_schema: &'a Value,
}

impl Question {
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Form { .. } | Self::Url { .. } => "elicitation/create",
            Self::Sample(_) => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }

    /// What the client must be able to do.
    pub(crate) fn needs(&self) -> Capability {
        match self {
            Self::Form { .. } => Capability::Form,
            Self::Url { .. } => Capability::Url,
            Self::Sample(sample) if sample.uses_tools() => Capability::SamplingTools,
            Self::Sample(_) => Capability::Sampling,
            Self::Roots => Capability::Roots,
        }
    }

    /// The parameters, as the client's revision knows them.
    pub(crate) fn params(&self, dialect: &Dialect) -> serde_json::Result<Box<RawValue>> {
        let id = dialect.visit.as_deref();
        match self {
            Self::Form { message, schema } if dialect.enum_names => {
                let schema = &super::form::with_enum_names(schema);
                raw(&FormParams { message, requested_schema: schema })
            }
            Self::Form { message, schema } => raw(&FormParams { message, requested_schema: schema }),
            Self::Url { message, url } => match id {
                Some(id) => {
                    raw(&json!({ "mode": "url", "message": message, "url": url, "elicitationId": id }))
                }
                None => raw(&json!({ "mode": "url", "message": message, "url": url })),
            },
            Self::Sample(sample) => raw(sample),
            Self::Roots => raw(&json!({})),
        }
    }

    /// What the question says to a reader.
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Form { message, .. } | Self::Url { message, .. } => message,
            Self::Sample(_) => "a question to the model",
            Self::Roots => "the client's roots",
        }
    }
}

/// Pins a question to its exact rendering: an answer to another question is no answer to this one.
pub(crate) fn pin(method: &str, params: &RawValue) -> String {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let mut digest = Sha256::new();
    digest.update(method.as_bytes());
    digest.update([0]);
    digest.update(params.get().as_bytes());
    URL_SAFE_NO_PAD.encode(&digest.finalize()[..16])
}
