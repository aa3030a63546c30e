//! Draws the Check tab: an introduction before the first run, then the diagnosis, the rules with their verdicts,
//! undocumented behaviour, and leftovers.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::pane::{self, words};
use super::rows::{Line as CheckLine, Row};
use super::state::CheckScreen;
use crate::check::{RULES, Report, RowResult, Run, UNDOCUMENTED, Verdict, how_much_changed};
use crate::domain::State;
use crate::text::columns::{Column, filling, longest};
use crate::text::number_format::counted;
use crate::text::{clean_padded, columns_of};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::screen::{POINTER, before_border, draw_frame, draw_key_of_pane, draw_pane, pointer, position, split};
use crate::tui::widgets::canvas::{Canvas, cells};
use crate::tui::widgets::text::{fitted, placeholder, wrapped_lines};
use crate::tui::widgets::theme::Theme;

/// Columns from which the selected row is drawn beside the list.
const WIDE: u16 = 110;
/// Columns of a section with a space.
const SECTION: usize = 5;
/// Columns of a verdict, usually: mark, space, `inconclusive`.
const VERDICT: usize = 14;
/// Columns between a statement and its result.
const GAP: usize = 2;
/// The shares of a subject of undocumented behaviour, and of each result.
const SHARES: (usize, usize) = (4, 3);
/// Columns of the progress bar, at most.
const BAR: usize = 30;

pub(super) fn draw(screen: &CheckScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    if screen.report.is_none() {
        return draw_list(screen, cx, area, canvas);
    }
    let (list, beside) = split(cx, area, WIDE, [5, 3]);
    draw_list(screen, cx, list, canvas);
    if let Some(beside) = beside {
        let theme = canvas.theme;
        let lines = |width| pane::lines(screen, cx, theme, width);
        draw_pane(&pane::title(screen), cx, beside, canvas, lines);
    } else {
        draw_key_of_pane(cx, list, canvas);
    }
}

fn draw_list(screen: &CheckScreen, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let lines = screen.lines();
    let position = position(screen.view.top, screen.view.page, lines.len());
    let position = position.map(|position| format!("lines {position}")).unwrap_or_default();
    let inner = draw_frame(&screen.filter, &position, cx, area, canvas);
    let width = usize::from(inner.width);
    let Some(report) = &screen.report else {
        canvas.map.layout.page = usize::from(inner.height);
        return canvas.lines(introduction(cx, theme, width), inner);
    };
    let width = width - before_border(width);
    let head = head(screen, cx, report, theme, inner);
    let [above, rows] = Layout::vertical([Constraint::Length(cells(head.len())), Constraint::Min(0)]).areas(inner);
    canvas.map.layout.page = usize::from(rows.height);
    canvas.lines(head, above);
    if let Some(run) = cx.session.check.run() {
        draw_progress(run, cx, above, canvas);
    }
    if lines.is_empty() {
        let back = cx.key(Command::Back);
        return canvas.lines(placeholder(&format!("No row matches. {back} shows all."), width, theme.dim), rows);
    }
    let visible = lines.iter().skip(screen.view.top).take(usize::from(rows.height));
    let targets = (screen.view.top..).zip(visible.clone());
    canvas.row_targets(
        rows,
        targets.map(|(at, line)| if line.row().is_some() { Target::Line(at) } else { Target::List }),
    );
    let columns = columns(&lines, screen, theme, width);
    canvas.lines(visible.map(|row| line(row, screen, columns, width, theme)).collect(), rows);
    canvas.scrollbar(area, screen.view.top, usize::from(rows.height), lines.len());
}

/// ` ⠋ checking: 12 of 42 done ████░░░░`
fn draw_progress(run: &Run, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let (style, mark) = canvas.theme.state(State::Adding, cx.display.turn);
    let Some((done, planned)) = run.progress() else {
        return canvas.render(Line::styled(format!(" {mark} cleaning up"), style), area);
    };
    let label = format!(" {mark} checking: {done} of {planned} steps done");
    let width = cells(label.width() + 1 + BAR).min(area.width);
    canvas.progress(&label, done as u64, planned as u64, style, Rect { width, ..area });
}

