use mcp_runtime::prelude::*;

#[resource("stock://{title}", mime = "text/plain")]
fn stock(title: String) -> String {
    title
}

fn main() {}
