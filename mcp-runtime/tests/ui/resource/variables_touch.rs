use mcp_runtime::prelude::*;

#[resource("x://{a}{b}")]
fn it(a: String, b: String) -> String {
    a + &b
}

fn main() {}
