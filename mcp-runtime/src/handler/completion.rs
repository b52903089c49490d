//! What functions that complete an argument return (server/utilities/completion).

use super::{
    call::{Call, Outcome},
    error::{Error, Stop},
    probe::{Returned, Told},
};

/// The most values that one answer may have.
const MOST: usize = 100;

/// Values that an argument could have, the best first.
///
/// A function may also return a list of texts; of more than 100 the first 100 are sent, with the
/// number that there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The values.
    pub values: Vec<String>,
    /// How many there are in all, where that is known.
    pub total: Option<usize>,
    /// Whether there are more than these.
    pub has_more: bool,
}

/// What a function that completes an argument can return.
#[diagnostic::on_unimplemented(
    message = "a completion cannot return `{Self}`",
    label = "return a list of texts, a `Completion`, or a `Result` of one"
)]
pub trait IntoCompletion {
    /// The values.
    fn into_completion(self) -> Completion;
}

impl IntoCompletion for Completion {
    fn into_completion(mut self) -> Completion {
        if self.values.len() > MOST {
            self.total.get_or_insert(self.values.len());
            self.values.truncate(MOST);
            self.has_more = true;
        }
        self
    }
}

impl IntoCompletion for Vec<String> {
    fn into_completion(self) -> Completion {
        let total = Some(self.len());
        Completion { values: self, total, has_more: false }.into_completion()
    }
}

impl IntoCompletion for Vec<&'static str> {
    fn into_completion(self) -> Completion {
        self.into_iter().map(str::to_owned).collect::<Vec<_>>().into_completion()
    }
}

/// How a function's value becomes its completion; `FIT` is whether it can.
pub trait Completes<const FIT: bool> {
    /// The values.
    fn completes(self) -> Result<Completion, Error>;
}

impl<T: IntoCompletion> Completes<true> for T {
    fn completes(self) -> Result<Completion, Error> {
        Ok(self.into_completion())
    }
}

impl<T> Completes<false> for T {
    fn completes(self) -> Result<Completion, Error> {
        Err(Error::new("the result cannot be sent"))
    }
}

/// Writes what a function that completes an argument returned.
pub fn completion<R, const RETURN: u8, const FIT: bool>(call: &Call<'_>, returned: R) -> Result<Outcome, Stop>
where
    R: Returned<RETURN>,
    R::Value: Completes<FIT>,
{
    Ok(call.completion(&returned.value()?.completes()?))
}

/// Compiles if a completion may return this; the compiler's message then stands at the return type.
pub const fn completable<R, const RETURN: u8>()
where
    R: Returned<RETURN> + Told<RETURN>,
    R::Value: IntoCompletion,
{
}
