use mcp_runtime::prelude::*;

#[resource("x://{?a}/b")]
fn it(a: Option<String>) -> String {
    a.unwrap_or_default()
}

fn main() {}
