use mcp_runtime::prelude::*;

#[tool(scopes("books:read books:write"))]
fn add() {}

fn main() {}
