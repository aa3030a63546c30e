//! The config file: read once, bounded, and judged whole.
//!
//! Every fault in it is found in one go. What the key bindings in it mean is the terminal
//! interface's business; they are handed on with their lines.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use toml::de::DeTable;

use super::choice::ThemeChoice;
use super::document::Document;
use super::fault::{Fault, quoted, shown_error};
use super::profile::{self, Profile};
use super::reader::{At, Reader};
use super::token_source::TokenSource;
use super::value;
use super::wish::{KnownStore, Wish};

/// Bytes of a config file; a generous one has a few thousand.
const LIMIT: u64 = 1 << 20;

/// The keys at the top.
const KEYS: [&str; 5] = ["default", "theme", "reduced_motion", "keys", "profile"];

/// One line of `[keys]`, not yet judged: which keys an action listens to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remap {
    /// The action's name, as it was written.
    pub action: String,
    /// The keys, as they were written.
    pub keys: Vec<String>,
    /// The line in the config file, counted from 1.
    pub line: usize,
}

/// What the config file says.
#[derive(Debug)]
pub(super) struct ConfigFile {
    /// The profile to use when none is named.
    pub(super) default: Option<String>,
    pub(super) theme: Option<ThemeChoice>,
    pub(super) reduced_motion: bool,
    pub(super) remaps: Vec<Remap>,
    /// In the order of the file.
    pub(super) profiles: Vec<Profile>,
    /// Whether all of it could be read, so that what is not here is nowhere.
    pub(super) whole: bool,
}

/// Whether a file has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Named by a person.
    Required,
    /// The default place.
    Optional,
}

impl ConfigFile {
    /// What a file that is not there says.
    pub(super) fn empty() -> Self {
        Self {
            default: None,
            theme: None,
            reduced_motion: false,
            remaps: Vec::new(),
            profiles: Vec::new(),
            whole: true,
        }
    }

