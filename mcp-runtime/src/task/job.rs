//! A task while it runs.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::value::RawValue;
use tokio::time::{Duration, sleep};

use crate::{
    BoxFuture,
    ask::{Backchannel, Dialect, Unanswered},
    handler::call::Outcome,
    notify::{Announcer, Bus, Cancel, Change},
    protocol::{ErrorObject, Shape, raw},
    store::{InputRequest, StoreError, Task, TaskChange, TaskStore},
};

/// What tasks are kept in and told by.
#[derive(Clone, Debug)]
pub(crate) struct Seams {
    pub(crate) store: Arc<dyn TaskStore>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) announcer: Arc<Announcer>,
}

impl Seams {
    /// Changes a task and tells of it; the task, where anything has changed.
    pub(crate) async fn change(&self, id: &str, change: TaskChange) -> Result<Option<Arc<Task>>, StoreError> {
        let changed = self.store.change(id, change).await?;
        if changed.is_some() {
            self.announcer.announce(Change::Task(id.to_owned())).await;
        }
        Ok(changed)
    }

    /// Changes a task for its client, and wakes the worker that runs it.
    pub(crate) async fn change_for_client(&self, id: &str, change: TaskChange) -> Result<(), StoreError> {
        self.change(id, change).await?;
        if let Err(error) = self.bus.publish(&topic(id), bytes::Bytes::new()).await {
            tracing::error!(%error, task = id, "a task could not be told of its client");
        }
        Ok(())
    }
}

/// The topic on which a task hears of its client.
fn topic(id: &str) -> String {
    format!("task/{id}")
}

/// The task that a call has become.
pub(crate) struct Job {
    id: String,
    seams: Seams,
    shape: &'static Shape,
    /// How often each key was used.
    keys: Mutex<HashMap<String, usize>>,
}

impl Job {
    pub(crate) fn new(id: String, seams: Seams, shape: &'static Shape) -> Self {
        Self { id, seams, shape, keys: Mutex::default() }
    }

    /// Runs the call to its end, which is the task's, unless its client cancels it, its time is over or
    /// the server stops. `head` is what the call's message has before its result.
    pub(crate) async fn run(
        &self,
        work: BoxFuture<'static, Option<Outcome>>,
        head: usize,
        lifetime: Duration,
        closing: Cancel,
    ) {
        let change = tokio::select! {
            outcome = work => self.end(outcome.unwrap_or(Outcome::Open), head),
            () = self.wait(|task| task.status.is_terminal().then_some(())) => return,
            () = sleep(lifetime) => self.failed(&ErrorObject::internal("The task's time is over")),
            () = closing.cancelled() => self.failed(&ErrorObject::internal("The server has stopped")),
        };
        self.change(change).await;
    }

    fn end(&self, outcome: Outcome, head: usize) -> TaskChange {
        match outcome {
            Outcome::Reply(message) => {
                let result = message.get(head..message.len().saturating_sub(1));
                match result.and_then(|result| serde_json::from_slice::<Box<RawValue>>(result).ok()) {
                    Some(result) => TaskChange::Complete(result),
                    None => self.failed(&ErrorObject::internal("The result could not be kept")),
                }
            }
            Outcome::Error(error) => self.failed(&error),
            Outcome::Open => self.failed(&ErrorObject::internal("The task ended without a result")),
        }
    }

    fn failed(&self, error: &ErrorObject) -> TaskChange {
        let wire = raw(&error.wire(self.shape)).unwrap_or_else(|_| RawValue::NULL.to_owned());
        TaskChange::Fail(wire, error.message.to_string())
    }

    /// Tells how far it is.
    pub(crate) async fn report(&self, message: String) {
        self.change(TaskChange::Message(message)).await;
    }

    async fn change(&self, change: TaskChange) -> Option<Arc<Task>> {
        self.seams.change(&self.id, change).await.unwrap_or_else(|error| {
            tracing::error!(%error, task = self.id, "a task could not be changed");
            None
        })
    }

    /// Looks at the task whenever its client has done something, until `find` finds something; never
    /// returns when the task is gone.
    async fn wait<T>(&self, find: impl Fn(&Task) -> Option<T>) -> T {
        match self.seams.bus.subscribe(&topic(&self.id)).await {
            Err(error) => tracing::error!(%error, task = self.id, "a task cannot hear of its client"),
            Ok(mut woken) => loop {
                match self.seams.store.load(&self.id).await {
                    Ok(Some(task)) => {
                        if let Some(found) = find(&task) {
                            return found;
                        }
                    }
                    Ok(None) => break,
                    Err(error) => tracing::error!(%error, task = self.id, "a task could not be loaded"),
                }
                if woken.next().await.is_none() {
                    break;
                }
            },
        }
        std::future::pending().await
    }

    /// A key that this task has not used: a client knows an answered question by its key.
    fn fresh(&self, key: &str) -> String {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fresh = key.to_owned();
        while keys.contains_key(&fresh) {
            let used = keys.entry(key.to_owned()).or_insert(1);
            *used += 1;
            fresh = format!("{key}-{used}");
        }
        keys.insert(fresh.clone(), 1);
        fresh
    }
}

impl Backchannel for Job {
    fn request<'a>(
        &'a self,
        key: &'a str,
        method: &'static str,
        params: Box<RawValue>,
    ) -> BoxFuture<'a, Result<Box<RawValue>, Unanswered>> {
        Box::pin(async move {
            let key = self.fresh(key);
            let request = InputRequest { method: method.to_owned(), params };
            if self.change(TaskChange::Ask(key.clone(), request)).await.is_none() {
                return Err(Unanswered::Gone);
            }
            Ok(self.wait(|task| task.answers.get(&key).cloned()).await)
        })
    }

    fn dialect(&self) -> Dialect {
        Dialect::default()
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("id", &self.id).finish_non_exhaustive()
    }
}
