//! Draws the Check tab: what the check is before there is a run, and then the diagnosis and the rows: rules with their
//! verdicts, undocumented behaviour, and leftovers.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::pane::{self, words};
use super::rows::{Found, Line as Row_, Row};
use super::state::CheckScreen;
use crate::check::{Leftover, RULES, Report, Run, UNDOCUMENTED, Verdict, Wanted, how_much_changed};
use crate::domain::State;
use crate::domain::text::clean_padded;
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::screen::{ListFrame, draw_pane, pointer};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::progress;
use crate::tui::widgets::text::{fitted, wrapped_lines};
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::time::moment;

/// Columns from which the selected row stands beside the list.
const WIDE: u16 = 110;
/// Rows of the pane below the list, with its borders, at least and at most.
const BELOW: (u16, u16) = (4, 14);
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
/// Lines of the diagnosis.
const DIAGNOSIS: usize = 3;

pub(super) fn draw(screen: &CheckScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    if screen.report.is_none() {
        return draw_list(screen, cx, area, canvas);
    }
    let [list, beside] = if area.width < WIDE {
        let (least, most) = BELOW;
        let height = (area.height * 2 / 5).clamp(least, most);
        Layout::vertical([Constraint::Min(0), Constraint::Length(height)]).areas(area)
    } else {
        Layout::horizontal([Constraint::Fill(5), Constraint::Fill(3)]).areas(area)
    };
    let theme = canvas.theme;
    draw_pane(&pane::title(screen), screen.pane, beside, canvas, |width| pane::lines(screen, cx, theme, width));
    draw_list(screen, cx, list, canvas);
}

fn draw_list(screen: &CheckScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let lines = screen.lines();
    let place = place(screen, lines.len());
    let frame = ListFrame {
        position: &place,
        filter: &screen.filter,
        is_typing: screen.is_typing,
        placeholder: "",
        filters: Vec::new(),
    };
    let inner = frame.draw(cx, area, canvas);
    let width = usize::from(inner.width);
    let Some(report) = &screen.report else {
        canvas.map.layout.page = usize::from(inner.height);
        return canvas.lines(introduction(cx, theme, width), inner);
    };
    let head = head(screen, cx, report, theme, width);
    let height = u16::try_from(head.len()).unwrap_or(1);
    let [above, rows] = Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(inner);
    canvas.map.layout.page = usize::from(rows.height);
    canvas.lines(head, above);
    if let Some(run) = cx.session.check.run() {
        draw_progress(run, cx, Rect { height: above.height.min(1), ..above }, canvas);
    }
    let widths = Widths::of(screen, usize::from(rows.width));
    let mut drawn = Vec::new();
    let shown = lines.iter().enumerate().skip(screen.top).take(usize::from(rows.height));
    for ((at, line), y) in shown.zip(rows.y..) {
        if line.subject().is_some() {
            canvas.target(Rect { y, height: 1, ..rows }, Target::Line(at));
        }
        drawn.push(widths.line(line, screen, theme));
    }
    if drawn.is_empty() {
        let back = cx.key(Command::Back);
        let words = format!("No row has this in its words. {back} shows all.");
        drawn = wrapped_lines(&words, 2, widths.width, 3, theme.dim);
    }
    canvas.lines(drawn, rows);
    canvas.scrollbar(area, screen.top, usize::from(rows.height), lines.len());
}

/// ` ⠋ checking: 12 of 42 ████░░░░`
fn draw_progress(run: &Run, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let (style, mark) = canvas.theme.state(State::Adding, cx.display.turn);
    let (done, planned) = run.progress();
    let words = if run.is_stopping() { "cleaning up" } else { "checking" };
    let label = format!(" {mark} {words}: {done} of {planned}");
    let width = u16::try_from(label.width() + 1 + BAR).unwrap_or(area.width).min(area.width);
    progress::draw(&label, done as u64, planned as u64, style, Rect { width, ..area }, canvas);
}

