//! What a session hears without asking: changes of lists and of resources that it subscribed to.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{LiveSession, channel::Event, topic};
use crate::{
    auth::Principal,
    dispatch::Core,
    notify::{CHANGES, Change, Outbox},
    protocol::notification,
    store::new_id,
};

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
}

/// Tells everything that waits for a session's client that it waits in vain.
pub(crate) async fn over(session: &LiveSession) {
    Event::Ended.publish(&*session.bus, &topic(&session.record.id)).await;
}

#[derive(serde::Serialize)]
struct Updated<'a> {
    uri: &'a str,
}

/// Tells a session's client of changes until the session ends or the client is gone. Of several
/// streams of one session the newest is told: each message goes out once.
pub(crate) async fn listen(core: Arc<Core>, session: LiveSession, outbox: Arc<Outbox>) {
    let topic = session.topic();
    let (changes, events) = tokio::join!(core.bus.subscribe(CHANGES), session.bus.subscribe(&topic));
    let (Ok(mut changes), Ok(mut events)) = (changes, events) else {
        tracing::error!("a session cannot hear of changes: the bus failed");
        return;
    };
    let Ok(own) = new_id() else { return };
    Event::Listening { stream: own.clone() }.publish(&*session.bus, &topic).await;
    let newest = AtomicBool::new(true);
    let forward = async {
        while let Some(message) = changes.next().await {
            if !newest.load(Ordering::Relaxed) {
                continue;
            }
            let Some(change) = Change::read(&message) else { continue };
            let message = match change.uri() {
                None if matches!(change, Change::Task(_)) => continue,
                None => notification::<()>(change.method(), None),
                Some(uri) => {
                    // The subscriptions of now, which another worker may have changed.
                    match session.store.load(&session.record.id).await {
                        Ok(Some(record)) if record.subscriptions.contains(uri) => {
                            notification(change.method(), Some(Updated { uri }))
                        }
                        _ => continue,
                    }
                }
            };
            if outbox.send(message).await.is_err() {
                return;
            }
        }
    };
    let ended = async {
        while let Some(message) = events.next().await {
            match Event::read(&message) {
                Some(Event::Ended) => return,
                Some(Event::Listening { stream }) if stream != own => newest.store(false, Ordering::Relaxed),
                _ => {}
            }
        }
    };
    tokio::select! {
        biased;
        // What happened to the session counts before what it is told.
        () = ended => {}
        () = core.closing.cancelled() => {}
        () = forward => {}
    }
}
