//! Results for a person on a terminal: marks and colours of the interface, in the terminal's width.

use std::io::{self, IsTerminal as _};

use ratatui::backend::IntoCrossterm as _;
use ratatui::crossterm::style::ContentStyle;
use ratatui::text::{Line, Span};

use crate::config::{Environment, Pager, Settings};
use crate::runtime::DetectedTheme;
use crate::terminal::said_or_assumed;
use crate::text::in_ascii;
use crate::tui::widgets::theme::{Palette, Theme};

/// Columns of a table in colour where stdout is no terminal: wide enough to cut nothing.
const WIDE: usize = 1000;

/// The terminal that stdout is, or a file or a pipe that gets colours as if it was one.
#[derive(Debug)]
pub(super) struct Terminal {
    pub(super) theme: Theme,
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) pager: Option<Pager>,
    /// Whether it stands for a pipe or a file.
    pub(super) is_pipe: bool,
    /// Whether escape sequences are written.
    has_styles: bool,
}

impl Terminal {
    /// Returns the terminal; `None` if stdout is none and the environment forces no colours: then a program reads it, or a
    /// file keeps it.
    pub(super) fn of_stdout(settings: &Settings, environment: &Environment) -> Option<Self> {
        let is_terminal = io::stdout().is_terminal();
        if !is_terminal && !environment.force_color {
            return None;
        }
        let detected = DetectedTheme::of(settings, environment);
        // A response to a query of the background could come when the shell reads again.
        let palette = detected.is_preliminary().then_some(Palette::Scheme);
        let theme = palette.map_or_else(|| detected.theme().clone(), |palette| detected.theme().on(palette));
        if !is_terminal {
            let is_colored = theme.has_colors();
            // Without rows nothing is held back.
            let pipe = Self { theme, columns: WIDE, rows: 0, pager: None, is_pipe: true, has_styles: true };
            return is_colored.then_some(pipe);
        }
        let (columns, rows) = said_or_assumed(crate::os::terminal::size(), environment.assumed_size());
        let has_styles = theme.has_colors() && !environment.is_dumb();
        let pager = settings.pager.clone();
        Some(Self { theme, columns: columns.into(), rows: rows.into(), pager, is_pipe: false, has_styles })
    }

    /// Writes clean text with the escape sequences of its styles.
    pub(super) fn text(&self, line: &Line<'_>) -> String {
        line.spans.iter().map(|span| self.span(span)).collect()
    }

    fn span(&self, span: &Span<'_>) -> String {
        let text = if self.theme.is_ascii() { in_ascii(&span.content) } else { span.content.clone().into_owned() };
        let style: ContentStyle = span.style.into_crossterm();
        if self.has_styles && style != ContentStyle::default() { style.apply(text).to_string() } else { text }
    }
}
