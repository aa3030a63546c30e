//! A window on the lines of a text or a list: its first line, and how far it can scroll.

use crate::tui::input::Command;

/// Returns the lines that a command scrolls down, or up if negative, where a page key scrolls `page`; `None` if it does
/// not scroll.
pub fn lines_of(command: Command, page: isize) -> Option<isize> {
    let half = (page / 2).max(1);
    Some(match command {
        Command::Up => -1,
        Command::Down => 1,
        Command::PageUp => -page,
        Command::PageDown => page,
        Command::HalfPageUp => -half,
        Command::HalfPageDown => half,
        Command::First => isize::MIN,
        Command::Last => isize::MAX,
        _ => return None,
    })
}

/// The scroll position of a text or a list, in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Viewport {
    /// The first line shown.
    pub top: usize,
    lines: usize,
    /// Lines that fit.
    pub page: usize,
}

impl Viewport {
    /// Returns a window on the first lines, of which so many fit.
    pub fn holding(page: usize) -> Self {
        Self { page, ..Self::default() }
    }

    /// Takes the sizes of the last frame: lines in all, and lines that fit.
    pub fn fits(&mut self, lines: usize, page: usize) {
        (self.lines, self.page) = (lines, page);
        self.top = self.top.min(self.last_top());
    }

    fn last_top(&self) -> usize {
        self.lines.saturating_sub(self.page)
    }

    /// Whether all lines are on screen.
    pub fn shows_all(&self) -> bool {
        self.lines <= self.page
    }

    /// Lines that a page key scrolls: one less than fit, so that one stays on screen.
    pub fn page_step(&self) -> isize {
        self.page.max(2).cast_signed() - 1
    }

    /// Returns the lines that a command scrolls down, or up if negative; `None` if it does not scroll.
    pub fn lines_of(&self, command: Command) -> Option<isize> {
        lines_of(command, self.page_step())
    }

    /// Scrolls down, or up if `lines` is negative.
    pub fn scroll(&mut self, lines: isize) {
        self.top = self.top.saturating_add_signed(lines).min(self.last_top());
    }

    /// Takes the number of lines, and scrolls no further than needed to have the lines from `first` to `last` on screen;
    /// where not all of them fit, the last ones.
    pub fn show(&mut self, lines: usize, first: usize, last: usize) {
        self.lines = lines;
        let lowest = (last + 1).saturating_sub(self.page.max(1));
        let furthest = lines.saturating_sub(self.page.max(1));
        self.top = self.top.clamp(lowest.min(first), first).min(furthest);
    }

    /// Returns the lines on screen of those that are loaded, the first of which has the index `first`.
    pub fn visible<'a, T>(&self, loaded: &'a [T], first: usize) -> &'a [T] {
        let from = self.top.saturating_sub(first).min(loaded.len());
        loaded.get(from..(from + self.page).min(loaded.len())).unwrap_or_default()
    }

    pub fn to_start(&mut self) {
        self.top = 0;
    }

    /// Scrolls a line that is off screen to a third of the page.
    pub fn reveal(&mut self, line: usize) {
        if !(self.top..self.top + self.page).contains(&line) {
            self.top = line.saturating_sub(self.page / 3).min(self.last_top());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_page_is_half_of_what_a_page_key_scrolls() {
        let viewport = Viewport { top: 0, lines: 100, page: 11 };
        let commands = [Command::PageDown, Command::HalfPageDown, Command::HalfPageUp, Command::Filter];
        assert_eq!(commands.map(|command| viewport.lines_of(command)), [Some(10), Some(5), Some(-5), None]);
        assert_eq!(Viewport::holding(1).lines_of(Command::HalfPageUp), Some(-1));
    }

    #[test]
    fn a_line_off_screen_is_scrolled_to_a_third_of_the_page() {
        for (top, line, expected) in
            [(0, 20, 18), (18, 18, 18), (18, 23, 18), (18, 24, 22), (18, 17, 15), (0, 3, 0), (9, 1, 0), (0, 39, 34)]
        {
            let mut viewport = Viewport { top, lines: 40, page: 6 };
            viewport.reveal(line);
            assert_eq!(viewport.top, expected, "{line} from {top}");
        }
    }
}
