//! The values that can be typed into a line of the palette, from what is loaded.

use std::collections::BTreeSet;
use std::path::Path;

use crate::config::{ConnectionTarget, LanguageChoice, ThemeChoice};
use crate::demo::WeatherPreset;
use crate::domain::file_format::FileFormat;
use crate::domain::filter::List;
use crate::domain::plant::IdFault;
use crate::domain::{Language, PlantId, sentence};
use crate::journal::{Column, HistoryColumn, SortColumn};
use crate::text::caseless::caseless;
use crate::text::similar::did_you_mean;
use crate::text::{alternatives, capitalized};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::input::completion::{PathKind, PathMatches, PathQuery};
use crate::tui::screen::sorting::in_words;
use crate::tui::session::question::ids_of;
use crate::tui::ui_effect::Tab;
use crate::verbs::{Values, no_plant_called, of_query};

/// One possible value.
pub(super) struct Choice {
    /// As it is typed, without quotes.
    pub(super) text: String,
    /// Empty if there is nothing to say but what the line does.
    pub(super) help: String,
}

/// The values that what is typed can mean: itself, if it is one, and those that it begins.
pub(super) struct Choices {
    pub(super) list: Vec<Choice>,
    /// What the value is; where `list` is empty, why what is typed is none.
    pub(super) hint: String,
}

/// A typed path, and once they were read, the files that begin like it, or why its folder cannot be read.
pub(super) type Files = (PathQuery, Option<Result<PathMatches, String>>);

/// Returns the files that complete a value of this kind, if it is a path.
pub(super) fn path_kind(kind: Values) -> Option<PathKind> {
    let is_of_plants = kind == Values::PlantFile;
    (is_of_plants || kind == Values::Path).then_some(if is_of_plants { PathKind::Plants } else { PathKind::Any })
}

/// `files` are those of the path that is typed, if it is one.
pub(super) fn choices(kind: Values, typed: &str, files: Option<&Files>, cx: &Context) -> Choices {
    match kind {
        Values::PlantIds => plants(typed.trim(), cx),
        Values::Tags => typed_or(typed, true, tags_in(typed, cx), "A tag"),
        Values::Entries => typed_or(typed, true, Vec::new(), "The number of a request in the History"),
        Values::Query(list) => query(list, typed, cx),
        Values::EntriesOrQuery => query(List::Requests, typed, cx),
        Values::QueryHere => query(cx.display.tab.list(), typed, cx),
        Values::Column => columns(typed, cx),
        Values::Weather => one_of("weather", typed, WeatherPreset::ALL.map(|preset| weather(preset, cx))),
        Values::Profiles => profiles(typed, cx),
        Values::Path | Values::PlantFile => paths(typed, kind == Values::PlantFile, files),
        Values::Theme => one_of("theme", typed, ThemeChoice::ALL.map(|theme| of_theme(theme, cx))),
        Values::Language => one_of("language", typed, LanguageChoice::ALL.map(|language| of_language(language, cx))),
    }
}

impl Choice {
    /// Of the present one, says that first, as the end of a line may be cut.
    fn new(text: impl Into<String>, help: &str, is_in_use: bool) -> Self {
        Self { text: text.into(), help: format!("{}{help}", if is_in_use { "in use: " } else { "" }) }
    }
}

/// Offers what is typed, if it can be a value, and then the others.
fn typed_or(typed: &str, is_value: bool, mut others: Vec<String>, hint: impl Into<String>) -> Choices {
    others.retain(|other| other != typed);
    if is_value && !typed.is_empty() {
        others.insert(0, typed.to_owned());
    }
    Choices { list: others.into_iter().map(|text| Choice::new(text, "", false)).collect(), hint: hint.into() }
}

