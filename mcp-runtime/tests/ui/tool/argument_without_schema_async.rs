use mcp_runtime::prelude::*;

struct Place {
    city: String,
}

#[tool]
async fn visit(place: &Place) -> String {
    place.city.clone()
}

fn main() {}
