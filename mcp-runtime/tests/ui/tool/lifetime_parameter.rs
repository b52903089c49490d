use mcp_runtime::prelude::*;

#[tool]
fn shout<'a>(text: &'a str) -> String {
    text.to_uppercase()
}

fn main() {}
