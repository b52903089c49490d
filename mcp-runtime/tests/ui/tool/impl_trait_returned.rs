use mcp_runtime::prelude::*;

#[tool]
fn shout(text: String) -> impl ToString {
    text.to_uppercase()
}

fn main() {}
