//! Parameters that the server provides and the model never sees.

use std::{any::TypeId, fmt, ops::Deref, sync::Arc};

use super::{context::Context, error::Result};

/// A parameter that comes from the request or the server instead of the arguments.
///
/// Implement it for a type of your own to have it wherever a function of the server names it:
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// struct Tenant(String);
///
/// impl FromContext for Tenant {
///     async fn from_context(ctx: &Context) -> Result<Self> {
///         Ok(Tenant(ctx.client().map_or("nobody".into(), |client| client.name)))
///     }
/// }
///
/// /// Says whose request it is.
/// #[tool]
/// fn whose(tenant: Tenant) -> String {
///     tenant.0
/// }
/// # fn main() {}
/// ```
///
/// An error ends the call before the function runs, as if the function had returned it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no parameter that the server provides",
    label = "implement `FromContext` for it, or derive `Deserialize` and `JsonSchema` to have it as an argument"
)]
pub trait FromContext: Sized + Send + 'static {
    /// Gets the value for one call.
    fn from_context(ctx: &Context) -> impl Future<Output = Result<Self>> + Send;

    /// What the server has to be given for it, if anything: checked at start-up.
    #[doc(hidden)]
    fn needs() -> Option<Need> {
        None
    }
}

/// A state that a server needs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Need {
    pub(crate) id: TypeId,
    pub(crate) name: &'static str,
}

/// The value that was given to the server with `Server::state`, shared by all calls.
///
/// It derefs to `T`. A server that lacks the state of a function says so when it starts.
pub struct State<T>(Arc<T>);

impl<T> State<T> {
    /// For a test that calls the function itself.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Send + Sync + 'static> FromContext for State<T> {
    async fn from_context(ctx: &Context) -> Result<Self> {
        match ctx.inner().states.get::<T>() {
            Some(value) => Ok(Self(value)),
            None => Err(super::error::Error::new("the server lacks a state that this function needs")),
        }
    }

    fn needs() -> Option<Need> {
        Some(Need { id: TypeId::of::<T>(), name: std::any::type_name::<T>() })
    }
}

impl FromContext for Context {
    async fn from_context(ctx: &Context) -> Result<Self> {
        Ok(ctx.clone())
    }
}

/// The states that a server was given, by type.
#[derive(Default)]
pub(crate) struct States(std::collections::HashMap<TypeId, Arc<dyn std::any::Any + Send + Sync>>);

impl States {
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.get(&TypeId::of::<T>()).and_then(|value| value.clone().downcast().ok())
    }

    pub(crate) fn has(&self, need: Need) -> bool {
        self.0.contains_key(&need.id)
    }
}

impl fmt::Debug for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states", self.0.len())
    }
}
