//! The Check room: a report of the contract check row by row, and what that is compared with.
//!
//! Selection is by the name of a row, so that it stays while rows are decided, filtered, or
//! shown of another run.

use std::collections::BTreeSet;

use crate::domain::check::{
    Leftover, Observation, RULES, Report, Rule, RuleResult, Run, UNDOCUMENTED, Undocumented, Verdict, Wanted,
};
use crate::domain::text::in_lower_case;
use crate::domain::{Ask, OperationId, PlantId, Probe};
use crate::journal::Kept;

use super::asked::Asked;
use super::field::Field;

/// What the room has, and the run that is under way.
#[derive(Debug, Default)]
pub struct CheckRoom {
    /// What is shown: of the run that is under way as far as it has come, or of an earlier one.
    pub report: Option<Report>,
    /// What that is compared with.
    pub compared: Option<Report>,
    /// Those that are kept, of every store, newest first; `None` until the journal has told.
    pub runs: Option<Vec<Report>>,
    /// The exchanges behind the selected row, once they have come.
    pub behind: Option<Behind>,
    /// What is selected.
    pub selected: Option<Subject>,
    /// Which line is the first on screen.
    pub top: usize,
    /// Lines that fit on screen.
    pub page: usize,
    /// What the rows must have in their words.
    pub filter: Field,
    /// Whether the selection goes with what was decided last.
    pub(super) follows: bool,
    /// Whether to open what is behind the selected row as soon as it is there.
    pub(super) opening: bool,
    pub(super) under_way: UnderWay,
    /// What goes out once a pause is over.
    pub(super) held: Option<Held>,
    /// How many pauses there were.
    pub(super) pauses: u32,
    /// Plants that the run wants out of the view, until the journal has done so.
    pub(super) forgotten: BTreeSet<PlantId>,
    pub(super) asked_for_runs: Asked,
}

/// How far a run has come.
#[derive(Debug, Default)]
pub(super) enum UnderWay {
    /// There is none.
    #[default]
    Nothing,
    /// The journal is asked for what earlier runs left behind.
    Beginning(Wanted),
    /// It sends.
    Running(Box<Run>),
}

/// A probe that waits for the end of a pause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    /// Which pause.
    pub(super) pause: u32,
    pub(super) ask: Ask,
    pub(super) probe: Probe,
}

/// Exchanges that a row rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    /// Which were asked for.
    pub operations: Vec<OperationId>,
    /// Those that the journal has; `None` until it has told.
    pub found: Option<Vec<Kept>>,
}

/// What can be selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The row of this name.
    Row(String),
    /// The plant left behind that has this id.
    Left(PlantId),
}

/// A line of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// Above others.
    Heading(&'static str),
    /// A rule, or a silent part.
    Row(Row<'a>),
    /// A plant that may still be at the store.
    Left(&'a Leftover),
}

/// A rule, or a silent part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Its stable name.
    pub name: &'a str,
    /// Where it stands in the document; empty if this program does not know it.
    pub section: &'static str,
    /// What the store is to do, or what is looked at.
    pub statement: &'a str,
    /// What was found, once it is decided.
    pub found: Option<Found<'a>>,
    /// What the other run found, where two are compared.
    pub other: Option<Found<'a>>,
}

/// What a run found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found<'a> {
    /// Of a rule.
    Rule(&'a RuleResult),
    /// Of a silent part.
    Undocumented(&'a Observation),
}

/// Above the rules, the silent parts, and what is left behind.
const HEADINGS: [&str; 4] = ["Failed rules", "Rules", "Undocumented behaviour", "Leftovers"];

impl<'a> Found<'a> {
    /// The verdict, if it is of a rule.
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Self::Rule(judged) => Some(judged.verdict),
            Self::Undocumented(_) => None,
        }
    }

    /// It in words.
    pub fn words(self) -> &'a str {
        match self {
            Self::Rule(judged) => judged.verdict.word(),
            Self::Undocumented(observed) => &observed.value,
        }
    }

    /// Whether it tells of the store, and not of why nothing can be told.
    pub fn is_seen(self) -> bool {
        match self {
            Self::Rule(judged) => judged.verdict != Verdict::Inconclusive,
            Self::Undocumented(observed) => observed.is_seen(),
        }
    }

    /// What was seen.
    pub fn evidence(self) -> &'a str {
        match self {
            Self::Rule(RuleResult { evidence, .. }) | Self::Undocumented(Observation { evidence, .. }) => evidence,
        }
    }

    /// The exchanges that it rests on.
    pub fn exchanges(self) -> &'a [OperationId] {
        match self {
            Self::Rule(RuleResult { exchanges, .. }) | Self::Undocumented(Observation { exchanges, .. }) => exchanges,
        }
    }
}

