//! The values that can be typed into a line of the palette, from what is loaded.

use std::collections::BTreeSet;
use std::path::Path;

use crate::config::preference::Preference;
use crate::config::{ConnectionTarget, LanguageChoice, ThemeChoice};
use crate::demo::WeatherPreset;
use crate::domain::file_format::FileFormat;
use crate::domain::filter::List;
use crate::domain::{Language, PlantId, sentence};
use crate::journal::{Column, HistoryColumn, SortColumn};
use crate::text::alternatives;
use crate::text::caseless::caseless;
use crate::text::similar::did_you_mean;
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::input::completion::{PathKind, PathMatches, PathQuery};
use crate::tui::screen::sorting::in_words;
use crate::tui::session::question::ids_of;
use crate::tui::ui_effect::Tab;
use crate::verbs::{Values, of_query};

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
        Values::Tags => tags(typed, cx),
        Values::Entries => of_typed(typed, "The number of a request in the History"),
        Values::Query(list) => query(list, typed, cx),
        Values::EntriesOrQuery => query(List::Requests, typed, cx),
        Values::QueryHere => query(cx.display.tab.list(), typed, cx),
        Values::Column => columns(typed, cx),
        Values::Weather => one_of("weather", typed, WeatherPreset::ALL.into_iter().map(|preset| weather(preset, cx))),
        Values::Profiles => profiles(typed, cx),
        Values::Path | Values::PlantFile => paths(typed, kind == Values::PlantFile, files),
        Values::Theme => {
            one_of("theme", typed, ThemeChoice::ALL.into_iter().map(|theme| preference(Preference::Theme(theme), cx)))
        }
        Values::Language => {
            let all = || LanguageChoice::ALL.into_iter().map(|language| preference(Preference::Language(language), cx));
            // Its name stands beside its code.
            let is_named = |choice: &Choice| {
                let typed = caseless(typed.trim());
                caseless(&choice.help).split([' ', '(', ')']).any(|word| !word.is_empty() && word == typed)
            };
            let named = all().find(is_named).map(|choice| choice.text);
            one_of("language", named.as_deref().unwrap_or(typed), all())
        }
    }
}

/// Takes any text.
fn of_typed(typed: &str, hint: &str) -> Choices {
    let choice = Choice { text: typed.to_owned(), help: String::new() };
    Choices { list: if typed.is_empty() { Vec::new() } else { vec![choice] }, hint: hint.to_owned() }
}

/// Finds the choices that begin with what is typed, or else contain it.
fn one_of(kind: &str, typed: &str, all: impl Iterator<Item = Choice>) -> Choices {
    let typed = caseless(typed.trim());
    let all: Vec<_> = all.collect();
    let known = alternatives(all.iter().map(|choice| choice.text.as_str()));
    let begins = |choice: &Choice| caseless(&choice.text).starts_with(&typed);
    let has_any = all.iter().any(begins);
    let is_meant = |choice: &Choice| if has_any { begins(choice) } else { caseless(&choice.text).contains(&typed) };
    let meant = did_you_mean(&typed, all.iter().map(|choice| choice.text.as_str()));
    let mut list: Vec<_> = all.into_iter().filter(is_meant).collect();
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
    let Choices { list, hint } = one_of("column", typed, all.into_iter());
    let hint = if reversed || list.is_empty() { hint } else { format!("{hint}; -name reverses the order") };
    Choices { list, hint }
}

/// Returns what sorting by each column of a list does.
fn sorts<C: SortColumn>(list: &str, reversed: bool) -> Vec<Choice> {
    let choice = |column: &C| Choice {
        text: format!("{}{}", if reversed { "-" } else { "" }, column.name()),
        help: format!("sorts the {list} by {}", in_words(*column, column.begins_descending() != reversed)),
    };
    C::ALL.iter().map(choice).collect()
}

fn weather(preset: WeatherPreset, cx: &Context) -> Choice {
    let id = ids_of(preset).0;
    let help = marked_in_use(&Language::En.hint(id), cx.session.info.demo && cx.session.weather == preset);
    Choice { text: Language::En.label(id), help }
}

fn preference(preference: Preference, cx: &Context) -> Choice {
    let (help, is_in_use) = match preference {
        Preference::Theme(theme) => {
            let help = match theme {
                ThemeChoice::Auto => "dark or light, like the terminal's background",
                ThemeChoice::Dark => "for a dark background",
                ThemeChoice::Light => "for a light background",
                ThemeChoice::HighContrast => "the strongest contrasts of the terminal",
                ThemeChoice::Mono => "no colour: bold, underlined and reversed",
            };
            (help, cx.display.theme == theme)
        }
        Preference::Language(language) => {
            let help = match language {
                LanguageChoice::Auto => "that of the locale",
                LanguageChoice::En => "English",
                LanguageChoice::De => "Deutsch (German)",
                LanguageChoice::Es => "español (Spanish)",
                LanguageChoice::Ja => "日本語 (Japanese)",
            };
            (help, cx.display.language == language)
        }
    };
    Choice { text: preference.word().to_owned(), help: marked_in_use(help, is_in_use) }
}

