//! How grave a log message is.

use serde::{Deserialize, Serialize};

/// The level of a log message (server/utilities/logging), from RFC 5424.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Details for debugging.
    Debug,
    /// What normally happens.
    Info,
    /// Normal, but worth noticing.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// A component fails.
    Critical,
    /// Something has to be done at once.
    Alert,
    /// The system is unusable.
    Emergency,
}
