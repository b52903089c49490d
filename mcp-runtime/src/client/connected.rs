//! A connected client.

use std::{
    fmt,
    future::poll_fn,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use tokio::{sync::mpsc, task::JoinHandle};

use super::{
    Client, ClientError, Era, PromptInfo, ResourceInfo, TemplateInfo, ToolInfo, questions::Questions,
};
use crate::{
    era::Connection,
    notify::Outbox,
    protocol::{CallToolResult, GetPromptResult, ResourceContents, Version},
};

/// Rounds of questions that one request may take.
const ROUNDS: usize = 32;

/// A client that is connected to a server in the same process.
pub struct Connected {
    connection: Arc<Connection>,
    outbox: Arc<Outbox>,
    era: Era,
    questions: Questions,
    ids: AtomicU64,
    initialized: Value,
    notifications: tokio::sync::Mutex<mpsc::UnboundedReceiver<Value>>,
    pump: Mutex<Option<JoinHandle<()>>>,
}

impl Connected {
    pub(super) async fn open(client: Client) -> Result<Self, ClientError> {
        let outbox = Arc::new(Outbox::default());
        let connection = Connection::new(client.server.core.clone(), outbox.clone());
        let (heard, notifications) = mpsc::unbounded_channel();
        let pump = tokio::spawn(pump(connection.clone(), outbox.clone(), client.questions.clone(), heard));
        let mut connected = Self {
            connection,
            outbox,
            era: client.era,
            questions: client.questions,
            ids: AtomicU64::new(1),
            initialized: Value::Null,
            notifications: tokio::sync::Mutex::new(notifications),
            pump: Mutex::new(Some(pump)),
        };
        if client.era == Era::Legacy {
            let params = json!({
                "protocolVersion": Version::NEWEST_LEGACY.as_str(),
                "capabilities": connected.questions.capabilities(),
                "clientInfo": { "name": "mcp-runtime", "version": env!("CARGO_PKG_VERSION") },
            });
            connected.initialized = connected.exchange("initialize", params).await?;
            connected.notify("notifications/initialized", json!({})).await;
        }
        Ok(connected)
    }

    /// What the server answered to `initialize` (legacy) or answers to `server/discover`.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request).
    pub async fn server(&self) -> Result<Value, ClientError> {
        match self.era {
            Era::Legacy => Ok(self.initialized.clone()),
            Era::Modern => self.request("server/discover", json!({})).await,
        }
    }

    /// Calls a tool, and answers what it asks.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request). That the tool failed is no error: see
    /// [`CallToolResult::is_error`].
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ClientError> {
        self.typed("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Reads a resource.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request).
    pub async fn read(&self, uri: &str) -> Result<Vec<ResourceContents>, ClientError> {
        #[derive(Deserialize)]
        struct Read {
            contents: Vec<ResourceContents>,
        }
        Ok(self.typed::<Read>("resources/read", json!({ "uri": uri })).await?.contents)
    }

    /// Gets a prompt.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request).
    pub async fn prompt(&self, name: &str, arguments: Value) -> Result<GetPromptResult, ClientError> {
        self.typed("prompts/get", json!({ "name": name, "arguments": arguments })).await
    }

    /// All tools.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request).
    pub async fn list_tools(&self) -> Result<Vec<ToolInfo>, ClientError> {
        self.list("tools/list", "tools").await
    }

    /// All prompts.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request).
    pub async fn list_prompts(&self) -> Result<Vec<PromptInfo>, ClientError> {
        self.list("prompts/list", "prompts").await
    }

    /// All resources.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request).
    pub async fn list_resources(&self) -> Result<Vec<ResourceInfo>, ClientError> {
        self.list("resources/list", "resources").await
    }

    /// All resource templates.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request).
    pub async fn list_resource_templates(&self) -> Result<Vec<TemplateInfo>, ClientError> {
        self.list("resources/templates/list", "resourceTemplates").await
    }

    /// Subscribes to a resource, as a client of the legacy era does.
    ///
    /// # Errors
    ///
    /// As [`request`](Self::request).
    pub async fn subscribe(&self, uri: &str) -> Result<(), ClientError> {
        self.request("resources/subscribe", json!({ "uri": uri })).await.map(drop)
    }

    /// Listens for changes, as a client of the modern era does: `filter` is the request's
    /// `notifications`. What is heard comes from [`notification`](Self::notification).
    ///
    /// # Errors
    ///
    /// When the server refuses.
    pub async fn listen(self: &Arc<Self>, filter: Value) -> Result<JoinHandle<()>, ClientError> {
        let (client, message) =
            (self.clone(), self.message("subscriptions/listen", json!({ "notifications": filter })));
        let body: Bytes = message.to_string().into();
        let mut answer = Box::pin(client.connection.clone().message(body));
        // The first poll either opens the subscription or refuses it.
        if let std::task::Poll::Ready(answer) =
            poll_fn(|cx| std::task::Poll::Ready(answer.as_mut().poll(cx))).await
        {
            result(&answer.reply().unwrap_or_default())?;
        }
        Ok(tokio::spawn(async move { drop(answer.await) }))
    }

    /// The next notification that the server sends.
    pub async fn notification(&self) -> Option<Value> {
        self.notifications.lock().await.recv().await
    }

    /// Sends a request of any method, answers what the server asks in between, and returns the result.
    ///
    /// # Errors
    ///
    /// When the server answers with an error, or with what is no answer.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        let Value::Object(mut params) = params else {
            return Err(ClientError::Protocol("the parameters have to be an object".into()));
        };
        for _ in 0..ROUNDS {
            let result = self.exchange(method, params.clone().into()).await?;
            match result["resultType"].as_str() {
                Some("input_required") => {}
                Some("task") => return self.follow(result).await,
                _ => return Ok(result),
            }
            params.insert("inputResponses".into(), self.responses(&result).await?.into());
            match result.get("requestState") {
                Some(state) => params.insert("requestState".into(), state.clone()),
                None => params.remove("requestState"),
            };
        }
        Err(ClientError::Protocol(format!("the server asked again and again, {ROUNDS} times")))
    }

    /// Sends a text as it is, as a broken client might, and returns what comes back, if anything.
    pub async fn raw(&self, text: impl Into<String>) -> Option<String> {
        let answer = self.connection.clone().message(text.into().into()).await.reply()?;
        Some(String::from_utf8_lossy(&answer).into_owned())
    }

    /// Sends a notification.
    pub async fn notify(&self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.connection.clone().message(message.to_string().into()).await;
    }

    async fn typed<T: DeserializeOwned>(&self, method: &str, params: Value) -> Result<T, ClientError> {
        Ok(serde_json::from_value(self.request(method, params).await?)?)
    }

    async fn list<T: DeserializeOwned>(&self, method: &str, member: &str) -> Result<Vec<T>, ClientError> {
        let mut all = Vec::new();
        let mut params = json!({});
        loop {
            let mut page = self.request(method, params).await?;
            all.extend(serde_json::from_value::<Vec<T>>(page[member].take())?);
            match page.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return Ok(all),
            }
        }
    }

    /// The answers to what a result asks, by key.
    pub(super) async fn responses(&self, asking: &Value) -> Result<Map<String, Value>, ClientError> {
        let mut responses = Map::new();
        for (key, asked) in asking["inputRequests"].as_object().into_iter().flatten() {
            let method = asked["method"].as_str().unwrap_or_default();
            responses.insert(key.clone(), self.questions.answer(method, asked["params"].clone()).await?);
        }
        Ok(responses)
    }

    /// One request and its answer, without the rounds of questions.
    pub(super) async fn exchange(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        let body: Bytes = self.message(method, params).to_string().into();
        let answer = self.connection.clone().message(body).await.reply();
        result(&answer.ok_or_else(|| ClientError::Protocol("the server did not answer".into()))?)
    }

    fn message(&self, method: &str, mut params: Value) -> Value {
        let id = self.ids.fetch_add(1, Ordering::Relaxed);
        if self.era == Era::Modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": Version::V2026_07_28.as_str(),
                "io.modelcontextprotocol/clientInfo": { "name": "mcp-runtime", "version": env!("CARGO_PKG_VERSION") },
                "io.modelcontextprotocol/clientCapabilities": self.questions.capabilities(),
            });
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.outbox.close();
        if let Some(pump) = self.pump.lock().unwrap_or_else(PoisonError::into_inner).take() {
            pump.abort();
        }
    }
}

