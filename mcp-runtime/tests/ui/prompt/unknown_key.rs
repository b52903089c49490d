use mcp_runtime::prelude::*;

#[prompt(read_only)]
fn recommend(genre: String) -> String {
    genre
}

fn main() {}
