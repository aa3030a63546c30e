//! A window of lines on something longer: which line is its first, and how far it can go.

/// Where a text or a list is scrolled to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Viewport {
    /// The first line shown.
    pub top: usize,
    lines: usize,
    /// Lines that fit.
    page: usize,
}

impl Viewport {
    /// A frame was drawn: so many lines there are, and so many fit.
    pub fn fits(&mut self, lines: usize, page: usize) {
        (self.lines, self.page) = (lines, page);
        self.top = self.top.min(self.furthest());
    }

    /// The last line that can be the first one shown.
    fn furthest(&self) -> usize {
        self.lines.saturating_sub(self.page)
    }

    /// Whether all of it is on screen.
    pub fn shows_all(&self) -> bool {
        self.lines <= self.page
    }

    /// A page, of which one line stays on screen.
    pub fn page(&self) -> usize {
        self.page.max(2) - 1
    }

    /// Down if positive.
    pub fn scroll(&mut self, lines: isize) {
        self.top = self.top.saturating_add_signed(lines).min(self.furthest());
    }

    pub fn to_start(&mut self) {
        self.top = 0;
    }

    pub fn to_end(&mut self) {
        self.top = self.furthest();
    }

    /// Brings a line into sight, a third from above if it is not.
    pub fn reveal(&mut self, line: usize) {
        if !(self.top..self.top + self.page).contains(&line) {
            self.top = line.saturating_sub(self.page / 3).min(self.furthest());
        }
    }
}
