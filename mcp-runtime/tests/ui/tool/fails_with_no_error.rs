use mcp_runtime::prelude::*;

#[derive(Debug)]
struct Lost;

#[tool]
fn find(city: String) -> Result<String, Lost> {
    if city.is_empty() { Err(Lost) } else { Ok(city) }
}

fn main() {}
