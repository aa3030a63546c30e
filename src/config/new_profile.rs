//! A profile that the program writes into the config file: its name, its base URL and where its
//! token comes from, never the token.
//!
//! It changes text; reading and writing the file is the runtime's business.

use std::path::Path;

use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value, value};

use super::file::ConfigFile;
use super::setting::{ALLOW_HTTP, BASE_URL, CA_CERT, PROXY, TOKEN_COMMAND, TOKEN_ENV, TOKEN_FILE};
use super::value::{NO_VARIABLE_NAME, VariableName};
use crate::domain::StoreUrl;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenFrom {
    /// A person, each time.
    OperationKind,
    Variable(String),
    File(String),
    /// The first line that this program prints, run with these arguments and no shell.
    Command(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProfile {
    pub name: String,
    pub base_url: StoreUrl,
    pub token: TokenFrom,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotTaken {
    /// There is a profile of this name, and it is not to be replaced.
    Exists,
    Other(String),
}

/// Why this is no name of a profile: one is typed without quotes, in a shell and in the file.
pub fn fault_of_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("a profile needs a name");
    }
    let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    (!fits).then_some("a name has letters, digits, - and _, and nothing else")
}

impl TokenFrom {
    /// Why no token could come from there.
    pub fn fault(&self) -> Option<&'static str> {
        match self {
            Self::Variable(name) if name.parse::<VariableName>().is_err() => Some(NO_VARIABLE_NAME),
            Self::File(path) if path.is_empty() => Some("name a file"),
            Self::Command(words) if words.is_empty() => Some("name a program, and its arguments after it"),
            Self::OperationKind | Self::Variable(_) | Self::File(_) | Self::Command(_) => None,
        }
    }

    fn entry(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::OperationKind => None,
            Self::Variable(name) => Some((TOKEN_ENV.key, name.as_str().into())),
            Self::File(path) => Some((TOKEN_FILE.key, path.as_str().into())),
            Self::Command(words) => Some((TOKEN_COMMAND.key, words.iter().map(String::as_str).collect())),
        }
    }
}

impl NewProfile {
    /// Its lines, as a person could write them.
    pub fn lines(&self) -> Vec<String> {
        let entries = self.entries().into_iter().map(|(key, value)| format!("{key} = {value}"));
        [format!("[profile.{}]", self.name)].into_iter().chain(entries).collect()
    }

    fn entries(&self) -> Vec<(&'static str, Value)> {
        let mut entries = vec![(BASE_URL.key, Value::from(self.base_url.to_string()))];
        entries.extend(self.token.entry());
        // The store is open at this URL: leave was given for it.
        if !self.base_url.is_https() && !self.base_url.is_loopback() {
            entries.push((ALLOW_HTTP.key, Value::from(true)));
        }
        entries
    }

    /// A config file's text with this profile in it; all else, comments included, stays as it is.
    ///
    /// # Errors
    ///
    /// There is such a profile and it is not to be replaced, or the text takes none.
    pub fn put_into(&self, text: &str, replace: bool) -> Result<String, NotTaken> {
        let other = |what: &str| NotTaken::Other(what.to_owned());
        let mut document: DocumentMut =
            text.parse().map_err(|_| other("the config file is not TOML: plants config check names the line"))?;
        if !document.contains_key("profile") {
            return self.is_read_as_meant(self.put_at_the_end_of(text));
        }
        let all = document.get_mut("profile").ok_or_else(|| other("it takes no profile"))?;
        let is_inline = all.is_inline_table();
        let all = all.as_table_like_mut().ok_or_else(|| other("its profile is no table: write [profile.NAME]"))?;
        match all.get_mut(&self.name) {
            Some(_) if !replace => return Err(NotTaken::Exists),
            Some(there) => {
                let there = there.as_table_like_mut().ok_or_else(|| other("the profile in it is no table"))?;
                self.replace(there);
            }
            None if is_inline => {
                let inline: InlineTable = self.entries().into_iter().collect();
                all.insert(&self.name, value(inline));
            }
            None => return self.is_read_as_meant(self.put_at_the_end_of(text)),
        }
        self.is_read_as_meant(document.to_string())
    }

