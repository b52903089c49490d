//! What a [`SessionStore`](crate::SessionStore), a [`Bus`](crate::Bus), an [`EventLog`](crate::EventLog)
//! and a [`TaskStore`](crate::TaskStore) have to hold, as suites that every implementation can run in its tests.
//!
//! Each takes the implementation as two workers of a server have it: for one process, the same twice.
//!
//! ```
//! use mcp_runtime::{
//!     LocalBus,
//!     contract::{self, Broken},
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Broken> {
//! let bus = LocalBus::default();
//! contract::bus(&bus, &bus).await
//! # }
//! ```

mod bus;
mod event_log;
mod session_store;
mod task_store;

pub use bus::bus;
pub use event_log::event_log;
pub use session_store::session_store;
pub use task_store::task_store;

use std::fmt;

/// A rule that an implementation breaks.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken(String);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

/// Says that what was done did not fail.
fn done<T, E: fmt::Display>(result: Result<T, E>, rule: &str) -> Result<T, Broken> {
    result.map_err(|error| Broken(format!("{rule}: {error}")))
}

/// Says that two things are the same.
fn same<T: PartialEq + fmt::Debug>(found: T, expected: T, rule: &str) -> Result<(), Broken> {
    if found == expected {
        return Ok(());
    }
    Err(Broken(format!("{rule}: expected {expected:?}, found {found:?}")))
}

/// A name that no run before has used, for stores that outlive one.
fn unused(what: &str) -> Result<String, Broken> {
    let mut bytes = [0; 8];
    done(getrandom::fill(&mut bytes), "there are random numbers")?;
    Ok(format!("{what}-{:016x}", u64::from_ne_bytes(bytes)))
}
