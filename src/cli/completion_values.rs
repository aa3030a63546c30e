//! The values that complete an argument, from the config file and the journal alone.
//!
//! Chooses the store as a command with the same flags would. Where anything is wrong, there are no values.

use std::ffi::OsStr;
use std::sync::Arc;

use clap::{Arg, Command, CommandFactory as _, FromArgMatches as _};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};

use crate::config::{Environment, Flags, Settings, StoreChoice, resolve};
use crate::domain::filter::{self, List, Unfinished};
use crate::domain::sentence::called;
use crate::journal::Suggestions;
use crate::text::clean;
use crate::tui::input::Keymap;
use crate::verbs::{Program, Values};

/// Gives every argument that names the kind of its values a completer, for a line with these words before the last.
pub(super) fn with_values(command: Command, before: &[String]) -> Command {
    give(command.mut_arg("profile", |profile| profile.add(Values::Profiles)), &before.to_vec().into())
}

fn give(command: Command, before: &Arc<[String]>) -> Command {
    let completed = |argument: Arg| {
        let Some(values) = argument.get::<Values>().copied() else { return argument };
        let before = Arc::clone(before);
        let complete = move |typed: &OsStr| typed.to_str().map(|typed| of_kind(values, typed, &before));
        argument.add(ArgValueCompleter::new(move |typed: &OsStr| complete(typed).unwrap_or_default()))
    };
    command.mut_args(completed).mut_subcommands(|verb| give(verb, before))
}

fn of_kind(values: Values, typed: &str, before: &[String]) -> Vec<CompletionCandidate> {
    let found = || -> Option<Vec<CompletionCandidate>> {
        let settings = settings(before)?;
        Some(match values {
            Values::Profiles => profiles(&settings, typed),
            Values::PlantIds => plant_ids(&mut journal(&settings)?, typed),
            Values::Tags => {
                let tags = journal(&settings)?.tags(typed).ok()?;
                tags.into_iter().filter(|tag| !tag.is_empty()).map(CompletionCandidate::new).collect()
            }
            Values::Entries => entries(&mut journal(&settings)?, typed),
            Values::Query(list) => query(list, &settings, typed)?,
            Values::EntriesOrQuery if typed.is_empty() => {
                let mut all = query(List::Requests, &settings, typed)?;
                all.extend(journal(&settings).map(|mut journal| entries(&mut journal, typed)).unwrap_or_default());
                all
            }
            Values::EntriesOrQuery if typed.bytes().all(|byte| byte.is_ascii_digit()) => {
                entries(&mut journal(&settings)?, typed)
            }
            Values::EntriesOrQuery => query(List::Requests, &settings, typed)?,
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
    match &settings.store {
        StoreChoice::Demo => None,
        StoreChoice::Deployed(connection) => Suggestions::open(&settings.data_dir, &connection.url).ok(),
    }
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

/// Completes the last word of a query: a tag of the list, a word that a field has, or the name of a field.
fn query(list: List, settings: &Settings, typed: &str) -> Option<Vec<CompletionCandidate>> {
    let Unfinished { before, field, value, is_quoted } = filter::unfinished(typed)?;
    let values: Vec<String> = match field {
        Some("tag") => {
            let tags = journal(settings)?.tags(value).ok()?;
            let written = |tag: String| {
                let is_whole = is_quoted && !tag.contains('"');
                if is_whole { Some(format!("\"{tag}\"")) } else { filter::quoted(&tag).filter(|_| !is_quoted) }
            };
            tags.into_iter().filter(|tag| !tag.is_empty()).filter_map(written).collect()
        }
        _ if is_quoted => Vec::new(),
        field => list.words_of(field).into_iter().filter(|word| word.starts_with(value)).collect(),
    };
    Some(values.into_iter().map(|value| CompletionCandidate::new(format!("{before}{value}"))).collect())
}

fn described(value: String, help: &str) -> CompletionCandidate {
    CompletionCandidate::new(value).help((!help.is_empty()).then(|| clean(help).into()))
}
