#[resolver(key = "invoice")]
async fn load_invoice(order_id: u64, db: State<Db>, #[resolve(load_order)] order: Order) -> Result<Invoice> {
    db.invoice(order_id, order).await
}