impl Row<'_> {
    /// Whether both runs found something, and not the same.
    pub fn is_changed(&self) -> bool {
        self.found.zip(self.other).is_some_and(|(found, other)| found.words() != other.words())
    }

    /// Whether the document is silent about it.
    pub fn is_undocumented(&self) -> bool {
        Undocumented::called(self.name).is_some()
    }

    fn has(&self, words: &[String]) -> bool {
        let found = self.found.map(Found::words).unwrap_or_default();
        words.is_empty() || has(&format!("{} {} {} {found}", self.name, self.section, self.statement), words)
    }
}

/// Whether a text has all of these words, which are in lower case.
fn has(text: &str, words: &[String]) -> bool {
    let text = in_lower_case(text);
    words.iter().all(|word| text.contains(word))
}

impl Line<'_> {
    /// What selecting it selects.
    pub fn subject(&self) -> Option<Subject> {
        match self {
            Self::Heading(_) => None,
            Self::Row(row) => Some(Subject::Row(row.name.to_owned())),
            Self::Left(left) => Some(Subject::Left(left.id)),
        }
    }

    /// Whether that is selected.
    pub fn is(&self, selected: Option<&Subject>) -> bool {
        match (self, selected) {
            (Self::Row(row), Some(Subject::Row(name))) => row.name == name,
            (Self::Left(left), Some(Subject::Left(id))) => left.id == *id,
            (Self::Heading(_) | Self::Row(_) | Self::Left(_), _) => false,
        }
    }
}

impl CheckRoom {
    /// The run that sends, if one does.
    pub fn run(&self) -> Option<&Run> {
        match &self.under_way {
            UnderWay::Running(run) => Some(run),
            UnderWay::Nothing | UnderWay::Beginning(_) => None,
        }
    }

