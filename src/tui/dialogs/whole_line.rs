//! What the interface does with a line of the command language: all that it says, or nothing.

use crate::config::preference::Preference;
use crate::demo::WeatherPreset;
use crate::domain::PlantId;
use crate::import::CONCURRENCY;
use crate::tui::input::Command;
use crate::verbs::{
    AddArguments, CheckArguments, CompactArguments, DeleteArguments, ExportArguments, HistoryArguments,
    ImportArguments, InterfaceVerb, JournalArguments, JournalVerb, Line, ListArguments, Output, ProfileArguments,
    ProfileVerb, ResolveArguments, Selection, Source, TeamArguments, TeamVerb, TrimArguments, Typed, Verb,
};

/// What a line requests, as far as there is a screen, a form or a question for it.
pub(in crate::tui) enum OnScreen {
    Add {
        name: Option<String>,
        id: Option<PlantId>,
        next_id: bool,
        tag: Option<String>,
    },
    Delete {
        selection: Selection,
        yes: bool,
    },
    Resolve(Selection),
    List {
        query: String,
        sort: Option<String>,
    },
    Request(i64),
    /// The plant with this id; in the History, the request with this number.
    Number(i64),
    History {
        query: String,
    },
    Import(String),
    Export(Option<String>),
    Check,
    /// Opens the store of this name.
    Profile(String),
    Filter(String),
    /// The column by which the list on screen is sorted.
    Sort(String),
    Weather(WeatherPreset),
    Prefer(Preference),
    Command(Command),
    /// The program does it once more, in the background, with the words of the line.
    Run {
        needs_store: bool,
    },
}

/// Reads a line. Each verb has its options here, so that none is left out.
///
/// # Errors
///
/// The line is invalid, or says what only a shell does.
pub(in crate::tui) fn read(line: &str) -> Result<OnScreen, String> {
    if let Some(number) = number(line) {
        return Ok(OnScreen::Number(number));
    }
    let (verb, output) = match Line::read(line)? {
        Line::Help(_) => return Ok(OnScreen::Command(Command::Help)),
        Line::Typed(Typed::Token, _) => return Ok(OnScreen::Command(Command::ReplaceToken)),
        Line::Typed(Typed::Quit, _) => return Ok(OnScreen::Command(Command::Quit)),
        Line::Typed(Typed::Interface(verb), _) => return of_interface(verb),
        Line::Typed(Typed::Verb(verb), output) => (verb, output),
    };
    let is_plain = matches!(output, Output { format: None, json: false, quiet: false });
    let on_screen = match of_verb(verb) {
        Ok(OnScreen::Run { needs_store }) => Ok(OnScreen::Run { needs_store }),
        on_screen if is_plain => on_screen,
        Ok(_) | Err(_) => Err(WITH_OPTIONS),
    };
    on_screen.map_err(|why| format!("{why}: plants {line}"))
}

/// Returns whether the interface does what a line says, or why not; `None` if it is no whole line.
pub(super) fn offered(line: &str) -> Option<Result<(), String>> {
    let is_line = number(line).is_some() || matches!(Line::read(line), Ok(Line::Typed(..)));
    is_line.then(|| read(line).map(drop))
}

/// Returns the number that the whole line is.
pub(super) fn number(line: &str) -> Option<i64> {
    line.trim().parse().ok()
}

fn of_interface(verb: InterfaceVerb) -> Result<OnScreen, String> {
    let unknown = |kind: &str, name: &str| format!("no {kind} is named {name}");
    Ok(match verb {
        InterfaceVerb::Filter { query: None } => OnScreen::Command(Command::Filter),
        InterfaceVerb::Filter { query: Some(query) } => OnScreen::Filter(query),
        InterfaceVerb::Sort { column: None } => OnScreen::Command(Command::Sort),
        InterfaceVerb::Sort { column: Some(column) } => OnScreen::Sort(column),
        InterfaceVerb::Weather { name: None } => OnScreen::Command(Command::Weather),
        InterfaceVerb::Weather { name: Some(name) } => {
            let preset = WeatherPreset::ALL.into_iter().find(|preset| preset.words() == name);
            OnScreen::Weather(preset.ok_or_else(|| unknown("weather", &name))?)
        }
        InterfaceVerb::Theme { name } => {
            OnScreen::Prefer(Preference::Theme(name.parse().map_err(|_| unknown("theme", &name))?))
        }
        InterfaceVerb::Language { name } => {
            OnScreen::Prefer(Preference::Language(name.parse().map_err(|_| unknown("language", &name))?))
        }
    })
}

