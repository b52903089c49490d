//! Streamable HTTP: one endpoint, on which a message is posted and answered, with one JSON object or
//! with a stream of events; and on which a session's client listens and says good-bye.

mod accept;
mod auth;
mod body;
mod cors;
mod guard;
mod origin;
mod post;
mod read;
mod respond;
mod running;
mod serve;
mod service;
mod session;
mod sse;
#[cfg(test)]
mod tests;

pub use body::HttpBody;
pub use service::HttpService;
