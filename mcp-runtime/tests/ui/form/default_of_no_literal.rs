use mcp_runtime::prelude::*;

#[derive(Form)]
struct Order {
    #[form(default = one())]
    copies: u32,
}

fn one() -> u32 {
    1
}

fn main() {}
