//! A server that knows its callers: they show an access token, which an authorization server gave
//! them. This program brings a small one, whose keys are made at its start.
//!
//! ```console
//! $ cargo run --example http_auth                                   # or with two addresses to listen on
//! ```
//!
//! Then a client that speaks OAuth connects to `http://127.0.0.1:8000/mcp`: it is told where to get a
//! token, gets one that may read, and is asked for more when it wants to add a book.

mod authority;

use std::sync::{Mutex, PoisonError};

use mcp_runtime::{Jwt, Principal, prelude::*};
use tokio::net::TcpListener;

use authority::Authority;

/// The books, and who brought them.
#[derive(Default)]
struct Shelf(Mutex<Vec<(String, Principal)>>);

/// The titles of all books.
#[tool(read_only)]
fn list_books(shelf: State<Shelf>) -> Vec<String> {
    let books = shelf.0.lock().unwrap_or_else(PoisonError::into_inner);
    books.iter().map(|(title, _)| title.clone()).collect()
}

/// Add a book to the shelf.
#[tool(scopes("books:write"))]
fn add_book(title: String, caller: Principal, shelf: State<Shelf>) -> String {
    let name = caller.claim("name").and_then(|name| name.as_str()).unwrap_or("somebody").to_owned();
    shelf.0.lock().unwrap_or_else(PoisonError::into_inner).push((title.clone(), caller));
    format!("{name} added '{title}'.")
}

/// Serves books to whoever has a token of this issuer.
async fn serve(listener: TcpListener, issuer: &str) -> Result<()> {
    let url = format!("http://{}/mcp", listener.local_addr()?);
    Server::new("Guarded bookshop", env!("CARGO_PKG_VERSION"))
        .state(Shelf::default())
        .public_url(url)
        .auth(Jwt::of(issuer))
        .scopes(["books:read"])
        .http()?
        .serve_on(listener, async { _ = tokio::signal::ctrl_c().await })
        .await
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut addresses = std::env::args().skip(1);
    let mut address = |untold: &str| addresses.next().unwrap_or_else(|| untold.to_owned());
    let (books, authority) = (address("127.0.0.1:8000"), address("127.0.0.1:9000"));
    let authority = TcpListener::bind(authority).await?;
    let issuer = format!("http://{}", authority.local_addr()?);
    tokio::spawn(Authority::new(&issuer)?.serve(authority));
    serve(TcpListener::bind(books).await?, &issuer).await
}

#[cfg(test)]
mod tests;
