//! The contract of a task store.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::{Broken, done, same, unused};
use crate::{
    clock::{milliseconds, now},
    dispatch::all,
    store::{InputRequest, Task, TaskChange, TaskStatus, TaskStore},
};

/// Runs the contract of a [`TaskStore`].
///
/// # Errors
///
/// The first rule that does not hold.
pub async fn task_store(here: &dyn TaskStore, there: &dyn TaskStore) -> Result<(), Broken> {
    let rule = "a task that nobody made is not there, and cannot be changed";
    let id = unused("task")?;
    same(load(here, &id).await?, None, rule)?;
    same(change(here, &id, TaskChange::Cancel, rule).await?, None, rule)?;
    let mut expected = task(id.clone(), milliseconds(now()));
    done(here.insert(expected.clone()).await, "a task can be made")?;
    same(load(there, &id).await?, Some(text(&expected)?), "every worker loads a task as it was made")?;

    let rule =
        "changes are made one after the other, every worker sees them, and the task is given as it is then";
    let question = |key: &str| -> Result<TaskChange, Broken> {
        Ok(TaskChange::Ask(
            key.to_owned(),
            InputRequest { method: "roots/list".to_owned(), params: json("{}")? },
        ))
    };
    let answer = |key: &str| -> Result<TaskChange, Broken> {
        Ok(TaskChange::Answer(BTreeMap::from([(key.to_owned(), json("1")?)])))
    };
    let half = TaskChange::Message("half".to_owned());
    for made in [question("first")?, question("second")?, answer("first")?, half] {
        expected.apply(made.clone(), 0);
        same(change(there, &id, made, rule).await?, Some(text(&expected)?), rule)?;
        same(load(here, &id).await?, Some(text(&expected)?), rule)?;
    }
    let rule = "where nothing changes, nothing is given";
    same(change(here, &id, answer("first")?, rule).await?, None, rule)?;

    let rule = "of changes at the same time none is lost";
    let keys: Vec<_> = (0..32).map(|number| format!("many-{number}")).collect();
    let mut questions = Vec::new();
    for key in &keys {
        questions.push(question(key)?);
        expected.apply(question(key)?, 0);
    }
    let changes = questions.into_iter().enumerate().map(|(number, question)| {
        let store = if number % 2 == 0 { here } else { there };
        store.change(&id, question)
    });
    for made in all(changes).await {
        done(made, rule)?;
    }
    same(load(there, &id).await?, Some(text(&expected)?), rule)?;

    let rule = "a task ends once, whoever ends it";
    let ends = [TaskChange::Complete(json("{}")?), TaskChange::Cancel, TaskChange::Complete(json("[]")?)];
    let ends = ends.into_iter().zip([here, there, there]);
    let ended = all(ends.map(|(end, store)| store.change(&id, end))).await;
    let ended = ended.into_iter().map(|end| done(end, rule)).collect::<Result<Vec<_>, _>>()?;
    same(ended.iter().flatten().count(), 1, rule)?;
    for store in [here, there] {
        let end = ended.iter().flatten().map(|task| text(task)).next().transpose()?;
        same(load(store, &id).await?, end, rule)?;
    }

    let rule = "a task whose time is over is not there";
    let old = task(unused("task")?, milliseconds(now()).saturating_sub(3_600_000));
    done(here.insert(old.clone()).await, "a task can be made")?;
    for store in [here, there] {
        same(load(store, &old.id).await?, None, rule)?;
    }
    Ok(())
}

fn task(id: String, created: u64) -> Task {
    Task {
        id,
        principal: Some("ada".to_owned()),
        status: TaskStatus::Working,
        message: None,
        created,
        updated: created,
        ttl: 600_000,
        poll_interval: 1_000,
        requests: BTreeMap::new(),
        answers: BTreeMap::new(),
        result: None,
        error: None,
    }
}

fn json(text: &str) -> Result<Box<RawValue>, Broken> {
    done(RawValue::from_string(text.to_owned()), "JSON can be read")
}

/// A task as JSON, whenever it was changed.
fn text(task: &Task) -> Result<String, Broken> {
    done(serde_json::to_string(&Task { updated: 0, ..task.clone() }), "a task can be written")
}

async fn load(store: &dyn TaskStore, id: &str) -> Result<Option<String>, Broken> {
    let task = done(store.load(id).await, "a task can be asked for")?;
    task.map(|task| text(&task)).transpose()
}

async fn change(
    store: &dyn TaskStore,
    id: &str,
    change: TaskChange,
    rule: &str,
) -> Result<Option<String>, Broken> {
    done(store.change(id, change).await, rule)?.map(|task| text(&task)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::MemoryTasks;

    #[tokio::test]
    async fn the_tasks_in_memory_hold_the_contract() {
        let tasks = MemoryTasks::new(10);
        assert_eq!(task_store(&tasks, &tasks).await, Ok(()));
    }

    #[tokio::test]
    async fn a_store_of_each_worker_breaks_it() {
        let broken = task_store(&MemoryTasks::new(10), &MemoryTasks::new(10)).await;
        let broken = broken.expect_err("they do not share");
        assert!(broken.to_string().starts_with("every worker loads a task"), "{broken}");
    }
}
