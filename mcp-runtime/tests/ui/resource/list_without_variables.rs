use mcp_runtime::prelude::*;

fn all() -> Vec<String> {
    Vec::new()
}

#[resource("x://a", list = all)]
fn it() -> String {
    "x".into()
}

fn main() {}
