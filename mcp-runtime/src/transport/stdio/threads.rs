//! Streams that can only be waited for by a thread: files, terminals, and all of them on some systems.

use std::{
    io::{self, Read, Write},
    pin::Pin,
    sync::mpsc as threads,
    task::{Context, Poll, ready},
    thread,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::mpsc,
};

use super::outgoing::WriteLines;

/// Bytes that one read may bring.
const CHUNK: usize = 64 * 1024;
/// Reads that may wait to be looked at.
const AHEAD: usize = 2;

/// Reads on a thread of its own. The thread ends with the stream; nothing can end it before.
pub(super) struct ThreadReader {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    taken: usize,
}

impl ThreadReader {
    pub(super) fn start(mut stream: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, chunks) = mpsc::channel(AHEAD);
        thread::Builder::new().name("stdin".into()).spawn(move || {
            let mut buffer = vec![0; CHUNK];
            loop {
                let read = match stream.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(bytes) => Ok(buffer[..bytes].to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let failed = read.is_err();
                if sender.blocking_send(read).is_err() || failed {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, chunk: Vec::new(), taken: 0 })
    }
}

impl AsyncRead for ThreadReader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.taken == self.chunk.len() {
            match ready!(self.chunks.poll_recv(cx)) {
                Some(chunk) => (self.chunk, self.taken) = (chunk?, 0),
                None => return Poll::Ready(Ok(())),
            }
        }
        let rest = &self.chunk[self.taken..];
        let bytes = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..bytes]);
        self.taken += bytes;
        Poll::Ready(Ok(()))
    }
}

/// Writes on a thread of its own, one piece at a time.
pub(super) struct ThreadWriter {
    pieces: threads::Sender<Vec<u8>>,
    written: mpsc::Receiver<io::Result<Vec<u8>>>,
    /// Memory for the next piece; none while one is written.
    place: Option<Vec<u8>>,
}

impl ThreadWriter {
    pub(super) fn start(mut stream: impl Write + Send + 'static) -> io::Result<Self> {
        let (pieces, receiver) = threads::channel::<Vec<u8>>();
        let (sender, written) = mpsc::channel(1);
        thread::Builder::new().name("stdout".into()).spawn(move || {
            for mut piece in receiver {
                let done = stream.write_all(&piece).and_then(|()| stream.flush()).map(|()| {
                    piece.clear();
                    piece
                });
                if sender.blocking_send(done).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { pieces, written, place: Some(Vec::new()) })
    }

    /// Waits until nothing is being written.
    fn poll_place(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<&mut Vec<u8>>> {
        if self.place.is_none() {
            let done = ready!(self.written.poll_recv(cx)).unwrap_or(Err(io::ErrorKind::BrokenPipe.into()));
            self.place = Some(done?);
        }
        Poll::Ready(Ok(self.place.get_or_insert_default()))
    }
}

impl WriteLines for ThreadWriter {}

impl AsyncWrite for ThreadWriter {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let place = ready!(self.poll_place(cx))?;
        place.extend_from_slice(bytes);
        let piece = std::mem::take(place);
        self.place = None;
        if self.pieces.send(piece).is_err() {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_place(cx))?;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
