use mcp_runtime::{completion, prompt};

#[prompt]
fn recommend(genre: String) -> String {
    genre
}

#[completion(prompt = recommend, argument = "genre")]
fn genres(value: String) -> u32 {
    value.len() as u32
}

fn main() {}
