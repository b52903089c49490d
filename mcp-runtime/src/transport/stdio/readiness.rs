//! Pipes and sockets, read and written when the runtime says that they are ready.

use std::{
    io::{self, IoSlice},
    mem::MaybeUninit,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    pin::Pin,
    task::{Context, Poll, ready},
};

use rustix::{
    fs::{FileType, Mode, OFlags, fstat, open},
    io::Errno,
    net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, recv, send, sendmsg},
};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, unix::AsyncFd};

use super::outgoing::WriteLines;

/// One end of a pipe or a socket.
pub(super) struct Ready {
    file: AsyncFd<OwnedFd>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Ours alone: it was opened anew, so that it can be non-blocking while the description that the
    /// parent or standard error share stays as it is.
    Pipe,
    /// Cannot be opened anew: each call says itself that it does not wait.
    Socket,
}

impl Ready {
    /// To read from. `None` for what is never "ready", such as a file.
    pub(super) fn reader(stream: BorrowedFd<'_>) -> Option<Self> {
        Self::open(stream, OFlags::RDONLY, Interest::READABLE)
    }

    /// To write to. `None` for what is never "ready", such as a file.
    pub(super) fn writer(stream: BorrowedFd<'_>) -> Option<Self> {
        Self::open(stream, OFlags::WRONLY, Interest::WRITABLE)
    }

    fn open(stream: BorrowedFd<'_>, access: OFlags, interest: Interest) -> Option<Self> {
        let (file, kind) = match FileType::from_raw_mode(fstat(stream).ok()?.st_mode) {
            FileType::Fifo => {
                let path = format!("/proc/self/fd/{}", stream.as_raw_fd());
                let flags = access | OFlags::NONBLOCK | OFlags::CLOEXEC;
                (open(path, flags, Mode::empty()).ok()?, Kind::Pipe)
            }
            FileType::Socket => (stream.try_clone_to_owned().ok()?, Kind::Socket),
            _ => return None,
        };
        #[expect(
            deprecated,
            reason = "its successor is unsafe, for types that are no owned descriptors; ours is one"
        )]
        let file = AsyncFd::try_with_interest(file, interest).ok()?;
        Some(Self { file, kind })
    }
}

impl Kind {
    fn read(self, file: BorrowedFd<'_>, space: &mut [u8]) -> rustix::io::Result<usize> {
        match self {
            Self::Pipe => rustix::io::read(file, space),
            Self::Socket => recv(file, space, RecvFlags::DONTWAIT).map(|(bytes, _)| bytes),
        }
    }

    fn write(self, file: BorrowedFd<'_>, bytes: &[u8]) -> rustix::io::Result<usize> {
        match self {
            Self::Pipe => rustix::io::write(file, bytes),
            Self::Socket => send(file, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL),
        }
    }

    /// Writes the end of a line, and with it, over a socket, what ends a read of the other side: "ancillary
    /// data forms a kind of barrier for the received data" (unix(7)). It is a descriptor of nothing, which
    /// is closed again by whoever reads without asking for descriptors.
    fn end(self, file: BorrowedFd<'_>) -> rustix::io::Result<usize> {
        if let (Self::Socket, Ok(nothing)) =
            (self, open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()))
        {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut barrier = SendAncillaryBuffer::new(&mut space);
            let nothing = [nothing.as_fd()];
            barrier.push(SendAncillaryMessage::ScmRights(&nothing));
            let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
            match sendmsg(file, &[IoSlice::new(b"\n")], &mut barrier, flags) {
                // Not every sandbox lets descriptors pass.
                Err(error) if error != Errno::AGAIN && error != Errno::INTR => {}
                sent => return sent,
            }
        }
        self.write(file, b"\n")
    }
}

impl AsyncRead for Ready {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.file.poll_read_ready(cx))?;
            let space = buffer.initialize_unfilled();
            match self.kind.read(self.file.as_fd(), space) {
                Ok(bytes) => {
                    // Less than there was space for: it is empty now, and will say when it is not.
                    if 0 < bytes && bytes < space.len() {
                        ready.clear_ready();
                    }
                    buffer.advance(bytes);
                    return Poll::Ready(Ok(()));
                }
                Err(Errno::AGAIN) => ready.clear_ready(),
                Err(Errno::INTR) => {}
                Err(error) => return Poll::Ready(Err(error.into())),
            }
        }
    }
}

impl Ready {
    /// Writes that many bytes when it is ready.
    fn poll_with(
        &self,
        cx: &mut Context<'_>,
        bytes: usize,
        write: impl Fn(BorrowedFd<'_>) -> rustix::io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.file.poll_write_ready(cx))?;
            match write(self.file.as_fd()) {
                Ok(written) => {
                    // Less than there was to write: it is full now, and will say when it is not.
                    if 0 < written && written < bytes {
                        ready.clear_ready();
                    }
                    return Poll::Ready(Ok(written));
                }
                Err(Errno::AGAIN) => ready.clear_ready(),
                Err(Errno::INTR) => {}
                Err(error) => return Poll::Ready(Err(error.into())),
            }
        }
    }
}

impl WriteLines for Ready {
    fn poll_end(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.poll_with(cx, 1, |file| self.kind.end(file))
    }
}

impl AsyncWrite for Ready {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_with(cx, bytes.len(), |file| self.kind.write(file, bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