    /// Not a byte of what is there changes.
    fn put_at_the_end_of(&self, text: &str) -> String {
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut text = text.to_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(end);
        }
        if !text.trim().is_empty() {
            text.push_str(end);
        }
        for line in self.lines() {
            text.push_str(&line);
            text.push_str(end);
        }
        text
    }

    /// The text, if this program reads the profile in it as it is meant.
    fn is_read_as_meant(&self, text: String) -> Result<String, NotTaken> {
        let (read, _) = ConfigFile::parse(Path::new(""), &text, Some(Path::new("/")));
        let is_there = read.profile(&self.name).is_some_and(|profile| {
            profile.url() == Some(&self.base_url)
                && profile.layer.token_source.is_some() == (self.token != TokenFrom::OperationKind)
        });
        if is_there {
            Ok(text)
        } else {
            Err(NotTaken::Other("the config file would not be read as it is meant".to_owned()))
        }
    }

    /// Changes a profile that is there: what says nothing of its store stays.
    fn replace(&self, there: &mut dyn TableLike) {
        let entries = self.entries();
        let moves = there.get(BASE_URL.key).and_then(Item::as_str).and_then(|url| url.parse::<StoreUrl>().ok())
            != Some(self.base_url.clone());
        let is_kept = |key: &str| entries.iter().any(|(kept, _)| *kept == key);
        let of_the_url = [ALLOW_HTTP, CA_CERT, PROXY].into_iter().filter(|_| moves);
        for stale in [TOKEN_COMMAND, TOKEN_FILE, TOKEN_ENV].into_iter().chain(of_the_url) {
            if !is_kept(stale.key) {
                there.remove(stale.key);
            }
        }
        for (key, entry) in entries {
            match there.get_mut(key).and_then(Item::as_value_mut) {
                Some(before) => {
                    let decor = before.decor().clone();
                    *before = entry;
                    *before.decor_mut() = decor;
                }
                None => drop(there.insert(key, value(entry))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# My stores.\ndefault = 'red' # the careful one\n\n[profile.red]\n# read this first\nbase_url   = \
                        'https://red.example' # behind the VPN\ntoken_env = \"RED\"\ncolor = 'red'\nproxy = \
                        'http://p:1'\n\n# The end.\n";

    fn profile(name: &str, url: &str, token: TokenFrom) -> NewProfile {
        NewProfile { name: name.to_owned(), base_url: url.parse().unwrap(), token }
    }

    #[test]
    fn a_new_profile_leaves_every_other_byte_as_it_is() {
        let token = TokenFrom::Command(["pass", "show", "a \"b\""].map(str::to_owned).to_vec());
        let blue = profile("blue", "https://blue.example/api", token);
        let lines = "[profile.blue]\nbase_url = \"https://blue.example/api\"\ntoken_command = [\"pass\", \"show\", 'a \
                     \"b\"']\n";
        assert_eq!(blue.lines().join("\n") + "\n", lines);
        assert_eq!(blue.put_into("", false).unwrap(), lines);
        let written = blue.put_into(FILE, false).unwrap();
        assert_eq!(written, format!("{FILE}\n{lines}"));
        // Also where the last line has no end, and in the line ends that are there.
        let windows = blue.put_into("# mine\r\ntheme = 'dark'", false).unwrap();
        assert_eq!(windows, format!("# mine\r\ntheme = 'dark'\r\n\r\n{}", lines.replace('\n', "\r\n")));
    }

    #[test]
    fn a_profile_that_is_there_stays_until_somebody_says_otherwise() {
        let red = profile("red", "https://red.example", TokenFrom::File("~/token".to_owned()));
        assert_eq!(red.put_into(FILE, false), Err(NotTaken::Exists));
        let written = red.put_into(FILE, true).unwrap();
        let kept = ["# My stores.", "# read this first", "# behind the VPN", "color = 'red'", "proxy = ", "# The end."];
        assert!(kept.iter().all(|kept| written.contains(kept)) && !written.contains("RED"), "{written}");
        assert!(written.contains("token_file = \"~/token\""), "{written}");
        // What was for the URL before is for no other.
        let moved = profile("red", "http://10.0.0.2", TokenFrom::OperationKind).put_into(FILE, true).unwrap();
        assert!(!moved.contains("proxy") && moved.contains("allow_http = true"), "{moved}");
    }

    #[test]
    fn a_text_that_takes_no_profile_says_why() {
        let new = profile("new", "https://new.example", TokenFrom::OperationKind);
        for (text, words) in
            [("a = \n", "not TOML"), ("profile = 7\n", "is no table"), ("[[profile]]\n", "is no table")]
        {
            let Err(NotTaken::Other(why)) = new.put_into(text, false) else { panic!("{text}") };
            assert!(why.contains(words), "{text}: {why}");
        }
        let inline = "profile = { a = { base_url = 'https://a.example' } }\n";
        let written = new.put_into(inline, false).unwrap();
        assert!(written.contains("a.example") && written.contains("new.example"), "{written}");
    }

    #[test]
    fn names_and_sources_are_checked() {
        for name in ["staging", "a-b_7"] {
            assert_eq!(fault_of_name(name), None);
        }
        for name in ["", "a b", "a.b", "é", "\"", "x\n"] {
            assert!(fault_of_name(name).is_some(), "{name:?}");
        }
        assert!(TokenFrom::Variable("$TOKEN".to_owned()).fault().is_some());
        assert!(TokenFrom::File(String::new()).fault().is_some() && TokenFrom::Command(Vec::new()).fault().is_some());
        assert!(
            TokenFrom::Variable("TOKEN".to_owned()).fault().is_none() && TokenFrom::OperationKind.fault().is_none()
        );
    }
}
