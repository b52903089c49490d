//! What functions of resources and prompts return.

use serde::Serialize;

use super::{
    call::{Call, Outcome},
    error::{Error, Stop},
    probe::{Returned, Told},
};
use crate::protocol::{
    Audio, Content, EmbeddedResource, GetPromptResult, Image, PromptMessage, ResourceContents, ResourceLink,
    Text,
};

/// What a resource's function can return.
#[diagnostic::on_unimplemented(
    message = "a resource cannot return `{Self}`",
    label = "return text, bytes, `Json`, `ResourceContents` or several of these, or a `Result` of one"
)]
pub trait IntoContents {
    /// The contents; an empty URI stands for the one that was asked for.
    fn into_contents(self) -> Result<Vec<ResourceContents>, Error>;
}

impl IntoContents for String {
    fn into_contents(self) -> Result<Vec<ResourceContents>, Error> {
        Ok(vec![ResourceContents::text("", self)])
    }
}

impl IntoContents for &'static str {
    fn into_contents(self) -> Result<Vec<ResourceContents>, Error> {
        self.to_owned().into_contents()
    }
}

impl IntoContents for Vec<u8> {
    fn into_contents(self) -> Result<Vec<ResourceContents>, Error> {
        Ok(vec![ResourceContents::blob("", self)])
    }
}

impl IntoContents for ResourceContents {
    fn into_contents(self) -> Result<Vec<ResourceContents>, Error> {
        Ok(vec![self])
    }
}

impl IntoContents for Vec<ResourceContents> {
    fn into_contents(self) -> Result<Vec<ResourceContents>, Error> {
        Ok(self)
    }
}

/// A value that a resource gives as JSON, with the media type `application/json`.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoContents for Json<T> {
    fn into_contents(self) -> Result<Vec<ResourceContents>, Error> {
        let text = serde_json::to_string(&self.0)?;
        Ok(vec![ResourceContents::text("", text).mime_type("application/json")])
    }
}

/// How a resource's value becomes its contents; `FIT` is whether it can.
pub trait Contents<const FIT: bool> {
    /// The contents.
    fn contents(self) -> Result<Vec<ResourceContents>, Error>;
}

impl<T: IntoContents> Contents<true> for T {
    fn contents(self) -> Result<Vec<ResourceContents>, Error> {
        self.into_contents()
    }
}

impl<T> Contents<false> for T {
    fn contents(self) -> Result<Vec<ResourceContents>, Error> {
        Err(Error::new("the result cannot be sent"))
    }
}

/// Writes what a resource's function returned.
pub fn contents<R, const RETURN: u8, const FIT: bool>(call: &Call<'_>, returned: R) -> Result<Outcome, Stop>
where
    R: Returned<RETURN>,
    R::Value: Contents<FIT>,
{
    Ok(call.contents(returned.value()?.contents()?))
}

/// Compiles if a resource may return this; the compiler's message then stands at the return type.
pub const fn readable<R, const RETURN: u8>()
where
    R: Returned<RETURN> + Told<RETURN>,
    R::Value: IntoContents,
{
}

/// What a prompt's function can return.
#[diagnostic::on_unimplemented(
    message = "a prompt cannot return `{Self}`",
    label = "return text, content, a `PromptMessage` or several of these, a `GetPromptResult`, or a `Result` of one"
)]
pub trait IntoMessages {
    /// The messages; what names no speaker is said by the user.
    fn into_messages(self) -> GetPromptResult;
}

impl IntoMessages for GetPromptResult {
    fn into_messages(self) -> GetPromptResult {
        self
    }
}

impl IntoMessages for PromptMessage {
    fn into_messages(self) -> GetPromptResult {
        vec![self].into_messages()
    }
}

impl IntoMessages for Vec<PromptMessage> {
    fn into_messages(self) -> GetPromptResult {
        GetPromptResult { messages: self, ..GetPromptResult::default() }
    }
}

macro_rules! said_by_the_user {
    ($($ty:ty),*) => { $(
        impl IntoMessages for $ty {
            fn into_messages(self) -> GetPromptResult {
                PromptMessage::user(self).into_messages()
            }
        }

        impl IntoMessages for Vec<$ty> {
            fn into_messages(self) -> GetPromptResult {
                self.into_iter().map(PromptMessage::user).collect::<Vec<_>>().into_messages()
            }
        }
    )* };
}
said_by_the_user!(String, &'static str, Content, Text, Image, Audio, ResourceLink, EmbeddedResource);

/// How a prompt's value becomes its messages; `FIT` is whether it can.
pub trait Messages<const FIT: bool> {
    /// The messages.
    fn messages(self) -> Result<GetPromptResult, Error>;
}

impl<T: IntoMessages> Messages<true> for T {
    fn messages(self) -> Result<GetPromptResult, Error> {
        Ok(self.into_messages())
    }
}

impl<T> Messages<false> for T {
    fn messages(self) -> Result<GetPromptResult, Error> {
        Err(Error::new("the result cannot be sent"))
    }
}

/// Writes what a prompt's function returned.
pub fn messages<R, const RETURN: u8, const FIT: bool>(call: &Call<'_>, returned: R) -> Result<Outcome, Stop>
where
    R: Returned<RETURN>,
    R::Value: Messages<FIT>,
{
    Ok(call.messages(returned.value()?.messages()?))
}

/// Compiles if a prompt may return this; the compiler's message then stands at the return type.
pub const fn sayable<R, const RETURN: u8>()
where
    R: Returned<RETURN> + Told<RETURN>,
    R::Value: IntoMessages,
{
}
