//! The protocol's own members of a request's `_meta`.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Params, object};

/// What a request's `_meta` says to the protocol, each member still unread.
#[derive(Default, Deserialize)]
pub(crate) struct RequestMeta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion", borrow, default)]
    pub(crate) version: Option<&'a RawValue>,
    #[serde(rename = "io.modelcontextprotocol/clientInfo", borrow, default)]
    pub(crate) client: Option<&'a RawValue>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities", borrow, default)]
    pub(crate) capabilities: Option<&'a RawValue>,
    #[serde(rename = "io.modelcontextprotocol/logLevel", borrow, default)]
    pub(crate) log_level: Option<&'a RawValue>,
    #[serde(rename = "progressToken", borrow, default)]
    pub(crate) progress_token: Option<&'a RawValue>,
}

impl<'a> RequestMeta<'a> {
    pub(crate) fn read(params: &Params<'a>) -> Self {
        params.meta.and_then(|raw| object(raw).ok()).unwrap_or_default()
    }
}
