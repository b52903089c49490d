use mcp_runtime::prelude::*;

struct Place {
    city: String,
}

#[tool]
fn visit(place: Place) -> String {
    place.city
}

fn main() {}
