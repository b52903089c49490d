use mcp_runtime::prelude::*;

fn offered() -> usize {
    tools![1, 2].len()
}

fn main() {}
