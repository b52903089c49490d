//! A client of any revision over any transport, close to the wire: it sends any text, shows every
//! message that comes, and reads each against the official schema.

mod memory;
mod post;
mod reply;

use std::{
    collections::{HashMap, VecDeque},
    fmt, process,
    sync::Arc,
    time::Duration,
};

use mcp_runtime::{Server, Version};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
    process::{Child, ChildStdin, Command},
    sync::mpsc,
    time::timeout,
};

pub use self::reply::Reply;
use self::{
    memory::{Memory, memory},
    post::Http,
};
use crate::spec;

/// No wait of any test is longer: much for a fast machine, enough for a busy one.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// In the same process.
    Memory,
    /// Over the standard input and output of a process.
    Stdio,
    /// Over Streamable HTTP on this machine.
    Http,
}

impl Carrier {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Memory, Self::Stdio, Self::Http];
    /// Those for a server in the same process.
    pub const HERE: [Self; 2] = [Self::Memory, Self::Http];
}

/// What a client that can be asked anything declares.
#[must_use]
pub fn everything() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} })
}

type Responder = Box<dyn FnMut(&str, &Value) -> Value + Send>;

/// A client.
pub struct Peer {
    /// How it is connected.
    pub carrier: Carrier,
    /// What it speaks.
    pub version: Version,
    /// What it declares.
    pub capabilities: Value,
    link: Link,
    incoming: mpsc::UnboundedReceiver<Value>,
    /// Lines of a process as they are, for whoever looks at their bytes.
    lines: mpsc::UnboundedReceiver<String>,
    sent: HashMap<String, (String, Version)>,
    answered: HashMap<String, Value>,
    heard: VecDeque<Value>,
    responder: Option<Responder>,
    next: u64,
}

enum Link {
    Memory(Arc<Memory>),
    Stdio(Stdio),
    Http(Http),
}

struct Stdio {
    process: Child,
    input: Option<ChildStdin>,
}

impl Peer {
    /// A client that can be asked anything, of this server; one of the older revisions shakes hands.
    pub async fn connect(server: Server, carrier: Carrier, version: Version) -> Self {
        Self::open(server, carrier, version, everything()).await.greeted().await
    }

    /// The same after the handshake, if the revision has one.
    pub async fn greeted(mut self) -> Self {
        if !self.version.is_modern() {
            let answer = self.initialize(self.version.as_str()).await;
            assert_eq!(answer.result()["protocolVersion"], self.version.as_str());
            self.notify("notifications/initialized", json!({})).await;
        }
        self
    }

