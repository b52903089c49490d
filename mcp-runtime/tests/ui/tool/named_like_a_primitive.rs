use mcp_runtime::prelude::*;

#[tool]
fn str(value: u32) -> String {
    value.to_string()
}

fn main() {}
