//! Servers for the Model Context Protocol from plain functions, for clients of every revision.
//!
//! Start with [`tool`], [`Server`] and the [`prelude`].

#![cfg_attr(
    not(feature = "http"),
    allow(dead_code, unused_imports, reason = "what only HTTP needs of the eras stays where it belongs")
)]

use std::{future::Future, pin::Pin};

mod ask;
mod auth;
mod catalog;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "client")]
pub mod client;
mod clock;
mod dispatch;
mod era;
mod handle;
mod handler;
#[cfg(feature = "log")]
pub mod log;
mod macros;
mod notify;
pub mod prelude;
mod protocol;
mod schema;
mod server;
mod store;
mod task;
mod transport;

// Expansions name the crate by its name, in its own tests too.
extern crate self as mcp_runtime;

/// A future behind a pointer, as the seams return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

pub use ask::*;
#[cfg(feature = "auth")]
pub use auth::{Algorithm, Introspection, Jwt};
pub use auth::{Principal, TokenError, TokenVerifier};
pub use handler::{
    args::HeaderArgument,
    completion::{Completion, IntoCompletion},
    def::{PromptDef, ResourceDef, ToolDef},
    reply::IntoReply,
    text_reply::{IntoContents, IntoMessages, Json},
};
pub use handler::{
    context::Context,
    error::{Error, Result},
    extract::{FromContext, State},
    instances::IntoInstances,
    visible::VisibleIf,
};
#[doc(inline)]
pub use macros::{Form, completion, prompt, prompts, resolver, resource, resources, tool, tools};
pub use protocol::*;

/// What expansions of the macros name. Not for anybody else: it changes without notice.
#[doc(hidden)]
pub mod __private;
#[cfg(feature = "dynamic")]
pub use catalog::DynamicTool;
pub use catalog::{Cache, Catalog, StartError, Tool};
pub use handle::ServerHandle;
pub use notify::{Amount, Bus, BusError, LocalBus, Topic, Total};
pub use server::{Legacy, Server};
pub use store::{
    EventLog, EventLogError, InputRequest, LoggedEvent, MemoryEvents, MemorySessions, MemoryTasks, Replay,
    Session, SessionChange, SessionStore, StoreError, Task, TaskChange, TaskStatus, TaskStore, contract,
};
#[cfg(feature = "http")]
pub use transport::http::{HttpBody, HttpService};

/// The README's programs are tests.
#[cfg(all(doctest, feature = "client"))]
#[doc = include_str!("../../README.md")]
struct Readme;
