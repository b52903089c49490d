use mcp_runtime::prelude::*;

#[tool]
fn shout(text: &mut String) -> String {
    text.to_uppercase()
}

fn main() {}
