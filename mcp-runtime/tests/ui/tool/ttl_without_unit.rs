use mcp_runtime::prelude::*;

#[tool(ttl = "30")]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
