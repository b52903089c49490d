//! One exchange over HTTP: a message comes in with its headers, and is answered on the same exchange.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::{
    Header, Mirror,
    legacy::{self, LiveSession, Opened, Peer, SessionInterrupt, session_of},
    message::{Message, batch, is_batch, parse},
    modern,
};
use crate::{
    auth::Principal,
    dispatch::{Core, Link, Reply, Status},
    notify::Outbox,
    protocol::{ErrorCode, ErrorObject, Id, Params, RequestMeta, Version},
    server::Legacy,
};

/// What a transport hands over.
pub(crate) struct Exchange<M> {
    pub(crate) core: Arc<Core>,
    pub(crate) body: Bytes,
    pub(crate) headers: M,
    pub(crate) principal: Option<Principal>,
    /// What goes out before the answer.
    pub(crate) outbox: Arc<Outbox>,
}

/// What comes back.
#[derive(Debug)]
pub(crate) enum Posted {
    /// The answer, and the id of the session that it opened.
    Reply(Reply, Option<String>),
    /// Nothing is to be said: it was a notification or a response.
    Accepted,
    /// The answer has gone out, after what came before it.
    Streamed,
}

/// The one revision that the headers name.
fn version_of(headers: &dyn Mirror) -> Option<&str> {
    match headers.header("mcp-protocol-version") {
        Header::One(value) => std::str::from_utf8(value.trim_ascii()).ok(),
        _ => None,
    }
}

/// Whether a client with these headers may have a session here, to listen to or to end.
pub(crate) fn keeps_sessions(core: &Core, headers: &dyn Mirror) -> Result<bool, Reply> {
    let version = match version_of(headers) {
        None => Version::NEWEST_LEGACY,
        Some(text) => Version::parse(text).ok_or_else(|| Refused::Version(text.to_owned()).reply(None))?,
    };
    Ok(core.legacy == Legacy::Sessions && !version.is_modern())
}

/// Serves what was posted.
pub(crate) async fn post<M: Mirror>(exchange: Exchange<M>) -> Posted {
    let Exchange { core, body, headers, principal, outbox } = &exchange;
    let version = version_of(headers);
    if is_batch(body) {
        return batched(core, body, headers, principal.as_ref(), outbox, version).await;
    }
    let message = match parse(body) {
        Ok(message) => message,
        Err(malformed) => return Posted::Reply(malformed.reply(), None),
    };
    let link = Link { outbox: outbox.clone(), principal: principal.clone(), owner: false, interrupt: None };
    match message {
        Message::Request { id, method, params } => {
            let params = match Params::read(params) {
                Ok(params) => params,
                Err(error) => return Posted::Reply(modern::refuse(Some(id), &error), None),
            };
            if is_modern(core, version, &params) {
                let reply = modern::serve(core, body, id, &method, params, Some(headers), link).await;
                return reply.map_or(Posted::Accepted, |reply| Posted::Reply(reply, None));
            }
            if method == "initialize" {
                return initialize(core, id, &params, principal.as_ref()).await;
            }
            let peer = match peer(core, headers, principal.as_ref(), version).await {
                Ok(peer) => peer,
                Err(refused) => return Posted::Reply(refused.reply(Some(id)), None),
            };
            outlive(core, &peer, outbox);
            let link = link.of(&peer);
            let reply = outbox.serve(legacy::serve(core, &peer, id, &method, params, link)).await;
            let status = reply.as_ref().map_or(Status::Ok, |reply| reply.status);
            answer(outbox, status, reply.map(|reply| reply.message)).await
        }
        Message::Notification { method, params } => {
            let params = Params::read(params).unwrap_or_default();
            if !is_modern(core, version, &params) {
                match peer(core, headers, principal.as_ref(), version).await {
                    Ok(peer) => notified(&peer, &method, &params).await,
                    Err(refused) => return Posted::Reply(refused.reply(None), None),
                }
            }
            Posted::Accepted
        }
        Message::Response { id, result } => match peer(core, headers, principal.as_ref(), version).await {
            Ok(Peer { session: Some(session), .. }) => {
                legacy::publish_answer(&session, id, result).await;
                Posted::Accepted
            }
            Ok(_) => Posted::Reply(
                modern::refuse(
                    Some(id),
                    &ErrorObject::new(
                        ErrorCode::InvalidRequest,
                        "A response belongs to a session; a client of 2026-07-28 answers in `inputResponses`",
                    ),
                ),
                None,
            ),
            Err(refused) => Posted::Reply(refused.reply(Some(id)), None),
        },
    }
}

impl Link {
    fn of(mut self, peer: &Peer) -> Self {
        self.interrupt = peer
            .session
            .clone()
            .map(|session| Arc::new(SessionInterrupt(session)) as Arc<dyn crate::dispatch::Interrupt>);
        self
    }
}

/// Whether a message is of a client that says in each what it speaks.
fn is_modern(core: &Core, version: Option<&str>, params: &Params<'_>) -> bool {
    let known = version.and_then(Version::parse);
    known.is_some_and(Version::is_modern)
        || core.legacy == Legacy::Off
        || RequestMeta::read(params).version.is_some()
}

/// Why a bare message cannot be served.
enum Refused {
    NoSession,
    Version(String),
}

impl Refused {
    fn reply(&self, id: Option<Id<'_>>) -> Reply {
        let shape = super::shape::of(Version::NEWEST_LEGACY);
        match self {
            Self::NoSession => {
                let error = ErrorObject::new(
                    ErrorCode::InvalidRequest,
                    "There is no such session: it has ended, or was never opened. Send `initialize` again",
                );
                Reply::error(Status::NotFound, id, &error, shape)
            }
            Self::Version(requested) => modern::refuse(id, &modern::unsupported(requested)),
        }
    }
}

