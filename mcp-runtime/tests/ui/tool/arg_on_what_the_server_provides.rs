use mcp_runtime::prelude::*;

struct Shelf;

#[tool]
fn count(#[arg(rename = "books")] shelf: State<Shelf>) -> usize {
    let _ = shelf;
    0
}

fn main() {}
