use mcp_runtime::prelude::*;

#[tool(blocking)]
async fn shout(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
