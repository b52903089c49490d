use mcp_runtime::prelude::*;

#[derive(Form)]
struct Order {
    #[form(min = 1)]
    copies: u32,
}

fn main() {}
