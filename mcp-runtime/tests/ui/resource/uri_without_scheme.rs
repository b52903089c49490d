use mcp_runtime::prelude::*;

#[resource("{title}")]
fn stock(title: String) -> String {
    title
}

fn main() {}
