use mcp_runtime::prelude::*;

#[tool(icons("book.png"))]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
