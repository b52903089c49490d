//! The way out: messages for one client, in order, drained by its transport. A client that does not
//! read makes senders wait, and does not make us grow.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

use bytes::Bytes;
use tokio::sync::Notify;

/// Bytes that may wait before a sender has to.
const ROOM: usize = 256 * 1024;

/// A message on its way to a client.
#[derive(Debug)]
pub(crate) struct Outbound {
    pub(crate) message: Bytes,
    /// Clients may lose it when they read what comes after it together with it.
    pub(crate) apart: bool,
}

impl From<Bytes> for Outbound {
    fn from(message: Bytes) -> Self {
        Self { message, apart: false }
    }
}

/// Messages that wait for the transport.
#[derive(Default)]
pub(crate) struct Outbox {
    state: Mutex<State>,
    /// Whether something waits: what a transport asks after every reply, without a lock.
    filled: AtomicBool,
    room: Notify,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Outbound>,
    bytes: usize,
    /// Nothing more is taken.
    closed: bool,
    /// The exchange goes on when its client hangs up.
    detached: bool,
    /// The client takes the result and nothing before it.
    silent: bool,
    reader: Option<Waker>,
}

/// The client is gone.
#[derive(Debug)]
pub(crate) struct Closed;

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, outbound: Outbound) -> Result<(), Closed> {
        let mut state = self.lock();
        if state.closed {
            return Err(Closed);
        }
        if state.silent {
            return Ok(());
        }
        state.bytes += outbound.message.len();
        state.queue.push_back(outbound);
        self.filled.store(true, Ordering::Release);
        if let Some(reader) = state.reader.take() {
            reader.wake();
        }
        Ok(())
    }

    /// Adds a message if there is room, and drops it otherwise.
    #[cfg(feature = "log")]
    pub(crate) fn offer(&self, message: Bytes) {
        if self.lock().bytes < ROOM {
            _ = self.push(message);
        }
    }

    /// Adds a message when there is room.
    pub(crate) async fn send(&self, outbound: impl Into<Outbound>) -> Result<(), Closed> {
        let outbound = outbound.into();
        loop {
            let room = self.room.notified();
            {
                let state = self.lock();
                if state.closed {
                    return Err(Closed);
                }
                if state.bytes < ROOM {
                    drop(state);
                    return self.push(outbound);
                }
            }
            room.await;
        }
    }

    /// The next message; `None` once it is closed and empty.
    pub(crate) fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Option<Outbound>> {
        let mut state = self.lock();
        if let Some(outbound) = state.queue.pop_front() {
            let was_full = state.bytes >= ROOM;
            state.bytes -= outbound.message.len();
            if state.queue.is_empty() {
                self.filled.store(false, Ordering::Release);
            }
            let has_room = state.bytes < ROOM;
            drop(state);
            if was_full && has_room {
                self.room.notify_waiters();
            }
            return Poll::Ready(Some(outbound));
        }
        if state.closed {
            return Poll::Ready(None);
        }
        match &mut state.reader {
            Some(reader) => reader.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    /// Whether something waits.
    pub(crate) fn is_empty(&self) -> bool {
        !self.filled.load(Ordering::Acquire)
    }

    /// Takes nothing more; what waits can still be drained.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        if let Some(reader) = state.reader.take() {
            reader.wake();
        }
        drop(state);
        self.room.notify_waiters();
    }

    /// Lets the exchange go on when its client hangs up.
    pub(crate) fn detach(&self) {
        self.lock().detached = true;
    }

    pub(crate) fn is_detached(&self) -> bool {
        self.lock().detached
    }

    /// Drops what is sent from now on: the client takes no stream. What needs to reach it has to look.
    pub(crate) fn silence(&self) {
        self.lock().silent = true;
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.lock().silent
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("Outbox").field("waiting", &state.queue.len()).field("closed", &state.closed).finish()
    }
}
