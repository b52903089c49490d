//! What a resource says of itself.

use syn::{Expr, LitStr};

use crate::{call::Load, literal::Literal, metadata::Metadata};

/// The keys of `#[resource]`, read and checked.
pub(crate) struct Resource {
    /// A URI, or a template of URIs.
    pub(crate) uri: LitStr,
    /// The template's variables.
    pub(crate) variables: Vec<Variable>,
    pub(crate) metadata: Metadata,
    pub(crate) mime_type: Option<LitStr>,
    pub(crate) size: Option<u64>,
    /// Names of roles.
    pub(crate) audience: Vec<&'static str>,
    pub(crate) priority: Option<Literal>,
    pub(crate) last_modified: Option<LitStr>,
    pub(crate) unchecked: bool,
    /// What lists the template's resources.
    pub(crate) list: Option<Expr>,
    pub(crate) load: Load,
}

/// A variable of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// Whether it stands in the query, which may be left out.
    pub(crate) in_query: bool,
}
