//! What outlives a request: the sessions of older clients, and tasks.

mod id;
mod memory;
mod session;
mod task;
mod tasks;

pub(crate) use id::new_id;
pub use memory::MemorySessions;
pub use session::{Session, SessionChange, SessionStore, StoreError};
pub use task::{InputRequest, Task, TaskChange, TaskStatus, TaskStore};
pub use tasks::MemoryTasks;
pub(crate) use tasks::now;
