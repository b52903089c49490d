//! Answers.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Form, FormReader};
use crate::protocol::{object, raw};

/// What came of a question.
///
/// A function that takes `Answer<T>` decides itself what a refusal means; one that takes `T` is not
/// called at all then, and the model reads that the user declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// The user answered.
    Accepted(T),
    /// The user refused.
    Declined,
    /// The user dismissed the question without choosing.
    Cancelled,
}

impl<T> Answer<T> {
    /// The answer, if there is one.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled => None,
        }
    }

    /// The same with the answer changed.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Answer<U> {
        match self {
            Self::Accepted(value) => Answer::Accepted(change(value)),
            Self::Declined => Answer::Declined,
            Self::Cancelled => Answer::Cancelled,
        }
    }
}

/// A type that a client's answer can be read into: a [`Form`], [`Consent`](super::Consent),
/// [`Sampled`](super::Sampled) or [`Roots`](super::Roots).
pub trait Answered: Sized + Send + Sync + 'static {
    /// Reads the client's result; an error says why it is no answer to the question.
    #[doc(hidden)]
    fn read(result: &RawValue) -> Result<Answer<Self>, String>;
}

/// The result of `elicitation/create`.
#[derive(Deserialize)]
struct Elicited<'a> {
    action: Action,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Accept,
    Decline,
    Cancel,
}

/// Reads an elicitation's result; `accepted` reads its content.
pub(super) fn elicited<T>(
    result: &RawValue,
    accepted: impl FnOnce(&RawValue) -> Result<T, String>,
) -> Result<Answer<T>, String> {
    let elicited: Elicited<'_> =
        object(result).map_err(|error| format!("no result of an elicitation: {error}"))?;
    Ok(match elicited.action {
        Action::Decline => Answer::Declined,
        Action::Cancel => Answer::Cancelled,
        Action::Accept => match elicited.content {
            Some(content) => Answer::Accepted(accepted(content)?),
            None => {
                Answer::Accepted(accepted(&raw(&serde_json::json!({})).map_err(|error| error.to_string())?)?)
            }
        },
    })
}

impl<T: Form> Answered for T {
    fn read(result: &RawValue) -> Result<Answer<Self>, String> {
        elicited(result, |content| {
            let mut reader = FormReader::new(content)?;
            let form = T::read_form(&mut reader);
            reader.finish(form)
        })
    }
}
