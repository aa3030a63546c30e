//! The progress of a running import, in two lines.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::domain::Language;
use crate::domain::language::Id;
use crate::text::number_format::grouped;
use crate::tui::context::Context;
use crate::tui::render::import_report::pace;
use crate::tui::session::ImportRun;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::theme::Theme;

/// Columns of the bar with its label: at most, and the least with which it is drawn.
const BAR: (usize, usize) = (49, 15);
/// Rows of the terminal from which on the counts have their own line.
const TALL: u16 = 18;

/// Returns the rows of the strip: none without an import.
pub(super) fn height(cx: &Context, area: Rect) -> u16 {
    match (cx.session.importing(), area.height) {
        (None, _) => 0,
        (Some(_), TALL..) => 2,
        (Some(_), _) => 1,
    }
}

pub(super) fn draw(cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let Some(import) = cx.session.importing() else { return };
    let language = cx.display.language_of_labels();
    let [above, below] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    draw_progress(import, language, above, canvas);
    canvas.render(outcomes(import, language, canvas.theme, usize::from(area.width).saturating_sub(1)), below);
}

/// ` import ████░░░░  12,345 of 1,000,000  1,234/s  13 min left`
fn draw_progress(import: &ImportRun, language: Language, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let progress = &import.progress;
    let done = Id::ImportDone.with("done", grouped(progress.done())).with("all", grouped(progress.rows));
    let done = format!("  {}", language.say(&done));
    let (words, style) = pace(import, language, theme);
    let label = format!(" {}", language.named("import"));
    let width = usize::from(area.width).saturating_sub(1);
    let room = width.saturating_sub(done.width() + 2 + words.width());
    let (most, least) = BAR;
    let bar = if room >= least { room.min(most) } else { label.width() };
    let [left, right] =
        Layout::horizontal([Constraint::Length(u16::try_from(bar).unwrap_or(0)), Constraint::Min(0)]).areas(area);
    canvas.progress(&label, progress.done(), progress.rows, theme.in_progress, left);
    let room = usize::from(right.width).saturating_sub(done.width() + 3);
    let spans = vec![Span::styled(done, theme.title), Span::raw("  "), fitted(&words, room, style)];
    canvas.render(Line::from(spans), right);
}

/// Returns the count of each outcome, with its name if all names fit.
fn outcomes(import: &ImportRun, language: Language, theme: &Theme, width: usize) -> Line<'static> {
    let counts = import.progress.all_outcomes().each();
    let skipped = import.progress.unsent.skipped();
    let line = |worded: bool| {
        let mut spans = vec![Span::raw("        ")];
        for (outcome, count) in counts {
            let (style, mark) = theme.outcome(outcome);
            let word = if worded { format!(" {}", language.named(outcome.word())) } else { String::new() };
            let style = if count == 0 { theme.dim } else { style };
            spans.push(Span::styled(format!(" {mark} {}{word} ", grouped(count)), style));
        }
        if skipped > 0 {
            spans.push(Span::styled(format!(" {} {}", grouped(skipped), language.named("skipped")), theme.dim));
        }
        Line::from(spans)
    };
    let worded = line(true);
    if worded.width() <= width { worded } else { line(false) }
}
