use mcp_runtime::prelude::*;

#[resolver(key = "")]
fn one() -> u64 {
    1
}

fn main() {}
