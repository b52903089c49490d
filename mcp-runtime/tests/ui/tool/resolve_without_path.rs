use mcp_runtime::prelude::*;

#[tool]
fn shout(#[resolve] text: String) -> String {
    text.to_uppercase()
}

fn main() {}
