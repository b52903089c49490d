use mcp_runtime::prelude::*;

struct Place {
    city: String,
}

#[tool]
fn visit(#[args] place: Place) -> String {
    place.city
}

fn main() {}
