use mcp_runtime::prelude::*;

#[tool]
fn double(#[arg(default = "two")] n: u32) -> u32 {
    n * 2
}

fn main() {}
