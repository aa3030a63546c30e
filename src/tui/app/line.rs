//! Carries out a line of the command language that was typed into the palette: with the screen, the form or the question
//! of its verb.

use std::collections::HashSet;
use std::path::Path;

use super::{App, RunningLine};
use crate::config::new_profile::SaveFault;
use crate::config::preference::Preference;
use crate::config::{ConnectionTarget, OpenStore, ThemeChoice};
use crate::domain::filter::List;
use crate::domain::language::Id;
use crate::domain::sentence::no_request;
use crate::domain::{Details, Language, ListedPlant, PlantId, Row};
use crate::journal::StoredExchange;
use crate::text::caseless::caseless;
use crate::text::{capitalized, shown_path};
use crate::tui::component::Typed;
use crate::tui::context::{Colors, Context};
use crate::tui::dialogs::whole_line::{self, OnScreen, opens_form, whole_plant};
use crate::tui::effect::Effect;
use crate::tui::message::{Cause, CommandOutput, StoreInfo};
use crate::tui::screen::Screen as _;
use crate::tui::screen::sorting::Sortable as _;
use crate::tui::session::AboutSeveral;
use crate::tui::session::draft::Draft;
use crate::tui::session::hidden::hides_row;
use crate::tui::session::question::{Act, Several};
use crate::tui::ui_effect::{Open, Tab, UiEffect};
use crate::verbs::{AddArguments, PlantWord, Selection, Verb, no_plant_called, shell_line, words_of_line};

const STOPPING: &str = "Stopping and cleaning up. The same key again ends it at once.";

impl App {
    pub(super) fn carry_out(&mut self, line: &str) {
        if let Err(why) = whole_line::read(line).and_then(|request| self.carry_out_request(request, line)) {
            self.cx.out.say_here(why);
        }
    }

    fn carry_out_request(&mut self, request: OnScreen, line: &str) -> Result<(), String> {
        match request {
            OnScreen::NotHere(why) => return Err(format!("Not here: {why}")),
            // The form says what is probably a slip, and takes a second Enter.
            OnScreen::Run(Verb::Add(given)) if opens_form(&given, &self.cx.session) => {
                self.check_sending()?;
                self.open_form(given);
            }
            OnScreen::Add(given) => {
                self.check_sending()?;
                match whole_plant(&given, &self.cx.session) {
                    Some(plant) => self.cx.session.submit_new(plant, &mut self.cx.out),
                    None => self.open_form(given),
                }
            }
            OnScreen::About(selection, about) => return self.ask_about(&selection, about),
            OnScreen::Filter { tab, query, sort } => {
                self.go_to(tab.unwrap_or(self.cx.display.tab));
                self.filter(&query);
                if let Some(typed) = sort {
                    return self.sort(&typed);
                }
            }
            OnScreen::Number(id) if self.cx.display.tab != Tab::History => {
                self.cx.session.marks.sought = Some(PlantId(id));
                self.cx.out.effect(Effect::FindListed(vec![PlantId(id)]));
            }
            OnScreen::Request(number) | OnScreen::Number(number) => {
                self.go_to(Tab::History);
                self.screens.history.open_number(number, &mut self.cx);
            }
            OnScreen::Open(open) => self.cx.out.open(open),
            OnScreen::Profile(name) => {
                let known = self.cx.session.stores.known.iter().find(|store| store.name == name);
                let target = known.map(|store| store.target.clone());
                self.cx.out.open(Open::Stores(Some(target.unwrap_or(ConnectionTarget::Profile(name)))));
            }
            OnScreen::Sort(column) => return self.sort(&column),
            OnScreen::Weather(_) if !self.cx.session.info.demo => {
                return Err("Only the demo store has weather to choose.".to_owned());
            }
            OnScreen::Weather(preset) => self.act(Act::Weather(preset)),
            OnScreen::Prefer(preference) => self.prefer(preference),
            OnScreen::Command(scope, command) => self.cx.out.ui_effect(UiEffect::Command(scope, command)),
            OnScreen::Run(verb) if verb.needs_store() && self.cx.session.info.demo => {
                return Err(
                    "Not here: it would start a second program, and the demo store has no journal on disk for that to read."
                        .to_owned(),
                );
            }
            OnScreen::Run(verb) => {
                let words = words_of_line(line)?;
                let name = shell_line(&words);
                self.cx.out.say_here(runs(&name));
                self.lines.push(RunningLine { name, sends: verb.sends(), cancelled: false });
                let session = &self.cx.session;
                let StoreInfo { store, profile, read_only, .. } = session.info.clone();
                let open = OpenStore { url: store, profile, read_only, token: session.token.clone() };
                let open = verb.needs_store().then(|| Box::new(open));
                self.cx.out.effect(Effect::RunLine(words, session.stores.here.clone(), open));
            }
        }
        Ok(())
    }

