//! What a completion says of itself.

use syn::{Expr, LitStr};

use crate::call::Load;

/// The keys of `#[completion]`, read and checked.
pub(crate) struct Completion {
    pub(crate) of: Option<Of>,
    pub(crate) argument: Option<LitStr>,
    pub(crate) load: Load,
}

/// Whose argument it completes, by the function's path.
pub(crate) enum Of {
    Prompt(Expr),
    Resource(Expr),
}
