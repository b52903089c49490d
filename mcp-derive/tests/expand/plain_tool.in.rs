/// Find books.
#[tool(read_only, ttl = "5m", scope = "public", inline)]
fn find(
    /// What to look for
    query: &str,
    #[arg(default = 10, range(min = 1, max = 100))] limit: u32,
    #[arg(header = "Region", rename = "type")] region: Option<&str>,
) -> Vec<Book> {
    search(query, limit, region)
}
