//! The tasks of a server of one process.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{StoreError, Task, TaskChange, TaskStore};
use crate::{
    BoxFuture,
    clock::{milliseconds, now},
};

/// Tasks in this process's memory, each until its time is over.
pub struct MemoryTasks {
    tasks: Mutex<Tasks>,
    most: usize,
}

#[derive(Default)]
struct Tasks {
    by_id: HashMap<String, Arc<Task>>,
    /// When the next of them may be over.
    sweep: u64,
}

impl MemoryTasks {
    /// Keeps at most `most` tasks, finished ones included.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { tasks: Mutex::default(), most }
    }

    /// How many tasks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().by_id.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets what is over.
    fn lock(&self) -> MutexGuard<'_, Tasks> {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let now = milliseconds(now());
        if now >= tasks.sweep {
            tasks.by_id.retain(|_, task| !task.is_over(now));
            let next = tasks.by_id.values().map(|task| task.created.saturating_add(task.ttl)).min();
            tasks.sweep = next.unwrap_or(u64::MAX);
        }
        tasks
    }
}

impl TaskStore for MemoryTasks {
    fn insert(&self, task: Task) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let mut tasks = self.lock();
            if tasks.by_id.len() >= self.most {
                return Err(StoreError::Full);
            }
            tasks.sweep = tasks.sweep.min(task.created.saturating_add(task.ttl));
            tasks.by_id.insert(task.id.clone(), Arc::new(task));
            Ok(())
        })
    }

    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Arc<Task>>, StoreError>> {
        Box::pin(async move { Ok(self.lock().by_id.get(id).cloned()) })
    }

    fn change<'a>(
        &'a self,
        id: &'a str,
        change: TaskChange,
    ) -> BoxFuture<'a, Result<Option<Arc<Task>>, StoreError>> {
        Box::pin(async move {
            let mut tasks = self.lock();
            let Some(task) = tasks.by_id.get_mut(id) else { return Ok(None) };
            Ok(Arc::make_mut(task).apply(change, milliseconds(now())).then(|| task.clone()))
        })
    }
}

impl fmt::Debug for MemoryTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryTasks").field("most", &self.most).finish_non_exhaustive()
    }
}