/// Finds the choices that begin with what is typed, or else those that contain it; a language, also by its names.
fn one_of(kind: &str, typed: &str, all: impl IntoIterator<Item = Choice>) -> Choices {
    let typed = caseless(typed.trim());
    let all: Vec<_> = all.into_iter().collect();
    let known = alternatives(all.iter().map(|choice| choice.text.as_str()));
    let meant = did_you_mean(&typed, all.iter().map(|choice| choice.text.as_str()));
    let ways: [fn(&Choice, &str) -> bool; 3] = [
        |choice, typed| caseless(&choice.text).starts_with(typed),
        |choice, typed| caseless(&choice.text).contains(typed),
        |choice, typed| caseless(&choice.help).split([' ', '(', ')']).any(|word| word == typed),
    ];
    let mut ways = ways.into_iter().take(if kind == "language" { 3 } else { 2 });
    let way = ways.find(|is_meant| all.iter().any(|choice| is_meant(choice, &typed)));
    let mut list: Vec<_> =
        all.into_iter().filter(|choice| way.is_some_and(|is_meant| is_meant(choice, &typed))).collect();
    // A whole name means this one, and never one that begins so.
    list.sort_by_key(|choice| caseless(&choice.text) != typed);
    let hint = match (known.is_empty(), list.is_empty()) {
        (true, _) => "There is none to choose".to_owned(),
        (false, true) => format!("No {kind} is named {typed}: use {known}{meant}"),
        (false, false) => known,
    };
    Choices { list, hint }
}

/// Finds a column of the History, or in other tabs of the plants; `-` before it stands for the other direction.
fn columns(typed: &str, cx: &Context) -> Choices {
    let reversed = typed.trim_start().starts_with('-');
    let all = match cx.display.tab {
        Tab::History => sorts::<HistoryColumn>("requests", reversed),
        Tab::Plants | Tab::Check | Tab::Greenhouse => sorts::<Column>("plants", reversed),
    };
    let mut found = one_of("column", typed, all);
    if !reversed && !found.list.is_empty() {
        found.hint.push_str("; -name reverses the order");
    }
    found
}

/// Returns what sorting by each column of a list does.
fn sorts<C: SortColumn>(list: &str, reversed: bool) -> Vec<Choice> {
    let choice = |column: &C| {
        let order = in_words(*column, column.begins_descending() != reversed);
        let dash = if reversed { "-" } else { "" };
        Choice::new(format!("{dash}{}", column.name()), &format!("sorts the {list} by {order}"), false)
    };
    C::ALL.iter().map(choice).collect()
}

fn weather(preset: WeatherPreset, cx: &Context) -> Choice {
    let (id, is_in_use) = (ids_of(preset).0, cx.session.info.demo && cx.session.weather == preset);
    Choice::new(Language::En.label(id), &Language::En.hint(id), is_in_use)
}

fn of_theme(theme: ThemeChoice, cx: &Context) -> Choice {
    let help = match theme {
        ThemeChoice::Auto => "dark or light, like the terminal's background",
        ThemeChoice::Dark => "for a dark background",
        ThemeChoice::Light => "for a light background",
        ThemeChoice::HighContrast => "the strongest contrasts of the terminal",
        ThemeChoice::Mono => "no colour: bold, underlined and reversed",
    };
    Choice::new(theme.word(), help, cx.display.theme == theme)
}

fn of_language(language: LanguageChoice, cx: &Context) -> Choice {
    let help = match language {
        LanguageChoice::Auto => "that of the locale",
        LanguageChoice::En => "English",
        LanguageChoice::De => "Deutsch (German)",
        LanguageChoice::Es => "español (Spanish)",
        LanguageChoice::Ja => "日本語 (Japanese)",
    };
    Choice::new(language.word(), help, cx.display.language == language)
}

/// Finds a profile, or another store that is known.
fn profiles(typed: &str, cx: &Context) -> Choices {
    let stores = &cx.session.stores;
    let all = stores.known.iter().map(|store| {
        let location = match (&store.base_url, &store.target) {
            (Some(url), _) => url,
            (None, ConnectionTarget::Demo) => "inside this program",
            (None, _) => "",
        };
        Choice::new(&store.name, location, stores.is_here(store))
    });
    let mut found = one_of("profile", typed, all);
    if found.list.is_empty() && !found.hint.ends_with('?') {
        found.hint = format!("{}; {} makes a new one", found.hint, cx.key(Command::Connection));
    }
    found
}

