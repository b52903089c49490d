use mcp_runtime::prelude::*;

#[tool]
fn shout(text: String) -> String
where
    String: Clone
{
    text.to_uppercase()
}

fn main() {}
