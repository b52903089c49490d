//! What a resolver says of itself.

use syn::LitStr;

use crate::call::Load;

/// The keys of `#[resolver]`, read and checked.
pub(crate) struct Resolver {
    /// The key of its question, where it is not the function's name.
    pub(crate) key: Option<LitStr>,
    pub(crate) load: Load,
}
