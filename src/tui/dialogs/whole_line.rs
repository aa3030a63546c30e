//! What the interface does with a line of the command language: all that it says, or nothing.

use super::values::Choice;
use crate::config::preference::Preference;
use crate::demo::WeatherPreset;
use crate::domain::filter::List;
use crate::domain::sentence::{called, row_called};
use crate::domain::{Language, Plant, Resolution, Row, State};
use crate::text::number_format::counted;
use crate::tui::context::Context;
use crate::tui::input::{Answer, Command, Scope};
use crate::tui::message::CommandOutput;
use crate::tui::session::hidden::{hides_row, is_about_rows};
use crate::tui::session::question::{Several, ids_of};
use crate::tui::session::{AboutSeveral, Session};
use crate::tui::ui_effect::{Open, Reading, Tab};
use crate::verbs::{
    AddArguments, CheckArguments, DeleteArguments, ExportArguments, HistoryArguments, ImportArguments, InterfaceVerb,
    JournalVerb, Line, ListArguments, Method, Output, PlantWord, ProfileArguments, ProfileVerb, ResolveArguments,
    RestoreArguments, Selection, Typed, Verb, shell_line, words_of_line,
};

/// What a line requests, as far as there is a screen, a form or a question for it.
pub(in crate::tui) enum OnScreen {
    Add(AddArguments),
    /// Asks about the plants that are named, or that match.
    About(Selection, AboutSeveral),
    /// Filters the list of a tab, or the one on screen.
    Filter {
        tab: Option<Tab>,
        query: String,
        sort: Option<String>,
    },
    Request(i64),
    /// The plant with this id; in the History, the request with this number.
    Number(i64),
    Open(Open),
    /// Opens the store of this name.
    Profile(String),
    /// The column by which the list on screen is sorted.
    Sort(String),
    Weather(WeatherPreset),
    Prefer(Preference),
    /// What a key of this scope does.
    Command(Scope, Command),
    /// The program does it once more, in the background, with the words of the line.
    Run(Verb),
    /// Only a shell does it, for this reason; or it names what there is not.
    NotHere(String),
}

/// Returns the plant to add, if all of it is given and nothing is probably a slip.
pub(in crate::tui) fn whole_plant(given: &AddArguments, session: &Session) -> Option<Plant> {
    let (Some(name), Some(tag), None) = (given.name(), &given.tag, given.from) else { return None };
    let id = given.id.or_else(|| given.next_id.then(|| session.next_id()))?;
    let plant = Plant { name: name.to_owned(), id, tag: tag.clone() };
    (plant.slips().is_empty() && session.plants.row(id).is_none()).then_some(plant)
}

/// Reads a line. Each verb has its options here, so that none is left out.
///
/// # Errors
///
/// Says why it is no line.
pub(in crate::tui) fn read(line: &str) -> Result<OnScreen, String> {
    if let Some(number) = number(line) {
        return Ok(OnScreen::Number(number));
    }
    let (verb, output) = match Line::read(line)? {
        Line::Help(_) if !line.trim().contains(' ') => return Ok(of_tabs(Command::Help)),
        Line::Help(text) => {
            let (name, printed) = (line.to_owned(), text.into_bytes());
            let output = CommandOutput { name, printed, cut_at: None, failure: None };
            return Ok(OnScreen::Open(Open::Pager(Reading::Output(Box::new(output)))));
        }
        Line::Typed(Typed::Token, _) => return Ok(of_tabs(Command::ReplaceToken)),
        Line::Typed(Typed::Quit, _) => return Ok(of_tabs(Command::Quit)),
        Line::Typed(Typed::Interface(verb), _) => {
            return Ok(of_interface(verb).unwrap_or_else(OnScreen::NotHere));
        }
        Line::Typed(Typed::Verb(verb), output) => (verb, output),
    };
    let is_plain = matches!(output, Output { format: None, json: false, quiet: false });
    let on_screen = of_verb(&verb).filter(|_| is_plain && !verb.reads_stdin());
    Ok(on_screen.unwrap_or_else(|| {
        in_background(verb).unwrap_or_else(|why| {
            let in_shell = words_of_line(line).map_or_else(|_| format!("plants {line}"), |words| shell_line(&words));
            OnScreen::NotHere(format!("{why}: {in_shell}"))
        })
    }))
}

