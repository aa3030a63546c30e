//! Detects which theme suits this terminal: by the settings, the environment, and the terminal itself.

use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use crate::config::{Environment, Settings, ThemeChoice};
use crate::tui::widgets::theme::{Depth, Marks, Palette, Theme};

/// How long a terminal may take to report its background.
const BACKGROUND_TIMEOUT: Duration = Duration::from_millis(400);

/// Asks the terminal that stdout is only where nothing else says.
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

/// Believes `COLORFGBG` first, then the terminal's own response; dark where there is neither.
fn background(environment: &Environment) -> Palette {
    let announced = environment.colorfgbg.as_deref().and_then(|value| value.rsplit(';').next()?.parse::<u8>().ok());
    match announced {
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
    let many = environment.term.as_deref().is_some_and(|term| {
        term.contains("256color")
            || term.contains("direct")
            || ["alacritty", "kitty", "ghostty", "wezterm", "foot"].iter().any(|name| term.contains(name))
    });
    if many || environment.colorterm.is_some() { Depth::Many } else { Depth::Sixteen }
}
