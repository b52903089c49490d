use mcp_runtime::prelude::*;

#[tool(title = 5)]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
