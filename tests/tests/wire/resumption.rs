//! Streams of older clients over HTTP that break, or are closed, and are resumed
//! (2025-11-25, basic/transports, "Resumability and Redelivery").

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use hyper::{Method, Response, body::Incoming};
use mcp_runtime::{
    LocalBus, MemoryEvents, MemorySessions, Session, SessionChange, SessionStore, StoreError, Version,
    prelude::*,
};
use serde_json::{Value, json};
use tests::{
    http::{self, Event, Events, is_events},
    peer::PATIENCE,
};
use tokio::{net::TcpListener, sync::Semaphore, task::JoinHandle, time::timeout};

/// Lets tools go on, step by step.
#[derive(Clone)]
struct Gate(Arc<Semaphore>);

impl Gate {
    fn open(&self, steps: usize) {
        self.0.add_permits(steps);
    }

    async fn pass(&self) {
        self.0.acquire().await.expect("it is never closed").forget();
    }
}

/// Count, one step at a time.
#[tool(toolset = "streams")]
async fn count(to: u32, gate: State<Gate>, ctx: Context) -> String {
    for step in 1..=to {
        gate.pass().await;
        ctx.progress(step, to, "").await;
    }
    gate.pass().await;
    format!("counted to {to}")
}

/// Close the connection, and say later that the client is back.
#[tool(toolset = "streams")]
async fn leave(gate: State<Gate>, ctx: Context) -> &'static str {
    ctx.close_sse_stream(Duration::from_millis(70)).await;
    gate.pass().await;
    "welcome back"
}

/// Say something, and close the connection then.
#[tool(toolset = "streams")]
async fn say_and_leave(gate: State<Gate>, ctx: Context) -> &'static str {
    ctx.progress(1, 2, "").await;
    ctx.close_sse_stream(Duration::from_millis(70)).await;
    gate.pass().await;
    "welcome back"
}

/// Ask for the client's roots.
#[tool(toolset = "streams")]
async fn roots(ctx: Context) -> Result<String> {
    Ok(format!(
        "{} roots",
        ctx.ask("roots", Ask::roots()).await?.accepted().map_or(0, |roots| roots.roots.len())
    ))
}

/// Say at once that the list of tools has changed.
#[tool(toolset = "streams")]
async fn change(ctx: Context) -> &'static str {
    ctx.tools_changed().await;
    "changed"
}

/// Say that a resource has changed.
#[tool(toolset = "streams")]
async fn update(uri: String, ctx: Context) -> &'static str {
    ctx.resource_updated(uri).await;
    "updated"
}

/// A book.
#[resource("book://{title}", toolset = "streams")]
fn book(title: String) -> String {
    title
}

fn server(gate: &Gate) -> Server {
    Server::empty("Streams", "1.0.0")
        .tools(tools![count, leave, say_and_leave, roots, change, update])
        .resources(mcp_runtime::resources![book])
        .state(gate.clone())
}

fn gate() -> Gate {
    Gate(Arc::new(Semaphore::new(0)))
}

/// A worker that serves, until it is dropped.
struct Worker(u16, JoinHandle<()>);

impl Worker {
    async fn start(server: Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let service = server.http().expect("the server starts");
        let serving = tokio::spawn(async move {
            _ = service.serve_on(listener, std::future::pending()).await;
        });
        Self(port, serving)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.1.abort();
    }
}

/// A client with a session.
#[derive(Clone)]
struct Client {
    port: u16,
    version: Version,
    session: String,
}

