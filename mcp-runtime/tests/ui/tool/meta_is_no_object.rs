use mcp_runtime::prelude::*;

#[tool(meta = "{cost: 3}")]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
