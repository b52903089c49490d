//! 2026-07-28: every request says what its client speaks and can do, and is served by itself.

use std::borrow::Cow;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{json, value::RawValue};

use super::{Header, Mirror, capabilities::capabilities, shape, tasks};
use crate::{
    dispatch::{Asking, Core, Link, Reply, Request, Status, allowed, find_resource, route, sees},
    handler::{
        call::{open_result, write_hints},
        context::ClientText,
    },
    notify::{CHANGES, Change},
    protocol::{
        ErrorCode, ErrorObject, Id, Params, RequestMeta, Shape, Version, notification, object, text, write,
    },
};

/// The revision that this serves.
const VERSION: Version = Version::V2026_07_28;

fn shape() -> &'static Shape {
    shape::of(VERSION)
}

/// Refuses a request before any function sees it.
pub(super) fn refuse(id: Option<Id<'_>>, error: &ErrorObject) -> Reply {
    let status = match error.code {
        ErrorCode::MethodNotFound => Status::NotFound,
        _ => Status::BadRequest,
    };
    Reply::error(status, id, error, shape())
}

pub(super) fn unsupported(requested: &str) -> ErrorObject {
    ErrorObject::new(ErrorCode::UnsupportedVersion, "Unsupported protocol version")
        .data(&json!({ "supported": [VERSION.as_str()], "requested": requested }))
}

/// Serves one request. `None` where its client cancelled it.
pub(super) async fn serve(
    core: &Core,
    body: &Bytes,
    id: Id<'_>,
    method: &str,
    params: Params<'_>,
    mirror: Option<&dyn Mirror>,
    link: Link,
) -> Option<Reply> {
    let meta = RequestMeta::read(&params);
    if let Err(error) = check(core, method, &params, &meta, mirror) {
        return Some(refuse(Some(id), &error));
    }
    match method {
        "server/discover" => Some(Reply::ok(discover(core, id))),
        _ => {
            let part = |raw: &RawValue| body.slice_ref(raw.get().as_bytes());
            let client = ClientText {
                info: meta.client.map(part),
                capabilities: meta.capabilities.map(part),
                ..ClientText::default()
            };
            let log_level = match meta.log_level.map(|raw| serde_json::from_str(raw.get())) {
                None => None,
                Some(Ok(level)) => Some(level),
                Some(Err(_)) => {
                    let error = ErrorObject::invalid_params(
                        "`params._meta[\"io.modelcontextprotocol/logLevel\"]` is no level",
                    );
                    return Some(refuse(Some(id), &error));
                }
            };
            let asking = Asking::Retry;
            let request =
                Request { id, method, params, meta, shape: shape(), client, asking, log_level, link };
            if method == "subscriptions/listen" {
                return listen(core, request).await;
            }
            if tasks::is_method(method) {
                return Some(tasks::serve(core, request).await);
            }
            if let Some(mirror) = mirror.filter(|_| method == "tools/call")
                && let Err(error) = mirrored_arguments(core, &request, mirror).await
            {
                return Some(refuse(Some(id), &error));
            }
            route(core, request).await
        }
    }
}

