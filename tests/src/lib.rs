//! What a client sees: a server with odd functions ([`fixture`]), clients of every revision over every
//! transport ([`peer`]), and the official schemas, against which everything is read that the server
//! sends ([`spec`]).

#![allow(clippy::panic, reason = "this package is tests: what is not as expected fails one of them")]

pub mod fixture;
pub mod http;
pub mod peer;
pub mod spec;
