//! A bookshop: tools, a question to the user, a resource that changes, a prompt; a long job with
//! progress, and a tool that comes and goes.
//!
//! ```console
//! $ cargo run --example bookshop -- serve --addr 127.0.0.1:8000     # Streamable HTTP, at /mcp
//! $ cargo run --example bookshop                                    # stdio, as a host starts it
//! $ cargo run --example bookshop -- call reserve --title Dune       # by hand
//! ```

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use mcp_runtime::prelude::*;

/// The books on the shelf: copies by title.
struct Shelf(Mutex<BTreeMap<String, u32>>);

impl Default for Shelf {
    fn default() -> Self {
        Self(Mutex::new(BTreeMap::from([("Dune".to_owned(), 3), ("Emma".to_owned(), 1)])))
    }
}

impl Shelf {
    fn copies(&self, title: &str) -> Option<u32> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(title).copied()
    }

    fn add(&self, title: &str, copies: u32) -> u32 {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let total = shelf.entry(title.to_owned()).or_default();
        *total = total.saturating_add(copies);
        *total
    }
}

/// How many copies to put aside.
#[derive(Form)]
struct Quantity {
    /// Number of copies
    #[form(range(min = 1, max = 10))]
    copies: u32,
}

/// Asks the user how many copies to put aside.
#[resolver]
fn ask_quantity() -> Ask<Quantity> {
    Ask::form("How many copies?")
}

/// Reserve copies of a book, asking the user how many.
#[tool]
async fn reserve(
    /// Title of the book
    title: String,
    #[resolve(ask_quantity)] quantity: Answer<Quantity>,
) -> String {
    match quantity {
        Answer::Accepted(q) => format!("Reserved {} of '{title}'.", q.copies),
        Answer::Declined | Answer::Cancelled => "Nothing reserved.".into(),
    }
}

/// Add two numbers.
#[tool(read_only = true)]
fn add(a: i64, b: i64) -> Result<i64> {
    a.checked_add(b).ok_or_else(|| Error::new("the sum is too large"))
}

/// How many copies of one book are on the shelf.
#[resource("stock://{title}", ttl = "30s", scope = "public")]
async fn stock(title: String, shelf: State<Shelf>) -> Result<String> {
    match shelf.copies(&title) {
        Some(copies) => Ok(format!("{copies} in stock")),
        None => Err(Error::resource_not_found(&format!("stock://{title}"))),
    }
}

/// Put copies of a book back on the shelf.
#[tool(destructive = false, idempotent = false)]
async fn restock(title: String, copies: u32, shelf: State<Shelf>, ctx: Context) -> Result<String> {
    let total = shelf.add(&title, copies);
    ctx.resource_updated(format!("stock://{title}")).await; // one call reaches both eras
    Ok(format!("{total} in stock"))
}

/// Ask for a recommendation.
#[prompt]
fn recommend(
    /// What kind of book: fantasy, romance, …
    genre: String,
) -> String {
    format!("Recommend one {genre} book that we have in stock.")
}

/// The genres that begin with what was typed.
#[completion(prompt = recommend, argument = "genre")]
fn genres(value: String) -> Vec<&'static str> {
    let mut genres = vec!["crime", "fantasy", "romance", "science fiction"];
    genres.retain(|genre| genre.starts_with(&value));
    genres
}

/// How the last stocktake ended.
#[derive(Default)]
struct Stocktake(Mutex<Option<&'static str>>);

impl Stocktake {
    fn set(&self, state: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
    }

    fn get(&self) -> &'static str {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or("never")
    }
}

/// Says that a stocktake was cancelled, unless it came to its end.
struct Counting(State<Stocktake>);

impl Drop for Counting {
    fn drop(&mut self) {
        if self.0.get() == "running" {
            self.0.set("cancelled");
        }
    }
}

/// Count the shelves, one step at a time.
#[tool]
async fn stocktake(
    /// How many shelves there are
    steps: u32,
    /// Milliseconds that each takes
    delay_ms: u64,
    last: State<Stocktake>,
    ctx: Context,
) -> String {
    last.set("running");
    let counting = Counting(last);
    for step in 1..=steps {
        tokio::time::sleep(Duration::from_millis(delay_ms)).await;
        ctx.progress(step, steps, &format!("Shelf {step}")).await;
    }
    counting.0.set("done");
    format!("Counted {steps} shelves.")
}

/// How the last stocktake ended: never, running, done or cancelled.
#[tool(read_only = true)]
fn last_stocktake(last: State<Stocktake>) -> &'static str {
    last.get()
}

/// Order a coffee.
#[tool(toolset = "cafe")]
fn order_coffee() -> &'static str {
    "One coffee."
}

/// Open or close the cafe, where coffee can be ordered.
#[tool]
fn open_cafe(open: bool, ctx: Context) -> Result<&'static str> {
    ctx.catalog().remove_tool("order_coffee");
    if open {
        ctx.catalog().add_tools(tools![order_coffee])?; // clients of both eras hear of it
    }
    Ok(if open { "open" } else { "closed" })
}

#[tokio::main]
async fn main() -> Result<()> {
    Server::new("Bookshop", env!("CARGO_PKG_VERSION"))
        .state(Shelf::default())
        .state(Stocktake::default())
        .cache(Cache::public(Duration::from_secs(300)))
        .run() // the command line chooses: stdio (default), or `serve --addr 127.0.0.1:8000`
        .await
}
