//! Colours, marks and borders, by role. No state is shown by colour alone: each has a mark and a word.

use ratatui::style::{Color, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};

use crate::check::Verdict;
use crate::config::HeaderColor;
use crate::domain::{Outcome, State};
use crate::text::Marks;
use crate::text::json::Kind;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Palette {
    /// For dark backgrounds.
    #[default]
    Dark,
    /// For light backgrounds.
    Light,
    /// For a background that is not known: the colours that the terminal's own scheme makes readable on it.
    Scheme,
    /// The strongest contrasts a terminal has.
    HighContrast,
    /// No colour at all: bold, dim, underline, reverse.
    Mono,
}

/// The number of colours that the terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// 24 bits each.
    True,
    /// 256.
    #[default]
    Many,
    /// The sixteen of ANSI.
    Sixteen,
}

/// The style of each role, and the characters of marks and borders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Theme {
    /// Ordinary text, in the terminal's own colour.
    pub text: Style,
    /// Secondary text.
    pub dim: Style,
    /// Labels and titles.
    pub title: Style,
    pub border: Style,
    /// The border of the component that receives the keys.
    pub focus: Style,
    /// The selected row, the marked choice.
    pub selected: Style,
    /// Keys in the footer.
    pub key: Style,
    /// Accepted, stored, passed.
    pub good: Style,
    /// Rejected, not sent, failed, invalid.
    pub bad: Style,
    /// Unknown, inconclusive, a warning.
    pub warning: Style,
    /// In progress.
    pub in_progress: Style,
    /// The title of the active tab, and the badge of the demo store.
    pub active_tab: Style,
    /// The badge at the left of the header.
    pub badge: Style,
    pub marks: Marks,
    pub palette: Palette,
    depth: Depth,
    /// Whether the Greenhouse is drawn larger, for an audience.
    pub enlarges: bool,
}

impl Theme {
    pub fn new(palette: Palette, depth: Depth, marks: Marks) -> Self {
        use Color::{
            Black, Blue, Cyan, DarkGray, Gray, Green, LightCyan, LightGreen, LightRed, LightYellow, Magenta, Red,
            Reset, White, Yellow,
        };
        let dim = Style::new().dim();
        let theme = match (palette, depth) {
            (Palette::Mono, _) => Self::mono(),
            (Palette::HighContrast, _) => Self::high_contrast(),
            (Palette::Scheme, _) => {
                Self { dim, border: dim, ..Self::colored([Reset, Reset, DarkGray, Green, Red, Yellow, Cyan, Black]) }
            }
            (Palette::Dark, Depth::True | Depth::Many) => {
                Self::colored([247, 244, 236, 114, 210, 221, 117, 16].map(Color::Indexed))
            }
            (Palette::Light, Depth::True | Depth::Many) => {
                Self::colored([240, 242, 255, 22, 124, 94, 25, 231].map(Color::Indexed))
            }
            (Palette::Dark, Depth::Sixteen) => {
                Self::colored([Gray, DarkGray, DarkGray, LightGreen, LightRed, LightYellow, LightCyan, Black])
            }
            (Palette::Light, Depth::Sixteen) => {
                Self::colored([DarkGray, DarkGray, Gray, Green, Red, Magenta, Blue, White])
            }
        };
        Self { marks, palette, depth, ..theme }
    }

    /// Returns this theme with another palette.
    #[must_use]
    pub fn on(&self, palette: Palette) -> Self {
        Self::new(palette, self.depth, self.marks)
    }

    fn colored([dim, border, selected, good, bad, warning, in_progress, on_badge]: [Color; 8]) -> Self {
        let fg = |color| Style::new().fg(color);
        let badge = |color| fg(on_badge).bg(color).bold();
        Self {
            dim: fg(dim),
            // Not the colour of the border around a title.
            title: fg(Color::Reset).bold(),
            border: fg(border),
            focus: fg(good),
            selected: Style::new().bg(selected).bold(),
            key: fg(good).bold(),
            good: fg(good),
            bad: fg(bad),
            warning: fg(warning),
            in_progress: fg(in_progress),
            active_tab: badge(good),
            badge: badge(in_progress),
            ..Self::default()
        }
    }

