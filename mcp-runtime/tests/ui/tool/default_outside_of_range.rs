use mcp_runtime::prelude::*;

#[tool]
fn double(#[arg(range(min = 1, max = 10), default = 0)] n: u32) -> u32 {
    n * 2
}

fn main() {}
