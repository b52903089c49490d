use mcp_runtime::prelude::*;

fn is_admin(_: Context) -> Option<bool> {
    None
}

/// Wipe.
#[tool(visible_if = is_admin)]
fn wipe() {}

fn main() {}
