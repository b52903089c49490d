//! How long a client may keep a list, and who may share it.

use std::time::Duration;

use crate::{clock::milliseconds, protocol::CacheScope};

/// How fresh what a server lists stays (server/utilities/caching): `ttlMs` and `cacheScope`.
///
/// Untold, a list is private and stale at once. What a tool, a prompt or a resource says of itself
/// goes before what the server says, and a list is as fresh as its most short-lived entry, and
/// private if one entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
}

impl Cache {
    /// The same for everybody, for this long.
    #[must_use]
    pub const fn public(ttl: Duration) -> Self {
        Self { ttl, scope: CacheScope::Public }
    }

    /// For the caller alone, for this long.
    #[must_use]
    pub const fn private(ttl: Duration) -> Self {
        Self { ttl, scope: CacheScope::Private }
    }
}

impl Default for Cache {
    fn default() -> Self {
        Self::private(Duration::ZERO)
    }
}

/// The hints of a list: of its entries, or the default where they say nothing.
pub(crate) fn of_list(
    default: Cache,
    entries: impl Iterator<Item = (Option<Duration>, Option<CacheScope>)>,
) -> (u64, CacheScope) {
    let mut least = None;
    let mut scope = None;
    for (ttl, own) in entries {
        let ttl = ttl.unwrap_or(default.ttl);
        least = Some(least.map_or(ttl, |least: Duration| least.min(ttl)));
        if own.unwrap_or(default.scope) == CacheScope::Private {
            scope = Some(CacheScope::Private);
        } else {
            scope.get_or_insert(CacheScope::Public);
        }
    }
    (milliseconds(least.unwrap_or(default.ttl)), scope.unwrap_or(default.scope))
}
