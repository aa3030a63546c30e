//! Before an import: which file, and what that comes to.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::form::{FORM, Sheet};
use super::importing::skipped;
use super::text::{hanging, wrapped_lines};
use super::{Painted, Theme, boxed};
use crate::app::import::{ImportPrompt, PreviewDialog};
use crate::app::keys::{Action, InForm};
use crate::app::{Model, Target};
use crate::domain::figure::{bytes, counted, grouped};
use crate::domain::import::{Preview, RowFault};
use crate::domain::text::shown_path;
use crate::domain::wrap::wrapped;

/// Columns of a label.
const LABEL: usize = 6;
/// Columns of the mark before a bad row.
const MARK: usize = 2;
/// Lines of one bad row, or of a note, at most.
const ROWS: usize = 3;

pub(super) fn draw_prompt(model: &Model, prompt: &ImportPrompt, theme: &Theme, frame: &mut Frame, area: Rect) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    sheet.blank();
    let words = "CSV with a header (name, id, tag, in any order), a JSON array, or NDJSON. Every row is judged before \
                 anything is sent, and you are asked.";
    sheet.lines.extend(wrapped_lines(words, 0, width, 4, theme.dim));
    sheet.blank();
    sheet.field("file", &prompt.path, true, width, theme);
    match (prompt.judging, &prompt.fault) {
        (Some(read), _) => {
            let stop = model.keys.shown(Action::Form(InForm::Close));
            sheet.note(&format!("reading … {}; nothing is sent. {stop} gives up.", bytes(read)), theme.moving, width);
        }
        (None, Some(fault)) => sheet.note(&format!("{} {fault}", theme.mark("✗", "x")), theme.bad, width),
        (None, None) => sheet.blank(),
    }
    sheet.draw("Import which file?", model.later.len(), theme, frame, area);
}

pub(super) fn draw_preview(
    model: &Model,
    dialog: &PreviewDialog,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let answers = model.preview_answers(dialog);
    let marked = answers.iter().position(|answer| *answer == dialog.marked).unwrap_or(0);
    let labels: Vec<_> = answers.iter().map(|answer| dialog.label(*answer)).collect();
    let (answers, places) = answer_lines(&labels, marked, width, theme);
    let (sum, faults) = (sum(model, dialog, theme, width), Faults::of(dialog, width));
    let count = sum.len() + faults.len();
    let room = usize::from(area.height.saturating_sub(2)).saturating_sub(answers.len() + 1);
    let page = count.min(room);
    let height = u16::try_from(page + answers.len() + 1).unwrap_or(u16::MAX).saturating_add(2);
    let is_cut = page < count;
    let place = if is_cut { format!(", lines {}", place(dialog.top, page, count)) } else { String::new() };
    let title = format!("Before the import{place}");
    let inner = boxed(&title, model.later.len(), (FORM, height), theme, frame, area);
    let drawn = &mut painted.drawn;
    (drawn.reader_lines, drawn.reader_page) = (count, page);
    let top = dialog.top.min(count.saturating_sub(page));
    let text = Rect { height: u16::try_from(page).unwrap_or(u16::MAX).min(inner.height), ..inner };
    let below = faults.seen(top.saturating_sub(sum.len()), page, theme);
    let shown: Vec<Line> = sum.into_iter().skip(top).chain(below).take(page).collect();
    frame.render_widget(Paragraph::new(shown), text);
    painted.target(text, Target::Reader);
    let below = Rect { y: text.bottom() + 1, ..inner }.intersection(inner);
    frame.render_widget(Paragraph::new(answers), below);
    for (at, rows) in places.into_iter().enumerate() {
        let y = below.y.saturating_add(u16::try_from(rows.start).unwrap_or(u16::MAX));
        let height = u16::try_from(rows.len()).unwrap_or(0);
        painted.target(Rect { y, height, ..below }.intersection(below), Target::Answer(at));
    }
}

/// The answers, and which lines are each one's.
fn answer_lines(
    labels: &[String],
    marked: usize,
    width: usize,
    theme: &Theme,
) -> (Vec<Line<'static>>, Vec<Range<usize>>) {
    let (mut lines, mut places) = (Vec::new(), Vec::new());
    for (at, label) in labels.iter().enumerate() {
        let pointer = if at == marked { theme.mark("▸ ", "> ") } else { "  " };
        let hung = hanging(Span::styled(pointer, theme.key), label, width, 2, theme.title);
        let first = lines.len();
        lines.extend(hung.into_iter().map(|line| if at == marked { theme.select(line) } else { line }));
        places.push(first..lines.len());
    }
    (lines, places)
}

/// `1-9 of 40`
fn place(top: usize, page: usize, lines: usize) -> String {
    let top = top.min(lines.saturating_sub(page));
    format!("{}-{} of {lines}", top + 1, top + page)
}

