//! What outlives a request: the sessions of older clients and what they were sent, and tasks.

pub mod contract;
mod event_log;
mod id;
mod memory_events;
mod memory_sessions;
mod memory_tasks;
mod session;
mod task;

pub use event_log::{EventLog, EventLogError, LoggedEvent, Replay};
pub(crate) use id::new_id;
pub use memory_events::MemoryEvents;
pub use memory_sessions::MemorySessions;
pub use memory_tasks::MemoryTasks;
pub use session::{Session, SessionChange, SessionStore, StoreError};
pub use task::{InputRequest, Task, TaskChange, TaskStatus, TaskStore};
