//! What a file comes to before it is imported, and a person's answer.

use std::ops::Range;
use std::path::PathBuf;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::number_format::{counted, grouped};
use crate::domain::text::shown_path;
use crate::domain::wrap::wrapped;
use crate::import::{Preview, Progress, RowCounts, RowFault};
use crate::tui::component::{Action, Component, does, unless};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{FrameLayout, Target};
use crate::tui::render::import_report::skipped;
use crate::tui::screen::WHEEL;
use crate::tui::session::ImportRun;
use crate::tui::ui_effect::{AfterToken, Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::{FORM, Form};
use crate::tui::widgets::text::hanging;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::viewport::Viewport;

/// Columns of a label.
const LABEL: usize = 6;
/// Columns of the mark before a bad row.
const MARK: usize = 2;
/// Lines of one bad row, or of a note, at most.
const ROWS: usize = 3;

#[derive(Debug)]
pub(crate) struct PreviewDialog {
    path: PathBuf,
    preview: Preview,
    /// Whether unknown plants are sent again, too.
    resends: bool,
    marked: Choice,
    viewport: Viewport,
}

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Leave,
    Send,
    /// Switches whether unknown plants are sent again.
    Resend,
}

impl PreviewDialog {
    /// The safe answer is marked.
    pub(crate) fn new(path: PathBuf, preview: Preview) -> Self {
        Self { path, preview, resends: false, marked: Choice::Leave, viewport: Viewport::default() }
    }

    /// What would become of the good rows.
    fn standing(&self) -> RowCounts {
        self.preview.forecast.standing(self.resends)
    }

    /// How many requests would go out.
    fn to_send(&self) -> u64 {
        self.standing().to_send()
    }

    /// How many plants of the file are unknown, and could be sent again.
    fn resendable(&self) -> u64 {
        self.preview.forecast.resending.resend
    }

    /// The answers that there are, the safe one first.
    fn choices(&self, cx: &Context) -> Vec<Choice> {
        let can_send = cx.session.cannot_send().is_none();
        let send = (can_send && self.to_send() > 0).then_some(Choice::Send);
        let resend = (can_send && self.resendable() > 0).then_some(Choice::Resend);
        [Choice::Leave].into_iter().chain(send).chain(resend).collect()
    }

