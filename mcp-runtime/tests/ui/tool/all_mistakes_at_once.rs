use mcp_runtime::prelude::*;

#[tool(readonly, ttl = "soon")]
fn shout<T>((a, b): (u32, u32), #[arg(max = 3)] text: String) -> String {
    format!("{a}{b}{text}")
}

fn main() {}