/// Finds the plant with the typed id, and the loaded ones whose id begins with it or whose name contains it.
fn plants(typed: &str, cx: &Context) -> Choices {
    let id = typed.parse::<PlantId>();
    let part = caseless(typed);
    let rows = &cx.session.plants.window.rows;
    let name_of = |id: PlantId| rows.iter().find(|row| row.id == id).and_then(|row| row.name());
    let is_meant = |(id, name): &(PlantId, Option<&str>)| {
        id.to_string().starts_with(typed) || name.is_some_and(|name| caseless(name).contains(&part))
    };
    let others = rows.iter().map(|row| (row.id, row.name())).filter(|row| Ok(row.0) != id).filter(is_meant);
    let exact = id.iter().map(|id| (*id, name_of(*id)));
    let choice = |(id, name): (PlantId, _)| Choice::new(id.to_string(), &sentence::called(id, name), false);
    let mut list: Vec<_> = exact.chain(others).map(choice).collect();
    // A whole name means the plant with it, as in a shell, and never one that contains it.
    if rows.iter().any(|row| row.name().is_some_and(|name| caseless(name) == part)) {
        list.insert(0, Choice::new(typed, &format!("the plant called {typed}"), false));
    }
    let hint = match &id {
        Err(IdFault::NotANumber) if list.is_empty() && !typed.is_empty() => capitalized(&no_plant_called(typed)),
        Err(why) if list.is_empty() && !typed.is_empty() => capitalized(&why.to_string()),
        _ => "An id, or a part of a name".to_owned(),
    };
    Choices { list, hint }
}

/// Offers the files that begin as typed, and before them what is typed, if it can be the name of such a file.
fn paths(typed: &str, of_plants: bool, files: Option<&Files>) -> Choices {
    let mut hint = if of_plants { "A path, with the ending .csv, .json or .ndjson" } else { "A path" }.to_owned();
    let mut list = Vec::new();
    match files {
        Some((query, Some(Ok(found)))) => {
            list.extend(found.names.iter().map(|name| format!("{}{name}", query.folder)));
            if found.count > found.names.len() || found.is_partial {
                hint.push_str("; only the first names are listed");
            }
        }
        Some((_, Some(Err(why)))) => hint = format!("{hint}; nothing to complete: {why}"),
        Some((_, None)) | None => {}
    }
    let is_file = !of_plants || FileFormat::of_file(Path::new(typed)).is_some();
    let mut found = typed_or(typed, is_file && !typed.ends_with('/'), list, hint);
    for folder in found.list.iter_mut().filter(|choice| choice.text.ends_with('/')) {
        "goes into this folder".clone_into(&mut folder.help);
    }
    found
}

/// Finds the tags of the loaded plants that begin as typed, in order.
fn tags_in(typed: &str, cx: &Context) -> Vec<String> {
    let tags = cx.session.plants.window.rows.iter().filter_map(|row| row.tag());
    let tags: BTreeSet<_> = tags.filter(|tag| !tag.is_empty() && tag.starts_with(typed)).collect();
    tags.into_iter().map(str::to_owned).collect()
}

/// Takes what is typed, if it is a query, and completes its last word.
fn query(list: List, typed: &str, cx: &Context) -> Choices {
    let (_, fault) = list.parse(typed, &cx.local_time());
    let is_typed = !typed.trim().is_empty();
    let others = if is_typed { of_query(list, typed, |start| tags_in(start, cx)) } else { Vec::new() };
    let of_list = Tab::ALL.into_iter().find(|tab| tab.list() == list).unwrap_or_default();
    let title = if cx.display.tab.list() == list { cx.display.tab } else { of_list }.title();
    let is_query = is_typed && fault.is_none();
    let examples = || format!("In {title}: {}", list.examples());
    let hint = fault.map_or_else(examples, |fault| format!("This is no filter: {fault}"));
    typed_or(typed, is_query, others, hint)
}