    /// A client of a server that is a process of its own, over its standard input and output. Nothing was
    /// said yet.
    ///
    /// # Panics
    ///
    /// When the process does not start.
    #[must_use]
    pub fn spawn(program: &str, version: Version, capabilities: Value) -> Self {
        let (out, incoming) = mpsc::unbounded_channel();
        let mut process = Command::new(program)
            .stdin(process::Stdio::piped())
            .stdout(process::Stdio::piped())
            .stderr(process::Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let output = process.stdout.take().expect("a pipe");
        let (exact, exactly) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let message = serde_json::from_str(&line).unwrap_or_else(|_| json!({ "out of order": line }));
                _ = exact.send(line);
                _ = out.send(message);
            }
        });
        let input = process.stdin.take();
        let link = Link::Stdio(Stdio { process, input });
        Self { lines: exactly, ..Self::with(Carrier::Stdio, version, capabilities, link, incoming) }
    }

    /// Another client of the same server, in this process, on which nothing was said yet.
    ///
    /// # Panics
    ///
    /// When the server is a process of its own.
    pub async fn beside(&self, version: Version) -> Self {
        let (out, incoming) = mpsc::unbounded_channel();
        let link = match &self.link {
            Link::Memory(own) => Link::Memory(memory(own.server.clone(), out).await),
            Link::Http(own) => {
                let port = own.port;
                Link::Http(Http {
                    port,
                    session: None,
                    out,
                    exchanges: HashMap::new(),
                    stream: None,
                    server: None,
                })
            }
            Link::Stdio(_) => panic!("a process has one client"),
        };
        Self::with(self.carrier, version, everything(), link, incoming)
    }

    /// Sends a text in memory or to a process, and returns the bytes that come back.
    ///
    /// # Panics
    ///
    /// When nothing comes back, or over HTTP.
    pub async fn raw(&mut self, text: &str) -> String {
        match &mut self.link {
            Link::Memory(memory) => memory.client.raw(text).await.expect("an answer"),
            Link::Stdio(_) => {
                while self.lines.try_recv().is_ok() {}
                self.bytes(format!("{text}\n").as_bytes()).await;
                timeout(PATIENCE, self.lines.recv()).await.expect("a line in time").expect("a line")
            }
            Link::Http(_) => panic!("not over HTTP"),
        }
    }

    /// Closes the standard input; how the process ends.
    ///
    /// # Panics
    ///
    /// When it is no process, or does not end in time.
    pub async fn hang_up(&mut self) -> process::ExitStatus {
        let Link::Stdio(stdio) = &mut self.link else { panic!("no process") };
        drop(stdio.input.take());
        timeout(PATIENCE, stdio.process.wait()).await.expect("it ends in time").expect("a status")
    }

    /// Sends bytes as they are to the standard input of the process.
    ///
    /// # Panics
    ///
    /// When it is no process, or does not read.
    pub async fn bytes(&mut self, bytes: &[u8]) {
        let Link::Stdio(Stdio { input: Some(input), .. }) = &mut self.link else { panic!("no process") };
        timeout(PATIENCE, input.write_all(bytes)).await.expect("it reads in time").expect("it reads");
    }

    /// A connection on which nothing was said yet.
    ///
    /// # Panics
    ///
    /// When the server cannot start.
    pub async fn open(server: Server, carrier: Carrier, version: Version, capabilities: Value) -> Self {
        let (out, incoming) = mpsc::unbounded_channel();
        let link = match carrier {
            Carrier::Memory => Link::Memory(memory(server.build().expect("the server starts"), out).await),
            Carrier::Http => {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
                let port = listener.local_addr().expect("an address").port();
                let service = server.http().expect("the server starts");
                let server = tokio::spawn(async move {
                    _ = service.serve_on(listener, std::future::pending()).await;
                });
                Link::Http(Http {
                    port,
                    session: None,
                    out,
                    exchanges: HashMap::new(),
                    stream: None,
                    server: Some(server),
                })
            }
            Carrier::Stdio => panic!("a server on stdio is a process: see `spawn`"),
        };
        Self::with(carrier, version, capabilities, link, incoming)
    }

    fn with(
        carrier: Carrier,
        version: Version,
        capabilities: Value,
        link: Link,
        incoming: mpsc::UnboundedReceiver<Value>,
    ) -> Self {
        Self {
            carrier,
            version,
            capabilities,
            link,
            incoming,
            lines: mpsc::unbounded_channel().1,
            sent: HashMap::new(),
            answered: HashMap::new(),
            heard: VecDeque::new(),
            responder: None,
            next: 1,
        }
    }

    /// Shakes hands, with any version.
    pub async fn initialize(&mut self, version: &str) -> Reply {
        let params = json!({
            "protocolVersion": version,
            "capabilities": self.capabilities,
            "clientInfo": { "name": "peer", "version": "1" },
        });
        self.request("initialize", params).await
    }

    /// Answers what the server asks in the middle of calls: from a method and its parameters to a result.
    pub fn respond(&mut self, responder: impl FnMut(&str, &Value) -> Value + Send + 'static) {
        self.responder = Some(Box::new(responder));
    }

    /// The parameters of a request with what every request of the revision has.
    #[must_use]
    pub fn params(&self, mut params: Value) -> Value {
        if self.version.is_modern() {
            let own = json!({
                "io.modelcontextprotocol/protocolVersion": self.version.as_str(),
                "io.modelcontextprotocol/clientInfo": { "name": "peer", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            });
            let meta = params
                .as_object_mut()
                .expect("parameters are an object")
                .entry("_meta")
                .or_insert_with(|| json!({}));
            let meta = meta.as_object_mut().expect("`_meta` is an object");
            meta.extend(own.as_object().cloned().unwrap_or_default());
        }
        params
    }

    /// Sends a request and waits for its answer.
    pub async fn request(&mut self, method: &str, params: Value) -> Reply {
        let id = self.begin(method, params).await;
        self.answer(&id).await
    }

    /// Calls a tool once, without answering what comes back.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Reply {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Calls a tool, with the arguments as this text.
    pub async fn call_text(&mut self, tool: &str, arguments: &str) -> Reply {
        let id = self.fresh();
        let params = self.params(json!({ "name": tool, "arguments": "ARGUMENTS" })).to_string();
        let params = params.replace("\"ARGUMENTS\"", arguments);
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#);
        self.text(&id, "tools/call", text).await
    }

    /// Sends a request and does not wait; the id.
    pub async fn begin(&mut self, method: &str, params: Value) -> Value {
        let id = self.fresh();
        let params = self.params(params);
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.remember(&id, method);
        self.send(message.to_string()).await;
        id
    }

    /// Sends a text that is a request of this id and method, and waits for its answer.
    pub async fn text(&mut self, id: &Value, method: &str, text: impl Into<String>) -> Reply {
        self.remember(id, method);
        self.send(text.into()).await;
        self.answer(id).await
    }

    /// Sends a text and waits for an answer without an id.
    pub async fn malformed(&mut self, text: impl Into<String>) -> Reply {
        self.send(text.into()).await;
        self.answer(&Value::Null).await
    }

    /// Sends a notification.
    pub async fn notify(&mut self, method: &str, params: Value) {
        let params = if method == "notifications/cancelled" { params } else { self.params(params) };
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()).await;
    }

    /// Cancels a request, as a client of its transport and revision does.
    pub async fn cancel(&mut self, id: &Value) {
        if self.carrier == Carrier::Http && self.version.is_modern() {
            return self.drop_exchange(id);
        }
        self.notify("notifications/cancelled", json!({ "requestId": id, "reason": "enough" })).await;
    }

    /// Hangs up on one exchange over HTTP.
    ///
    /// # Panics
    ///
    /// When there is no such exchange.
    pub fn drop_exchange(&mut self, id: &Value) {
        let Link::Http(http) = &mut self.link else { panic!("not over HTTP") };
        http.exchanges.remove(&id.to_string()).expect("the exchange").abort();
    }

    /// The port of the server.
    ///
    /// # Panics
    ///
    /// When it is not served over HTTP.
    #[must_use]
    pub fn port(&self) -> u16 {
        let Link::Http(http) = &self.link else { panic!("not over HTTP") };
        http.port
    }

    /// The next notification or question of the server.
    pub async fn heard(&mut self) -> Value {
        loop {
            if let Some(message) = self.heard.pop_front() {
                return message;
            }
            self.receive().await;
        }
    }

    /// What was heard and not yet looked at.
    pub fn overheard(&mut self) -> Vec<Value> {
        self.heard.drain(..).collect()
    }

    /// Answers a question of the server's.
    pub async fn reply(&mut self, question: &Value, result: Value) {
        let message = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
        self.send(message.to_string()).await;
    }

    /// The answer to a request that was sent.
    pub async fn answer(&mut self, id: &Value) -> Reply {
        loop {
            if let Some(answer) = self.answered.remove(&id.to_string()) {
                return Reply(answer);
            }
            self.receive().await;
        }
    }

    /// The answer to a request, or an answer without an id.
    pub async fn either(&mut self, id: &Value) -> Reply {
        loop {
            for id in [id, &Value::Null] {
                if let Some(answer) = self.answered.remove(&id.to_string()) {
                    return Reply(answer);
                }
            }
            self.receive().await;
        }
    }

    /// Whether a request has been answered yet.
    #[must_use]
    pub fn is_answered(&self, id: &Value) -> bool {
        self.answered.contains_key(&id.to_string())
    }

    /// An id that was not used yet.
    pub fn fresh(&mut self) -> Value {
        self.next += 1;
        self.next.into()
    }

    /// Expects an answer to a request of this id and method.
    pub fn remember(&mut self, id: &Value, method: &str) {
        self.sent.insert(id.to_string(), (method.to_owned(), self.version));
    }

    async fn receive(&mut self) {
        let message = timeout(PATIENCE, self.incoming.recv()).await.expect("a message comes in time");
        let message = message.expect("the connection is open");
        for message in match message {
            Value::Array(batch) => batch,
            single => vec![single],
        } {
            self.take(message).await;
        }
    }

    async fn take(&mut self, message: Value) {
        let id = message.get("id").cloned();
        match (message["method"].as_str(), id) {
            (Some(_), None) => {
                spec::check_notification(self.version, &message);
                self.heard.push_back(message);
            }
            (Some(method), Some(_)) => {
                if self.carrier != Carrier::Memory {
                    // In memory the client has read it already.
                    spec::check_request(self.version, &message);
                }
                match &mut self.responder {
                    Some(responder) => {
                        let result = responder(method, &message["params"]);
                        Box::pin(self.reply(&message, result)).await;
                    }
                    None => self.heard.push_back(message),
                }
            }
            (None, id) => {
                assert!(message.get("out of order").is_none(), "{message}, {self:?}");
                let id = id.unwrap_or_default().to_string();
                let known = self.sent.remove(&id);
                let (method, version) = match (known, id.as_str()) {
                    (Some(known), _) => known,
                    (None, "null") => (String::new(), self.version),
                    _ => panic!("an answer that nobody waits for: {message}"),
                };
                spec::check_response(version, &method, &message);
                for question in message["result"]["inputRequests"].as_object().into_iter().flatten() {
                    spec::check_question(version, question.1);
                }
                self.answered.insert(id, message);
            }
        }
    }

    /// Sends a text as it is.
    pub async fn send(&mut self, text: String) {
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        match &mut self.link {
            Link::Memory(memory) => {
                if message.get("method").is_none() && message.get("result").is_some() {
                    let asked =
                        memory.asked.lock().expect("no test holds it").remove(&message["id"].to_string());
                    if let Some(asked) = asked {
                        _ = asked.send(message["result"].clone());
                        return;
                    }
                }
                let memory = memory.clone();
                let sent = tokio::spawn(async move {
                    if let Some(answer) = memory.client.raw(text).await {
                        _ = memory.out.send(serde_json::from_str(&answer).expect("an answer is JSON"));
                    }
                });
                // A message is seen before what is sent after it, as on every connection.
                tokio::task::yield_now().await;
                drop(sent);
            }
            Link::Stdio(_) => self.bytes(format!("{text}\n").as_bytes()).await,
            Link::Http(http) => http.post(self.version, &message, text).await,
        }
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} over {:?}", self.version, self.carrier)
    }
}