impl OnScreen {
    /// Says what it does, with this value at the end of its line.
    pub(super) fn does(&self, value: Option<&Choice>, cx: &Context) -> String {
        match self {
            Self::NotHere(why) => format!("not here: {why}"),
            Self::About(selection, about) => {
                let (asks, verb, end) = match (&about.kind, about.choice) {
                    (Several::Forget, _) => ("whether", "forget", ""),
                    (_, Some(Answer::Stored)) => ("whether", "mark", " as stored"),
                    (_, Some(Answer::SendAgain)) => ("whether", "send", " again"),
                    (Several::Resolve, None) => ("how", "resolve", ""),
                    _ => ("whether", "delete", ""),
                };
                match plants_of(selection, &about.kind, value, cx) {
                    None => "does nothing: no plant in the list matches".to_owned(),
                    Some(plants) if about.yes => format!("{verb}s {plants}{end}"),
                    Some(plants) => format!("asks {asks} to {verb} {plants}{end}"),
                }
            }
            Self::Command(_, Command::DeleteById) => "asks which plant to delete".to_owned(),
            Self::Command(_, Command::Resolve) => {
                let unknown = counted(cx.session.unknown_plants() as u64, "unknown plant", "unknown plants");
                format!("asks how to resolve {unknown}")
            }
            Self::Open(Open::Import(_)) => "reads the file and shows what would be sent".to_owned(),
            Self::Open(Open::Export(_)) => "writes all plants into this file".to_owned(),
            Self::Open(_) => "explains it".to_owned(),
            Self::Filter { tab, .. } => {
                format!("shows only these lines in {}", tab.unwrap_or(cx.display.tab).title())
            }
            Self::Number(_) => "selects the plant with this id; in the History, opens the request".to_owned(),
            Self::Add(given) | Self::Run(Verb::Add(given)) if opens_form(given, &cx.session) => {
                "opens the form with it".to_owned()
            }
            Self::Run(_) => "runs in the background, and shows what it prints".to_owned(),
            Self::Add(_)
            | Self::Request(_)
            | Self::Profile(_)
            | Self::Sort(_)
            | Self::Weather(_)
            | Self::Prefer(_)
            | Self::Command(..) => "does the same as in a shell".to_owned(),
        }
    }

    /// Whether it is done without a question.
    pub(super) fn acts_at_once(&self) -> bool {
        match self {
            Self::About(_, about) => about.yes,
            done => matches!(done, Self::Open(Open::Export(Some(_))) | Self::Run(_)),
        }
    }

    pub(super) fn is_help(&self) -> bool {
        matches!(self, Self::Open(Open::Pager(_)))
    }
}

/// Names one of the plants that a line is about, the last one that is typed or this value, and counts the others. Of a
/// query, `None` if no plant matches; where it is invalid, or the loaded rows do not show which ones match, they are not
/// named.
fn plants_of(selection: &Selection, kind: &Several, value: Option<&Choice>, cx: &Context) -> Option<String> {
    let (one, others) = if let Some(query) = &selection.matching {
        let filter = List::Plants.parse_naming(value.map_or(query, |value| &value.text), &cx.local_time());
        let known = filter.ok().filter(is_about_rows).zip(cx.session.plants.whole_list());
        let Some((filter, rows)) = known else { return Some("all that match".to_owned()) };
        let is_meant = |row: &&Row| match kind {
            Several::Resolve => row.state == State::Unknown,
            Several::Forget => matches!(row.state, State::Stored | State::Unknown),
            Several::Delete | Several::Undo(_) | Several::ReAdd(_) => row.state != State::Deleting,
        };
        let mut meant = rows.iter().filter(is_meant).filter(|row| !hides_row(&filter, row, None));
        (row_called(meant.next()?), meant.count())
    } else {
        let name = |word: &PlantWord| match word {
            PlantWord::Id(id) => called(id, cx.session.name_of(*id).as_deref()),
            PlantWord::Name(name) => name.clone(),
            PlantWord::Stdin | PlantWord::Row(..) => String::new(),
        };
        let (last, others) = selection.plants.split_last()?;
        (value.map_or_else(|| name(last), |value| value.help.clone()), others.len())
    };
    Some(match others {
        0 => one,
        others => format!("{one} and {}", counted(others as u64, "other", "others")),
    })
}

/// Whether a plant to add is not sent before a person has seen the form.
pub(in crate::tui) fn opens_form(given: &AddArguments, session: &Session) -> bool {
    !given.dry_run && whole_plant(given, session).is_none()
}

/// Returns the number that the whole line is.
pub(super) fn number(line: &str) -> Option<i64> {
    line.trim().parse().ok()
}

/// The command on the tab that is on screen.
fn of_tabs(command: Command) -> OnScreen {
    OnScreen::Command(Scope::Tabs, command)
}