impl fmt::Debug for Connected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connected").field("era", &self.era).finish_non_exhaustive()
    }
}

fn result(answer: &Bytes) -> Result<Value, ClientError> {
    let mut answer: Value = serde_json::from_slice(answer)?;
    match answer.get("error") {
        None => Ok(answer["result"].take()),
        Some(error) => Err(refused(error)),
    }
}

/// The error that a server answered with.
pub(super) fn refused(error: &Value) -> ClientError {
    ClientError::Refused {
        code: error["code"].as_i64().unwrap_or_default(),
        message: error["message"].as_str().unwrap_or_default().to_owned(),
        data: error.get("data").cloned(),
    }
}

/// Answers what the server asks in the middle of calls, and keeps what it tells.
async fn pump(
    connection: Arc<Connection>,
    outbox: Arc<Outbox>,
    questions: Questions,
    heard: mpsc::UnboundedSender<Value>,
) {
    while let Some(outbound) = poll_fn(|cx| outbox.poll_next(cx)).await {
        let Ok(mut message) = serde_json::from_slice::<Value>(&outbound.message) else { continue };
        if message.get("id").is_none() {
            _ = heard.send(message);
            continue;
        }
        let (connection, questions) = (connection.clone(), questions.clone());
        tokio::spawn(async move {
            let method = message["method"].as_str().unwrap_or_default().to_owned();
            let response = match questions.answer(&method, message["params"].take()).await {
                Ok(result) => json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }),
                Err(error) => json!({
                    "jsonrpc": "2.0", "id": message["id"], "error": { "code": -32601, "message": error.to_string() },
                }),
            };
            connection.message(response.to_string().into()).await;
        });
    }
}
