//! Carries out a line of the command language that was typed into the palette: with the screen, the form or the question
//! of its verb.

use super::App;
use crate::config::ConnectionTarget;
use crate::domain::{OperationKind, Plant, PlantId};
use crate::journal::{Column, SortColumn as _};
use crate::text::caseless::caseless;
use crate::tui::dialogs::whole_line::{self, OnScreen};
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::session::draft::Draft;
use crate::tui::ui_effect::{Open, Tab, UiEffect};
use crate::verbs::{PlantWord, Selection};

impl App {
    pub(super) fn carry_out(&mut self, line: &str) {
        let done = whole_line::read(line).map_err(|why| format!("Not here: {why}"));
        if let Err(why) = done.and_then(|request| self.carry_out_request(request)) {
            self.cx.out.say_here(why);
        }
    }

    fn carry_out_request(&mut self, request: OnScreen) -> Result<(), String> {
        match request {
            OnScreen::Add { name, id, next_id, tag } => return self.add(name.as_deref(), id, next_id, tag.as_deref()),
            OnScreen::Delete { selection, yes } => return self.delete(selection, yes),
            OnScreen::Resolve(selection) => return self.resolve_named(selection),
            OnScreen::List { query, sort } => {
                self.go_to(Tab::Plants);
                self.cx.out.ui_effect(UiEffect::Filter(query));
                if let Some(typed) = sort {
                    return self.sort(&typed);
                }
            }
            OnScreen::Request(number) => {
                self.go_to(Tab::History);
                self.screens.history.open_number(number, &mut self.cx);
            }
            OnScreen::History { query } => {
                self.go_to(Tab::History);
                self.cx.out.ui_effect(UiEffect::Filter(query));
            }
            OnScreen::Import(file) => self.cx.out.open(Open::Import(Some(file))),
            OnScreen::Export(file) => self.cx.out.open(Open::Export(file)),
            OnScreen::Check => self.cx.out.ui_effect(UiEffect::Command(Scope::Check, Command::RunCheck)),
            OnScreen::Profile(name) => self.cx.out.open(Open::Stores(Some(ConnectionTarget::Profile(name)))),
            OnScreen::Command(command) => self.perform_in_tab(command),
        }
        Ok(())
    }

    fn check_sending(&self) -> Result<(), String> {
        self.cx.session.cannot_send().map_or(Ok(()), |why| Err(format!("Nothing was sent: {why}.")))
    }

    /// Sends the plant if it is complete and has no slip; otherwise opens the form with what is given.
    fn add(&mut self, name: Option<&str>, id: Option<PlantId>, next_id: bool, tag: Option<&str>) -> Result<(), String> {
        self.check_sending()?;
        let session = &mut self.cx.session;
        let next = session.next_id();
        let id = id.or(next_id.then_some(next));
        if let (Some(name), Some(id), Some(tag)) = (name, id, tag) {
            let plant = Plant { name: name.to_owned(), id, tag: tag.to_owned() };
            if plant.slips().is_empty() && session.plants.row(id).is_none() {
                session.submit(OperationKind::add(plant), &mut self.cx.out);
                return Ok(());
            }
        }
        let draft = Draft::given(name, id.ok_or(next), tag);
        self.cx.out.open(Open::Add(Box::new(draft)));
        Ok(())
    }

    fn delete(&mut self, selection: Selection, yes: bool) -> Result<(), String> {
        self.check_sending()?;
        if selection.is_empty() {
            self.perform_in_tab(Command::DeleteById);
            return Ok(());
        }
        let plants = self.plants_of(selection)?;
        match plants.as_slice() {
            [id] if yes => self.cx.session.submit(OperationKind::Delete(*id), &mut self.cx.out),
            [id] => self.cx.out.open(Open::DeleteById(Some(*id))),
            _ => {
                self.cx.session.marks.to_delete = true;
                self.mark_named(&plants);
                self.cx.out.effect(Effect::FindToDelete(plants));
            }
        }
        Ok(())
    }

    /// Asks about the unknown plants that are named; about all of them one by one.
    fn resolve_named(&mut self, selection: Selection) -> Result<(), String> {
        if selection.is_empty() {
            self.perform_in_tab(Command::Resolve);
            return Ok(());
        }
        let plants = self.plants_of(selection)?;
        self.cx.session.marks.to_resolve = true;
        self.mark_named(&plants);
        self.cx.out.effect(Effect::FindToResolve(plants));
        Ok(())
    }

    /// Marks the plants of a line, so that the question is about these, as they are when it is asked.
    fn mark_named(&mut self, plants: &[PlantId]) {
        self.go_to(Tab::Plants);
        let list = &mut self.cx.session.plants;
        let rows = plants.iter().filter_map(|id| list.row(*id)).map(|row| (row.id, row.details.clone()));
        list.marked = rows.collect();
        self.cx.session.marks.named = plants.to_vec();
    }

    /// Returns the ids of the plants that are named; a name is that of one of the loaded plants.
    fn plants_of(&self, selection: Selection) -> Result<Vec<PlantId>, String> {
        if selection.matching.is_some() {
            let (filter, all) = (self.cx.key(Command::Filter), self.cx.key(Command::MarkAll));
            return Err(format!("{filter} filters the list by a query, and {all} marks what it shows."));
        }
        let rows = &self.cx.session.plants.window.rows;
        let id_of = |word: PlantWord| match word {
            PlantWord::Id(id) => Ok(id),
            PlantWord::NoId(typed, why) => Err(format!("{typed} is no id: {why}.")),
            PlantWord::Stdin => Err("Ids are read from standard input in a shell.".to_owned()),
            PlantWord::Name(name) => {
                let wanted = caseless(&name);
                let mut called =
                    rows.iter().filter(|row| row.name().is_some_and(|name| caseless(name) == wanted)).map(|row| row.id);
                match (called.next(), called.next()) {
                    (Some(id), None) => Ok(id),
                    (Some(_), Some(_)) => Err(format!("Several plants are called {name}: type an id.")),
                    (None, _) => Err(format!("No plant on screen is called {name}: type an id.")),
                }
            }
        };
        selection.plants.into_iter().map(id_of).collect()
    }

    /// Sorts the list of plants by the column that is typed.
    fn sort(&mut self, typed: &str) -> Result<(), String> {
        let (column, _) = Column::parse_order(typed).map_err(|why| why.to_string())?;
        let column = Column::ALL.iter().position(|other| *other == column).unwrap_or(0);
        self.cx.out.ui_effect(UiEffect::Sort { column, reversed: typed.starts_with('-') });
        Ok(())
    }
}
