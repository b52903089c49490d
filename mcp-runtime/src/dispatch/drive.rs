//! Runs a function until it is done, must wait for its client, takes too long, or nobody waits for it.

use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::{Context as Task, Poll},
    time::Duration,
};

use tokio::time::sleep;

use crate::{
    BoxFuture,
    ask::Round,
    handler::{
        call::{Call, Outcome},
        context::Inner,
        current::within,
        def::Handler,
        error::Error,
    },
};

/// Hears that a client cancelled one of its requests.
pub(crate) trait Interrupt: Send + Sync {
    /// Returns when the request of this id is cancelled. It listens from the time of this call on.
    fn interrupted(&self, id: &str) -> BoxFuture<'static, ()>;

    /// Returns when the client sends nothing more, where that can be known.
    fn ended(&self) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }
}

/// Runs a function for one call. `None` when its client cancelled: nothing is sent then.
pub(crate) async fn drive<'a>(
    call: &'a Call<'a>,
    handler: Handler,
    limit: Duration,
    interrupt: Option<&dyn Interrupt>,
) -> Option<Outcome> {
    let inner = call.context.inner();
    // Whoever drops this future no longer waits for the result.
    let guard = Guard { inner, done: false };
    let mut running = Running { handler: Some(handler(call)), call, round: &inner.round };
    if let Poll::Ready(outcome) = poll_fn(|cx| Poll::Ready(running.poll(cx))).await {
        guard.disarm();
        return Some(outcome);
    }
    let mut interrupted = interrupt.map(|interrupt| interrupt.interrupted(call.id));
    let mut clock = pin!(sleep(limit));
    let outcome = poll_fn(|cx| {
        if let Poll::Ready(outcome) = running.poll(cx) {
            return Poll::Ready(Some(outcome));
        }
        if let Some(interrupted) = &mut interrupted
            && interrupted.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(None);
        }
        while clock.as_mut().poll(cx).is_ready() {
            if !inner.round.is_waiting() {
                return Poll::Ready(Some(late(call, limit)));
            }
            clock.set(sleep(limit));
        }
        Poll::Pending
    })
    .await;
    if outcome.is_some() {
        guard.disarm();
    }
    outcome
}

struct Running<'a> {
    handler: Option<BoxFuture<'a, Outcome>>,
    call: &'a Call<'a>,
    round: &'a Round,
}

impl Running<'_> {
    fn poll(&mut self, cx: &mut Task<'_>) -> Poll<Outcome> {
        let Some(handler) = &mut self.handler else { return Poll::Ready(Outcome::Open) };
        let poll = || within(&self.call.context, || handler.as_mut().poll(cx));
        match catch_unwind(AssertUnwindSafe(poll)) {
            Ok(Poll::Ready(outcome)) => {
                Poll::Ready(if self.round.is_refused() { Outcome::Open } else { outcome })
            }
            Ok(Poll::Pending) => {
                self.round.watch(cx.waker());
                if self.round.must_stop() {
                    self.handler = None;
                    return Poll::Ready(Outcome::Open);
                }
                Poll::Pending
            }
            Err(payload) => {
                self.handler = None;
                Poll::Ready(panicked(self.call, &*payload))
            }
        }
    }
}

/// Ends what a context that outlives its call could still send.
struct Guard<'a> {
    inner: &'a Inner,
    done: bool,
}

impl Guard<'_> {
    fn disarm(mut self) {
        self.done = true;
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Some(progress) = &self.inner.progress {
            progress.end();
        }
        self.inner.cancel.end();
        if !self.done {
            self.inner.cancel.cancel();
        }
    }
}

fn panicked(call: &Call<'_>, payload: &(dyn Any + Send)) -> Outcome {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let (kind, name) = (call.target.kind.word(), &call.target.name);
    tracing::error!(kind, name, payload = text.unwrap_or("not a text"), "a function panicked");
    call.fail(&Error::new(format!("The {kind} `{name}` failed unexpectedly")))
}

fn late(call: &Call<'_>, limit: Duration) -> Outcome {
    let (kind, name) = (call.target.kind.word(), &call.target.name);
    tracing::warn!(kind, name, ?limit, "a function took too long and was stopped");
    // What is left of a plain function on another thread can see that nobody waits.
    call.context.inner().cancel.cancel();
    call.fail(&Error::new(format!("The {kind} `{name}` was stopped: it took longer than {limit:?}")))
}
