//! The request as its function sees it.

use std::{
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use serde::{Serialize, de::DeserializeOwned};

use super::{error::Result, extract::States};
use crate::{
    ask::{Answer, Ask, Round},
    auth::Principal,
    catalog::Catalog,
    notify::{Amount, Announcer, Cancel, Change, Outbound, Outbox, Progress, Total},
    protocol::{ClientCapabilities, Implementation, Level, Shape, notification},
    task::{Gate, Job},
};

/// The request that a function is called for: who asks, what the client can do, and the way to ask
/// it, to tell it, and to tell everybody else.
///
/// It is cheap to clone, and may outlive the call; what is sent after the call's end goes nowhere.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) states: Arc<States>,
    pub(crate) announcer: Arc<Announcer>,
    pub(crate) catalog: Catalog,
    pub(crate) shape: &'static Shape,
    /// `clientInfo` and the capabilities, unread.
    pub(crate) client: ClientText,
    pub(crate) principal: Option<Principal>,
    pub(crate) round: Round,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) log_level: Option<Level>,
    /// Where the client wants to hear of the call's progress.
    pub(crate) progress: Option<Progress>,
    pub(crate) cancel: Cancel,
    /// Where the call may become a task.
    pub(crate) gate: Option<Gate>,
}

/// What a client said of itself, as JSON; read when somebody asks.
#[derive(Clone, Default)]
pub(crate) struct ClientText {
    pub(crate) info: Option<Bytes>,
    pub(crate) capabilities: Option<Bytes>,
    /// What the client's revision has words for, where that is not everything.
    pub(crate) shape: Option<&'static Shape>,
    pub(crate) read: OnceLock<ClientCapabilities>,
}

impl Inner {
    /// The task that the call has become.
    fn job(&self) -> Option<&Arc<Job>> {
        self.gate.as_ref()?.job()
    }

    /// Lets the call's body run on as this task.
    pub(crate) fn becomes(&self, job: Arc<Job>) {
        if let Some(progress) = &self.progress {
            progress.end();
        }
        self.round.becomes(job.clone());
        if let Some(gate) = &self.gate {
            gate.open(job);
        }
    }

    pub(crate) fn capabilities(&self) -> &ClientCapabilities {
        self.client.capabilities()
    }
}

impl ClientText {
    pub(crate) fn capabilities(&self) -> &ClientCapabilities {
        self.read.get_or_init(|| {
            let text = self.capabilities.as_deref();
            let mut capabilities: ClientCapabilities =
                text.and_then(|text| serde_json::from_slice(text).ok()).unwrap_or_default();
            if let Some(shape) = self.shape {
                shape.forget_unknown(&mut capabilities);
            }
            capabilities
        })
    }
}

#[derive(Serialize)]
struct Message<'a, D> {
    level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    logger: Option<&'a str>,
    data: D,
}

impl Context {
    pub(crate) fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    /// What the client says that it can do.
    #[must_use]
    pub fn capabilities(&self) -> &ClientCapabilities {
        self.0.capabilities()
    }

    /// Who the client says it is: for display and logs, never for a decision.
    #[must_use]
    pub fn client(&self) -> Option<Implementation> {
        serde_json::from_slice(self.0.client.info.as_deref()?).ok()
    }

