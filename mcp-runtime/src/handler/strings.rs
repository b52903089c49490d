//! Parameters of prompts and of resource templates: strings on the wire, of any type in the function.

use std::{fmt::Display, str::FromStr};

use super::{
    args::{Held, NotAnArgument},
    context::Context,
    error::{Error, Stop},
    extract::{FromContext, Need},
    probe::{INJECTED, NEITHER, OPTIONAL, PLAIN},
};

/// A type that a string can be read into.
pub trait TextArgument: Sized + Send + 'static {
    /// Reads it from the text that the client sent.
    fn read(text: &str) -> Result<Self, String>;
}

#[diagnostic::do_not_recommend]
impl<T> TextArgument for T
where
    T: FromStr + Send + 'static,
    T::Err: Display,
{
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: T::Err| error.to_string())
    }
}

/// Where one string parameter's value is kept until the function is called.
pub trait FillText: Default + Send {
    /// Whether the client sends it.
    const ARGUMENT: bool;
    /// What a server must have been given for it.
    fn need() -> Option<Need>;
    /// Reads it.
    fn read(&mut self, text: &str) -> Result<(), String>;
    /// Gives it the value of an argument that was left out; `false` if it has none.
    fn leave_out(&mut self) -> bool;
    /// Whether it has its value.
    fn is_filled(&self) -> bool;
    /// Has the server provide it.
    fn inject(&mut self, ctx: &Context) -> impl Future<Output = Result<(), Stop>> + Send;
}

/// One parameter of type `T`, read from a string or provided by the server.
#[derive(Debug)]
pub struct Parsed<T, const KIND: u8>(Option<T>);

impl<T, const KIND: u8> Default for Parsed<T, KIND> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T, const KIND: u8> Parsed<T, KIND> {
    /// The value for the function.
    pub fn take(&mut self) -> Result<T, Stop> {
        self.0.take().ok_or_else(|| Stop::Fail(Error::new("a parameter has no value")))
    }

    /// The author's default, where the client sent none.
    pub fn or(&mut self, default: impl FnOnce() -> T) {
        self.0.get_or_insert_with(default);
    }
}

impl<T: TextArgument> FillText for Parsed<T, PLAIN> {
    const ARGUMENT: bool = true;

    fn need() -> Option<Need> {
        None
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        self.0 = Some(T::read(text)?);
        Ok(())
    }

    fn leave_out(&mut self) -> bool {
        false
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }

    async fn inject(&mut self, _: &Context) -> Result<(), Stop> {
        Ok(())
    }
}

impl<T: FromContext> FillText for Parsed<T, INJECTED> {
    const ARGUMENT: bool = false;

    fn need() -> Option<Need> {
        T::needs()
    }

    fn read(&mut self, _: &str) -> Result<(), String> {
        Err("not an argument".into())
    }

    fn leave_out(&mut self) -> bool {
        true
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }

    async fn inject(&mut self, ctx: &Context) -> Result<(), Stop> {
        self.0 = Some(T::from_context(ctx).await?);
        Ok(())
    }
}

impl<T: TextArgument> FillText for Parsed<Option<T>, OPTIONAL> {
    const ARGUMENT: bool = true;

    fn need() -> Option<Need> {
        None
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        self.0 = Some(Some(T::read(text)?));
        Ok(())
    }

    fn leave_out(&mut self) -> bool {
        self.0 = Some(None);
        true
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }

    async fn inject(&mut self, _: &Context) -> Result<(), Stop> {
        Ok(())
    }
}

impl<T: Send> FillText for Parsed<T, NEITHER> {
    const ARGUMENT: bool = true;

    fn need() -> Option<Need> {
        None
    }

    fn read(&mut self, _: &str) -> Result<(), String> {
        Err("not an argument".into())
    }

    fn leave_out(&mut self) -> bool {
        false
    }

    fn is_filled(&self) -> bool {
        false
    }

    async fn inject(&mut self, _: &Context) -> Result<(), Stop> {
        Ok(())
    }
}

/// A type that a prompt or a resource can have as a parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter here",
    label = "prompts and resources get strings: implement `FromStr` for it, or `FromContext` to have the server provide it"
)]
pub trait TakesText<const KIND: u8> {}

impl<T> TakesText<INJECTED> for T {}
impl<T> TakesText<OPTIONAL> for T {}
impl<T: TextArgument> TakesText<PLAIN> for T {}
impl<T: TextArgument> TakesText<NEITHER> for T {}

/// Compiles if a prompt or a resource can have a parameter of this type; the compiler's message then
/// stands at the type.
pub const fn takes_text<T: TakesText<KIND>, const KIND: u8>() {}

impl<T> Held for Parsed<T, INJECTED> {
    type Ty = NotAnArgument;

    fn held(&self) -> &NotAnArgument {
        &NotAnArgument
    }
}

macro_rules! held {
    ($($kind:ident),*) => { $(
        impl<T> Held for Parsed<T, $kind> {
            type Ty = T;

            // Resolvers run after the arguments were read, so there is one.
            fn held(&self) -> &T {
                self.0.as_ref().expect("the arguments are read before any resolver runs")
            }
        }
    )* };
}
held!(PLAIN, OPTIONAL, NEITHER);

/// All the parameters of a prompt or a resource, in order.
pub trait TextSlots: Send + Sized {
    /// Without any values.
    fn empty() -> Self;
    /// Reads parameter `index`.
    fn read(&mut self, index: usize, text: &str) -> Result<(), String>;
    /// Whether parameter `index` has its value.
    fn is_filled(&self, index: usize) -> bool;
    /// Gives parameter `index` the value of an argument that was left out.
    fn leave_out(&mut self, index: usize) -> bool;
    /// Has the server provide what is its to provide.
    fn inject(&mut self, ctx: &Context) -> impl Future<Output = Result<(), Stop>> + Send;
}

macro_rules! slots {
    ($($slot:ident $index:tt),*) => {
        impl<$($slot: FillText),*> TextSlots for ($($slot,)*) {
            #[allow(clippy::unused_unit)]
            fn empty() -> Self {
                ($($slot::default(),)*)
            }

            #[allow(unused_variables)]
            fn read(&mut self, index: usize, text: &str) -> Result<(), String> {
                match index {
                    $($index => self.$index.read(text),)*
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

            #[allow(unused_variables)]
            async fn inject(&mut self, ctx: &Context) -> Result<(), Stop> {
                $(if !$slot::ARGUMENT { self.$index.inject(ctx).await?; })*
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
