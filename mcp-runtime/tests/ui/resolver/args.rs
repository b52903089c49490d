use mcp_runtime::prelude::*;

#[resolver]
fn one(#[args] n: u64) -> u64 {
    n
}

fn main() {}
