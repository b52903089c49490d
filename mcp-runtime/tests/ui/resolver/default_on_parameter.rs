use mcp_runtime::prelude::*;

#[resolver]
fn one(#[arg(default = 1)] n: u64) -> u64 {
    n
}

fn main() {}