    /// Who makes the request, where the transport authenticates its callers.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.0.principal.as_ref()
    }

    /// Asks the client, in both eras, from anywhere in the function.
    ///
    /// A client of 2026-07-28 gets the question as the result of its request: the function is
    /// dropped here, and runs again from its start when the client comes back with the answer. So
    /// what comes before a question has to be repeatable, or stand in [`Context::once`]. Questions
    /// that are asked side by side (`join!`) go out together. `key` names the question among those
    /// of the same function.
    ///
    /// # Errors
    ///
    /// When an older client refuses, is gone, or keeps answering something else. A client that did
    /// not declare that it can be asked gets the error `-32021`, and the function does not go on.
    pub async fn ask<T>(&self, key: &str, ask: Ask<T>) -> Result<Answer<T>> {
        self.0.round.ask(self.0.capabilities(), key, &ask).await
    }

    /// Does something once in all the tries of one call: its result is kept, sealed, with the client
    /// (`requestState`) and comes back with the next try, in place of the effect.
    ///
    /// # Errors
    ///
    /// When the result cannot be written as JSON, or read back.
    pub async fn once<T, F>(&self, key: &str, effect: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T> + Send,
    {
        self.0.round.once(key, effect).await
    }

    /// Tells the client how far the call is, if it wants to know: `ctx.progress(3, 10, "Shelf 3")`,
    /// or `None` for a total that is not known. What does not go beyond what was told before is left
    /// out. Of a task it becomes the status message.
    pub async fn progress(&self, done: impl Amount, total: impl Total, message: &str) {
        if let Some(job) = self.0.job() {
            return job.report(far(done.amount(), total.total(), message)).await;
        }
        let Some(progress) = &self.0.progress else { return };
        if let Some(told) = progress.tell(done.amount(), total.total(), message, self.0.shape) {
            // A client that is gone hears nothing. Clients in TypeScript forget whom to tell of progress as
            // soon as they read the result, though they tell it a moment after they read of it.
            _ = self.0.outbox.send(Outbound { message: told, apart: true, ..Outbound::default() }).await;
        }
    }

    /// Sends the client a log message, if it wants messages of this level: `data` is any value that
    /// can be written as JSON. Put no secrets into it. A task sends none.
    pub async fn log(&self, level: Level, data: impl Serialize + Send) {
        // A task has no stream to log to.
        let nowhere = self.0.cancel.is_over() || self.0.job().is_some();
        if nowhere || self.0.log_level.is_none_or(|least| level < least) {
            return;
        }
        let message = notification("notifications/message", Some(Message { level, logger: None, data }));
        _ = self.0.outbox.send(message).await;
    }

    /// Sends a log message that the client wants, now or not at all: who logs cannot wait for a client
    /// that does not read.
    #[cfg(feature = "log")]
    pub(crate) fn log_now(&self, level: Level, logger: &str, data: serde_json::Value) {
        if !self.is_cancelled() {
            let message = Message { level, logger: Some(logger), data };
            self.0.outbox.offer(notification("notifications/message", Some(message)));
        }
    }

    /// Closes the connection on which an older client waits for this call, so that it is not held for the
    /// time of a long job: the call goes on, and the client comes back after `retry` for what it has
    /// missed. Does something only where the client knows that (2025-11-25, over HTTP).
    pub async fn close_sse_stream(&self, retry: Duration) {
        self.0.outbox.hang_up(retry).await;
    }

    /// What the server offers, to change it: clients that asked to hear of it are told.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.0.catalog
    }

    /// Tells every client that asked to hear of it that this resource has changed.
    pub async fn resource_updated(&self, uri: impl Into<String>) {
        self.0.announcer.announce(Change::ResourceUpdated(uri.into())).await;
    }

    /// Tells every client that asked to hear of it that the list of tools has changed.
    pub async fn tools_changed(&self) {
        self.0.announcer.announce(Change::Tools).await;
    }

    /// Tells every client that asked to hear of it that the list of prompts has changed.
    pub async fn prompts_changed(&self) {
        self.0.announcer.announce(Change::Prompts).await;
    }

    /// Tells every client that asked to hear of it that the list of resources has changed.
    pub async fn resources_changed(&self) {
        self.0.announcer.announce(Change::Resources).await;
    }

    /// Whether the client no longer waits for the result. An async function is dropped then; a plain
    /// one on its way, or a task that it started, can look here.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancel.is_cancelled()
    }

    /// Returns when the client no longer waits for the result.
    pub async fn cancelled(&self) {
        self.0.cancel.cancelled().await;
    }
}

/// How far a task is, in words.
fn far(done: f64, total: Option<f64>, message: &str) -> String {
    let mut far = done.to_string();
    if let Some(total) = total {
        far = format!("{far}/{total}");
    }
    if message.is_empty() { far } else { format!("{message} ({far})") }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("principal", &self.0.principal).finish_non_exhaustive()
    }
}