    fn mono() -> Self {
        let (bold, reversed) = (Style::new().bold(), Style::new().reversed());
        Self {
            title: bold,
            focus: bold,
            selected: reversed,
            key: bold,
            bad: bold,
            warning: bold,
            active_tab: reversed.bold(),
            badge: reversed,
            ..Self::default()
        }
    }

    fn high_contrast() -> Self {
        let white = Style::new().fg(Color::White).bg(Color::Black);
        let on_white = Style::new().fg(Color::Black).bg(Color::White).bold();
        let bold = |color| white.fg(color).bold();
        Self {
            text: white,
            dim: white,
            title: white.bold(),
            border: white,
            focus: bold(Color::LightYellow),
            selected: on_white,
            key: bold(Color::LightYellow),
            good: bold(Color::LightGreen),
            bad: bold(Color::LightRed),
            warning: bold(Color::LightYellow),
            in_progress: bold(Color::LightCyan),
            active_tab: on_white,
            badge: on_white,
            ..Self::default()
        }
    }

    /// The theme of presentation mode: the strongest contrasts, on white in a light theme.
    #[must_use]
    pub fn before_audience(&self, enlarges: bool) -> Self {
        let theme = match self.palette {
            Palette::Mono => self.clone(),
            Palette::Light => {
                let text = Style::new().fg(Color::Black).bg(Color::White);
                Self { text, dim: text, border: text, title: text.bold(), ..self.clone() }
            }
            Palette::Dark | Palette::Scheme | Palette::HighContrast => self.on(Palette::HighContrast),
        };
        Self { enlarges, ..theme }
    }

    /// Returns the style and the mark of an outcome.
    pub fn outcome(&self, outcome: Outcome) -> (Style, &'static str) {
        match outcome {
            Outcome::Accepted => (self.good, self.mark("✓", "+")),
            Outcome::Rejected => (self.bad, self.mark("✗", "x")),
            Outcome::Unknown => (self.warning, "?"),
            Outcome::NotSent => (self.bad, self.mark("⊘", "o")),
        }
    }

    /// Returns the style and the mark of a verdict.
    pub fn verdict(&self, verdict: Verdict) -> (Style, &'static str) {
        self.outcome(match verdict {
            Verdict::Pass => Outcome::Accepted,
            Verdict::Fail => Outcome::Rejected,
            Verdict::Inconclusive => Outcome::Unknown,
        })
    }

    /// Returns the style and the mark of a plant's state; `turn` counts the steps of the spinner.
    pub fn state(&self, state: State, turn: usize) -> (Style, &'static str) {
        match state {
            State::Stored => (self.good, self.mark("●", "*")),
            State::Unknown => (self.warning, "?"),
            State::Adding | State::Deleting => {
                let steps: &[&str] = match self.marks {
                    Marks::Unicode => &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
                    Marks::Ascii => &["|", "/", "-", "\\"],
                };
                (self.in_progress, steps.get(turn % steps.len()).copied().unwrap_or(" "))
            }
        }
    }

    /// Returns a line in the style of the selected one, over the styles of its parts.
    pub fn select(&self, line: Line<'static>) -> Line<'static> {
        let spans = line.spans.into_iter().map(|span| span.patch_style(self.selected));
        Line { spans: spans.collect(), ..line }
    }

    pub fn json(&self, kind: Kind) -> Style {
        match kind {
            Kind::Punctuation => self.dim,
            Kind::Key => self.in_progress,
            Kind::Text => self.good,
            Kind::Number => self.warning,
            Kind::Word => self.bad,
        }
    }

    /// Returns the pointer before a marked line, or as many spaces: two columns.
    pub fn pointer(&self, marked: bool) -> Span<'static> {
        Span::styled(if marked { self.mark("▸ ", "> ") } else { "  " }, self.key)
    }

