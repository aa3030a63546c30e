//! A text to read: scrolled, and searched. Where lines break and which have what is looked for, the drawn
//! frame says.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::canvas::Canvas;
use super::form::around_cursor;
use super::sheet::Sheet;
use super::text_input::TextInput;
use super::viewport::Viewport;
use crate::domain::text::{clean, in_lower_case};
use crate::tui::input::Command;
use crate::tui::message::{FrameLayout, Matches, Target};

/// Where a text is scrolled to, and what is looked for in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pager {
    pub viewport: Viewport,
    /// What is looked for; nothing while it is empty.
    pub wanted: TextInput,
    /// Whether that is being typed.
    pub is_typing: bool,
    /// The line from which on it is looked for.
    from: usize,
    /// The line that is found is still to be brought into sight: the next frame says which it is.
    is_sought: bool,
    matches: Matches,
}

impl Pager {
    /// Whether the next frame decides what is shown.
    pub fn awaits_frame(&self) -> bool {
        self.is_sought
    }

    pub fn has_matches(&self) -> bool {
        self.matches.count > 0
    }

    /// It was drawn: what was found comes into sight, and nothing is shown past the end.
    pub fn drawn(&mut self, layout: &FrameLayout) {
        self.matches = layout.matches;
        self.viewport.fits(layout.reader_lines, layout.reader_page);
        if std::mem::take(&mut self.is_sought)
            && let Some(line) = layout.matches.at
        {
            self.viewport.reveal(line);
        }
    }

    /// Looks for what is typed, from the first line in sight on.
    pub fn look(&mut self) {
        self.look_from(self.viewport.top);
    }

    fn look_from(&mut self, line: usize) {
        (self.from, self.is_sought) = (line, true);
    }

    /// Scrolls or searches as a command says.
    pub fn go(&mut self, command: Command) {
        let page = self.viewport.page().cast_signed();
        match command {
            Command::Up => self.viewport.scroll(-1),
            Command::Down => self.viewport.scroll(1),
            Command::PageUp => self.viewport.scroll(-page),
            Command::PageDown => self.viewport.scroll(page),
            Command::First => self.viewport.to_start(),
            Command::Last => self.viewport.to_end(),
            Command::Find => self.is_typing = true,
            Command::NextMatch => self.matches.after.into_iter().for_each(|line| self.look_from(line)),
            Command::PreviousMatch => self.matches.before.into_iter().for_each(|line| self.look_from(line)),
            _ => {}
        }
    }

    /// Stops searching.
    pub fn stop_looking(&mut self) {
        (self.wanted, self.is_typing, self.from, self.is_sought) = (TextInput::default(), false, 0, false);
    }

    pub fn is_looking(&self) -> bool {
        self.is_typing || !self.wanted.text().is_empty()
    }

    /// Draws as much of a sheet as fits, and below it what is looked for.
    pub fn draw(&self, sheet: &Sheet<'_>, inner: Rect, canvas: &mut Canvas<'_, '_>) {
        let text = Rect { height: inner.height.saturating_sub(u16::from(self.is_looking())), ..inner };
        let wanted = in_lower_case(&clean(self.wanted.text()));
        let (lines, page) = (sheet.row_count(), usize::from(text.height));
        let matches = sheet.look_for(&wanted, self.from);
        let layout = &mut canvas.map.layout;
        (layout.reader_lines, layout.reader_page, layout.matches) = (lines, page, matches);
        let top = self.viewport.top.min(lines.saturating_sub(page));
        canvas.lines(sheet.seen(top, page, &wanted, matches.at, canvas.theme), text);
        canvas.target(inner, Target::Text);
        if self.is_looking() {
            self.draw_find(matches, Rect { y: text.bottom(), height: 1, ..inner }, canvas);
        }
    }

    /// The line at the bottom: what is looked for, and which of how many lines is found.
    fn draw_find(&self, matches: Matches, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let found = match matches {
            _ if self.wanted.text().is_empty() => String::new(),
            Matches { count: 0, .. } => " not found".to_owned(),
            Matches { count, nth, .. } => format!(" line {nth} of {count}"),
        };
        let room = usize::from(area.width).saturating_sub(found.width() + 3);
        let (before, after) = (clean(self.wanted.before_cursor()), clean(self.wanted.after_cursor()));
        let (text, column) = around_cursor(&before, &after, room);
        let style = if self.is_typing { theme.title } else { theme.text };
        let spans = vec![Span::styled("/ ", theme.key), Span::styled(text, style), Span::styled(found, theme.dim)];
        canvas.render(Line::from(spans), area);
        if self.is_typing {
            canvas.cursor(area, column + 2);
        }
    }
}
