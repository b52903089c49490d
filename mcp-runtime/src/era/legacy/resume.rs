//! Streams over HTTP that can be resumed: what a call sends is kept with its result, and a client that
//! comes back reads on from there (basic/transports, "Resumability and Redelivery").

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::{LiveSession, channel::Event};
use crate::{
    BoxFuture,
    dispatch::Core,
    notify::{Outbound, Outbox, Record},
    protocol::Shape,
    store::{LoggedEvent, Replay, new_id},
};

/// The id of an event as the client knows it: of which kind of stream it is, and its id in the log.
pub(super) enum EventId<'a> {
    /// Of a call's stream.
    Call(&'a str),
    /// Of a call's stream, after which there is nothing.
    Last,
    /// Of a stream of the session's own: its name, and the change in the server's history.
    Own(&'a str, &'a str),
}

impl<'a> EventId<'a> {
    pub(super) fn read(text: &'a str) -> Option<Self> {
        match text.split_once('.')? {
            ("call", id) => Some(Self::Call(id)),
            ("last", _) => Some(Self::Last),
            ("own", rest) => rest.split_once('.').map(|(stream, id)| Self::Own(stream, id)),
            _ => None,
        }
    }

    pub(super) fn write(&self) -> String {
        match self {
            Self::Call(id) => format!("call.{id}"),
            Self::Last => "last.".to_owned(),
            Self::Own(stream, id) => format!("own.{stream}.{id}"),
        }
    }
}

/// What precedes an event in the log.
const MORE: u8 = b'+';
const LAST: u8 = b'.';

/// A call's stream on its way into the log.
struct Recording {
    core: Arc<Core>,
    session: String,
    /// Its name, which it gets with its first event: a call that sends nothing needs none.
    name: OnceLock<String>,
    polls: bool,
}

/// Records what a call sends, if its client can come back for it.
pub(crate) fn record(core: &Arc<Core>, session: &LiveSession, shape: &Shape, outbox: &Outbox) {
    if shape.event_ids {
        outbox.record(Arc::new(Recording {
            core: core.clone(),
            session: session.record.id.clone(),
            name: OnceLock::new(),
            polls: shape.polling,
        }));
    }
}

/// The topic on which those who read a stream hear that there is more.
fn topic(stream: &str) -> String {
    format!("stream/{stream}")
}

impl Recording {
    fn name(&self) -> Option<&str> {
        if self.name.get().is_none() {
            _ = self.name.set(new_id().ok()?);
        }
        self.name.get().map(String::as_str)
    }
}

impl Record for Recording {
    fn add<'a>(&'a self, message: &'a Bytes, last: bool) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move {
            let name = self.name()?;
            let mut event = Vec::with_capacity(message.len() + 1);
            event.push(if last { LAST } else { MORE });
            event.extend_from_slice(message);
            let id = match self.core.events.append(&self.session, name, event.into()).await {
                Ok(id) => id,
                Err(error) => {
                    tracing::error!(%error, "a stream cannot be resumed");
                    return None;
                }
            };
            if let Err(error) = self.core.bus.publish(&topic(name), Bytes::new()).await {
                tracing::error!(%error, "whoever resumed a stream does not hear of more");
            }
            Some(if last { EventId::Last.write() } else { EventId::Call(&id).write() })
        })
    }

    fn polls(&self) -> bool {
        self.polls
    }
}

/// What came on a stream after an event; `None` where the session has no such event.
async fn missed(core: &Core, session: &LiveSession, id: &str) -> Option<Replay> {
    core.events.after(&session.record.id, id).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a stream cannot be resumed");
        None
    })
}

/// Sends what came on a call's stream after an event, and what comes from now on, until its end. `None`
/// where the session has no such event.
pub(super) async fn follow(
    core: Arc<Core>,
    session: LiveSession,
    id: &str,
    outbox: Arc<Outbox>,
) -> Option<BoxFuture<'static, ()>> {
    let stream = missed(&core, &session, id).await?.stream;
    let (news, happens) = (topic(&stream), session.topic());
    let (more, happens) = tokio::join!(core.bus.subscribe(&news), session.bus.subscribe(&happens));
    let (mut more, mut happens) = (more.ok()?, happens.ok()?);
    let mut last = id.to_owned();
    Some(Box::pin(async move {
        let forward = async {
            // What came while nobody listened yet is read first.
            while let Some(missed) = missed(&core, &session, &last).await {
                for LoggedEvent { id, event } in missed.events {
                    let Some((&kind, message)) = event.split_first() else { return };
                    if !message.is_empty() {
                        let known = if kind == LAST { EventId::Last } else { EventId::Call(&id) };
                        let (message, id) = (event.slice_ref(message), Some(known.write()));
                        if outbox.send(Outbound { message, id, ..Outbound::default() }).await.is_err() {
                            return;
                        }
                    }
                    if kind == LAST {
                        return;
                    }
                    last = id;
                }
                if more.next().await.is_none() {
                    return;
                }
            }
        };
        let ended = async {
            while let Some(message) = happens.next().await {
                if matches!(Event::read(&message), Some(Event::Ended)) {
                    return;
                }
            }
        };
        tokio::select! {
            () = forward => {}
            () = ended => {}
            () = session.used(&core) => {}
            () = core.closing.cancelled() => {}
        }
    }))
}
