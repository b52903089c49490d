use mcp_runtime::prelude::*;

#[tool(title = "A" read_only)]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
