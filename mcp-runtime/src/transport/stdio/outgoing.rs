//! Lines on their way out, written together.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::AsyncWrite;

/// Bytes that may wait before nothing more is read.
const ROOM: usize = 256 * 1024;

/// What waits to be written.
#[derive(Default)]
pub(super) struct Outgoing {
    bytes: Vec<u8>,
    written: usize,
    flushed: bool,
}

impl Outgoing {
    pub(super) fn push(&mut self, message: &[u8]) {
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
    pub(super) fn poll_write<W: AsyncWrite + Unpin>(
        &mut self,
        cx: &mut Context<'_>,
        writer: &mut W,
    ) -> Poll<io::Result<()>> {
        while self.written < self.bytes.len() {
            match Pin::new(&mut *writer).poll_write(cx, &self.bytes[self.written..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(bytes)) => self.written += bytes,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {
                    if self.written > ROOM {
                        self.bytes.drain(..self.written);
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
