//! Whether anyone still waits for a result.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Notify;

/// Set once, when a request is cancelled or its client is gone; or over, when it was answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    set: AtomicBool,
    over: AtomicBool,
    heard: Notify,
}

impl Cancel {
    pub(crate) fn cancel(&self) {
        self.0.set.store(true, Ordering::Release);
        self.0.heard.notify_waiters();
    }

    /// The request has its result, or never gets one.
    pub(crate) fn end(&self) {
        self.0.over.store(true, Ordering::Release);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.over.load(Ordering::Acquire) || self.is_cancelled()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.set.load(Ordering::Acquire)
    }

    pub(crate) async fn cancelled(&self) {
        loop {
            let heard = self.0.heard.notified();
            if self.is_cancelled() {
                return;
            }
            heard.await;
        }
    }
}
