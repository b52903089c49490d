use mcp_runtime::prelude::*;

#[resource("x://{a}", list = "all")]
fn it(a: String) -> String {
    a
}

fn main() {}
