//! What outlives a request of an older client: its session.

mod memory;
mod session;

pub use memory::MemorySessions;
pub use session::{Session, SessionChange, SessionStore, StoreError};
