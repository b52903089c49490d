use mcp_runtime::prelude::*;

#[prompt]
fn recommend(genre: String) -> usize {
    genre.len()
}

fn main() {}
