//! Where a call waits to become a task.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use tokio::sync::Notify;

use super::Job;

/// Stands before the body of a function whose call may become a task.
#[derive(Default)]
pub(crate) struct Gate {
    reached: Notify,
    opened: Notify,
    job: OnceLock<Arc<Job>>,
}

impl Gate {
    /// Waits until the call is a task.
    pub(crate) async fn pass(&self) {
        self.reached.notify_one();
        self.opened.notified().await;
    }

    /// Returns when the call is about to run its body.
    pub(crate) async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Lets the body run, as this task.
    pub(crate) fn open(&self, job: Arc<Job>) {
        _ = self.job.set(job);
        self.opened.notify_one();
    }

    /// The task that the call has become.
    pub(crate) fn job(&self) -> Option<&Arc<Job>> {
        self.job.get()
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("job", &self.job.get()).finish_non_exhaustive()
    }
}
