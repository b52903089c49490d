#[tool(readonly)]
fn broken(
    /// Title of the book
    #[arg(range = 3)]
    title: String,
) -> String {
    title
}
