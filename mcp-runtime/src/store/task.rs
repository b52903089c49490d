//! Tasks as plain records that any worker can load (extension `io.modelcontextprotocol/tasks`).

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::StoreError;
use crate::BoxFuture;

/// A call that goes on after its request was answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its id: visible ASCII, from the operating system's random numbers.
    pub id: String,
    /// The id of the principal that made the call; for nobody else is there such a task.
    pub principal: Option<String>,
    /// Where it stands.
    pub status: TaskStatus,
    /// More about where it stands, for people and models.
    pub message: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub created: u64,
    /// When it last changed, in milliseconds since 1970.
    pub updated: u64,
    /// How long after `created` it may be forgotten, in milliseconds.
    pub ttl: u64,
    /// How often a client should look, in milliseconds.
    pub poll_interval: u64,
    /// What the client is asked and has not answered, by key.
    pub requests: BTreeMap<String, InputRequest>,
    /// What the client answered, by key.
    pub answers: BTreeMap<String, Box<RawValue>>,
    /// The result of the call, as JSON, once it is completed.
    pub result: Option<Box<RawValue>>,
    /// The JSON-RPC error of the call, as JSON, once it has failed.
    pub error: Option<Box<RawValue>>,
}

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskStatus {
    /// It runs.
    Working,
    /// It waits for its client's answers.
    InputRequired,
    /// It ended with a result.
    Completed,
    /// It ended with a JSON-RPC error.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl TaskStatus {
    /// Whether nothing more comes.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// A question of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InputRequest {
    /// The method that would ask it.
    pub method: String,
    /// Its parameters, as JSON.
    pub params: Box<RawValue>,
}

/// A change of a task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TaskChange {
    /// It asks its client something, under a key that it has not used before.
    Ask(String, InputRequest),
    /// Its client answers; only what it is asked counts.
    Answer(BTreeMap<String, Box<RawValue>>),
    /// It tells how far it is.
    Message(String),
    /// It ends with this result.
    Complete(Box<RawValue>),
    /// It ends with this JSON-RPC error, and this about it.
    Fail(Box<RawValue>, String),
    /// Its client no longer wants it.
    Cancel,
}

impl Task {
    /// Makes a change at this time (milliseconds since 1970), and says whether anything has changed.
    /// A task that has ended stays as it is.
    pub fn apply(&mut self, change: TaskChange, now: u64) -> bool {
        if self.status.is_terminal() {
            return false;
        }
        let end = match change {
            TaskChange::Ask(key, request) => {
                self.requests.insert(key, request);
                None
            }
            TaskChange::Answer(answers) => {
                let before = self.requests.len();
                for (key, answer) in answers {
                    if self.requests.remove(&key).is_some() {
                        self.answers.insert(key, answer);
                    }
                }
                if self.requests.len() == before {
                    return false;
                }
                None
            }
            TaskChange::Message(message) => {
                self.message = Some(message);
                None
            }
            TaskChange::Complete(result) => {
                self.result = Some(result);
                Some(TaskStatus::Completed)
            }
            TaskChange::Fail(error, why) => {
                self.error = Some(error);
                self.message = Some(why);
                Some(TaskStatus::Failed)
            }
            TaskChange::Cancel => Some(TaskStatus::Cancelled),
        };
        self.status = match end {
            Some(end) => {
                self.requests.clear();
                self.answers.clear();
                end
            }
            None if self.requests.is_empty() => TaskStatus::Working,
            None => TaskStatus::InputRequired,
        };
        self.updated = now.max(self.updated);
        true
    }

    /// Whether it may be forgotten at this time (milliseconds since 1970).
    #[must_use]
    pub fn is_over(&self, now: u64) -> bool {
        now >= self.created.saturating_add(self.ttl)
    }

    /// The time for which it is kept.
    #[must_use]
    pub fn lifetime(&self) -> Duration {
        Duration::from_millis(self.ttl)
    }
}

/// Keeps the tasks of a server, for all of its workers.
pub trait TaskStore: Send + Sync + fmt::Debug + 'static {
    /// Adds a task. Once this returns, every worker can load it.
    fn insert(&self, task: Task) -> BoxFuture<'_, Result<(), StoreError>>;

    /// The task of this id, if there is one and its time is not over.
    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Arc<Task>>, StoreError>>;

    /// Changes a task with [`Task::apply`], all at once: of two changes at the same time neither is
    /// lost. Gives the task as it is then, or `None` where nothing has changed.
    fn change<'a>(
        &'a self,
        id: &'a str,
        change: TaskChange,
    ) -> BoxFuture<'a, Result<Option<Arc<Task>>, StoreError>>;
}

/// One store of several servers.
impl<S: TaskStore + ?Sized> TaskStore for Arc<S> {
    fn insert(&self, task: Task) -> BoxFuture<'_, Result<(), StoreError>> {
        (**self).insert(task)
    }

    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Arc<Task>>, StoreError>> {
        (**self).load(id)
    }

    fn change<'a>(
        &'a self,
        id: &'a str,
        change: TaskChange,
    ) -> BoxFuture<'a, Result<Option<Arc<Task>>, StoreError>> {
        (**self).change(id, change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task {
            id: "t".into(),
            principal: None,
            status: TaskStatus::Working,
            message: None,
            created: 10,
            updated: 10,
            ttl: 100,
            poll_interval: 1,
            requests: BTreeMap::new(),
            answers: BTreeMap::new(),
            result: None,
            error: None,
        }
    }

    fn json(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).expect("JSON")
    }

    fn ask(key: &str) -> TaskChange {
        TaskChange::Ask(key.into(), InputRequest { method: "roots/list".into(), params: json("{}") })
    }

    fn answer(key: &str) -> TaskChange {
        TaskChange::Answer([(key.to_owned(), json("1"))].into())
    }

    #[test]
    fn a_task_waits_for_its_client_until_all_is_answered() {
        let mut task = task();
        assert!(task.apply(ask("a"), 11));
        assert!(task.apply(ask("b"), 12));
        assert_eq!(task.status, TaskStatus::InputRequired);
        assert!(task.apply(answer("a"), 13));
        assert_eq!(task.status, TaskStatus::InputRequired);
        assert!(task.apply(answer("b"), 14));
        assert_eq!((task.status, task.updated), (TaskStatus::Working, 14));
    }

    #[test]
    fn an_answer_to_what_is_not_asked_changes_nothing() {
        let mut task = task();
        task.apply(ask("a"), 11);
        assert!(!task.apply(answer("b"), 12));
        assert!(task.apply(answer("a"), 13));
        assert!(!task.apply(answer("a"), 14), "an answer comes once");
        assert_eq!(task.updated, 13);
    }

    #[test]
    fn a_task_that_has_ended_stays_as_it_is() {
        let mut task = task();
        task.apply(ask("a"), 11);
        assert!(task.apply(TaskChange::Cancel, 12));
        assert!(task.requests.is_empty());
        for change in
            [ask("b"), answer("a"), TaskChange::Complete(json("{}")), TaskChange::Message("x".into())]
        {
            assert!(!task.apply(change, 13));
        }
        assert_eq!((task.status, task.result.is_none()), (TaskStatus::Cancelled, true));
    }

    #[test]
    fn a_task_is_over_when_its_time_is() {
        let task = task();
        assert!(!task.is_over(109));
        assert!(task.is_over(110));
    }
}
