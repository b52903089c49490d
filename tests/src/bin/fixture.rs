//! The fixture as a program of its own: its command line chooses the transport.

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    tests::fixture::server().run().await
}
