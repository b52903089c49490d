use mcp_runtime::prelude::*;

#[tool]
fn shout(text: String, #[cfg(unix)] times: usize) -> String {
    text.to_uppercase().repeat(times)
}

fn main() {}
