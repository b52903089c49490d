use mcp_runtime::prelude::*;

#[derive(Form)]
union Order {
    copies: u32,
}

fn main() {}
