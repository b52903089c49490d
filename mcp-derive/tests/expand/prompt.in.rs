/// Recommend a book.
#[prompt(title = "Recommend")]
fn recommend(
    /// What kind
    genre: &str,
    #[arg(default = 3)] count: u8,
) -> String {
    format!("Recommend {count} books: {genre}.")
}
