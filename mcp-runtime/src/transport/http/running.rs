//! What serves one exchange, and outlives its client where the client's revision says so.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::{runtime::Handle, sync::Semaphore};

use crate::{
    BoxFuture,
    notify::{Outbound, Outbox},
};

/// The work of one exchange, and what it sends before its result. Dropping it cancels the work,
/// unless it was detached from its client: then it goes on by itself, and its result is for nobody.
pub(super) struct Running<T: Send + 'static> {
    work: Option<BoxFuture<'static, T>>,
    outbox: Arc<Outbox>,
    /// Places for work that goes on without a client.
    places: Arc<Semaphore>,
}

impl<T: Send + 'static> Running<T> {
    pub(super) fn new(work: BoxFuture<'static, T>, outbox: Arc<Outbox>, places: Arc<Semaphore>) -> Self {
        Self { work: Some(work), outbox, places }
    }

    /// Goes on with the work. Not to be called again once it is done.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<T> {
        let Some(work) = &mut self.work else { return Poll::Pending };
        let done = Pin::as_mut(work).poll(cx);
        if done.is_ready() {
            self.work = None;
        }
        done
    }

    /// The next message that goes out before the result.
    pub(super) fn poll_message(&self, cx: &mut Context<'_>) -> Poll<Option<Outbound>> {
        self.outbox.poll_next(cx)
    }
}

impl<T: Send + 'static> Drop for Running<T> {
    fn drop(&mut self) {
        // Nobody reads any more: whoever waits for room would wait for ever.
        self.outbox.close();
        let Some(work) = self.work.take().filter(|_| self.outbox.is_detached()) else { return };
        let (Ok(place), Ok(runtime)) = (self.places.clone().try_acquire_owned(), Handle::try_current())
        else {
            tracing::warn!(
                "a call whose client hung up was stopped: too many of them are running, or the server stops"
            );
            return;
        };
        runtime.spawn(async move {
            work.await;
            drop(place);
        });
    }
}
