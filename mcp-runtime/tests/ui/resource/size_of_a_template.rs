use mcp_runtime::prelude::*;

#[resource("x://{a}", size = 3)]
fn it(a: String) -> String {
    a
}

fn main() {}
