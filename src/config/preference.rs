//! A setting that a person changes while the program runs, written into the text of the config file, whose every other
//! byte stays as it is.
//!
//! Must not read or write the file.

use std::path::Path;

use super::file::ConfigFile;
use super::options::{LanguageChoice, ThemeChoice};
use super::setting::{LANGUAGE, THEME};
use super::top_line::{SaveFault, with_top_line};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    Theme(ThemeChoice),
    Language(LanguageChoice),
}

impl Preference {
    /// Returns its key in the config file.
    pub fn key(self) -> &'static str {
        match self {
            Self::Theme(_) => THEME.key,
            Self::Language(_) => LANGUAGE.key,
        }
    }

    /// Returns the name of its value.
    pub fn word(self) -> &'static str {
        match self {
            Self::Theme(theme) => theme.word(),
            Self::Language(language) => language.word(),
        }
    }

    /// Returns its line in the config file.
    pub fn line(self) -> String {
        format!("{} = \"{}\"", self.key(), self.word())
    }

    /// Sets it in the text of a config file.
    ///
    /// # Errors
    ///
    /// The text cannot be changed, because it is no TOML or the setting is a table.
    pub fn set_in(self, text: &str) -> Result<String, SaveFault> {
        let changed = with_top_line(text, self.key(), self.word())?;
        let (read, _) = ConfigFile::parse(Path::new(""), &changed, Some(Path::new("/")));
        let is_set = read.layer.given().iter().any(|given| given.name == self.key() && given.value == self.word());
        is_set
            .then_some(changed)
            .ok_or_else(|| SaveFault::Other(format!("its {} cannot be replaced: write it by hand", self.key())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light(text: &str) -> String {
        Preference::Theme(ThemeChoice::Light).set_in(text).unwrap()
    }

    #[test]
    fn an_existing_theme_is_replaced_where_it_is() {
        let text = "# mine\ntheme   =  'dark'  # at night\n[profile.a]\nbase_url = 'http://a'\n";
        assert_eq!(light(text), text.replace("'dark'", "\"light\""));
        assert_eq!(light("\"theme\"='auto'"), "\"theme\"=\"light\"");
        // The key of a table below is another one.
        let below = "theme = 'mono'\n[keys]\nadd = 'n'\n";
        let high = Preference::Theme(ThemeChoice::HighContrast).set_in(below).unwrap();
        assert_eq!(high, below.replace("'mono'", "\"high-contrast\""));
        let german = Preference::Language(LanguageChoice::De).set_in(below).unwrap();
        assert_eq!(german, below.replace("'mono'\n", "'mono'\nlanguage = \"de\"\n"));
    }

    #[test]
    fn a_new_line_stands_behind_the_other_settings_at_the_top() {
        for (text, changed) in [
            ("", "theme = \"light\"\n"),
            ("# mine", "# mine\ntheme = \"light\"\n"),
            ("# mine\n", "# mine\ntheme = \"light\"\n"),
            ("default = 'a' # b\n\n[profile.a]\n", "default = 'a' # b\ntheme = \"light\"\n\n[profile.a]\n"),
            ("reduced_motion = true", "reduced_motion = true\ntheme = \"light\"\n"),
            ("# mine\n\n# a\n[profile.a]\n", "# mine\n\ntheme = \"light\"\n\n# a\n[profile.a]\n"),
            ("\u{feff}[keys]\n", "\u{feff}theme = \"light\"\n\n[keys]\n"),
            ("[keys]\r\nadd = 'n'\r\n", "theme = \"light\"\r\n\r\n[keys]\r\nadd = 'n'\r\n"),
            ("\n  # é\n[[x]]\n", "\ntheme = \"light\"\n\n  # é\n[[x]]\n"),
        ] {
            assert_eq!(light(text), changed, "{text:?}");
            assert_eq!(light(changed), changed);
        }
    }

    #[test]
    fn a_text_that_cannot_be_changed_is_a_fault() {
        for text in ["a = \n", "[theme]\n", "theme.a = 1\n", "[[theme]]\n", "theme = 1\ntheme = 2\n"] {
            assert!(matches!(Preference::Theme(ThemeChoice::Dark).set_in(text), Err(SaveFault::Other(_))), "{text}");
        }
    }
}
