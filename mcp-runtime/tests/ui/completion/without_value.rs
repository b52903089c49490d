use mcp_runtime::{completion, prompt};

#[prompt]
fn recommend(genre: String) -> String {
    genre
}

#[completion(prompt = recommend, argument = "genre")]
fn genres() -> Vec<String> {
    Vec::new()
}

fn main() {}
