//! JSON-RPC 2.0 as the protocol uses it, borrowed from the message's own text.

use std::{borrow::Cow, fmt};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{ErrorObject, Shape};

/// A message before anyone knows what it is: a request, a notification or a response.
#[derive(Deserialize)]
pub(crate) struct Envelope<'a> {
    #[serde(borrow, default)]
    pub(crate) jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) error: Option<&'a RawValue>,
}

/// A member that is there, even if it is `null`: a request whose id is `null` is no notification.
fn present<'de: 'a, 'a, D: serde::Deserializer<'de>>(value: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(value).map(Some)
}

/// A request's id, exactly as the client wrote it: a string or a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Id<'a>(&'a str);

impl<'a> Id<'a> {
    /// `None` for anything but a string or an integer: the protocol forbids a `null` id, and a
    /// fraction names no request.
    pub(crate) fn new(raw: &'a RawValue) -> Option<Self> {
        let text = raw.get();
        let integer = || text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        (text.starts_with('"') || integer()).then_some(Self(text))
    }

    /// The id as it stands in the message, quotes and all.
    pub(crate) fn text(self) -> &'a str {
        self.0
    }
}

impl fmt::Debug for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The members that the parameters of any method may have, each still unread.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(borrow, default, rename = "_meta")]
    pub(crate) meta: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) uri: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) cursor: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) request_state: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) notifications: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) capabilities: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) request_id: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "ref")]
    pub(crate) reference: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) argument: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) context: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) level: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) task_id: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    pub(crate) fn read(raw: Option<&'a RawValue>) -> Result<Self, ErrorObject> {
        match raw {
            None => Ok(Self::default()),
            Some(raw) => object(raw).map_err(|_| ErrorObject::invalid_params("`params` has to be an object")),
        }
    }

    /// A member that has to be there and be a string.
    pub(crate) fn string(raw: Option<&'a RawValue>, member: &str) -> Result<Cow<'a, str>, ErrorObject> {
        let raw = raw.ok_or_else(|| ErrorObject::invalid_params(format!("`params.{member}` is missing")))?;
        text(raw).ok_or_else(|| ErrorObject::invalid_params(format!("`params.{member}` has to be a string")))
    }
}

/// Reads a struct from an object; serde would take a list of its fields as well.
pub(crate) fn object<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> serde_json::Result<T> {
    if raw.get().starts_with('{') {
        return serde_json::from_str(raw.get());
    }
    Err(serde::de::Error::custom("not an object"))
}

/// The string that this value is, borrowed where it holds no escapes.
pub(crate) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str::<Text<'_>>(raw.get()).ok().map(|text| text.0)
}

/// A value as JSON text.
pub(crate) fn raw<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(value)
}

#[derive(Serialize)]
struct Outgoing<'a, P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<P>,
}

/// A notification, ready to be sent.
pub(crate) fn notification<P: Serialize>(method: &str, params: Option<P>) -> Bytes {
    line(&Outgoing { jsonrpc: "2.0", id: None, method, params })
}

/// A request of the server's own, ready to be sent.
pub(crate) fn request<P: Serialize>(id: &RawValue, method: &str, params: P) -> Bytes {
    line(&Outgoing { jsonrpc: "2.0", id: Some(id), method, params: Some(params) })
}

/// An error answer; without an id where the request's could not be read.
pub(crate) fn error_message(id: Option<Id<'_>>, error: &ErrorObject, shape: &Shape) -> Bytes {
    let mut out = Vec::with_capacity(160);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(br#""id":"#);
        out.extend_from_slice(id.text().as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(br#""error":"#);
    write(&mut out, &error.wire(shape));
    out.push(b'}');
    out.into()
}

/// Appends a value as JSON. What is written this way are our own types, which cannot fail.
pub(crate) fn write<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let start = out.len();
    if let Err(error) = serde_json::to_writer(&mut *out, value) {
        tracing::error!(%error, "a message could not be written");
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

/// Appends the members of a struct to an object that was just opened.
pub(crate) fn write_members<T: Serialize>(out: &mut Vec<u8>, value: &T) {
    out.pop();
    write(out, value);
    out.pop();
}

fn line<T: Serialize>(value: &T) -> Bytes {
    let mut out = Vec::with_capacity(128);
    write(&mut out, value);
    out.into()
}
