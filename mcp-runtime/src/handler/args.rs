//! A tool's arguments, read from the request straight into the function's parameters.
//!
//! The fast path is one pass of serde over the request's own text. Only when it fails are the
//! arguments looked at again, leniently toward the declared types, and every mistake is collected.

use std::{borrow::Cow, fmt, marker::PhantomData};

use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor},
};

use super::{
    context::Context,
    error::Stop,
    extract::{FromContext, Need},
    fields::fields,
    probe::{INJECTED, NEITHER, PLAIN},
};
use crate::schema::{self, Generated};

/// A type that the client can send as an argument of a tool.
pub trait Argument: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Argument for T {}

/// Where one parameter's value is kept until the function is called.
pub trait Fill<'de>: Default + Send {
    /// Whether the client sends it.
    const ARGUMENT: bool;
    /// Whether it takes all the arguments together.
    const WHOLE: bool = false;
    /// What a server must have been given for it.
    fn need() -> Option<Need>;
    /// Its schema, if the client sends it.
    fn schema() -> Option<Generated>;
    /// The names under which it reads fields, where it takes all the arguments together.
    fn fields() -> &'static [&'static str] {
        &[]
    }
    /// Reads it, borrowing from the request where it can.
    fn fill<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error>;
    /// Reads it without borrowing.
    fn own<'x, D: Deserializer<'x>>(&mut self, value: D) -> Result<(), D::Error>;
    /// Whether it has its value.
    fn is_filled(&self) -> bool;
    /// Gives it the value of an argument that was left out; `false` if it has none.
    fn leave_out(&mut self) -> bool;
}

/// A parameter's place that the server may fill. Apart from [`Fill`], whose lifetime a future would
/// have to hold for all lifetimes at once.
pub trait Inject: Send {
    /// Has the server provide the value, if it is the server's to provide.
    fn inject(&mut self, ctx: &Context) -> impl Future<Output = Result<(), Stop>> + Send;
}

/// What a resolver may read of a parameter.
pub trait Held {
    /// The argument's type; `NotAnArgument` for what the server provides.
    type Ty: ?Sized;
    /// The value, once the arguments are read.
    fn held(&self) -> &Self::Ty;
}

/// Stands for the type of a parameter that is no argument.
#[derive(Debug)]
pub struct NotAnArgument;

/// One parameter of type `T`; `KIND` tells arguments from what the server provides.
#[derive(Debug)]
pub struct Slot<T, const KIND: u8>(Option<T>);

impl<T, const KIND: u8> Default for Slot<T, KIND> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T, const KIND: u8> Slot<T, KIND> {
    /// The value for the function. [`Stop`] where it has none, which the steps before exclude.
    pub fn take(&mut self) -> Result<T, Stop> {
        self.0.take().ok_or_else(unfilled)
    }

    /// The author's default, where the client sent none.
    pub fn or(&mut self, default: impl FnOnce() -> T) {
        self.0.get_or_insert_with(default);
    }
}

fn unfilled() -> Stop {
    Stop::Fail(super::error::Error::new("a parameter has no value"))
}

impl<'de, T: Argument> Fill<'de> for Slot<T, PLAIN> {
    const ARGUMENT: bool = true;

    fn need() -> Option<Need> {
        None
    }

    fn schema() -> Option<Generated> {
        Some(schema::input::<T>())
    }

    fn fill<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        self.0 = Some(map.next_value()?);
        Ok(())
    }

    fn own<'x, D: Deserializer<'x>>(&mut self, value: D) -> Result<(), D::Error> {
        self.0 = Some(T::deserialize(value)?);
        Ok(())
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }

    fn leave_out(&mut self) -> bool {
        self.0 = left_out();
        self.0.is_some()
    }
}

impl<T: Send> Inject for Slot<T, PLAIN> {
    async fn inject(&mut self, _: &Context) -> Result<(), Stop> {
        Ok(())
    }
}

impl<T: FromContext> Inject for Slot<T, INJECTED> {
    async fn inject(&mut self, ctx: &Context) -> Result<(), Stop> {
        self.0 = Some(T::from_context(ctx).await?);
        Ok(())
    }
}

impl Inject for TextSlot<'_> {
    async fn inject(&mut self, _: &Context) -> Result<(), Stop> {
        Ok(())
    }
}

impl<T: Send, const FIT: bool> Inject for Whole<T, FIT> {
    async fn inject(&mut self, _: &Context) -> Result<(), Stop> {
        Ok(())
    }
}

macro_rules! held {
    ($($slot:ty),*) => { $(
        impl<T> Held for $slot {
            type Ty = T;

            // Resolvers run after the arguments were read, so there is one.
            fn held(&self) -> &T {
                self.0.as_ref().expect("the arguments are read before any resolver runs")
            }
        }
    )* };
}
held!(Slot<T, PLAIN>, Slot<T, NEITHER>, Whole<T, true>, Whole<T, false>);

