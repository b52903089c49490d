//! The start-up report: everything that is wrong with a server, in one message, with file and line.

use std::fmt;

use crate::handler::def::Location;

/// What is wrong with a server: all of it.
pub struct StartError {
    problems: Vec<String>,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.len() {
            1 => f.write_str("the server cannot start:")?,
            many => write!(f, "the server cannot start, for {many} reasons:")?,
        }
        for problem in &self.problems {
            write!(f, "\n  - {problem}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for StartError {}

/// Collects what is wrong.
#[derive(Default)]
pub(crate) struct Report(Vec<String>);

impl Report {
    pub(crate) fn add(&mut self, problem: impl Into<String>) {
        self.0.push(problem.into());
    }

    /// A problem of something that was written somewhere.
    pub(crate) fn at(&mut self, location: Location, problem: impl fmt::Display) {
        self.0.push(format!("{location}: {problem}"));
    }

    pub(crate) fn finish(mut self) -> Result<(), StartError> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort();
        self.0.dedup();
        Err(StartError { problems: self.0 })
    }
}
