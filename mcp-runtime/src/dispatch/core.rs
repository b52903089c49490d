//! A server that runs: everything that its requests share.

use std::{fmt, sync::Arc, time::Duration};

use crate::{
    ask::sealed::KeyRing,
    catalog::Catalog,
    handler::{call::Tail, extract::States},
    notify::{Announcer, Bus},
    protocol::{Implementation, Shape},
    store::{EventLog, SessionStore},
    task::Seams,
};

/// A server that was built.
pub(crate) struct Core {
    pub(crate) identity: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) catalog: Catalog,
    pub(crate) states: Arc<States>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) announcer: Arc<Announcer>,
    pub(crate) sessions: Arc<dyn SessionStore>,
    pub(crate) tasks: Seams,
    /// What was sent on the streams of sessions.
    pub(crate) events: Arc<dyn EventLog>,
    pub(crate) keys: KeyRing,
    /// Whom a sealed state is for.
    pub(crate) audience: String,
    pub(crate) legacy: crate::server::Legacy,
    pub(crate) limits: Limits,
    pub(crate) web: crate::server::Web,
    /// Set when the server stops: streams end then.
    pub(crate) closing: crate::notify::Cancel,
    /// How results end, by shape.
    pub(crate) tails: Arc<[Tail]>,
}

impl Core {
    pub(crate) fn tail(&self, shape: &Shape) -> &Tail {
        &self.tails[shape.index]
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").field("identity", &self.identity).finish_non_exhaustive()
    }
}

/// What a server bears. All of it has safe defaults.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of one message.
    pub(crate) message: usize,
    /// Time for one call, where the function says nothing. While a client is asked, it does not run out.
    pub(crate) call: Duration,
    /// Time for a client's answer in the middle of a call.
    pub(crate) answer: Duration,
    /// Requests of one connection at once.
    pub(crate) concurrent: usize,
    /// Entries on a page of a list.
    pub(crate) page: usize,
    /// Sessions at once.
    pub(crate) sessions: usize,
    /// Time after which a session that nobody uses is forgotten.
    pub(crate) idle: Duration,
    /// Tasks at once, finished ones included.
    pub(crate) tasks: usize,
    /// Time for a task whose function says nothing, and for which its result is kept.
    pub(crate) task: Duration,
    /// Time that running calls get when the server stops.
    pub(crate) grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 4 * 1024 * 1024,
            call: Duration::from_secs(300),
            answer: Duration::from_secs(600),
            concurrent: 256,
            page: 500,
            sessions: 10_000,
            idle: Duration::from_secs(24 * 60 * 60),
            tasks: 10_000,
            task: Duration::from_secs(60 * 60),
            grace: Duration::from_secs(10),
        }
    }
}
