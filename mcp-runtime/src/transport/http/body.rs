//! The body of a response: nothing, one message, or events as they come.

use std::{
    convert::Infallible,
    fmt,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

use super::{
    running::Running,
    sse::{COMMENT, write_event, write_message},
};
use crate::era::Posted;

/// Time without an event after which a comment is sent.
const QUIET: Duration = Duration::from_secs(15);
/// Bytes that are written in one go.
const CHUNK: usize = 64 * 1024;

/// The body of the service's responses. Dropping a stream ends what it is the answer to.
pub struct HttpBody(Kind);

enum Kind {
    Full(Bytes),
    Events(Box<Events>),
}

/// A stream of events, with the work that they come from.
struct Events {
    source: Source,
    /// What is ready to be written.
    ready: Vec<u8>,
    quiet: Pin<Box<Sleep>>,
    done: bool,
}

/// Where events come from.
pub(super) enum Source {
    /// A call, whose result is the last event; the result, if it is there already.
    Call(Running<Posted>, Option<Posted>),
    /// A session's stream.
    Listener(Running<()>),
}

impl HttpBody {
    pub(super) fn empty() -> Self {
        Self::full(Bytes::new())
    }

    pub(super) fn full(bytes: Bytes) -> Self {
        Self(Kind::Full(bytes))
    }

    /// Events, of which some are there already.
    pub(super) fn events(source: Source, ready: Vec<u8>) -> Self {
        Self(Kind::Events(Box::new(Events { source, ready, quiet: Box::pin(sleep(QUIET)), done: false })))
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = match &mut self.0 {
            Kind::Full(bytes) if bytes.is_empty() => None,
            Kind::Full(bytes) => Some(std::mem::take(bytes)),
            Kind::Events(events) => std::task::ready!(events.poll(cx)),
        };
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Full(bytes) => bytes.is_empty(),
            Kind::Events(events) => events.done && events.ready.is_empty(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Full(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Kind::Events(_) => SizeHint::default(),
        }
    }
}

impl Events {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut last = None;
        if !self.done {
            match &mut self.source {
                Source::Call(call, result) => {
                    let posted = result.take().map_or_else(|| call.poll(cx), Poll::Ready);
                    if let Poll::Ready(posted) = posted {
                        self.done = true;
                        if let Posted::Reply(reply, _) = posted {
                            last = Some(reply.message);
                        }
                    }
                }
                Source::Listener(listener) => self.done = listener.poll(cx).is_ready(),
            }
        }
        // What was sent before the result goes out before it, all of it.
        while self.ready.len() < CHUNK || self.done {
            let message = match &self.source {
                Source::Call(call, _) => call.poll_message(cx),
                Source::Listener(listener) => listener.poll_message(cx),
            };
            match message {
                Poll::Ready(Some(outbound)) => write_event(&mut self.ready, &outbound),
                // The client comes back for the rest.
                Poll::Ready(None) => {
                    self.done = true;
                    break;
                }
                Poll::Pending => break,
            }
        }
        if let Some(last) = last {
            write_message(&mut self.ready, &last);
        }
        if self.ready.is_empty() {
            if self.done {
                return Poll::Ready(None);
            }
            std::task::ready!(self.quiet.as_mut().poll(cx));
            self.ready.extend_from_slice(COMMENT);
        }
        self.quiet.as_mut().reset(Instant::now() + QUIET);
        Poll::Ready(Some(std::mem::take(&mut self.ready).into()))
    }
}

impl fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Full(bytes) => f.debug_tuple("HttpBody").field(&bytes.len()).finish(),
            Kind::Events(_) => f.write_str("HttpBody(events)"),
        }
    }
}
