struct Quantity {
    /// Number of copies
    #[form(range(min = 1, max = 10), default = 1)]
    copies: u32,
    cover: Option<Cover>,
}
enum Cover {
    #[form(title = "Hardcover")]
    Hard,
    #[form(rename = "soft")]
    Soft,
}
