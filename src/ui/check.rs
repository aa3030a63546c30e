//! The Check tab: what the check is before there is a run, and then the diagnosis and the rows: rules
//! with their verdicts, undocumented behaviour, and leftovers.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::exchange::rule;
use super::room::{draw_frame, pointer};
use super::table::moment;
use super::text::{fitted, hanging, wrapped_lines};
use super::wire::{Extent, answer_lines, end_lines, request_lines};
use super::{Painted, Theme};
use crate::app::check::{self, CheckRoom, Found, Row};
use crate::app::keys::{Action, InCheck, InRoom};
use crate::app::{Model, Target};
use crate::domain::check::{CleanUp, Leftover, RULES, Report, Run, UNDOCUMENTED, Verdict, Wanted, how_much_changed};
use crate::domain::sentence::failed_because;
use crate::domain::text::{clean_fit, clean_padded};
use crate::domain::{Ending, State};
use crate::journal::Kept;

/// Columns before the section: pointer, mark, space.
const POINTER: usize = 3;
/// Columns of a section and the space behind it.
const SECTION: usize = 5;
/// Columns of a verdict: mark, space, `inconclusive`, and `to come`.
const VERDICT: usize = 16;
/// Columns between what is looked at and what was found.
const GAP: usize = 2;
/// Columns of most subjects of silent parts.
const SUBJECT: usize = 47;
/// Columns of most answers to them: `rejected: 400 Bad Request`.
const ANSWER: usize = 26;
/// Columns of the bar at most.
const BAR: usize = 30;
/// Lines of one body in the pane.
const BODY_LINES: usize = 6;
/// Lines of the diagnosis.
const DIAGNOSIS: usize = 3;
/// Lines of the evidence.
const EVIDENCE: usize = 40;

pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect, painted: &mut Painted) {
    let check = &model.check;
    let lines = check.lines();
    let inner = draw_frame(model, &place(check, lines.len()), theme, frame, area, painted);
    let Some(report) = &check.report else {
        painted.drawn.page = usize::from(inner.height);
        frame.render_widget(Paragraph::new(introduction(model, theme, usize::from(inner.width))), inner);
        return;
    };
    let head = head(model, report, theme, usize::from(inner.width));
    let height = u16::try_from(head.len()).unwrap_or(1);
    let [above, rows] = Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(inner);
    painted.drawn.page = usize::from(rows.height);
    frame.render_widget(Paragraph::new(head), above);
    let widths = Widths::of(check, usize::from(rows.width));
    let mut drawn = Vec::new();
    let shown = lines.iter().enumerate().skip(check.top).take(usize::from(rows.height));
    for ((at, line), y) in shown.zip(rows.y..) {
        if line.subject().is_some() {
            painted.target(Rect { y, height: 1, ..rows }, Target::Judged(at));
        }
        drawn.push(widths.line(line, model, theme));
    }
    if drawn.is_empty() {
        let back = model.keys.shown(Action::Room(InRoom::Back));
        drawn =
            wrapped_lines(&format!("No row has this in its words. {back} shows all."), 2, widths.width, 3, theme.dim);
    }
    frame.render_widget(Paragraph::new(drawn), rows);
}

/// Which lines are on screen, of how many.
fn place(check: &CheckRoom, lines: usize) -> String {
    if lines <= check.page {
        return String::new();
    }
    format!("{}-{} of {lines}", check.top + 1, (check.top + check.page).min(lines))
}

/// What the check is, what starts it, and what is kept of it.
fn introduction(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let run = model.keys.shown(Action::Check(InCheck::Run));
    let (rules, undocumented) = (RULES.len(), UNDOCUMENTED.len());
    let mut lines = vec![Line::default()];
    let mut say = |text: &str, style| {
        lines.extend(wrapped_lines(text, 2, width.saturating_sub(1), 6, style));
        lines.push(Line::default());
    };
    say("Does this store keep to the interface?", theme.title);
    if model.check.is_under_way() {
        say("Looking for leftovers of earlier checks …", theme.moving);
    } else if model.facts.read_only {
        say("This store is read-only here, and the check adds and deletes plants: it cannot run.", theme.doubt);
    } else if model.facts.demo {
        say(&format!("{run} runs the check."), theme.text);
    } else {
        say(&format!("{run} runs the check. It asks first, and says what it will send."), theme.text);
    }
    say(
        &format!(
            "It gives each of the {rules} rules of the interface document that can be observed from outside a \
             verdict: pass, fail, or inconclusive. Of {undocumented} things that the document leaves open it writes down \
             what this store does."
        ),
        theme.dim,
    );
    say(
        "It touches plants of its own alone: their ids are drawn by lot, their tag is Plants-Check. Each is deleted \
         right after, and leftovers are listed.",
        theme.dim,
    );
    let open = model.keys.shown(Action::Check(InCheck::Open));
    match model.check.runs.as_ref().map(Vec::len) {
        None => {}
        Some(0) => say("No run is stored yet.", theme.dim),
        Some(1) => say(&format!("1 earlier run is stored: {open} shows it."), theme.dim),
        Some(count) => say(&format!("{count} earlier runs are stored: {open} shows one of them."), theme.dim),
    }
    lines
}

