//! Rules that decide for whom a tool, a prompt or a resource exists.

use std::{fmt, marker::PhantomData, sync::Arc};

use super::{
    context::Context,
    extract::{FromContext, Need},
};
use crate::BoxFuture;

/// A function that decides whether a caller may know of something: it takes what the server provides
/// ([`FromContext`]) and returns a `bool`. What it takes and a caller does not have, such as a
/// `Principal`, decides against them.
///
/// `M` only tells the forms of functions apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot decide who sees this",
    label = "not a rule of visibility",
    note = "write a plain function of what the server provides: `fn is_admin(principal: &Principal) -> bool`"
)]
pub trait VisibleIf<M>: Send + Sync + 'static {
    /// Decides for one request.
    #[doc(hidden)]
    fn decide(&self, ctx: &Context) -> impl Future<Output = bool> + Send;

    /// What a server must have been given for it.
    #[doc(hidden)]
    fn needs() -> Vec<Need>;
}

/// The form of a rule that borrows the one thing that it looks at.
#[derive(Debug)]
pub struct Borrowing<A>(A);

impl<F, A> VisibleIf<Borrowing<A>> for F
where
    F: Fn(&A) -> bool + Send + Sync + 'static,
    A: FromContext + Sync,
{
    async fn decide(&self, ctx: &Context) -> bool {
        match A::from_context(ctx).await {
            Ok(value) => self(&value),
            Err(_) => false,
        }
    }

    fn needs() -> Vec<Need> {
        A::needs().into_iter().collect()
    }
}

macro_rules! rule {
    ($($ty:ident $value:ident),*) => {
        impl<F, $($ty),*> VisibleIf<($($ty,)*)> for F
        where
            F: Fn($($ty),*) -> bool + Send + Sync + 'static,
            $($ty: FromContext,)*
        {
            #[allow(unused_variables)]
            async fn decide(&self, ctx: &Context) -> bool {
                $(let Ok($value) = $ty::from_context(ctx).await else { return false };)*
                self($($value),*)
            }

            fn needs() -> Vec<Need> {
                let needs: [Option<Need>; _] = [$($ty::needs()),*];
                needs.into_iter().flatten().collect()
            }
        }
    };
}
rule!();
rule!(A a);
rule!(A a, B b);
rule!(A a, B b, C c);
rule!(A a, B b, C c, D d);

/// A rule without its type.
pub trait Decide: fmt::Debug + Send + Sync {
    /// Decides for one request.
    fn decide(&'static self, ctx: Context) -> BoxFuture<'static, bool>;

    /// What a server must have been given for it.
    fn needs(&self) -> Vec<Need>;
}

/// A rule and its form.
pub struct Ruled<F, M>(F, PhantomData<fn() -> M>);

/// A rule as a macro tells of it.
pub const fn rule<F: VisibleIf<M>, M>(rule: F) -> Ruled<F, M> {
    Ruled(rule, PhantomData)
}

impl<F: VisibleIf<M>, M: 'static> Decide for Ruled<F, M> {
    fn decide(&'static self, ctx: Context) -> BoxFuture<'static, bool> {
        Box::pin(async move { self.0.decide(&ctx).await })
    }

    fn needs(&self) -> Vec<Need> {
        F::needs()
    }
}

impl<F, M> fmt::Debug for Ruled<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rule")
    }
}

/// The rule of an entry.
#[derive(Clone)]
pub(crate) struct Rule(Arc<dyn Fn(Context) -> BoxFuture<'static, bool> + Send + Sync>);

impl Rule {
    #[cfg(feature = "dynamic")]
    pub(crate) fn new<F: VisibleIf<M>, M: 'static>(rule: F) -> Self {
        let rule = Arc::new(rule);
        Self(Arc::new(move |ctx| {
            let rule = rule.clone();
            Box::pin(async move { rule.decide(&ctx).await })
        }))
    }

    pub(crate) fn decide(&self, ctx: Context) -> BoxFuture<'static, bool> {
        self.0(ctx)
    }
}

impl From<&'static dyn Decide> for Rule {
    fn from(rule: &'static dyn Decide) -> Self {
        Self(Arc::new(|ctx| rule.decide(ctx)))
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rule")
    }
}