/// What the file comes to in sum.
fn sum(model: &Model, dialog: &PreviewDialog, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let PreviewDialog { path, preview, .. } = dialog;
    let mut lines = Vec::new();
    let mut say = |label: &str, text: &str, style| {
        let head = Span::styled(format!("{label:<LABEL$} "), theme.dim);
        lines.extend(hanging(head, text, width, ROWS, style));
    };
    say("file", &format!("{}, read as {}", shown_path(path), preview.format.word()), theme.text);
    say("rows", &rows(preview), if preview.bad > 0 { theme.bad } else { theme.text });
    say("store", &model.facts.store.to_string(), theme.text);
    let (text, style) = to_send(model, dialog, theme);
    say("send", &text, style);
    let busy = "being added or deleted at this moment: not sent";
    lines.extend(skipped(dialog.standing(), busy, LABEL + 1, theme, width));
    for note in &preview.notes {
        let head = Span::styled(format!("{:<LABEL$} ", "note"), theme.dim);
        lines.extend(hanging(head, note, width, ROWS, theme.text));
    }
    if preview.bad > 0 {
        lines.push(Line::default());
    }
    lines
}

fn rows(preview: &Preview) -> String {
    let all = preview.forecast.as_is.rows() + preview.bad;
    match preview.bad {
        0 => grouped(all),
        bad => format!("{}, {} of them bad", grouped(all), grouped(bad)),
    }
}

/// How many requests, or why there is none.
fn to_send(model: &Model, dialog: &PreviewDialog, theme: &Theme) -> (String, Style) {
    let bad = dialog.preview.bad > 0;
    let count = counted(dialog.to_send(), "plant", "plants");
    if model.facts.read_only {
        (format!("nothing: read-only. Otherwise it would be {count}."), theme.doubt)
    } else if !model.courier_alive {
        ("nothing: the background task has died".to_owned(), theme.bad)
    } else if dialog.to_send() == 0 {
        ("nothing: no row of it is missing in the list".to_owned(), theme.doubt)
    } else if bad {
        (format!("nothing while a row is bad; {count}, one request each, if those are skipped"), theme.text)
    } else {
        (format!("{count}, one request each"), theme.title)
    }
}

/// Every bad row that the preview holds, and how many more there are: lines are counted for all of
/// them, and made for those that are seen.
struct Faults<'a> {
    dialog: &'a PreviewDialog,
    width: usize,
    /// How many lines each takes.
    heights: Vec<usize>,
}

impl<'a> Faults<'a> {
    fn of(dialog: &'a PreviewDialog, width: usize) -> Self {
        let room = width.saturating_sub(MARK);
        let height = |fault: &RowFault| {
            let text = fault.to_string();
            // The common case: every byte is a column.
            let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
            if is_plain && text.len() <= room { 1 } else { wrapped(&text, room, ROWS).len() }
        };
        let heights = dialog.preview.faults.iter().map(height).collect();
        Self { dialog, width, heights }
    }

    /// How many lines there are.
    fn len(&self) -> usize {
        self.heights.iter().sum::<usize>() + self.more().len()
    }

    /// So many lines from a line on.
    fn seen(&self, top: usize, rows: usize, theme: &Theme) -> Vec<Line<'static>> {
        let (mut seen, mut line) = (Vec::new(), 0);
        for (fault, height) in self.dialog.preview.faults.iter().zip(&self.heights) {
            let first = line;
            line += height;
            if line <= top {
                continue;
            }
            if seen.len() >= rows {
                break;
            }
            let head = Span::styled(format!("{} ", theme.mark("✗", "x")), theme.bad);
            let made = hanging(head, &fault.to_string(), self.width, ROWS, theme.text);
            seen.extend(made.into_iter().skip(top.saturating_sub(first)));
        }
        let more = self.more().into_iter().skip(top.saturating_sub(line));
        seen.extend(more.map(|text| Line::from(Span::styled(format!("  {text}"), theme.dim))));
        seen.truncate(rows);
        seen
    }

    fn more(&self) -> Vec<String> {
        let preview = &self.dialog.preview;
        match preview.bad.saturating_sub(preview.faults.len() as u64) {
            0 => Vec::new(),
            more => {
                let name = shown_path(&self.dialog.path);
                let text = format!("and {} more: plants import {name} --dry-run lists all", grouped(more));
                wrapped(&text, self.width.saturating_sub(MARK), ROWS)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::{Depth, Marks, Palette};

    #[test]
    fn a_part_of_the_bad_rows_is_that_part_of_the_whole() {
        let reasons = ["short", "so long that it is broken at most widths", "\u{1b}[2J漢字漢字漢字", ""];
        let fault = |(line, reason): (u64, &str)| RowFault { line, column: 1, field: None, reason: reason.to_owned() };
        let faults: Vec<_> = (1..20).zip(reasons.into_iter().cycle()).map(fault).collect();
        let preview = Preview { bad: 30, faults, ..Preview::default() };
        let dialog = PreviewDialog::of("plants.csv".into(), preview);
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        for width in [2, 9, 30, 80] {
            let faults = Faults::of(&dialog, width);
            let whole = faults.seen(0, usize::MAX, &theme);
            assert_eq!(whole.len(), faults.len(), "{width}");
            for top in 0..=whole.len() {
                let rest = whole.get(top..(top + 3).min(whole.len())).unwrap_or_default();
                assert_eq!(faults.seen(top, 3, &theme), rest, "{width}, {top}");
            }
        }
    }
}
