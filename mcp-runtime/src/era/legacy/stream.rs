//! What a session hears without asking: changes of lists and of resources that it subscribed to.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::{
    LiveSession, Peer,
    channel::Event,
    resume::{EventId, follow},
    topic,
};
use crate::{
    BoxFuture,
    auth::Principal,
    dispatch::Core,
    notify::{Announced, CHANGES, Change, History, Outbound, Outbox, Topic},
    protocol::notification,
    store::new_id,
};

/// Time after which a client comes back to a stream of the session's own that broke.
const RETRY: Duration = Duration::from_secs(1);

/// The session of this id, if it belongs to this caller.
pub(crate) async fn session_of(core: &Core, id: &str, principal: Option<&Principal>) -> Option<LiveSession> {
    let record = core.sessions.load(id).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a session could not be loaded");
        None
    })?;
    if record.principal.as_deref() != principal.map(Principal::id) {
        tracing::warn!("a session was used by another caller than the one who opened it");
        return None;
    }
    Some(LiveSession { record, store: core.sessions.clone(), bus: core.bus.clone() })
}

/// Ends a session, and everything that waits for it.
pub(crate) async fn end(core: &Core, session: &LiveSession) {
    if let Err(error) = core.sessions.remove(&session.record.id).await {
        tracing::error!(%error, "a session could not be removed");
    }
    over(session).await;
    if let Err(error) = core.events.forget(&session.record.id).await {
        tracing::error!(%error, "what a session was sent could not be forgotten");
    }
}

/// Tells everything that waits for a session's client that it waits in vain.
pub(crate) async fn over(session: &LiveSession) {
    Event::Ended.publish(&*session.bus, &topic(&session.record.id)).await;
}

/// Why a stream is not opened.
#[derive(Debug)]
pub(crate) enum Unopened {
    /// The session has no such event to go on after.
    UnknownEvent,
    Failed,
}

/// Opens a stream over HTTP on which the session's client listens: a new one, or the one that it was on
/// when it read the event of this id. It is open when this returns; what is returned sends what comes.
pub(crate) async fn open(
    core: Arc<Core>,
    session: LiveSession,
    last_event_id: Option<&str>,
    outbox: Arc<Outbox>,
) -> Result<BoxFuture<'static, ()>, Unopened> {
    let shape = Peer::of(session.clone()).shape();
    let after = match last_event_id.filter(|id| shape.event_ids && !id.is_empty()) {
        None => None,
        Some(id) => match EventId::read(id).ok_or(Unopened::UnknownEvent)? {
            EventId::Last => return Ok(Box::pin(async {})),
            EventId::Call(id) => {
                let following = follow(core, session, id, outbox).await;
                return following.ok_or(Unopened::UnknownEvent);
            }
            EventId::Own(stream, id) => {
                let listening = session.record.listening.as_deref().and_then(|own| own.split_once('.'));
                if listening.is_none_or(|(newest, _)| newest != stream) {
                    return Err(Unopened::UnknownEvent);
                }
                Some((stream.to_owned(), id.to_owned()))
            }
        },
    };
    let mut listener = Listener::start(&core, session, outbox).await.ok_or(Unopened::Failed)?;
    let resumed = after.is_some();
    if let Some((stream, id)) = after {
        listener.stream = stream;
        listener.after = Some(id);
    }
    listener.announce().await.ok_or(Unopened::Failed)?;
    if shape.event_ids {
        listener.history = Some(History::new(core.events.clone()));
    }
    if shape.polling && !resumed {
        listener.prime().await;
    }
    Ok(Box::pin(listener.listen(core)))
}

/// Tells a session's client of changes on the one connection that it has, until the session ends.
pub(crate) async fn listen(core: Arc<Core>, session: LiveSession, outbox: Arc<Outbox>) {
    let listener = Listener::start(&core, session, outbox).await;
    match listener {
        Some(listener) => listener.listen(core).await,
        None => tracing::error!("a session cannot hear of changes"),
    }
}

/// One who listens on a stream of a session's own. Of several streams the newest is told, and of several
/// connections to one stream likewise: each message goes out once.
struct Listener {
    session: LiveSession,
    outbox: Arc<Outbox>,
    changes: Box<dyn Topic>,
    events: Box<dyn Topic>,
    /// The name of the stream, and of this connection to it.
    stream: String,
    connection: String,
    /// Where missed changes are, if the stream can be resumed.
    history: Option<History>,
    /// The change after which the client goes on.
    after: Option<String>,
}

#[derive(serde::Serialize)]
struct Updated<'a> {
    uri: &'a str,
}

impl Listener {
    /// Hears of everything that happens from now on.
    async fn start(core: &Core, session: LiveSession, outbox: Arc<Outbox>) -> Option<Self> {
        let topic = session.topic();
        let (changes, events) = tokio::join!(core.bus.subscribe(CHANGES), session.bus.subscribe(&topic));
        Some(Self {
            session,
            outbox,
            changes: changes.ok()?,
            events: events.ok()?,
            stream: new_id().ok()?,
            connection: new_id().ok()?,
            history: None,
            after: None,
        })
    }

