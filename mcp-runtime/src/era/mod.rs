//! Which generation a message is of, and what that means. Nothing below this layer asks.
//!
//! It is decided per message: by the revision's header (HTTP), `_meta` and the method together. A
//! message of 2026-07-28 is served by itself ([`modern`]); `initialize` opens a session, and bare
//! messages belong to one ([`legacy`]).

mod capabilities;
mod connection;
mod legacy;
mod message;
mod modern;
mod post;
#[cfg(feature = "http")]
mod scopes;
pub(crate) mod shape;
mod tasks;

pub(crate) use connection::{Connection, Served};
pub(crate) use message::{Glance, glance, parse_error};
#[cfg(feature = "http")]
pub(crate) use {
    legacy::{LiveSession, Unopened, end, open, session_of},
    message::refusal,
    post::{Exchange, Posted, keeps_sessions, post},
    scopes::scopes_needed,
};

/// The headers of a request, where its transport has any.
pub(crate) trait Mirror: Send + Sync {
    /// The value of the header of this lower-case name.
    fn header(&self, name: &str) -> Header<'_>;
}

/// What a request says in one header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header<'a> {
    Absent,
    One(&'a [u8]),
    /// More than one value, of which none can be trusted.
    Many,
}
