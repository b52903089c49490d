//! The server that the benchmark compares with others, as the README writes a server: no tuning.
//!
//! ```console
//! $ bench_server stdio             # on stdin and stdout
//! $ bench_server http 8000         # at http://127.0.0.1:8000/mcp
//! ```

use std::process::ExitCode;

use mcp_runtime::prelude::*;

/// Add two numbers.
#[tool(structured = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Give back a text.
#[tool(structured = false)]
async fn echo(text: &str) -> String {
    text.to_owned()
}

/// Send that many progress notifications.
#[tool(structured = false)]
async fn progress(n: u32, ctx: Context) -> &'static str {
    for step in 1..=n {
        ctx.progress(step, n, "").await;
    }
    "done"
}

macro_rules! fillers {
    ($($name:ident)*) => { $(
        /// Filler tool of the benchmark
        #[tool]
        async fn $name(
            /// Words to look for in the records
            query: String,
            /// Most rows to give back
            limit: u32,
            /// Match whole words only
            exact: Option<bool>,
        ) -> String {
            format!("{query} {limit} {exact:?}")
        }
    )* };
}
fillers! {
    filler_00 filler_01 filler_02 filler_03 filler_04 filler_05 filler_06 filler_07 filler_08 filler_09
    filler_10 filler_11 filler_12 filler_13 filler_14 filler_15 filler_16 filler_17 filler_18 filler_19
    filler_20 filler_21 filler_22 filler_23 filler_24 filler_25 filler_26 filler_27 filler_28 filler_29
    filler_30 filler_31 filler_32 filler_33 filler_34 filler_35 filler_36 filler_37 filler_38 filler_39
    filler_40 filler_41 filler_42 filler_43 filler_44 filler_45 filler_46 filler_47 filler_48 filler_49
}

#[tokio::main]
async fn main() -> ExitCode {
    let server = Server::new("Bench", env!("CARGO_PKG_VERSION"));
    let args: Vec<String> = std::env::args().skip(1).collect();
    let served = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["stdio"] => match server.build() {
            Ok(server) => server.serve_stdio().await.map_err(Error::from),
            Err(error) => Err(error.into()),
        },
        ["http", port] => server.serve(format!("127.0.0.1:{port}")).await,
        _ => Err(Error::new("usage: bench_server stdio | http PORT")),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
