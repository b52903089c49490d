use mcp_runtime::prelude::*;

#[derive(Form)]
enum Cover {
    Hard,
    Soft(u32),
}

fn main() {}
