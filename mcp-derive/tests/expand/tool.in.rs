/// Reserve copies of a book.
#[tool]
async fn reserve(
    /// Title of the book
    title: &str,
    #[resolve(ask_quantity)] quantity: Answer<Quantity>,
    shelf: State<Shelf>,
    ctx: Context,
) -> Result<String> {
    shelf.reserve(&ctx, title, quantity)
}
