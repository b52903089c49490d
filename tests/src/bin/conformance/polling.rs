//! A tool for what only 2025-11-25 has: a connection that the server closes before the result is there.

use mcp_runtime::prelude::*;

/// Closes the connection and goes on: the result waits for a client that comes back.
#[tool(structured = false)]
async fn test_reconnection(ctx: Context) -> &'static str {
    ctx.close_sse_stream(Duration::from_millis(100)).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    "Welcome back."
}
