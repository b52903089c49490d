//! Changes of what a server offers, told once and heard in both eras.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::Bus;
use crate::{
    protocol::write,
    store::{EventLog, EventLogError, Replay},
};

/// The topic of changes.
pub(crate) const CHANGES: &str = "changes";

/// The notification that tells where a task stands.
pub(crate) const TASK_STATUS: &str = "notifications/tasks";

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
        Announced::read(message).map(|announced| announced.change)
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
            Self::Task(_) => TASK_STATUS,
        }
    }
}

/// A change as it goes over the bus.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Announced {
    /// Its id in the log, if it is there.
    pub(crate) id: Option<String>,
    pub(crate) change: Change,
}

impl Announced {
    pub(crate) fn read(message: &Bytes) -> Option<Self> {
        serde_json::from_slice(message).ok()
    }
}

/// The changes of a server, as they are kept for those who could not hear of them at once: one stream,
/// of which each session is told what it wants to hear.
#[derive(Clone, Debug)]
pub(crate) struct History(Arc<dyn EventLog>);

impl History {
    /// The stream belongs to no session.
    const OWNER: &str = "";

    pub(crate) fn new(log: Arc<dyn EventLog>) -> Self {
        Self(log)
    }

    async fn add(&self, change: &Change) -> Result<String, EventLogError> {
        let mut event = Vec::new();
        write(&mut event, change);
        self.0.append(Self::OWNER, CHANGES, event.into()).await
    }

    /// The id after which nothing has changed yet.
    pub(crate) async fn now(&self) -> Result<String, EventLogError> {
        match self.0.last(Self::OWNER, CHANGES).await? {
            Some(id) => Ok(id),
            // A beginning, which is no change.
            None => self.0.append(Self::OWNER, CHANGES, Bytes::new()).await,
        }
    }

    /// What has changed since; `None` where that is not known any more.
    pub(crate) async fn since(&self, id: &str) -> Result<Option<Vec<(String, Change)>>, EventLogError> {
        let replay = self.0.after(Self::OWNER, id).await?;
        let changes = |replay: Replay| {
            let read = |change: Bytes| serde_json::from_slice(&change).ok();
            replay.events.into_iter().filter_map(|event| Some((event.id, read(event.event)?))).collect()
        };
        Ok(replay.map(changes))
    }
}

/// Puts changes on the bus.
#[derive(Debug)]
pub(crate) struct Announcer {
    bus: Arc<dyn Bus>,
    /// Where changes are kept, if anyone could ask for them later. One at a time, so that they are heard
    /// in the order in which they are kept.
    history: Option<tokio::sync::Mutex<History>>,
    /// Changes of lists that are about to be told.
    waiting: Mutex<Vec<Change>>,
}

/// Changes of a list within this time are told once.
const BURST: Duration = Duration::from_millis(20);

impl Announcer {
    pub(crate) fn new(bus: Arc<dyn Bus>, log: Option<Arc<dyn EventLog>>) -> Arc<Self> {
        let history = log.map(|log| tokio::sync::Mutex::new(History::new(log)));
        Arc::new(Self { bus, history, waiting: Mutex::default() })
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
        let history = match &self.history {
            // Of tasks, sessions hear nothing.
            Some(history) if !matches!(change, Change::Task(_)) => Some(history.lock().await),
            _ => None,
        };
        let id = match &history {
            Some(history) => history.add(&change).await.map_err(|error| {
                tracing::error!(%error, ?change, "a change could not be kept");
            }),
            None => Err(()),
        };
        let announced = Announced { id: id.ok(), change };
        let mut message = Vec::new();
        write(&mut message, &announced);
        if let Err(error) = self.bus.publish(CHANGES, message.into()).await {
            tracing::error!(%error, change = ?announced.change, "a change could not be announced");
        }
    }
}
