//! What the interface does with a line of the command language: all that it says, or nothing.

use crate::config::preference::Preference;
use crate::demo::WeatherPreset;
use crate::domain::{Plant, PlantId};
use crate::import::CONCURRENCY;
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::session::Session;
use crate::tui::ui_effect::Tab;
use crate::verbs::{
    AddArguments, CheckArguments, DeleteArguments, ExportArguments, HistoryArguments, ImportArguments, InterfaceVerb,
    JournalVerb, Line, ListArguments, Method, Output, ProfileArguments, ProfileVerb, ResolveArguments, RestoreArguments,
    Selection, Source, TeamVerb, Typed, Verb, shell_line, words_of_line,
};

/// What a line requests, as far as there is a screen, a form or a question for it.
pub(in crate::tui) enum OnScreen {
    Add(Given),
    Delete {
        selection: Selection,
        yes: bool,
    },
    Resolve {
        selection: Selection,
        method: Option<Method>,
        yes: bool,
    },
    /// Filters the list of a tab, or the one on screen.
    Filter {
        tab: Option<Tab>,
        query: String,
        sort: Option<String>,
    },
    Request(i64),
    /// The plant with this id; in the History, the request with this number.
    Number(i64),
    Import(String),
    Export(Option<String>),
    Check,
    /// Opens the store of this name.
    Profile(String),
    /// The column by which the list on screen is sorted.
    Sort(String),
    Weather(WeatherPreset),
    Prefer(Preference),
    Command(Command),
    /// The help of a verb.
    Help(String),
    /// The program does it once more, in the background, with the words of the line.
    Run(InBackground),
}

/// What a line says of a plant to add.
#[derive(Debug, Clone, Default)]
pub(in crate::tui) struct Given {
    pub name: Option<String>,
    pub id: Option<PlantId>,
    pub next_id: bool,
    pub tag: Option<String>,
    /// The number of the request that has the rest.
    pub from: Option<i64>,
}

impl Given {
    /// Returns the plant, if all of it is given and nothing is probably a slip.
    pub(in crate::tui) fn whole(&self, session: &Session) -> Option<Plant> {
        let Self { name: Some(name), id, next_id, tag: Some(tag), from: None } = self.clone() else { return None };
        let id = id.or_else(|| next_id.then(|| session.next_id()))?;
        let plant = Plant { name, id, tag };
        (plant.slips().is_empty() && session.plants.row(id).is_none()).then_some(plant)
    }
}

/// What the program does once more, in the background.
#[derive(Debug)]
pub(in crate::tui) struct InBackground {
    pub needs_store: bool,
    /// Whether it sends requests.
    pub sends: bool,
    /// The plant that it adds without a question.
    pub adds: Option<Given>,
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
        Line::Help(_) if !line.trim().contains(' ') => return Ok(OnScreen::Command(Command::Help)),
        Line::Help(text) => return Ok(OnScreen::Help(text)),
        Line::Typed(Typed::Token, _) => return Ok(OnScreen::Command(Command::ReplaceToken)),
        Line::Typed(Typed::Quit, _) => return Ok(OnScreen::Command(Command::Quit)),
        Line::Typed(Typed::Interface(verb), _) => return of_interface(verb),
        Line::Typed(Typed::Verb(verb), output) => (verb, output),
    };
    let is_plain = matches!(output, Output { format: None, json: false, quiet: false });
    let in_background = in_background(&verb);
    let on_screen = of_verb(verb).filter(|_| is_plain).map_or(in_background, Ok);
    let in_shell = || words_of_line(line).map_or_else(|_| format!("plants {line}"), |words| shell_line(&words));
    on_screen.map_err(|why| format!("{why}: {}", in_shell()))
}

/// Says what the interface does with a line, or why it does not; `None` if it is no whole line.
pub(super) fn does(line: &str, cx: &Context) -> Option<String> {
    if number(line).is_none() && Line::read(line).is_err() {
        return None;
    }
    Some(match read(line) {
        Err(why) => format!("not here: {why}"),
        Ok(OnScreen::Delete { yes: true, .. }) => "deletes".to_owned(),
        Ok(OnScreen::Delete { selection, .. }) if selection.plants.len() > 1 => {
            "asks about these plants, with".to_owned()
        }
        Ok(OnScreen::Delete { yes: false, .. }) => "asks whether to delete".to_owned(),
        Ok(OnScreen::Resolve { yes: true, .. }) => "resolves".to_owned(),
        Ok(OnScreen::Resolve { yes: false, .. }) => "asks about".to_owned(),
        Ok(OnScreen::Import(_)) => "reads the file and shows what would be sent".to_owned(),
        Ok(OnScreen::Export(_)) => "writes all plants into this file".to_owned(),
        Ok(OnScreen::Filter { tab, .. }) => {
            format!("shows only these lines in {}", tab.unwrap_or(cx.display.tab).title())
        }
        Ok(OnScreen::Number(_)) => "selects the plant with this id; in the History, opens the request".to_owned(),
        Ok(OnScreen::Help(_)) => "explains it".to_owned(),
        Ok(OnScreen::Add(given) | OnScreen::Run(InBackground { adds: Some(given), .. }))
            if given.whole(&cx.session).is_none() =>
        {
            "opens the form with it".to_owned()
        }
        Ok(OnScreen::Run(_)) => "runs in the background, and shows what it prints".to_owned(),
        Ok(_) => "does this, as in a shell".to_owned(),
    })
}

/// Whether the interface does it without a question.
pub(super) fn acts_at_once(line: &str) -> bool {
    matches!(
        read(line),
        Ok(OnScreen::Delete { yes: true, .. }
            | OnScreen::Resolve { yes: true, .. }
            | OnScreen::Export(Some(_))
            | OnScreen::Run(_))
    )
}

