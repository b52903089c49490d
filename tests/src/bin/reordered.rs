//! The fixture in another build, its modules in another order: what it lists must be the same bytes.

#![allow(missing_docs, unreachable_pub, dead_code)]

#[path = "../fixture/texts.rs"]
mod texts;

#[path = "../fixture/tasks.rs"]
mod tasks;

#[path = "../fixture/telling.rs"]
mod telling;

#[path = "../fixture/server.rs"]
mod server;

#[path = "../fixture/failing.rs"]
mod failing;

#[path = "../fixture/content.rs"]
mod content;

#[path = "../fixture/asking.rs"]
mod asking;

#[path = "../fixture/arguments.rs"]
mod arguments;

use server::Counters;

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    server::server().run().await
}
