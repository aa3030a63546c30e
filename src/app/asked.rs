//! One question at a time: what changes while one is out is asked when its answer has come.

/// Whether something was asked of the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Asked {
    /// Nothing is out.
    #[default]
    No,
    /// It has not come yet.
    Yes,
    /// Nor has it, and there is newer to be asked for.
    Stale,
}

impl Asked {
    /// Whether to ask now; if not, [`Asked::came`] says so once what is out has come.
    pub(super) fn anew(&mut self) -> bool {
        let ask = *self == Self::No;
        *self = if ask { Self::Yes } else { Self::Stale };
        ask
    }

    /// It has come. Whether to ask again.
    pub(super) fn came(&mut self) -> bool {
        std::mem::take(self) == Self::Stale
    }
}
