use mcp_runtime::prelude::*;

#[tool]
fn double(#[arg(header = "Amount")] n: f64) -> f64 {
    n * 2.0
}

fn main() {}
