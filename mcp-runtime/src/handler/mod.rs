//! What the macros implement and what functions return: parameters, replies, errors.
//!
//! An expansion of `#[tool]` and its siblings holds no logic. It names the types of the function's
//! parameters and of its result, and calls what stands here. What a parameter or a result *is* is
//! decided by traits on its type ([`probe`]), never by how the type is spelled.

pub(crate) mod args;
pub(crate) mod call;
pub(crate) mod completion;
pub(crate) mod context;
pub(crate) mod current;
pub(crate) mod def;
#[cfg(feature = "dynamic")]
pub(crate) mod dynamic;
pub(crate) mod error;
pub(crate) mod extract;
mod fields;
pub(crate) mod instances;
pub(crate) mod kinds;
pub(crate) mod offload;
pub(crate) mod probe;
pub(crate) mod reply;
pub(crate) mod resolve;
pub(crate) mod strings;
pub(crate) mod text_reply;
pub(crate) mod visible;
