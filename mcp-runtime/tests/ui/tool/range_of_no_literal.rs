use mcp_runtime::prelude::*;

const MOST: u32 = 10;

#[tool]
fn double(#[arg(range(max = MOST))] n: u32) -> u32 {
    n * 2
}

fn main() {}