/// Above the rows: how far it has come or what it came to, and what it is compared with.
fn head(model: &Model, report: &Report, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut lines = match model.check.run() {
        Some(run) => vec![progress(run, model, theme, width)],
        None => {
            let advice = report.diagnosis.advice().map(|advice| format!(" {advice}")).unwrap_or_default();
            let text = format!("{}{advice}", report.diagnosis);
            let mut lines = wrapped_lines(&text, 1, width.saturating_sub(1), DIAGNOSIS, theme.title);
            lines.extend([sum(report, theme, width), about(report, model, theme, width)]);
            lines
        }
    };
    if let Some(other) = &model.check.compared {
        let changed = how_much_changed(other, report);
        let text = format!(" {} {changed}; compared with {}", theme.mark("≠", "!"), told_shortly(other, model));
        lines.push(Line::from(fitted(&text, width, theme.doubt)));
    }
    lines
}

/// `⠋ 12 of 42 [####......]`, and that it is being stopped.
fn progress(run: &Run, model: &Model, theme: &Theme, width: usize) -> Line<'static> {
    let (style, mark) = theme.state(State::Adding, model.turn);
    let (done, planned) = run.progress();
    let words = if run.is_stopping() { "cleaning up" } else { "checking" };
    let counted = format!(" {mark} {words}: {done} of {planned} ");
    let columns = width.saturating_sub(counted.width() + 3).min(BAR);
    let filled = (columns * done).checked_div(planned).unwrap_or(columns).min(columns);
    Line::from(vec![
        Span::styled(counted, style),
        Span::styled(theme.mark("▕", "["), theme.border),
        Span::styled(theme.mark("█", "#").repeat(filled), style),
        Span::styled(theme.mark("░", ".").repeat(columns - filled), theme.border),
        Span::styled(theme.mark("▏", "]"), theme.border),
    ])
}

/// `✓ 12 pass  ✗ 1 fail  ? 1 inconclusive`, those there are.
fn sum(report: &Report, theme: &Theme, width: usize) -> Line<'static> {
    let counted = Verdict::ALL.into_iter().map(|verdict| (verdict, report.count(verdict)));
    let mut spans = Vec::new();
    for (verdict, count) in counted.filter(|(_, count)| *count > 0) {
        let (style, mark) = theme.verdict(verdict);
        spans.push(Span::styled(format!(" {mark} {count} {} ", verdict.word()), style));
    }
    let left = match report.leftovers.len() {
        0 => " no leftovers".to_owned(),
        1 => " 1 leftover".to_owned(),
        count => format!(" {count} leftovers"),
    };
    let used: usize = spans.iter().map(|span| span.content.width()).sum();
    let style = if report.leftovers.is_empty() { theme.dim } else { theme.doubt };
    spans.push(fitted(&left, width.saturating_sub(used), style));
    Line::from(spans)
}

/// When it ran, where, how much it sent, and why it ended early.
fn about(report: &Report, model: &Model, theme: &Theme, width: usize) -> Line<'static> {
    let mut words = vec![moment(report.started, model.now, &model.facts.zone)];
    if !model.is_of_this_store() {
        words.push(report.store.clone());
    }
    words.push(report.took());
    words.extend((report.wanted != Wanted::default()).then(|| report.wanted.describe()));
    let style = if report.cut_short.is_some() { theme.doubt } else { theme.dim };
    Line::from(fitted(&format!(" {}", words.join(", ")), width, style))
}

/// A run in a line: when, and where if that is another store.
fn told_shortly(report: &Report, model: &Model) -> String {
    let when = moment(report.started, model.now, &model.facts.zone);
    let shown = model.check.report.as_ref().map(|shown| shown.store.as_str());
    if shown == Some(report.store.as_str()) { when } else { format!("{} at {when}", report.store) }
}

/// Columns of what has not always the same.
struct Widths {
    width: usize,
    /// What the other run found; 0 where nothing is compared.
    other: usize,
    /// Before what the other run found.
    word: &'static str,
}

impl Widths {
    fn of(check: &CheckRoom, width: usize) -> Self {
        let word = match (&check.report, &check.compared) {
            (Some(shown), Some(other)) if shown.store != other.store => "there",
            (Some(shown), Some(other)) if shown.started < other.started => "later",
            (_, _) => "was",
        };
        let other = if check.compared.is_some() { word.width() + 1 + VERDICT } else { 0 };
        Self { width, other, word }
    }

