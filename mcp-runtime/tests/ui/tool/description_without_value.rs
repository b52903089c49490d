use mcp_runtime::prelude::*;

#[tool(description)]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
