//! Sessions of clients up to 2025-11-25, as plain records that any worker can load.

use std::{collections::BTreeSet, fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{BoxFuture, protocol::Level};

/// What is known of a client that opened a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Its id: visible ASCII, from the operating system's random numbers.
    pub id: String,
    /// The revision that was agreed on, as it stands on the wire.
    pub version: String,
    /// `clientInfo` of its `initialize`, as JSON.
    pub client: Option<Box<RawValue>>,
    /// `capabilities` of its `initialize`, as JSON.
    pub capabilities: Option<Box<RawValue>>,
    /// The URIs of the resources that it subscribed to.
    pub subscriptions: BTreeSet<String>,
    /// From which level on it wants to read log messages, if at all.
    pub log_level: Option<Level>,
    /// The id of the principal that opened it; nobody else may use it.
    pub principal: Option<String>,
    /// The newest of the streams on which its client listens without having asked something.
    pub listening: Option<String>,
}

/// A change of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionChange {
    /// It subscribes to a resource.
    Subscribe(String),
    /// It no longer does.
    Unsubscribe(String),
    /// It wants log messages from this level on.
    LogLevel(Level),
    /// It listens on this stream now.
    Listen(String),
}

impl SessionChange {
    /// Makes the change.
    pub fn apply(self, session: &mut Session) {
        match self {
            Self::Subscribe(uri) => {
                session.subscriptions.insert(uri);
            }
            Self::Unsubscribe(uri) => {
                session.subscriptions.remove(&uri);
            }
            Self::LogLevel(level) => session.log_level = Some(level),
            Self::Listen(stream) => session.listening = Some(stream),
        }
    }
}

/// Keeps the sessions of a server, for all of its workers.
pub trait SessionStore: Send + Sync + fmt::Debug + 'static {
    /// Adds a session.
    fn insert(&self, session: Session) -> BoxFuture<'_, Result<(), StoreError>>;

    /// The session of this id, which counts as used now.
    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Arc<Session>>, StoreError>>;

    /// Changes a session, all at once; of two changes at the same time neither is lost.
    fn change<'a>(&'a self, id: &'a str, change: SessionChange) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Ends a session; whether there was one.
    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, StoreError>>;
}

/// One store of several servers.
impl<S: SessionStore + ?Sized> SessionStore for Arc<S> {
    fn insert(&self, session: Session) -> BoxFuture<'_, Result<(), StoreError>> {
        (**self).insert(session)
    }

    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Arc<Session>>, StoreError>> {
        (**self).load(id)
    }

    fn change<'a>(&'a self, id: &'a str, change: SessionChange) -> BoxFuture<'a, Result<(), StoreError>> {
        (**self).change(id, change)
    }

    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        (**self).remove(id)
    }
}

/// Why a store did not do what it was asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// It holds as many as it may.
    Full,
    /// It failed.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("the store is full; try again later"),
            Self::Failed(why) => write!(f, "the store failed: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}
