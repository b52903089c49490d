//! A client of Streamable HTTP: what each revision sends beside its messages.

use std::collections::HashMap;

use hyper::Method;
use mcp_runtime::Version;
use serde_json::{Value, json};
use tokio::{sync::mpsc, task::JoinHandle, time::timeout};

use super::PATIENCE;
use crate::http;

pub(super) struct Http {
    pub(super) port: u16,
    pub(super) session: Option<String>,
    pub(super) out: mpsc::UnboundedSender<Value>,
    pub(super) exchanges: HashMap<String, JoinHandle<()>>,
    pub(super) stream: Option<JoinHandle<()>>,
    /// The server's own task, where this client brought it.
    pub(super) server: Option<JoinHandle<()>>,
}

impl Http {
    pub(super) async fn post(&mut self, version: Version, message: &Value, text: String) {
        let headers = self.headers(version, message);
        let (port, out) = (self.port, self.out.clone());
        if message["method"] == "initialize" && !version.is_modern() {
            let response =
                timeout(PATIENCE, http::send(port, Method::POST, &headers, text)).await.expect("in time");
            let session = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok());
            self.session = session.map(str::to_owned);
            let own = out.clone();
            http::messages(response, |message| _ = own.send(message)).await;
            if self.session.is_some() {
                let response =
                    http::send(port, Method::GET, &self.headers(version, &Value::Null), String::new()).await;
                assert_eq!(response.status(), 200, "the stream of the session");
                self.stream =
                    Some(tokio::spawn(http::messages(response, move |message| _ = out.send(message))));
            }
            return;
        }
        let exchange = tokio::spawn(async move {
            let response = http::send(port, Method::POST, &headers, text).await;
            let (status, events) = (response.status().as_u16(), http::is_events(&response));
            http::messages(response, |message| {
                if version.is_modern() && !events && !fits(status, &message) {
                    _ = out.send(json!({ "out of order": format!("status {status}: {message}") }));
                }
                _ = out.send(message);
            })
            .await;
        });
        self.exchanges.insert(message["id"].to_string(), exchange);
    }

    fn headers(&self, version: Version, message: &Value) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        let mut add = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        if let Some(session) = &self.session {
            add("mcp-session-id", session);
        }
        if version.is_modern() {
            let meta = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
            add("mcp-protocol-version", meta.as_str().unwrap_or(version.as_str()));
            add("mcp-method", message["method"].as_str().unwrap_or_default());
            let named = ["name", "uri", "taskId"].into_iter().find_map(|key| message["params"][key].as_str());
            if let Some(name) = named {
                add("mcp-name", name);
            }
            if let Some(region) = message["params"]["arguments"]["region"].as_str() {
                add("mcp-param-region", region);
            }
        } else if version >= Version::V2025_06_18 && message["method"] != "initialize" {
            add("mcp-protocol-version", version.as_str());
        }
        headers
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.exchanges.values().chain(&self.stream).chain(&self.server).for_each(JoinHandle::abort);
    }
}

/// Whether the status of a response in JSON is that of its message, in 2026-07-28.
pub(super) fn fits(status: u16, message: &Value) -> bool {
    match message["error"]["code"].as_i64() {
        Some(-32601) => status == 404,
        Some(-32700 | -32020 | -32021 | -32022) => status == 400,
        // What a function says is wrong with a request that it was called for.
        Some(_) => status == 200 || status == 400,
        None => status == 200,
    }
}
