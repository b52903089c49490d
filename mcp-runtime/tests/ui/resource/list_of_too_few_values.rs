use mcp_runtime::prelude::*;

fn all() -> Vec<String> {
    Vec::new()
}

#[resource("x://{a}/{b}", list = all)]
fn it(a: String, b: String) -> String {
    a + &b
}

fn main() {}
