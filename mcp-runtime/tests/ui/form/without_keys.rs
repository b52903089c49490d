use mcp_runtime::prelude::*;

#[derive(Form)]
struct Order {
    #[form]
    copies: u32,
}

fn main() {}