    /// Asks about the plants that were loaded, or selects the one that a line names; a filter that hides it is cleared.
    pub(super) fn listed_came(&mut self, plants: &[PlantId], found: Result<Vec<ListedPlant>, Cause>) {
        let sought = self.cx.session.marks.sought.take_if(|id| *plants == [*id]);
        let Context { session, out, .. } = &mut self.cx;
        let Some(id) = sought else { return session.put(plants, found, out) };
        let Some(found) = out.read(found) else { return };
        let Some(ListedPlant { row, .. }) = found.first() else {
            return out.asks_nothing(format!("No plant in the list has the id {id}."));
        };
        if self.cx.display.tab != Tab::Greenhouse {
            self.go_to(Tab::Plants);
        }
        self.cx.session.plants.select(id);
        if hides_row(&self.cx.session.plants.filter.filter, row, None) {
            self.screens.plants.show_all(&mut self.cx);
        }
        self.refresh();
        self.cx.out.ui_effect(UiEffect::LookAway);
    }

    fn check_sending(&self) -> Result<(), String> {
        self.cx.session.cannot_send().map_or(Ok(()), |why| Err(format!("Nothing was sent: {why}.")))
    }

    /// Opens the form with what is given, once the rest was read.
    fn open_form(&mut self, given: AddArguments) {
        match given.from {
            Some(number) => {
                self.cx.out.effect(Effect::Inspect(number));
                self.given = Some(given);
            }
            None => self.open_form_with(&given, None),
        }
    }

    /// Opens the form with what is given, and the rest of the plant of a request.
    fn open_form_with(&mut self, given: &AddArguments, stored: Option<StoredExchange>) {
        let next = self.cx.session.next_id();
        let id = given.id.or(given.next_id.then_some(next));
        let id = id.or(stored.as_ref().map(|stored| stored.exchange.operation.kind.plant_id()));
        let details = stored.and_then(|stored| stored.called);
        let (name, tag) = details.map(|Details { name, tag }| (name, tag)).unzip();
        let (name, tag) = (given.name().or(name.as_deref()), given.tag.as_deref().or(tag.as_deref()));
        self.cx.out.open(Open::Add(Box::new(Draft::given(name, id.ok_or(next), tag))));
    }

    /// Opens the form that waits for the plant of a request.
    pub(super) fn inspected_for_form(&mut self, number: i64, found: Result<Option<Box<StoredExchange>>, Cause>) {
        let Some(given) = self.given.take_if(|given| given.from == Some(number)) else { return };
        let Some(found) = self.cx.out.read(found) else { return };
        let Some(stored) = found else {
            return self.cx.out.say_here(format!("The history has {}.", no_request(number)));
        };
        self.open_form_with(&given, Some(*stored));
    }

