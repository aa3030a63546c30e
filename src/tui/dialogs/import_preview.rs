//! The preview of an import: how many rows of a validated file would be sent, which rows are bad, and the choices.
//!
//! Computes and draws; what a choice does is decided by the dialog.

use std::path::PathBuf;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::number_format::{counted, grouped};
use crate::domain::text::shown_path;
use crate::domain::wrap::wrapped;
use crate::import::{Preview, Progress, RowCounts, RowFault};
use crate::tui::context::Context;
use crate::tui::message::Target;
use crate::tui::render::import_report::skipped;
use crate::tui::session::ImportRun;
use crate::tui::widgets::canvas::{Canvas, below, cells};
use crate::tui::widgets::form::{FORM, Form};
use crate::tui::widgets::page::Page;
use crate::tui::widgets::text::hanging;
use crate::tui::widgets::theme::Theme;

/// Columns of a label.
const LABEL: usize = 6;
/// Columns of the mark before a bad row.
const MARK: usize = 2;
/// Lines of one bad row, or of a note, at most.
const ROWS: usize = 3;

#[derive(Debug)]
pub(super) struct ImportPreview {
    path: PathBuf,
    preview: Box<Preview>,
    /// Whether unknown plants are sent again.
    pub resends: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Leave,
    Send,
    /// Switches whether unknown plants are sent again.
    Resend,
}

impl ImportPreview {
    pub(super) fn new(path: PathBuf, preview: Box<Preview>) -> Self {
        Self { path, preview, resends: false }
    }

    /// What happens to the good rows.
    fn forecast(&self) -> RowCounts {
        self.preview.forecast.standing(self.resends)
    }

    /// The number of requests.
    fn to_send(&self) -> u64 {
        self.forecast().to_send()
    }

    /// The number of unknown plants that can be sent again.
    fn resendable(&self) -> u64 {
        self.preview.forecast.resending.resend
    }

    /// The import, before its first request.
    pub(super) fn run(&self) -> ImportRun {
        ImportRun {
            path: self.path.clone(),
            format: self.preview.format,
            bad: self.preview.bad,
            resends: self.resends,
            progress: Progress { rows: self.forecast().rows(), ..Progress::default() },
            ending: None,
            over: None,
        }
    }

    /// The choices that can be taken now, the safe one first.
    pub(super) fn choices(&self, cx: &Context) -> Vec<Choice> {
        let can_send = cx.session.cannot_send().is_none();
        let send = (can_send && self.to_send() > 0).then_some(Choice::Send);
        let resend = (can_send && self.resendable() > 0).then_some(Choice::Resend);
        [Choice::Leave].into_iter().chain(send).chain(resend).collect()
    }

    fn label(&self, choice: Choice) -> String {
        let plants = counted(self.to_send(), "plant", "plants");
        match (choice, self.preview.bad) {
            (Choice::Leave, _) => "Do nothing".to_owned(),
            (Choice::Send, 0) => format!("Import {plants}"),
            (Choice::Send, bad) => format!("Skip {} and import {plants}", counted(bad, "bad row", "bad rows")),
            (Choice::Resend, _) => format!(
                "[{}] Send the {} unknown again, too; the store may then have them twice",
                if self.resends { 'x' } else { ' ' },
                grouped(self.resendable())
            ),
        }
    }

    /// Draws the text, scrolled to line `top`, and the choices below it.
    pub(super) fn draw(&self, marked: usize, top: usize, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, width) = (canvas.theme, Form::columns(area));
        let choices = self.choices(cx).into_iter().enumerate();
        let choice = |(at, choice)| hanging(theme.pointer(at == marked), &self.label(choice), width, 2, theme.title);
        let choices: Vec<_> = choices.map(choice).collect();
        let (summary, faults) = (self.summary(cx, theme, width), Faults::of(self, width));
        let count = summary.len() + faults.len();
        let around = choices.iter().map(Vec::len).sum::<usize>() + 1;
        let page = count.min(usize::from(area.height.saturating_sub(2)).saturating_sub(around));
        let top = top.min(count.saturating_sub(page));
        let place = if page < count { format!(", lines {}-{} of {count}", top + 1, top + page) } else { String::new() };
        let height = cells(page + around).saturating_add(2);
        let inner = canvas.dialog(&format!("Import preview{place}"), (FORM, height), area);
        let layout = &mut canvas.map.layout;
        (layout.reader_lines, layout.reader_page) = (count, page);
        let text = Rect { height: cells(page).min(inner.height), ..inner };
        let bad_rows = faults.lines(top.saturating_sub(summary.len()), page, theme);
        canvas.lines(summary.into_iter().skip(top).chain(bad_rows).take(page).collect(), text);
        canvas.dialog_scrollbar(text, top, count);
        canvas.target(text, Target::Text);
        canvas.choices(choices, marked, below(inner, page + 1));
    }

    /// File, rows, store, and what would be sent.
    fn summary(&self, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
        let Self { path, preview, .. } = self;
        let mut page = Page::new(theme, width);
        let say = |page: &mut Page<'_>, label: &str, text: &str, style| {
            page.hanging(Span::styled(format!("{label:<LABEL$} "), theme.dim), text, ROWS, style);
        };
        let file = format!("{}, read as {}", shown_path(path), preview.format.word());
        say(&mut page, "file", &file, theme.text);
        let all = grouped(preview.forecast.as_is.rows() + preview.bad);
        match preview.bad {
            0 => say(&mut page, "rows", &all, theme.text),
            bad => say(&mut page, "rows", &format!("{all}, {} of them bad", grouped(bad)), theme.bad),
        }
        say(&mut page, "store", &cx.session.info.store.to_string(), theme.text);
        let (text, style) = self.requests(cx, theme);
        say(&mut page, "send", &text, style);
        skipped(&mut page, self.forecast(), "being added or deleted at this moment: not sent", LABEL + 1);
        for note in &preview.notes {
            say(&mut page, "note", note, theme.text);
        }
        if preview.bad > 0 {
            page.blank();
        }
        page.lines
    }

    /// The number of requests, or why there are none.
    fn requests(&self, cx: &Context, theme: &Theme) -> (String, Style) {
        let count = counted(self.to_send(), "plant", "plants");
        if cx.session.info.read_only {
            (format!("nothing: read-only. Otherwise it would be {count}."), theme.doubt)
        } else if !cx.session.worker_alive {
            ("nothing: the background task has died".to_owned(), theme.bad)
        } else if self.to_send() == 0 {
            ("nothing: every good row is in the list already".to_owned(), theme.doubt)
        } else if self.preview.bad > 0 {
            (format!("nothing while a row is bad; {count}, one request each, if bad rows are skipped"), theme.text)
        } else {
            (format!("{count}, one request each"), theme.title)
        }
    }
}

