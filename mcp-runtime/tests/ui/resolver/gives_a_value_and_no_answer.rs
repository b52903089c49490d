use mcp_runtime::prelude::*;

#[resolver]
fn load_order(order_id: u64) -> u64 {
    order_id
}

#[tool]
fn refund(order_id: u64, #[resolve(load_order)] loaded: Answer<u64>) -> String {
    format!("{order_id} {loaded:?}")
}

fn main() {}
