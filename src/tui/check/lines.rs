//! The lines of the report that is shown, and the selected one.

use std::collections::BTreeSet;

use super::rows::{Found, HEADINGS, Line, Row, has};
use super::state::CheckScreen;
use crate::check::{RULES, Report, Rule, UNDOCUMENTED, Undocumented, Verdict};
use crate::domain::OperationId;
use crate::domain::text::in_lower_case;
use crate::journal::StoredExchange;

impl CheckScreen {
    /// What stands before what the compared run found.
    pub(super) fn word_of_compared(&self) -> &'static str {
        match (&self.report, &self.compared) {
            (Some(shown), Some(other)) if shown.store != other.store => "there",
            (Some(shown), Some(other)) if shown.started < other.started => "later",
            (_, _) => "was",
        }
    }

    /// All lines that the filter shows. A heading above nothing is none.
    pub(super) fn lines(&self) -> Vec<Line<'_>> {
        let Some(report) = &self.report else { return Vec::new() };
        let words: Vec<_> = self.filter.text().split_whitespace().map(in_lower_case).collect();
        // While a run goes on, its rules stay in their order.
        let fails =
            |row: &Row<'_>| !self.is_partial && row.found.is_some_and(|found| found.verdict() == Some(Verdict::Fail));
        // Where the diagnosis says all, one row has its request, and the others would repeat it.
        let says_all = !self.is_partial && self.compared.is_none() && report.diagnosis.explains_all_rows();
        let is_shown = |row: &Row<'_>| row.has(&words) && (!says_all || fails(row) || row.name == RULES[0].name);
        let (failed, rules): (Vec<_>, Vec<_>) = self.rules(report).filter(is_shown).partition(fails);
        let [failed, rules] = [failed, rules].map(|rows| rows.into_iter().map(Line::Row).collect::<Vec<_>>());
        let undocumented = self.undocumented_rows(report).filter(|row| row.has(&words) && !says_all).map(Line::Row);
        // A plant has one place in the view, however often it may be there.
        let mut ids = BTreeSet::new();
        let left = report.leftovers.iter().filter(|left| ids.insert(left.id));
        let left = left.filter(|left| has(&left.called(), &words)).map(Line::Leftover);
        let mut lines = Vec::new();
        for (heading, below) in
            HEADINGS.into_iter().zip([failed, rules, undocumented.collect(), left.collect::<Vec<_>>()])
        {
            if !below.is_empty() {
                lines.push(Line::Heading(heading));
                lines.extend(below);
            }
        }
        lines
    }

    /// While a run is under way, also those that are not decided yet.
    fn rules<'a>(&'a self, report: &'a Report) -> impl Iterator<Item = Row<'a>> {
        let planned = RULES.iter().map(|rule| rule.name).filter(|_| self.is_partial);
        let decided = report.rules.iter().map(|result| result.name.as_str()).filter(|_| !self.is_partial);
        planned.chain(decided).map(move |name| {
            let result = |report: &'a Report| report.rule(name).map(Found::Rule);
            let (section, statement) = Rule::named(name).map_or(("", name), |rule| (rule.section, rule.statement));
            Row { name, section, statement, found: result(report), other: self.compared.as_ref().and_then(result) }
        })
    }

    fn undocumented_rows<'a>(&'a self, report: &'a Report) -> impl Iterator<Item = Row<'a>> {
        let is_planned = self.is_partial && !report.wanted.gentle;
        let planned = UNDOCUMENTED.iter().map(|undocumented| undocumented.name).filter(move |_| is_planned);
        let decided = report.undocumented.iter().map(|observed| observed.name.as_str()).filter(|_| !self.is_partial);
        planned.chain(decided).map(move |name| {
            let observed = |report: &'a Report| report.observation(name).map(Found::Undocumented);
            let (section, statement) = Undocumented::named(name)
                .map_or(("", name), |undocumented| (undocumented.section, undocumented.subject));
            Row { name, section, statement, found: observed(report), other: self.compared.as_ref().and_then(observed) }
        })
    }

    /// The selected line, if the filter shows it.
    pub(super) fn selected_line(&self) -> Option<Line<'_>> {
        self.lines().into_iter().find(|line| line.is(self.selected.as_ref()))
    }

    /// The exchanges that the selected row rests on.
    pub(super) fn selected_exchanges(&self) -> &[OperationId] {
        match self.selected_line() {
            Some(Line::Row(row)) => row.found.map_or(&[], Found::exchanges),
            Some(Line::Heading(_) | Line::Leftover(_)) | None => &[],
        }
    }

    /// Those of them that the journal has, once they have come.
    pub(super) fn selected_behind(&self) -> Option<&[StoredExchange]> {
        let behind = self.behind.as_ref().filter(|behind| behind.operations == self.selected_exchanges())?;
        behind.found.as_deref()
    }
}
