use mcp_runtime::prelude::*;

#[resolver]
fn loud() -> bool {
    true
}

#[tool]
fn shout(text: String, #[arg(default = false)] #[resolve(loud)] loud: bool) -> String {
    if loud { text.to_uppercase() } else { text }
}

fn main() {}
