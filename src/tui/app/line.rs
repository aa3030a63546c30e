//! Carries out a line of the command language that was typed into the palette: with the screen, the form or the question
//! of its verb.

use super::App;
use crate::config::ConnectionTarget;
use crate::domain::{OperationKind, Plant, PlantId};
use crate::journal::{Column, SortColumn as _};
use crate::text::caseless::caseless;
use crate::tui::dialogs::whole_line::only_in_a_shell;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::session::draft::Draft;
use crate::tui::ui_effect::{Open, Tab, UiEffect};
use crate::verbs::{AddArguments, DeleteArguments, HistoryArguments, Line, ListArguments, PlantWord, ProfileVerb};
use crate::verbs::{ResolveArguments, Selection, Source, Typed, Verb};

impl App {
    pub(super) fn carry_out(&mut self, line: &str) {
        match Line::read(line) {
            Err(why) => self.cx.out.say_here(why),
            Ok(Line::Help(_)) => self.perform_in_tab(Command::Help),
            Ok(Line::Typed(Typed::Token, _)) => self.perform_in_tab(Command::ReplaceToken),
            Ok(Line::Typed(Typed::Quit, _)) => self.perform_in_tab(Command::Quit),
            Ok(Line::Typed(Typed::Verb(verb), _)) => {
                if let Err(why) = self.carry_out_verb(verb, line) {
                    self.cx.out.say_here(why);
                }
            }
        }
    }

    fn carry_out_verb(&mut self, verb: Verb, line: &str) -> Result<(), String> {
        if let Some(why) = only_in_a_shell(line) {
            return Err(format!("Not here: {why}"));
        }
        match verb {
            Verb::Add(arguments) => return self.add(arguments),
            Verb::Delete(arguments) => return self.delete(arguments),
            Verb::Resolve(arguments) => return self.resolve_named(arguments),
            Verb::List(arguments) => self.show_list(&arguments),
            Verb::History(arguments) => self.show_history(&arguments),
            Verb::Import(arguments) => self.cx.out.open(Open::Import(Some(arguments.file.display().to_string()))),
            Verb::Export(arguments) => {
                self.cx.out.open(Open::Export(arguments.file.map(|file| file.display().to_string())));
            }
            Verb::Check(_) => self.cx.out.ui_effect(UiEffect::Command(Scope::Check, Command::RunCheck)),
            Verb::Profile(arguments) => match arguments.verb {
                Some(ProfileVerb::Use(profile)) => {
                    self.cx.out.open(Open::Stores(Some(ConnectionTarget::Profile(profile.name))));
                }
                Some(ProfileVerb::Show(_)) | None => self.perform_in_tab(Command::Connection),
            },
            Verb::Journal(_)
            | Verb::Team(_)
            | Verb::Config(_)
            | Verb::Paths
            | Verb::Serve(_)
            | Verb::Completions(_)
            // Said above.
            | Verb::Man(_) => {}
        }
        Ok(())
    }

    fn check_sending(&self) -> Result<(), String> {
        self.cx.session.cannot_send().map_or(Ok(()), |why| Err(format!("Nothing was sent: {why}.")))
    }

    /// Sends the plant if it is complete and has no slip; otherwise opens the form with what is given.
    fn add(&mut self, mut arguments: AddArguments) -> Result<(), String> {
        self.check_sending()?;
        let Source::Arguments(name) = arguments.source()? else {
            return Err("Plants are read from standard input in a shell: plants add -".to_owned());
        };
        if arguments.from.is_some() {
            let key = self.cx.key(Command::ReAdd);
            return Err(format!("{key} finds the plants of the history, and adds them again."));
        }
        let session = &mut self.cx.session;
        let next = session.next_id();
        let id = arguments.id.or(arguments.next_id.then_some(next));
        if let (Some(name), Some(id), Some(tag), false) = (&name, id, &arguments.tag, arguments.dry_run) {
            let plant = Plant { name: name.clone(), id, tag: tag.clone() };
            if plant.slips().is_empty() && session.plants.row(id).is_none() {
                session.submit(OperationKind::add(plant), &mut self.cx.out);
                return Ok(());
            }
        }
        let draft = Draft::given(name.as_deref(), id.ok_or(next), arguments.tag.as_deref());
        self.cx.out.open(Open::Add(Box::new(draft)));
        Ok(())
    }

    fn delete(&mut self, arguments: DeleteArguments) -> Result<(), String> {
        self.check_sending()?;
        if arguments.selection.is_empty() {
            self.perform_in_tab(Command::DeleteById);
            return Ok(());
        }
        let plants = self.plants_of(arguments.selection)?;
        match plants.as_slice() {
            [id] if arguments.yes && !arguments.dry_run => {
                self.cx.session.submit(OperationKind::Delete(*id), &mut self.cx.out);
            }
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
    fn resolve_named(&mut self, arguments: ResolveArguments) -> Result<(), String> {
        if arguments.selection.is_empty() {
            self.perform_in_tab(Command::Resolve);
            return Ok(());
        }
        let plants = self.plants_of(arguments.selection)?;
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

    fn show_list(&mut self, arguments: &ListArguments) {
        self.go_to(Tab::Plants);
        self.cx.out.ui_effect(UiEffect::Filter(arguments.query.join(" ")));
        if let Some(typed) = &arguments.sort {
            let column = Column::parse_order(typed).map(|(column, _)| column);
            let at = column.map(|column| Column::ALL.iter().position(|other| *other == column).unwrap_or(0));
            match at {
                Ok(column) => self.cx.out.ui_effect(UiEffect::Sort { column, reversed: typed.starts_with('-') }),
                Err(why) => self.cx.out.say_here(why.to_string()),
            }
        }
    }

    fn show_history(&mut self, arguments: &HistoryArguments) {
        self.go_to(Tab::History);
        match arguments.number() {
            Some(number) => self.screens.history.open_number(number, &mut self.cx),
            None => self.cx.out.ui_effect(UiEffect::Filter(arguments.query.join(" "))),
        }
    }
}
