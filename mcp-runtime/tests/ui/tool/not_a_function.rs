use mcp_runtime::prelude::*;

#[tool]
struct Shout;

fn main() {}
