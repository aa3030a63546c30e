//! An import under way, in two lines; and all that is known of it, or of the last one, as a text.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::text::{fitted, hanging, wrapped_lines};
use super::{Painted, Theme};
use crate::app::importing::{Ending, Import};
use crate::app::keys::{Action, InExchanges, InRoom};
use crate::app::{Model, Room, Target};
use crate::domain::figure::{about, counted, grouped, rate};
use crate::domain::import::{Outcomes, Over, Progress, Standing};
use crate::domain::text::shown_path;
use crate::domain::{Outcome, State};

/// Columns of the bar at most, and at least if there is one.
const BAR: (usize, usize) = (40, 6);
/// Rows of the screen from which the counts have a line of their own.
const TALL: u16 = 18;
/// Columns of a label.
const LABEL: usize = 12;

/// Rows of the strip: none without an import.
pub(super) fn strip_height(model: &Model, area: Rect) -> u16 {
    match (model.importing(), area.height) {
        (None, _) => 0,
        (Some(_), TALL..) => 2,
        (Some(_), _) => 1,
    }
}

/// How far the import has come.
pub(super) fn draw_strip(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect, painted: &mut Painted) {
    let Some(import) = model.importing() else { return };
    let width = usize::from(area.width).saturating_sub(1);
    let lines = vec![way(import, theme, width), outcomes(import, theme, width)];
    frame.render_widget(Paragraph::new(lines), area);
    painted.target(area, Target::Action(Action::Room(InRoom::Import)));
}

/// ` import ▕████░░░░▏ 12,345 of 1,000,000  1,234/s  13 min left`
fn way(import: &Import, theme: &Theme, width: usize) -> Line<'static> {
    let progress = &import.progress;
    let done = format!(" {} of {}", grouped(progress.done()), grouped(progress.rows));
    let (words, style) = pace(import, theme);
    let head = " import ";
    let room = width.saturating_sub(head.width() + 2 + done.width() + 2 + words.width());
    let (most, least) = BAR;
    let mut spans = vec![Span::styled(head, theme.moving)];
    if room >= least {
        spans.extend(bar(progress, theme, room.min(most)));
    }
    let room = width.saturating_sub(spans.iter().map(|span| span.content.width()).sum::<usize>() + done.width() + 2);
    spans.extend([Span::styled(done, theme.title), Span::raw("  "), fitted(&words, room, style)]);
    Line::from(spans)
}

fn bar(progress: &Progress, theme: &Theme, columns: usize) -> [Span<'static>; 4] {
    let (done, rows) = (u128::from(progress.done()), u128::from(progress.rows));
    let filled = (done * columns as u128).checked_div(rows).and_then(|filled| usize::try_from(filled).ok());
    let filled = filled.unwrap_or(columns).min(columns);
    [
        Span::styled(theme.mark("▕", "["), theme.border),
        Span::styled(theme.mark("█", "#").repeat(filled), theme.moving),
        Span::styled(theme.mark("░", ".").repeat(columns - filled), theme.border),
        Span::styled(theme.mark("▏", "]"), theme.border),
    ]
}

/// How fast it goes, or why it does not.
fn pace(import: &Import, theme: &Theme) -> (String, Style) {
    let progress = &import.progress;
    let out = progress.out as u64;
    match (import.ending, progress.pause) {
        (Some(Ending::Stopping), _) => {
            (format!("stopping: waiting for {}", counted(out, "answer", "answers")), theme.doubt)
        }
        (Some(Ending::Cancelling), _) => (format!("cancelling {}", counted(out, "request", "requests")), theme.doubt),
        (None, Some(pause)) => (format!("the store asks to wait {}", about(pause)), theme.doubt),
        (None, None) => match progress.time_left() {
            Some(left) => (format!("{}  {} left", rate(progress.per_second()), about(left)), theme.text),
            None => (format!("{} out", grouped(out)), theme.text),
        },
    }
}

/// Each outcome with its count; its word as well where there is room.
fn outcomes(import: &Import, theme: &Theme, width: usize) -> Line<'static> {
    let counts = counts(import.progress.outcomes);
    let skipped = import.progress.skipped.rows();
    let told = |worded: bool| {
        let mut spans = vec![Span::raw("        ")];
        for (outcome, count) in counts {
            let (style, mark) = theme.outcome(outcome);
            let word = if worded { format!(" {}", outcome.word()) } else { String::new() };
            let style = if count == 0 { theme.dim } else { style };
            spans.push(Span::styled(format!(" {mark} {}{word} ", grouped(count)), style));
        }
        if skipped > 0 {
            spans.push(Span::styled(format!(" {} skipped", grouped(skipped)), theme.dim));
        }
        Line::from(spans)
    };
    let worded = told(true);
    if worded.width() <= width { worded } else { told(false) }
}

fn counts(outcomes: Outcomes) -> [(Outcome, u64); 4] {
    let Outcomes { accepted, rejected, unknown, not_sent } = outcomes;
    [
        (Outcome::Accepted, accepted),
        (Outcome::Rejected, rejected),
        (Outcome::Unknown, unknown),
        (Outcome::NotSent, not_sent),
    ]
}

/// On the border of the text about it.
pub(super) fn title(model: &Model) -> &'static str {
    match model.import.as_ref().map(|import| (&import.over, import.ending)) {
        None => "No import",
        Some((None, None)) => "An import is under way",
        Some((None, Some(_))) => "An import is being stopped",
        Some((Some(Over::Done), _)) => "The import is done",
        Some((Some(Over::Stopped), _)) => "The import was stopped",
        Some((Some(Over::Halted(_)), _)) => "The import halted",
    }
}