/// The bad rows of a preview: lines are counted for all of them, and made for those on screen.
struct Faults<'a> {
    file: &'a ImportPreview,
    width: usize,
    /// The number of lines of each.
    heights: Vec<usize>,
}

impl<'a> Faults<'a> {
    fn of(file: &'a ImportPreview, width: usize) -> Self {
        let room = width.saturating_sub(MARK);
        let height = |fault: &RowFault| {
            let text = fault.to_string();
            // The common case: every byte is a column.
            let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
            if is_plain && text.len() <= room { 1 } else { wrapped(&text, room, ROWS).len() }
        };
        Self { file, width, heights: file.preview.faults.iter().map(height).collect() }
    }

    fn len(&self) -> usize {
        self.heights.iter().sum::<usize>() + self.more().len()
    }

    /// Returns `rows` lines from line `top` on.
    fn lines(&self, top: usize, rows: usize, theme: &Theme) -> Vec<Line<'static>> {
        let (mut shown, mut line) = (Vec::new(), 0);
        for (fault, height) in self.file.preview.faults.iter().zip(&self.heights) {
            let first = line;
            line += height;
            if line <= top {
                continue;
            }
            if shown.len() >= rows {
                break;
            }
            let head = Span::styled(format!("{} ", theme.mark("✗", "x")), theme.bad);
            let made = hanging(head, &fault.to_string(), self.width, ROWS, theme.text);
            shown.extend(made.into_iter().skip(top.saturating_sub(first)));
        }
        let more = self.more().into_iter().skip(top.saturating_sub(line));
        shown.extend(more.map(|text| Line::from(Span::styled(format!("  {text}"), theme.dim))));
        shown.truncate(rows);
        shown
    }

    /// How many bad rows the preview does not contain, and where they are listed.
    fn more(&self) -> Vec<String> {
        let preview = &self.file.preview;
        match preview.bad.saturating_sub(preview.faults.len() as u64) {
            0 => Vec::new(),
            more => {
                let name = shown_path(&self.file.path);
                let text = format!("and {} more: plants import {name} --dry-run lists all", grouped(more));
                wrapped(&text, self.width.saturating_sub(MARK), ROWS)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::widgets::theme::{Depth, Marks, Palette};

    #[test]
    fn any_lines_of_the_bad_rows_are_those_lines_of_the_whole() {
        let reasons = ["short", "so long that it is broken at most widths", "\u{1b}[2J漢字漢字漢字", ""];
        let fault = |(line, reason): (u64, &str)| RowFault { line, column: 1, field: None, reason: reason.to_owned() };
        let faults: Vec<_> = (1..20).zip(reasons.into_iter().cycle()).map(fault).collect();
        let preview = Preview { bad: 30, faults, ..Preview::default() };
        let preview = ImportPreview::new("plants.csv".into(), Box::new(preview));
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        for width in [2, 9, 30, 80] {
            let faults = Faults::of(&preview, width);
            let whole = faults.lines(0, usize::MAX, &theme);
            assert_eq!(whole.len(), faults.len(), "{width}");
            for top in 0..=whole.len() {
                let rest = whole.get(top..(top + 3).min(whole.len())).unwrap_or_default();
                assert_eq!(faults.lines(top, 3, &theme), rest, "{width}, {top}");
            }
        }
    }
}
