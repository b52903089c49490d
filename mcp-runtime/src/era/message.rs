//! From bytes to a message of JSON-RPC.

use std::borrow::Cow;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::shape;
use crate::{
    dispatch::{Reply, Status},
    protocol::{Envelope, ErrorCode, ErrorObject, Id, Params, Version, error_message, text},
};

/// A well-formed message.
pub(super) enum Message<'a> {
    Request { id: Id<'a>, method: Method<'a>, params: Option<&'a RawValue> },
    Notification { method: Method<'a>, params: Option<&'a RawValue> },
    Response { id: Id<'a>, result: Result<&'a RawValue, &'a RawValue> },
}

pub(super) type Method<'a> = Cow<'a, str>;

/// Why bytes are no message, and the id to answer with if there was one.
pub(super) struct Malformed<'a> {
    pub(super) id: Option<Id<'a>>,
    pub(super) error: ErrorObject,
    /// It would have been a response, and to answer one could go back and forth for ever.
    pub(super) response: bool,
}

/// Whether the bytes are a batch.
pub(super) fn is_batch(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'[')
}

/// The messages of a batch.
pub(super) fn batch(bytes: &[u8]) -> Result<Vec<&RawValue>, Malformed<'_>> {
    match serde_json::from_slice::<Vec<&RawValue>>(bytes) {
        Ok(messages) if messages.is_empty() => Err(invalid(None, "an empty batch is no message")),
        Ok(messages) => Ok(messages),
        Err(error) => Err(not_json(&error)),
    }
}

pub(super) fn parse(bytes: &[u8]) -> Result<Message<'_>, Malformed<'_>> {
    let envelope: Envelope<'_> = match serde_json::from_slice(bytes) {
        Ok(envelope) => envelope,
        Err(error) if error.is_data() => {
            return Err(invalid(None, "a message has to be an object with each member once"));
        }
        Err(error) => return Err(not_json(&error)),
    };
    let id = envelope.id.map(Id::new);
    let response = envelope.method.is_none() && (envelope.result.is_some() || envelope.error.is_some());
    let invalid = |id, why| Malformed { response, ..invalid(id, why) };
    if envelope.jsonrpc.is_none_or(|version| version.get() != "\"2.0\"") {
        return Err(invalid(id.flatten(), "`jsonrpc` has to be \"2.0\""));
    }
    if id == Some(None) {
        return Err(invalid(None, "`id` has to be a string or an integer"));
    }
    let id = id.flatten();
    if let Some(method) = envelope.method {
        let Some(method) = text(method) else {
            return Err(invalid(id, "`method` has to be a string"));
        };
        let params = envelope.params;
        return Ok(match id {
            Some(id) => Message::Request { id, method, params },
            None => Message::Notification { method, params },
        });
    }
    match (id, envelope.result, envelope.error) {
        (Some(id), Some(result), None) => Ok(Message::Response { id, result: Ok(result) }),
        (Some(id), None, Some(error)) => Ok(Message::Response { id, result: Err(error) }),
        _ => Err(invalid(id, "a message has a `method`, or an `id` and either a `result` or an `error`")),
    }
}

fn invalid<'a>(id: Option<Id<'a>>, why: &'static str) -> Malformed<'a> {
    let error = ErrorObject::new(ErrorCode::InvalidRequest, format!("Invalid request: {why}"));
    Malformed { id, error, response: false }
}

fn not_json<'a>(error: &serde_json::Error) -> Malformed<'a> {
    let error = ErrorObject::new(ErrorCode::Parse, format!("Parse error: {error}"));
    Malformed { id: None, error, response: false }
}

impl Malformed<'_> {
    pub(super) fn reply(&self) -> Reply {
        Reply::error(Status::BadRequest, self.id, &self.error, shape::of(Version::NEWEST))
    }
}

/// The answer to what is not even text.
pub(crate) fn parse_error(why: impl std::fmt::Display) -> Reply {
    let error = ErrorObject::new(ErrorCode::Parse, format!("Parse error: {why}"));
    Reply::error(Status::BadRequest, None, &error, shape::of(Version::NEWEST))
}

/// A refusal of what never became a message.
pub(crate) fn refusal(code: ErrorCode, why: impl Into<Cow<'static, str>>) -> Bytes {
    error_message(None, &ErrorObject::new(code, why), shape::of(Version::NEWEST))
}

/// What a line is to those who have to keep it back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Glance {
    /// Something to do: the id that it can be cancelled by, as it stands in the message.
    Request(Option<Box<str>>),
    /// The client no longer waits for the request of this id.
    Cancels(Box<str>),
    /// Anything else, which is quickly done.
    Other,
}

/// Looks at a message without serving it.
pub(crate) fn glance(bytes: &[u8]) -> Glance {
    if is_batch(bytes) {
        return Glance::Request(None);
    }
    match parse(bytes) {
        Ok(Message::Request { id, .. }) => Glance::Request(Some(id.text().into())),
        Ok(Message::Notification { method, params }) => {
            cancels(&method, params).map_or(Glance::Other, |id| Glance::Cancels(id.get().into()))
        }
        _ => Glance::Other,
    }
}

/// The id of the request that a notification cancels, if it does.
pub(super) fn cancels<'a>(method: &str, params: Option<&'a RawValue>) -> Option<&'a RawValue> {
    if method != "notifications/cancelled" {
        return None;
    }
    Params::read(params).ok()?.request_id
}
