//! Which way the process's own streams are read and written: by readiness where the system can say
//! when they are ready, by a thread everywhere else.

use std::io;

use tokio::io::AsyncRead;

use super::{
    outgoing::WriteLines,
    threads::{ThreadReader, ThreadWriter},
};

pub(super) type Reader = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Writer = Box<dyn WriteLines + Send>;

/// The standard input and output of the process, for as long as it lives.
pub(super) struct Streams {
    #[cfg(unix)]
    taken: super::takeover::Takeover,
}

#[cfg(unix)]
impl Streams {
    pub(super) fn take() -> io::Result<Self> {
        Ok(Self { taken: super::takeover::Takeover::start()? })
    }

    pub(super) fn reader(&self) -> io::Result<Reader> {
        reader(self.taken.input())
    }

    pub(super) fn writer(&self) -> io::Result<Writer> {
        writer(self.taken.output())
    }
}

#[cfg(not(unix))]
impl Streams {
    pub(super) fn take() -> io::Result<Self> {
        Ok(Self {})
    }

    pub(super) fn reader(&self) -> io::Result<Reader> {
        Ok(Box::new(ThreadReader::start(io::stdin())?))
    }

    pub(super) fn writer(&self) -> io::Result<Writer> {
        Ok(Box::new(ThreadWriter::start(io::stdout())?))
    }
}

/// Reads from what the process was given.
#[cfg(unix)]
pub(super) fn reader(stream: std::os::fd::BorrowedFd<'_>) -> io::Result<Reader> {
    #[cfg(target_os = "linux")]
    if let Some(ready) = super::readiness::Ready::reader(stream) {
        return Ok(Box::new(ready));
    }
    Ok(Box::new(ThreadReader::start(Patient(stream.try_clone_to_owned()?.into()))?))
}

/// Writes to what the process was given.
#[cfg(unix)]
pub(super) fn writer(stream: std::os::fd::BorrowedFd<'_>) -> io::Result<Writer> {
    #[cfg(target_os = "linux")]
    if let Some(ready) = super::readiness::Ready::writer(stream) {
        return Ok(Box::new(ready));
    }
    Ok(Box::new(ThreadWriter::start(Patient(stream.try_clone_to_owned()?.into()))?))
}

/// A stream that waits, even where somebody who shares it has told it not to.
#[cfg(unix)]
struct Patient(std::fs::File);

#[cfg(unix)]
impl Patient {
    fn wait<T>(
        &mut self,
        flags: rustix::event::PollFlags,
        mut act: impl FnMut(&mut std::fs::File) -> io::Result<T>,
    ) -> io::Result<T> {
        loop {
            match act(&mut self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let ready = rustix::event::poll(&mut [rustix::event::PollFd::new(&self.0, flags)], None);
                    if let Err(error) = ready
                        && error != rustix::io::Errno::INTR
                    {
                        return Err(error.into());
                    }
                }
                done => return done,
            }
        }
    }
}

#[cfg(unix)]
impl io::Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait(rustix::event::PollFlags::IN, |file| file.read(buffer))
    }
}

#[cfg(unix)]
impl io::Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(rustix::event::PollFlags::OUT, |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
