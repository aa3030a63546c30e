//! A text that is scrolled and searched.
//!
//! Where lines break and which of them match depends on the width, so the drawn frame reports it.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::canvas::{Canvas, below};
use super::form::visible_part;
use super::sheet::Sheet;
use super::text_input::TextInput;
use super::viewport::Viewport;
use crate::text::caseless::caseless;
use crate::text::clean;
use crate::tui::message::{FrameLayout, Matches, Target};

/// The scroll position of a text, and a search in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pager {
    pub viewport: Viewport,
    /// The text to search for; no search while it is empty.
    pub wanted: TextInput,
    /// Whether that is being typed.
    pub is_typing: bool,
    /// The line at which the search begins.
    from: usize,
    /// Whether the next frame reports a match that is then scrolled to.
    pub is_pending: bool,
    pub matches: Matches,
}

impl Pager {
    /// Takes the sizes and matches of the last frame, and scrolls to a match that was searched for.
    pub fn drawn(&mut self, layout: &FrameLayout) {
        self.matches = layout.matches;
        self.viewport.fits(layout.reader_lines, layout.reader_page);
        if std::mem::take(&mut self.is_pending)
            && let Some(line) = layout.matches.at
        {
            self.viewport.reveal(line);
        }
    }

    /// Searches from the first line on screen.
    pub fn search(&mut self) {
        self.search_from(Some(self.viewport.top));
    }

    pub fn search_from(&mut self, line: Option<usize>) {
        if let Some(line) = line {
            (self.from, self.is_pending) = (line, true);
        }
    }

    /// Ends the search; the text stays where it is scrolled to.
    pub fn stop_search(&mut self) {
        (self.wanted, self.is_typing, self.from, self.is_pending) = (TextInput::default(), false, 0, false);
    }

    pub fn is_searching(&self) -> bool {
        self.is_typing || !self.wanted.text().is_empty()
    }

    /// Draws as much of a sheet as fits, and the search below it.
    pub fn draw(&self, sheet: &Sheet<'_>, inner: Rect, canvas: &mut Canvas<'_, '_>) {
        let text = Rect { height: inner.height.saturating_sub(u16::from(self.is_searching())), ..inner };
        let wanted = caseless(&clean(self.wanted.text()));
        let (lines, page) = (sheet.row_count(), usize::from(text.height));
        let matches = sheet.find(&wanted, self.from);
        let layout = &mut canvas.map.layout;
        (layout.reader_lines, layout.reader_page, layout.matches) = (lines, page, matches);
        let top = self.viewport.top.min(lines.saturating_sub(page));
        canvas.lines(sheet.visible(top, page, &wanted, matches.at, canvas.theme), text);
        canvas.dialog_scrollbar(text, top, lines);
        canvas.target(inner, Target::Text);
        if self.is_searching() {
            self.draw_search(matches, below(inner, page), canvas);
        }
    }

    /// `/ tag line 2 of 5`
    fn draw_search(&self, matches: Matches, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let found = match matches {
            _ if self.wanted.text().is_empty() => String::new(),
            Matches { count: 0, .. } => " not found".to_owned(),
            Matches { count, nth, .. } => format!(" line {nth} of {count}"),
        };
        let (text, column) = visible_part(&self.wanted, usize::from(area.width).saturating_sub(found.width() + 3));
        let style = if self.is_typing { theme.title } else { theme.text };
        let spans = vec![Span::styled("/ ", theme.key), Span::styled(text, style), Span::styled(found, theme.dim)];
        canvas.render(Line::from(spans), area);
        if self.is_typing {
            canvas.cursor(area, column + 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Position;

    use super::*;
    use crate::tui::widgets::testing::{Drawn, drawn};

    /// Draws twelve lines, of which the first and the ninth are `Fern`, three at a time.
    fn show(pager: &Pager) -> Drawn {
        let line = |at| if at % 8 == 0 { "Fern".to_owned() } else { format!("line {at}") };
        let sheet = Sheet::new(26).rows((0..12).map(|at| Line::from(line(at))).collect());
        drawn((30, 6), |_, canvas| pager.draw(&sheet, Rect::new(2, 1, 26, 4), canvas))
    }

    #[test]
    fn a_search_begins_on_screen_and_scrolls_to_its_match() {
        let mut pager = Pager { is_typing: true, ..Pager::default() };
        let empty = show(&pager);
        assert_eq!((empty.rows[4].as_str(), empty.cursor), ("  /", Some(Position { x: 4, y: 4 })));
        pager.drawn(&empty.map.layout);
        assert!(!pager.is_pending);
        pager.viewport.scroll(2);
        pager.wanted = TextInput::holding("fern");
        pager.search();
        assert!(pager.is_pending);
        let found = show(&pager);
        assert_eq!((found.rows[4].as_str(), found.cursor), ("  / fern line 2 of 2", Some(Position { x: 8, y: 4 })));
        pager.drawn(&found.map.layout);
        assert!(!pager.is_pending);
        assert_eq!(pager.viewport.top, 7);
        assert!(show(&pager).rows[2].starts_with("  Fern"));
        pager.stop_search();
        assert_eq!((pager.is_searching(), pager.viewport.top), (false, 7));
    }

    #[test]
    fn the_end_of_a_long_search_is_shown_beside_its_result() {
        let wanted = TextInput::holding("abcdefghijklmnopqrstuvwxyz");
        let pager = Pager { wanted, is_typing: true, ..Pager::default() };
        assert_eq!(show(&pager).rows[4], "  / opqrstuvwxyz not found");
    }
}
