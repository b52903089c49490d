use mcp_runtime::prelude::*;

#[tool]
unsafe extern "C" fn sum(n: u32, _rest: ...) -> u32 {
    n
}

fn main() {}
