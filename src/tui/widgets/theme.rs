//! Colours, marks and borders. No state is told by colour alone: each has a mark and a word.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Line;

use crate::check::Verdict;
use crate::config::HeaderColor;
use crate::domain::json::Kind;
use crate::domain::{Outcome, State};

/// Which colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Palette {
    /// For dark backgrounds.
    Dark,
    /// For light backgrounds.
    Light,
    /// The strongest contrasts a terminal has.
    HighContrast,
    /// No colour at all: bold, dim, underline, reverse.
    Mono,
}

/// How many colours the terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// 256 or more.
    Many,
    /// The sixteen of ANSI.
    Sixteen,
}

/// Which marks and lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// Unicode.
    Unicode,
    /// ASCII only.
    Ascii,
}

/// How everything looks.
#[derive(Debug, Clone)]
pub struct Theme {
    /// Ordinary text, in the terminal's own colour.
    pub text: Style,
    /// What is less important.
    pub dim: Style,
    /// Labels and titles.
    pub title: Style,
    /// Lines around things.
    pub border: Style,
    /// Lines around what has the keys.
    pub focus: Style,
    /// The selected row, the marked response.
    pub selected: Style,
    /// Keys in the footer.
    pub key: Style,
    /// Something good.
    pub good: Style,
    /// Something refused or wrong.
    pub bad: Style,
    /// Something unknown, a warning.
    pub doubt: Style,
    /// Something on its way.
    pub moving: Style,
    /// The tab of the room one is in.
    pub here: Style,
    /// The badge at the left of the header.
    pub badge: Style,
    /// The same for the demo store.
    pub demo_badge: Style,
    marks: Marks,
    palette: Palette,
}

/// The colours of a theme that has any.
struct Colors {
    dim: Color,
    border: Color,
    selected: Color,
    good: Color,
    bad: Color,
    doubt: Color,
    moving: Color,
    on_badge: Color,
}

impl Theme {
    /// A theme for a terminal.
    pub fn new(palette: Palette, depth: Depth, marks: Marks) -> Self {
        let colors = match (palette, depth) {
            (Palette::Mono, _) => return Self::mono(marks),
            (Palette::Dark, Depth::Many) => Colors {
                dim: Color::Indexed(247),
                border: Color::Indexed(244),
                selected: Color::Indexed(236),
                good: Color::Indexed(114),
                bad: Color::Indexed(210),
                doubt: Color::Indexed(221),
                moving: Color::Indexed(117),
                on_badge: Color::Indexed(16),
            },
            (Palette::Light, Depth::Many) => Colors {
                dim: Color::Indexed(240),
                border: Color::Indexed(242),
                selected: Color::Indexed(255),
                good: Color::Indexed(22),
                bad: Color::Indexed(124),
                doubt: Color::Indexed(94),
                moving: Color::Indexed(25),
                on_badge: Color::Indexed(231),
            },
            (Palette::Dark, Depth::Sixteen) => Colors {
                dim: Color::Gray,
                border: Color::DarkGray,
                selected: Color::DarkGray,
                good: Color::LightGreen,
                bad: Color::LightRed,
                doubt: Color::LightYellow,
                moving: Color::LightCyan,
                on_badge: Color::Black,
            },
            (Palette::Light, Depth::Sixteen) => Colors {
                dim: Color::DarkGray,
                border: Color::DarkGray,
                selected: Color::Gray,
                good: Color::Green,
                bad: Color::Red,
                doubt: Color::Magenta,
                moving: Color::Blue,
                on_badge: Color::White,
            },
            (Palette::HighContrast, _) => return Self::high_contrast(marks),
        };
        let fg = |color| Style::new().fg(color);
        Self {
            text: Style::new(),
            dim: fg(colors.dim),
            // Not the colour of the border that a title stands in.
            title: fg(Color::Reset).bold(),
            border: fg(colors.border),
            focus: fg(colors.good),
            selected: Style::new().bg(colors.selected).bold(),
            key: fg(colors.good).bold(),
            good: fg(colors.good),
            bad: fg(colors.bad),
            doubt: fg(colors.doubt),
            moving: fg(colors.moving),
            here: Style::new().fg(colors.on_badge).bg(colors.good).bold(),
            badge: Style::new().fg(colors.on_badge).bg(colors.moving).bold(),
            demo_badge: Style::new().fg(colors.on_badge).bg(colors.good).bold(),
            marks,
            palette,
        }
    }

    fn mono(marks: Marks) -> Self {
        let bold = Style::new().bold();
        let reversed = Style::new().add_modifier(Modifier::REVERSED);
        Self {
            text: Style::new(),
            dim: Style::new(),
            title: bold,
            border: Style::new(),
            focus: bold,
            selected: reversed,
            key: bold,
            good: Style::new(),
            bad: bold,
            doubt: bold,
            moving: Style::new(),
            here: reversed.bold(),
            badge: reversed,
            demo_badge: reversed,
            marks,
            palette: Palette::Mono,
        }
    }

