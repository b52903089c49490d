//! 2025-11-25 and earlier: a handshake, and a session after it.

mod channel;
mod handshake;
mod serve;
mod stream;

pub(super) use channel::{SessionChannel, SessionInterrupt, publish_answer, publish_cancelled};
pub(super) use handshake::{Opened, initialize};
pub(super) use serve::serve;
pub(crate) use stream::{end, listen, over, session_of};

use std::sync::Arc;

use crate::{
    notify::Bus,
    protocol::{Shape, Version},
    store::{Session, SessionStore},
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
}

fn topic(id: &str) -> String {
    format!("session/{id}")
}
