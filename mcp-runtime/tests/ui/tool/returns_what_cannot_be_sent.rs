use mcp_runtime::prelude::*;

struct Place {
    city: String,
}

#[tool]
fn find(city: String) -> Place {
    Place { city }
}

fn main() {}
