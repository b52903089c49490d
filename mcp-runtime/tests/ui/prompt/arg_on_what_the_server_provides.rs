use mcp_runtime::prelude::*;

#[prompt]
fn recommend(#[arg(rename = "context")] ctx: Context) -> String {
    let _ = ctx;
    String::new()
}

fn main() {}
