//! Chooses the theme from the settings, the environment, and a query to the terminal.
//!
//! Must not know what a palette looks like.

use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use crate::config::{Environment, Settings, ThemeChoice};
use crate::tui::widgets::theme::{Depth, Marks, Palette, Theme};

/// The time limit of the query for the background colour.
const BACKGROUND_TIMEOUT: Duration = Duration::from_millis(400);

/// Queries the terminal on stdout only if neither settings nor environment decide.
pub fn detect_theme(settings: &Settings, environment: &Environment) -> Theme {
    let marks = if settings.ascii { Marks::Ascii } else { Marks::Unicode };
    let palette = match settings.theme {
        _ if settings.no_color => Palette::Mono,
        ThemeChoice::Dark => Palette::Dark,
        ThemeChoice::Light => Palette::Light,
        ThemeChoice::HighContrast => Palette::HighContrast,
        ThemeChoice::Mono => Palette::Mono,
        ThemeChoice::Auto => background(environment),
    };
    Theme::new(palette, depth(environment), marks)
}

/// Uses `COLORFGBG`, else the terminal's response, else dark.
fn background(environment: &Environment) -> Palette {
    let color = environment.colorfgbg.as_deref().and_then(|value| value.rsplit(';').next()?.parse::<u8>().ok());
    match color {
        Some(7 | 15) => return Palette::Light,
        Some(0..=6 | 8) => return Palette::Dark,
        Some(9..=14 | 16..) | None => {}
    }
    let mut options = QueryOptions::default();
    options.timeout = BACKGROUND_TIMEOUT;
    match theme_mode(options) {
        Ok(ThemeMode::Light) => Palette::Light,
        Ok(ThemeMode::Dark) | Err(_) => Palette::Dark,
    }
}

fn depth(environment: &Environment) -> Depth {
    let names = ["256color", "direct", "alacritty", "kitty", "ghostty", "wezterm", "foot"];
    let is_known = environment.term.as_deref().is_some_and(|term| names.iter().any(|name| term.contains(name)));
    if is_known || environment.colorterm.is_some() { Depth::Many } else { Depth::Sixteen }
}
