use mcp_runtime::prelude::*;

#[resource("stock://the shelf/{title}")]
fn stock(title: String) -> String {
    title
}

fn main() {}