/// Explains the check, how to run it, and how many runs are stored.
fn introduction(cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let run = cx.key(Command::RunCheck);
    let (rules, undocumented) = (RULES.len(), UNDOCUMENTED.len());
    let mut lines = vec![Line::default()];
    let mut say = |text: &str, style| {
        lines.extend(wrapped_lines(text, 2, width.saturating_sub(1), 6, style));
        lines.push(Line::default());
    };
    say("Does this store follow its interface document?", theme.title);
    if cx.session.check.is_under_way() {
        say("Looking for leftovers of earlier checks …", theme.in_progress);
    } else if cx.session.info.read_only {
        say("The check adds and deletes plants, and this store is read-only: it cannot run.", theme.warning);
    } else if cx.session.info.demo {
        say(&format!("{run} runs the check."), theme.text);
    } else {
        say(&format!("{run} runs the check, after a question that says what it will send."), theme.text);
    }
    say(
        &format!(
            "It gives each of the {rules} rules of the interface document that can be observed from outside a \
             verdict: pass, fail, or inconclusive. For {undocumented} things that the document leaves open, it records \
             what this store does."
        ),
        theme.dim,
    );
    say(
        "It touches only its own plants, with random ids and the tag Plants-Check. Each is deleted right after, and \
         leftovers are listed.",
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

/// The lines above the rows: progress or diagnosis, which leaves them the larger part, and the comparison.
fn head(screen: &CheckScreen, cx: &Context, report: &Report, theme: &Theme, area: Rect) -> Vec<Line<'static>> {
    let width = usize::from(area.width);
    let most = usize::from(area.height / 4).max(1);
    let mut lines = match cx.session.check.run() {
        // Room for the progress bar.
        Some(_) => vec![Line::default()],
        None => {
            let key = cx.key(Command::ReplaceToken);
            let mut text = [&report.diagnosis.to_string(), report.diagnosis.advice().unwrap_or_default()].join(" ");
            if report.diagnosis.is_about_the_token() {
                text = format!("{}: {key} takes it.", text.trim_end_matches('.'));
            }
            let mut lines = wrapped_lines(&text, 1, width.saturating_sub(1), most, theme.title);
            lines.extend([sum(report, theme, width), about(report, screen, cx, theme, width)]);
            lines
        }
    };
    if let Some(other) = &screen.compared {
        let changed = how_much_changed(other, report);
        let text = format!("compared with {}: {changed}", when_and_where(other, screen, cx));
        lines.extend(wrapped_lines(&text, 1, width.saturating_sub(1), most, theme.warning));
    }
    lines
}

/// `✓ 12 pass  ✗ 1 fail  ? 1 inconclusive  no leftovers`
fn sum(report: &Report, theme: &Theme, width: usize) -> Line<'static> {
    let counts = Verdict::ALL.into_iter().map(|verdict| (verdict, report.count(verdict)));
    let mut spans = Vec::new();
    for (verdict, count) in counts.filter(|(_, count)| *count > 0) {
        let (style, mark) = theme.verdict(verdict);
        spans.push(Span::styled(format!(" {mark} {count} {} ", verdict.word()), style));
    }
    let left = match report.leftovers.len() as u64 {
        0 => " no leftovers".to_owned(),
        count => format!(" {}", counted(count, "leftover", "leftovers")),
    };
    let used: usize = spans.iter().map(|span| span.content.width()).sum();
    let style = if report.leftovers.is_empty() { theme.dim } else { theme.warning };
    spans.push(fitted(&left, width.saturating_sub(used), style));
    Line::from(spans)
}

