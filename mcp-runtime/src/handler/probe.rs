//! Which kind a type is of, found by the compiler from the traits that it implements.
//!
//! `<Probe<T>>::INJECTED` is the inherent constant where its bound holds, and else the one of the
//! trait [`Fallback`]. Both are known for a concrete type, so an expansion can select an
//! implementation by it; an alias or a re-export of the type changes nothing.
//!
//! A type that is of no kind at all gets an implementation too, which does nothing: the one check
//! that the expansion emits for it then is the only error that its author reads.

use std::{error::Error as StdError, marker::PhantomData};

use super::{
    args::Argument,
    completion::IntoCompletion,
    def::{Companion, ResolverDef},
    error::Error,
    extract::FromContext,
    reply::{IntoReply, Output},
    resolve::Fits,
    strings::TextArgument,
    text_reply::{IntoContents, IntoMessages},
};
use crate::ask::{Answered, Ask, Field};

/// Carries the type that is asked about.
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// What holds of a type of no special kind.
pub trait Fallback {
    /// Whether it is a parameter that the server provides.
    const INJECTED: bool = false;
    /// Whether it is an argument of a tool.
    const ARGUMENT: bool = false;
    /// Whether it is read from a string.
    const TEXT: bool = false;
    /// Whether it is an `Option` of what is read from a string.
    const OPTIONAL: bool = false;
    /// Whether it is a `Result`.
    const RESULT: bool = false;
    /// Whether it is a `Result` whose error can be told.
    const FALLIBLE: bool = false;
    /// Whether it is made of content blocks.
    const BLOCKS: bool = false;
    /// Whether it is sent as data.
    const DATA: bool = false;
    /// Whether a resource can return it.
    const CONTENTS: bool = false;
    /// Whether a prompt can return it.
    const MESSAGES: bool = false;
    /// Whether a completion can return it.
    const COMPLETES: bool = false;
    /// Whether it is a question to the client.
    const ASK: bool = false;
    /// Whether it is a question whose answer can be read.
    const ANSWERED: bool = false;
    /// Whether it is a resolver.
    const RESOLVER: bool = false;
    /// Of a resolver, arguments and a type: whether the resolver gives the type for the arguments.
    const GIVES: bool = false;
    /// Whether it is a field of a form.
    const FIELD: bool = false;
}

impl<T: ?Sized> Fallback for Probe<T> {}

impl<T: FromContext> Probe<T> {
    /// The server provides it.
    pub const INJECTED: bool = true;
}

impl<T: Argument> Probe<T> {
    /// The client sends it.
    pub const ARGUMENT: bool = true;
}

impl<T: TextArgument> Probe<T> {
    /// A string can be read into it.
    pub const TEXT: bool = true;
}

impl<T: TextArgument> Probe<Option<T>> {
    /// A string can be read into it, and it may be left out.
    pub const OPTIONAL: bool = true;
}

impl<T, E> Probe<Result<T, E>> {
    /// It is a `Result`.
    pub const RESULT: bool = true;
}

impl<T, E: Failure> Probe<Result<T, E>> {
    /// Its error can be told.
    pub const FALLIBLE: bool = true;
}

impl<T: IntoReply> Probe<T> {
    /// It is made of content blocks.
    pub const BLOCKS: bool = true;
}

impl<T: Output> Probe<T> {
    /// It is sent as data.
    pub const DATA: bool = true;
}

impl<T: IntoContents> Probe<T> {
    /// A resource can return it.
    pub const CONTENTS: bool = true;
}

impl<T: IntoMessages> Probe<T> {
    /// A prompt can return it.
    pub const MESSAGES: bool = true;
}

impl<T: IntoCompletion> Probe<T> {
    /// A completion can return it.
    pub const COMPLETES: bool = true;
}

impl<T> Probe<Ask<T>> {
    /// It is a question to the client.
    pub const ASK: bool = true;
}