    fn high_contrast(marks: Marks) -> Self {
        let white = Style::new().fg(Color::White).bg(Color::Black);
        let on_white = Style::new().fg(Color::Black).bg(Color::White).bold();
        Self {
            text: white,
            dim: white,
            title: white.bold(),
            border: white,
            focus: white.fg(Color::LightYellow).bold(),
            selected: on_white,
            key: white.fg(Color::LightYellow).bold(),
            good: white.fg(Color::LightGreen).bold(),
            bad: white.fg(Color::LightRed).bold(),
            doubt: white.fg(Color::LightYellow).bold(),
            moving: white.fg(Color::LightCyan).bold(),
            here: on_white,
            badge: on_white,
            demo_badge: on_white,
            marks,
            palette: Palette::HighContrast,
        }
    }

    /// The same for people in the last row.
    #[must_use]
    pub fn before_audience(&self) -> Self {
        if self.palette == Palette::Mono { self.clone() } else { Self::high_contrast(self.marks) }
    }

    /// The style and the mark of an outcome.
    pub fn outcome(&self, outcome: Outcome) -> (Style, &'static str) {
        let (style, unicode, ascii) = match outcome {
            Outcome::Accepted => (self.good, "✓", "+"),
            Outcome::Rejected => (self.bad, "✗", "x"),
            Outcome::Unknown => (self.doubt, "?", "?"),
            Outcome::NotSent => (self.bad, "⊘", "o"),
        };
        (style, self.mark(unicode, ascii))
    }

    /// The style and the mark of a verdict.
    pub fn verdict(&self, verdict: Verdict) -> (Style, &'static str) {
        let (style, unicode, ascii) = match verdict {
            Verdict::Pass => (self.good, "✓", "+"),
            Verdict::Fail => (self.bad, "✗", "x"),
            Verdict::Inconclusive => (self.doubt, "?", "?"),
        };
        (style, self.mark(unicode, ascii))
    }

    /// The style and the mark of a plant's state; `turn` counts the steps of what moves.
    pub fn state(&self, state: State, turn: usize) -> (Style, &'static str) {
        match state {
            State::Stored => (self.good, self.mark("●", "*")),
            State::Unknown => (self.doubt, self.mark("?", "?")),
            State::Adding | State::Deleting => (self.moving, self.turning(turn)),
        }
    }

    fn turning(&self, turn: usize) -> &'static str {
        let steps: &[&str] = match self.marks {
            Marks::Unicode => &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
            Marks::Ascii => &["|", "/", "-", "\\"],
        };
        steps.get(turn % steps.len()).copied().unwrap_or(" ")
    }

    /// A line as the selected one: all of its text, whatever styles its parts have.
    pub fn select(&self, line: Line<'static>) -> Line<'static> {
        let spans = line.spans.into_iter().map(|span| span.patch_style(self.selected));
        Line { spans: spans.collect(), ..line }
    }

    /// The style of a part of a JSON text.
    pub fn json(&self, kind: Kind) -> Style {
        match kind {
            Kind::Punctuation => self.dim,
            Kind::Key => self.moving,
            Kind::Text => self.good,
            Kind::Number => self.doubt,
            Kind::Word => self.bad,
        }
    }

    /// One of two spellings of a mark.
    pub fn mark(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        match self.marks {
            Marks::Unicode => unicode,
            Marks::Ascii => ascii,
        }
    }

    /// The lines around things.
    pub fn borders(&self) -> border::Set<'static> {
        match self.marks {
            Marks::Unicode => border::ROUNDED,
            Marks::Ascii => border::Set {
                top_left: "+",
                top_right: "+",
                bottom_left: "+",
                bottom_right: "+",
                vertical_left: "|",
                vertical_right: "|",
                horizontal_top: "-",
                horizontal_bottom: "-",
            },
        }
    }

    /// Whether only ASCII may be drawn, other people's text excepted.
    pub fn is_ascii(&self) -> bool {
        self.marks == Marks::Ascii
    }

    /// The badge in a profile's own colour.
    pub fn badge_for(&self, color: Option<HeaderColor>) -> Style {
        let Some(color) = color.filter(|_| self.palette != Palette::Mono) else { return self.badge };
        let (background, foreground) = match color {
            HeaderColor::Black => (Color::Black, Color::White),
            HeaderColor::Red => (Color::Red, Color::White),
            HeaderColor::Green => (Color::Green, Color::Black),
            HeaderColor::Yellow => (Color::Yellow, Color::Black),
            HeaderColor::Blue => (Color::Blue, Color::White),
            HeaderColor::Magenta => (Color::Magenta, Color::White),
            HeaderColor::Cyan => (Color::Cyan, Color::Black),
            HeaderColor::Gray => (Color::Gray, Color::Black),
            HeaderColor::DarkGray => (Color::DarkGray, Color::White),
            HeaderColor::LightRed => (Color::LightRed, Color::Black),
            HeaderColor::LightGreen => (Color::LightGreen, Color::Black),
            HeaderColor::LightYellow => (Color::LightYellow, Color::Black),
            HeaderColor::LightBlue => (Color::LightBlue, Color::Black),
            HeaderColor::LightMagenta => (Color::LightMagenta, Color::Black),
            HeaderColor::LightCyan => (Color::LightCyan, Color::Black),
            HeaderColor::White => (Color::White, Color::Black),
        };
        Style::new().bg(background).fg(foreground).bold()
    }
}
