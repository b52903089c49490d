use mcp_runtime::prelude::*;

#[tool]
fn join(#[arg(rename = "text")] a: String, #[arg(rename = "text")] b: String) -> String {
    a + &b
}

fn main() {}
