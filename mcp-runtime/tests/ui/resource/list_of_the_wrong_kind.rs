use mcp_runtime::prelude::*;

fn all() -> Vec<u32> {
    Vec::new()
}

#[resource("x://{a}", list = all)]
fn it(a: String) -> String {
    a
}

fn main() {}