    /// The stream and the connection, as the session has it.
    fn name(&self) -> String {
        format!("{}.{}", self.stream, self.connection)
    }

    /// Makes this the newest, and tells the others.
    async fn announce(&mut self) -> Option<()> {
        let changed = self.session.change(crate::store::SessionChange::Listen(self.name())).await;
        if let Err(error) = changed {
            tracing::error!(%error, "a stream could not be opened");
            return None;
        }
        Event::Listening.publish(&*self.session.bus, &self.session.topic()).await;
        Some(())
    }

    /// Tells the client where to go on when the stream breaks.
    async fn prime(&mut self) {
        let Some(history) = &self.history else { return };
        match history.now().await {
            Ok(now) => {
                let id = EventId::Own(&self.stream, &now).write();
                _ = self.outbox.send(Outbound::priming(id, RETRY)).await;
            }
            Err(error) => tracing::error!(%error, "a stream cannot be resumed"),
        }
    }

    /// Tells the client of changes until the session ends, the client is gone, or it has come back to this
    /// stream over another connection.
    async fn listen(self, core: Arc<Core>) {
        let name = self.name();
        let Self { session, outbox, mut changes, mut events, stream, history, after, .. } = self;
        let newest = AtomicBool::new(true);
        let teller = Teller { session: &session, outbox: &outbox, stream: &stream };
        let forward = async {
            // What is told from the history may come over the bus once more.
            let mut told = HashSet::new();
            if let (Some(history), Some(after)) = (&history, after) {
                match history.since(&after).await {
                    Ok(Some(missed)) => {
                        for (id, change) in missed {
                            if !teller.tell(&change, Some(&id)).await {
                                return;
                            }
                            told.insert(id);
                        }
                    }
                    Ok(None) => {
                        let now = history.now().await.ok();
                        if !teller.tell_all(&core, now.as_deref()).await {
                            return;
                        }
                    }
                    Err(error) => tracing::error!(%error, "what a session missed cannot be told"),
                }
            }
            while let Some(message) = changes.next().await {
                let Some(Announced { id, change }) = Announced::read(&message) else { continue };
                let missed = id.as_ref().is_some_and(|id| told.remove(id));
                if missed || !newest.load(Ordering::Relaxed) {
                    continue;
                }
                let id = id.filter(|_| history.is_some());
                if !teller.tell(&change, id.as_deref()).await {
                    return;
                }
            }
        };
        let ended = async {
            while let Some(message) = events.next().await {
                match Event::read(&message) {
                    Some(Event::Ended) => return,
                    // Who is the newest is said by the session, once and for all of them.
                    Some(Event::Listening) => {
                        match session.load().await.and_then(|now| now.listening.clone()) {
                            Some(now) if now == name => {}
                            Some(now) if now.split_once('.').is_some_and(|(newest, _)| newest == stream) => {
                                return;
                            }
                            _ => newest.store(false, Ordering::Relaxed),
                        }
                    }
                    _ => {}
                }
            }
        };
        tokio::select! {
            biased;
            // What happened to the session counts before what it is told.
            () = ended => {}
            () = core.closing.cancelled() => {}
            () = session.used(&core) => {}
            () = forward => {}
        }
    }
}

/// Tells a session's client what it wants to hear.
struct Teller<'a> {
    session: &'a LiveSession,
    outbox: &'a Outbox,
    stream: &'a str,
}

impl Teller<'_> {
    /// `false` when the client is gone.
    async fn tell(&self, change: &Change, id: Option<&str>) -> bool {
        let message = match change.uri() {
            // These clients know no tasks.
            None if matches!(change, Change::Task(_)) => return true,
            None => notification::<()>(change.method(), None),
            // The subscriptions of now, which another worker may have changed.
            Some(uri) if self.subscriptions().await.contains(uri) => {
                notification(change.method(), Some(Updated { uri }))
            }
            Some(_) => return true,
        };
        let id = id.map(|id| EventId::Own(self.stream, id).write());
        self.outbox.send(Outbound { message, id, ..Outbound::default() }).await.is_ok()
    }

    /// Tells that anything may have changed: the client looks for itself. `false` when it is gone.
    async fn tell_all(&self, core: &Core, id: Option<&str>) -> bool {
        let lists = [
            (Change::Tools, "tools/list"),
            (Change::Prompts, "prompts/list"),
            (Change::Resources, "resources/list"),
        ];
        let offered = lists.into_iter().filter(|(_, list)| core.catalog.load().serves(list));
        let mut changes: Vec<_> = offered.map(|(change, _)| change).collect();
        changes.extend(self.subscriptions().await.into_iter().map(Change::ResourceUpdated));
        for change in &changes {
            if !self.tell(change, id).await {
                return false;
            }
        }
        true
    }

    async fn subscriptions(&self) -> std::collections::BTreeSet<String> {
        self.session.load().await.map(|record| record.subscriptions.clone()).unwrap_or_default()
    }
}
