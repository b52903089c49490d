use mcp_runtime::prelude::*;

#[tool]
unsafe fn double(n: u32) -> u32 {
    n * 2
}

fn main() {}