    /// Reads and judges a file; `home` is where `~/` leads.
    pub(super) fn read(path: &Path, presence: Presence, home: Option<&Path>) -> (Self, Vec<Fault>) {
        let unreadable = |what: String| (Self { whole: false, ..Self::empty() }, vec![Fault::of_file(path, "", what)]);
        let mut bytes = Vec::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes));
        match read {
            Ok(_) => {}
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                return match presence {
                    Presence::Optional => (Self::empty(), Vec::new()),
                    Presence::Required => unreadable("there is no such config file: check --config".to_owned()),
                };
            }
            Err(why) => return unreadable(format!("the config file cannot be read: {}", shown_error(&why))),
        }
        if bytes.len() as u64 > LIMIT {
            return unreadable("the config file is longer than 1 MiB: check that it is one".to_owned());
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(path, text, home),
            Err(why) => {
                let (read, _) = bytes.split_at(why.valid_up_to());
                let line = read.split(|byte| *byte == b'\n').count();
                let fault = Fault::in_file(path, line, "", "the config file is not UTF-8 here: save it as UTF-8");
                (Self { whole: false, ..Self::empty() }, vec![fault])
            }
        }
    }

    /// Judges the text of a file.
    pub(super) fn parse(path: &Path, text: &str, home: Option<&Path>) -> (Self, Vec<Fault>) {
        let document = Document::parse(path, text);
        let mut reader = Reader { file: path, home, lines: &document.lines, faults: Vec::new() };
        let mut file = Self { whole: document.whole, ..Self::empty() };
        let default = file.take(&mut reader, &document.table);
        file.withhold_tokens();
        let known: Vec<&str> = file.profiles.iter().map(|profile| profile.name.as_str()).collect();
        if let Some(default) = &default
            && document.whole
            && !known.contains(&default.value.as_str())
        {
            let what = no_such_profile(&default.value, &known);
            reader.faults.push(Fault::in_file(path, default.line, "default", what));
        }
        // What the parser made of a broken line is no more than a guess: one fault is enough.
        let broken: BTreeSet<Option<usize>> = document.faults.iter().map(|fault| fault.line).collect();
        let mut faults = document.faults;
        faults.extend(reader.faults.into_iter().filter(|fault| !broken.contains(&fault.line)));
        faults.sort_by_key(|fault| fault.line);
        file.default = default.map(|default| default.value);
        (file, faults)
    }

    fn take(&mut self, reader: &mut Reader<'_>, table: &DeTable<'_>) -> Option<At<String>> {
        let mut default = None;
        for entry in reader.entries("", table) {
            match entry.name {
                "default" => {
                    default = reader
                        .text(&entry, "the name of a profile in quotes")
                        .map(|name| At { value: name.to_owned(), line: entry.line });
                }
                "theme" => {
                    self.theme = reader.parsed(&entry, "a theme in quotes, like \"dark\"", |raw| {
                        value::choice(raw, &ThemeChoice::ALL)
                    });
                }
                "reduced_motion" => self.reduced_motion = reader.boolean(&entry).unwrap_or_default(),
                "keys" => {
                    let Some(table) = reader.table(&entry, "a table: write [keys]") else { continue };
                    for entry in reader.entries(&entry.key, table) {
                        let wanted = "a key in quotes, or an array of them, like [\"a\", \"F2\"]";
                        if let Some(keys) = reader.one_or_more(&entry, wanted) {
                            self.remaps.push(Remap { action: entry.name.to_owned(), keys, line: entry.line });
                        }
                    }
                }
                "profile" => {
                    let wanted = "a table: write [profile.NAME]";
                    let Some(table) = reader.table(&entry, wanted) else { continue };
                    for entry in reader.entries(&entry.key, table) {
                        if entry.name.is_empty() {
                            reader.fault(&entry, "a profile needs a name");
                        } else if let Some(table) = reader.table(&entry, wanted) {
                            let profile = Profile::read(reader, &entry, table);
                            self.profiles.push(profile);
                        }
                    }
                }
                unknown if profile::KEYS.contains(&unknown) => {
                    reader.fault(&entry, "this key belongs under a [profile.NAME]");
                }
                unknown => reader.fault(&entry, format!("unknown key{}", value::did_you_mean(unknown, &KEYS))),
            }
        }
        default
    }

    /// Keeps the tokens of all profiles from each command that prints one.
    fn withhold_tokens(&mut self) {
        let holds_token = |profile: &Profile| match &profile.token {
            Some(TokenSource::Env(name)) => Some(name.clone()),
            Some(_) | None => None,
        };
        let names: Vec<String> = self.profiles.iter().filter_map(holds_token).collect();
        for profile in &mut self.profiles {
            if let Some(TokenSource::Command(command)) = &mut profile.token {
                command.withheld.clone_from(&names);
            }
        }
    }

    /// The profile of this name.
    pub(super) fn profile(&self, name: &str) -> Option<&Profile> {
        self.profiles.iter().find(|profile| profile.name == name)
    }

    /// The stores of its profiles, in the order of the file.
    pub(super) fn known_stores(&self) -> Vec<KnownStore> {
        let known = |profile: &Profile| KnownStore {
            wish: Wish::Profile(profile.name.clone()),
            name: profile.name.clone(),
            base_url: profile.base_url.as_ref().map(|url| url.value.to_string()),
            color: profile.color,
            read_only: profile.read_only,
        };
        self.profiles.iter().map(known).collect()
    }

    /// The names of its profiles, in the order of the file.
    pub(super) fn names(&self) -> Vec<String> {
        self.profiles.iter().map(|profile| profile.name.clone()).collect()
    }
}

