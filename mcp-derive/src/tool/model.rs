//! What a tool says of itself.

use crate::{call::Load, metadata::Metadata};

/// The keys of `#[tool]`, read and checked.
pub(crate) struct Tool {
    pub(crate) metadata: Metadata,
    /// `read_only`, `destructive`, `idempotent` and `open_world`, where said.
    pub(crate) hints: Vec<(&'static str, bool)>,
    pub(crate) structured: Option<bool>,
    pub(crate) strict: Option<bool>,
    /// Whether a call may become a task, and whether it has to.
    pub(crate) task: Option<bool>,
    pub(crate) load: Load,
}

/// The annotations of MCP.
pub(crate) const HINTS: [&str; 4] = ["read_only", "destructive", "idempotent", "open_world"];
