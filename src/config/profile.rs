//! One `[profile.NAME]` of the config file.
//!
//! Each profile is validated whether it is used or not; whether it can be used as it stands is
//! decided where the sources are put together.

use super::document::dotted;
use super::fault::{Given, Place};
use super::layer::Layer;
use super::setting::{
    ALLOW_HTTP, BASE_URL, CA_CERT, COLOR, PROXY, READ_ONLY, Setting, TIMEOUT, TOKEN_COMMAND, TOKEN_ENV, TOKEN_FILE,
};
use super::table::{Entry, Table};
use super::token_source::{TokenCommand, TokenSource};
use super::value::{CommandWords, VariableName};
use crate::domain::StoreUrl;

pub(super) struct Profile {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) layer: Layer,
}

impl Profile {
    /// Reads the table of `entry`.
    pub(super) fn read(entry: &Entry<'_>, mut table: Table<'_>) -> Self {
        let layer = Layer {
            base_url: table.entry(BASE_URL.key).map(|entry| Given { value: entry.value(), place: entry.place }),
            token_source: token_source(&mut table),
            timeout: table.value(TIMEOUT.key),
            ca_cert: table
                .entry(CA_CERT.key)
                .and_then(|entry| Some(Given { value: entry.path()?, place: entry.place })),
            color: table.value(COLOR.key),
            read_only: table.value(READ_ONLY.key),
            allow_http: table.value(ALLOW_HTTP.key),
            proxy: table.value(PROXY.key),
            ..Layer::default()
        };
        table.report_unknown(|key| {
            (key == "token")
                .then_some("a token does not belong in this file: use token_command, token_file or token_env")
        });
        Self { name: entry.name.to_owned(), place: entry.place.clone(), layer }
    }

    /// Its base URL, where it has one that can be used.
    pub(super) fn url(&self) -> Option<&StoreUrl> {
        self.layer.base_url.as_ref()?.value.as_ref()
    }

    /// Where its base URL would stand.
    pub(super) fn place_of_base_url(&self) -> Place {
        Place { key: dotted(&self.place.key, BASE_URL.key), ..self.place.clone() }
    }
}

/// Reads a token source from its entry.
type ReadSource = fn(&Entry<'_>) -> Option<TokenSource>;

const SOURCES: [(Setting, ReadSource); 3] = [
    (TOKEN_COMMAND, command),
    (TOKEN_FILE, |entry| entry.path().map(TokenSource::File)),
    (TOKEN_ENV, |entry| entry.value().map(|VariableName(name)| TokenSource::Env(name))),
];

fn token_source(table: &mut Table<'_>) -> Option<TokenSource> {
    let mut given: Vec<_> =
        SOURCES.iter().filter_map(|(setting, read)| Some((table.entry(setting.key)?, read))).collect();
    given.sort_by_key(|(entry, _)| entry.offset);
    if let Some(((first, _), others)) = given.split_first() {
        for (other, _) in others {
            let line = first.line();
            other.fault(format_args!("a token comes from one place, and {} is in line {line}", first.name));
        }
    }
    // Each is read, for the faults in it.
    given.iter().fold(None, |found, (entry, read)| read(entry).or(found))
}

fn command(entry: &Entry<'_>) -> Option<TokenSource> {
    let CommandWords(mut words) = entry.value()?;
    if let Some(program) = words.first_mut().filter(|program| program.contains('/')) {
        // Relative to the config file, and not to the folder that the program was started in.
        let found = entry.whole(program)?;
        if let Some(found) = found.to_str() {
            found.clone_into(program);
        }
    }
    // Which variables hold tokens is known once all profiles are read.
    Some(TokenSource::Command(TokenCommand { words, withheld: Vec::new() }))
}