impl<'de, T: FromContext> Fill<'de> for Slot<T, INJECTED> {
    const ARGUMENT: bool = false;

    fn need() -> Option<Need> {
        T::needs()
    }

    fn schema() -> Option<Generated> {
        None
    }

    fn fill<A: MapAccess<'de>>(&mut self, _: &mut A) -> Result<(), A::Error> {
        Err(A::Error::custom("not an argument"))
    }

    fn own<'x, D: Deserializer<'x>>(&mut self, _: D) -> Result<(), D::Error> {
        Err(D::Error::custom("not an argument"))
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }

    fn leave_out(&mut self) -> bool {
        true
    }
}

impl<'de, T: Send + 'static> Fill<'de> for Slot<T, NEITHER> {
    const ARGUMENT: bool = true;

    fn need() -> Option<Need> {
        None
    }

    fn schema() -> Option<Generated> {
        None
    }

    fn fill<A: MapAccess<'de>>(&mut self, _: &mut A) -> Result<(), A::Error> {
        Err(A::Error::custom("not an argument"))
    }

    fn own<'x, D: Deserializer<'x>>(&mut self, _: D) -> Result<(), D::Error> {
        Err(D::Error::custom("not an argument"))
    }

    fn is_filled(&self) -> bool {
        false
    }

    fn leave_out(&mut self) -> bool {
        false
    }
}

impl<T: Send> Inject for Slot<T, NEITHER> {
    async fn inject(&mut self, _: &Context) -> Result<(), Stop> {
        Ok(())
    }
}

impl<T> Held for Slot<T, INJECTED> {
    type Ty = NotAnArgument;

    fn held(&self) -> &NotAnArgument {
        &NotAnArgument
    }
}

/// A parameter `&str`: borrowed from the request unless it holds escapes.
#[derive(Debug, Default)]
pub struct TextSlot<'a>(Option<Cow<'a, str>>);

impl<'a> TextSlot<'a> {
    /// The text for the function.
    pub fn take(&mut self) -> Result<Cow<'a, str>, Stop> {
        self.0.take().ok_or_else(unfilled)
    }

    /// The author's default, where the client sent none.
    pub fn or(&mut self, default: impl FnOnce() -> &'a str) {
        self.0.get_or_insert_with(|| Cow::Borrowed(default()));
    }
}

struct Text<'de>(PhantomData<&'de ()>);

impl<'de> Visitor<'de> for Text<'de> {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text))
    }
}

impl<'de> DeserializeSeed<'de> for Text<'de> {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<Self::Value, D::Error> {
        value.deserialize_str(self)
    }
}

impl<'de> Fill<'de> for TextSlot<'de> {
    const ARGUMENT: bool = true;

    fn need() -> Option<Need> {
        None
    }

    fn schema() -> Option<Generated> {
        Some(schema::input::<str>())
    }

    fn fill<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        self.0 = Some(map.next_value_seed(Text(PhantomData))?);
        Ok(())
    }

    fn own<'x, D: Deserializer<'x>>(&mut self, value: D) -> Result<(), D::Error> {
        self.0 = Some(Cow::Owned(String::deserialize(value)?));
        Ok(())
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }

    fn leave_out(&mut self) -> bool {
        false
    }
}

impl Held for TextSlot<'_> {
    type Ty = str;

    fn held(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

/// A parameter `#[args]`: a struct of the author's whose fields are the tool's arguments; `FIT` is
/// whether it can be one.
#[derive(Debug)]
pub struct Whole<T, const FIT: bool>(Option<T>);

impl<T, const FIT: bool> Default for Whole<T, FIT> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T, const FIT: bool> Whole<T, FIT> {
    /// The struct for the function.
    pub fn take(&mut self) -> Result<T, Stop> {
        self.0.take().ok_or_else(unfilled)
    }
}

impl<'de, T: Argument> Fill<'de> for Whole<T, true> {
    const ARGUMENT: bool = true;
    const WHOLE: bool = true;

    fn need() -> Option<Need> {
        None
    }

    fn schema() -> Option<Generated> {
        Some(schema::input::<T>())
    }

    fn fields() -> &'static [&'static str] {
        fields::<T>()
    }

    fn fill<A: MapAccess<'de>>(&mut self, _: &mut A) -> Result<(), A::Error> {
        Err(A::Error::custom("not one argument"))
    }

    fn own<'x, D: Deserializer<'x>>(&mut self, value: D) -> Result<(), D::Error> {
        self.0 = Some(T::deserialize(value)?);
        Ok(())
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }

    fn leave_out(&mut self) -> bool {
        true
    }
}

impl<'de, T: Send> Fill<'de> for Whole<T, false> {
    const ARGUMENT: bool = true;
    const WHOLE: bool = true;

    fn need() -> Option<Need> {
        None
    }

    fn schema() -> Option<Generated> {
        None
    }

