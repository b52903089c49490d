//! Functions that list the resources of a template.

use std::{fmt, marker::PhantomData};

use super::{
    context::Context,
    error::Error,
    extract::{FromContext, Need},
    offload::{Load, offload},
    probe::Failure,
};
use crate::{BoxFuture, protocol::ResourceLink};

/// One resource of a template.
#[derive(Clone, Debug)]
pub enum Instance {
    /// By the values of the template's variables, in order.
    Values(Vec<String>),
    /// By all that is known of it.
    Link(Box<ResourceLink>),
}

/// What a function can return that lists the resources of a template with so many variables: the
/// values of the one variable (`Vec<String>`), of several (`Vec<[String; 2]>`), or links that say all
/// of each resource (`Vec<ResourceLink>`); or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list the resources of a template with {VARIABLES} variable(s)",
    label = "return the values of the variable as `Vec<String>`, of several as `Vec<[String; N]>`, or `Vec<ResourceLink>`"
)]
pub trait IntoInstances<const VARIABLES: usize>: Send + 'static {
    /// The resources.
    #[doc(hidden)]
    fn into_instances(self) -> Result<Vec<Instance>, Error>;
}

impl IntoInstances<1> for Vec<String> {
    fn into_instances(self) -> Result<Vec<Instance>, Error> {
        Ok(self.into_iter().map(|value| Instance::Values(vec![value])).collect())
    }
}

impl IntoInstances<1> for Vec<&'static str> {
    fn into_instances(self) -> Result<Vec<Instance>, Error> {
        Ok(self.into_iter().map(|value| Instance::Values(vec![value.to_owned()])).collect())
    }
}

impl<const VARIABLES: usize> IntoInstances<VARIABLES> for Vec<[String; VARIABLES]> {
    fn into_instances(self) -> Result<Vec<Instance>, Error> {
        Ok(self.into_iter().map(|values| Instance::Values(values.into())).collect())
    }
}

impl<const VARIABLES: usize> IntoInstances<VARIABLES> for Vec<ResourceLink> {
    fn into_instances(self) -> Result<Vec<Instance>, Error> {
        Ok(self.into_iter().map(|link| Instance::Link(Box::new(link))).collect())
    }
}

impl<const VARIABLES: usize, T, E> IntoInstances<VARIABLES> for Result<T, E>
where
    T: IntoInstances<VARIABLES>,
    E: Failure,
{
    fn into_instances(self) -> Result<Vec<Instance>, Error> {
        self.map_err(Error::from_any)?.into_instances()
    }
}

/// A function that lists the resources of a template: plain or asynchronous, of what the server
/// provides. `M` only tells the forms of functions apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot list the resources of a template with {VARIABLES} variable(s)",
    label = "not a function that lists",
    note = "write a function of what the server provides that returns the values of the variable: `fn titles(shelf: State<Shelf>) -> Vec<String>`; several variables: `Vec<[String; 2]>`; more about each: `Vec<ResourceLink>`"
)]
pub trait Lists<M, const VARIABLES: usize>: Send + Sync + 'static {
    /// Lists them for one request.
    #[doc(hidden)]
    fn list(&'static self, ctx: Context) -> impl Future<Output = Result<Vec<Instance>, Error>> + Send;

    /// What a server must have been given for it.
    #[doc(hidden)]
    fn needs() -> Vec<Need>;
}

/// The form of a plain function.
#[derive(Debug)]
pub struct Plain<A, R>(A, R);
/// The form of an asynchronous function.
#[derive(Debug)]
pub struct Async<A, R>(A, R);

macro_rules! lists {
    ($($ty:ident $value:ident),*) => {
        impl<F, R, $($ty,)* const VARIABLES: usize> Lists<Plain<($($ty,)*), R>, VARIABLES> for F
        where
            F: Fn($($ty),*) -> R + Send + Sync + 'static,
            R: IntoInstances<VARIABLES>,
            $($ty: FromContext,)*
        {
            #[allow(unused_variables)]
            async fn list(&'static self, ctx: Context) -> Result<Vec<Instance>, Error> {
                $(let $value = $ty::from_context(&ctx).await?;)*
                offload(&LOAD, move || self($($value),*)).await.into_instances()
            }

            fn needs() -> Vec<Need> {
                let needs: [Option<Need>; _] = [$($ty::needs()),*];
                needs.into_iter().flatten().collect()
            }
        }

        impl<F, R, $($ty,)* const VARIABLES: usize> Lists<Async<($($ty,)*), R>, VARIABLES> for F
        where
            F: Fn($($ty),*) -> R + Send + Sync + 'static,
            R: Future + Send,
            R::Output: IntoInstances<VARIABLES>,
            $($ty: FromContext,)*
        {
            #[allow(unused_variables)]
            async fn list(&'static self, ctx: Context) -> Result<Vec<Instance>, Error> {
                $(let $value = $ty::from_context(&ctx).await?;)*
                self($($value),*).await.into_instances()
            }

            fn needs() -> Vec<Need> {
                let needs: [Option<Need>; _] = [$($ty::needs()),*];
                needs.into_iter().flatten().collect()
            }
        }
    };
}
lists!();
lists!(A a);
lists!(A a, B b);
lists!(A a, B b, C c);
lists!(A a, B b, C c, D d);

/// A function that lists may read a disk.
static LOAD: Load = Load::blocking();

/// A function that lists, without its type.
pub trait ListInstances: fmt::Debug + Send + Sync {
    /// Lists the resources for one request.
    fn list(&'static self, ctx: Context) -> BoxFuture<'static, Result<Vec<Instance>, Error>>;

    /// What a server must have been given for it.
    fn needs(&self) -> Vec<Need>;
}

/// A function that lists and its form.
pub struct Listing<F, M, const VARIABLES: usize>(F, PhantomData<fn() -> M>);

/// A function that lists as a macro tells of it.
pub const fn listing<F, M, const VARIABLES: usize>(list: F) -> Listing<F, M, VARIABLES>
where
    F: Lists<M, VARIABLES>,
{
    Listing(list, PhantomData)
}

impl<F: Lists<M, VARIABLES>, M: 'static, const VARIABLES: usize> ListInstances for Listing<F, M, VARIABLES> {
    fn list(&'static self, ctx: Context) -> BoxFuture<'static, Result<Vec<Instance>, Error>> {
        Box::pin(self.0.list(ctx))
    }

    fn needs(&self) -> Vec<Need> {
        F::needs()
    }
}

impl<F, M, const VARIABLES: usize> fmt::Debug for Listing<F, M, VARIABLES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a function that lists")
    }
}
