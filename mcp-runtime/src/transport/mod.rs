//! Between a wire and messages: bytes, framing, limits, and the guard at the door. What a message
//! means is decided above; no name of a method stands here.

#[cfg(feature = "http")]
pub(crate) mod http;
pub(crate) mod stdio;
