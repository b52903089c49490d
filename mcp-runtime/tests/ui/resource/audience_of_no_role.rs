use mcp_runtime::prelude::*;

#[resource("x://a", audience("user", "robot"))]
fn it() -> String {
    "x".into()
}

fn main() {}
