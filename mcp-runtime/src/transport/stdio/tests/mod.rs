//! A server of a few tools, and a client that speaks lines.

mod burst;
mod flow;
mod framing;
#[cfg(target_os = "linux")]
mod kinds;
#[cfg(unix)]
mod process;

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream},
    task::JoinHandle,
    time::timeout,
};

use crate::{Context, dispatch::Core, protocol::notification, server::Server, tool, tools};

/// More than anything here may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Add two numbers.
#[tool(inline)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Wait that many milliseconds.
#[tool]
async fn sleep(n: u64) -> &'static str {
    tokio::time::sleep(Duration::from_millis(n)).await;
    "awake"
}

/// A text of that length.
#[tool(structured = false)]
async fn fill(n: usize) -> String {
    tokio::task::yield_now().await;
    "x".repeat(n)
}

/// Tell of that many steps.
#[tool]
async fn tell(n: i64, ctx: Context) -> &'static str {
    for step in 0..n {
        let message = notification("notifications/progress", Some(json!({ "progress": step })));
        if ctx.inner().outbox.send(message).await.is_err() {
            break;
        }
    }
    "told"
}

/// Take that many steps.
#[tool]
async fn count(n: u64, ctx: Context) -> &'static str {
    for step in 1..=n {
        ctx.progress(step, n, "").await;
    }
    "there"
}

/// Print a line, and a part of one.
#[tool(inline)]
#[allow(clippy::print_stdout)]
fn print(n: i64) -> &'static str {
    println!("printed by a tool: {n}");
    print!("begun by a tool");
    "printed"
}

/// Ask for the client's roots.
#[tool]
async fn roots(n: u64, ctx: Context) -> crate::Result<String> {
    let answer = ctx.ask("roots", crate::Ask::roots()).await?;
    Ok(format!("{n}: {}", answer.accepted().is_some()))
}

fn server() -> Server {
    Server::empty("Lines", "1.0.0").tools(tools![add, sleep, fill, tell, count, print, roots])
}

fn ready(server: Server) -> Arc<Core> {
    server.ready().expect("a server that is ready")
}

fn call(id: u64, tool: &str, arguments: &Value) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

fn sum(id: u64) -> String {
    call(id, "add", &json!({ "a": 1, "b": 2 }))
}

fn cancelled(id: u64) -> String {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
        .to_string()
}

impl super::outgoing::WriteLines for DuplexStream {}
impl super::outgoing::WriteLines for tokio::io::WriteHalf<DuplexStream> {}
impl super::outgoing::WriteLines for Vec<u8> {}

/// The other side of a server.
struct Client<R, W> {
    reader: BufReader<R>,
    writer: Option<W>,
    server: JoinHandle<std::io::Result<()>>,
}

type Piped = Client<tokio::io::ReadHalf<DuplexStream>, tokio::io::WriteHalf<DuplexStream>>;

/// A client of a server, with room for that many bytes in between.
fn client(core: Arc<Core>, between: usize) -> Piped {
    let (ours, theirs) = tokio::io::duplex(between);
    let (reader, writer) = tokio::io::split(theirs);
    let server = tokio::spawn(super::serve_on(core, reader, writer));
    let (reader, writer) = tokio::io::split(ours);
    Client { reader: BufReader::new(reader), writer: Some(writer), server }
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Client<R, W> {
    async fn bytes(&mut self, bytes: impl AsRef<[u8]>) {
        let writer = self.writer.as_mut().expect("it is open");
        timeout(PATIENCE, writer.write_all(bytes.as_ref())).await.expect("it is read").expect("it is open");
        writer.flush().await.expect("it is open");
    }

    async fn line(&mut self, line: impl AsRef<str>) {
        self.bytes(format!("{}\n", line.as_ref())).await;
    }

    /// The next message; `None` at the end.
    async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read =
            timeout(PATIENCE, self.reader.read_line(&mut line)).await.expect("an answer").expect("a line");
        (read > 0).then(|| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// The next message, which has to be there.
    async fn answer(&mut self) -> Value {
        self.next().await.expect("an answer")
    }

    /// Nothing is on its way.
    async fn silence(&mut self) {
        let mut line = String::new();
        let more = timeout(Duration::from_millis(100), self.reader.read_line(&mut line)).await;
        assert!(more.is_err(), "{line}");
    }

    /// Says that there is nothing more to come.
    async fn hang_up(&mut self) {
        let mut writer = self.writer.take().expect("it is open");
        writer.shutdown().await.expect("it can be closed");
    }

    /// The server ends well.
    async fn over(self) {
        drop((self.reader, self.writer));
        timeout(PATIENCE, self.server)
            .await
            .expect("it ends")
            .expect("without a panic")
            .expect("without an error");
    }
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or(0)
}
