use mcp_runtime::prelude::*;

#[tool]
fn shout(#[arg] text: String) -> String {
    text.to_uppercase()
}

fn main() {}
