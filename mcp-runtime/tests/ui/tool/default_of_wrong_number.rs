use mcp_runtime::prelude::*;

#[tool]
fn share(#[arg(default = 10)] n: f64) -> f64 {
    n
}

fn main() {}
