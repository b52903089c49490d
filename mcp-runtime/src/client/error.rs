//! Why a request of a client failed.

use std::fmt;

use serde_json::Value;

/// Why a request of a client failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The server answered with an error.
    Refused {
        /// Its code.
        code: i64,
        /// Its message.
        message: String,
        /// Its data.
        data: Option<Value>,
    },
    /// What came is not what the protocol says.
    Protocol(String),
}

impl ClientError {
    /// The code of the server's error.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        match self {
            Self::Refused { code, .. } => Some(*code),
            Self::Protocol(_) => None,
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { code, message, .. } => write!(f, "{message} ({code})"),
            Self::Protocol(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<serde_json::Error> for ClientError {
    fn from(error: serde_json::Error) -> Self {
        Self::Protocol(format!("the answer is not what the protocol says: {error}"))
    }
}
