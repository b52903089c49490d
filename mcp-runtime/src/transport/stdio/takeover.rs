//! The process's own streams, taken away from everybody else in it.

use std::{
    io::{self, Write},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use rustix::{
    fs::{Mode, OFlags, open},
    io::fcntl_dupfd_cloexec,
    stdio,
};

/// The real standard input and output. Until it is dropped, the process's output of that name is
/// standard error, and its input is empty: neither `println!` nor a child process gets between the
/// lines of the protocol.
pub(super) struct Takeover {
    input: OwnedFd,
    output: OwnedFd,
}

impl Takeover {
    pub(super) fn start() -> io::Result<Self> {
        // Not to be one of the three numbers that have a meaning.
        let input = fcntl_dupfd_cloexec(stdio::stdin(), 3)?;
        let output = fcntl_dupfd_cloexec(stdio::stdout(), 3)?;
        // From here on, what fails is undone.
        let taken = Self { input, output };
        stdio::dup2_stdout(stdio::stderr())?;
        stdio::dup2_stdin(open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)?;
        Ok(taken)
    }

    pub(super) fn input(&self) -> BorrowedFd<'_> {
        self.input.as_fd()
    }

    pub(super) fn output(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }
}

impl Drop for Takeover {
    fn drop(&mut self) {
        // What somebody began to print is not for the client either.
        _ = io::stdout().flush();
        for undone in [stdio::dup2_stdout(&self.output), stdio::dup2_stdin(&self.input)] {
            if let Err(error) = undone {
                tracing::warn!(%error, "standard input and output could not be given back");
            }
        }
    }
}
