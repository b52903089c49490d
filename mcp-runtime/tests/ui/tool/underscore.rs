use mcp_runtime::prelude::*;

#[tool]
fn ignore(_: u32) -> u32 {
    0
}

fn main() {}
