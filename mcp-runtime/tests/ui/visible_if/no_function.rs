use mcp_runtime::prelude::*;

/// Wipe.
#[tool(visible_if = true)]
fn wipe() {}

fn main() {}
