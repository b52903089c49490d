use mcp_runtime::prelude::*;

#[tool]
fn shout(texts: Vec<_>) -> String {
    texts.concat()
}

fn main() {}
