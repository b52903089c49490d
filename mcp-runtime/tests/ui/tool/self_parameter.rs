use mcp_runtime::prelude::*;

struct Shelf;

impl Shelf {
    #[tool]
    fn count(&self, title: String) -> usize {
        title.len()
    }
}

fn main() {}
