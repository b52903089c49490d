use mcp_runtime::prelude::*;

#[tool(read_only = "yes")]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
