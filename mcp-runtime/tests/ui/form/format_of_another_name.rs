use mcp_runtime::prelude::*;

#[derive(Form)]
struct Order {
    #[form(format = "phone")]
    number: String,
}

fn main() {}
