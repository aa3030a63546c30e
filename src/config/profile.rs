//! One `[profile.NAME]` of the config file.
//!
//! Each profile is judged whether it is used or not; whether it can be used as it stands is
//! decided where the settings are put together.

use std::path::PathBuf;
use std::time::Duration;

use toml::de::DeTable;
use url::Url;

use super::choice::HeaderColor;
use super::document::dotted;
use super::reader::{At, Entry, Reader};
use super::token_source::{TokenCommand, TokenSource};
use super::value;
use crate::domain::StoreUrl;

/// The keys of a profile.
pub(super) const KEYS: [&str; 10] = [
    "base_url",
    "token_command",
    "token_file",
    "token_env",
    "timeout",
    "ca_cert",
    "color",
    "read_only",
    "allow_http",
    "proxy",
];

/// What a profile says; `None` where it says nothing, or nothing usable.
#[derive(Debug, Clone)]
pub(super) struct Profile {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) base_url: Option<At<StoreUrl>>,
    pub(super) token: Option<TokenSource>,
    pub(super) timeout: Option<Duration>,
    pub(super) ca_cert: Option<At<PathBuf>>,
    pub(super) color: Option<HeaderColor>,
    pub(super) read_only: bool,
    pub(super) allow_http: bool,
    pub(super) proxy: Option<Url>,
}

impl Profile {
    /// The full name of one of its keys.
    pub(super) fn key(&self, name: &str) -> String {
        dotted(&dotted("profile", &self.name), name)
    }

    /// Reads the table under the header `at`.
    pub(super) fn read(reader: &mut Reader<'_>, at: &Entry<'_, '_>, table: &DeTable<'_>) -> Self {
        let mut profile = Self {
            name: at.name.to_owned(),
            line: at.line,
            base_url: None,
            token: None,
            timeout: None,
            ca_cert: None,
            color: None,
            read_only: false,
            allow_http: false,
            proxy: None,
        };
        let mut token_from: Option<(String, usize)> = None;
        for entry in reader.entries(&at.key, table) {
            if matches!(entry.name, "token_command" | "token_file" | "token_env") {
                match &token_from {
                    Some((first, line)) => {
                        reader.fault(&entry, format!("a token comes from one place, and {first} is in line {line}"));
                    }
                    None => token_from = Some((entry.name.to_owned(), entry.line)),
                }
            }
            profile.take(reader, &entry);
        }
        profile
    }

    fn take(&mut self, reader: &mut Reader<'_>, entry: &Entry<'_, '_>) {
        let line = entry.line;
        match entry.name {
            "base_url" => {
                self.base_url = reader
                    .parsed(entry, "a URL in quotes, like \"https://plants.example/api\"", |raw| {
                        raw.parse().map_err(|fault: crate::domain::StoreUrlFault| fault.to_string())
                    })
                    .map(|value| At { value, line });
            }
            "token_command" => self.token = token_command(reader, entry),
            "token_file" => self.token = reader.path(entry).map(TokenSource::File),
            "token_env" => {
                self.token = reader
                    .parsed(entry, "the name of a variable in quotes", |raw| {
                        // Not quoted: it may be the token itself.
                        is_variable_name(raw).then(|| raw.to_owned()).ok_or_else(|| {
                            "this is no name of an environment variable: letters, digits and _, without $".to_owned()
                        })
                    })
                    .map(TokenSource::Env);
            }
            "timeout" => self.timeout = reader.parsed(entry, "a duration in quotes, like \"30s\"", value::timeout),
            "ca_cert" => self.ca_cert = reader.path(entry).map(|value| At { value, line }),
            "color" => {
                self.color = reader
                    .parsed(entry, "a color in quotes, like \"yellow\"", |raw| value::choice(raw, &HeaderColor::ALL));
            }
            "read_only" => self.read_only = reader.boolean(entry).unwrap_or_default(),
            "allow_http" => self.allow_http = reader.boolean(entry).unwrap_or_default(),
            "proxy" => {
                self.proxy = reader.parsed(entry, "a URL in quotes, like \"http://proxy.example:3128\"", value::proxy);
            }
            "token" => {
                reader.fault(entry, "a token does not belong in this file: use token_command, token_file or token_env");
            }
            unknown => reader.fault(entry, format!("unknown key{}", value::did_you_mean(unknown, &KEYS))),
        }
    }
}

/// Whether a shell could set a variable of this name.
pub(super) fn is_variable_name(name: &str) -> bool {
    let mut letters = name.bytes();
    let begins = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    begins && letters.all(|next| next.is_ascii_alphanumeric() || next == b'_')
}

fn token_command(reader: &mut Reader<'_>, entry: &Entry<'_, '_>) -> Option<TokenSource> {
    let mut words = reader.texts(entry, "an array of texts, like [\"pass\", \"show\", \"plants\"]")?;
    if words.first().is_none_or(String::is_empty) {
        reader.fault(entry, "the command is empty: write it like [\"pass\", \"show\", \"plants\"]");
        return None;
    }
    if words.iter().any(|word| word.contains('\0')) {
        reader.fault(entry, "a command cannot hold a NUL character");
        return None;
    }
    if let Some(program) = words.first_mut().filter(|program| program.contains('/')) {
        // Not wherever somebody happens to start.
        let found = reader.whole_path(entry, program)?;
        if let Some(found) = found.to_str() {
            found.clone_into(program);
        }
    }
    // Which variables hold tokens is known once all profiles are read.
    Some(TokenSource::Command(TokenCommand { words, withheld: Vec::new() }))
}
