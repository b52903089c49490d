//! The way out: messages for one client, in order, drained by its transport. A client that does not
//! read makes senders wait, and does not make us grow. What goes out on a stream that can be resumed is
//! recorded on its way.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use bytes::Bytes;
use tokio::sync::Notify;

use crate::BoxFuture;

/// Bytes that may wait before a sender has to.
const ROOM: usize = 256 * 1024;

/// Time after which a client comes back whose connection broke.
const RETRY: Duration = Duration::from_secs(1);

/// A message on its way to a client.
#[derive(Debug, Default)]
pub(crate) struct Outbound {
    /// Nothing where only the rest is to be told.
    pub(crate) message: Bytes,
    /// The id after which the client can go on.
    pub(crate) id: Option<String>,
    /// Time after which it is to come back.
    pub(crate) retry: Option<Duration>,
    /// Clients may lose it when they read what comes after it together with it.
    pub(crate) apart: bool,
}

impl From<Bytes> for Outbound {
    fn from(message: Bytes) -> Self {
        Self { message, ..Self::default() }
    }
}

impl Outbound {
    /// An event of no data: the client can go on after it.
    pub(crate) fn priming(id: String, retry: Duration) -> Self {
        Self { id: Some(id), retry: Some(retry), ..Self::default() }
    }
}

/// Keeps what goes out, for a client that comes back for it.
pub(crate) trait Record: Send + Sync {
    /// Adds a message, or nothing, to what is kept; the id after which the client can go on then.
    fn add<'a>(&'a self, message: &'a Bytes, last: bool) -> BoxFuture<'a, Option<String>>;

    /// Whether the client knows events of no data, and comes back when its stream ends early.
    fn polls(&self) -> bool;
}

/// Messages that wait for the transport.
#[derive(Default)]
pub(crate) struct Outbox {
    state: Mutex<State>,
    record: OnceLock<Arc<dyn Record>>,
    /// How far the recorded stream is. Held while a message is recorded and sent, so that all are sent in
    /// the order in which they are recorded.
    stage: tokio::sync::Mutex<Stage>,
    /// Whether something waits: what a transport asks after every reply, without a lock.
    filled: AtomicBool,
    room: Notify,
    /// Something was offered.
    offered: Notify,
}

