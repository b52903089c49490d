//! Changes of what a server offers, told once and heard in both eras.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::Bus;
use crate::protocol::write;

/// The topic of changes.
pub(crate) const CHANGES: &str = "changes";

/// Something that clients can ask to hear of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    ResourceUpdated(String),
    Task(String),
}

impl Change {
    /// A change as it came over the bus.
    pub(crate) fn read(message: &Bytes) -> Option<Self> {
        serde_json::from_slice(message).ok()
    }

    /// The resource that changed, if it is one.
    pub(crate) fn uri(&self) -> Option<&str> {
        match self {
            Self::ResourceUpdated(uri) => Some(uri),
            _ => None,
        }
    }

    /// The notification that tells of it.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Prompts => "notifications/prompts/list_changed",
            Self::Resources => "notifications/resources/list_changed",
            Self::ResourceUpdated(_) => "notifications/resources/updated",
            Self::Task(_) => "notifications/tasks",
        }
    }
}

/// Puts changes on the bus.
#[derive(Debug)]
pub(crate) struct Announcer {
    bus: Arc<dyn Bus>,
    /// Changes of lists that are about to be told.
    waiting: Mutex<Vec<Change>>,
}

/// Changes of a list within this time are told once.
const BURST: Duration = Duration::from_millis(20);

impl Announcer {
    pub(crate) fn new(bus: Arc<dyn Bus>) -> Arc<Self> {
        Arc::new(Self { bus, waiting: Mutex::default() })
    }

    /// Announces a change in a moment, together with others of its kind that come until then.
    pub(crate) fn announce_soon(self: &Arc<Self>, change: Change) {
        // Outside of a runtime nobody listens yet.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.contains(&change) {
            return;
        }
        waiting.push(change.clone());
        let announcer = self.clone();
        runtime.spawn(async move {
            tokio::time::sleep(BURST).await;
            announcer.waiting.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| *known != change);
            announcer.announce(change).await;
        });
    }

    pub(crate) async fn announce(&self, change: Change) {
        let mut message = Vec::new();
        write(&mut message, &change);
        if let Err(error) = self.bus.publish(CHANGES, message.into()).await {
            tracing::error!(%error, ?change, "a change could not be announced");
        }
    }
}
