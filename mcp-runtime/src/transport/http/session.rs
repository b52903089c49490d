//! What a session's client does beside posting: it listens, and it ends the session.

use std::sync::Arc;

use http::{Extensions, HeaderMap, Response, StatusCode};

use super::{
    HttpBody,
    accept::Accepted,
    body::Source,
    respond::{SESSION, empty, events, refuse},
    running::Running,
    service::Shared,
    sse::COMMENT,
};
use crate::{
    auth::Principal,
    era::{self, LiveSession, Unopened},
    notify::Outbox,
};

/// Opens a stream of the session's own, or goes on with one that its client was on.
pub(super) async fn listen(
    shared: &Shared,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Response<HttpBody> {
    if !Accepted::of(headers).events {
        return refuse(
            StatusCode::NOT_ACCEPTABLE,
            "A session's stream is `text/event-stream`, which `Accept` excludes",
        );
    }
    let session = match session(shared, headers, extensions).await {
        Ok(session) => session,
        Err(refused) => return *refused,
    };
    let outbox = Arc::new(Outbox::default());
    let last = headers.get("last-event-id").map(|id| id.to_str().unwrap_or("?"));
    let work = match era::open(shared.core.clone(), session, last, outbox.clone()).await {
        Ok(work) => work,
        // Not 404, which would say that the session is over.
        Err(Unopened::UnknownEvent) => {
            let why = "`Last-Event-ID` names no event that this session can go on after: it is no longer kept, or of \
                       a stream that another has replaced. Without the header, a new stream is opened";
            return refuse(StatusCode::BAD_REQUEST, why);
        }
        Err(Unopened::Failed) => {
            return refuse(StatusCode::SERVICE_UNAVAILABLE, "The stream could not be opened");
        }
    };
    let listener = Running::new(work, outbox, shared.places.clone());
    events(HttpBody::events(Source::Listener(listener), COMMENT.to_vec()))
}

/// Ends the session.
pub(super) async fn end(shared: &Shared, headers: &HeaderMap, extensions: &Extensions) -> Response<HttpBody> {
    match session(shared, headers, extensions).await {
        Ok(session) => {
            era::end(&shared.core, &session).await;
            empty(StatusCode::NO_CONTENT)
        }
        Err(refused) => *refused,
    }
}

async fn session(
    shared: &Shared,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<LiveSession, Box<Response<HttpBody>>> {
    let mut ids = headers.get_all(SESSION).iter();
    let (Some(id), None) = (ids.next(), ids.next()) else {
        let why = "One `Mcp-Session-Id` header has to name the session, with the id from the answer to `initialize`";
        return Err(Box::new(refuse(StatusCode::BAD_REQUEST, why)));
    };
    let session = match id.to_str() {
        Ok(id) => era::session_of(&shared.core, id, extensions.get::<Principal>()).await,
        Err(_) => None,
    };
    session.ok_or_else(|| {
        let why = "There is no such session: it has ended, or was never opened. Send `initialize` again";
        Box::new(refuse(StatusCode::NOT_FOUND, why))
    })
}
