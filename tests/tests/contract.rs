//! Stores that somebody else wrote, against the contracts that ours hold.

#![allow(missing_docs)]

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use mcp_runtime::{
    BoxFuture, Bus, BusError, EventLog, EventLogError, LoggedEvent, Replay, Session, SessionChange,
    SessionStore, StoreError, Topic,
    contract::{self, Broken},
};
use tokio::sync::mpsc;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sessions as JSON, as a store of another process would have them.
#[derive(Clone, Debug, Default)]
struct Texts(Arc<Mutex<HashMap<String, String>>>);

fn read(text: &str) -> Result<Session, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Failed(error.to_string()))
}

fn write(session: &Session) -> Result<String, StoreError> {
    serde_json::to_string(session).map_err(|error| StoreError::Failed(error.to_string()))
}

impl SessionStore for Texts {
    fn insert(&self, session: Session) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let text = write(&session)?;
            lock(&self.0).insert(session.id, text);
            Ok(())
        })
    }

    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Arc<Session>>, StoreError>> {
        Box::pin(async move { lock(&self.0).get(id).map(|text| read(text).map(Arc::new)).transpose() })
    }

    fn change<'a>(&'a self, id: &'a str, change: SessionChange) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            if let Some(text) = lock(&self.0).get_mut(id) {
                let mut session = read(text)?;
                change.apply(&mut session);
                *text = write(&session)?;
            }
            Ok(())
        })
    }

    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move { Ok(lock(&self.0).remove(id).is_some()) })
    }
}

/// A queue for each listener.
#[derive(Clone, Debug, Default)]
struct Queues(Arc<Mutex<Vec<Listening>>>);

/// A topic, and the way to one who listens to it.
type Listening = (String, mpsc::UnboundedSender<Bytes>);

impl Bus for Queues {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), BusError>> {
        let sent = |(of, queue): &Listening| of != topic || queue.send(message.clone()).is_ok();
        lock(&self.0).retain(sent);
        Box::pin(async { Ok(()) })
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<Box<dyn Topic>, BusError>> {
        let (queue, listener) = mpsc::unbounded_channel();
        lock(&self.0).push((topic.to_owned(), queue));
        Box::pin(async { Ok(Box::new(Queue(listener)) as Box<dyn Topic>) })
    }
}

struct Queue(mpsc::UnboundedReceiver<Bytes>);

impl Topic for Queue {
    fn next(&mut self) -> BoxFuture<'_, Option<Bytes>> {
        Box::pin(self.0.recv())
    }
}

/// Every event that ever was, in one list; those that were forgotten without their content.
#[derive(Clone, Debug, Default)]
struct Everything(Arc<Mutex<Vec<Option<Logged>>>>);

#[derive(Clone, Debug)]
struct Logged {
    session: String,
    stream: String,
    event: LoggedEvent,
}

impl EventLog for Everything {
    fn append<'a>(
        &'a self,
        session: &'a str,
        stream: &'a str,
        event: Bytes,
    ) -> BoxFuture<'a, Result<String, EventLogError>> {
        Box::pin(async move {
            let mut all = lock(&self.0);
            let id = format!("event-{}", all.len());
            let event = LoggedEvent { id: id.clone(), event };
            all.push(Some(Logged { session: session.to_owned(), stream: stream.to_owned(), event }));
            Ok(id)
        })
    }

    fn after<'a>(
        &'a self,
        session: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Replay>, EventLogError>> {
        Box::pin(async move {
            let all = lock(&self.0);
            let mut own = all.iter().flatten().filter(|logged| logged.session == session);
            let Some(found) = own.find(|logged| logged.event.id == id) else { return Ok(None) };
            let missed = own.filter(|logged| logged.stream == found.stream);
            let events = missed.map(|logged| logged.event.clone()).collect();
            Ok(Some(Replay { stream: found.stream.clone(), events }))
        })
    }

    fn last<'a>(
        &'a self,
        session: &'a str,
        stream: &'a str,
    ) -> BoxFuture<'a, Result<Option<String>, EventLogError>> {
        Box::pin(async move {
            let all = lock(&self.0);
            let mut own =
                all.iter().flatten().filter(|logged| logged.session == session && logged.stream == stream);
            Ok(own.next_back().map(|logged| logged.event.id.clone()))
        })
    }

    fn forget<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), EventLogError>> {
        Box::pin(async move {
            for logged in lock(&self.0).iter_mut() {
                logged.take_if(|logged| logged.session == session);
            }
            Ok(())
        })
    }
}

#[tokio::test]
async fn a_store_of_texts_holds_the_contract_of_sessions() -> Result<(), Broken> {
    let store = Texts::default();
    contract::session_store(&store, &store.clone()).await
}

#[tokio::test]
async fn a_bus_of_queues_holds_the_contract() -> Result<(), Broken> {
    let bus = Queues::default();
    contract::bus(&bus, &bus.clone()).await
}

#[tokio::test]
async fn a_list_of_everything_holds_the_contract_of_an_event_log() -> Result<(), Broken> {
    let log = Everything::default();
    contract::event_log(&log, &log.clone()).await
}
