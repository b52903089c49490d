use mcp_runtime::prelude::*;

#[tool]
fn double(#[arg(range = 10)] n: u32) -> u32 {
    n * 2
}

fn main() {}
