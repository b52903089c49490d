use mcp_runtime::prelude::*;

#[tool]
fn shout(text: &'_ str) -> String {
    text.to_uppercase()
}

fn main() {}
