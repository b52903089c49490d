use mcp_runtime::prelude::*;

#[tool]
fn one() -> u64 {
    1
}

#[prompt]
fn two() -> String {
    "2".into()
}

fn offered() -> usize {
    tools![one, two].len()
}

fn main() {}
