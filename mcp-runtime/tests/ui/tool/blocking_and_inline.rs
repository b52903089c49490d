use mcp_runtime::prelude::*;

#[tool(blocking, inline)]
fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
