use mcp_runtime::prelude::*;

#[tool]
fn rufe_größer(text: String) -> String {
    text.to_uppercase()
}

fn main() {}
