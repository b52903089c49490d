use mcp_runtime::prelude::*;

#[resource("x://a", last_modified = "yesterday")]
fn it() -> String {
    "x".into()
}

fn main() {}
