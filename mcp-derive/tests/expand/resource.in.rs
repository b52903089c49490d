/// How many copies of one book are on the shelf.
#[resource("stock://{title}", ttl = "30s", scope = "public", mime_type = "text/plain")]
async fn stock(title: String, shelf: State<Shelf>) -> Result<String> {
    shelf.count(&title)
}
