//! A call that goes on after its request was answered (extension `io.modelcontextprotocol/tasks`).
//!
//! The function is the same with and without the extension: what comes before its body (its
//! resolvers, and their questions) belongs to the request. Where the client takes tasks, the call
//! stops at the body's [`Gate`], the client gets the task, and the body runs on as a [`Job`]: it asks
//! through the task, and its progress is the task's message.

mod gate;
mod job;
mod write;

pub(crate) use gate::Gate;
pub(crate) use job::{Job, Seams};
pub(crate) use write::WireTask;
