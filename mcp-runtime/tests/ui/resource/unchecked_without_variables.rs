use mcp_runtime::prelude::*;

#[resource("x://a", unchecked)]
fn it() -> String {
    "x".into()
}

fn main() {}
