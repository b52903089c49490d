//! Requests of a client that has opened a session, or could have.

use std::{borrow::Cow, sync::Arc};

use bytes::Bytes;
use serde_json::value::RawValue;

use super::{Peer, SessionChannel};
use crate::{
    dispatch::{Asking, Core, Link, Reply, Request, Status, allowed, find_resource, route},
    handler::{call::open_result, context::ClientText, error::Error},
    protocol::{ErrorCode, ErrorObject, Id, Level, Params, RequestMeta},
    store::SessionChange,
};

/// Serves one request. `None` where its client cancelled it.
pub(crate) async fn serve(
    core: &Core,
    peer: &Peer,
    id: Id<'_>,
    method: &str,
    params: Params<'_>,
    link: Link,
) -> Option<Reply> {
    match method {
        "ping" => Some(done(core, peer, id)),
        "resources/unsubscribe" if core.catalog.load().has_resources() => {
            let uri = Params::string(params.uri, "uri").map(Cow::into_owned);
            Some(change_session(core, peer, id, uri.map(SessionChange::Unsubscribe)).await)
        }
        "logging/setLevel" => {
            let level = params.level.and_then(|raw| serde_json::from_str::<Level>(raw.get()).ok());
            let change = level.map(SessionChange::LogLevel).ok_or_else(|| {
                ErrorObject::invalid_params("`params.level` has to be debug, info, notice, warning, error, critical, alert or emergency")
            });
            Some(change_session(core, peer, id, change).await)
        }
        _ => {
            let asking = match &peer.session {
                Some(_) if link.outbox.is_silent() => Asking::Nowhere(
                    "This needs an answer of the client, and its request does not accept `text/event-stream`, on \
                     which it would be asked",
                ),
                Some(session) => Asking::Live(Arc::new(SessionChannel::new(
                    session.clone(),
                    link.outbox.clone(),
                    core.limits.answer,
                    peer.shape(),
                ))),
                None => Asking::Nowhere(
                    "This needs an answer of the client, and there is no way back to it: this request belongs to no \
                     session",
                ),
            };
            let part = |raw: &RawValue| Bytes::copy_from_slice(raw.get().as_bytes());
            let record = peer.session.as_ref().map(|session| &session.record);
            let client = ClientText {
                info: record.and_then(|record| record.client.as_deref()).map(part),
                capabilities: record.and_then(|record| record.capabilities.as_deref()).map(part),
                shape: Some(peer.shape()),
                ..ClientText::default()
            };
            let meta = RequestMeta::read(&params);
            let request = Request {
                id,
                method,
                params,
                meta,
                shape: peer.shape(),
                client,
                asking,
                log_level: record.and_then(|record| record.log_level),
                link,
            };
            if method == "resources/subscribe" && core.catalog.load().has_resources() {
                let change = subscription(core, &request).await;
                return Some(change_session(core, peer, id, change).await);
            }
            let mut reply = route(core, request).await?;
            reply.status = reply.status.for_sessions();
            Some(reply)
        }
    }
}

/// The subscription that is asked for: of a resource that exists for the caller.
async fn subscription(core: &Core, request: &Request<'_>) -> Result<SessionChange, ErrorObject> {
    let uri = Params::string(request.params.uri, "uri")?;
    let catalog = core.catalog.load_full();
    match find_resource(core, request, &catalog, &uri).await {
        Some((entry, _)) => {
            allowed(request, entry.scopes)?;
            Ok(SessionChange::Subscribe(uri.into_owned()))
        }
        None => Err(Error::resource_not_found(&uri).to_protocol()),
    }
}

/// The empty result.
fn done(core: &Core, peer: &Peer, id: Id<'_>) -> Reply {
    let mut out = open_result(id.text(), 0);
    core.tail(peer.shape()).close(&mut out, None, "complete");
    Reply::ok(out.into())
}

async fn change_session(
    core: &Core,
    peer: &Peer,
    id: Id<'_>,
    change: Result<SessionChange, ErrorObject>,
) -> Reply {
    let refuse =
        |error: &ErrorObject| Reply::error(Status::of(error).for_sessions(), Some(id), error, peer.shape());
    let change = match change {
        Ok(change) => change,
        Err(error) => return refuse(&error),
    };
    let Some(session) = &peer.session else {
        return refuse(&ErrorObject::new(
            ErrorCode::InvalidRequest,
            "This needs a session: send the session's id, from the answer to `initialize`",
        ));
    };
    match session.change(change).await {
        Ok(()) => done(core, peer, id),
        Err(error) => {
            tracing::error!(%error, "a session could not be changed");
            refuse(&ErrorObject::internal("The session could not be changed"))
        }
    }
}
