use mcp_runtime::prelude::*;

#[resource("stock://{title}", size = 99999999999999999999)]
fn stock(title: String) -> String {
    title
}

fn main() {}
