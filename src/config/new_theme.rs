//! Writes the theme into the text of the config file, whose every other byte stays as it is.
//!
//! Must not read or write the file.

use std::path::Path;

use toml::de::DeTable;

use super::file::ConfigFile;
use super::new_profile::SaveFault;
use super::options::ThemeChoice;
use super::setting::THEME;

/// Returns the line of a theme in the config file.
pub fn theme_line(theme: ThemeChoice) -> String {
    format!("{} = {}", THEME.key, quoted(theme))
}

fn quoted(theme: ThemeChoice) -> String {
    format!("\"{}\"", theme.word())
}

/// Sets the theme in the text of a config file: replaces its value, or adds a line behind the other settings at the top.
///
/// # Errors
///
/// The text cannot be changed, because it is no TOML or its theme is a table.
pub fn with_theme(text: &str, theme: ThemeChoice) -> Result<String, SaveFault> {
    let fault = |what: &str| SaveFault::Other(what.to_owned());
    let table = DeTable::parse(text).map_err(|_| fault("it is not TOML: a start of plants names the line"))?;
    let table = table.get_ref();
    // The value of `key = …` begins behind its key, that of a table at its header.
    let (pairs, tables): (Vec<_>, Vec<_>) =
        table.iter().partition(|(name, value)| value.span().start >= name.span().end);
    let mut changed = text.to_owned();
    if let Some((_, value)) = pairs.iter().find(|(name, _)| name.get_ref() == THEME.key) {
        changed.replace_range(value.span(), &quoted(theme));
    } else if let Some(end) = pairs.iter().map(|(_, value)| value.span().end).max() {
        insert_line(&mut changed, line_end(text, end), theme);
    } else if let Some(first) = tables.iter().map(|(name, _)| name.span().start).min() {
        let at = comment_above(text, first);
        changed.insert_str(at, line_break(text));
        insert_line(&mut changed, at, theme);
    } else {
        insert_line(&mut changed, text.len(), theme);
    }
    let (read, _) = ConfigFile::parse(Path::new(""), &changed, Some(Path::new("/")));
    let is_correct = DeTable::parse(&changed).is_ok() && read.layer.theme == Some(theme);
    is_correct.then_some(changed).ok_or_else(|| fault("its theme cannot be replaced: write it by hand"))
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Inserts the line at the beginning of a line, or at the end of the text.
fn insert_line(text: &mut String, at: usize, theme: ThemeChoice) {
    let end = line_break(text);
    let is_unended = at == text.len() && !text.is_empty() && !text.ends_with('\n');
    let before = if is_unended { end } else { "" };
    text.insert_str(at, &format!("{before}{}{end}", theme_line(theme)));
}

/// Returns where the line behind the one with this byte begins.
fn line_end(text: &str, at: usize) -> usize {
    text.split_at_checked(at).and_then(|(_, rest)| rest.find('\n')).map_or(text.len(), |end| at + end + 1)
}

/// Returns where the line with this byte begins, or the comment right above it.
fn comment_above(text: &str, at: usize) -> usize {
    let (before, _) = text.split_at_checked(at).unwrap_or((text, ""));
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let (above, _) = before.split_at_checked(line).unwrap_or((before, ""));
    let comments = above.split_inclusive('\n').rev().take_while(|line| line.trim_start().starts_with('#'));
    line - comments.map(str::len).sum::<usize>()
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