    /// Whether a run is under way, if only about to begin.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.under_way, UnderWay::Nothing)
    }

    /// All lines that the filter shows. A heading above nothing is none.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let Some(report) = &self.report else { return Vec::new() };
        let words: Vec<_> = self.filter.text().split_whitespace().map(in_lower_case).collect();
        // While a run goes on, its rules stay in their order.
        let fails = |row: &Row<'_>| {
            self.run().is_none() && row.found.is_some_and(|found| found.verdict() == Some(Verdict::Fail))
        };
        // Where the diagnosis says all, one row has its request, and the others would repeat it.
        let says_all = self.run().is_none() && self.compared.is_none() && report.diagnosis.says_all();
        let is_shown = |row: &Row<'_>| row.has(&words) && (!says_all || fails(row) || row.name == RULES[0].name);
        let (failed, rules): (Vec<_>, Vec<_>) = self.rules(report).filter(is_shown).partition(fails);
        let [failed, rules] = [failed, rules].map(|rows| rows.into_iter().map(Line::Row).collect::<Vec<_>>());
        let undocumented = self.undocumented_rows(report).filter(|row| row.has(&words) && !says_all).map(Line::Row);
        // A plant has one place in the view, however often it may be there.
        let mut ids = BTreeSet::new();
        let left = report.leftovers.iter().filter(|left| ids.insert(left.id));
        let left = left.filter(|left| has(&left.called(), &words)).map(Line::Left);
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
        let planned = RULES.iter().map(|rule| rule.name).filter(|_| self.run().is_some());
        let decided = report.rules.iter().map(|judged| judged.name.as_str()).filter(|_| self.run().is_none());
        planned.chain(decided).map(move |name| {
            let judged = |report: &'a Report| report.rule(name).map(Found::Rule);
            let (section, statement) = Rule::called(name).map_or(("", name), |rule| (rule.section, rule.statement));
            Row { name, section, statement, found: judged(report), other: self.compared.as_ref().and_then(judged) }
        })
    }

    fn undocumented_rows<'a>(&'a self, report: &'a Report) -> impl Iterator<Item = Row<'a>> {
        let is_planned = self.run().is_some() && !report.wanted.gentle;
        let planned = UNDOCUMENTED.iter().map(|silent| silent.name).filter(move |_| is_planned);
        let decided =
            report.undocumented.iter().map(|observed| observed.name.as_str()).filter(|_| self.run().is_none());
        planned.chain(decided).map(move |name| {
            let observed = |report: &'a Report| report.observation(name).map(Found::Undocumented);
            let (section, statement) =
                Undocumented::called(name).map_or(("", name), |silent| (silent.section, silent.subject));
            Row { name, section, statement, found: observed(report), other: self.compared.as_ref().and_then(observed) }
        })
    }

    /// The selected line, if the filter shows it.
    pub fn selected_line(&self) -> Option<Line<'_>> {
        self.lines().into_iter().find(|line| line.is(self.selected.as_ref()))
    }

    /// The exchanges that the selected row rests on.
    pub fn selected_exchanges(&self) -> &[OperationId] {
        match self.selected_line() {
            Some(Line::Row(row)) => row.found.map_or(&[], Found::exchanges),
            Some(Line::Heading(_) | Line::Left(_)) | None => &[],
        }
    }

    /// Those of them that the journal has, once it has told.
    pub fn selected_behind(&self) -> Option<&[Kept]> {
        let behind = self.behind.as_ref().filter(|behind| behind.operations == self.selected_exchanges())?;
        behind.found.as_deref()
    }

    /// Shows a report, perhaps of another run than before.
    pub(super) fn shows(&mut self, report: Report) {
        let latest = self.decided_since(&report).filter(|_| self.follows);
        self.report = Some(report);
        if let Some(latest) = latest {
            self.selected = Some(Subject::Row(latest));
        }
        self.settle();
    }

    /// The row to look at that is decided in a report and was not before. What is seen by the way
    /// of silent parts is none while rules are still to come.
    fn decided_since(&self, report: &Report) -> Option<String> {
        let (rules, observed) = self
            .report
            .as_ref()
            .map_or((&[][..], &[][..]), |before| (before.rules.as_slice(), before.undocumented.as_slice()));
        let is_new = |judged: &&RuleResult| rules.iter().all(|before| before.name != judged.name);
        let latest = report.rules.iter().rfind(is_new).map(|judged| &judged.name);
        let are_decided = RULES.iter().all(|rule| report.rules.iter().any(|judged| judged.name == rule.name));
        let is_new = |new: &&Observation| are_decided && observed.iter().all(|before| before.name != new.name);
        latest.or_else(|| report.undocumented.iter().rfind(is_new).map(|observed| &observed.name)).cloned()
    }

    /// Selects what is broken first, or else the first row there is.
    pub(super) fn select_what_matters(&mut self) {
        let lines = self.lines();
        let is_broken =
            |line: &&Line| matches!(line, Line::Row(row) if row.found.and_then(Found::verdict) == Some(Verdict::Fail));
        let first = lines.iter().find(is_broken).or_else(|| lines.iter().find(|line| line.subject().is_some()));
        self.selected = first.and_then(Line::subject);
        self.settle();
    }

    /// What is selected exists and is in sight.
    pub(super) fn settle(&mut self) {
        let lines = self.lines();
        let first = || lines.iter().find_map(Line::subject);
        let index = lines.iter().position(|line| line.is(self.selected.as_ref()));
        let selected = index.map_or_else(first, |_| self.selected.clone());
        let index = index.unwrap_or_else(|| usize::from(lines.len() > 1));
        let page = self.page.max(1);
        // Its heading comes with the first line below it.
        let heads = index.checked_sub(1).is_some_and(|above| matches!(lines.get(above), Some(Line::Heading(_))));
        let from = index - usize::from(heads && page > 1);
        let furthest = lines.len().saturating_sub(page);
        let top = self.top.clamp((index + 1).saturating_sub(page).min(from), from).min(furthest);
        (self.selected, self.top) = (selected, top);
    }

    /// So many lines fit on screen now.
    pub(super) fn fits(&mut self, page: usize) {
        if self.page != page.max(1) {
            self.page = page.max(1);
            self.settle();
        }
    }

    /// Moves the selection by so many lines, down if positive.
    pub(super) fn step(&mut self, by: isize) {
        self.follows = false;
        let lines = self.lines();
        let subjects: Vec<_> = lines.iter().filter_map(Line::subject).collect();
        let Some(last) = subjects.len().checked_sub(1) else { return };
        let index = subjects.iter().position(|subject| Some(subject) == self.selected.as_ref()).unwrap_or(0);
        self.selected = subjects.into_iter().nth(index.saturating_add_signed(by).min(last));
        self.settle();
    }

    /// Selects the line at this place, if it can be.
    pub(super) fn select_place(&mut self, place: usize) {
        if let Some(subject) = self.lines().get(place).and_then(Line::subject) {
            (self.follows, self.selected) = (false, Some(subject));
            self.settle();
        }
    }

    /// Shows an earlier run.
    pub(super) fn opens(&mut self, report: Report) {
        (self.report, self.compared, self.follows) = (Some(report), None, false);
        self.select_what_matters();
    }
}
