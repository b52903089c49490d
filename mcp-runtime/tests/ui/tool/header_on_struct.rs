use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Place {
    city: String,
}

#[tool]
fn visit(#[arg(header = "Place")] place: Place) -> String {
    place.city
}

fn main() {}
