//! What a function fails with.

use std::{error::Error as StdError, fmt, sync::Arc};

use crate::protocol::{ErrorCode, ErrorObject};

/// A function's result, with any error behind `?`.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Any other error, as a function of a server returns it.
///
/// From a tool it becomes a result with `isError`, whose text is the error's message and the chain
/// of its causes, for the model to act on. From a prompt or a resource it becomes a JSON-RPC error
/// with that message. [`Error::protocol`] says the JSON-RPC error itself.
///
/// Like `anyhow::Error` it converts from every `std::error::Error` and is none itself.
#[derive(Clone)]
pub struct Error(Arc<Kind>);

enum Kind {
    Message(String),
    Cause(Box<dyn StdError + Send + Sync>),
    Protocol(ErrorObject),
}

impl Error {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Arc::new(Kind::Message(message.into())))
    }

    /// A JSON-RPC error: the request itself is wrong, and nothing that the model says can mend it.
    #[must_use]
    pub fn protocol(error: ErrorObject) -> Self {
        Self(Arc::new(Kind::Protocol(error)))
    }

    /// There is no such resource: `-32602` for a client of 2026-07-28, `-32002` for an older one.
    pub fn resource_not_found(uri: &str) -> Self {
        Self::protocol(
            ErrorObject::new(ErrorCode::ResourceNotFound, format!("There is no resource {uri}"))
                .data(&serde_json::json!({ "uri": uri })),
        )
    }

    pub(crate) fn as_protocol(&self) -> Option<&ErrorObject> {
        match &*self.0 {
            Kind::Protocol(error) => Some(error),
            _ => None,
        }
    }

    /// The error as a JSON-RPC error, for what has no results with `isError`.
    pub(crate) fn to_protocol(&self) -> ErrorObject {
        match &*self.0 {
            Kind::Protocol(error) => error.clone(),
            _ => ErrorObject::internal(self.to_string()),
        }
    }

    pub(crate) fn from_any<E: Into<Box<dyn StdError + Send + Sync>>>(error: E) -> Self {
        match error.into().downcast::<Carried>() {
            Ok(carried) => carried.0,
            Err(error) => Self(Arc::new(Kind::Cause(error))),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Kind::Message(text) => f.write_str(text),
            Kind::Protocol(error) => f.write_str(&error.message),
            Kind::Cause(error) => {
                let mut said = error.to_string();
                f.write_str(&said)?;
                let mut cause = error.source();
                while let Some(error) = cause {
                    let text = error.to_string();
                    // Many errors repeat their cause in their own message.
                    if !said.contains(&text) {
                        write!(f, ": {text}")?;
                    }
                    said = text;
                    cause = error.source();
                }
                Ok(())
            }
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Self(Arc::new(Kind::Cause(Box::new(error))))
    }
}

/// Takes an [`Error`] through `Box<dyn std::error::Error>` unchanged, so that one bound covers our
/// own error and everybody else's.
struct Carried(Error);

impl fmt::Debug for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl StdError for Carried {}

impl From<Error> for Box<dyn StdError + Send + Sync> {
    fn from(error: Error) -> Self {
        Box::new(Carried(error))
    }
}

/// Why a call did not reach its end.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It waits for the client's answer: what is asked is noted with the request.
    Open,
    /// It failed.
    Fail(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

impl From<ErrorObject> for Stop {
    fn from(error: ErrorObject) -> Self {
        Self::Fail(Error::protocol(error))
    }
}
