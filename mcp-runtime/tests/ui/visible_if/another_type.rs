use mcp_runtime::prelude::*;

const ADMIN: bool = true;

/// Wipe.
#[tool(visible_if = ADMIN)]
fn wipe() {}

fn main() {}
