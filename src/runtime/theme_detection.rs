//! Chooses the theme from the settings and the environment, and from the terminal's response to a query.
//!
//! The first frame does not wait for the response. Must not know what a palette looks like.

use crate::config::{Colors, Environment, Settings, ThemeChoice};
use crate::text::Marks;
use crate::tui::widgets::theme::{Depth, Palette, Theme};

/// The theme that is drawn, and what it follows from.
#[derive(Debug, Clone)]
pub struct DetectedTheme {
    theme: Theme,
    choice: ThemeChoice,
    /// Whether a flag or a variable turns colours off, whatever the choice.
    no_color: bool,
    /// The palette for the terminal's background, where it is known.
    background: Option<Palette>,
    responds: bool,
}

impl DetectedTheme {
    /// Returns the theme of the first frame.
    pub fn of(settings: &Settings, environment: &Environment) -> Self {
        let marks = if settings.ascii { Marks::Ascii } else { Marks::Unicode };
        let theme = Theme::new(Palette::Dark, depth(environment), marks);
        let (background, responds) = (background(environment), responds(environment));
        let mut detected = Self { no_color: settings.colors == Colors::Off, background, responds, ..theme.into() };
        detected.choose(settings.theme);
        detected
    }

    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Whether the terminal must be queried for its background colour: neither a choice nor the environment decides.
    pub fn is_preliminary(&self) -> bool {
        self.responds && !self.no_color && self.choice == ThemeChoice::Auto && self.background.is_none()
    }

    /// Takes another choice.
    pub fn choose(&mut self, choice: ThemeChoice) {
        self.choice = choice;
        self.apply();
    }

    /// Takes the terminal's response to the query, such as `11;rgb:ffff/ffff/ffff`. Later ones have no meaning. Returns
    /// whether the theme has changed.
    pub fn background_came(&mut self, response: &str) -> bool {
        let may_query = self.responds && self.background.is_none();
        let Some(palette) = palette_on(response).filter(|_| may_query) else { return false };
        self.background = Some(palette);
        self.apply()
    }

    fn apply(&mut self) -> bool {
        let palette = match self.choice {
            _ if self.no_color => Palette::Mono,
            ThemeChoice::Dark => Palette::Dark,
            ThemeChoice::Light => Palette::Light,
            ThemeChoice::HighContrast => Palette::HighContrast,
            ThemeChoice::Mono => Palette::Mono,
            ThemeChoice::Auto => self.background.unwrap_or_default(),
        };
        let theme = self.theme.on(palette);
        let is_other = theme != self.theme;
        self.theme = theme;
        is_other
    }
}

impl From<Theme> for DetectedTheme {
    /// Returns a theme on a terminal that tells nothing about its background.
    fn from(theme: Theme) -> Self {
        Self { theme, choice: ThemeChoice::Auto, no_color: false, background: None, responds: false }
    }
}

/// Returns the palette for the background that `COLORFGBG` names.
fn background(environment: &Environment) -> Option<Palette> {
    match environment.colorfgbg.as_deref()?.rsplit(';').next()?.parse::<u8>().ok()? {
        7 | 15 => Some(Palette::Light),
        0..=6 | 8 => Some(Palette::Dark),
        9..=14 | 16.. => None,
    }
}

/// Whether the terminal can be queried: GNU Screen and Eterm respond wrongly, others print the query.
fn responds(environment: &Environment) -> bool {
    environment.term.as_deref().is_some_and(|term| {
        !term.is_empty() && !matches!(term, "dumb" | "linux" | "screen" | "Eterm") && !term.starts_with("screen.")
    })
}

/// Returns the palette for the colour in a terminal's response, such as `11;rgb:ffff/ffff/ffff`; `None` if it has none.
fn palette_on(response: &str) -> Option<Palette> {
    /// The luminance with the same contrast to black and to white (WCAG 2.2).
    const MIDDLE: f32 = 0.18;
    let color = response.strip_prefix("11;rgb:").or_else(|| response.strip_prefix("11;rgba:"))?;
    let channel = |digits: &str| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)? - 1;
        let value = u16::from_str_radix(digits, 16).ok()?;
        #[expect(clippy::cast_precision_loss, reason = "at most 16 bits")]
        let share = f32::from(value) / most as f32;
        Some(share.powf(2.2))
    };
    let channels = color.split('/').take(3).map(channel).collect::<Option<Vec<_>>>()?;
    let [red, green, blue] = channels[..] else { return None };
    let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    Some(if luminance > MIDDLE { Palette::Light } else { Palette::Dark })
}