/// When the check ran, where, how long it took, and which part of it ran.
fn about(report: &Report, screen: &CheckScreen, cx: &Context, theme: &Theme, width: usize) -> Line<'static> {
    let mut words = vec![cx.moment(report.started)];
    if !screen.is_of_this_store(cx) {
        words.push(report.store.clone());
    }
    words.push(report.extent());
    let style = if report.cut_short.is_some() { theme.warning } else { theme.dim };
    Line::from(fitted(&format!(" {}", words.join(", ")), width, style))
}

/// When a run was, and where if in another store.
fn when_and_where(report: &Report, screen: &CheckScreen, cx: &Context) -> String {
    let when = cx.moment(report.started);
    let shown = screen.report.as_ref().map(|shown| shown.store.as_str());
    if shown == Some(report.store.as_str()) { when } else { format!("{} at {when}", report.store) }
}

/// Returns the widths of statement, result and compared result of rules, undocumented rows and leftovers; the last is 0
/// where no run is compared. Reads all lines and not only those on screen, so that scrolling moves no column.
fn columns(lines: &[CheckLine], screen: &CheckScreen, theme: &Theme, width: usize) -> [[usize; 3]; 3] {
    let room = width.saturating_sub(POINTER + SECTION);
    let before_other = screen.word_of_compared().len() + 1;
    let width_of = |found: Option<&RowResult>| columns_of(&words(found, theme).0, room);
    let needs = |row: &Row| {
        let other = if row.is_changed() { before_other + width_of(row.other) } else { 0 };
        [columns_of(&row.statement, room), width_of(row.found), other]
    };
    [0, 1, 2].map(|group| {
        let rows = lines.iter().filter_map(CheckLine::row);
        let [what, found, other] = longest(rows.filter(|row| group_of(row) == group).map(needs));
        let (what, found, other) = if group == 1 {
            let result = |needed| Column::flexible(needed, VERDICT, SHARES.1);
            (Column::flexible(what, 0, SHARES.0), result(found), result(other))
        } else {
            (Column::flexible(what, 0, 1), Column::whole(found, VERDICT), Column::whole(other, before_other + VERDICT))
        };
        let other = if screen.compared.is_some() { other } else { Column::whole(0, 0) };
        filling([what, found, other], GAP, room)
    })
}

/// Returns the index of the rows whose columns are alike: rules, undocumented rows, leftovers.
fn group_of(row: &Row) -> usize {
    if row.leftover.is_some() { 2 } else { usize::from(row.is_undocumented()) }
}

fn line(
    line: &CheckLine,
    screen: &CheckScreen,
    of_groups: [[usize; 3]; 3],
    width: usize,
    theme: &Theme,
) -> Line<'static> {
    let row = match line {
        CheckLine::Heading(heading) => return Line::from(fitted(&format!(" {heading}"), width, theme.title)),
        CheckLine::Row(row) => row,
    };
    let is_selected = screen.is_selected(row);
    let [pointer, _] = pointer(is_selected, false, theme);
    let changed = if row.is_changed() { theme.mark("≠ ", "! ") } else { "  " };
    let [what, found, other] = of_groups[group_of(row)];
    let style = if row.found.is_some() { theme.text } else { theme.dim };
    let (result, result_style) = words(row.found, theme);
    let mut spans = vec![
        pointer,
        Span::styled(changed, theme.warning),
        Span::styled(clean_padded(row.section, SECTION), theme.dim),
        Span::styled(clean_padded(&row.statement, what), style),
        Span::raw(" ".repeat(GAP)),
        Span::styled(clean_padded(&result, found), result_style),
    ];
    if other > 0 {
        let (text, style) = if row.is_changed() { words(row.other, theme) } else { Default::default() };
        let text = if text.is_empty() { text } else { format!("{} {text}", screen.word_of_compared()) };
        spans.extend([Span::raw(" ".repeat(GAP)), Span::styled(clean_padded(&text, other), style)]);
    }
    if is_selected { theme.select(Line::from(spans)) } else { Line::from(spans) }
}
