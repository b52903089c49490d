use mcp_runtime::prelude::*;

#[tool(task = "always")]
fn render() {}

fn main() {}
