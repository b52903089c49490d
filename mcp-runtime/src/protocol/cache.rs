//! Who may share a cached result.

use serde::{Deserialize, Serialize};

/// The `cacheScope` of a result (2026-07-28, server/utilities/caching).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// The same for everybody: shared caches may serve it to anyone.
    Public,
    /// For this caller only.
    Private,
}

impl CacheScope {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}
