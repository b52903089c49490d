use mcp_runtime::prelude::*;

#[derive(Debug)]
struct Lost;

#[resolver]
fn one() -> Result<u64, Lost> {
    Err(Lost)
}

fn main() {}
