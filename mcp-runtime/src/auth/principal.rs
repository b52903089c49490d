//! The caller, as the transport authenticated it.

use std::sync::Arc;

/// Who makes a request. An HTTP layer in front of the server that knows its callers puts one into
/// the request's extensions; sessions and sealed request states then belong to it, and anyone else
/// who brings them gets what a stranger gets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Principal {
    id: Arc<str>,
}

impl Principal {
    /// A caller by an id that no two callers share.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self { id: id.into() }
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
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
