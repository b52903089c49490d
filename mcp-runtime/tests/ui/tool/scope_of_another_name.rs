use mcp_runtime::prelude::*;

#[tool(scope = "shared")]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
