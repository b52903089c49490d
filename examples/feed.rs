//! A feed: items are published outside of any request, and every client that subscribed hears of it.
//!
//! ```console
//! $ cargo run --example feed -- serve --addr 127.0.0.1:8000     # Streamable HTTP, at /mcp
//! $ cargo run --example feed                                    # stdio, as a host starts it
//! ```

use std::sync::{Arc, PoisonError, RwLock};

use mcp_runtime::{Json, ServerHandle, prelude::*};

/// The items, the oldest first.
#[derive(Clone, Default)]
struct Feed(Arc<RwLock<Vec<String>>>);

impl Feed {
    fn items(&self) -> Vec<String> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds an item; its number.
    fn add(&self, item: String) -> usize {
        let mut items = self.0.write().unwrap_or_else(PoisonError::into_inner);
        items.push(item);
        items.len()
    }
}

/// The newest ten items.
#[resource("feed://latest", mime_type = "application/json")]
fn latest(feed: State<Feed>) -> Json<Vec<String>> {
    Json(feed.items().into_iter().rev().take(10).collect())
}

fn numbers(feed: State<Feed>) -> Vec<String> {
    (1..=feed.items().len()).map(|number| number.to_string()).collect()
}

/// One item, which never changes.
#[resource("feed://items/{number}", list = numbers, mime_type = "text/plain", ttl = "1d", scope = "public")]
fn item(number: usize, feed: State<Feed>) -> Result<String> {
    let item = number.checked_sub(1).and_then(|index| feed.items().get(index).cloned());
    item.ok_or_else(|| Error::resource_not_found(&format!("feed://items/{number}")))
}

/// Publish an item of your own.
#[tool(destructive = false)]
async fn publish(text: String, feed: State<Feed>, ctx: Context) -> String {
    let number = feed.add(text);
    tracing::info!(number, "published by a client");
    ctx.resource_updated("feed://latest").await;
    ctx.resources_changed().await;
    format!("feed://items/{number}")
}

/// Publishes an item now and then, as a real feed would when something happens.
async fn tick(feed: Feed, server: ServerHandle) {
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let number = feed.add("Nothing new.".to_owned());
        server.resource_updated("feed://latest").await; // to clients of both eras
        server.resources_changed().await;
        tracing::info!(number, "published");
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    mcp_runtime::log::init(); // to stderr, and to clients that ask for it
    let feed = Feed::default();
    feed.add("The feed is open.".to_owned());
    let server = Server::new("Feed", env!("CARGO_PKG_VERSION")).state(feed.clone()).build()?;
    tokio::spawn(tick(feed, server.clone()));
    server.run().await
}