impl Client {
    async fn open(worker: &Worker, version: Version) -> Self {
        let mut client = Self { port: worker.0, version, session: String::new() };
        let params = json!({
            "protocolVersion": version.as_str(),
            "capabilities": { "roots": {} },
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = client.request(Method::POST, None, &message(1, "initialize", params)).await;
        client.session = answer.headers()["mcp-session-id"].to_str().expect("it is ASCII").to_owned();
        client
    }

    async fn request(&self, method: Method, last: Option<&str>, message: &Value) -> Response<Incoming> {
        let mut headers = vec![("mcp-protocol-version".to_owned(), self.version.as_str().to_owned())];
        if !self.session.is_empty() {
            headers.push(("mcp-session-id".to_owned(), self.session.clone()));
        }
        headers.extend(last.map(|id| ("last-event-id".to_owned(), id.to_owned())));
        let body = if message.is_null() { String::new() } else { message.to_string() };
        timeout(PATIENCE, http::send(self.port, method, &headers, body)).await.expect("an answer in time")
    }

    /// A call that wants to hear of progress.
    async fn call(&self, id: u64, tool: &str, arguments: Value) -> Response<Incoming> {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": id } });
        self.request(Method::POST, None, &message(id, "tools/call", params)).await
    }

    /// A call that is answered with one message; its result's text.
    async fn said(&self, tool: &str, arguments: Value) -> String {
        let answer = self.call(99, tool, arguments).await;
        assert!(!is_events(&answer), "it sends nothing before its result");
        let mut said = Vec::new();
        http::messages(answer, |message| said.push(message)).await;
        text(&said[0]).to_owned()
    }

    /// Listens: on a new stream, or after an event.
    async fn listen(&self, last: Option<&str>) -> Events {
        let answer = self.request(Method::GET, last, &Value::Null).await;
        assert_eq!(answer.status(), 200);
        Events::of(answer)
    }

    /// Goes on after an event that the session cannot go on after; what it is told.
    async fn refused(&self, last: &str) -> String {
        let answer = self.request(Method::GET, Some(last), &Value::Null).await;
        assert_eq!(answer.status(), 400, "404 would say that the session is over");
        let mut said = Vec::new();
        http::messages(answer, |message| said.push(message)).await;
        assert_eq!(said[0]["error"]["code"], -32600);
        said[0]["error"]["message"].as_str().expect("a text").to_owned()
    }

    async fn end(&self) {
        let answer = self.request(Method::DELETE, None, &Value::Null).await;
        assert_eq!(answer.status(), 204);
    }
}

fn message(id: u64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().expect("a result with a text")
}

async fn next(events: &mut Events) -> Option<Event> {
    timeout(PATIENCE, events.next()).await.expect("something in time")
}

/// The next event, which has an id and a message.
async fn heard(events: &mut Events) -> (String, Value) {
    let event = next(events).await.expect("the stream goes on");
    let message = serde_json::from_str(&event.data).expect("a message");
    (event.id.expect("an id"), message)
}

/// The first event of a stream of 2025-11-25, which has no message; its id.
async fn primed(events: &mut Events) -> String {
    let first = next(events).await.expect("the stream begins");
    assert_eq!((first.data.as_str(), first.retry.is_some()), ("", true), "{first:?}");
    first.id.expect("an id")
}

/// All that is left of a stream: ids and messages.
async fn rest(mut events: Events) -> Vec<(String, Value)> {
    let mut rest = Vec::new();
    while let Some(event) = next(&mut events).await {
        if !event.data.is_empty() {
            rest.push((event.id.unwrap_or_default(), serde_json::from_str(&event.data).expect("a message")));
        }
    }
    rest
}

/// The steps of a count, and 0 for its result.
fn steps(messages: &[(String, Value)]) -> Vec<u64> {
    messages.iter().map(|(_, message)| message["params"]["progress"].as_u64().unwrap_or(0)).collect()
}

#[tokio::test]
async fn a_client_that_hung_up_in_a_call_reads_the_rest_when_it_comes_back() {
    let gate = gate();
    let worker = Worker::start(server(&gate)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    gate.open(1);
    let mut stream = Events::of(client.call(7, "count", json!({ "to": 3 })).await);
    let priming = primed(&mut stream).await;
    let (first, progress) = heard(&mut stream).await;
    assert_eq!(progress["params"]["progress"], 1);
    drop(stream);
    // It comes back while the call still runs.
    let mut resumed = client.listen(Some(&first)).await;
    gate.open(1);
    let (second, progress) = heard(&mut resumed).await;
    assert_eq!(progress["params"]["progress"], 2);
    drop(resumed);
    gate.open(2);
    let missed = rest(client.listen(Some(&second)).await).await;
    assert_eq!(steps(&missed), [3, 0]);
    assert_eq!((text(&missed[1].1), &missed[1].1["id"]), ("counted to 3", &json!(7)));
    // What was read once can be read again, from every event on.
    let all = rest(client.listen(Some(&priming)).await).await;
    assert_eq!(steps(&all), [1, 2, 3, 0]);
    assert_eq!(all[2..], missed, "the same messages under the same ids");
    assert_eq!(rest(client.listen(Some(&all[3].0)).await).await, [], "after the result there is nothing");
}

#[tokio::test]
async fn a_tool_can_close_its_connection_and_the_client_comes_back_for_the_result() {
    let gate = gate();
    let worker = Worker::start(server(&gate)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let mut stream = Events::of(client.call(7, "leave", json!({})).await);
    let first = next(&mut stream).await.expect("the stream begins");
    assert_eq!((first.data.as_str(), first.retry), ("", Some(70)));
    assert_eq!(next(&mut stream).await, None, "the connection is closed");
    let resumed = client.listen(first.id.as_deref()).await;
    gate.open(1);
    let missed = rest(resumed).await;
    assert_eq!((missed.len(), text(&missed[0].1)), (1, "welcome back"));
}

#[tokio::test]
async fn a_stream_that_has_begun_is_closed_with_the_time_to_come_back() {
    let gate = gate();
    let worker = Worker::start(server(&gate)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let mut stream = Events::of(client.call(7, "say_and_leave", json!({})).await);
    primed(&mut stream).await;
    heard(&mut stream).await;
    let last = next(&mut stream).await.expect("one more event");
    assert_eq!((last.data.as_str(), last.retry), ("", Some(70)));
    assert_eq!(next(&mut stream).await, None, "the connection is closed");
    gate.open(1);
    let missed = rest(client.listen(last.id.as_deref()).await).await;
    assert_eq!((missed.len(), text(&missed[0].1)), (1, "welcome back"));
}

#[tokio::test]
async fn a_question_waits_for_a_client_that_comes_back() {
    let worker = Worker::start(server(&gate())).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let mut stream = Events::of(client.call(7, "roots", json!({})).await);
    let priming = primed(&mut stream).await;
    drop(stream);
    let mut resumed = client.listen(Some(&priming)).await;
    let (_, question) = heard(&mut resumed).await;
    assert_eq!(question["method"], "roots/list");
    let result = json!({ "roots": [{ "uri": "file:///a" }] });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
    assert_eq!(client.request(Method::POST, None, &answer).await.status(), 202);
    assert_eq!(text(&rest(resumed).await[0].1), "1 roots");
}

#[tokio::test]
async fn a_call_that_was_cancelled_ends_the_stream_without_a_result() {
    let gate = gate();
    let worker = Worker::start(server(&gate)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    gate.open(1);
    let mut stream = Events::of(client.call(7, "count", json!({ "to": 3 })).await);
    let priming = primed(&mut stream).await;
    drop(stream);
    let mut resumed = client.listen(Some(&priming)).await;
    heard(&mut resumed).await;
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    assert_eq!(client.request(Method::POST, None, &cancelled).await.status(), 202);
    assert_eq!(rest(resumed).await, []);
}

#[tokio::test]
async fn no_stream_replays_what_came_on_another() {
    let gate = gate();
    let worker = Worker::start(server(&gate)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let mut own = client.listen(None).await;
    let listening = primed(&mut own).await;
    drop(own);
    gate.open(1);
    let mut one = Events::of(client.call(1, "count", json!({ "to": 2 })).await);
    let (begun, _) = (primed(&mut one).await, heard(&mut one).await);
    drop(one);
    gate.open(5);
    let other = rest(Events::of(client.call(2, "count", json!({ "to": 2 })).await)).await;
    assert_eq!(steps(&other), [1, 2, 0]);
    client.said("change", json!({})).await;
    let missed = rest(client.listen(Some(&begun)).await).await;
    assert_eq!(steps(&missed), [1, 2, 0]);
    assert_eq!((&missed[0].1["params"]["progressToken"], &missed[2].1["id"]), (&json!(1), &json!(1)));
    let mut own = client.listen(Some(&listening)).await;
    assert_eq!(heard(&mut own).await.1["method"], "notifications/tools/list_changed");
    client.end().await;
    assert_eq!(rest(own).await, [], "no call's messages come here");
}

#[tokio::test]
async fn another_session_cannot_resume_a_stream() {
    let gate = gate();
    let worker = Worker::start(server(&gate)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let stranger = Client::open(&worker, Version::V2025_11_25).await;
    let mut own = client.listen(None).await;
    let listening = primed(&mut own).await;
    let mut call = Events::of(client.call(7, "leave", json!({})).await);
    let called = primed(&mut call).await;
    gate.open(1);
    for id in [&listening, &called] {
        assert!(stranger.refused(id).await.contains("Last-Event-ID"));
    }
    assert_eq!(rest(client.listen(Some(&called)).await).await.len(), 1, "its own client can");
    client.end().await;
    let answer = client.request(Method::GET, Some(&called), &Value::Null).await;
    assert_eq!(answer.status(), 404, "the session is over");
}

#[tokio::test]
async fn an_unknown_event_is_refused_and_the_session_lives() {
    let worker = Worker::start(server(&gate())).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    for id in ["1", "call.1", "call.", "own.a.b", "own.", "no such event"] {
        client.refused(id).await;
    }
    assert_eq!(client.said("change", json!({})).await, "changed");
    let mut stream = client.listen(Some("")).await;
    primed(&mut stream).await;
}

#[tokio::test]
async fn changes_are_told_to_a_client_that_was_away() {
    let worker = Worker::start(server(&gate())).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let subscribe = message(2, "resources/subscribe", json!({ "uri": "book://dune" }));
    client.request(Method::POST, None, &subscribe).await;
    let mut stream = client.listen(None).await;
    let first = primed(&mut stream).await;
    client.said("change", json!({})).await;
    let (second, _) = heard(&mut stream).await;
    drop(stream);
    client.said("update", json!({ "uri": "book://emma" })).await;
    client.said("update", json!({ "uri": "book://dune" })).await;
    client.said("change", json!({})).await;
    let methods = ["notifications/resources/updated", "notifications/tools/list_changed"];
    let mut resumed = client.listen(Some(&second)).await;
    let (third, message) = heard(&mut resumed).await;
    assert_eq!((&message["method"], &message["params"]["uri"]), (&json!(methods[0]), &json!("book://dune")));
    assert_eq!(heard(&mut resumed).await.1["method"], methods[1]);
    // It goes on live.
    client.said("update", json!({ "uri": "book://dune" })).await;
    assert_eq!(heard(&mut resumed).await.1["method"], methods[0]);
    drop(resumed);
    for (after, expected) in [(&first, 4), (&second, 3), (&third, 2)] {
        let mut resumed = client.listen(Some(after)).await;
        for _ in 0..expected {
            heard(&mut resumed).await;
        }
        client.said("update", json!({ "uri": "book://emma" })).await;
        drop(resumed);
    }
    let resumed = client.listen(Some(&third)).await;
    client.end().await;
    assert!(rest(resumed).await.len() <= 2, "nothing that was not missed");
}

#[tokio::test]
async fn a_client_that_was_away_too_long_hears_that_anything_may_have_changed() {
    let log = MemoryEvents::new(2, 1 << 20, Duration::from_secs(60));
    let worker = Worker::start(server(&gate()).event_log(log)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let subscribe = message(2, "resources/subscribe", json!({ "uri": "book://dune" }));
    client.request(Method::POST, None, &subscribe).await;
    let mut stream = client.listen(None).await;
    let first = primed(&mut stream).await;
    drop(stream);
    for _ in 0..4 {
        client.said("change", json!({})).await;
    }
    let mut resumed = client.listen(Some(&first)).await;
    for method in ["tools/list_changed", "resources/list_changed", "resources/updated"] {
        assert_eq!(heard(&mut resumed).await.1["method"], format!("notifications/{method}"));
    }
}

#[tokio::test]
async fn what_the_log_no_longer_keeps_cannot_be_resumed() {
    let gate = gate();
    let log = MemoryEvents::new(3, 1 << 20, Duration::from_secs(60));
    let worker = Worker::start(server(&gate).event_log(log)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    gate.open(6);
    let mut stream = Events::of(client.call(7, "count", json!({ "to": 5 })).await);
    let priming = primed(&mut stream).await;
    let all = rest(stream).await;
    assert_eq!(steps(&all), [1, 2, 3, 4, 5, 0], "it is complete where nothing breaks");
    client.refused(&priming).await;
    client.refused(&all[0].0).await;
    assert_eq!(rest(client.listen(Some(&all[2].0)).await).await, all[3..]);
}

#[tokio::test]
async fn a_call_that_sends_nothing_before_its_result_is_one_json_object() {
    let gate = gate();
    gate.open(1);
    let worker = Worker::start(server(&gate)).await;
    for version in super::LEGACY {
        let client = Client::open(&worker, version).await;
        assert_eq!(client.said("change", json!({})).await, "changed");
    }
}

#[tokio::test]
async fn older_revisions_can_resume_and_get_nothing_that_they_do_not_know() {
    let gate = gate();
    let worker = Worker::start(server(&gate)).await;
    for version in [Version::V2025_03_26, Version::V2025_06_18] {
        let client = Client::open(&worker, version).await;
        gate.open(1);
        let mut stream = Events::of(client.call(7, "count", json!({ "to": 2 })).await);
        let first = next(&mut stream).await.expect("the stream begins");
        assert!(first.data.contains("progress") && first.retry.is_none(), "{first:?}");
        drop(stream);
        gate.open(2);
        let missed = rest(client.listen(first.id.as_deref()).await).await;
        assert_eq!(steps(&missed), [2, 0]);
        // Their clients do not come back by themselves: nothing is closed.
        gate.open(1);
        assert_eq!(client.said("leave", json!({})).await, "welcome back");
        let mut own = client.listen(None).await;
        client.said("change", json!({})).await;
        let (id, _) = heard(&mut own).await;
        drop(own);
        client.said("change", json!({})).await;
        assert_eq!(
            heard(&mut client.listen(Some(&id)).await).await.1["method"],
            "notifications/tools/list_changed"
        );
    }
    let client = Client::open(&worker, Version::V2024_11_05).await;
    gate.open(3);
    let mut stream = Events::of(client.call(7, "count", json!({ "to": 2 })).await);
    while let Some(event) = next(&mut stream).await {
        assert_eq!((event.id, event.retry), (None, None));
    }
}

#[tokio::test]
async fn of_streams_that_are_opened_in_the_same_instant_one_is_told() {
    let worker = Worker::start(server(&gate())).await;
    for _ in 0..20 {
        let client = Client::open(&worker, Version::V2025_11_25).await;
        let streams = tokio::join!(client.listen(None), client.listen(None), client.listen(None));
        client.said("change", json!({})).await;
        client.said("change", json!({})).await;
        client.end().await;
        let mut heard: Vec<usize> = Vec::new();
        for stream in [streams.0, streams.1, streams.2] {
            heard.push(rest(stream).await.len());
        }
        heard.sort_unstable();
        assert_eq!(heard, [0, 0, 2]);
    }
}

#[tokio::test]
async fn a_client_that_comes_back_twice_hears_each_message_once() {
    let worker = Worker::start(server(&gate())).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let mut first = client.listen(None).await;
    let id = primed(&mut first).await;
    // It thinks that the connection broke; the server has not noticed.
    let mut second = client.listen(Some(&id)).await;
    assert_eq!(rest(first).await, [], "the connection before it ends");
    client.said("change", json!({})).await;
    heard(&mut second).await;
    client.end().await;
    assert_eq!(rest(second).await, []);
}

/// Counts how often its sessions are used.
#[derive(Debug)]
struct Counting(MemorySessions, Arc<AtomicUsize>);

impl SessionStore for Counting {
    fn insert(&self, session: Session) -> mcp_runtime::BoxFuture<'_, Result<(), StoreError>> {
        self.0.insert(session)
    }

    fn load<'a>(
        &'a self,
        id: &'a str,
    ) -> mcp_runtime::BoxFuture<'a, Result<Option<Arc<Session>>, StoreError>> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.load(id)
    }

    fn change<'a>(
        &'a self,
        id: &'a str,
        change: SessionChange,
    ) -> mcp_runtime::BoxFuture<'a, Result<(), StoreError>> {
        self.0.change(id, change)
    }

    fn remove<'a>(&'a self, id: &'a str) -> mcp_runtime::BoxFuture<'a, Result<bool, StoreError>> {
        self.0.remove(id)
    }
}

#[tokio::test]
async fn a_stream_that_is_open_keeps_its_session_in_use() {
    let used = Arc::new(AtomicUsize::new(0));
    let sessions = Counting(MemorySessions::new(10, Duration::from_secs(60)), used.clone());
    let idle = Duration::from_millis(40);
    let worker = Worker::start(server(&gate()).session_limit(10, idle).sessions(sessions)).await;
    let client = Client::open(&worker, Version::V2025_11_25).await;
    let stream = client.listen(None).await;
    let opened = used.load(Ordering::SeqCst);
    let again = async {
        while used.load(Ordering::SeqCst) < opened + 3 {
            tokio::time::sleep(idle).await;
        }
    };
    timeout(PATIENCE, again).await.expect("it is used again and again");
    drop(stream);
}

#[tokio::test]
async fn any_worker_resumes_what_another_began() {
    let gate = gate();
    let bus = LocalBus::default();
    let sessions = Arc::new(MemorySessions::new(10, Duration::from_secs(60)));
    let log = Arc::new(MemoryEvents::new(100, 1 << 20, Duration::from_secs(60)));
    let worker = || {
        let server = server(&gate).bus(bus.clone()).sessions(sessions.clone()).event_log(log.clone());
        Worker::start(server)
    };
    let (one, two) = (worker().await, worker().await);
    let here = Client::open(&one, Version::V2025_11_25).await;
    let there = Client { port: two.0, ..here.clone() };
    let mut own = here.listen(None).await;
    let listening = primed(&mut own).await;
    let mut stream = Events::of(here.call(7, "leave", json!({})).await);
    let called = primed(&mut stream).await;
    drop(own);
    let resumed = there.listen(Some(&called)).await;
    gate.open(1);
    assert_eq!(text(&rest(resumed).await[0].1), "welcome back");
    here.said("change", json!({})).await;
    let mut own = there.listen(Some(&listening)).await;
    assert_eq!(heard(&mut own).await.1["method"], "notifications/tools/list_changed");
    here.said("change", json!({})).await;
    assert_eq!(heard(&mut own).await.1["method"], "notifications/tools/list_changed");
    here.end().await;
    assert_eq!(rest(own).await, [], "it has ended for every worker");
}
