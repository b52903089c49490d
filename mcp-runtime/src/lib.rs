//! Servers.

#[allow(
    dead_code,
    unused_imports,
    reason = "what lists and calls tools builds on it"
)]
mod schema;
