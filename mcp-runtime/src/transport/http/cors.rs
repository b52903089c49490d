//! What browsers ask before a page may call, and what they have to be told with each answer.

use http::{
    HeaderMap, HeaderValue, Response, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, VARY,
    },
};

use super::{HttpBody, respond::empty};

/// Request headers that the protocol has.
const HEADERS: [&str; 8] = [
    "accept",
    "authorization",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
];

/// Answers the browser's question whether a page may call.
pub(super) fn preflight(headers: &HeaderMap) -> Response<HttpBody> {
    let mut response = empty(StatusCode::NO_CONTENT);
    let answer = response.headers_mut();
    answer.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST, GET, DELETE"));
    answer.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    let mut allowed = HEADERS.join(", ");
    for value in headers.get_all(ACCESS_CONTROL_REQUEST_HEADERS) {
        for name in value.to_str().unwrap_or_default().split(',').map(|name| name.trim().to_ascii_lowercase())
        {
            if name.starts_with("mcp-param-") {
                allowed.push_str(", ");
                allowed.push_str(&name);
            }
        }
    }
    if let Ok(allowed) = HeaderValue::try_from(allowed) {
        answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    }
    response
}

/// Lets the page of this origin read a response.
pub(super) fn expose(response: &mut Response<HttpBody>, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers
        .insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("mcp-session-id, www-authenticate"));
    headers.append(VARY, HeaderValue::from_static("Origin"));
}
