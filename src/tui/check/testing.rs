//! State of the Check tab that only tests read.

use super::rows::Line;
use super::state::CheckScreen;

impl CheckScreen {
    /// The names of the rows that match the filter.
    pub(in crate::tui) fn names(&self) -> Vec<String> {
        self.names_of(false)
    }

    /// The names of the rows that differ from the run that is compared.
    pub(in crate::tui) fn changed_names(&self) -> Vec<String> {
        self.names_of(true)
    }

    fn names_of(&self, only_changed: bool) -> Vec<String> {
        let lines = self.lines();
        let rows = lines.iter().filter_map(Line::row).filter(|row| row.leftover.is_none());
        rows.filter(|row| !only_changed || row.is_changed()).map(|row| row.name.to_string()).collect()
    }

    /// Whether a line is selected, unless no line matches the filter.
    pub(in crate::tui) fn has_selection(&self) -> bool {
        self.lines().is_empty() || self.selected_row().is_some()
    }
}
