//! The lines of the report that is shown, and the selected one.

use std::collections::BTreeSet;

use super::rows::{Line, Row};
use super::state::CheckScreen;
use crate::check::{self, Report, Verdict};
use crate::domain::OperationId;
use crate::journal::StoredExchange;

impl CheckScreen {
    /// The word before a result of the run that is compared.
    pub(super) fn word_of_compared(&self) -> &'static str {
        match (&self.report, &self.compared) {
            (Some(shown), Some(other)) if shown.store != other.store => "there",
            (Some(shown), Some(other)) if shown.started < other.started => "later",
            (_, _) => "was",
        }
    }

    /// Returns all lines that match the filter, with a heading above each group that is not empty.
    pub(super) fn lines(&self) -> Vec<Line<'_>> {
        let Some(report) = &self.report else { return Vec::new() };
        let matches = |row: &Row<'_>| self.filter.filter.matches(|test| row.passes(test));
        // During a run, its rules stay in their order.
        let has = |verdict| move |row: &Row<'_>| !self.is_partial && row.verdict() == Some(verdict);
        let rows = self.rows(report).filter(matches);
        let (undocumented, rules): (Vec<_>, Vec<_>) = rows.partition(Row::is_undocumented);
        let (failed, rules): (Vec<_>, Vec<_>) = rules.into_iter().partition(has(Verdict::Fail));
        let (mut open, rules): (Vec<_>, Vec<_>) = rules.into_iter().partition(has(Verdict::Inconclusive));
        // Where the diagnosis explains everything, one row shows the request, and the others would repeat it.
        let says_all = !self.is_partial && self.compared.is_none() && report.diagnosis.explains_all_rows();
        let is_folded = says_all && open.len() > 1;
        open.truncate(if is_folded { 1 } else { open.len() });
        let of_open =
            if is_folded { "The first inconclusive rule: the others follow from it" } else { "Inconclusive rules" };
        // Two leftovers with one id are one plant of the list.
        let mut ids = BTreeSet::new();
        let leftovers = report.leftovers.iter().filter(|left| ids.insert(left.id)).map(Row::from);
        let groups = [
            ("Failed rules", failed),
            (of_open, open),
            (if self.is_partial { "Rules" } else { "Passed rules" }, rules),
            ("Undocumented behaviour", if says_all { Vec::new() } else { undocumented }),
            ("Leftovers", leftovers.filter(matches).collect()),
        ];
        let groups = groups.into_iter().filter(|(_, rows)| !rows.is_empty());
        let with_heading =
            |(heading, rows): (_, Vec<_>)| [Line::Heading(heading)].into_iter().chain(rows.into_iter().map(Line::Row));
        groups.flat_map(with_heading).collect()
    }

    /// Returns the rows of the report, with their results in both runs; during a run, also those that are to come.
    fn rows<'a>(&'a self, report: &'a Report) -> impl Iterator<Item = Row<'a>> {
        let planned = report.wanted.rows().map(|row| row.name).filter(|_| self.is_partial);
        let decided = report.rows().map(|row| row.name.as_str()).filter(|_| !self.is_partial);
        planned.chain(decided).map(|name| {
            let (section, statement) = check::Row::named(name).map_or(("", name), |row| (row.section, row.subject));
            let other = self.compared.as_ref().and_then(|other| other.row(name));
            let (name, statement, found) = (name.into(), statement.into(), report.row(name));
            Row { name, section, statement, found, other, leftover: None }
        })
    }

    pub(super) fn is_selected(&self, row: &Row<'_>) -> bool {
        self.selected.as_deref() == Some(&*row.name)
    }

    /// Returns the selected row, if it matches the filter.
    pub(super) fn selected_row(&self) -> Option<Row<'_>> {
        let mut rows =
            self.lines().into_iter().filter_map(|line| if let Line::Row(row) = line { Some(row) } else { None });
        rows.find(|row| self.is_selected(row))
    }

    /// Returns the operations of the selected row.
    pub(super) fn selected_operations(&self) -> &[OperationId] {
        self.selected_row().and_then(|row| row.found).map_or(&[], |found| &found.exchanges)
    }

    /// Returns the exchanges of the selected row that the journal has; `None` until they have arrived.
    pub(super) fn selected_exchanges(&self) -> Option<&[StoredExchange]> {
        let (_, found) = self.related.as_ref().filter(|(operations, _)| operations == self.selected_operations())?;
        found.as_deref()
    }
}
