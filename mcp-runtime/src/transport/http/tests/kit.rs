//! A server of a few tools, and ways to call it.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::{sleep, timeout},
};
use tower_service::Service;

use super::super::{HttpBody, HttpService};
use crate::{
    __private::{Call, Outcome, ResourceDef, Stop, ToolDef, run},
    Ask, BoxFuture, Content, Roots, Server,
    protocol::{CallToolResult, ResourceContents, notification},
};

/// What the tools have seen.
#[derive(Clone, Default)]
pub(super) struct Seen(Arc<Counts>);

#[derive(Default)]
struct Counts {
    started: AtomicUsize,
    finished: AtomicUsize,
    dropped: AtomicUsize,
}

impl Seen {
    pub(super) fn counts(&self) -> (usize, usize, usize) {
        let get = |count: &AtomicUsize| count.load(Ordering::SeqCst);
        (get(&self.0.started), get(&self.0.finished), get(&self.0.dropped))
    }

    /// Waits until the tools have seen this: calls started, finished, and dropped in the middle.
    pub(super) async fn until(&self, counts: (usize, usize, usize)) {
        for _ in 0..500 {
            if self.counts() == counts {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(self.counts(), counts, "(started, finished, dropped)");
    }
}

/// Counts a call, and whether it came to its end.
struct Running(Seen, bool);

impl Running {
    fn new(call: &Call<'_>) -> Self {
        let seen = call.context().inner().states.get::<Seen>().expect("the state is given");
        seen.0.started.fetch_add(1, Ordering::SeqCst);
        Self((*seen).clone(), false)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let count = if self.1 { &self.0.0.finished } else { &self.0.0.dropped };
        count.fetch_add(1, Ordering::SeqCst);
    }
}

fn text(call: &Call<'_>, text: impl Into<String>) -> Result<Outcome, Stop> {
    Ok(call.result(CallToolResult::new([Content::text(text)])))
}

async fn tell(call: &Call<'_>, message: &str) {
    let params = json!({ "level": "info", "data": message });
    _ = call.context().inner().outbox.send(notification("notifications/message", Some(params))).await;
}

fn say<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move { text(call, "said") }))
}

/// Tells two things in one go, and is done.
fn tell_now<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move {
        tell(call, "one").await;
        tell(call, "two").await;
        text(call, "told")
    }))
}

/// Tells something, and is done later.
fn tell_later<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move {
        let mut running = Running::new(call);
        tell(call, "one").await;
        sleep(Duration::from_millis(300)).await;
        running.1 = true;
        text(call, "told")
    }))
}

/// Is done after a moment, and says nothing before.
fn moment<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move {
        let mut running = Running::new(call);
        sleep(Duration::from_millis(300)).await;
        running.1 = true;
        text(call, "done")
    }))
}

fn never<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move {
        let _running = Running::new(call);
        pending().await
    }))
}

/// Tells something, and then nothing more for ever.
fn tell_never<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move {
        let _running = Running::new(call);
        tell(call, "one").await;
        pending().await
    }))
}

fn ask<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move {
        let answer = call.context().ask("folders", Ask::<Roots>::roots()).await?;
        let folders = answer.accepted().map_or(0, |roots| roots.roots.len());
        text(call, format!("{folders} folders"))
    }))
}

fn change<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move {
        call.context().resource_updated("stock://dune").await;
        text(call, "changed")
    }))
}

fn stock<'a>(call: &'a Call<'a>) -> BoxFuture<'a, Outcome> {
    Box::pin(run(call, async move { Ok(call.contents(vec![ResourceContents::text("", "3")])) }))
}

macro_rules! tools {
    ($($name:ident),*) => { [$({
        static TOOL: ToolDef = ToolDef::new(stringify!($name), file!(), line!(), $name, || None);
        &TOOL
    }),*] };
}

static STOCK: ResourceDef = ResourceDef::new("stock", "stock://dune", file!(), line!(), stock);

pub(super) fn server(seen: &Seen) -> Server {
    Server::empty("Kit", "1.0.0")
        .tools(tools![say, tell_now, tell_later, moment, never, tell_never, ask, change])
        .resources([&STOCK])
        .state(seen.clone())
        .grace(Duration::from_millis(500))
}

pub(super) fn service() -> HttpService {
    server(&Seen::default()).http().expect("the server is right")
}

/// What came back.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap_or("?"))
    }

    pub(super) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        serde_json::from_str(&self.text).expect("the body is JSON")
    }

    /// The messages of a stream of events.
    pub(super) fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), "text/event-stream", "{self:?}");
        events(&self.text)
    }

    /// The code and the message of an error.
    pub(super) fn error(&self) -> (i64, String) {
        let error = &self.json()["error"];
        (error["code"].as_i64().unwrap_or(0), error["message"].as_str().unwrap_or_default().to_owned())
    }
}

pub(super) fn events(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| !data.is_empty());
    data.map(|data| serde_json::from_str(data).expect("the data is JSON")).collect()
}

pub(super) async fn send(service: &HttpService, request: Request<Full<Bytes>>) -> Answer {
    let response = open(service, request).await;
    let (parts, body) = response.into_parts();
    let body =
        timeout(Duration::from_secs(10), body.collect()).await.expect("the body ends").expect("it is whole");
    let text = String::from_utf8(body.to_bytes().to_vec()).expect("it is text");
    Answer { status: parts.status, headers: parts.headers, text }
}

