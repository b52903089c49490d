use mcp_runtime::prelude::*;

#[prompt]
fn recommend(#[arg(range(max = 3))] count: u32) -> String {
    count.to_string()
}

fn main() {}