    /// Returns the spelling of a mark for this terminal.
    pub fn mark(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        match self.marks {
            Marks::Unicode => unicode,
            Marks::Ascii => ascii,
        }
    }

    /// Returns the colours for pictures of pixels; `None` where pictures are drawn as lines: without colour, or in ASCII.
    pub fn pixels(&self) -> Option<Depth> {
        (self.has_colors() && self.marks == Marks::Unicode).then_some(self.depth)
    }

    /// Whether there is any colour.
    pub fn has_colors(&self) -> bool {
        self.palette != Palette::Mono
    }

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

    /// Whether only ASCII is drawn, except in text from outside.
    pub fn is_ascii(&self) -> bool {
        self.marks == Marks::Ascii
    }

    /// Returns the style of a badge in a profile's own colour.
    pub fn badge_for(&self, color: Option<HeaderColor>) -> Style {
        let Some(color) = color.filter(|_| self.palette != Palette::Mono) else { return self.badge };
        // Both have the sixteen colours of ANSI, by the same names.
        let background = <&str>::from(color).parse().unwrap_or(Color::Reset);
        let is_deep = matches!(background, Color::Black | Color::Red | Color::Blue | Color::Magenta | Color::DarkGray);
        let foreground = if is_deep { Color::White } else { Color::Black };
        Style::new().bg(background).fg(foreground).bold()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colour_what_matters_is_bold_or_reversed() {
        let theme = Theme::new(Palette::Mono, Depth::True, Marks::Unicode);
        for role in [
            theme.title,
            theme.focus,
            theme.selected,
            theme.key,
            theme.bad,
            theme.warning,
            theme.active_tab,
            theme.badge,
        ] {
            assert!(!role.add_modifier.is_empty() && (role.fg, role.bg) == (None, None), "{role:?}");
        }
    }

    #[test]
    fn the_strongest_contrasts_do_not_depend_on_the_background_of_the_terminal() {
        let theme = Theme::new(Palette::HighContrast, Depth::True, Marks::Unicode);
        for role in [
            theme.text,
            theme.dim,
            theme.title,
            theme.border,
            theme.focus,
            theme.selected,
            theme.key,
            theme.good,
            theme.bad,
            theme.warning,
            theme.in_progress,
            theme.active_tab,
            theme.badge,
        ] {
            assert!(role.fg.is_some() && role.bg.is_some(), "{role:?}");
        }
    }

    #[test]
    fn before_an_audience_colours_are_of_the_strongest_contrast_or_none() {
        let theme = |palette| Theme::new(palette, Depth::Sixteen, Marks::Ascii);
        assert_eq!(theme(Palette::Dark).before_audience(false), theme(Palette::HighContrast));
        let light = theme(Palette::Light).before_audience(false);
        assert_eq!(
            (light.text.fg, light.text.bg, light.palette),
            (Some(Color::Black), Some(Color::White), Palette::Light)
        );
        assert_eq!(theme(Palette::Mono).before_audience(false), theme(Palette::Mono));
    }

    #[test]
    fn a_profile_has_its_own_colour_where_there_are_colours() {
        let dark = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let badge = |color, text| Style::new().bg(color).fg(text).bold();
        assert_eq!(dark.badge_for(Some(HeaderColor::Blue)), badge(Color::Blue, Color::White));
        assert_eq!(dark.badge_for(Some(HeaderColor::LightYellow)), badge(Color::LightYellow, Color::Black));
        assert_eq!(dark.badge_for(None), dark.badge);
        let mono = dark.on(Palette::Mono);
        assert_eq!(mono.badge_for(Some(HeaderColor::Blue)), mono.badge);
    }
}
