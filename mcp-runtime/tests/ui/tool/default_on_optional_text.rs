use mcp_runtime::prelude::*;

#[tool]
fn shout(#[arg(default = "hi")] text: Option<&str>) -> String {
    text.unwrap_or_default().to_uppercase()
}

fn main() {}