/// Which lines are on screen, of how many.
fn place(check: &CheckScreen, lines: usize) -> String {
    if lines <= check.page {
        return String::new();
    }
    format!("{}-{} of {lines}", check.top + 1, (check.top + check.page).min(lines))
}

/// What the check is, what starts it, and what is kept of it.
fn introduction(cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let run = cx.key(Command::RunCheck);
    let (rules, undocumented) = (RULES.len(), UNDOCUMENTED.len());
    let mut lines = vec![Line::default()];
    let mut say = |text: &str, style| {
        lines.extend(wrapped_lines(text, 2, width.saturating_sub(1), 6, style));
        lines.push(Line::default());
    };
    say("Does this store keep to the interface?", theme.title);
    if cx.session.check.is_under_way() {
        say("Looking for leftovers of earlier checks …", theme.moving);
    } else if cx.session.info.read_only {
        say("This store is read-only here, and the check adds and deletes plants: it cannot run.", theme.doubt);
    } else if cx.session.info.demo {
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
    let open = cx.key(Command::OpenRun);
    match cx.session.check.stored.as_ref().map(Vec::len) {
        None => {}
        Some(0) => say("No run is stored yet.", theme.dim),
        Some(1) => say(&format!("1 earlier run is stored: {open} shows it."), theme.dim),
        Some(count) => say(&format!("{count} earlier runs are stored: {open} shows one of them."), theme.dim),
    }
    lines
}

/// Above the rows: how far it has come or what it came to, and what it is compared with.
fn head(screen: &CheckScreen, cx: &Context, report: &Report, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut lines = match cx.session.check.run() {
        // The bar is drawn over it.
        Some(_) => vec![Line::default()],
        None => {
            let advice = report.diagnosis.advice().map(|advice| format!(" {advice}")).unwrap_or_default();
            let text = format!("{}{advice}", report.diagnosis);
            let mut lines = wrapped_lines(&text, 1, width.saturating_sub(1), DIAGNOSIS, theme.title);
            lines.extend([sum(report, theme, width), about(report, screen, cx, theme, width)]);
            lines
        }
    };
    if let Some(other) = &screen.compared {
        let changed = how_much_changed(other, report);
        let text = format!(" {} {changed}; compared with {}", theme.mark("≠", "!"), when_and_where(other, screen, cx));
        lines.push(Line::from(fitted(&text, width, theme.doubt)));
    }
    lines
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
fn about(report: &Report, screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Line<'static> {
    let mut words = vec![moment(report.started, cx.now(), &cx.session.info.zone)];
    if !screen.is_of_this_store(cx) {
        words.push(report.store.clone());
    }
    words.push(report.took());
    words.extend((report.wanted != Wanted::default()).then(|| report.wanted.describe()));
    let style = if report.cut_short.is_some() { theme.doubt } else { theme.dim };
    Line::from(fitted(&format!(" {}", words.join(", ")), width, style))
}

/// A run in a line: when, and where if that is another store.
fn when_and_where(report: &Report, screen: &CheckScreen, cx: &Context) -> String {
    let when = moment(report.started, cx.now(), &cx.session.info.zone);
    let shown = screen.report.as_ref().map(|shown| shown.store.as_str());
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
    fn of(check: &CheckScreen, width: usize) -> Self {
        let word = check.word_of_compared();
        let other = if check.compared.is_some() { word.width() + 1 + VERDICT } else { 0 };
        Self { width, other, word }
    }

    fn line(&self, line: &Row_, screen: &CheckScreen, theme: &Theme) -> Line<'static> {
        let selected = line.is(screen.selected.as_ref());
        let drawn = match line {
            Row_::Heading(heading) => {
                return Line::from(fitted(&format!(" {heading}"), self.width, theme.title));
            }
            Row_::Row(row) => self.row(row, selected, theme),
            Row_::Leftover(left) => self.left(left, selected, theme),
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
