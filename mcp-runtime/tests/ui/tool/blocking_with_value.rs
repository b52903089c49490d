use mcp_runtime::prelude::*;

#[tool(blocking = true)]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
