use mcp_runtime::prelude::*;

#[tool(title = "A", title = "B")]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