/// Everything that has to hold of a request, in the order in which it is told.
fn check(
    core: &Core,
    method: &str,
    params: &Params<'_>,
    meta: &RequestMeta<'_>,
    mirror: Option<&dyn Mirror>,
) -> Result<(), ErrorObject> {
    if method == "initialize" && meta.version.is_none() {
        // A client that knows no other opening shows its user this message.
        let requested = params.protocol_version.and_then(text).unwrap_or_default();
        return Err(ErrorObject {
            message: format!("This server speaks {VERSION} only, which has no `initialize`").into(),
            ..unsupported(&requested)
        });
    }
    let missing = |key: &str| {
        ErrorObject::invalid_params(format!("`params._meta[\"io.modelcontextprotocol/{key}\"]` is missing"))
    };
    let version = meta.version.ok_or_else(|| missing("protocolVersion"))?;
    let version = text(version).ok_or_else(|| {
        ErrorObject::invalid_params(
            "`params._meta[\"io.modelcontextprotocol/protocolVersion\"]` has to be a string",
        )
    })?;
    let capabilities = meta.capabilities.ok_or_else(|| missing("clientCapabilities"))?;
    if !capabilities.get().starts_with('{') {
        return Err(ErrorObject::invalid_params(
            "`params._meta[\"io.modelcontextprotocol/clientCapabilities\"]` has to be an object",
        ));
    }
    if let Some(mirror) = mirror {
        plain(mirror, "mcp-protocol-version", "MCP-Protocol-Version", &version)?;
    }
    if version != VERSION.as_str() {
        return Err(unsupported(&version));
    }
    if let Some(mirror) = mirror {
        plain(mirror, "mcp-method", "Mcp-Method", method)?;
    }
    if !known(core, method) {
        return Err(ErrorObject::new(ErrorCode::MethodNotFound, format!("There is no method `{method}`")));
    }
    match mirror {
        Some(mirror) => mirrored_name(method, params, mirror),
        None => Ok(()),
    }
}

fn known(core: &Core, method: &str) -> bool {
    match method {
        "server/discover" | "subscriptions/listen" => true,
        _ if tasks::is_method(method) => core.catalog.load().has_tasks(),
        _ => core.catalog.load().serves(method),
    }
}

fn mismatch(why: impl Into<Cow<'static, str>>) -> ErrorObject {
    ErrorObject::new(ErrorCode::HeaderMismatch, format!("Header mismatch: {}", why.into()))
}

/// A header that says what the body says, to the letter.
fn plain(mirror: &dyn Mirror, name: &str, title: &str, body: &str) -> Result<(), ErrorObject> {
    match mirror.header(name) {
        Header::One(value) if value.trim_ascii() == body.as_bytes() => Ok(()),
        Header::One(value) => Err(mismatch(format!(
            "{title} header value '{}' does not match body value '{body}'",
            String::from_utf8_lossy(value)
        ))),
        Header::Absent => Err(mismatch(format!("the {title} header is missing"))),
        Header::Many => Err(mismatch(format!("there is more than one {title} header"))),
    }
}

/// `Mcp-Name`.
fn mirrored_name(method: &str, params: &Params<'_>, mirror: &dyn Mirror) -> Result<(), ErrorObject> {
    let named = match method {
        "tools/call" | "prompts/get" => params.name,
        "resources/read" => params.uri,
        _ if tasks::is_method(method) => params.task_id,
        _ => return Ok(()),
    };
    let Some(name) = named.and_then(text) else {
        // What the body lacks is told by whoever reads it.
        return Ok(());
    };
    match mirror.header("mcp-name") {
        Header::Absent => return Err(mismatch("the Mcp-Name header is missing")),
        Header::Many => return Err(mismatch("there is more than one Mcp-Name header")),
        Header::One(value) => {
            let value = decode(value)
                .ok_or_else(|| mismatch("the Mcp-Name header is not encoded as it has to be"))?;
            if value != name {
                return Err(mismatch(format!(
                    "Mcp-Name header value '{value}' does not match body value '{name}'"
                )));
            }
        }
    }
    Ok(())
}

