use mcp_runtime::prelude::*;

#[derive(Form)]
#[form(title = "Order")]
struct Order {
    copies: u32,
}

fn main() {}
