//! Responses, and the refusals that never reach a message.

use std::borrow::Cow;

use bytes::Bytes;
use http::{
    HeaderValue, Response, StatusCode,
    header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName},
};

use super::HttpBody;
use crate::{
    dispatch::{Reply, Status},
    era,
    protocol::ErrorCode,
};

pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

pub(super) fn status(status: Status) -> StatusCode {
    match status {
        Status::Ok => StatusCode::OK,
        Status::BadRequest => StatusCode::BAD_REQUEST,
        Status::Forbidden => StatusCode::FORBIDDEN,
        Status::NotFound => StatusCode::NOT_FOUND,
    }
}

pub(super) fn empty(status: StatusCode) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::empty());
    *response.status_mut() = status;
    response
}

pub(super) fn json(status: StatusCode, message: Bytes) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::full(message));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A response whose body is events.
pub(super) fn events(body: HttpBody) -> Response<HttpBody> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Proxies pass events on at once then, and do not collect them.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// A refusal: a JSON-RPC error without an id, since no message was read.
pub(super) fn refuse(status: StatusCode, why: impl Into<Cow<'static, str>>) -> Response<HttpBody> {
    json(status, era::refusal(ErrorCode::InvalidRequest, why))
}

/// An answer that needs no more than its status.
pub(super) fn reply(reply: Reply) -> Response<HttpBody> {
    json(status(reply.status), reply.message)
}

/// A refusal of the method of HTTP.
pub(super) fn not_allowed(method: &http::Method, allowed: &'static str) -> Response<HttpBody> {
    let mut response = refuse(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{method} is not served here, but {allowed}: post messages"),
    );
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}