/// `Mcp-Param-*`, of a tool that exists for the caller.
async fn mirrored_arguments(
    core: &Core,
    request: &Request<'_>,
    mirror: &dyn Mirror,
) -> Result<(), ErrorObject> {
    let catalog = core.catalog.load();
    let entry = request.params.name.and_then(text).and_then(|name| catalog.tools.get(&name));
    let Some(entry) = entry.filter(|entry| !entry.headers.is_empty()) else { return Ok(()) };
    if !sees(core, request, entry).await {
        return Ok(());
    }
    let arguments: serde_json::Map<String, serde_json::Value> =
        request.params.arguments.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    for (header, argument) in &entry.headers {
        let body = arguments.get(argument).filter(|value| !value.is_null());
        match (mirror.header(header), body) {
            (Header::Absent, None) => {}
            (Header::Absent, Some(_)) => return Err(mismatch(format!("the {header} header is missing"))),
            (Header::Many, _) => return Err(mismatch(format!("there is more than one {header} header"))),
            (Header::One(_), None) => {
                return Err(mismatch(format!("there is a {header} header and no argument `{argument}`")));
            }
            (Header::One(value), Some(body)) => {
                let value = decode(value)
                    .ok_or_else(|| mismatch(format!("the {header} header is not encoded as it has to be")))?;
                if !says(&value, body) {
                    return Err(mismatch(format!(
                        "{header} header value '{value}' does not match the argument `{argument}`"
                    )));
                }
            }
        }
    }
    Ok(())
}

/// Whether a header's text says the same as an argument. Numbers are compared as numbers.
fn says(header: &str, argument: &serde_json::Value) -> bool {
    use serde_json::Value;
    match argument {
        Value::String(text) => header == text,
        Value::Bool(truth) => header == if *truth { "true" } else { "false" },
        Value::Number(number) => {
            header == number.to_string()
                || header.parse::<f64>().ok().is_some_and(|value| {
                    // Beyond this, different integers are the same float.
                    value.abs() < 9_007_199_254_740_992.0 && Some(value) == number.as_f64()
                })
        }
        _ => false,
    }
}

/// A header's value: as it is, or in the form `=?base64?…?=`. `None` for what cannot be decoded, and for
/// characters that have to be encoded.
fn decode(value: &[u8]) -> Option<Cow<'_, str>> {
    use base64::{Engine, engine::general_purpose::STANDARD};
    let value = std::str::from_utf8(value.trim_ascii()).ok()?;
    if !value.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ' || byte == b'\t') {
        return None;
    }
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => {
            let bytes = STANDARD.decode(encoded).ok()?;
            String::from_utf8(bytes).ok().map(Cow::Owned)
        }
        None => Some(Cow::Borrowed(value)),
    }
}

fn discover(core: &Core, id: Id<'_>) -> Bytes {
    let catalog = core.catalog.load();
    let mut out = open_result(id.text(), 512);
    out.extend_from_slice(br#""supportedVersions":"#);
    write(&mut out, &[VERSION.as_str()]);
    out.extend_from_slice(br#","capabilities":"#);
    write(&mut out, &capabilities(&catalog, shape(), true));
    if let Some(instructions) = &core.instructions {
        out.extend_from_slice(br#","instructions":"#);
        write(&mut out, instructions);
    }
    let (ttl, scope) = catalog.discover_cache();
    write_hints(&mut out, ttl, scope);
    core.tail(shape()).close(&mut out, None, "complete");
    out.into()
}

/// What a client wants to hear of.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
struct Filter {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tools_list_changed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    prompts_list_changed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resources_list_changed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_subscriptions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    task_ids: Vec<String>,
}

impl Filter {
    /// The part of it that this server can honour: a resource that does not exist for the caller does
    /// not change for them either.
    async fn honoured(mut self, core: &Core, request: &Request<'_>) -> Self {
        self.task_ids = tasks::known(core, self.task_ids, request.link.principal.as_ref()).await;
        let catalog = core.catalog.load_full();
        self.tools_list_changed &= catalog.tools.is_offered();
        self.prompts_list_changed &= catalog.prompts.is_offered();
        self.resources_list_changed &= catalog.has_resources();
        for uri in std::mem::take(&mut self.resource_subscriptions) {
            let found = find_resource(core, request, &catalog, &uri).await;
            if found.is_some_and(|(entry, _)| allowed(request, entry.scopes).is_ok()) {
                self.resource_subscriptions.push(uri);
            }
        }
        self
    }

    fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Tools => self.tools_list_changed,
            Change::Prompts => self.prompts_list_changed,
            Change::Resources => self.resources_list_changed,
            Change::ResourceUpdated(uri) => self.resource_subscriptions.contains(uri),
            Change::Task(id) => self.task_ids.contains(id),
        }
    }
}

#[derive(Serialize)]
struct Tagged<'a> {
    #[serde(rename = "_meta")]
    meta: Tag<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notifications: Option<&'a Filter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
}

