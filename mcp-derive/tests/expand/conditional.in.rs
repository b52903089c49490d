#[cfg(unix)]
#[tool]
async fn uid() -> u32 {
    0
}