#[derive(Default, PartialEq, Eq)]
enum Stage {
    /// Nothing was sent.
    #[default]
    Waiting,
    Begun,
    /// Nothing more is to come.
    Over,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Outbound>,
    /// What was offered, and has to be recorded before it goes out.
    offered: VecDeque<Bytes>,
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
        let recorded = self.recorded().is_some();
        let mut state = self.lock();
        if state.bytes >= ROOM {
            return;
        }
        if recorded {
            state.bytes += message.len();
            state.offered.push_back(message);
            drop(state);
            self.offered.notify_one();
        } else {
            drop(state);
            _ = self.push(message.into());
        }
    }

    /// Does the work of an exchange, and sends meanwhile what is offered and has to be recorded first.
    pub(crate) async fn serve<T>(&self, work: impl Future<Output = T>) -> T {
        let forward = async {
            loop {
                self.offered.notified().await;
                let Some(record) = self.recorded() else { continue };
                let mut stage = self.stage.lock().await;
                if !self.lock().offered.is_empty() && self.begin(record, &mut stage, RETRY).await.is_ok() {
                    self.catch_up(record).await;
                }
            }
        };
        tokio::select! {
            biased;
            done = work => done,
            never = forward => never,
        }
    }

    /// Sends what was offered.
    async fn catch_up(&self, record: &Arc<dyn Record>) {
        while let Some(message) = self.take_offered() {
            let id = record.add(&message, false).await;
            // A client that is gone can come back for it.
            _ = self.deliver(Outbound { message, id, ..Outbound::default() }).await;
        }
    }

    fn take_offered(&self) -> Option<Bytes> {
        let mut state = self.lock();
        let message = state.offered.pop_front()?;
        state.bytes -= message.len();
        Some(message)
    }

    /// Adds a message when there is room. One that is recorded is sent even when the client is gone: it
    /// can come back for it.
    pub(crate) async fn send(&self, outbound: impl Into<Outbound>) -> Result<(), Closed> {
        let mut outbound = outbound.into();
        let Some(record) = self.recorded() else { return self.deliver(outbound).await };
        let mut stage = self.stage.lock().await;
        self.begin(record, &mut stage, RETRY).await?;
        self.catch_up(record).await;
        outbound.id = record.add(&outbound.message, false).await;
        let kept = outbound.id.is_some();
        match self.deliver(outbound).await {
            Err(_) if kept => Ok(()),
            delivered => delivered,
        }
    }

    /// Sends the last message where the stream has begun, and gives it back where it has not. `None` ends
    /// a stream that will have no result.
    pub(crate) async fn finish(&self, last: Option<Bytes>) -> Result<(), Option<Bytes>> {
        let Some(record) = self.recorded() else { return Err(last) };
        let mut stage = self.stage.lock().await;
        if !self.lock().offered.is_empty() && self.begin(record, &mut stage, RETRY).await.is_ok() {
            self.catch_up(record).await;
        }
        if std::mem::replace(&mut *stage, Stage::Over) != Stage::Begun {
            return Err(last);
        }
        let message = last.unwrap_or_default();
        let id = record.add(&message, true).await;
        if !message.is_empty() {
            // A client that is gone can come back for it.
            _ = self.deliver(Outbound { message, id, ..Outbound::default() }).await;
        }
        Ok(())
    }

    /// Ends the connection and not the stream, where the client comes back for the rest.
    pub(crate) async fn hang_up(&self, retry: Duration) {
        let Some(record) = self.recorded().filter(|record| record.polls()) else { return };
        let mut stage = self.stage.lock().await;
        let Ok(primed) = self.begin(record, &mut stage, retry).await else { return };
        self.catch_up(record).await;
        if !primed {
            // It is told when to come back, and where to go on.
            let Some(id) = record.add(&Bytes::new(), false).await else { return };
            _ = self.deliver(Outbound::priming(id, retry)).await;
        }
        self.close();
    }

    /// Begins the stream, if it has not begun; whether its client was told now where to go on. Nobody
    /// could come back to a stream that its client never saw.
    async fn begin(
        &self,
        record: &Arc<dyn Record>,
        stage: &mut Stage,
        retry: Duration,
    ) -> Result<bool, Closed> {
        if *stage == Stage::Begun {
            return Ok(false);
        }
        if *stage == Stage::Over || self.lock().closed {
            return Err(Closed);
        }
        *stage = Stage::Begun;
        if record.polls()
            && let Some(id) = record.add(&Bytes::new(), false).await
        {
            self.deliver(Outbound::priming(id, retry)).await?;
            return Ok(true);
        }
        Ok(false)
    }

    fn recorded(&self) -> Option<&Arc<dyn Record>> {
        self.record.get().filter(|_| !self.is_silent())
    }

    /// Records what goes out from now on: one stream, from its beginning to its end.
    pub(crate) fn record(&self, record: Arc<dyn Record>) {
        _ = self.record.set(record);
    }

    async fn deliver(&self, outbound: Outbound) -> Result<(), Closed> {
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

#[cfg(all(test, feature = "log"))]
mod tests {
    use std::{future::poll_fn, sync::atomic::AtomicUsize};

    use super::*;

    /// Numbers what it is given.
    #[derive(Default)]
    struct Numbers(AtomicUsize);

    impl Record for Numbers {
        fn add<'a>(&'a self, _: &'a Bytes, _: bool) -> BoxFuture<'a, Option<String>> {
            Box::pin(async { Some(self.0.fetch_add(1, Ordering::SeqCst).to_string()) })
        }

        fn polls(&self) -> bool {
            true
        }
    }

    async fn next(outbox: &Outbox) -> (Option<String>, Bytes) {
        let outbound = poll_fn(|cx| outbox.poll_next(cx)).await.expect("it is open");
        (outbound.id, outbound.message)
    }

    #[tokio::test]
    async fn what_is_offered_is_recorded_like_what_is_sent_and_in_its_place() {
        let outbox = Outbox::default();
        outbox.record(Arc::new(Numbers::default()));
        outbox.offer("one".into());
        outbox.send(Bytes::from("two")).await.expect("it is open");
        outbox.offer("three".into());
        outbox.finish(Some("last".into())).await.expect("it has begun");
        for (id, message) in ["", "one", "two", "three", "last"].into_iter().enumerate() {
            assert_eq!(next(&outbox).await, (Some(id.to_string()), message.into()));
        }
    }

    #[tokio::test]
    async fn what_is_offered_goes_out_while_the_work_goes_on() {
        let outbox = Outbox::default();
        outbox.record(Arc::new(Numbers::default()));
        outbox
            .serve(async {
                outbox.offer("one".into());
                assert_eq!(next(&outbox).await.1, "");
                assert_eq!(next(&outbox).await.1, "one");
            })
            .await;
    }
}
