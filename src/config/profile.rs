//! Reads one `[profile.NAME]` of the config file.
//!
//! Every profile is validated, whether it is used or not. Must not know which profile or base URL is used.

use super::document::dotted;
use super::fault::{Located, Location};
use super::layer::Layer;
use super::setting::{
    ALLOW_HTTP, AUTHOR, BASE_URL, CA_CERT, COLOR, PROXY, READ_ONLY, SETTINGS, Scope, TEAM, TEAM_ALLOW_PLAIN,
    TEAM_BODIES, TEAM_CA_CERT, TEAM_CREDENTIALS, TEAM_STORE, TEAM_TOKEN_COMMAND, TIMEOUT, TOKEN_COMMAND, TOKEN_ENV,
    TOKEN_FILE,
};
use super::table::{Entry, Table};
use super::token_source::{TokenCommand, TokenSource};
use super::value::{INVALID_VARIABLE_NAME, is_variable_name};
use crate::domain::StoreUrl;

pub(super) struct Profile {
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) layer: Layer,
}

impl Profile {
    /// Reads the table of `entry`.
    pub(super) fn read(entry: &Entry<'_>, mut table: Table<'_>) -> Self {
        let layer = Layer {
            base_url: table.entry(BASE_URL.key).map(|entry| Located {
                value: entry.parsed("a URL in quotes, like \"https://plants.example/api\""),
                location: entry.location,
            }),
            token_source: token_source(&mut table),
            timeout: table.read(TIMEOUT.key, |entry| entry.parsed("a duration in quotes, like \"30s\"")),
            ca_cert: table
                .read(CA_CERT.key, |entry| Some(Located { value: entry.path()?, location: entry.location.clone() })),
            color: table.read(COLOR.key, |entry| entry.choice("a color in quotes, like \"yellow\"")),
            read_only: table.read(READ_ONLY.key, Entry::switch),
            allow_http: table.read(ALLOW_HTTP.key, Entry::switch),
            proxy: table.read(PROXY.key, |entry| entry.parsed("a URL in quotes, like \"http://proxy.example:3128\"")),
            team: table.entry(TEAM.key).map(|entry| Located {
                value: entry.parsed("URLs in quotes, like \"nats://nats.example\""),
                location: entry.location,
            }),
            team_store: table.read(TEAM_STORE.key, |entry| entry.text("a name in quotes").map(str::to_owned)),
            team_credentials: table.read(TEAM_CREDENTIALS.key, Entry::path),
            team_token_command: table.read(TEAM_TOKEN_COMMAND.key, command),
            team_ca_cert: table.read(TEAM_CA_CERT.key, Entry::path),
            team_allow_plain: table.read(TEAM_ALLOW_PLAIN.key, Entry::switch),
            team_bodies: table.read(TEAM_BODIES.key, Entry::switch),
            author: table.read(AUTHOR.key, |entry| entry.parsed("a name in quotes, like \"ann@laptop\"")),
            ..Layer::default()
        };
        let is_of_the_top =
            |key: &str| SETTINGS.iter().any(|setting| setting.scope == Scope::Program && setting.key == key);
        table.report_unknown(|key, meant| match key {
            "token" => "a token does not belong in this file: use token_command, token_file or token_env".to_owned(),
            key if is_of_the_top(key) => "this key belongs at the top of the file, before any table".to_owned(),
            _ => format!("unknown key{meant}"),
        });
        Self { name: entry.name.to_owned(), location: entry.location.clone(), layer }
    }

    /// Returns the base URL, if there is a valid one.
    pub(super) fn url(&self) -> Option<&StoreUrl> {
        self.layer.base_url.as_ref()?.value.as_ref()
    }

    /// Returns where a missing base URL belongs.
    pub(super) fn base_url_location(&self) -> Location {
        Location { key: dotted(&self.location.key, BASE_URL.key), ..self.location.clone() }
    }
}

/// Reads all sources, to find every fault, and returns the last valid one.
fn token_source(table: &mut Table<'_>) -> Option<TokenSource> {
    let command = table.entry(TOKEN_COMMAND.key).map(|entry| (command(&entry), entry));
    let file = table.entry(TOKEN_FILE.key).map(|entry| (entry.path().map(TokenSource::File), entry));
    let variable = table.entry(TOKEN_ENV.key).map(|entry| (variable(&entry), entry));
    let mut given: Vec<_> = [command, file, variable].into_iter().flatten().collect();
    given.sort_by_key(|(_, entry)| entry.line);
    if let Some(((_, first), others)) = given.split_first() {
        for (_, other) in others {
            let (name, line) = (first.name, first.line);
            other.fault(format_args!("a profile has one source of its token, and {name} is in line {line}"));
        }
    }
    given.into_iter().rev().find_map(|(source, _)| source)
}

fn variable(entry: &Entry<'_>) -> Option<TokenSource> {
    let name = entry.text("the name of a variable in quotes")?;
    if !is_variable_name(name) {
        // Leaves out the text, which may be the token itself.
        entry.fault(INVALID_VARIABLE_NAME);
        return None;
    }
    Some(TokenSource::Env(name.to_owned()))
}

fn command(entry: &Entry<'_>) -> Option<TokenSource> {
    let mut words = entry.texts("an array of texts, like [\"pass\", \"show\", \"plants\"]")?;
    if words.iter().any(|word| word.contains('\0')) {
        entry.fault("a command cannot contain a NUL character");
        return None;
    }
    let Some(program) = words.first_mut().filter(|program| !program.is_empty()) else {
        entry.fault("the command is empty: write it like [\"pass\", \"show\", \"plants\"]");
        return None;
    };
    if program.contains('/') {
        // Relative to the config file, not to the working directory.
        if let Some(absolute) = entry.absolute(program)?.to_str() {
            absolute.clone_into(program);
        }
    }
    // The variables to withhold are known once all profiles are read.
    Some(TokenSource::Command(TokenCommand { words, withheld: Vec::new() }))
}
