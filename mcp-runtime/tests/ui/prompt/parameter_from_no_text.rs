use mcp_runtime::prelude::*;

#[prompt]
fn recommend(genres: Vec<String>) -> String {
    genres.join(", ")
}

fn main() {}
