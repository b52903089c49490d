use mcp_runtime::prelude::*;

#[derive(Form)]
struct Order {
    copies: u32,
    #[form(rename = "copies")]
    count: u32,
}

fn main() {}
