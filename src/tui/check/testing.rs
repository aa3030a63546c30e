//! State of the Check tab that only tests read.

use super::rows::{Line, Subject};
use super::state::CheckScreen;
use crate::check::Report;

impl CheckScreen {
    /// The report that is shown.
    pub(in crate::tui) fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// The names of the rows that match the filter.
    pub(in crate::tui) fn names(&self) -> Vec<String> {
        self.lines().iter().filter_map(|line| name_of(line.subject()?)).collect()
    }

    /// The names of the rows that differ from the run that is compared.
    pub(in crate::tui) fn changed_names(&self) -> Vec<String> {
        let changed = |line: &Line| matches!(line, Line::Row(row) if row.is_changed());
        self.lines().iter().filter(|line| changed(line)).filter_map(|line| name_of(line.subject()?)).collect()
    }

    pub(in crate::tui) fn selected_name(&self) -> Option<String> {
        name_of(self.selected.clone()?)
    }

    /// Whether a line is selected, unless no line matches the filter.
    pub(in crate::tui) fn has_selection(&self) -> bool {
        self.lines().is_empty() || self.selected_line().is_some()
    }

    pub(in crate::tui) fn compared(&self) -> Option<&Report> {
        self.compared.as_ref()
    }
}

fn name_of(subject: Subject) -> Option<String> {
    match subject {
        Subject::Row(name) => Some(name),
        Subject::Leftover(_) => None,
    }
}
