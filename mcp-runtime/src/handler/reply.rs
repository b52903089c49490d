//! What functions return, on its way into a result.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    call::{Call, Outcome},
    error::{Error, Stop},
    probe::{NEITHER, Returned, Told},
};
use crate::{
    protocol::{Audio, CallToolResult, Content, EmbeddedResource, Image, ResourceLink, Text, raw},
    schema,
};

/// A result made of content blocks, which has no schema.
///
/// Everything else that is `Serialize` and `JsonSchema` becomes structured data with a schema, and
/// a text that says the same.
pub trait IntoReply {
    /// The result of the tool.
    fn into_reply(self) -> CallToolResult;
}

impl IntoReply for CallToolResult {
    fn into_reply(self) -> CallToolResult {
        self
    }
}

impl IntoReply for () {
    fn into_reply(self) -> CallToolResult {
        CallToolResult::default()
    }
}

impl<T: IntoReply> IntoReply for Option<T> {
    fn into_reply(self) -> CallToolResult {
        self.map(T::into_reply).unwrap_or_default()
    }
}

macro_rules! blocks {
    ($($ty:ty),*) => { $(
        impl IntoReply for $ty {
            fn into_reply(self) -> CallToolResult {
                CallToolResult::new([self])
            }
        }

        impl IntoReply for Vec<$ty> {
            fn into_reply(self) -> CallToolResult {
                CallToolResult::new(self)
            }
        }
    )* };
}
blocks!(Content, Text, Image, Audio, ResourceLink, EmbeddedResource);

/// A type that a tool can send as data.
pub trait Output: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Output for T {}

/// Data, of a schema.
pub(crate) const DATA: u8 = 0;
/// Content blocks.
pub(crate) const BLOCKS: u8 = 1;

/// The kind of what a tool gives, from what is known of its type.
#[must_use]
pub const fn reply_kind(blocks: bool, data: bool) -> u8 {
    match (blocks, data) {
        (true, _) => BLOCKS,
        (false, true) => DATA,
        (false, false) => NEITHER,
    }
}

/// How a tool's value becomes its result; `KIND` tells content blocks from data.
pub trait Reply<const KIND: u8>: Sized {
    /// The schema of the data.
    fn schema() -> Option<schema::Output>;
    /// Writes the result.
    fn reply(self, call: &Call<'_>) -> Result<Outcome, Stop>;
}

impl<T: IntoReply> Reply<BLOCKS> for T {
    fn schema() -> Option<schema::Output> {
        None
    }

    fn reply(self, call: &Call<'_>) -> Result<Outcome, Stop> {
        Ok(call.result(self.into_reply()))
    }
}

impl<T: Output> Reply<DATA> for T {
    fn schema() -> Option<schema::Output> {
        schema::output_root::<T>()
    }

    fn reply(self, call: &Call<'_>) -> Result<Outcome, Stop> {
        let data =
            raw(&self).map_err(|error| Error::new(format!("the result cannot be written: {error}")))?;
        Ok(call.data(&data))
    }
}

impl<T> Reply<NEITHER> for T {
    fn schema() -> Option<schema::Output> {
        None
    }

    fn reply(self, _: &Call<'_>) -> Result<Outcome, Stop> {
        Err(Stop::Fail(Error::new("the result cannot be sent")))
    }
}

/// Writes what a tool's function returned.
pub fn reply<R, const RETURN: u8, const REPLY: u8>(call: &Call<'_>, returned: R) -> Result<Outcome, Stop>
where
    R: Returned<RETURN>,
    R::Value: Reply<REPLY>,
{
    returned.value()?.reply(call)
}

/// A value that a tool can send; `KIND` tells content blocks from data.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "the return type cannot be sent",
    note = "derive `serde::Serialize` and `schemars::JsonSchema` for it, or return text, `Content` blocks or a `CallToolResult`"
)]
pub trait Sendable<const KIND: u8> {}

impl<T> Sendable<BLOCKS> for T {}
impl<T: Output> Sendable<DATA> for T {}
impl<T: Output> Sendable<NEITHER> for T {}

/// Compiles if a tool may return this; the compiler's message then stands at the return type.
pub const fn sendable<R, const RETURN: u8, const REPLY: u8>()
where
    R: Returned<RETURN> + Told<RETURN>,
    R::Value: Sendable<REPLY>,
{
}