impl<T: Answered> Probe<Ask<T>> {
    /// Its answer can be read.
    pub const ANSWERED: bool = true;
}

impl<T: Companion<ResolverDef>> Probe<T> {
    /// It is a resolver.
    pub const RESOLVER: bool = true;
}

impl<R: Fits<A, P>, A, P> Probe<(R, A, P)> {
    /// The resolver gives the type.
    pub const GIVES: bool = true;
}

impl<T: Field> Probe<T> {
    /// It can be a field of a form.
    pub const FIELD: bool = true;
}

/// Tells apart what the implementations are for.
pub type Kind = u8;

/// Of no kind: the check beside it is the error.
pub(crate) const NEITHER: u8 = u8::MAX;

/// A parameter that the client sends, or a function that returns a bare value.
pub(crate) const PLAIN: u8 = 0;
/// A parameter that the server provides.
pub(crate) const INJECTED: u8 = 1;
/// A string parameter that may be left out.
pub(crate) const OPTIONAL: u8 = 2;

/// The kind of a parameter, from what is known of its type.
#[must_use]
pub const fn param_kind(injected: bool, plain: bool, optional: bool) -> u8 {
    if injected {
        INJECTED
    } else if optional {
        OPTIONAL
    } else if plain {
        PLAIN
    } else {
        NEITHER
    }
}

/// A parameter that the client sends, as far as its kind tells.
#[diagnostic::on_unimplemented(
    message = "`{Self}` comes from the server: the client cannot send it",
    label = "`#[arg(…)]` and a template's variable are for what the client sends"
)]
pub trait Sent<const KIND: u8> {}

impl<T> Sent<PLAIN> for T {}
impl<T> Sent<OPTIONAL> for T {}
impl<T> Sent<NEITHER> for T {}

/// Compiles if the client sends a parameter of this type; the compiler's message then stands at the type.
pub const fn sent<T: Sent<KIND>, const KIND: u8>() {}

/// A function that returns a `Result`.
pub(crate) const RESULT: u8 = 1;

/// The kind of a return type, from what is known of it.
#[must_use]
pub const fn return_kind(result: bool, fallible: bool) -> u8 {
    match (result, fallible) {
        (false, _) => PLAIN,
        (true, true) => RESULT,
        (true, false) => NEITHER,
    }
}

/// An error that a function can return.
#[diagnostic::on_unimplemented(
    message = "a function of a server cannot fail with `{Self}`",
    label = "implement `std::error::Error` for it, or return `mcp_runtime::Result<T>`, which takes any error behind `?`"
)]
pub trait Failure: Into<Box<dyn StdError + Send + Sync>> + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn StdError + Send + Sync>> + Send + 'static> Failure for E {}

/// What a function gives when it succeeds; `KIND` tells results from bare values.
pub trait Returned<const KIND: u8>: Sized {
    /// The type behind the `Result`, if there is one.
    type Value;

    /// Takes it out.
    fn value(self) -> Result<Self::Value, Error>;
}

impl<T> Returned<PLAIN> for T {
    type Value = T;

    fn value(self) -> Result<T, Error> {
        Ok(self)
    }
}

impl<T, E: Failure> Returned<RESULT> for Result<T, E> {
    type Value = T;

    fn value(self) -> Result<T, Error> {
        self.map_err(Error::from_any)
    }
}

impl<T, E> Returned<NEITHER> for Result<T, E> {
    type Value = T;

    fn value(self) -> Result<T, Error> {
        self.map_err(|_| Error::new("it failed"))
    }
}

/// A return type whose error, if any, can be told.
pub trait Told<const KIND: u8> {}

impl<T> Told<PLAIN> for T {}
impl<T, E: Failure> Told<RESULT> for Result<T, E> {}
impl<T, E: Failure> Told<NEITHER> for Result<T, E> {}

/// Compiles if a function may fail like this; the compiler's message then stands at the return type.
pub const fn told<R: Told<KIND>, const KIND: u8>() {}
