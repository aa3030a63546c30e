//! The choices that a config file can make by name: a theme, and a header colour.
//!
//! Names only: what a theme looks like is the drawing layer's business.

use std::fmt;

/// Which colours the terminal interface uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ThemeChoice {
    /// Dark or light, as the terminal's background is.
    #[default]
    Auto,
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
    /// Strong contrast.
    HighContrast,
    /// No colour at all.
    Mono,
}

impl ThemeChoice {
    /// Every theme with the name it has in the config file.
    pub const ALL: [(&'static str, Self); 5] = [
        ("auto", Self::Auto),
        ("dark", Self::Dark),
        ("light", Self::Light),
        ("high-contrast", Self::HighContrast),
        ("mono", Self::Mono),
    ];
}

/// The header's colour for a profile: one of the sixteen that every colour terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "a colour's name is its description")]
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

impl HeaderColor {
    /// Every colour with the name it has in the config file, in the terminal's order 0 to 15.
    pub const ALL: [(&'static str, Self); 16] = [
        ("black", Self::Black),
        ("red", Self::Red),
        ("green", Self::Green),
        ("yellow", Self::Yellow),
        ("blue", Self::Blue),
        ("magenta", Self::Magenta),
        ("cyan", Self::Cyan),
        ("gray", Self::Gray),
        ("dark-gray", Self::DarkGray),
        ("light-red", Self::LightRed),
        ("light-green", Self::LightGreen),
        ("light-yellow", Self::LightYellow),
        ("light-blue", Self::LightBlue),
        ("light-magenta", Self::LightMagenta),
        ("light-cyan", Self::LightCyan),
        ("white", Self::White),
    ];
}

impl fmt::Display for ThemeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_in(&Self::ALL, self))
    }
}

impl fmt::Display for HeaderColor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_in(&Self::ALL, self))
    }
}

fn name_in<T: PartialEq>(all: &[(&'static str, T)], wanted: &T) -> &'static str {
    all.iter().find(|(_, choice)| choice == wanted).map_or("", |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_its_name() {
        for (name, theme) in ThemeChoice::ALL {
            assert_eq!(theme.to_string(), name);
        }
        for (at, (name, color)) in HeaderColor::ALL.into_iter().enumerate() {
            assert_eq!((color.to_string().as_str(), color as usize), (name, at));
        }
    }
}
