use mcp_runtime::prelude::*;

#[resource("stock://{title}", size = "3 kB")]
fn stock(title: String) -> String {
    title
}

fn main() {}
