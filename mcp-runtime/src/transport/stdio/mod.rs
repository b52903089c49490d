//! Messages as lines: over the process's own standard input and output, or over any pair of streams.

mod lines;
mod outgoing;
mod parked;
#[cfg(target_os = "linux")]
mod readiness;
mod streams;
#[cfg(unix)]
mod takeover;
mod talk;
#[cfg(test)]
mod tests;
mod threads;

use std::{future::poll_fn, io, sync::Arc};

use tokio::{
    io::AsyncRead,
    runtime::{Handle, RuntimeFlavor},
    task::JoinSet,
};

use self::{outgoing::WriteLines, talk::Talk};
use crate::{dispatch::Core, era::Connection, notify::Outbox};

/// Serves the client at the other end of standard input and output, until it closes its end or the
/// server stops.
///
/// For that time the standard output belongs to the protocol: whatever else is printed there goes to
/// standard error, and nothing else can read standard input (on Unix).
pub(crate) async fn serve(core: Arc<Core>) -> io::Result<()> {
    let streams = streams::Streams::take()?;
    let (reader, writer) = (streams.reader()?, streams.writer()?);
    let serving = serve_on(core, reader, writer);
    if Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread {
        return serving.await;
    }
    // On a worker: the one that hears of new lines serves them itself, instead of waking this thread.
    let mut worker = JoinSet::new();
    worker.spawn(serving);
    match worker.join_next().await {
        Some(Ok(served)) => served,
        Some(Err(error)) => match error.try_into_panic() {
            Ok(payload) => std::panic::resume_unwind(payload),
            Err(error) => Err(io::Error::other(error)),
        },
        None => Ok(()),
    }
}

/// Serves the client at the other end of two streams, until there is nothing more to read, nobody
/// reads any more, or the server stops. What is in flight then is finished, within the grace.
pub(crate) async fn serve_on<R, W>(core: Arc<Core>, reader: R, writer: W) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: WriteLines,
{
    let outbox = Arc::<Outbox>::default();
    let connection = Connection::new(core.clone(), outbox.clone());
    let serve = |message| connection.clone().message(message);
    let mut talk = Talk::new(reader, writer, core.limits, outbox.clone(), serve);
    let talked = tokio::select! {
        biased;
        talked = poll_fn(|cx| talk.poll(cx)) => talked,
        () = core.closing.cancelled() => Ok(()),
    };
    let done = match talked {
        Ok(()) => {
            talk.close();
            connection.ended().await;
            finish(&core, poll_fn(|cx| talk.poll(cx))).await
        }
        Err(error) => Err(error),
    };
    outbox.close();
    match done {
        Err(error) if is_gone(&error) => Ok(()),
        Ok(false) => {
            tracing::warn!(requests = talk.in_flight(), "the client got no answer: the grace is over");
            Ok(())
        }
        done => done.map(|_| ()),
    }
}

/// `false` when it takes too long.
async fn finish(core: &Core, rest: impl Future<Output = io::Result<()>>) -> io::Result<bool> {
    match tokio::time::timeout(core.limits.grace, rest).await {
        Ok(finished) => finished.map(|()| true),
        Err(_) => Ok(false),
    }
}

/// Whether the other end is closed, which is how a client leaves.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, WriteZero};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | WriteZero)
}