/// The client of a bare message: of the session that its headers name, or of none.
async fn peer(
    core: &Core,
    headers: &dyn Mirror,
    principal: Option<&Principal>,
    version: Option<&str>,
) -> Result<Peer, Refused> {
    let version = match version {
        // Revisions before 2025-06-18 have no such header.
        None => Version::V2025_03_26,
        Some(text) => Version::parse(text).ok_or_else(|| Refused::Version(text.to_owned()))?,
    };
    match (headers.header("mcp-session-id"), core.legacy) {
        (Header::One(id), Legacy::Sessions) => {
            let id = std::str::from_utf8(id).map_err(|_| Refused::NoSession)?;
            let session = session_of(core, id, principal).await.ok_or(Refused::NoSession)?;
            Ok(Peer::of(session))
        }
        (Header::Many, Legacy::Sessions) => Err(Refused::NoSession),
        _ => Ok(Peer { version, session: None }),
    }
}

async fn initialize(core: &Core, id: Id<'_>, params: &Params<'_>, principal: Option<&Principal>) -> Posted {
    let home = match core.legacy {
        Legacy::Sessions => Some((core.sessions.clone(), core.bus.clone())),
        _ => None,
    };
    match legacy::initialize(core, id, params, principal, home).await {
        Ok(Opened { peer, message }) => {
            Posted::Reply(Reply::ok(message), peer.session.map(|session| session.record.id.clone()))
        }
        Err(error) => {
            let shape = super::shape::of(Version::NEWEST_LEGACY);
            Posted::Reply(Reply::error(Status::Ok, Some(id), &error, shape), None)
        }
    }
}

async fn notified(peer: &Peer, method: &str, params: &Params<'_>) {
    if let ("notifications/cancelled", Some(session), Some(id)) = (method, &peer.session, params.request_id) {
        legacy::publish_cancelled(session, id).await;
    }
}

/// A batch, which only 2025-03-26 knows.
async fn batched(
    core: &Arc<Core>,
    body: &Bytes,
    headers: &dyn Mirror,
    principal: Option<&Principal>,
    outbox: &Arc<Outbox>,
    version: Option<&str>,
) -> Posted {
    let messages = match batch(body) {
        Ok(messages) => messages,
        Err(malformed) => return Posted::Reply(malformed.reply(), None),
    };
    let peer = match peer(core, headers, principal, version).await {
        Ok(peer) => peer,
        Err(refused) => return Posted::Reply(refused.reply(None), None),
    };
    if peer.version != Version::V2025_03_26 || core.legacy == Legacy::Off {
        let error = ErrorObject::new(
            ErrorCode::InvalidRequest,
            "Invalid request: a batch, which only revision 2025-03-26 knows; send each message by itself",
        );
        return Posted::Reply(modern::refuse(None, &error), None);
    }
    outlive(core, &peer, outbox);
    let link = Link { outbox: outbox.clone(), principal: principal.cloned(), owner: false, interrupt: None }
        .of(&peer);
    let replies = outbox.serve(serve_batch(core, &peer, &messages, &link)).await;
    answer(outbox, Status::Ok, replies).await
}

/// These revisions say that a client that hangs up has not cancelled: it may come back.
fn outlive(core: &Arc<Core>, peer: &Peer, outbox: &Outbox) {
    outbox.detach();
    if let Some(session) = &peer.session {
        legacy::record(core, session, peer.shape(), outbox);
    }
}

/// The answer, as what is left to say of it.
async fn answer(outbox: &Outbox, status: Status, message: Option<Bytes>) -> Posted {
    match outbox.finish(message).await {
        Ok(()) => Posted::Streamed,
        Err(Some(message)) => Posted::Reply(Reply { status, message }, None),
        Err(None) => Posted::Accepted,
    }
}

/// Serves all messages of a batch side by side; their answers, if any, in one array.
pub(super) async fn serve_batch(
    core: &Core,
    peer: &Peer,
    messages: &[&RawValue],
    link: &Link,
) -> Option<Bytes> {
    let replies =
        crate::dispatch::all(messages.iter().map(|message| one_of_batch(core, peer, message, link))).await;
    let mut out = Vec::new();
    for reply in replies.into_iter().flatten() {
        out.push(if out.is_empty() { b'[' } else { b',' });
        out.extend_from_slice(&reply.message);
    }
    if out.is_empty() {
        return None;
    }
    out.push(b']');
    Some(out.into())
}

async fn one_of_batch(core: &Core, peer: &Peer, message: &RawValue, link: &Link) -> Option<Reply> {
    match parse(message.get().as_bytes()) {
        Err(malformed) => Some(malformed.reply()),
        Ok(Message::Request { id, method, .. }) if method == "initialize" => {
            let error = ErrorObject::new(
                ErrorCode::InvalidRequest,
                "Invalid request: `initialize` cannot be part of a batch",
            );
            Some(Reply::error(Status::Ok, Some(id), &error, peer.shape()))
        }
        Ok(Message::Request { id, method, params }) => match Params::read(params) {
            Ok(params) => legacy::serve(core, peer, id, &method, params, link.clone()).await,
            Err(error) => Some(Reply::error(Status::Ok, Some(id), &error, peer.shape())),
        },
        Ok(Message::Notification { method, params }) => {
            notified(peer, &method, &Params::read(params).unwrap_or_default()).await;
            None
        }
        Ok(Message::Response { id, result }) => {
            let session: Option<&LiveSession> = peer.session.as_ref();
            if let Some(session) = session {
                legacy::publish_answer(session, id, result).await;
            }
            None
        }
    }
}
