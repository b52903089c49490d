use mcp_runtime::prelude::*;

#[prompt(name = "")]
fn recommend(genre: String) -> String {
    genre
}

fn main() {}
