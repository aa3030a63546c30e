//! The choices that a config file can make by name: a theme, and a header colour.
//!
//! Names only: what a theme looks like is the drawing layer's business.

use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case", expecting = "a theme in quotes, like \"dark\"")]
pub enum ThemeChoice {
    /// Dark or light, as the terminal's background is.
    #[default]
    Auto,
    Dark,
    Light,
    HighContrast,
    /// No colour at all.
    Mono,
}

/// The header's colour for a profile: one of the sixteen that every colour terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case", expecting = "a color in quotes, like \"yellow\"")]
pub enum HeaderColor {
    Black,
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
    Gray,
    DarkGray,
    LightRed,
    LightGreen,
    LightYellow,
    LightBlue,
    LightMagenta,
    LightCyan,
    White,
}
