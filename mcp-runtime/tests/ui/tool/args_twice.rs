use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Place {
    city: String,
}

#[tool]
fn travel(#[args] from: Place, #[args] to: Place) -> String {
    from.city + &to.city
}

fn main() {}
