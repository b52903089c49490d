//! One connection on which messages of both eras come, line by line: stdio, or memory.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use serde_json::value::RawValue;

use super::{
    legacy::{self, LiveSession, Opened, Peer, listen},
    message::{Message, batch, cancels, is_batch, parse},
    modern,
    post::serve_batch,
};
use crate::{
    BoxFuture,
    dispatch::{Core, Interrupt, Link, Reply, Status},
    notify::{Bus, Cancel, LocalBus, Outbox},
    protocol::{ErrorCode, ErrorObject, Id, Params, RequestMeta, Version},
    server::Legacy,
    store::{MemorySessions, SessionStore},
};

/// A connection. Its session, if it opens one, lives and dies with it.
pub(crate) struct Connection {
    core: Arc<Core>,
    outbox: Arc<Outbox>,
    running: Arc<Running>,
    interrupt: Arc<dyn Interrupt>,
    /// Who sends the bare messages, once `initialize` has said so.
    peer: Mutex<Option<Peer>>,
    store: Arc<dyn SessionStore>,
    bus: Arc<dyn Bus>,
    listening: Mutex<Option<tokio::task::JoinHandle<()>>>,
}

impl Connection {
    pub(crate) fn new(core: Arc<Core>, outbox: Arc<Outbox>) -> Arc<Self> {
        let running = Arc::<Running>::default();
        Arc::new(Self {
            core,
            outbox,
            interrupt: Arc::new(Interrupts(running.clone())),
            running,
            peer: Mutex::default(),
            // One connection, at most one session, for as long as it lasts.
            store: Arc::new(MemorySessions::new(usize::MAX, Duration::MAX)),
            bus: Arc::new(LocalBus::default()),
            listening: Mutex::default(),
        })
    }

    /// Serves one message.
    pub(crate) async fn message(self: Arc<Self>, body: Bytes) -> Served {
        if is_batch(&body) {
            return match batch(&body) {
                Ok(messages) => self.batch(&messages).await.into(),
                Err(malformed) => Served::Garbled(malformed.reply().message),
            };
        }
        let message = match parse(&body) {
            Ok(message) => message,
            Err(malformed) if malformed.response => return Served::Nothing,
            Err(malformed) => {
                let reply = malformed.reply().message;
                return if malformed.id.is_some() { Served::Reply(reply) } else { Served::Garbled(reply) };
            }
        };
        match message {
            Message::Request { id, method, params } => match Params::read(params) {
                Ok(params) => {
                    self.request(&body, id, &method, params).await.map(|reply| reply.message).into()
                }
                Err(error) => Served::Reply(modern::refuse(Some(id), &error).message),
            },
            Message::Notification { method, params } => {
                if let Some(id) = cancels(&method, params) {
                    self.running.cancel(id.get());
                }
                Served::Nothing
            }
            Message::Response { id, result } => {
                if let Some(Peer { session: Some(session), .. }) = self.peer() {
                    legacy::publish_answer(&session, id, result).await;
                }
                Served::Nothing
            }
        }
    }

    /// The client sends nothing more: what waits for it need not.
    pub(crate) async fn ended(&self) {
        self.running.ended.cancel();
        if let Some(Peer { session: Some(session), .. }) = self.peer() {
            legacy::over(&session).await;
        }
    }

    async fn request(&self, body: &Bytes, id: Id<'_>, method: &str, params: Params<'_>) -> Option<Reply> {
        let core = &*self.core;
        if core.legacy == Legacy::Off || RequestMeta::read(&params).version.is_some() {
            return modern::serve(core, body, id, method, params, None, self.link()).await;
        }
        if method == "initialize" {
            return Some(self.initialize(id, &params).await);
        }
        match self.peer() {
            Some(peer) => {
                let reply = legacy::serve(core, &peer, id, method, params, self.link()).await;
                if method == "logging/setLevel" {
                    self.reload().await;
                }
                reply
            }
            // Clients may see whether anyone is there before they say what they speak.
            None if method == "ping" => {
                let peer = Peer { version: Version::NEWEST_LEGACY, session: None };
                legacy::serve(core, &peer, id, method, params, self.link()).await
            }
            // A modern request that lacks what makes it one.
            None => modern::serve(core, body, id, method, params, None, self.link()).await,
        }
    }