/// Describes a choice; of the present one, says that first, as the end of a line may be cut.
fn marked_in_use(help: &str, is_in_use: bool) -> String {
    format!("{}{help}", if is_in_use { "in use: " } else { "" })
}

/// Finds a profile, or another store that is known.
fn profiles(typed: &str, cx: &Context) -> Choices {
    let Choices { list, hint } = one_of("profile", typed, stores(cx));
    let is_new = list.is_empty() && !hint.ends_with('?');
    let hint = if is_new { format!("{hint}; {} makes a new one", cx.key(Command::Connection)) } else { hint };
    Choices { list, hint }
}

fn stores(cx: &Context) -> impl Iterator<Item = Choice> {
    let stores = &cx.session.stores;
    stores.known.iter().map(|store| {
        let location = match (&store.base_url, &store.target) {
            (Some(url), _) => url,
            (None, ConnectionTarget::Demo) => "inside this program",
            (None, _) => "",
        };
        Choice { text: store.name.clone(), help: marked_in_use(location, stores.is_here(store)) }
    })
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
    let choice =
        |(id, name): (PlantId, Option<&str>)| Choice { text: id.to_string(), help: sentence::called(id, name) };
    let mut list: Vec<_> = exact.chain(others).map(choice).collect();
    // A whole name means the plant with it, as in a shell, and never one that contains it.
    if rows.iter().any(|row| row.name().is_some_and(|name| caseless(name) == part)) {
        list.insert(0, Choice { text: typed.to_owned(), help: format!("the plant called {typed}") });
    }
    let hint = match &id {
        Err(why) if list.is_empty() && !typed.is_empty() => {
            format!("No plant with this name is on the list, and {why}")
        }
        _ => "An id, or a part of a name".to_owned(),
    };
    Choices { list, hint }
}

/// Offers the files that begin as typed, and before them what is typed, if it can be the name of such a file.
fn paths(typed: &str, of_plants: bool, files: Option<&Files>) -> Choices {
    let choice = |path: String| Choice {
        help: if path.ends_with('/') { "goes into this folder" } else { "" }.to_owned(),
        text: path,
    };
    let mut hint = if of_plants { "A path, with the ending .csv, .json or .ndjson" } else { "A path" }.to_owned();
    let mut list = Vec::new();
    match files {
        Some((query, Some(Ok(found)))) => {
            list.extend(found.names.iter().map(|name| format!("{}{name}", query.folder)));
            if found.count > found.names.len() || found.is_partial {
                hint = format!("{hint}; only the first names are listed");
            }
        }
        Some((_, Some(Err(why)))) => hint = format!("{hint}; nothing to complete: {why}"),
        Some((_, None)) | None => {}
    }
    let is_whole = if of_plants { FileFormat::of_file(Path::new(typed)).is_some() } else { !typed.is_empty() };
    if is_whole && !typed.ends_with('/') {
        list.retain(|path| path != typed);
        list.insert(0, typed.to_owned());
    }
    Choices { list: list.into_iter().map(choice).collect(), hint }
}

/// Finds the tags of the loaded plants that begin as typed, in order.
fn tags_in(typed: &str, cx: &Context) -> Vec<String> {
    let rows = &cx.session.plants.window.rows;
    let tags: BTreeSet<_> = rows.iter().filter_map(|row| row.tag()).filter(|tag| tag.starts_with(typed)).collect();
    tags.into_iter().map(str::to_owned).collect()
}

fn tags(typed: &str, cx: &Context) -> Choices {
    let Choices { mut list, hint } = of_typed(typed, "A tag");
    let others = tags_in(typed, cx).into_iter().filter(|tag| tag != typed && !tag.is_empty());
    list.extend(others.map(|text| Choice { text, help: "a tag in the list".to_owned() }));
    Choices { list, hint }
}

/// Takes what is typed, if it is a query, and completes its last word.
fn query(list: List, typed: &str, cx: &Context) -> Choices {
    let choice = |text| Choice { text, help: String::new() };
    let (_, fault) = list.parse(typed, &cx.local_time());
    let mut found = Vec::new();
    if !typed.trim().is_empty() {
        if fault.is_none() {
            found.push(choice(typed.to_owned()));
        }
        let others = of_query(list, typed, |start| tags_in(start, cx)).into_iter().filter(|text| text != typed);
        found.extend(others.map(choice));
    }
    let of_list = Tab::ALL.into_iter().find(|tab| tab.list() == list).unwrap_or_default();
    let title = if cx.display.tab.list() == list { cx.display.tab } else { of_list }.title();
    let examples = || format!("In {title}: {}", list.examples());
    let hint = fault.map_or_else(examples, |fault| format!("This is no filter: {fault}"));
    Choices { list: found, hint }
}
