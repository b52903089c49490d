use mcp_runtime::prelude::*;

#[tool]
fn repeat<const N: usize>(text: String) -> String {
    text.repeat(N)
}

fn main() {}
