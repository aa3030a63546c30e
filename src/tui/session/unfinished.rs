//! What quitting would lose. Must not know how a person is asked.

/// Counts of what quitting would leave unfinished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unfinished {
    /// Operations that are queued or in flight.
    pub in_flight: usize,
    /// Operations that were not sent and could be.
    pub unsent: usize,
    /// Add forms with text.
    pub forms: usize,
    /// Plants that became unknown in this session.
    pub unresolved: usize,
    pub checks: usize,
    pub imports: usize,
    /// Lines of the palette that run in the background.
    pub lines: usize,
    /// Those of them that send requests.
    pub sending_lines: usize,
    /// Plants of the person that are lost with the demo store.
    pub own_plants: usize,
}

impl Unfinished {
    /// Whether quitting now would cancel something.
    pub fn is_under_way(self) -> bool {
        self.in_flight + self.checks + self.imports + self.lines > 0
    }

    /// Whether quitting now would lose something that was not counted before.
    pub fn is_more_than(self, other: Self) -> bool {
        self.forms > other.forms
            || self.unsent > other.unsent
            || self.unresolved > other.unresolved
            || self.own_plants > other.own_plants
    }
}
