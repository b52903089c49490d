//! The caller, as the transport authenticated it.

use std::{
    collections::BTreeSet,
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use serde_json::{Map, Value};

/// Who makes a request: the server's own [`TokenVerifier`](crate::TokenVerifier) finds out, or an HTTP
/// layer in front of the server puts one into the request's extensions. Sessions, tasks and sealed
/// request states belong to their principal, and anyone else who brings them gets what a stranger gets.
///
/// Two principals are the same when their ids are.
#[derive(Clone)]
pub struct Principal(Arc<Inner>);

#[derive(Clone, Default)]
struct Inner {
    id: String,
    scopes: BTreeSet<String>,
    claims: Map<String, Value>,
}

impl Principal {
    /// A caller by an id that no two callers share.
    pub fn new(id: impl Into<String>) -> Self {
        Self(Arc::new(Inner { id: id.into(), ..Inner::default() }))
    }

    /// Adds what the caller may do.
    #[must_use]
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Arc::make_mut(&mut self.0).scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Adds what else is known of the caller. It is never logged.
    #[must_use]
    pub fn claims(mut self, claims: Map<String, Value>) -> Self {
        Arc::make_mut(&mut self.0).claims.extend(claims);
        self
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Whether the caller has this scope.
    #[must_use]
    pub fn has_scope(&self, scope: &str) -> bool {
        self.0.scopes.contains(scope)
    }

    /// What the token says under this name (`email`, `org_id`).
    #[must_use]
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.0.claims.get(name)
    }
}

impl PartialEq for Principal {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Principal {}

impl Hash for Principal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal")
            .field("id", &self.0.id)
            .field("scopes", &self.0.scopes)
            .finish_non_exhaustive()
    }
}

impl crate::handler::extract::FromContext for Principal {
    async fn from_context(ctx: &crate::handler::context::Context) -> crate::handler::error::Result<Self> {
        let principal = ctx.principal().cloned();
        principal.ok_or_else(|| {
            crate::handler::error::Error::new("this needs a caller who is known, and this one is not")
        })
    }
}