#[derive(Clone, Copy, Serialize)]
struct Tag<'a> {
    #[serde(rename = "io.modelcontextprotocol/subscriptionId")]
    subscription: &'a RawValue,
}

/// `subscriptions/listen`: the request is answered only when the server ends it.
async fn listen(core: &Core, request: Request<'_>) -> Option<Reply> {
    let (id, link) = (request.id, &request.link);
    if link.outbox.is_silent() {
        let error = ErrorObject::new(
            ErrorCode::InvalidRequest,
            "Changes are told on a stream: `Accept` has to have `text/event-stream`",
        );
        return Some(refuse(Some(id), &error));
    }
    let filter = match request.params.notifications {
        Some(raw) => object::<Filter>(raw).map_err(|error| error.to_string()),
        None => Err("missing".to_owned()),
    };
    let filter = match filter {
        Ok(filter) if !filter.task_ids.is_empty() && !request.takes_tasks() => {
            return Some(refuse(Some(id), &tasks::undeclared()));
        }
        Ok(filter) => filter,
        Err(why) => {
            return Some(refuse(
                Some(id),
                &ErrorObject::invalid_params(format!("`params.notifications`: {why}")),
            ));
        }
    };
    let filter = filter.honoured(core, &request).await;
    let subscription: &RawValue = serde_json::from_str(id.text()).ok()?;
    let meta = Tag { subscription };
    let mut changes = match core.bus.subscribe(CHANGES).await {
        Ok(changes) => changes,
        Err(error) => {
            tracing::error!(%error, "a subscription could not be opened");
            return Some(Reply::error(
                Status::Ok,
                Some(id),
                &ErrorObject::internal("The subscription could not be opened"),
                shape(),
            ));
        }
    };
    let acknowledged = notification(
        "notifications/subscriptions/acknowledged",
        Some(Tagged { meta, notifications: Some(&filter), uri: None }),
    );
    link.outbox.send(acknowledged).await.ok()?;
    let forward = async {
        // What became of a task until now.
        for id in &filter.task_ids {
            if let Some(told) = tasks::status(core, id, meta).await
                && link.outbox.send(told).await.is_err()
            {
                return;
            }
        }
        while let Some(message) = changes.next().await {
            let Some(change) = Change::read(&message).filter(|change| filter.wants(change)) else { continue };
            let told = match &change {
                Change::Task(id) => tasks::status(core, id, meta).await,
                _ => {
                    let params = Tagged { meta, notifications: None, uri: change.uri() };
                    Some(notification(change.method(), Some(params)))
                }
            };
            if let Some(told) = told
                && link.outbox.send(told).await.is_err()
            {
                break;
            }
        }
    };
    let cancelled = async {
        match &link.interrupt {
            Some(interrupt) => interrupt.interrupted(id.text()).await,
            None => std::future::pending().await,
        }
    };
    let ended = async {
        match &link.interrupt {
            Some(interrupt) => interrupt.ended().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = forward => {}
        () = cancelled => return None,
        () = ended => {}
        () = core.closing.cancelled() => {}
    }
    let mut out = open_result(id.text(), 160);
    let meta = [("io.modelcontextprotocol/subscriptionId".to_owned(), serde_json::from_str(id.text()).ok()?)];
    core.tail(shape()).close(&mut out, Some(&meta.into_iter().collect()), "complete");
    Some(Reply::ok(out.into()))
}
