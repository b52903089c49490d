use mcp_runtime::prelude::*;

#[resource(ttl = "30s", "stock://{title}")]
fn stock(title: String) -> String {
    title
}

fn main() {}
