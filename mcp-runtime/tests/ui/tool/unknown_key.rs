use mcp_runtime::prelude::*;

#[tool(readonly)]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
