//! 2025-11-25 and earlier: a handshake, and a session after it.

mod channel;
mod handshake;
mod resume;
mod serve;
mod stream;

pub(super) use channel::{SessionChannel, SessionInterrupt, publish_answer, publish_cancelled};
pub(super) use handshake::{Opened, initialize};
pub(crate) use resume::record;
pub(super) use serve::serve;
pub(crate) use stream::{Unopened, end, listen, open, over, session_of};

use std::{sync::Arc, time::Duration};

use crate::{
    dispatch::Core,
    notify::Bus,
    protocol::{Shape, Version},
    store::{Session, SessionChange, SessionStore, StoreError},
};

/// The client of bare messages.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) version: Version,
    /// Its session; none where the transport keeps none.
    pub(super) session: Option<LiveSession>,
}

impl Peer {
    pub(super) fn shape(&self) -> &'static Shape {
        super::shape::of(self.version)
    }

    /// The client of a session.
    pub(super) fn of(session: LiveSession) -> Self {
        let version = Version::parse(&session.record.version).unwrap_or(Version::NEWEST_LEGACY);
        Self { version, session: Some(session) }
    }
}

/// A session, and where its records and messages are.
#[derive(Clone, Debug)]
pub(crate) struct LiveSession {
    pub(crate) record: Arc<Session>,
    pub(crate) store: Arc<dyn SessionStore>,
    pub(crate) bus: Arc<dyn Bus>,
}

impl LiveSession {
    /// The topic of the bus that belongs to the session.
    pub(super) fn topic(&self) -> String {
        topic(&self.record.id)
    }

    /// The session as it is now.
    async fn load(&self) -> Option<Arc<Session>> {
        self.store.load(&self.record.id).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a session could not be loaded");
            None
        })
    }

    async fn change(&self, change: SessionChange) -> Result<(), StoreError> {
        self.store.change(&self.record.id, change).await
    }

    /// Keeps the session in use while its client listens. Returns when there is no such session any more.
    async fn used(&self, core: &Core) {
        /// The longest time that passes between two uses.
        const MOST: Duration = Duration::from_secs(300);
        loop {
            tokio::time::sleep((core.limits.idle / 4).min(MOST)).await;
            match self.store.load(&self.record.id).await {
                Ok(Some(_)) => {}
                Ok(None) => return,
                Err(error) => tracing::error!(%error, "a session could not be kept in use"),
            }
        }
    }
}

fn topic(id: &str) -> String {
    format!("session/{id}")
}
