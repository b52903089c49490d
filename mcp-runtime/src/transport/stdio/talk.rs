//! The exchange of lines with one client, by one task: it reads, serves what is quickly served, and
//! writes. What takes longer goes on in a task of its own.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

use bytes::Bytes;
use tokio::{
    io::{AsyncRead, ReadBuf},
    task::{JoinSet, coop::poll_proceed},
};

use super::{
    lines::{Line, Lines},
    outgoing::{Outgoing, WriteLines},
    parked::Parked,
};
use crate::{
    dispatch::Limits,
    era::{Glance, Served, glance, parse_error},
    notify::Outbox,
};

/// An exchange. `S` begins to serve a message.
pub(super) struct Talk<R, W, S, F> {
    reader: R,
    writer: W,
    serve: S,
    outbox: Arc<Outbox>,
    limits: Limits,
    lines: Lines,
    out: Outgoing,
    running: JoinSet<()>,
    parked: Parked,
    /// Where the next message is served; its memory is used again and again.
    place: Option<Pin<Box<F>>>,
    /// More may be read.
    open: bool,
    /// The last line was garbage, and that has been said.
    garbled: bool,
}

impl<R, W, S, F> Talk<R, W, S, F>
where
    R: AsyncRead + Unpin,
    W: WriteLines,
    S: FnMut(Bytes) -> F,
    F: Future<Output = Served> + Send + 'static,
{
    pub(super) fn new(reader: R, writer: W, limits: Limits, outbox: Arc<Outbox>, serve: S) -> Self {
        Self {
            reader,
            writer,
            serve,
            outbox,
            limits,
            lines: Lines::new(limits.message),
            out: Outgoing::default(),
            running: JoinSet::new(),
            parked: Parked::default(),
            place: None,
            open: true,
            garbled: false,
        }
    }

    /// Reads nothing more.
    pub(super) fn close(&mut self) {
        self.open = false;
    }

    /// Requests that are still served.
    pub(super) fn in_flight(&self) -> usize {
        self.running.len()
    }

    /// Goes on: ready when there is nothing more to read, and after that when all is answered.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            while let Poll::Ready(Some(_)) = self.running.poll_join_next(cx) {}
            self.collect(cx);
            let written = self.out.poll_write(cx, &mut self.writer)?;
            if ready!(self.poll_serve(cx)) {
                continue;
            }
            if self.open {
                // While answers wait for a client that does not read, or requests for others to end,
                // the client has to wait too.
                if self.out.has_room() && self.parked.has_room() {
                    if ready!(self.poll_read(cx))? {
                        continue;
                    }
                    self.open = false;
                    if let Some(line) = self.lines.rest() {
                        self.line(line, cx);
                    }
                    return Poll::Ready(Ok(()));
                }
            } else if written.is_ready() && self.parked.is_empty() && self.running.is_empty() {
                // The last task may have said something on its way out.
                if self.outbox.is_empty() {
                    return Poll::Ready(Ok(()));
                }
                continue;
            }
            return Poll::Pending;
        }
    }

    /// `false` at the end of what there is to read.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<bool>> {
        let mut space = ReadBuf::new(self.lines.space());
        match ready!(Pin::new(&mut self.reader).poll_read(cx, &mut space)) {
            Ok(()) => {
                let bytes = space.filled().len();
                self.lines.filled(bytes);
                Poll::Ready(Ok(bytes > 0))
            }
            Err(error) if super::is_gone(&error) => Poll::Ready(Ok(false)),
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    /// Serves what was read; whether there was anything.
    fn poll_serve(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        let mut served = false;
        while self.out.has_room() {
            if self.running.len() < self.limits.concurrent
                && let Some(request) = self.parked.next()
            {
                self.start(request, cx);
            } else if self.parked.has_room()
                && let Some(line) = self.lines.take()
            {
                self.line(line, cx);
            } else {
                break;
            }
            served = true;
            // Other tasks of this thread have their turn.
            ready!(poll_proceed(cx)).made_progress();
        }
        Poll::Ready(served)
    }

    fn line(&mut self, line: Line, cx: &mut Context<'_>) {
        let garbage = match line {
            Line::Text(message) => return self.message(message, cx),
            Line::NotText => parse_error("a message has to be UTF-8"),
            Line::TooLong => parse_error(format_args!(
                "a message may have {} bytes, and this one has more",
                self.limits.message
            )),
        };
        self.garbage(&garbage.message);
    }

    fn message(&mut self, message: Bytes, cx: &mut Context<'_>) {
        if self.running.len() >= self.limits.concurrent || !self.parked.is_empty() {
            match glance(&message) {
                Glance::Request(id) => return self.parked.add(id, message),
                Glance::Cancels(id) => self.parked.cancel(&id),
                Glance::Other => {}
            }
        }
        self.start(message, cx);
    }

    fn start(&mut self, message: Bytes, cx: &mut Context<'_>) {
        let mut place = match self.place.take() {
            Some(mut place) => {
                place.set((self.serve)(message));
                place
            }
            None => Box::pin((self.serve)(message)),
        };
        // A task polls what it is given at once, and only then waits.
        match place.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(served) => {
                self.place = Some(place);
                self.done(&served, cx);
            }
            Poll::Pending => {
                self.garbled = false;
                let outbox = self.outbox.clone();
                self.running.spawn(async move {
                    if let Served::Reply(message) | Served::Garbled(message) = place.await {
                        // Fails when nobody is there any more.
                        _ = outbox.send(message).await;
                    }
                });
            }
        }
    }

    fn done(&mut self, served: &Served, cx: &mut Context<'_>) {
        match served {
            Served::Garbled(message) => return self.garbage(message),
            Served::Reply(message) => {
                // What a function sent on its way comes before its answer.
                while !self.outbox.is_empty()
                    && let Poll::Ready(Some(outbound)) = self.outbox.poll_next(cx)
                {
                    self.out.push(&outbound);
                }
                self.out.push_line(message);
            }
            Served::Nothing => {}
        }
        self.garbled = false;
    }

    /// Says once in a row that what comes is garbage. To answer every line of a client that logs to
    /// its standard output what it reads would never end.
    fn garbage(&mut self, message: &[u8]) {
        if !std::mem::replace(&mut self.garbled, true) {
            self.out.push_line(message);
        }
    }

    /// Takes what waits in the outbox, as long as there is room.
    fn collect(&mut self, cx: &mut Context<'_>) {
        while self.out.has_room()
            && let Poll::Ready(Some(outbound)) = self.outbox.poll_next(cx)
        {
            self.out.push(&outbound);
        }
    }
}