    fn fill<A: MapAccess<'de>>(&mut self, _: &mut A) -> Result<(), A::Error> {
        Err(A::Error::custom("not one argument"))
    }

    fn own<'x, D: Deserializer<'x>>(&mut self, _: D) -> Result<(), D::Error> {
        Err(D::Error::custom("not an argument"))
    }

    fn is_filled(&self) -> bool {
        false
    }

    fn leave_out(&mut self) -> bool {
        false
    }
}

/// The value that a type has when its field is left out, by serde's own rule: `None` for an
/// `Option`, nothing for others.
pub(crate) fn left_out<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("left out"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// All the parameters of a function, in order.
pub trait Slots<'de>: Send + Sized {
    /// Without any values.
    fn empty() -> Self;
    /// Reads parameter `index`, borrowing from the request where it can.
    fn fill<A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error>;
    /// Reads parameter `index` without borrowing.
    fn own<'x, D: Deserializer<'x>>(&mut self, index: usize, value: D) -> Result<(), D::Error>;
    /// Whether parameter `index` has its value.
    fn is_filled(&self, index: usize) -> bool;
    /// Gives parameter `index` the value of an argument that was left out.
    fn leave_out(&mut self, index: usize) -> bool;
}

/// All the parameters of a function, of which the server provides some.
pub trait InjectAll: Send {
    /// Has the server provide what is its to provide.
    fn inject(&mut self, ctx: &Context) -> impl Future<Output = Result<(), Stop>> + Send;
}

macro_rules! slots {
    ($($slot:ident $index:tt),*) => {
        impl<'de, $($slot: Fill<'de>),*> Slots<'de> for ($($slot,)*) {
            #[allow(clippy::unused_unit)]
            fn empty() -> Self {
                ($($slot::default(),)*)
            }

            #[allow(unused_variables)]
            fn fill<A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
                match index {
                    $($index => self.$index.fill(map),)*
                    _ => map.next_value::<IgnoredAny>().map(drop),
                }
            }

            #[allow(unused_variables)]
            fn own<'x, D: Deserializer<'x>>(&mut self, index: usize, value: D) -> Result<(), D::Error> {
                match index {
                    $($index => self.$index.own(value),)*
                    _ => Ok(()),
                }
            }

            fn is_filled(&self, index: usize) -> bool {
                match index {
                    $($index => self.$index.is_filled(),)*
                    _ => false,
                }
            }

            fn leave_out(&mut self, index: usize) -> bool {
                match index {
                    $($index => self.$index.leave_out(),)*
                    _ => false,
                }
            }
        }

        impl<$($slot: Inject),*> InjectAll for ($($slot,)*) {
            #[allow(unused_variables)]
            async fn inject(&mut self, ctx: &Context) -> Result<(), Stop> {
                $(self.$index.inject(ctx).await?;)*
                Ok(())
            }
        }
    };
}
slots!();
slots!(A0 0);
slots!(A0 0, A1 1);
slots!(A0 0, A1 1, A2 2);
slots!(A0 0, A1 1, A2 2, A3 3);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11, A12 12);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11, A12 12, A13 13);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11, A12 12, A13 13, A14 14);
slots!(A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11, A12 12, A13 13, A14 14, A15 15);

/// A type that a tool can have as a parameter; `KIND` tells arguments from what the server provides.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter here",
    label = "not an argument, nor anything that the server provides",
    note = "to have the client send it, derive `serde::Deserialize` and `schemars::JsonSchema` for it",
    note = "to have the server provide it, implement `mcp_runtime::FromContext` for it"
)]
pub trait Takes<const KIND: u8> {}

impl<T> Takes<INJECTED> for T {}
impl<T: Argument> Takes<PLAIN> for T {}
impl<T: Argument> Takes<NEITHER> for T {}

/// Compiles if a tool can have a parameter of this type; the compiler's message then stands at the type.
pub const fn takes<T: Takes<KIND>, const KIND: u8>() {}

/// A type whose value may be mirrored into an HTTP header: text, whole numbers, truth values.
///
/// Implement it for a string-like type of your own.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{Self}` cannot be mirrored into a header",
    label = "only text, integers and booleans can; remove `header` or change the type"
)]
pub trait HeaderArgument {}

macro_rules! header_arguments {
    ($($ty:ty),*) => { $(impl HeaderArgument for $ty {})* };
}
header_arguments!(str, String, bool, char, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);
impl HeaderArgument for Cow<'_, str> {}
impl<T: HeaderArgument> HeaderArgument for Option<T> {}
impl<T: HeaderArgument + ?Sized> HeaderArgument for &T {}

/// Compiles if a parameter of this type can have a header.
pub const fn header<T: HeaderArgument + ?Sized>() {}

/// A type that a text in `default = "…"` can become.
#[diagnostic::on_unimplemented(
    message = "a text cannot be the default of a parameter of type `{Self}`",
    label = "write a value of the parameter's own type"
)]
pub trait TextDefault: From<&'static str> {}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> TextDefault for T {}

/// A default that was written as a text.
#[must_use]
pub fn default_text<T: TextDefault>(text: &'static str) -> T {
    text.into()
}
