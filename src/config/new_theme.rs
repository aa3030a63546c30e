//! Writes the theme into the text of the config file, whose every other byte stays as it is.
//!
//! Must not read or write the file.

use std::path::Path;

use toml::de::DeTable;

use super::file::ConfigFile;
use super::new_profile::SaveFault;
use super::options::ThemeChoice;
use super::setting::THEME;
use super::top_line::with_top_line;

/// Returns the line of a theme in the config file.
pub fn theme_line(theme: ThemeChoice) -> String {
    format!("{} = {}", THEME.key, quoted(theme))
}

fn quoted(theme: ThemeChoice) -> String {
    format!("\"{}\"", theme.word())
}

/// Sets the theme in the text of a config file.
///
/// # Errors
///
/// The text cannot be changed, because it is no TOML or its theme is a table.
pub fn with_theme(text: &str, theme: ThemeChoice) -> Result<String, SaveFault> {
    let fault = |what: &str| SaveFault::Other(what.to_owned());
    let changed = with_top_line(text, THEME.key, &quoted(theme))
        .ok_or_else(|| fault("it is not TOML: a start of plants names the line"))?;
    let (read, _) = ConfigFile::parse(Path::new(""), &changed, Some(Path::new("/")));
    let is_correct = DeTable::parse(&changed).is_ok() && read.layer.theme == Some(theme);
    is_correct.then_some(changed).ok_or_else(|| fault("its theme cannot be replaced: write it by hand"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light(text: &str) -> String {
        with_theme(text, ThemeChoice::Light).unwrap()
    }

    #[test]
    fn an_existing_theme_is_replaced_where_it_is() {
        let text = "# mine\ntheme   =  'dark'  # at night\n[profile.a]\nbase_url = 'http://a'\n";
        assert_eq!(light(text), text.replace("'dark'", "\"light\""));
        assert_eq!(light("\"theme\"='auto'"), "\"theme\"=\"light\"");
        // The key of a table below is another one.
        let below = "theme = 'mono'\n[keys]\nadd = 'n'\n";
        assert_eq!(with_theme(below, ThemeChoice::HighContrast).unwrap(), below.replace("'mono'", "\"high-contrast\""));
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
            assert!(matches!(with_theme(text, ThemeChoice::Dark), Err(SaveFault::Other(_))), "{text}");
        }
    }
}
