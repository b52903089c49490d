//! A client in the same process, for tests: of either era, over the same path as any other client,
//! without a socket.
//!
//! ```standalone_crate
//! use mcp_runtime::{client::{Client, Era}, prelude::*};
//! use serde_json::json;
//!
//! /// Add two numbers.
//! #[tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<()> {
//! let server = Server::new("Calculator", "1.0.0").build()?;
//! for era in [Era::Modern, Era::Legacy] {
//!     let client = Client::new(&server, era).connect().await?;
//!     let sum = client.call("add", json!({ "a": 2, "b": 3 })).await?;
//!     assert_eq!(sum.text(), Some("5"));
//! }
//! # Ok(())
//! # }
//! ```

mod connected;
mod error;
mod listing;
mod questions;
mod tasks;

pub use connected::Connected;
pub use error::ClientError;
pub use listing::{PromptArgument, PromptInfo, ResourceInfo, TemplateInfo, ToolInfo};
pub use questions::{Client, Elicitation};

/// How a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// 2026-07-28: every request by itself.
    Modern,
    /// 2025-11-25: a handshake, and a session after it.
    Legacy,
}
