use mcp_runtime::prelude::*;

#[tool]
fn trim(text: &str) -> &str {
    text.trim()
}

fn main() {}
