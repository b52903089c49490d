//! The bus: how what happens in one worker reaches the others.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use tokio::sync::broadcast;

use crate::BoxFuture;

/// Messages that a slow listener may fall behind.
const BACKLOG: usize = 256;

/// Carries messages between the workers of one server. Delivery is at most once, to whoever listens
/// to the topic at that time.
pub trait Bus: Send + Sync + fmt::Debug + 'static {
    /// Sends a message to everyone who listens to the topic now.
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), BusError>>;

    /// Listens to a topic. Once this returns, nothing that is published is missed.
    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<Box<dyn Topic>, BusError>>;
}

/// One bus of several servers.
impl<B: Bus + ?Sized> Bus for Arc<B> {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), BusError>> {
        (**self).publish(topic, message)
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<Box<dyn Topic>, BusError>> {
        (**self).subscribe(topic)
    }
}

/// One listener's messages of a topic. Dropping it ends the listening.
pub trait Topic: Send {
    /// The next message; `None` when the bus is gone. A listener that fell behind skips what it missed.
    fn next(&mut self) -> BoxFuture<'_, Option<Bytes>>;
}

/// The bus failed.
#[derive(Debug)]
pub struct BusError(pub String);

impl fmt::Display for BusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the bus failed: {}", self.0)
    }
}

impl std::error::Error for BusError {}

/// The bus of a server of one process.
#[derive(Clone, Default)]
pub struct LocalBus {
    topics: Arc<Mutex<Topics>>,
}

type Topics = HashMap<String, broadcast::Sender<Bytes>>;

impl LocalBus {
    fn lock(&self) -> MutexGuard<'_, Topics> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bus for LocalBus {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), BusError>> {
        if let Some(listeners) = self.lock().get(topic) {
            // Fails only when the last listener has just gone.
            _ = listeners.send(message);
        }
        Box::pin(async { Ok(()) })
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<Box<dyn Topic>, BusError>> {
        let mut topics = self.lock();
        let sender = topics.entry(topic.to_owned()).or_insert_with(|| broadcast::Sender::new(BACKLOG));
        let listener =
            LocalTopic { receiver: Some(sender.subscribe()), name: topic.to_owned(), bus: self.clone() };
        Box::pin(async { Ok(Box::new(listener) as Box<dyn Topic>) })
    }
}

impl fmt::Debug for LocalBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalBus").field("topics", &self.lock().len()).finish()
    }
}

struct LocalTopic {
    receiver: Option<broadcast::Receiver<Bytes>>,
    name: String,
    bus: LocalBus,
}

impl Topic for LocalTopic {
    fn next(&mut self) -> BoxFuture<'_, Option<Bytes>> {
        Box::pin(async {
            loop {
                match self.receiver.as_mut()?.recv().await {
                    Ok(message) => return Some(message),
                    Err(broadcast::error::RecvError::Lagged(missed)) => {
                        tracing::warn!(topic = self.name, missed, "a listener fell behind");
                    }
                    Err(broadcast::error::RecvError::Closed) => return None,
                }
            }
        })
    }
}

impl Drop for LocalTopic {
    fn drop(&mut self) {
        self.receiver = None;
        let mut topics = self.bus.lock();
        if topics.get(&self.name).is_some_and(|sender| sender.receiver_count() == 0) {
            topics.remove(&self.name);
        }
    }
}
