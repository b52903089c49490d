//! A message that was posted, and its answer.

use std::{fmt, future::poll_fn, sync::Arc, task::Poll};

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header::EXPECT, request::Parts};
use http_body::Body;

use super::{
    HttpBody,
    accept::{Accepted, sends_json},
    body::Source,
    read::{Unread, read},
    respond::{SESSION, empty, events, json, refuse, status},
    running::Running,
    service::{Headers, Shared},
    sse::{event, write_event},
};
use crate::{
    auth::Principal,
    dispatch::{Reply, Status},
    era::{self, Exchange, Posted},
    notify::{Outbound, Outbox},
};

/// What a call comes to first.
enum First {
    Message(Outbound),
    Done(Posted),
}

pub(super) async fn post<B>(shared: &Shared, parts: Parts, body: B) -> Response<HttpBody>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: fmt::Display,
{
    if !sends_json(&parts.headers) {
        return refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "A message is sent as `Content-Type: application/json`",
        );
    }
    let accepted = Accepted::of(&parts.headers);
    if !accepted.json && !accepted.events {
        let why = "The answer is `application/json` or `text/event-stream`, and `Accept` excludes both";
        return refuse(StatusCode::NOT_ACCEPTABLE, why);
    }
    let body = match read(body, shared.core.limits.message, parts.headers.contains_key(EXPECT)).await {
        Ok(body) => body,
        Err(unread) => return unread_body(&unread, shared.core.limits.message),
    };
    let principal = parts.extensions.get::<Principal>().cloned();
    if let (Some(door), Some(principal)) = (&shared.door, &principal)
        && !door.admits(principal)
    {
        return door.insufficient(&era::scopes_needed(&shared.core, &body));
    }
    let outbox = Arc::new(Outbox::default());
    if !accepted.events {
        outbox.silence();
    }
    let exchange = Exchange {
        core: shared.core.clone(),
        body: body.clone(),
        headers: Headers(parts.headers),
        principal,
        outbox: outbox.clone(),
    };
    let mut call = Running::new(Box::pin(era::post(exchange)), outbox, shared.places.clone());
    let first = poll_fn(|cx| {
        let done = call.poll(cx).map(First::Done);
        match call.poll_message(cx) {
            // What was sent goes out before the result, even when both are there.
            Poll::Ready(Some(message)) => Poll::Ready((First::Message(message), done)),
            _ => done.map(|done| (done, Poll::Pending)),
        }
    })
    .await;
    match first {
        (First::Message(message), done) => stream(call, &message, done),
        (First::Done(Posted::Reply(Reply { status: Status::Forbidden, message }, _)), _) => {
            let needed = era::scopes_needed(&shared.core, &body);
            match &shared.door {
                Some(door) => {
                    let mut response = door.insufficient(&needed);
                    *response.body_mut() = HttpBody::full(message);
                    response
                }
                None => json(StatusCode::FORBIDDEN, message),
            }
        }
        (First::Done(posted), _) => whole(posted, accepted),
    }
}

/// The answer as one message.
fn whole(posted: Posted, accepted: Accepted) -> Response<HttpBody> {
    let Posted::Reply(reply, session) = posted else { return empty(StatusCode::ACCEPTED) };
    // Clients read an error by its status, as JSON, whatever they accept.
    let mut response = if accepted.json || reply.status != Status::Ok {
        json(status(reply.status), reply.message)
    } else {
        events(HttpBody::full(event(&reply.message)))
    };
    if let Some(id) = session.and_then(|id| HeaderValue::try_from(id).ok()) {
        response.headers_mut().insert(SESSION, id);
    }
    response
}

/// The answer as a stream that begins with this message.
fn stream(call: Running<Posted>, message: &Outbound, done: Poll<First>) -> Response<HttpBody> {
    let mut ready = Vec::new();
    write_event(&mut ready, message);
    let last = match done {
        Poll::Ready(First::Done(posted)) => Some(posted),
        _ => None,
    };
    events(HttpBody::events(Source::Call(call, last), ready))
}

fn unread_body(unread: &Unread, limit: usize) -> Response<HttpBody> {
    match unread {
        Unread::TooLarge => refuse(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("The message is larger than {limit} bytes, the limit of this server"),
        ),
        Unread::TooSlow => refuse(StatusCode::REQUEST_TIMEOUT, "The message took too long to arrive"),
        Unread::Broken(why) => {
            tracing::debug!(why, "a message broke off");
            refuse(StatusCode::BAD_REQUEST, "The message broke off")
        }
    }
}