    fn place_of_marked(&self, choices: &[Choice]) -> usize {
        choices.iter().position(|choice| *choice == self.marked).unwrap_or(0)
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

    /// Marks another answer, so many places on, around the end.
    fn mark(&mut self, forwards: bool, cx: &mut Context) {
        let choices = self.choices(cx);
        let step = if forwards { 1 } else { choices.len() - 1 };
        let at = self.place_of_marked(&choices) + step;
        self.marked = choices.get(at % choices.len()).copied().unwrap_or(Choice::Leave);
    }

    fn choose(&mut self, cx: &mut Context) {
        let choices = self.choices(cx);
        self.take(choices.get(self.place_of_marked(&choices)).copied().unwrap_or(Choice::Leave), cx);
    }

    fn take(&mut self, choice: Choice, cx: &mut Context) {
        match choice {
            Choice::Leave => Self::leave(cx),
            Choice::Send => self.begin(cx),
            Choice::Resend => self.resends = !self.resends,
        }
    }

    fn leave(cx: &mut Context) {
        cx.out.close();
        cx.out.effect(Effect::DropImport);
    }

    /// Sends what can be sent. Without a token that is asked for first.
    fn begin(&mut self, cx: &mut Context) {
        let session = &mut cx.session;
        if let Some(why) = session.busy().or_else(|| session.cannot_send()) {
            return cx.out.say(format!("The import does not begin: {why}."));
        }
        if !session.token_set {
            let missing = format!("There is no token for {} yet.", session.store_name());
            let why = vec![missing, "The import begins with it.".to_owned()];
            return cx.out.ui_effect(UiEffect::OpenOver(Open::Token { why, then: AfterToken::Import }));
        }
        let run = ImportRun {
            path: self.path.clone(),
            format: self.preview.format,
            bad: self.preview.bad,
            resends: self.resends,
            progress: Progress { rows: self.standing().rows(), ..Progress::default() },
            ending: None,
            over: None,
        };
        cx.out.close();
        session.begin_import(run, &mut cx.out);
    }

    /// There is a token now.
    pub(crate) fn begin_with_token(&mut self, cx: &mut Context) {
        if self.marked == Choice::Send {
            self.begin(cx);
        }
    }
}

impl Component for PreviewDialog {
    fn scope(&self) -> Scope {
        Scope::Preview
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        let shows_all = self.viewport.shows_all().then_some("all of it is on screen");
        match command {
            Command::Next => does(|dialog, cx| dialog.mark(true, cx)),
            Command::Previous => does(|dialog, cx| dialog.mark(false, cx)),
            Command::Choose => does(Self::choose),
            Command::Close => does(|_, cx| Self::leave(cx)),
            Command::ResendUnknown => {
                let nothing = "nothing unknown can be sent again";
                let reason = (!self.choices(cx).contains(&Choice::Resend)).then_some(nothing);
                unless(reason, |dialog, cx| dialog.take(Choice::Resend, cx))
            }
            Command::Up => unless(shows_all, |dialog, _| dialog.viewport.scroll(-1)),
            Command::Down => unless(shows_all, |dialog, _| dialog.viewport.scroll(1)),
            Command::PageUp => unless(shows_all, |dialog, _| {
                let page = dialog.viewport.page().cast_signed();
                dialog.viewport.scroll(-page);
            }),
            Command::PageDown => unless(shows_all, |dialog, _| {
                let page = dialog.viewport.page().cast_signed();
                dialog.viewport.scroll(page);
            }),
            Command::First => unless(shows_all, |dialog, _| dialog.viewport.to_start()),
            Command::Last => unless(shows_all, |dialog, _| dialog.viewport.to_end()),
            _ => None,
        }
    }

    fn drawn(&mut self, layout: &FrameLayout) {
        self.viewport.fits(layout.reader_lines, layout.reader_page);
    }

    /// The first click marks an answer, the second takes it.
    fn click(&mut self, target: Target, cx: &mut Context) {
        let Target::Choice(place) = target else { return };
        let Some(choice) = self.choices(cx).get(place).copied() else { return };
        if self.marked == choice {
            self.take(choice, cx);
        } else {
            self.marked = choice;
        }
    }

    fn wheel(&mut self, over: Target, down: bool, cx: &mut Context) {
        match over {
            Target::Text => self.viewport.scroll(if down { WHEEL } else { -WHEEL }),
            Target::Choice(_) => self.mark(down, cx),
            _ => {}
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, width) = (canvas.theme, Form::width(area));
        let choices = self.choices(cx);
        let labels: Vec<_> = choices.iter().map(|choice| self.label(*choice)).collect();
        let (responses, places) = response_lines(&labels, self.place_of_marked(&choices), width, theme);
        let (sum, faults) = (self.sum(cx, theme, width), Faults::of(self, width));
        let count = sum.len() + faults.len();
        let room = usize::from(area.height.saturating_sub(2)).saturating_sub(responses.len() + 1);
        let page = count.min(room);
        let height = u16::try_from(page + responses.len() + 1).unwrap_or(u16::MAX).saturating_add(2);
        let top = self.viewport.top.min(count.saturating_sub(page));
        let place = if page < count { format!(", lines {}-{} of {count}", top + 1, top + page) } else { String::new() };
        let inner = canvas.boxed(&format!("Before the import{place}"), (FORM, height), area);
        let layout = &mut canvas.map.layout;
        (layout.reader_lines, layout.reader_page) = (count, page);
        let text = Rect { height: u16::try_from(page).unwrap_or(u16::MAX).min(inner.height), ..inner };
        let below = faults.lines(top.saturating_sub(sum.len()), page, theme);
        canvas.lines(sum.into_iter().skip(top).chain(below).take(page).collect(), text);
        canvas.target(text, Target::Text);
        let below = Rect { y: text.bottom() + 1, ..inner }.intersection(inner);
        canvas.lines(responses, below);
        for (at, rows) in places.into_iter().enumerate() {
            let y = below.y.saturating_add(u16::try_from(rows.start).unwrap_or(u16::MAX));
            let height = u16::try_from(rows.len()).unwrap_or(0);
            canvas.target(Rect { y, height, ..below }.intersection(below), Target::Choice(at));
        }
    }
}

impl PreviewDialog {
    /// What the file comes to in sum.
    fn sum(&self, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
        let Self { path, preview, .. } = self;
        let mut lines = Vec::new();
        let mut say = |label: &str, text: &str, style| {
            let head = Span::styled(format!("{label:<LABEL$} "), theme.dim);
            lines.extend(hanging(head, text, width, ROWS, style));
        };
        say("file", &format!("{}, read as {}", shown_path(path), preview.format.word()), theme.text);
        say("rows", &rows(preview), if preview.bad > 0 { theme.bad } else { theme.text });
        say("store", &cx.session.info.store.to_string(), theme.text);
        let (text, style) = self.requests(cx, theme);
        say("send", &text, style);
        let busy = "being added or deleted at this moment: not sent";
        lines.extend(skipped(self.standing(), busy, LABEL + 1, theme, width));
        for note in &preview.notes {
            let head = Span::styled(format!("{:<LABEL$} ", "note"), theme.dim);
            lines.extend(hanging(head, note, width, ROWS, theme.text));
        }
        if preview.bad > 0 {
            lines.push(Line::default());
        }
        lines
    }

