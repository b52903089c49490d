use mcp_runtime::prelude::*;

#[tool]
fn shout(#[arg(header = "My Region")] text: String) -> String {
    text.to_uppercase()
}

fn main() {}
