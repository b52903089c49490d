use mcp_runtime::prelude::*;

#[resource]
fn stock(title: String) -> String {
    title
}

fn main() {}
