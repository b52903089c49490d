use mcp_runtime::prelude::*;

#[derive(Form)]
struct Order {
    #[form(length(min = -1))]
    number: String,
}

fn main() {}
