//! Adds a profile to the text of the config file: its name, its base URL, whether it is read-only, and the source of its
//! token, never the token.
//!
//! Must not read or write the file.

use std::path::Path;

use toml::Value;
use toml::de::DeTable;

use super::file::ConfigFile;
use super::setting::{ALLOW_HTTP, BASE_URL, PROFILE, READ_ONLY};
use super::token_source::TokenSource;
use super::top_line::{line_break, with_top_line};
use super::value::{INVALID_VARIABLE_NAME, is_variable_name};
use crate::domain::StoreUrl;

pub use super::top_line::SaveFault;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProfile {
    pub name: String,
    pub base_url: StoreUrl,
    /// As [`TokenSource::in_profile`] returns it.
    pub token: TokenSource,
    pub read_only: bool,
    /// Whether the program starts with it from now on.
    pub is_default: bool,
}

/// Makes a profile the default in the text of a config file.
///
/// # Errors
///
/// The text cannot be changed.
pub fn with_default(text: &str, name: &str) -> Result<String, SaveFault> {
    with_top_line(text, PROFILE.key, name)
}

/// Says why a name is invalid. A valid one needs no quotes, in a shell and in the file.
pub fn name_fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("a profile needs a name");
    }
    let is_valid = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    (!is_valid).then_some("a name has letters, digits, - and _, and nothing else")
}

/// Says why a source of the token is invalid in a profile.
pub fn source_fault(source: &TokenSource) -> Option<&'static str> {
    match source {
        TokenSource::Env(name) if !is_variable_name(name) => Some(INVALID_VARIABLE_NAME),
        TokenSource::File(path) if path.as_os_str().is_empty() => Some("name a file"),
        TokenSource::Command(words) if words.is_empty() => Some("name a program, and its arguments after it"),
        TokenSource::Env(_)
        | TokenSource::File(_)
        | TokenSource::Command(_)
        | TokenSource::Stdin
        | TokenSource::Given(_)
        | TokenSource::Prompt => None,
    }
}

impl NewProfile {
    /// Returns the lines to write into the config file by hand.
    pub fn lines(&self) -> Vec<String> {
        let default = self.is_default.then(|| format!("{} = \"{}\"", PROFILE.key, self.name));
        default.into_iter().chain(self.table()).collect()
    }

    /// Returns the lines of its table.
    fn table(&self) -> Vec<String> {
        let source = match &self.token {
            TokenSource::Env(name) => Some(name.as_str().into()),
            TokenSource::File(path) => path.to_str().map(Value::from),
            TokenSource::Command(words) => Some(words.clone().into()),
            TokenSource::Stdin | TokenSource::Given(_) | TokenSource::Prompt => None,
        };
        // The store is open at this base URL, so plain http is allowed already.
        let is_plain = !self.base_url.is_https() && !self.base_url.is_loopback();
        let entries = [
            Some((BASE_URL.key, self.base_url.to_string().into())),
            source.map(|source| (self.token.setting().key, source)),
            is_plain.then_some((ALLOW_HTTP.key, true.into())),
            self.read_only.then_some((READ_ONLY.key, true.into())),
        ];
        let entries = entries.into_iter().flatten().map(|(key, value): (_, Value)| format!("{key} = {value}"));
        [format!("[profile.{}]", self.name)].into_iter().chain(entries).collect()
    }

    /// Returns the source of the token as the program reads it from the text of a config file with the profile.
    pub fn token_source(&self, file: &Path, text: &str, home: Option<&Path>) -> Option<TokenSource> {
        ConfigFile::parse(file, text, home).0.profile(&self.name)?.layer.token_source.clone()
    }

