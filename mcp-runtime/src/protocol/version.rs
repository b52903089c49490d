//! The revisions of the protocol.

use std::fmt;

/// A revision of the Model Context Protocol, by the date that names it on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Version {
    /// 2024-11-05, the first.
    V2024_11_05,
    /// 2025-03-26: Streamable HTTP, batches, audio, annotations of tools.
    V2025_03_26,
    /// 2025-06-18: structured results, elicitation, resource links, titles.
    V2025_06_18,
    /// 2025-11-25: icons, elicitation by URL; the last with an `initialize` handshake.
    V2025_11_25,
    /// 2026-07-28: stateless, every request says what its client speaks.
    V2026_07_28,
}

impl Version {
    /// Every revision, the oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];
    /// The newest revision that opens with a handshake.
    pub const NEWEST_LEGACY: Self = Self::V2025_11_25;
    /// The newest revision.
    pub const NEWEST: Self = Self::V2026_07_28;

    /// The revision of this date, if it is known.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.as_str() == text)
    }

    /// The date that names it on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Whether a client of this revision says who it is in every request instead of opening a session.
    #[must_use]
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
