//! Lines on their way out, written together.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::AsyncWrite;

use crate::notify::Outbound;

/// Bytes that may wait before nothing more is read.
const ROOM: usize = 256 * 1024;

/// Where lines go.
pub(crate) trait WriteLines: AsyncWrite + Unpin {
    /// Writes the end of a line that is to be read by itself: where the stream has a way to say so, a
    /// read of the other side ends with it.
    fn poll_end(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.as_mut().poll_write(cx, b"\n")
    }
}

impl<W: WriteLines + ?Sized> WriteLines for Box<W> {
    fn poll_end(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        Pin::new(&mut **self).poll_end(cx)
    }
}

/// What waits to be written.
#[derive(Default)]
pub(super) struct Outgoing {
    bytes: Vec<u8>,
    written: usize,
    /// Where the ends of lines stand that are to be read by themselves.
    ends: VecDeque<usize>,
    flushed: bool,
}

impl Outgoing {
    pub(super) fn push(&mut self, outbound: &Outbound) {
        self.push_line(&outbound.message);
        if outbound.apart {
            self.ends.push_back(self.bytes.len() - 1);
        }
    }

    pub(super) fn push_line(&mut self, message: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(message);
        // JSON that somebody laid out nicely: between tokens, a space says the same.
        if message.contains(&b'\n') {
            for byte in self.bytes[start..].iter_mut().filter(|byte| **byte == b'\n') {
                *byte = b' ';
            }
        }
        self.bytes.push(b'\n');
        self.flushed = false;
    }

    /// Whether more may be added.
    pub(super) fn has_room(&self) -> bool {
        self.bytes.len() - self.written < ROOM
    }

    /// Writes; ready when nothing waits any more.
    pub(super) fn poll_write<W: WriteLines>(
        &mut self,
        cx: &mut Context<'_>,
        writer: &mut W,
    ) -> Poll<io::Result<()>> {
        while self.written < self.bytes.len() {
            let writer = Pin::new(&mut *writer);
            let written = match self.ends.front() {
                Some(&end) if end == self.written => writer.poll_end(cx),
                Some(&end) => writer.poll_write(cx, &self.bytes[self.written..end]),
                None => writer.poll_write(cx, &self.bytes[self.written..]),
            };
            match written {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(bytes)) => {
                    self.written += bytes;
                    self.ends.pop_front_if(|end| *end < self.written);
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {
                    if self.written > ROOM {
                        self.bytes.drain(..self.written);
                        self.ends.iter_mut().for_each(|end| *end -= self.written);
                        self.written = 0;
                    }
                    return Poll::Pending;
                }
            }
        }
        self.bytes.clear();
        self.bytes.shrink_to(4 * ROOM);
        self.written = 0;
        if !self.flushed {
            ready!(Pin::new(writer).poll_flush(cx))?;
            self.flushed = true;
        }
        Poll::Ready(Ok(()))
    }
}
