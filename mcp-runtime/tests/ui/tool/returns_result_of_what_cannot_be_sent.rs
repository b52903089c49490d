use mcp_runtime::prelude::*;

struct Place {
    city: String,
}

#[tool]
async fn find(city: String) -> Result<Place> {
    Ok(Place { city })
}

fn main() {}
