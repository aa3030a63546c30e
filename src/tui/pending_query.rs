//! One query of a kind at a time: what changes while one is pending is asked when its result has come.

/// Whether a query was made whose result is still to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum PendingQuery {
    #[default]
    None,
    Pending,
    /// Pending, and its inputs have changed since.
    Stale,
}

impl PendingQuery {
    /// Whether to ask now; if not, [`Self::finish`] says so once the result has come.
    pub(super) fn begin(&mut self) -> bool {
        let kind = *self == Self::None;
        *self = if kind { Self::Pending } else { Self::Stale };
        kind
    }

    /// The result has come. Whether to ask again.
    pub(super) fn finish(&mut self) -> bool {
        std::mem::take(self) == Self::Stale
    }
}
