use mcp_runtime::prelude::*;

#[derive(Form)]
enum Cover {}

fn main() {}