fn of_interface(verb: InterfaceVerb) -> Result<OnScreen, String> {
    let unknown = |kind: &str, name: &str| format!("no {kind} is named {name}");
    Ok(match verb {
        InterfaceVerb::Filter { query: None } => of_tabs(Command::Filter),
        InterfaceVerb::Filter { query: Some(query) } => OnScreen::Filter { tab: None, query, sort: None },
        InterfaceVerb::Sort { column: None } => of_tabs(Command::Sort),
        InterfaceVerb::Sort { column: Some(column) } => OnScreen::Sort(column),
        InterfaceVerb::Weather { name: None } => of_tabs(Command::Weather),
        InterfaceVerb::Weather { name: Some(name) } => {
            let mut presets = WeatherPreset::ALL.into_iter();
            let preset = presets.find(|preset| Language::En.label(ids_of(*preset).0) == name);
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
fn in_background(verb: Verb) -> Result<OnScreen, &'static str> {
    match verb {
        _ if verb.reads_stdin() => Err("only a shell has standard input"),
        Verb::Journal(JournalVerb::Restore(RestoreArguments { dry_run: false, .. })) => {
            Err("it needs the journal to itself: quit, and use a shell")
        }
        Verb::Import(ImportArguments { dry_run: false, .. }) | Verb::History(HistoryArguments { follow: true, .. }) => {
            Err("only Ctrl-C stops it with these options: use a shell")
        }
        Verb::Serve(_) | Verb::Completions { .. } | Verb::Man { .. } => Err("only a shell does it"),
        _ if verb.asks() => Err("it asks first: add --yes, or use a shell"),
        _ => Ok(OnScreen::Run(verb)),
    }
}

/// Returns what a screen, a form or a question does in full; `None` if there is none for these options.
fn of_verb(verb: &Verb) -> Option<OnScreen> {
    Some(match verb {
        Verb::Add(given @ AddArguments { dry_run: false, verbose: false, keep_going: false, .. }) => {
            OnScreen::Add(given.clone())
        }
        Verb::Delete(DeleteArguments { selection, yes, dry_run: false, verbose: false, keep_going: false }) => {
            if selection.is_empty() {
                return Some(of_tabs(Command::DeleteById));
            }
            OnScreen::About(selection.clone(), AboutSeveral { yes: *yes, ..AboutSeveral::of(Several::Delete) })
        }
        Verb::Resolve(arguments @ ResolveArguments { selection, all, yes, dry_run: false, keep_going: false, .. }) => {
            let (method, yes, mut selection) = (arguments.method(), *yes, selection.clone());
            if *all {
                selection.matching = Some("state:unknown".to_owned());
            }
            let (kind, choice) = match method {
                None if selection.is_empty() => return Some(of_tabs(Command::Resolve)),
                None if yes => return None,
                _ if selection.is_empty() => return None,
                None => (Several::Resolve, None),
                Some(Method::Record(Resolution::Forget)) => (Several::Forget, None),
                Some(Method::Record(Resolution::MarkStored)) => (Several::Resolve, Some(Answer::Stored)),
                Some(Method::Delete) => (Several::Resolve, Some(Answer::Delete)),
                Some(Method::Resend) => (Several::Resolve, Some(Answer::SendAgain)),
            };
            OnScreen::About(selection, AboutSeveral { choice, yes, ..AboutSeveral::of(kind) })
        }
        Verb::List(ListArguments { query, limit: None, sort, no_heading: false, complete: false }) => {
            OnScreen::Filter { tab: Some(Tab::Plants), query: query.join(" "), sort: sort.clone() }
        }
        // The History shows each request that is sent from now on.
        Verb::History(given) if *given == given.of_query() => match given.number() {
            Some(number) => OnScreen::Request(number),
            None => OnScreen::Filter { tab: Some(Tab::History), query: given.query.join(" "), sort: None },
        },
        Verb::Import(given) if *given == ImportArguments::of(given.file.clone()) => {
            OnScreen::Open(Open::Import(Some(given.file.display().to_string())))
        }
        Verb::Export(
            arguments @ ExportArguments { file, matching: None, force: false, spreadsheet: false, complete: false },
        ) if file.is_none() || arguments.writes_file() => {
            OnScreen::Open(Open::Export(file.as_ref().map(|file| file.display().to_string())))
        }
        Verb::Check(given) if *given == CheckArguments::default() => OnScreen::Command(Scope::Check, Command::RunCheck),
        // The name alone opens the store; `use` writes the config file.
        Verb::Profile(ProfileArguments { name: Some(name), .. }) => OnScreen::Profile(name.clone()),
        Verb::Profile(ProfileArguments { verb: None | Some(ProfileVerb::List), .. }) => of_tabs(Command::Connection),
        _ => return None,
    })
}
