use mcp_runtime::prelude::*;

#[tool]
fn join(#[arg(header = "Region")] a: String, #[arg(header = "region")] b: String) -> String {
    a + &b
}

fn main() {}
