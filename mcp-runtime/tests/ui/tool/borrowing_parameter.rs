use mcp_runtime::prelude::*;

#[tool]
fn shout(text: std::borrow::Cow<'_, str>) -> String {
    text.to_uppercase()
}

fn main() {}