    /// Asks the lines that run in the background to stop, and to end at once if they are stopping. Returns whether there
    /// was one.
    pub(super) fn cancel_lines(&mut self) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        if self.lines.iter().any(|line| !line.cancelled) {
            self.cx.out.say_here(STOPPING.to_owned());
        }
        self.lines.iter_mut().for_each(|line| line.cancelled = true);
        self.cx.out.effect(Effect::CancelLines);
        true
    }

    /// Opens what a line has printed, or says how it ended.
    pub(super) fn line_ended(&mut self, name: &str, ended: Result<Box<CommandOutput>, Cause>) {
        let at = self.lines.iter().position(|line| line.name == name);
        let was_cancelled = at.is_some_and(|at| self.lines.remove(at).cancelled);
        self.cx.out.status.message.take_if(|message| message.text == runs(name) || message.text == STOPPING);
        match ended {
            Ok(output) if !output.printed.is_empty() => self.command_ended(name, Ok(output)),
            _ if was_cancelled => self.cx.out.say(format!("{name} was cancelled.")),
            ended => self.command_ended(name, ended),
        }
    }

    /// Replaces the filter of the active tab.
    pub(super) fn filter(&mut self, text: &str) {
        let screen = self.screens.get_mut(self.cx.display.tab);
        screen.show_all(&mut self.cx);
        screen.type_text(Typed::Paste(text), &mut self.cx);
    }

    /// Asks about the plants that match a query, or that are named, or does with them what the line says.
    fn ask_about(&mut self, selection: &Selection, about: AboutSeveral) -> Result<(), String> {
        if about.kind == Several::Delete {
            self.check_sending()?;
        }
        if let Some(query) = &selection.matching {
            let filter = List::Plants.parse_naming(query, &self.cx.local_time());
            let filter = filter.map_err(|why| format!("Invalid query: {why}."))?;
            self.cx.session.ask_about_fitting(about, filter, &mut self.cx.out);
        } else {
            let plants = self.plants_named(&selection.plants)?;
            self.cx.session.ask_about(about, plants, &mut self.cx.out);
        }
        Ok(())
    }

    /// Reads which plants are named; a name is that of one of the loaded plants.
    fn plants_named(&self, words: &[PlantWord]) -> Result<Vec<PlantId>, String> {
        let rows = self.cx.session.plants.whole_list();
        let id_of = |word: &PlantWord| match word {
            PlantWord::Id(id) => Ok(*id),
            PlantWord::Stdin | PlantWord::Row(..) => Err("Ids are read from standard input in a shell.".to_owned()),
            PlantWord::Name(name) => {
                let wanted = caseless(name);
                let is_called = |row: &&Row| row.name().is_some_and(|name| caseless(name) == wanted);
                let called = rows.map(|rows| rows.iter().filter(is_called).collect::<Vec<_>>());
                match called.as_deref() {
                    None => Err(format!("Not all plants are loaded, and several may be called {name}: type an id.")),
                    Some([row]) => Ok(row.id),
                    Some([]) => Err(capitalized(&no_plant_called(name))),
                    Some(_) => Err(format!("Several plants are called {name}: type an id.")),
                }
            }
        };
        let mut ids = words.iter().map(id_of).collect::<Result<Vec<_>, _>>()?;
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(*id));
        Ok(ids)
    }

    /// Sorts the History if it is the active tab, else the plants.
    fn sort(&mut self, typed: &str) -> Result<(), String> {
        if self.cx.display.tab == Tab::History {
            return self.screens.history.sort_typed(typed, &mut self.cx);
        }
        self.go_to(Tab::Plants);
        self.screens.plants.sort_typed(typed, &mut self.cx)
    }

    /// Uses a setting from now on, and writes it into the config file.
    fn prefer(&mut self, preference: Preference) {
        match preference {
            Preference::Theme(theme) => {
                self.cx.display.theme = theme;
                self.cx.out.effect(Effect::UseTheme(theme));
            }
            Preference::Language(language) => self.cx.display.language = language,
        }
        self.cx.out.effect(Effect::SavePreference(preference));
    }

    /// Says that a setting is kept for the next start, or which line would keep it.
    pub(super) fn preference_saved(&mut self, preference: Preference, file: &Path, written: Result<(), SaveFault>) {
        let what = format!("{} {}", capitalized(preference.key()), preference.word());
        let file = shown_path(file);
        match written {
            Ok(()) => self.cx.out.say_in_both(format!("{what}, saved in {file}."), vec![Id::SettingKept.into()]),
            Err(why) => {
                let line = preference.line();
                self.cx.out.say_in_both(format!("{what}, for this session."), vec![Id::SettingLasts.into()]);
                let step = format!("To keep it, set at the top of the file: {line}");
                self.cx.out.notice(format!("{what} is not saved in {file}: {why}. {step}"));
            }
        }
        let has_colors = matches!(preference, Preference::Theme(theme) if theme != ThemeChoice::Mono);
        if self.cx.display.colors == Colors::Off && has_colors {
            self.cx.out.say_also("NO_COLOR or --no-color overrides it: this session has no colours.");
        }
        let display = &self.cx.display;
        let is_language = matches!(preference, Preference::Language(_));
        let is_english = display.language() == Language::En;
        if is_language && is_english && display.language.language(display.of_locale) != Language::En {
            self.cx.out.say_also("ASCII cannot show its letters: this session stays in English.");
        }
    }
}

/// Says that a line runs in the background.
fn runs(name: &str) -> String {
    format!("{name} is running. Its output opens when it ends.")
}
