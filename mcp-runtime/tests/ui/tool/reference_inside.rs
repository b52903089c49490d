use mcp_runtime::prelude::*;

#[tool]
fn join(words: Vec<&str>) -> String {
    words.join(" ")
}

fn main() {}
