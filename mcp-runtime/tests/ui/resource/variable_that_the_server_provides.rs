use mcp_runtime::prelude::*;

#[resource("stock://{ctx}")]
fn stock(ctx: Context) -> String {
    let _ = ctx;
    String::new()
}

fn main() {}
