//! The values that complete an argument, from the config file and the journal alone.
//!
//! Chooses the store as a command with the same flags would. Where anything is wrong, there are no values.

use std::sync::Arc;

use clap::{Arg, Command, CommandFactory as _, FromArgMatches as _};
use clap_complete::engine::CompletionCandidate;

use crate::config::{Environment, Flags, Settings, resolve};
use crate::domain::filter::List;
use crate::domain::sentence::called;
use crate::journal::{Column, SortColumn as _, Suggestions};
use crate::text::clean;
use crate::tui::input::Keymap;
use crate::verbs::{Find, PlantWord, Program, Values, of_query, with_values};

/// Gives every argument that names the kind of its values a completer, for a line with these words before the last.
pub(super) fn completing(command: Command, before: &[String]) -> Command {
    let before = before.to_vec();
    let find: Find = Arc::new(move |values, typed| of_kind(values, typed, &before));
    let command = command.mut_arg("profile", |profile| profile.add(Values::Profiles));
    let kind = |argument: &Arg| argument.get::<Values>().copied().filter(|kind| *kind != Values::PlantFile);
    with_values(command, kind, &find)
}

fn of_kind(values: Values, typed: &str, before: &[String]) -> Vec<CompletionCandidate> {
    let found = || -> Option<Vec<CompletionCandidate>> {
        let settings = settings(before)?;
        Some(match values {
            Values::Profiles => profiles(&settings, typed),
            Values::PlantIds if !typed.is_empty() && matches!(typed.parse(), Ok(PlantWord::Name(_))) => {
                journal(&settings)?.names(typed).ok()?.into_iter().map(CompletionCandidate::new).collect()
            }
            Values::PlantIds => plant_ids(&mut journal(&settings)?, typed),
            Values::Tags => {
                let tags = journal(&settings)?.tags(typed).ok()?;
                tags.into_iter().filter(|tag| !tag.is_empty()).map(CompletionCandidate::new).collect()
            }
            Values::Entries => entries(&mut journal(&settings)?, typed),
            Values::Query(list) => query(list, &settings, typed),
            Values::EntriesOrQuery => {
                let is_number = typed.bytes().all(|byte| byte.is_ascii_digit());
                let queries =
                    if typed.is_empty() || !is_number { query(List::Requests, &settings, typed) } else { vec![] };
                let journal = is_number.then(|| journal(&settings)).flatten();
                let entries = journal.map(|mut journal| entries(&mut journal, typed));
                queries.into_iter().chain(entries.unwrap_or_default()).collect()
            }
            Values::Column => {
                let names = Column::ALL.iter().map(|column| column.name());
                names.filter(|name| name.starts_with(typed)).map(CompletionCandidate::new).collect()
            }
            // Of the palette alone, and paths, which the engine completes.
            Values::QueryHere
            | Values::Weather
            | Values::Theme
            | Values::Language
            | Values::Path
            | Values::PlantFile => return None,
        })
    };
    found().unwrap_or_default()
}

/// Resolves the settings of the flags among these words.
fn settings(before: &[String]) -> Option<Settings> {
    let matches = Program::command().ignore_errors(true).try_get_matches_from(before).ok()?;
    resolve(&Flags::from_arg_matches(&matches).ok()?, &Environment::read(), Keymap::faults).ok()
}

/// Opens the journal of the store of the settings, unless it is the demo store.
fn journal(settings: &Settings) -> Option<Suggestions> {
    Suggestions::open(&settings.data_dir, &settings.connection.as_ref()?.url).ok()
}

fn profiles(settings: &Settings, typed: &str) -> Vec<CompletionCandidate> {
    let begun = settings.profiles.iter().filter(|profile| profile.name.starts_with(typed));
    begun.map(|profile| described(profile.name.clone(), profile.base_url.as_deref().unwrap_or_default())).collect()
}

fn plant_ids(journal: &mut Suggestions, typed: &str) -> Vec<CompletionCandidate> {
    let rows = journal.plants(typed).unwrap_or_default();
    let help = |name: Option<&str>, tag: Option<&str>| match (name, tag) {
        (Some(name), Some(tag)) if !tag.is_empty() => format!("{name} ({tag})"),
        (name, _) => name.unwrap_or_default().to_owned(),
    };
    rows.iter().map(|row| described(row.id.to_string(), &help(row.name(), row.tag()))).collect()
}

fn entries(journal: &mut Suggestions, typed: &str) -> Vec<CompletionCandidate> {
    let entries = journal.entries(typed).unwrap_or_default();
    entries
        .iter()
        .map(|entry| {
            let plant = called(entry.plant, entry.name.as_deref());
            described(entry.number.to_string(), &format!("{} {plant}, {}", entry.verb, entry.outcome.word()))
        })
        .collect()
}

fn query(list: List, settings: &Settings, typed: &str) -> Vec<CompletionCandidate> {
    let tags = |start: &str| journal(settings).and_then(|mut journal| journal.tags(start).ok()).unwrap_or_default();
    of_query(list, typed, tags).into_iter().map(CompletionCandidate::new).collect()
}

fn described(value: String, help: &str) -> CompletionCandidate {
    CompletionCandidate::new(value).help((!help.is_empty()).then(|| clean(help).into()))
}