/// All that is known of it, and what there is to do.
pub(super) fn whole(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let Some(import) = &model.import else { return Vec::new() };
    let progress = &import.progress;
    let mut lines = vec![Line::default()];
    if let Some(Over::Halted(why)) = &import.over {
        lines.extend(wrapped_lines(why, 0, width, 6, theme.bad));
        lines.push(Line::default());
    }
    let mut say = |label: &str, text: &str| {
        lines.extend(hanging(Span::styled(format!("{label:<LABEL$}"), theme.dim), text, width, 3, theme.text));
    };
    say("file", &format!("{} ({})", shown_path(&import.path), import.format.word()));
    if import.skipped > 0 {
        say("skipped", &counted(import.skipped, "bad row", "bad rows"));
    }
    say("done", &format!("{} of {}", grouped(progress.done()), counted(progress.rows, "row", "rows")));
    if import.over.is_none() {
        say("out", &counted(progress.out as u64, "request", "requests"));
        say("speed", &pace(import, theme).0);
    } else if progress.left() > 0 {
        say("left unsent", &counted(progress.left(), "row", "rows"));
    }
    say("took", &about(progress.elapsed));
    lines.push(Line::default());
    lines.extend(counts(progress.outcomes).into_iter().map(|(outcome, count)| counted_as(outcome, count, theme)));
    let busy = "being added or deleted when their turn came: not sent";
    lines.extend(skipped(progress.skipped, busy, 0, theme, width));
    if let Some(told) = progress.resent_told() {
        lines.extend(wrapped_lines(&told, 0, width, 4, theme.doubt));
    }
    if progress.mismatches > 0 {
        let differ = counted(progress.mismatches, "response differs", "responses differ");
        lines.extend(wrapped_lines(
            &format!(
                "{differ} from the document, and {} marked so in the Exchanges room.",
                if progress.mismatches == 1 { "is" } else { "are" }
            ),
            0,
            width,
            2,
            theme.doubt,
        ));
    }
    for advice in advice(import, model) {
        lines.push(Line::default());
        lines.extend(wrapped_lines(&advice, 0, width, 4, theme.text));
    }
    lines
}

/// `✓ accepted   1,203`
fn counted_as(outcome: Outcome, count: u64, theme: &Theme) -> Line<'static> {
    let (style, mark) = theme.outcome(outcome);
    let words = LABEL - 2;
    Line::from(vec![
        Span::styled(format!("{mark} {:<words$}", outcome.word()), style),
        Span::styled(grouped(count), if count == 0 { theme.dim } else { theme.title }),
    ])
}

/// Rows that are not simply sent, so many columns in: what becomes of them. `busy` are the words for
/// those whose plant is on its way.
pub(super) fn skipped(
    standing: Standing,
    busy_words: &str,
    indent: usize,
    theme: &Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let Standing { send: _, resend, stored, differs, unknown, busy } = standing;
    let unknown_mark = theme.outcome(Outcome::Unknown);
    let told = [
        (stored, theme.state(State::Stored, 0), "stored already, as in the file: skipped"),
        (differs, (theme.doubt, "!"), "stored with another name or tag: not sent, and not changed"),
        (unknown, unknown_mark, "unknown from before: not sent"),
        (resend, unknown_mark, "unknown from before: sent again, and may then be there twice"),
        (busy, theme.state(State::Adding, 0), busy_words),
    ];
    let line = |(count, (style, mark), words): (u64, (Style, &str), &str)| {
        let head = Span::styled(format!("{:indent$}{mark} ", ""), style);
        hanging(head, &format!("{} {words}", grouped(count)), width, 3, theme.text)
    };
    told.into_iter().filter(|(count, ..)| *count > 0).flat_map(line).collect()
}

/// What there is to do, now or about what it has left.
fn advice(import: &Import, model: &Model) -> Vec<String> {
    let Progress { outcomes, skipped, unresolved, .. } = import.progress;
    let key = |action| model.keys.shown(Action::Room(action));
    let mut advice = Vec::new();
    if import.over.is_none() {
        let back = key(InRoom::Back);
        advice.push(match import.ending {
            None => format!("In a room, {back} stops it: what is out is awaited, the rest is not sent."),
            Some(Ending::Stopping) => format!("In a room, {back} cancels what is out: that is unknown then."),
            Some(Ending::Cancelling) => "What is out is being cancelled.".to_owned(),
        });
        return advice;
    }
    if import.progress.left() > 0 || outcomes.not_sent > 0 {
        let key = key(InRoom::Import);
        advice.push(format!("Import the same file again ({key}): only what is missing goes out."));
    }
    if outcomes.unknown + skipped.unknown + unresolved > 0 {
        advice.push(format!(
            "{} resolves what is unknown, plant by plant. Another import of the file asks whether to send it again.",
            key(InRoom::Settle)
        ));
    }
    if outcomes.rejected > 0 {
        advice.push(format!(
            "What was rejected is in the Exchanges room with the store's words: {}, then {} for what ended so.",
            model.keys.shown(Room::Exchanges.action()),
            model.keys.shown(Action::Exchanges(InExchanges::ByOutcome))
        ));
    }
    if skipped.differs > 0 {
        advice.push("An import changes no plant: delete what the file is to replace, and import it again.".to_owned());
    }
    advice
}
