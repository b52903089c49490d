use mcp_runtime::prelude::*;

#[resource("stock://{shelf}/{title}")]
fn stock(title: String) -> String {
    title
}

fn main() {}
