//! What a resource says of itself.

use syn::LitStr;

use crate::{call::Load, metadata::Metadata};

/// The keys of `#[resource]`, read and checked.
pub(crate) struct Resource {
    /// A URI, or a template of URIs.
    pub(crate) uri: LitStr,
    /// The template's variables.
    pub(crate) variables: Vec<String>,
    pub(crate) metadata: Metadata,
    pub(crate) mime_type: Option<LitStr>,
    pub(crate) size: Option<u64>,
    pub(crate) load: Load,
}
