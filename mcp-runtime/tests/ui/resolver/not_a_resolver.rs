use mcp_runtime::prelude::*;

#[tool]
fn one() -> u64 {
    1
}

#[tool]
fn two(#[resolve(one)] one: u64) -> u64 {
    one + 1
}

fn main() {}
