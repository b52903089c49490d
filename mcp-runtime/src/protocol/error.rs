//! The errors of the protocol: one enum, one table of codes.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, value::RawValue};

use super::{Shape, raw};

/// Why a request failed as a request. What a model can act on is not here: that is a result with
/// `isError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The message is not JSON.
    Parse,
    /// The message is not a JSON-RPC request.
    InvalidRequest,
    /// There is no such method.
    MethodNotFound,
    /// A parameter is missing, of the wrong kind, or names what does not exist.
    InvalidParams,
    /// The server failed.
    Internal,
    /// There is no such resource: a code of its own up to 2025-11-25, then `InvalidParams`.
    ResourceNotFound,
    /// A header does not say what the body says.
    HeaderMismatch,
    /// The request needs a capability that its client did not declare.
    MissingClientCapability,
    /// The caller's token does not allow it. Over HTTP that is the status 403, with a challenge that
    /// names all scopes that are needed.
    InsufficientScope,
    /// The revision asked for is not served.
    UnsupportedVersion,
    /// A code of the application's own, outside of -32768 to -32000.
    Other(i32),
}

impl ErrorCode {
    /// The code on the wire for a client of this shape.
    pub(crate) fn number(self, shape: &Shape) -> i32 {
        match self {
            Self::Parse => -32700,
            Self::InvalidRequest | Self::InsufficientScope => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::Internal => -32603,
            Self::ResourceNotFound => shape.resource_not_found,
            Self::HeaderMismatch => -32020,
            Self::MissingClientCapability => -32021,
            Self::UnsupportedVersion => -32022,
            Self::Other(code) => code,
        }
    }
}

/// An error answer: a code, a message that says what to do, and data where the code asks for it.
#[derive(Clone, Debug)]
pub struct ErrorObject {
    /// What kind of error it is.
    pub code: ErrorCode,
    /// One sentence for the reader.
    pub message: Cow<'static, str>,
    /// More, in the form that the code prescribes.
    pub data: Option<Box<RawValue>>,
}

impl ErrorObject {
    /// An error with a message and no data.
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The same with data.
    #[must_use]
    pub fn data(mut self, data: &Value) -> Self {
        self.data = raw(data).ok();
        self
    }

    pub(crate) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::InvalidParams, message)
    }

    pub(crate) fn internal(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::Internal, message)
    }

    pub(crate) fn wire<'a>(&'a self, shape: &Shape) -> WireError<'a> {
        WireError { code: self.code.number(shape), message: &self.message, data: self.data.as_deref() }
    }
}

#[derive(Serialize)]
pub(crate) struct WireError<'a> {
    code: i32,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a RawValue>,
}