/// Returns the colours that the environment promises. GNU Screen passes `COLORTERM` on and knows only 256 colours.
fn depth(environment: &Environment) -> Depth {
    let term = environment.term.as_deref().unwrap_or_default();
    let has = |names: &[&str]| names.iter().any(|name| term.contains(name));
    match environment.colorterm.as_deref() {
        Some("truecolor" | "24bit") if !term.starts_with("screen") => Depth::True,
        _ if has(&["direct", "alacritty", "kitty", "ghostty", "wezterm", "foot"]) => Depth::True,
        Some(_) => Depth::Many,
        None if has(&["256color"]) => Depth::Many,
        None => Depth::Sixteen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_of_any_precision_decides_between_dark_and_light() {
        for (response, palette) in [
            ("11;rgb:ffff/ffff/ffff", Some(Palette::Light)),
            ("11;rgb:f/f/e", Some(Palette::Light)),
            ("11;rgba:fdfd/f6f6/e3e3/ffff", Some(Palette::Light)),
            ("11;rgb:0a0a/0d0d/0a0a", Some(Palette::Dark)),
            ("11;rgb:00/2b/36", Some(Palette::Dark)),
            ("11;rgb:0000/0000/ffff", Some(Palette::Dark)),
            ("10;rgb:ffff/ffff/ffff", None),
            ("11;rgb:ffff/ffff", None),
            ("11;rgb:/ffff/ffff", None),
            ("11;rgb:fffff/ffff/ffff", None),
        ] {
            assert_eq!(palette_on(response), palette, "{response}");
        }
    }

    #[test]
    fn true_colour_is_promised_by_the_environment() {
        let depth_of = |term: &str, colorterm: Option<&str>| {
            let variables = [("TERM", term), ("COLORTERM", colorterm.unwrap_or_default())];
            depth(&Environment::default().with(&variables))
        };
        assert_eq!(depth_of("xterm-256color", Some("truecolor")), Depth::True);
        assert_eq!(depth_of("xterm-kitty", None), Depth::True);
        assert_eq!(depth_of("screen.xterm-256color", Some("truecolor")), Depth::Many);
        assert_eq!(depth_of("xterm-256color", None), Depth::Many);
        assert_eq!(depth_of("linux", None), Depth::Sixteen);
    }

    #[test]
    fn only_an_unknown_background_of_a_terminal_that_responds_is_queried() {
        let home = tempfile::tempdir().unwrap();
        let settings = crate::config::resolve(
            &crate::config::Flags { demo: true, ..crate::config::Flags::default() },
            &Environment::at_home(home.path()),
            |_, _| Vec::new(),
        )
        .unwrap();
        let is_queried = |term: Option<&str>, colorfgbg: Option<&str>| {
            let variables = [("TERM", term.unwrap_or_default()), ("COLORFGBG", colorfgbg.unwrap_or_default())];
            let environment = Environment::at_home(home.path()).with(&variables);
            DetectedTheme::of(&settings, &environment).is_preliminary()
        };
        assert!(is_queried(Some("xterm-256color"), None));
        assert!(is_queried(Some("tmux-256color"), Some("default;default")));
        assert!(!is_queried(Some("xterm-256color"), Some("15;0")));
        for term in [None, Some(""), Some("dumb"), Some("screen"), Some("screen.xterm-256color"), Some("Eterm")] {
            assert!(!is_queried(term, None), "{term:?}");
        }
    }

    #[test]
    fn another_theme_is_chosen_while_the_program_runs() {
        let base = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let on = |palette| base.on(palette);
        let mut detected = DetectedTheme { responds: true, ..base.clone().into() };
        detected.choose(ThemeChoice::HighContrast);
        assert_eq!(*detected.theme(), on(Palette::HighContrast));
        // A response changes nothing now, and counts as soon as it is to decide.
        assert!(!detected.is_preliminary() && !detected.background_came("11;rgb:f/f/f"));
        detected.choose(ThemeChoice::Auto);
        assert_eq!((detected.theme(), detected.is_preliminary()), (&on(Palette::Light), false));
        let mut unknown = DetectedTheme { responds: true, ..base.clone().into() };
        unknown.choose(ThemeChoice::Auto);
        assert!(unknown.is_preliminary() && unknown.background_came("11;rgb:f/f/f"));
        let mut colourless = DetectedTheme { no_color: true, ..base.clone().into() };
        colourless.choose(ThemeChoice::Light);
        assert_eq!(*colourless.theme(), on(Palette::Mono));
    }
}
