use mcp_runtime::prelude::*;

#[resource("stock://title}")]
fn stock(title: String) -> String {
    title
}

fn main() {}
