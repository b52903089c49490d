use mcp_runtime::prelude::*;

#[resource("stock://{title}")]
fn stock(title: Vec<String>) -> String {
    title.concat()
}

fn main() {}
