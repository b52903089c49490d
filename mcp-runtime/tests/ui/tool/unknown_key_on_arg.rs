use mcp_runtime::prelude::*;

#[tool]
fn shout(#[arg(defualt = "hi")] text: String) -> String {
    text.to_uppercase()
}

fn main() {}
