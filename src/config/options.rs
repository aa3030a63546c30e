//! The settings with values of their own: the theme, the language, colours, motion, the pager.
//!
//! Must not know what a theme or a colour looks like on screen, or how a pager is started.

use std::ffi::OsString;

use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::domain::Language;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr, VariantNames)]
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

impl ThemeChoice {
    pub const ALL: [Self; 5] = [Self::Auto, Self::Dark, Self::Light, Self::HighContrast, Self::Mono];

    /// Returns its name in the config file.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// What an audience reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum LanguageChoice {
    /// The language of the locale.
    #[default]
    Auto,
    En,
    De,
    Es,
    Ja,
}

impl LanguageChoice {
    pub const ALL: [Self; 5] = [Self::Auto, Self::En, Self::De, Self::Es, Self::Ja];

    /// Returns its name in the config file.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Returns the language of this name, or else that of the locale.
    pub fn language(self, of_locale: Language) -> Language {
        self.word().parse().unwrap_or(of_locale)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colors {
    #[default]
    OfTheme,
    /// A flag or a variable turns all colours off, whatever the theme.
    Off,
}

/// Whether what is under way is animated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Motion {
    #[default]
    Animated,
    Still,
}

/// Whether the terminal is known to show a progress bar (OSC 9;4), which others would take for a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProgressBar {
    #[default]
    Unknown,
    Shown,
}

/// How the interface says that long work is over, while its terminal lacks the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Notify {
    #[default]
    Bell,
    Desktop,
    Off,
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

/// The program that shows results longer than the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pager {
    /// The command as the environment names it; `None` for `less`, if it is installed.
    pub command: Option<OsString>,
    /// Variables that the pager needs in addition: its options.
    pub variables: Vec<(&'static str, OsString)>,
}
