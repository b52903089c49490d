//! The log of the program: to stderr, and to the client that asks for it. Feature `log`.
//!
//! ```
//! use mcp_runtime::prelude::*;
//!
//! /// Counts, and says how far it is.
//! #[tool]
//! fn count(to: u32) -> u32 {
//!     tracing::info!(to, "counting"); // to stderr, and to a client that wants messages of this level
//!     to
//! }
//!
//! # fn example() {
//! mcp_runtime::log::init();
//! # }
//! # fn main() {}
//! ```
//!
//! A client hears of the events that come up inside of its own calls, of all crates, and of nothing
//! else: of the level that it asked for, with the target as `logger`, and the message and the fields as
//! `data`. What a function starts with `tokio::spawn` is outside of the call. Put no secrets into
//! events, or filter what goes to clients (`to_client().with_filter(…)`).

use std::fmt;

use serde_json::{Map, Value};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    Layer,
    filter::{LevelFilter, Targets, dynamic_filter_fn},
    layer::{Context, SubscriberExt},
    registry::LookupSpan,
    util::SubscriberInitExt,
};

use crate::{handler::current, protocol::Level};

/// Writes the program's events to stderr, without colours, and sends clients those of their calls. What
/// goes to stderr is chosen by `RUST_LOG` (`info`, `warn,my_crate=debug`); without it, `info`.
///
/// Where the program has set a subscriber of its own, that one stays: add [`to_client`] to it.
pub fn init() {
    let chosen = std::env::var("RUST_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let chosen = chosen.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let stderr =
        tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_filter(chosen);
    _ = tracing_subscriber::registry().with(stderr).with(to_client()).try_init();
}

/// Sends clients the events of their calls: for a subscriber of the program's own.
///
/// ```
/// use tracing_subscriber::prelude::*;
///
/// # fn example() {
/// tracing_subscriber::registry()
///     .with(tracing_subscriber::fmt::layer().with_writer(std::io::stderr))
///     .with(mcp_runtime::log::to_client())
///     .init();
/// # }
/// ```
pub fn to_client<S>() -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    // The protocol knows nothing finer than `debug`.
    ToClient.with_filter(
        dynamic_filter_fn(|metadata, _| is_wanted(metadata)).with_max_level_hint(LevelFilter::DEBUG),
    )
}

/// Whether the client of the call that runs here wants such an event. Our own are not for clients: they
/// tell what went wrong inside.
fn is_wanted(metadata: &Metadata<'_>) -> bool {
    let own = metadata
        .target()
        .strip_prefix("mcp_runtime")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    metadata.is_event() && !own && level(metadata).is_some_and(current::wants)
}

fn level(metadata: &Metadata<'_>) -> Option<Level> {
    match *metadata.level() {
        tracing::Level::ERROR => Some(Level::Error),
        tracing::Level::WARN => Some(Level::Warning),
        tracing::Level::INFO => Some(Level::Info),
        tracing::Level::DEBUG => Some(Level::Debug),
        tracing::Level::TRACE => None,
    }
}

struct ToClient;

impl<S: Subscriber> Layer<S> for ToClient {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let Some(level) = level(event.metadata()) else { return };
        let mut data = Data(Map::new());
        event.record(&mut data);
        current::log(level, event.metadata().target(), data.0.into());
    }
}

/// An event's message and fields.
struct Data(Map<String, Value>);

impl Data {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Data {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }
}
