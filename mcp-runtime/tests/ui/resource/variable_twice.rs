use mcp_runtime::prelude::*;

#[resource("stock://{title}/{title}")]
fn stock(title: String) -> String {
    title
}

fn main() {}
