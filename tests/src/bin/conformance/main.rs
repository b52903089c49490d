//! The server that the official conformance suite is run against, as a user would write it:
//! Streamable HTTP on the port in `PORT`.

mod asking;
mod content;
mod dynamic;
mod modern;
mod polling;
mod tasks;
mod texts;

use std::process::ExitCode;

use mcp_runtime::Server;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(port) = std::env::var("PORT").ok().and_then(|port| port.parse::<u16>().ok()) else {
        eprintln!("set PORT to the port to listen on");
        return ExitCode::from(2);
    };
    let server = Server::new("Conformance", env!("CARGO_PKG_VERSION"))
        .instructions("A server for the conformance suite.")
        .tools([dynamic::json_schema_2020_12_tool()]);
    match server.serve(("127.0.0.1", port)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
