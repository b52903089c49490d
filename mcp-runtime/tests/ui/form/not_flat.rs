use mcp_runtime::prelude::*;

#[derive(Form)]
struct Address {
    city: String,
}

#[derive(Form)]
struct Order {
    copies: u32,
    address: Address,
}

fn main() {}