    /// Adds the profile to the text of a config file, whose other contents, comments included, stay as they are.
    ///
    /// # Errors
    ///
    /// The profile exists, or the text cannot be changed.
    pub fn added_to(&self, text: &str) -> Result<String, SaveFault> {
        DeTable::parse(text).map_err(|_| SaveFault::not_toml())?;
        let parsed = |text: &str| ConfigFile::parse(Path::new(""), text, Some(Path::new("/"))).0;
        if parsed(text).profile(&self.name).is_some() {
            return Err(SaveFault::Exists);
        }
        let text = if self.is_default { &with_default(text, &self.name)? } else { text };
        let end = line_break(text);
        let rest = if text.is_empty() || text.ends_with('\n') { "" } else { end };
        let gap = if text.trim().is_empty() { "" } else { end };
        let added = format!("{text}{rest}{gap}{}{end}", self.table().join(end));
        let read = parsed(&added);
        // Without the source of its token, the profile would ask for another one.
        let has_token = |source: Option<&TokenSource>| source.is_some() == (self.token != TokenSource::Prompt);
        let is_read = read.profile(&self.name).is_some_and(|read| has_token(read.layer.token_source.as_ref()));
        let fault = || SaveFault::Other("the config file would be invalid with this profile".to_owned());
        is_read.then_some(added).ok_or_else(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# My stores.\ndefault = 'red' # the careful one\n\n[profile.red]\n# read this first\nbase_url   = \
                        'https://red.example' # behind the VPN\ntoken_env = \"RED\"\ncolor = 'red'\nproxy = \
                        'http://p:1'\n\n# The end.\n";

    fn profile(name: &str, url: &str, token: TokenSource) -> NewProfile {
        NewProfile { name: name.to_owned(), base_url: url.parse().unwrap(), token, read_only: false, is_default: false }
    }

    #[test]
    fn a_new_profile_leaves_every_other_byte_as_it_is() {
        let token = TokenSource::Command(["pass", "show", "a \"b\""].map(str::to_owned).to_vec());
        let blue = profile("blue", "https://blue.example/api", token);
        let lines = "[profile.blue]\nbase_url = \"https://blue.example/api\"\ntoken_command = [\"pass\", \"show\", 'a \
                     \"b\"']\n";
        assert_eq!(blue.lines().join("\n") + "\n", lines);
        assert_eq!(blue.added_to("").unwrap(), lines);
        let written = blue.added_to(FILE).unwrap();
        assert_eq!(written, format!("{FILE}\n{lines}"));
        // The last line without a line break, and the text's own line breaks.
        let windows = blue.added_to("# mine\r\ntheme = 'dark'").unwrap();
        assert_eq!(windows, format!("# mine\r\ntheme = 'dark'\r\n\r\n{}", lines.replace('\n', "\r\n")));
    }

    #[test]
    fn an_existing_profile_stays_as_it_is() {
        let red = profile("red", "https://red.example", TokenSource::File("~/token".into()));
        assert_eq!(red.added_to(FILE), Err(SaveFault::Exists));
        assert_eq!(red.added_to("profile = { red = { color = 'red' } }\n"), Err(SaveFault::Exists));
        // A session that cannot write becomes no profile that can.
        let read_only = NewProfile { read_only: true, name: "blue".to_owned(), ..red }.added_to(FILE).unwrap();
        assert!(read_only.contains("read_only = true"), "{read_only}");
    }

    #[test]
    fn a_profile_becomes_the_default_in_place_of_another_or_at_the_top() {
        let blue = NewProfile { is_default: true, ..profile("blue", "https://blue.example", TokenSource::Prompt) };
        let table = "[profile.blue]\nbase_url = \"https://blue.example\"\n";
        assert_eq!(blue.added_to("").unwrap(), format!("default = \"blue\"\n\n{table}"));
        assert_eq!(blue.lines().join("\n") + "\n", format!("default = \"blue\"\n{table}"));
        let before = "theme = 'dark'\n\n# mine\n[profile.red]\nbase_url = 'https://red.example'\n";
        let with_default = before.replace("'dark'\n", "'dark'\ndefault = \"blue\"\n");
        assert_eq!(blue.added_to(before).unwrap(), format!("{with_default}\n{table}"));
        let replaced = FILE.replace("default = 'red' #", "default = \"blue\" #");
        assert_eq!(blue.added_to(FILE).unwrap(), format!("{replaced}\n{table}"));
        // Another default stays.
        let green = profile("green", "https://green.example", TokenSource::Prompt);
        assert!(green.added_to(FILE).unwrap().starts_with(FILE));
        assert!(matches!(blue.added_to("[default]\n"), Err(SaveFault::Other(_))));
    }

    #[test]
    fn a_text_that_cannot_be_changed_is_a_fault() {
        let new = profile("new", "https://new.example", TokenSource::Prompt);
        for (text, words) in [
            ("a = \n", "not TOML"),
            ("profile = 7\n", "invalid with this profile"),
            ("[[profile]]\n", "invalid with this profile"),
            ("profile = { a = { base_url = 'https://a.example' } }\n", "invalid with this profile"),
        ] {
            let Err(SaveFault::Other(why)) = new.added_to(text) else { panic!("{text}") };
            assert!(why.contains(words), "{text}: {why}");
        }
    }

    #[test]
    fn names_and_token_sources_are_validated() {
        for name in ["staging", "a-b_7"] {
            assert_eq!(name_fault(name), None);
        }
        for name in ["", "a b", "a.b", "é", "\"", "x\n"] {
            assert!(name_fault(name).is_some(), "{name:?}");
        }
        let [invalid, valid] = ["$TOKEN", "TOKEN"].map(|name| TokenSource::Env(name.to_owned()));
        for source in [invalid, TokenSource::File("".into()), TokenSource::Command(Vec::new())] {
            assert!(source_fault(&source).is_some(), "{source}");
        }
        assert!(source_fault(&valid).is_none() && source_fault(&TokenSource::Prompt).is_none());
    }
}
