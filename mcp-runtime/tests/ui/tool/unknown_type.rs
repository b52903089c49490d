use mcp_runtime::prelude::*;

#[tool]
fn shout(text: Strng, #[arg(default = 2)] n: u32) -> Text {
    text.to_uppercase()
}

fn main() {}
