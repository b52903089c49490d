use mcp_runtime::prelude::*;

#[tool]
fn double(#[arg(range(min = 10, max = 1))] n: u32) -> u32 {
    n * 2
}

fn main() {}
