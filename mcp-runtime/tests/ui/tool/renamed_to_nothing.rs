use mcp_runtime::prelude::*;

#[tool]
fn shout(#[arg(rename = "")] text: String) -> String {
    text.to_uppercase()
}

fn main() {}
