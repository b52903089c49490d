use mcp_runtime::prelude::*;

#[derive(Form)]
struct Order(u32);

fn main() {}
