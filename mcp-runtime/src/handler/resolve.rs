//! Resolvers: values that a function gets from other functions, or from the user.
//!
//! A resolver names the arguments that it reads, and the compiler proves that each tool has them
//! ([`Arg`], [`Has`]), through resolvers of resolvers too ([`Resolver`] is implemented only for the
//! arguments that satisfy them). Each runs at most once per round ([`Scope`]).

use std::{
    any::{Any, TypeId},
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::value::RawValue;
use tokio::sync::OnceCell;

use super::{
    call::Call,
    context::Context,
    def::{Companion, ResolverDef},
    error::{Error, Result, Stop},
    extract::FromContext,
    probe::NEITHER,
};
use crate::ask::{Answer, Answered, Ask};

/// Tells the names of arguments apart in types: FNV-1a of the name.
#[must_use]
pub const fn name(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0100_0000_01b3);
        index += 1;
    }
    hash
}

/// Arguments that have one of this name.
pub trait Arg<const NAME: u64> {
    /// Its type.
    type Ty: ?Sized;
    /// Its value.
    fn arg(&self) -> &Self::Ty;
}

/// A type of which a resolver can get a `T` of its own.
pub trait OwnedAs<T> {
    /// A copy.
    fn owned(&self) -> T;
}

impl<T: Clone> OwnedAs<T> for T {
    fn owned(&self) -> T {
        self.clone()
    }
}

impl OwnedAs<String> for str {
    fn owned(&self) -> String {
        self.to_owned()
    }
}

/// Arguments from which a resolver's parameter can be had: one of this name and type, or, when the
/// server provides it (`INJECTED`), any.
pub trait Has<const NAME: u64, T, const INJECTED: bool>: Sync {
    /// Gets the parameter.
    fn get(&self, ctx: &Context) -> impl Future<Output = Result<T, Stop>> + Send;
}

impl<A: Sync, T: FromContext, const NAME: u64> Has<NAME, T, true> for A {
    async fn get(&self, ctx: &Context) -> Result<T, Stop> {
        Ok(T::from_context(ctx).await?)
    }
}

impl<A, T, const NAME: u64> Has<NAME, T, false> for A
where
    A: Arg<NAME> + Sync,
    A::Ty: OwnedAs<T>,
{
    async fn get(&self, _: &Context) -> Result<T, Stop> {
        Ok(self.arg().owned())
    }
}

/// A `#[resolver]`, for the arguments of one function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resolver",
    label = "write `#[resolver]` on it, or name a function that has it"
)]
pub trait Resolver<A: ?Sized>: 'static {
    /// What it gives: `Plain` or `Asked`.
    type Out: Send + Sync + 'static;
    /// Runs it.
    fn run<'s>(scope: &'s Scope<'s, A>) -> impl Future<Output = Result<Self::Out, Stop>> + Send + 's;
}

/// A resolver that gives a value.
#[derive(Debug)]
pub struct Plain<T>(T);

/// A resolver that asked: the client's result, which was found to be an answer.
pub struct Asked<T> {
    result: Box<RawValue>,
    message: String,
    answer: PhantomData<fn() -> T>,
}

impl<T: Answered> Asked<T> {
    fn answer(&self) -> Result<Answer<T>, Stop> {
        T::read(&self.result).map_err(|why| Stop::Fail(Error::new(why)))
    }
}

impl<T> fmt::Debug for Asked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").field("message", &self.message).finish_non_exhaustive()
    }
}

/// A resolver that asked for what cannot be answered, which is an error of its own.
#[derive(Debug)]
pub struct Unanswerable;

/// A value.
pub(crate) const VALUE: u8 = 0;
/// A question to the client.
pub(crate) const ASK: u8 = 1;

/// The kind of what a resolver's function returned, from what is known of it.
#[must_use]
pub const fn outcome_kind(ask: bool, answered: bool) -> u8 {
    match (ask, answered) {
        (false, _) => VALUE,
        (true, true) => ASK,
        (true, false) => NEITHER,
    }
}

/// How what a resolver's function returned becomes what it gives; `KIND` tells questions from values.
pub trait Resolved<const KIND: u8>: Sized {
    /// What it gives.
    type Out: Send + Sync + 'static;
    /// Gets there, by asking if need be.
    fn settle(self, call: &Call<'_>, key: &str) -> impl Future<Output = Result<Self::Out, Stop>> + Send;
}

impl<T: Send + Sync + 'static> Resolved<VALUE> for T {
    type Out = Plain<T>;

    async fn settle(self, _: &Call<'_>, _: &str) -> Result<Plain<T>, Stop> {
        Ok(Plain(self))
    }
}

impl<T: Answered> Resolved<ASK> for Ask<T> {
    type Out = Asked<T>;

    async fn settle(self, call: &Call<'_>, key: &str) -> Result<Asked<T>, Stop> {
        let inner = call.context.inner();
        let result = inner.round.find(inner.capabilities(), key, &self).await?;
        Ok(Asked { result, message: self.question.message().to_owned(), answer: PhantomData })
    }
}

impl<T> Resolved<NEITHER> for Ask<T> {
    type Out = Unanswerable;

    async fn settle(self, _: &Call<'_>, _: &str) -> Result<Unanswerable, Stop> {
        Ok(Unanswerable)
    }
}

