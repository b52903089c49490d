use mcp_runtime::prelude::*;

#[resolver]
fn load_order(order_id: u64) -> u64 {
    order_id
}

#[resolver]
fn load_invoice(#[resolve(load_order)] order: u64) -> u64 {
    order
}

#[prompt]
fn refund(order: u64, #[resolve(load_invoice)] invoice: u64) -> String {
    format!("{order} {invoice}")
}

fn main() {}
