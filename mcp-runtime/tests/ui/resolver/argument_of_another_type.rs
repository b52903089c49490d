use mcp_runtime::prelude::*;

#[resolver]
fn load_order(order_id: u64) -> u64 {
    order_id
}

#[tool]
fn refund(order_id: String, #[resolve(load_order)] loaded: u64) -> u64 {
    order_id.len() as u64 + loaded
}

fn main() {}
