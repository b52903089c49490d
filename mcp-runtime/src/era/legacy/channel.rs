//! The way back to the client of a session: a question goes out with the call's own stream, and its
//! answer comes over the bus, from whichever worker got it.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::LiveSession;
use crate::{
    BoxFuture,
    ask::{Backchannel, Dialect, Unanswered},
    dispatch::Interrupt,
    notify::{Bus, Outbox},
    protocol::{Id, Shape, request, write},
    store::new_id,
};

/// What the workers of a session tell each other.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Event {
    /// The client answered a question.
    Answered { id: String, result: Option<Box<RawValue>>, error: Option<Box<RawValue>> },
    /// The client cancelled a request.
    Cancelled { id: String },
    /// The client opened a stream of the session's own.
    Listening,
    /// The session has ended.
    Ended,
}

impl Event {
    pub(super) fn read(message: &Bytes) -> Option<Self> {
        serde_json::from_slice(message).ok()
    }

    pub(super) async fn publish(&self, bus: &dyn Bus, topic: &str) {
        let mut message = Vec::new();
        write(&mut message, self);
        if let Err(error) = bus.publish(topic, message.into()).await {
            tracing::error!(%error, topic, "a session's event was lost");
        }
    }
}

/// Passes on a client's answer to whoever waits for it.
pub(crate) async fn publish_answer(session: &LiveSession, id: Id<'_>, result: Result<&RawValue, &RawValue>) {
    let (result, error) = match result {
        Ok(result) => (Some(result.to_owned()), None),
        Err(error) => (None, Some(error.to_owned())),
    };
    let event = Event::Answered { id: id.text().to_owned(), result, error };
    event.publish(&*session.bus, &session.topic()).await;
}

/// Passes on that the client no longer waits for one of its requests.
pub(crate) async fn publish_cancelled(session: &LiveSession, id: &RawValue) {
    let event = Event::Cancelled { id: id.get().to_owned() };
    event.publish(&*session.bus, &session.topic()).await;
}

/// The client of one request of a session.
pub(crate) struct SessionChannel {
    session: LiveSession,
    outbox: Arc<Outbox>,
    patience: Duration,
    shape: &'static Shape,
}

impl SessionChannel {
    pub(super) fn new(
        session: LiveSession,
        outbox: Arc<Outbox>,
        patience: Duration,
        shape: &'static Shape,
    ) -> Self {
        Self { session, outbox, patience, shape }
    }

    async fn ask(&self, method: &str, params: Box<RawValue>) -> Result<Box<RawValue>, Unanswered> {
        // Unique across workers, and not to be guessed by another client.
        let id = new_id()
            .map(|id| format!("\"{id}\""))
            .map_err(|error| Unanswered::Refused(error.message.into()))?;
        let mut events =
            self.session.bus.subscribe(&self.session.topic()).await.map_err(|_| Unanswered::Gone)?;
        let raw: &RawValue = serde_json::from_str(&id).map_err(|_| Unanswered::Gone)?;
        self.outbox.send(request(raw, method, &params)).await.map_err(|_| Unanswered::Gone)?;
        while let Some(message) = events.next().await {
            match Event::read(&message) {
                Some(Event::Answered { id: answered, result, error }) if answered == id => {
                    return match (result, error) {
                        (Some(result), _) => Ok(result),
                        (None, error) => Err(Unanswered::Refused(why(error.as_deref()))),
                    };
                }
                Some(Event::Ended) => break,
                _ => {}
            }
        }
        Err(Unanswered::Gone)
    }
}

/// The message of an error that a client answered with.
fn why(error: Option<&RawValue>) -> String {
    #[derive(Deserialize)]
    struct Error {
        message: String,
    }
    let error = error.and_then(|error| serde_json::from_str::<Error>(error.get()).ok());
    error.map_or_else(|| "it gave no reason".to_owned(), |error| error.message)
}

impl Backchannel for SessionChannel {
    fn request<'a>(
        &'a self,
        _key: &'a str,
        method: &'static str,
        params: Box<RawValue>,
    ) -> BoxFuture<'a, Result<Box<RawValue>, Unanswered>> {
        Box::pin(async move {
            tokio::time::timeout(self.patience, self.ask(method, params))
                .await
                .unwrap_or(Err(Unanswered::Late))
        })
    }

    fn dialect(&self) -> Dialect {
        let visit = if self.shape.url { new_id().ok() } else { None };
        Dialect { visit, enum_names: !self.shape.url }
    }
}

/// Hears over the bus that requests of a session are cancelled.
pub(crate) struct SessionInterrupt(pub(crate) LiveSession);

impl Interrupt for SessionInterrupt {
    fn interrupted(&self, id: &str) -> BoxFuture<'static, ()> {
        let (session, id) = (self.0.clone(), id.to_owned());
        Box::pin(async move {
            if let Ok(mut events) = session.bus.subscribe(&session.topic()).await {
                while let Some(message) = events.next().await {
                    match Event::read(&message) {
                        Some(Event::Cancelled { id: cancelled }) if cancelled == id => return,
                        Some(Event::Ended) => return,
                        _ => {}
                    }
                }
            }
            std::future::pending::<()>().await;
        })
    }
}