pub(super) fn is_help(line: &str) -> bool {
    matches!(Line::read(line), Ok(Line::Help(_)))
}

/// Says why what is typed is no line.
pub(super) fn fault(line: &str) -> Option<String> {
    Line::read(line).err()
}

/// Returns the number that the whole line is.
pub(super) fn number(line: &str) -> Option<i64> {
    line.trim().parse().ok()
}

fn of_interface(verb: InterfaceVerb) -> Result<OnScreen, String> {
    let unknown = |kind: &str, name: &str| format!("no {kind} is named {name}");
    Ok(match verb {
        InterfaceVerb::Filter { query: None } => OnScreen::Command(Command::Filter),
        InterfaceVerb::Filter { query: Some(query) } => OnScreen::Filter { tab: None, query, sort: None },
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

/// Returns that the program does it in the background, or why only a shell does.
fn in_background(verb: &Verb) -> Result<OnScreen, &'static str> {
    if verb.reads_stdin() {
        return Err("standard input is there in a shell alone");
    }
    match verb {
        Verb::Journal(JournalVerb::Restore(RestoreArguments { dry_run: false, .. })) => {
            Err("it replaces the journal that is open here: quit, and use a shell")
        }
        Verb::Team(TeamVerb::Join(_)) => Err("a journal joins while nothing else has it open: quit, and use a shell"),
        Verb::Import(ImportArguments { dry_run: false, .. }) => {
            Err("an import with these options is stopped with Ctrl-C: use a shell")
        }
        Verb::Serve(_) | Verb::Completions { .. } | Verb::Man { .. } => Err("this is done in a shell"),
        Verb::History(HistoryArguments { follow: true, .. }) => {
            Err("it does not end, and the History follows by itself; with these options, use a shell")
        }
        Verb::Check(_) if verb.asks() => Err("it asks first: add --yes, or use a shell"),
        _ if verb.asks() => Err("it asks first: add --yes or --dry-run, or use a shell"),
        _ => Ok(OnScreen::Run(InBackground {
            needs_store: verb.needs_store(),
            sends: verb.sends(),
            adds: match verb {
                Verb::Add(arguments) if verb.sends() => Some(given(arguments)),
                _ => None,
            },
        })),
    }
}

fn given(arguments: &AddArguments) -> Given {
    let AddArguments { tag, id, next_id, from, .. } = arguments;
    let name = arguments.name().map(str::to_owned);
    Given { name, id: *id, next_id: *next_id, tag: tag.clone(), from: *from }
}

/// Returns what a screen, a form or a question does in full; `None` if there is none for these options.
fn of_verb(verb: Verb) -> Option<OnScreen> {
    Some(match verb {
        Verb::Add(mut arguments) => {
            let given = given(&arguments);
            let Ok(Source::Arguments(_)) = arguments.source() else { return None };
            let AddArguments { dry_run: false, verbose: false, .. } = arguments else { return None };
            OnScreen::Add(given)
        }
        Verb::Delete(DeleteArguments { selection, yes, dry_run: false, verbose: false, keep_going: false }) => {
            OnScreen::Delete { selection, yes }
        }
        Verb::Resolve(arguments) => {
            let method = arguments.method();
            let ResolveArguments { mut selection, all, yes, dry_run: false, keep_going: false, .. } = arguments else {
                return None;
            };
            if all {
                selection.matching = Some("state:unknown".to_owned());
            }
            let is_complete = if selection.is_empty() { method.is_none() } else { method.is_some() || !yes };
            return is_complete.then_some(OnScreen::Resolve { selection, method, yes });
        }
        Verb::List(ListArguments { query, limit: None, sort, no_heading: false, complete: false }) => {
            OnScreen::Filter { tab: Some(Tab::Plants), query: query.join(" "), sort }
        }
        Verb::History(arguments) => {
            let number = arguments.number();
            // The History shows each request that is sent from now on.
            let HistoryArguments {
                query,
                limit: None,
                follow: _,
                shape: None,
                har: None,
                force: false,
                no_heading: false,
                complete: false,
            } = arguments
            else {
                return None;
            };
            match number {
                Some(number) => OnScreen::Request(number),
                None => OnScreen::Filter { tab: Some(Tab::History), query: query.join(" "), sort: None },
            }
        }
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
        }) => OnScreen::Import(file.display().to_string()),
        Verb::Export(ExportArguments { file, matching: None, force: false, spreadsheet: false, complete: false }) => {
            OnScreen::Export(file.map(|file| file.display().to_string()))
        }
        Verb::Check(CheckArguments {
            output: None,
            force: false,
            yes: false,
            only,
            gentle: false,
            pace: None,
            strict: false,
        }) if only.is_empty() => OnScreen::Check,
        // The name alone opens the store; `use` writes the config file.
        Verb::Profile(ProfileArguments { name: Some(name), .. }) => OnScreen::Profile(name),
        Verb::Profile(ProfileArguments { verb: None | Some(ProfileVerb::List), .. }) => {
            OnScreen::Command(Command::Connection)
        }
        Verb::Delete(_)
        | Verb::List(_)
        | Verb::Import(_)
        | Verb::Export(_)
        | Verb::Check(_)
        | Verb::Journal(_)
        | Verb::Team(_)
        | Verb::Profile(_)
        | Verb::Config { .. }
        | Verb::Paths
        | Verb::Serve(_)
        | Verb::Completions { .. }
        | Verb::Man { .. } => return None,
    })
}
