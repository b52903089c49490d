//! What a prompt says of itself.

use crate::{call::Load, metadata::Metadata};

/// The keys of `#[prompt]`, read and checked.
pub(crate) struct Prompt {
    pub(crate) metadata: Metadata,
    pub(crate) load: Load,
}
