//! What can follow a command in the palette: the possible arguments, and what each of them does.

use std::path::Path;

use crate::config::preference::Preference;
use crate::config::{ConnectionTarget, LanguageChoice, ThemeChoice};
use crate::demo::WeatherPreset;
use crate::domain::file_format::FileFormat;
use crate::domain::{PlantId, sentence};
use crate::journal::{Column, HistoryColumn, SortColumn};
use crate::text::alternatives;
use crate::text::caseless::caseless;
use crate::text::similar::did_you_mean;
use crate::tui::context::Context;
use crate::tui::input::completion::PathMatches;
use crate::tui::input::{Argument, Command};
use crate::tui::screen::sorting::in_words;
use crate::tui::session::draft::Draft;
use crate::tui::session::question::Act;
use crate::tui::ui_effect::{Open, Tab, UiEffect};

/// One possible argument.
pub(super) struct Choice {
    /// As it is typed.
    pub(super) text: String,
    pub(super) help: String,
    pub(super) effect: UiEffect,
}

/// The arguments that what is typed can mean.
pub(super) struct Choices {
    pub(super) list: Vec<Choice>,
    /// What the argument is; where `list` is empty, why what is typed is none.
    pub(super) hint: String,
}

/// The files that begin like a typed path.
#[derive(Debug)]
pub(super) enum Files {
    /// The folder as typed, and what is in it.
    Found(String, PathMatches),
    /// Why the folder cannot be read.
    Unreadable(String),
}

/// `files` are those that begin like what is typed, once they were read.
pub(super) fn choices(argument: Argument, typed: &str, files: Option<&Files>, cx: &Context) -> Choices {
    match argument {
        Argument::Name => new_plant(typed, cx),
        Argument::PlantId => plants(typed.trim(), cx),
        Argument::Filter => filter(typed, cx),
        Argument::Column => columns(typed, cx),
        Argument::Weather => one_of("weather", typed, WeatherPreset::ALL.into_iter().map(weather)),
        Argument::Profile => profiles(typed, cx),
        Argument::ImportFile => paths(typed, files, "reads the file and shows what would be sent", Open::Import),
        Argument::ExportFile => paths(typed, files, "writes all plants into this file", Open::Export),
        Argument::Theme => one_of("theme", typed, ThemeChoice::ALL.into_iter().map(|choice| theme(choice, cx))),
        Argument::Language => {
            one_of("language", typed, LanguageChoice::ALL.into_iter().map(|choice| language(choice, cx)))
        }
    }
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
    let list: Vec<_> = all.into_iter().filter(is_meant).collect();
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
    let choice = |(at, column): (usize, &C)| Choice {
        text: format!("{}{}", if reversed { "-" } else { "" }, column.name()),
        help: format!("sorts the {list} by {}", in_words(*column, column.begins_descending() != reversed)),
        effect: UiEffect::Sort { column: at, reversed },
    };
    C::ALL.iter().enumerate().map(choice).collect()
}

fn weather(preset: WeatherPreset) -> Choice {
    let effect = UiEffect::Do(Act::Weather(preset));
    Choice { text: preset.words().to_owned(), help: preset.help().to_owned(), effect }
}

fn theme(theme: ThemeChoice, cx: &Context) -> Choice {
    let help = match theme {
        ThemeChoice::Auto => "dark or light, like the terminal's background",
        ThemeChoice::Dark => "for a dark background",
        ThemeChoice::Light => "for a light background",
        ThemeChoice::HighContrast => "the strongest contrasts of the terminal",
        ThemeChoice::Mono => "no colour: bold, underlined and reversed",
    };
    preference(Preference::Theme(theme), help, cx.display.theme == theme)
}

fn language(language: LanguageChoice, cx: &Context) -> Choice {
    let help = match language {
        LanguageChoice::Auto => "that of the locale",
        LanguageChoice::En => "English",
        LanguageChoice::De => "Deutsch",
        LanguageChoice::Es => "español",
        LanguageChoice::Ja => "日本語",
    };
    preference(Preference::Language(language), help, cx.display.language == language)
}

fn preference(preference: Preference, help: &str, is_now: bool) -> Choice {
    let now = if is_now { ", now" } else { "" };
    Choice { text: preference.word().to_owned(), help: format!("{help}{now}"), effect: UiEffect::Prefer(preference) }
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
        let open = if stores.is_here(store) { ", open now" } else { "" };
        let effect = UiEffect::Open(Open::Stores(Some(store.target.clone())));
        Choice { text: store.name.clone(), help: format!("{location}{open}"), effect }
    })
}

fn new_plant(typed: &str, cx: &Context) -> Choices {
    let name = typed.trim();
    let draft = Draft::given(Some(name), Err(cx.session.next_id()), None);
    let choice = Choice {
        text: typed.to_owned(),
        help: format!("opens the form, with the name {name}"),
        effect: UiEffect::Open(Open::Add(Box::new(draft))),
    };
    // Options are of a whole line.
    let list = if name.is_empty() || name.contains("--") { Vec::new() } else { vec![choice] };
    Choices { list, hint: "The name of the new plant".to_owned() }
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
    let choice = |(id, name): (PlantId, Option<&str>)| Choice {
        text: id.to_string(),
        help: format!("asks whether to delete {}", sentence::called(id, name)),
        effect: UiEffect::Open(Open::DeleteById(Some(id))),
    };
    let list: Vec<_> = exact.chain(others).map(choice).collect();
    let hint = match &id {
        Err(why) if list.is_empty() && !typed.is_empty() => {
            format!("No plant with this name is on the list, and {why}")
        }
        _ => "An id, or a part of a name".to_owned(),
    };
    Choices { list, hint }
}

/// Offers the files that begin as typed, and before them what is typed, if its ending is one of the formats.
fn paths(typed: &str, files: Option<&Files>, help: &str, open: impl Fn(Option<String>) -> Open) -> Choices {
    let choice = |path: String| Choice {
        help: if path.ends_with('/') { "goes into this folder".to_owned() } else { help.to_owned() },
        effect: UiEffect::Open(open(Some(path.clone()))),
        text: path,
    };
    let mut hint = "A path, with the ending .csv, .json or .ndjson".to_owned();
    let mut list = Vec::new();
    match files {
        Some(Files::Found(folder, found)) => {
            list.extend(found.names.iter().map(|name| format!("{folder}{name}")));
            if found.count > found.names.len() || found.is_partial {
                hint = format!("{hint}; only the first names are listed");
            }
        }
        Some(Files::Unreadable(why)) => hint = format!("{hint}; nothing to complete: {why}"),
        None => {}
    }
    if FileFormat::of_file(Path::new(typed)).is_some() {
        list.retain(|path| path != typed);
        list.insert(0, typed.to_owned());
    }
    Choices { list: list.into_iter().map(choice).collect(), hint }
}

fn filter(typed: &str, cx: &Context) -> Choices {
    let (tab, list) = (cx.display.tab.title(), cx.display.tab.list());
    let (filter, fault) = list.parse(typed, &cx.local_time());
    let examples = list.examples().join(" ");
    let choice = Choice {
        text: typed.to_owned(),
        help: format!("shows only these lines in {tab}"),
        effect: UiEffect::Filter(typed.to_owned()),
    };
    let is_valid = fault.is_none() && !filter.is_empty();
    let hint = fault.map_or_else(|| format!("In {tab}: {examples}"), |fault| format!("This is no filter: {fault}"));
    Choices { list: if is_valid { vec![choice] } else { Vec::new() }, hint }
}
