use mcp_runtime::prelude::*;

#[resource("stock://{title}", mime_type = "text")]
fn stock(title: String) -> String {
    title
}

fn main() {}
