/// Count the books.
#[tool(task = "required", timeout = "2h")]
async fn count(shelves: u32) -> u32 {
    walk(shelves).await
}
