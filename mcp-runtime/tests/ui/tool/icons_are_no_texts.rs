use mcp_runtime::prelude::*;

#[tool(icons(1, 2))]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
