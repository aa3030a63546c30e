//! The settings with a fixed list of values: the theme and the header's colour.
//!
//! Must not know what a theme or a colour looks like on screen.

use strum::{EnumString, IntoStaticStr, VariantNames};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum ThemeChoice {
    /// Dark or light, like the terminal's background.
    #[default]
    Auto,
    Dark,
    Light,
    HighContrast,
    /// No colour at all.
    Mono,
}

/// The header's colour for a profile: one of the 16 ANSI colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case")]
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
