use mcp_runtime::prelude::*;

#[resource("stock://{title}")]
fn stock(title: String) -> usize {
    title.len()
}

fn main() {}
