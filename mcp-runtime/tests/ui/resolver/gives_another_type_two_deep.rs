use mcp_runtime::prelude::*;

#[resolver]
fn load_order(order_id: u64) -> u64 {
    order_id
}

#[resolver]
fn load_invoice(#[resolve(load_order)] order: String) -> String {
    order
}

#[tool]
fn refund(order_id: u64, #[resolve(load_invoice)] invoice: String) -> String {
    format!("{order_id} {invoice}")
}

fn main() {}