/// The words for a profile that is not there, with those that are.
pub(super) fn no_such_profile(name: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return format!("there is no profile {}: the config file has none", quoted(name));
    }
    let listed: Vec<String> = known.iter().map(|name| quoted(name)).collect();
    format!("there is no profile {}; there are: {}", quoted(name), listed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::choice::HeaderColor;
    use std::time::Duration;

    fn judged(text: &str) -> (ConfigFile, Vec<String>) {
        let (file, faults) = ConfigFile::parse(Path::new("/etc/config.toml"), text, Some(Path::new("/home/ann")));
        let shown = faults.iter().map(|fault| fault.to_string().replace("/etc/config.toml:", "")).collect();
        (file, shown)
    }

    #[test]
    fn a_token_command_does_not_inherit_the_token_of_any_profile() {
        let (file, _) = judged(
            "[profile.a]\ntoken_env = 'A_TOKEN'\n[profile.b]\ntoken_command = ['b']\n[profile.c]\ntoken_env = 'C_TOKEN'\n",
        );
        let Some(TokenSource::Command(command)) = &file.profile("b").unwrap().token else { panic!("a command") };
        assert_eq!(command.withheld, ["A_TOKEN", "C_TOKEN"]);
    }

    fn faults(text: &str) -> Vec<String> {
        judged(text).1
    }

    #[test]
    fn the_file_of_the_manual_is_understood() {
        let (file, faults) = judged(
            r#"
default = "staging"
reduced_motion = true
theme = "high-contrast"

[keys]
add = "a"
quit = ["q", "F10"]

[profile.staging]
base_url = "https://plants.staging.example/api/"
token_command = ["pass", "show", "plants/staging"]
timeout = "2m"
ca_cert = "staging-ca.pem"
color = "yellow"
read_only = true
proxy = "http://proxy.example:3128"

[profile.local]
base_url = "http://10.0.0.2"
token_file = "~/token"
allow_http = true
"#,
        );
        assert_eq!(faults, [""; 0]);
        assert_eq!((file.default.as_deref(), file.theme), (Some("staging"), Some(ThemeChoice::HighContrast)));
        assert!(file.reduced_motion);
        assert_eq!(file.names(), ["staging", "local"]);
        let bound: Vec<_> = file.remaps.iter().map(|r| (r.action.as_str(), r.keys.join(" "), r.line)).collect();
        assert_eq!(bound, [("add", "a".to_owned(), 7), ("quit", "q F10".to_owned(), 8)]);

        let staging = file.profile("staging").unwrap();
        assert_eq!(staging.base_url.as_ref().unwrap().value.to_string(), "https://plants.staging.example/api");
        assert!(matches!(&staging.token, Some(TokenSource::Command(command)) if command.words.len() == 3));
        assert_eq!((staging.timeout, staging.color), (Some(Duration::from_secs(120)), Some(HeaderColor::Yellow)));
        assert_eq!(staging.ca_cert.as_ref().unwrap().value, Path::new("/etc/staging-ca.pem"));
        assert!(staging.read_only && staging.proxy.is_some() && !staging.allow_http);

        let local = file.profile("local").unwrap();
        assert!(matches!(&local.token, Some(TokenSource::File(path)) if path == Path::new("/home/ann/token")));
        assert!(local.allow_http && !local.read_only);
    }

    #[test]
    fn ten_faults_are_ten_lines() {
        let text = r#"default = "prod"
theme = "drak"
colour = "red"
[keys]
add = 7
[profile.staging]
base_url = "ftp://plants.example"
timeout = "soon"
tiemout = "3s"
color = "purple"
read_only = "yes"
token_env = "TOKEN"
token_file = "token"
[profile.staging.extra]
[profile.late]
timeout = 30
"#;
        assert_eq!(
            faults(text),
            [
                "1: default: there is no profile \"prod\"; there are: \"staging\", \"late\"",
                "2: theme: \"drak\" is none of auto, dark, light, high-contrast, mono; did you mean dark?",
                "3: colour: unknown key",
                "5: keys.add: found a number, wanted a key in quotes, or an array of them, like [\"a\", \"F2\"]",
                "7: profile.staging.base_url: a store speaks http or https, not ftp",
                "8: profile.staging.timeout: \"soon\" is no duration: write 30s or 2m",
                "9: profile.staging.tiemout: unknown key; did you mean timeout?",
                "10: profile.staging.color: \"purple\" is none of black, red, green, yellow, blue, magenta, cyan, \
                 gray, dark-gray, light-red, light-green, light-yellow, light-blue, light-magenta, light-cyan, white",
                "11: profile.staging.read_only: found a text in quotes, wanted true or false, without quotes",
                "13: profile.staging.token_file: a token comes from one place, and token_env is in line 12",
                "14: profile.staging.extra: unknown key",
                "16: profile.late.timeout: found a number, wanted a duration in quotes, like \"30s\"",
            ]
        );
    }

    #[test]
    fn faults_of_the_format_and_of_the_meaning_come_together() {
        let text = "theme = dark\n[profile.a]\nread_only = maybe\ncolor = 'red'\ncolor = 'blue'\n[profile.a]\ntimeout = '0s'\n";
        assert_eq!(
            faults(text),
            [
                "1: theme: text needs quotes around it: write \"…\"",
                "3: profile.a.read_only: text needs quotes around it: write \"…\"",
                "5: profile.a.color: this key stands in line 4 already: remove one of the two",
                "6: profile.a: this table stands twice: make one of the two",
                "7: profile.a.timeout: \"0s\" is out of range: give more than 0s and at most 1h",
            ]
        );
    }

    #[test]
    fn a_file_read_in_part_is_not_said_to_lack_anything() {
        let (file, faults) = judged("default = 'late'\nbroken\n[profile.late]\n");
        assert_eq!(faults, ["2: this is not TOML: key with no value, expected `=`"]);
        assert!(!file.whole);
    }

    #[test]
    fn a_misplaced_key_is_told_where_it_belongs() {
        assert_eq!(
            faults(
                "base_url = 'http://h'\ntimeuot = '1s'\n[profile.a]\ntoken = 'canary'\n[[profile.b]]\n[profiles.a]\n"
            ),
            [
                "1: base_url: this key belongs under a [profile.NAME]",
                "2: timeuot: unknown key",
                "4: profile.a.token: a token does not belong in this file: use token_command, token_file or token_env",
                "5: profile.b: found an array, wanted a table: write [profile.NAME]",
                "6: profiles: unknown key; did you mean profile?",
            ]
        );
    }

    #[test]
    fn a_token_command_is_words_and_not_a_line() {
        let wanted = "wanted an array of texts, like [\"pass\", \"show\", \"plants\"]";
        assert_eq!(
            faults(
                "[profile.a]\ntoken_command = 'pass canary'\n[profile.b]\ntoken_command = []\n[profile.c]\ntoken_command = [\n 'a',\n 2]\n"
            ),
            [
                format!("2: profile.a.token_command: found a text in quotes, {wanted}"),
                "4: profile.b.token_command: the command is empty: write it like [\"pass\", \"show\", \"plants\"]"
                    .to_owned(),
                format!("8: profile.c.token_command: found a number, {wanted}"),
            ]
        );
    }

    #[test]
    fn names_from_the_file_are_shown_harmlessly() {
        let shown = faults("[profile.\"a\\u001b[2J\"]\n\"x\\u202e\" = 1\n").join("");
        assert_eq!(shown, "2: profile.\"a␛[2J\".\"x‹U+202E›\": unknown key");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_one_fault() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("config.toml");
        let read = |presence| {
            let (_, faults) = ConfigFile::read(&path, presence, None);
            faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(read(Presence::Optional), "");
        assert!(read(Presence::Required).ends_with("config.toml: there is no such config file: check --config"));

        std::fs::write(&path, b"a = 1\n\xff").unwrap();
        assert!(
            read(Presence::Optional).ends_with("config.toml:2: the config file is not UTF-8 here: save it as UTF-8")
        );
        std::fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
        assert!(read(Presence::Optional).contains("longer than 1 MiB"));
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(read(Presence::Optional).contains("the config file cannot be read: "));
    }
}
