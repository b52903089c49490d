use mcp_runtime::prelude::*;

#[resolver(kee = "name")]
fn one() -> u64 {
    1
}

fn main() {}
