//! Allows one pending query; repeats it if its inputs changed meanwhile.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) enum PendingQuery {
    #[default]
    None,
    Pending,
    /// Pending, with inputs that have changed since.
    Stale,
}

impl PendingQuery {
    /// Returns whether to query now; if not, [`Self::finish`] returns `true` later.
    pub(in crate::tui) fn begin(&mut self) -> bool {
        let is_first = *self == Self::None;
        *self = if is_first { Self::Pending } else { Self::Stale };
        is_first
    }

    /// Takes note of the result. Returns whether to query again.
    pub(in crate::tui) fn finish(&mut self) -> bool {
        std::mem::take(self) == Self::Stale
    }
}