    fn line(&self, line: &check::Line, model: &Model, theme: &Theme) -> Line<'static> {
        let selected = line.is(model.check.selected.as_ref());
        let drawn = match line {
            check::Line::Heading(heading) => {
                return Line::from(fitted(&format!(" {heading}"), self.width, theme.title));
            }
            check::Line::Row(row) => self.row(row, selected, theme),
            check::Line::Left(left) => self.left(left, selected, theme),
        };
        if selected { theme.select(drawn) } else { drawn }
    }

    fn row(&self, row: &Row, selected: bool, theme: &Theme) -> Line<'static> {
        let [pointer, _] = pointer(selected, false, theme);
        let changed = if row.is_changed() { theme.mark("≠ ", "! ") } else { "  " };
        let of_silent =
            row.found.or(row.other).map_or_else(|| row.is_undocumented(), |found| found.verdict().is_none());
        let rest = self.width.saturating_sub(POINTER + SECTION + GAP);
        let (what, found, other) = if of_silent {
            let beside = if self.other > 0 { rest / 3 } else { 0 };
            let found = ANSWER.max((rest - beside).saturating_sub(SUBJECT)).min((rest - beside) * 3 / 5);
            (rest - beside - found, found, beside.saturating_sub(GAP))
        } else {
            let other = if self.other > 0 { self.other + GAP } else { 0 };
            (rest.saturating_sub(VERDICT + other), VERDICT, self.other)
        };
        let style = if row.found.is_some() { theme.text } else { theme.dim };
        let mut spans = vec![
            pointer,
            Span::styled(changed, theme.doubt),
            Span::styled(clean_padded(row.section, SECTION), theme.dim),
            Span::styled(clean_padded(row.statement, what), style),
            Span::raw(" ".repeat(GAP)),
            told(row.found, found, theme),
        ];
        if other > 0 && row.is_changed() {
            let (text, style) = words(row.other, theme);
            spans.extend([Span::raw(" ".repeat(GAP)), fitted(&format!("{} {text}", self.word), other, style)]);
        }
        Line::from(spans)
    }

    fn left(&self, left: &Leftover, selected: bool, theme: &Theme) -> Line<'static> {
        let [pointer, _] = pointer(selected, false, theme);
        let what = self.width.saturating_sub(POINTER + SECTION + GAP + VERDICT);
        Line::from(vec![
            pointer,
            Span::raw(" ".repeat(POINTER - 1 + SECTION)),
            Span::raw(clean_padded(&left.called(), what)),
            Span::raw(" ".repeat(GAP)),
            fitted(&format!("{} may be there", theme.mark("?", "?")), VERDICT, theme.doubt),
        ])
    }
}

/// What was found, in so many columns.
fn told(found: Option<Found>, columns: usize, theme: &Theme) -> Span<'static> {
    let (text, style) = words(found, theme);
    Span::styled(clean_padded(&text, columns), style)
}

/// A verdict with its mark, or what the store does.
fn words(found: Option<Found>, theme: &Theme) -> (String, ratatui::style::Style) {
    match found {
        None => (format!("{} to come", theme.mark("·", ".")), theme.dim),
        Some(found) => match found.verdict() {
            Some(verdict) => {
                let (style, mark) = theme.verdict(verdict);
                (format!("{mark} {}", verdict.word()), style)
            }
            None => (found.words().to_owned(), if found.is_seen() { theme.text } else { theme.doubt }),
        },
    }
}

/// The name of what is selected.
pub(super) fn title(model: &Model) -> String {
    match model.check.selected_line() {
        Some(check::Line::Row(row)) => row.name.to_owned(),
        Some(check::Line::Left(left)) => left.called(),
        Some(check::Line::Heading(_)) | None => "No row selected".to_owned(),
    }
}

/// What the selected row rests on.
pub(super) fn pane(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    match model.check.selected_line() {
        Some(check::Line::Row(row)) => of_row(&row, model, theme, width),
        Some(check::Line::Left(left)) => of_left(left, model, theme, width),
        Some(check::Line::Heading(_)) | None => {
            wrapped_lines("Select a row to see what it rests on.", 0, width, 3, theme.dim)
        }
    }
}

fn of_row(row: &Row, model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut lines = wrapped_lines(row.statement, 0, width, 3, theme.title);
    lines.extend(seen(row.found, "", theme, width));
    if row.is_changed() {
        let word = format!("{} ", Widths::of(&model.check, width).word);
        lines.extend(seen(row.other, &word, theme, width));
    }
    if !row.section.is_empty() {
        let section = format!("section {} of the interface document", row.section);
        lines.extend(wrapped_lines(&section, 0, width, 2, theme.dim));
    }
    lines.extend(row.found.map(|found| behind(found, model, theme, width)).unwrap_or_default());
    lines
}