    /// How many requests, or why there is none.
    fn requests(&self, cx: &Context, theme: &Theme) -> (String, Style) {
        let count = counted(self.to_send(), "plant", "plants");
        if cx.session.info.read_only {
            (format!("nothing: read-only. Otherwise it would be {count}."), theme.doubt)
        } else if !cx.session.worker_alive {
            ("nothing: the background task has died".to_owned(), theme.bad)
        } else if self.to_send() == 0 {
            ("nothing: no row of it is missing in the list".to_owned(), theme.doubt)
        } else if self.preview.bad > 0 {
            (format!("nothing while a row is bad; {count}, one request each, if those are skipped"), theme.text)
        } else {
            (format!("{count}, one request each"), theme.title)
        }
    }
}

fn rows(preview: &Preview) -> String {
    let all = preview.forecast.as_is.rows() + preview.bad;
    match preview.bad {
        0 => grouped(all),
        bad => format!("{}, {} of them bad", grouped(all), grouped(bad)),
    }
}

/// The answers, and which lines are each one's.
fn response_lines(
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

/// Every bad row that the preview holds, and how many more there are: lines are counted for all of
/// them, and made for those that are shown.
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
    fn lines(&self, top: usize, rows: usize, theme: &Theme) -> Vec<Line<'static>> {
        let (mut shown, mut line) = (Vec::new(), 0);
        for (fault, height) in self.dialog.preview.faults.iter().zip(&self.heights) {
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
    use crate::tui::widgets::theme::{Depth, Marks, Palette};

    #[test]
    fn a_part_of_the_bad_rows_is_that_part_of_the_whole() {
        let reasons = ["short", "so long that it is broken at most widths", "\u{1b}[2J漢字漢字漢字", ""];
        let fault = |(line, reason): (u64, &str)| RowFault { line, column: 1, field: None, reason: reason.to_owned() };
        let faults: Vec<_> = (1..20).zip(reasons.into_iter().cycle()).map(fault).collect();
        let preview = Preview { bad: 30, faults, ..Preview::default() };
        let dialog = PreviewDialog::new("plants.csv".into(), preview);
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        for width in [2, 9, 30, 80] {
            let faults = Faults::of(&dialog, width);
            let whole = faults.lines(0, usize::MAX, &theme);
            assert_eq!(whole.len(), faults.len(), "{width}");
            for top in 0..=whole.len() {
                let rest = whole.get(top..(top + 3).min(whole.len())).unwrap_or_default();
                assert_eq!(faults.lines(top, 3, &theme), rest, "{width}, {top}");
            }
        }
    }
}
