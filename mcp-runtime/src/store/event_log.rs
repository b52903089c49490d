//! What was sent on the streams of clients up to 2025-11-25, so that one whose connection broke, or was
//! closed by the server, can go on where it was (basic/transports, "Resumability and Redelivery").

use std::{fmt, sync::Arc};

use bytes::Bytes;

use crate::BoxFuture;

/// Keeps the events of streams for a while, for all of a server's workers: one writes an event, and
/// another may read it back for the client.
///
/// A stream belongs to a session. The server keeps a stream of its own under the session `""`.
pub trait EventLog: Send + Sync + fmt::Debug + 'static {
    /// Adds an event at the end of a session's stream, which begins with its first event. What is in it
    /// is not the log's business; it may be empty.
    ///
    /// Returns the event's id: some hundred visible ASCII characters at most, which no other event of any
    /// stream has, whichever worker wrote it, and from which the log can tell the stream.
    fn append<'a>(
        &'a self,
        session: &'a str,
        stream: &'a str,
        event: Bytes,
    ) -> BoxFuture<'a, Result<String, EventLogError>>;

    /// What came on a stream after the event of this id. `None` where the session has no such event, or
    /// where some of what came after it is no longer kept.
    fn after<'a>(
        &'a self,
        session: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Replay>, EventLogError>>;

    /// The id of the last event of a stream; `None` where nothing of it is kept.
    fn last<'a>(
        &'a self,
        session: &'a str,
        stream: &'a str,
    ) -> BoxFuture<'a, Result<Option<String>, EventLogError>>;

    /// Forgets all streams of a session.
    fn forget<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), EventLogError>>;
}

/// One log of several servers.
impl<L: EventLog + ?Sized> EventLog for Arc<L> {
    fn append<'a>(
        &'a self,
        session: &'a str,
        stream: &'a str,
        event: Bytes,
    ) -> BoxFuture<'a, Result<String, EventLogError>> {
        (**self).append(session, stream, event)
    }

    fn after<'a>(
        &'a self,
        session: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Replay>, EventLogError>> {
        (**self).after(session, id)
    }

    fn last<'a>(
        &'a self,
        session: &'a str,
        stream: &'a str,
    ) -> BoxFuture<'a, Result<Option<String>, EventLogError>> {
        (**self).last(session, stream)
    }

    fn forget<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), EventLogError>> {
        (**self).forget(session)
    }
}

/// What a client has missed of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The name of the stream.
    pub stream: String,
    /// Its events, in the order in which they were added.
    pub events: Vec<LoggedEvent>,
}

/// An event that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The id that it got when it was added.
    pub id: String,
    /// What is in it.
    pub event: Bytes,
}

/// The log failed.
#[derive(Debug)]
pub struct EventLogError(pub String);

impl fmt::Display for EventLogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the event log failed: {}", self.0)
    }
}

impl std::error::Error for EventLogError {}
