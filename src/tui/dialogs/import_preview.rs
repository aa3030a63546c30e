//! The preview of an import: how many rows of a validated file would be sent, which rows are bad, and the choices.
//!
//! Computes and draws; what a choice does is decided by the dialog.

use std::path::PathBuf;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::answer_keys::AnswerKeys;
use crate::domain::Plant;
use crate::domain::sentence::called;
use crate::import::{Preview, Progress, RowCounts, RowNote, Unsent};
use crate::text::clean_fit;
use crate::text::number_format::{counted, grouped};
use crate::tui::context::Context;
use crate::tui::input::{Command, Scope};
use crate::tui::message::Target;
use crate::tui::render::import_report::unsent;
use crate::tui::session::{ImportRun, more_rows, shown_source};
use crate::tui::widgets::canvas::{Canvas, below, cells};
use crate::tui::widgets::form::{FORM, Form};
use crate::tui::widgets::page::Page;
use crate::tui::widgets::text::hanging;
use crate::tui::widgets::theme::Theme;

/// Columns of a label.
const LABEL: usize = 6;
/// Columns of a name, and of a tag, at most.
const TEXT: usize = 30;
/// Lines of one bad row, or of a note, at most.
const ROWS: usize = 3;

#[derive(Debug)]
pub(super) struct ImportPreview {
    path: Option<PathBuf>,
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
    pub(super) fn new(path: Option<PathBuf>, preview: Box<Preview>) -> Self {
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
            is_braked: false,
            ending: None,
            notes: self.preview.faults.iter().map(RowNote::from).collect(),
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
            (Choice::Send, bad) => format!("Leave {} out and import {plants}", counted(bad, "bad row", "bad rows")),
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
        let choices = self.choices(cx);
        let keys = choices.iter().enumerate().filter_map(|(at, choice)| match choice {
            Choice::Leave => Some((at, Command::No)),
            Choice::Send => Some((at, Command::Yes)),
            // The footer shows the key that switches.
            Choice::Resend => None,
        });
        let keys = AnswerKeys::new(cx, Scope::Preview, keys);
        let line = |(at, choice): (usize, &Choice)| {
            hanging(keys.before(at, at == marked, theme), &self.label(*choice), width, 2, theme.title)
        };
        let choices: Vec<_> = choices.iter().enumerate().map(line).collect();
        let lines = self.lines(cx, theme, width);
        let count = lines.len();
        let around = choices.iter().map(Vec::len).sum::<usize>() + 1;
        let page = count.min(usize::from(area.height.saturating_sub(2)).saturating_sub(around));
        let top = top.min(count.saturating_sub(page));
        let position =
            if page < count { format!(", lines {}-{} of {count}", top + 1, top + page) } else { String::new() };
        let height = cells(page + around).saturating_add(2);
        let inner = canvas.dialog(&format!("Import preview{position}"), (FORM, height), area);
        let layout = &mut canvas.map.layout;
        (layout.reader_lines, layout.reader_page) = (count, page);
        let text = Rect { height: cells(page).min(inner.height), ..inner };
        canvas.lines(lines.into_iter().skip(top).take(page).collect(), text);
        canvas.dialog_scrollbar(text, top, count);
        canvas.target(text, Target::Text);
        canvas.choices(choices, marked, below(inner, page + 1));
    }

    /// File, rows, store, what would be sent, and the bad rows.
    fn lines(&self, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
        let Self { path, preview, .. } = self;
        let mut page = Page::new(theme, width);
        let say = |page: &mut Page<'_>, label: &str, text: &str, style| {
            page.hanging(Span::styled(format!("{label:<LABEL$} "), theme.dim), text, ROWS, style);
        };
        let file = format!("{}, read as {}", shown_source(path.as_deref()), preview.format.word());
        say(&mut page, "file", &file, theme.text);
        let all = grouped(preview.forecast.as_is.rows() + preview.bad);
        match preview.bad {
            0 => say(&mut page, "rows", &all, theme.text),
            bad => say(&mut page, "rows", &format!("{all}, {} of them bad", grouped(bad)), theme.bad),
        }
        say(&mut page, "store", &cx.session.info.store.to_string(), theme.text);
        let (text, style) = self.requests(cx, theme);
        say(&mut page, "send", &text, style);
        unsent(&mut page, self.forecast(), "not sent: being added or deleted at this moment", LABEL + 1);
        for note in &preview.notes {
            say(&mut page, "note", note, theme.text);
        }
        let unsent = self.unsent(theme);
        if preview.bad > 0 || !unsent.is_empty() {
            page.blank();
        } else {
            for (at, plant) in preview.first.iter().enumerate() {
                say(&mut page, if at == 0 { "first" } else { "" }, &in_a_line(plant), theme.dim);
            }
            let more = self.to_send().saturating_sub(preview.first.len() as u64);
            if more > 0 && !preview.first.is_empty() {
                say(&mut page, "", &format!("and {} more", counted(more, "row", "rows")), theme.dim);
            }
        }
        for fault in &preview.faults {
            let head = Span::styled(theme.mark("✗ ", "x "), theme.bad);
            page.hanging(head, &fault.to_string(), ROWS, theme.text);
        }
        for (head, row) in &unsent {
            page.hanging(head.clone(), row, ROWS, theme.text);
        }
        let listed = (preview.faults.len() + unsent.len()) as u64;
        let more = (preview.bad + self.forecast().withheld()).saturating_sub(listed);
        if more > 0 {
            page.hanging(Span::raw("  "), &more_rows(more, path.as_deref()), ROWS, theme.dim);
        }
        page.lines
    }

    /// The good rows that are not sent for a reason that a person should know.
    fn unsent(&self, theme: &Theme) -> Vec<(Span<'static>, String)> {
        let row = |unsent: &Unsent| {
            let reason = unsent.reason(self.resends)?;
            let head = Span::styled("! ", theme.warning);
            Some((head, format!("{}: {} is not sent: {reason}", unsent.number, unsent.called)))
        };
        self.preview.unsent.iter().filter_map(row).collect()
    }

    /// The file in a message about it.
    pub(super) fn file(&self) -> String {
        shown_source(self.path.as_deref())
    }

    /// The number of requests, or why there are none.
    fn requests(&self, cx: &Context, theme: &Theme) -> (String, Style) {
        let count = counted(self.to_send(), "plant", "plants");
        if cx.session.info.read_only {
            (format!("nothing: read-only. Otherwise it would be {count}."), theme.warning)
        } else if !cx.session.worker_alive {
            ("nothing: the background task has died".to_owned(), theme.bad)
        } else if self.to_send() == 0 {
            ("nothing: no row needs to be sent, or can be".to_owned(), theme.warning)
        } else if self.preview.bad > 0 {
            (format!("nothing while a row is bad; {count}, one request each, if bad rows are left out"), theme.text)
        } else {
            (format!("{count}, one request each"), theme.title)
        }
    }
}

/// `Monstera (7), tropical`
fn in_a_line(plant: &Plant) -> String {
    let tag = clean_fit(&plant.tag, TEXT);
    let comma = if tag.is_empty() { "" } else { ", " };
    format!("{}{comma}{tag}", called(plant.id, Some(&plant.name)))
}