pub(super) async fn open(service: &HttpService, request: Request<Full<Bytes>>) -> http::Response<HttpBody> {
    let answer = service.clone().call(request);
    timeout(Duration::from_secs(10), answer).await.expect("it is answered").expect("it never fails")
}

/// The next event of a stream.
pub(super) async fn event(body: &mut HttpBody) -> Value {
    loop {
        let frame = timeout(Duration::from_secs(10), body.frame()).await.expect("something comes");
        let data =
            frame.expect("the stream goes on").expect("it never fails").into_data().expect("it is data");
        if let Some(event) = events(std::str::from_utf8(&data).expect("it is text")).into_iter().next() {
            return event;
        }
    }
}

/// A request as every client sends it.
pub(super) fn post(body: impl Into<Bytes>) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(body.into()));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = http::Uri::from_static("/mcp");
    set(&mut request, "host", "localhost:8000");
    set(&mut request, "content-type", "application/json");
    set(&mut request, "accept", "application/json, text/event-stream");
    request
}

pub(super) fn set(request: &mut Request<Full<Bytes>>, name: &'static str, value: &str) {
    request.headers_mut().insert(name, value.parse().expect("it is a header's value"));
}

/// With another header.
pub(super) fn with(
    mut request: Request<Full<Bytes>>,
    name: &'static str,
    value: &str,
) -> Request<Full<Bytes>> {
    set(&mut request, name, value);
    request
}

pub(super) fn of_method(mut request: Request<Full<Bytes>>, method: Method) -> Request<Full<Bytes>> {
    *request.method_mut() = method;
    request
}

/// A request of a client of 2026-07-28.
pub(super) fn modern(method: &str, name: Option<&str>, mut params: Value) -> Request<Full<Bytes>> {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "roots": {} },
    });
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    let mut request = post(message.to_string());
    set(&mut request, "mcp-protocol-version", "2026-07-28");
    set(&mut request, "mcp-method", method);
    if let Some(name) = name {
        set(&mut request, "mcp-name", name);
    }
    request
}

/// A call of a client of 2026-07-28.
pub(super) fn call(tool: &str) -> Request<Full<Bytes>> {
    modern("tools/call", Some(tool), json!({ "name": tool, "arguments": {} }))
}

/// A message of an older client.
pub(super) fn legacy(session: Option<&str>, message: &Value) -> Request<Full<Bytes>> {
    let mut request = post(message.to_string());
    set(&mut request, "mcp-protocol-version", "2025-11-25");
    if let Some(session) = session {
        set(&mut request, "mcp-session-id", session);
    }
    request
}

pub(super) fn legacy_call(session: &str, tool: &str) -> Request<Full<Bytes>> {
    let params = json!({ "name": tool });
    legacy(Some(session), &json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params }))
}

pub(super) fn initialize() -> Request<Full<Bytes>> {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "roots": {} },
        "clientInfo": { "name": "test", "version": "1" },
    });
    legacy(None, &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
}

/// Opens a session; its id.
pub(super) async fn session(service: &HttpService) -> String {
    let answer = send(service, initialize()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.header("mcp-session-id").to_owned()
}

/// A server that listens.
pub(super) struct Served {
    pub(super) addr: std::net::SocketAddr,
    pub(super) stop: oneshot::Sender<()>,
    pub(super) running: JoinHandle<crate::Result<()>>,
}

pub(super) async fn serve(service: HttpService) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a port");
    let addr = listener.local_addr().expect("it has an address");
    let (stop, stopped) = oneshot::channel();
    let running = tokio::spawn(service.serve_on(listener, async {
        _ = stopped.await;
    }));
    Served { addr, stop, running }
}

impl Served {
    /// Sends a request over a connection of its own.
    pub(super) async fn connect(&self, request: Request<Full<Bytes>>) -> TcpStream {
        let mut stream = TcpStream::connect(self.addr).await.expect("it listens");
        stream.write_all(&wire(request).await).await.expect("it is taken");
        stream
    }
}

/// A request as HTTP/1.1 writes it.
pub(super) async fn wire(request: Request<Full<Bytes>>) -> Vec<u8> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("it is whole").to_bytes();
    let mut out =
        format!("{} {} HTTP/1.1\r\ncontent-length: {}\r\n", parts.method, parts.uri, body.len()).into_bytes();
    for (name, value) in &parts.headers {
        out.extend_from_slice(name.as_str().as_bytes());
        out.extend_from_slice(b": ");
        out.extend_from_slice(value.as_bytes());
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(&body);
    out
}

/// Reads from a connection until this has come, or the connection ends.
pub(super) async fn read_until(stream: &mut TcpStream, what: &str) -> String {
    let mut all = Vec::new();
    let mut chunk = [0; 4096];
    let reading = async {
        loop {
            let count = stream.read(&mut chunk).await.unwrap_or(0);
            all.extend_from_slice(&chunk[..count]);
            if count == 0 || String::from_utf8_lossy(&all).contains(what) {
                return;
            }
        }
    };
    timeout(Duration::from_secs(10), reading).await.expect("it comes in time");
    String::from_utf8_lossy(&all).into_owned()
}