    async fn initialize(&self, id: Id<'_>, params: &Params<'_>) -> Reply {
        let home = match self.core.legacy {
            Legacy::Sessions => Some((self.store.clone(), self.bus.clone())),
            _ => None,
        };
        match legacy::initialize(&self.core, id, params, None, home).await {
            Ok(Opened { peer, message }) => {
                if let Some(session) = peer.session.clone() {
                    self.listen(session);
                }
                *lock(&self.peer) = Some(peer);
                Reply::ok(message)
            }
            Err(error) => {
                Reply::error(Status::Ok, Some(id), &error, super::shape::of(Version::NEWEST_LEGACY))
            }
        }
    }

    /// Tells the session of changes from now on.
    fn listen(&self, session: LiveSession) {
        let task = tokio::spawn(listen(self.core.clone(), session, self.outbox.clone()));
        if let Some(before) = lock(&self.listening).replace(task) {
            before.abort();
        }
    }

    async fn batch(&self, messages: &[&RawValue]) -> Option<Bytes> {
        match self.peer() {
            Some(peer) if peer.version == Version::V2025_03_26 => {
                let replies = serve_batch(&self.core, &peer, messages, &self.link()).await;
                self.reload().await;
                replies
            }
            _ => {
                let error = ErrorObject::new(
                    ErrorCode::InvalidRequest,
                    "Invalid request: a batch, which only revision 2025-03-26 knows; send each message by itself",
                );
                Some(modern::refuse(None, &error).message)
            }
        }
    }

    /// Takes up what the client has changed of its session.
    async fn reload(&self) {
        let Some(Peer { session: Some(session), .. }) = self.peer() else { return };
        if let Ok(Some(record)) = self.store.load(&session.record.id).await
            && let Some(Peer { session: Some(session), .. }) = &mut *lock(&self.peer)
        {
            session.record = record;
        }
    }

    fn link(&self) -> Link {
        Link {
            outbox: self.outbox.clone(),
            principal: None,
            owner: true,
            interrupt: Some(self.interrupt.clone()),
        }
    }

    fn peer(&self) -> Option<Peer> {
        lock(&self.peer).clone()
    }
}

/// What became of a message.
#[derive(Debug)]
pub(crate) enum Served {
    /// It is done, and there is nothing to say.
    Nothing,
    /// This goes back to the client.
    Reply(Bytes),
    /// It was no message, or nobody's. This says so, and may be left out where it has just been said.
    Garbled(Bytes),
}

impl Served {
    /// What goes back to a client that wants to hear everything.
    #[cfg(feature = "client")]
    pub(crate) fn reply(self) -> Option<Bytes> {
        match self {
            Self::Nothing => None,
            Self::Reply(message) | Self::Garbled(message) => Some(message),
        }
    }
}

impl From<Option<Bytes>> for Served {
    fn from(reply: Option<Bytes>) -> Self {
        reply.map_or(Self::Nothing, Self::Reply)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(task) = lock(&self.listening).take() {
            task.abort();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The requests of a connection that can be cancelled, by their id as it stands in the message.
#[derive(Default)]
struct Running {
    requests: Mutex<HashMap<String, Cancel>>,
    /// Set when the client sends nothing more.
    ended: Cancel,
}

impl Running {
    fn cancel(&self, id: &str) {
        if let Some(request) = lock(&self.requests).get(id) {
            request.cancel();
        }
    }
}

struct Interrupts(Arc<Running>);

impl Interrupt for Interrupts {
    fn interrupted(&self, id: &str) -> BoxFuture<'static, ()> {
        let cancel = Cancel::default();
        lock(&self.0.requests).insert(id.to_owned(), cancel.clone());
        let entry = Listed { running: self.0.clone(), id: id.to_owned() };
        Box::pin(async move {
            cancel.cancelled().await;
            drop(entry);
        })
    }

    fn ended(&self) -> BoxFuture<'static, ()> {
        let ended = self.0.ended.clone();
        Box::pin(async move { ended.cancelled().await })
    }
}

/// Takes a request off the list when it is over.
struct Listed {
    running: Arc<Running>,
    id: String,
}

impl Drop for Listed {
    fn drop(&mut self) {
        lock(&self.running.requests).remove(&self.id);
    }
}