/// A resolver's outcome that a parameter of type `P` can be had from.
#[diagnostic::on_unimplemented(
    message = "this resolver does not give a `{P}`",
    label = "it gives {Self}",
    note = "a resolver that returns `Ask<T>` gives `Answer<T>` or `T`; one that returns `T` gives `T`, which has to be `Clone`"
)]
pub trait Supply<P> {
    /// Gets the parameter.
    fn supply(&self) -> Result<P, Stop>;
}

impl<T: Clone> Supply<T> for Plain<T> {
    fn supply(&self) -> Result<T, Stop> {
        Ok(self.0.clone())
    }
}

impl<T: Answered> Supply<Answer<T>> for Asked<T> {
    fn supply(&self) -> Result<Answer<T>, Stop> {
        self.answer()
    }
}

impl<T> Supply<T> for Unanswerable {
    fn supply(&self) -> Result<T, Stop> {
        Err(Stop::Fail(Error::new("the question has no answer")))
    }
}

/// A function that takes the bare answer is not called without one.
impl<T: Answered> Supply<T> for Asked<T> {
    fn supply(&self) -> Result<T, Stop> {
        let how = match self.answer()? {
            Answer::Accepted(value) => return Ok(value),
            Answer::Declined => "declined to answer",
            Answer::Cancelled => "dismissed the question",
        };
        Err(Stop::Fail(Error::new(format!("The user {how}: {}", self.message))))
    }
}

/// The resolvers that run for one call.
pub struct Scope<'s, A: ?Sized> {
    call: &'s Call<'s>,
    args: &'s A,
    memo: Memo,
}

type Memo = Arc<Mutex<Vec<(TypeId, Arc<dyn Any + Send + Sync>)>>>;

impl<'s, A: Sync> Scope<'s, A> {
    /// For a call and its arguments.
    pub fn new(call: &'s Call<'s>, args: &'s A) -> Self {
        Self { call, args, memo: Memo::default() }
    }

    /// The request.
    #[must_use]
    pub fn call(&self) -> &'s Call<'s> {
        self.call
    }

    /// The arguments.
    #[must_use]
    pub fn args(&self) -> &'s A {
        self.args
    }

    /// What resolver `R` gives, as a `P`.
    pub async fn get<R, P>(&self) -> Result<P, Stop>
    where
        R: Resolver<A>,
        R::Out: Supply<P>,
    {
        let cell = self.cell::<R>();
        cell.get_or_init(|| R::run(self)).await.as_ref().map_err(Stop::clone)?.supply()
    }

    fn cell<R: Resolver<A>>(&self) -> Arc<OnceCell<Result<R::Out, Stop>>> {
        let id = TypeId::of::<R>();
        let mut memo = self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = memo.iter().find(|(known, _)| *known == id)
            && let Ok(cell) = known.clone().downcast()
        {
            return cell;
        }
        let cell = Arc::new(OnceCell::new());
        memo.push((id, cell.clone()));
        cell
    }
}

impl<A: ?Sized> fmt::Debug for Scope<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

/// A resolver that gives a `P` for arguments `A`. A trait of its own: a question about a type cannot
/// go through `R::Out` before it is known that there is one.
pub trait Fits<A, P> {}

impl<R, A, P> Fits<A, P> for R
where
    R: Resolver<A>,
    R::Out: Supply<P>,
{
}

/// What a function has of a resolver, for arguments `A`; `FIT` is whether it gives a `P` for them.
pub trait Gives<A, P, const FIT: bool> {
    /// Runs the resolver, or takes what it gave before.
    fn give(scope: &Scope<'_, A>) -> impl Future<Output = Result<P, Stop>> + Send;
}

impl<R, A: Sync, P> Gives<A, P, true> for R
where
    R: Resolver<A>,
    R::Out: Supply<P>,
{
    async fn give(scope: &Scope<'_, A>) -> Result<P, Stop> {
        scope.get::<R, P>().await
    }
}

impl<R, A: Sync, P: Send> Gives<A, P, false> for R {
    async fn give(_: &Scope<'_, A>) -> Result<P, Stop> {
        Err(Stop::Fail(Error::new("the resolver does not fit")))
    }
}

/// Where a resolver's definition is; `FIT` is whether it is one.
pub trait Definition<const FIT: bool> {
    /// The definition.
    fn definition() -> &'static ResolverDef;
}

impl<R: Companion<ResolverDef>> Definition<true> for R {
    fn definition() -> &'static ResolverDef {
        R::DEF
    }
}

impl<R> Definition<false> for R {
    fn definition() -> &'static ResolverDef {
        static NONE: ResolverDef = ResolverDef::new("", "", file!(), line!());
        &NONE
    }
}

/// A function under `#[resolver]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resolver",
    label = "write `#[resolver]` on it, or name a function that has it"
)]
pub trait IsResolver {}

#[diagnostic::do_not_recommend]
impl<R: Companion<ResolverDef>> IsResolver for R {}

/// Compiles if `R` is a resolver; the compiler's message then stands at its path.
pub const fn is_resolver<R: IsResolver>() {}

/// Compiles if resolver `R` can run on arguments `A` and gives a `P`; the compiler's message then
/// stands at the resolver's path.
pub const fn resolves<A, R, P>()
where
    R: Resolver<A>,
    R::Out: Supply<P>,
{
}
