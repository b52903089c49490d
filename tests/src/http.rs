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

/// An event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The id after which a client can go on.
    pub id: Option<String>,
    /// Milliseconds after which a client is to come back.
    pub retry: Option<u64>,
    /// What is in it.
    pub data: String,
}

/// A response that is read event by event. Dropping it hangs up.
#[derive(Debug)]
pub struct Events {
    body: Incoming,
    text: Vec<u8>,
}

impl Events {
    /// The events of a response.
    ///
    /// # Panics
    ///
    /// When it has none.
    #[must_use]
    pub fn of(response: Response<Incoming>) -> Self {
        assert!(is_events(&response), "{response:?}");
        Self { body: response.into_body(), text: Vec::new() }
    }

    /// The next event; `None` at the end. Comments are left out.
    ///
    /// # Panics
    ///
    /// When a line is of no event.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some(end) = self.text.windows(2).position(|two| two == b"\n\n") {
                let block: Vec<u8> = self.text.drain(..end + 2).collect();
                let mut event = Event::default();
                for line in std::str::from_utf8(&block).expect("events are UTF-8").lines() {
                    match line.split_once(':').map(|(field, value)| (field, value.trim_start())) {
                        Some(("id", id)) => event.id = Some(id.to_owned()),
                        Some(("retry", retry)) => event.retry = Some(retry.parse().expect("milliseconds")),
                        Some(("data", data)) => event.data.push_str(data),
                        Some(("event", kind)) => assert_eq!(kind, "message"),
                        Some(("", _)) | None => {}
                        Some((field, _)) => unreachable!("a field `{field}`"),
                    }
                }
                if event != Event::default() {
                    return Some(event);
                }
            }
            match self.body.frame().await {
                Some(Ok(frame)) => self.text.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data)),
                _ => return None,
            }
        }
    }
}

/// Hands over the messages of a response, in JSON or as events, as they come.
///
/// # Panics
///
/// When one is no JSON.
pub async fn messages(response: Response<Incoming>, mut heard: impl FnMut(Value)) {
    if is_events(&response) {
        let mut events = Events::of(response);
        while let Some(event) = events.next().await {
            if !event.data.is_empty() {
                heard(serde_json::from_str(&event.data).expect("an event's data is JSON"));
            }
        }
        return;
    }
    let mut body = response.into_body();
    let mut text = Vec::new();
    while let Some(Ok(frame)) = body.frame().await {
        text.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
    }
    if !text.is_empty() {
        heard(serde_json::from_slice(&text).expect("an answer is JSON"));
    }
}
