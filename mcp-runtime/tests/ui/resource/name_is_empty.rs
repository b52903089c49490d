use mcp_runtime::prelude::*;

#[resource("stock://{title}", name = "")]
fn stock(title: String) -> String {
    title
}

fn main() {}
