use mcp_runtime::prelude::*;

struct Quantity {
    copies: u32,
}

#[resolver]
fn ask() -> Ask<Quantity> {
    Ask::form("How many?")
}

#[tool]
fn reserve(#[resolve(ask)] quantity: Quantity) -> u32 {
    quantity.copies
}

fn main() {}
