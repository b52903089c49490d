use mcp_runtime::prelude::*;

#[tool]
fn shout(text: impl ToString) -> String {
    text.to_string()
}

fn main() {}
