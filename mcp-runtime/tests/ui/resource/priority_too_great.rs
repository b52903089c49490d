use mcp_runtime::prelude::*;

#[resource("x://a", priority = 2)]
fn it() -> String {
    "x".into()
}

fn main() {}
