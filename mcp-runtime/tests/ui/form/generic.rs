use mcp_runtime::prelude::*;

#[derive(Form)]
struct Order<T> {
    copies: T,
}

fn main() {}
