//! A client in the same process.

use std::{collections::HashMap, sync::Arc, time::Duration};

use mcp_runtime::{
    Answer, ServerHandle,
    client::{Client, Connected, Era},
};
use serde_json::{Value, json};
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

pub(super) struct Memory {
    pub(super) server: ServerHandle,
    pub(super) client: Connected,
    pub(super) asked: std::sync::Mutex<HashMap<String, oneshot::Sender<Value>>>,
    pub(super) out: mpsc::UnboundedSender<Value>,
}

impl Memory {
    pub(super) fn ask(&self, answer: oneshot::Sender<Value>) -> Value {
        let mut asked = self.asked.lock().expect("no test holds it");
        let id = json!(format!("asked {}", asked.len()));
        asked.insert(id.to_string(), answer);
        id
    }
}

/// A client in memory whose questions come like any other message.
pub(super) async fn memory(server: ServerHandle, out: mpsc::UnboundedSender<Value>) -> Arc<Memory> {
    let own: Arc<std::sync::OnceLock<std::sync::Weak<Memory>>> = Arc::default();
    let asking = |method: &'static str| {
        let own = own.clone();
        move |params: Value| {
            let own = own.clone();
            async move {
                let Some(memory) = own.get().and_then(std::sync::Weak::upgrade) else { return Value::Null };
                let (answer, answered) = oneshot::channel();
                let id = memory.ask(answer);
                _ = memory
                    .out
                    .send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
                answered.await.unwrap_or_default()
            }
        }
    };
    let (elicit, sample) = (asking("elicitation/create"), asking("sampling/createMessage"));
    let client = Client::new(&server, Era::Modern)
        .on_elicit(move |question| {
            let params = match question.url {
                Some(url) => json!({ "mode": "url", "message": question.message, "url": url }),
                None => json!({ "message": question.message, "requestedSchema": question.requested_schema }),
            };
            let answer = elicit(params);
            async move {
                let answer = answer.await;
                match answer["action"].as_str() {
                    Some("decline") => Answer::Declined,
                    Some("cancel") => Answer::Cancelled,
                    _ => Answer::Accepted(answer["content"].clone()),
                }
            }
        })
        .on_sample(sample)
        .roots(["file:///shelf"])
        .connect()
        .await
        .expect("the client connects");
    let memory = Arc::new(Memory { server, client, asked: std::sync::Mutex::default(), out });
    _ = own.set(Arc::downgrade(&memory));
    let listening = Arc::downgrade(&memory);
    tokio::spawn(async move {
        while let Some(memory) = listening.upgrade() {
            let heard = timeout(Duration::from_millis(200), memory.client.notification()).await;
            match heard {
                Ok(Some(message)) => _ = memory.out.send(message),
                Ok(None) => return,
                Err(_) => {}
            }
        }
    });
    memory
}