/// What was found, and what that rests on.
fn seen(found: Option<Found>, before: &str, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (text, style) = words(found, theme);
    let evidence = found.map(Found::evidence).unwrap_or_default();
    if found.and_then(Found::verdict).is_some() {
        return hanging(Span::styled(format!("{before}{text}  "), style), evidence, width, EVIDENCE, theme.text);
    }
    let mut lines = wrapped_lines(&format!("{before}{text}"), 0, width, 6, style);
    if !evidence.is_empty() {
        lines.extend(wrapped_lines(evidence, 0, width, EVIDENCE, theme.dim));
    }
    lines
}

/// The exchanges that it rests on, one after another.
fn behind(found: Found, model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    if found.exchanges().is_empty() {
        return Vec::new();
    }
    if !model.is_of_this_store() {
        return wrapped_lines("Its requests are in that store's history.", 0, width, 2, theme.dim);
    }
    let Some(behind) = model.check.selected_behind() else { return Vec::new() };
    if behind.is_empty() {
        return wrapped_lines("Its requests are not stored any more.", 0, width, 2, theme.dim);
    }
    let of = behind.len();
    behind.iter().enumerate().flat_map(|(at, kept)| exchange(kept, (at + 1, of), theme, width)).collect()
}

fn exchange(kept: &Kept, (at, of): (usize, usize), theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let exchange = &kept.exchange;
    let (brief, (style, _)) = (Extent::Brief(BODY_LINES), theme.outcome(exchange.outcome()));
    let number = if of > 1 { format!("Request {at} of {of}") } else { "The request".to_owned() };
    let mut lines = vec![rule(&number, theme, width)];
    if let Some(request) = &exchange.request {
        lines.extend(request_lines(request, theme, width, brief));
        lines.push(Line::default());
    }
    match &exchange.ending {
        Ending::Answered(answer) => {
            lines.extend(answer_lines(answer, theme, style, width, brief));
            lines.extend(end_lines(&answer.body_end, theme, width));
        }
        Ending::Failed(failure) => {
            lines.extend(wrapped_lines(&failed_because(failure.kind, exchange.elapsed), 0, width, 3, style));
        }
    }
    lines
}

fn of_left(left: &Leftover, model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let head = Span::styled(format!("{} ", theme.mark("?", "?")), theme.doubt);
    let mut lines = hanging(head, "It may still be at the store.", width, 2, theme.doubt);
    lines.push(rule("Why", theme, width));
    lines.extend(wrapped_lines(&left.why, 0, width, EVIDENCE, theme.text));
    lines.push(rule("What to do", theme, width));
    let resolve = model.keys.shown(Action::Room(InRoom::Settle));
    let plants = model.keys.shown(Action::Room(InRoom::Plants));
    let words = match left.clean_up {
        CleanUp::Pending => format!("Nothing: the next check deletes it. It can also be deleted in Plants ({plants})."),
        CleanUp::Failed => format!(
            "Its delete was not accepted. The next check tries again, and adds no more such plants until it is gone. \
             {resolve} in Plants ({plants}) forgets it here."
        ),
        CleanUp::Unsafe => format!(
            "No check deletes it: its create is unknown, and under its id there may be somebody else's plant. \
             {resolve} in Plants ({plants}) decides about it."
        ),
        CleanUp::Ineffective => "Its delete was accepted, and it is still there: delete it at the store.".to_owned(),
    };
    lines.extend(wrapped_lines(&words, 0, width, 6, theme.dim));
    lines
}

/// A run as a line of a list: when, where, what it came to.
pub(super) fn kept_run(report: &Report, marked: bool, model: &Model, theme: &Theme, width: usize) -> Line<'static> {
    let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
    let when = moment(report.started, model.now, &model.facts.zone);
    let counts: Vec<_> = Verdict::ALL.into_iter().map(|verdict| (verdict, report.count(verdict))).collect();
    let mut spans = vec![Span::styled(pointer, theme.key), Span::raw(clean_padded(&when, WHEN)), Span::raw("  ")];
    let sum: Vec<_> = counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(verdict, count)| {
            let (style, mark) = theme.verdict(verdict);
            Span::styled(format!("{mark} {count} {}  ", verdict.word()), style)
        })
        .collect();
    let used = 2 + WHEN + 2 + sum.iter().map(|span| span.content.width()).sum::<usize>();
    spans.extend(sum);
    spans.push(Span::styled(clean_fit(&report.store, width.saturating_sub(used)), theme.dim));
    Line::from(spans)
}

/// Columns of a day and a time of day.
const WHEN: usize = 19;