const WITH_OPTIONS: &str = "with these options it is for a shell";

const ASKS: &str = "it asks first: add --yes or --dry-run, or use a shell";

fn of_verb(verb: Verb) -> Result<OnScreen, &'static str> {
    let needs_store = verb.needs_store();
    match verb {
        Verb::Add(mut arguments) => {
            let Ok(Source::Arguments(name)) = arguments.source() else { return Err(WITH_OPTIONS) };
            match arguments {
                AddArguments { tag, id, next_id, from: None, dry_run: false, verbose: false, .. } => {
                    Ok(OnScreen::Add { name, id, next_id, tag })
                }
                AddArguments { .. } => Err(WITH_OPTIONS),
            }
        }
        Verb::Delete(DeleteArguments { selection, yes, dry_run: false, verbose: false, keep_going: false }) => {
            Ok(OnScreen::Delete { selection, yes })
        }
        Verb::Resolve(arguments) => match (arguments.method(), arguments) {
            (None, ResolveArguments { selection, all: false, yes: false, dry_run: false, keep_going: false, .. }) => {
                Ok(OnScreen::Resolve(selection))
            }
            (Some(_) | None, _) => Err(WITH_OPTIONS),
        },
        Verb::List(ListArguments { query, limit: None, sort, no_heading: false, complete: false }) => {
            Ok(OnScreen::List { query: query.join(" "), sort })
        }
        Verb::History(arguments) => match (arguments.number(), arguments) {
            (
                number,
                HistoryArguments {
                    query,
                    limit: None,
                    follow: false,
                    shape: None,
                    har: None,
                    force: false,
                    no_heading: false,
                    complete: false,
                },
            ) => Ok(number.map_or_else(|| OnScreen::History { query: query.join(" ") }, OnScreen::Request)),
            (_, HistoryArguments { .. }) => Err(WITH_OPTIONS),
        },
        Verb::Import(ImportArguments {
            file,
            dry_run: false,
            separator: None,
            skip_bad: false,
            concurrency: CONCURRENCY,
            rate: None,
            resend_unknown: false,
            resend_stored: false,
            keep_going: false,
        }) => Ok(OnScreen::Import(file.display().to_string())),
        Verb::Export(ExportArguments { file, matching: None, force: false, spreadsheet: false, complete: false }) => {
            Ok(OnScreen::Export(file.map(|file| file.display().to_string())))
        }
        Verb::Check(CheckArguments {
            output: None,
            force: false,
            yes: false,
            only,
            gentle: false,
            pace: None,
            strict: false,
        }) if only.is_empty() => Ok(OnScreen::Check),
        Verb::Profile(ProfileArguments { verb: Some(ProfileVerb::Use(profile)) }) => {
            Ok(OnScreen::Profile(profile.name))
        }
        Verb::Profile(ProfileArguments { verb: None | Some(ProfileVerb::List) }) => {
            Ok(OnScreen::Command(Command::Connection))
        }
        Verb::Journal(JournalArguments { verb: JournalVerb::Restore(_) }) => {
            Err("it replaces the journal that is open here: quit, and use a shell")
        }
        Verb::Team(TeamArguments { verb: TeamVerb::Join(_) }) => {
            Err("a journal joins while nothing else has it open: quit, and use a shell")
        }
        Verb::Journal(JournalArguments {
            verb: JournalVerb::Trim(TrimArguments { dry_run: false, yes: false, .. }),
        })
        | Verb::Team(TeamArguments { verb: TeamVerb::Compact(CompactArguments { dry_run: false, yes: false, .. }) }) => {
            Err(ASKS)
        }
        Verb::Profile(ProfileArguments { verb: Some(ProfileVerb::Show(_)) })
        | Verb::Journal(_)
        | Verb::Team(_)
        | Verb::Config(_)
        | Verb::Paths => Ok(OnScreen::Run { needs_store }),
        Verb::Delete(_) | Verb::List(_) | Verb::Import(_) | Verb::Export(_) | Verb::Check(_) => Err(WITH_OPTIONS),
        Verb::Serve(_) | Verb::Completions(_) | Verb::Man(_) => Err("this is done in a shell"),
    }
}
