use mcp_runtime::prelude::*;

#[tool(name = "shout it")]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
