use mcp_runtime::prelude::*;

#[resource("stock://{title}")]
fn stock(title: String, limit: u64) -> String {
    format!("{title} {limit}")
}

fn main() {}
