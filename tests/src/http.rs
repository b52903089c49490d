//! A small client of Streamable HTTP: one connection for each exchange, messages as they come.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, Response, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// Sends one request to `/mcp` of a server on this machine.
///
/// # Panics
///
/// When there is no answer.
pub async fn send(
    port: u16,
    method: Method,
    headers: &[(String, String)],
    body: String,
) -> Response<Incoming> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the server listens");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("HTTP/1.1");
    tokio::spawn(connection);
    let mut request = Request::builder()
        .method(method)
        .uri("/mcp")
        .header("host", format!("127.0.0.1:{port}"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let request = request.body(Full::new(Bytes::from(body))).expect("a request");
    sender.send_request(request).await.expect("an answer")
}

/// Whether a response is a stream of events.
#[must_use]
pub fn is_events(response: &Response<Incoming>) -> bool {
    let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// Hands over the messages of a response, in JSON or as events, as they come.
pub async fn messages(response: Response<Incoming>, mut heard: impl FnMut(Value)) {
    let events = is_events(&response);
    let mut body = response.into_body();
    let mut text = Vec::new();
    while let Some(Ok(frame)) = body.frame().await {
        text.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
        while let Some(end) = events.then(|| text.windows(2).position(|two| two == b"\n\n")).flatten() {
            let event: Vec<u8> = text.drain(..end + 2).collect();
            let event = String::from_utf8(event).expect("events are UTF-8");
            let data: Vec<_> =
                event.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim_start).collect();
            if !data.join("").is_empty() {
                heard(serde_json::from_str(&data.join("\n")).expect("an event's data is JSON"));
            }
        }
    }
    if !events && !text.is_empty() {
        heard(serde_json::from_slice(&text).expect("an answer is JSON"));
    }
}
