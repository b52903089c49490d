use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Place {
    city: String,
}

#[tool]
fn visit(#[args(strict)] place: Place) -> String {
    place.city
}

fn main() {}
