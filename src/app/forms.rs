//! What typing and the keys of forms do.

use crate::client::Token;
use crate::config::Wish;
use crate::domain::plant::Field as PlantField;
use crate::domain::{Ask, Plant, PlantId, sentence};
use crate::journal::Story;

use super::choice;
use super::connection::typed_token;
use super::field::Field;
use super::form::{AddForm, IdPrompt, OnEnter, Then, Warned};
use super::keys::{Action, InForm, InRoom};
use super::message::Effect;
use super::model::{Model, Overlay};
use super::room::Room;

impl Model {
    /// Changes the field that has the cursor; `typing` if by putting text into it.
    pub(super) fn edit(&mut self, typing: bool, change: impl FnOnce(&mut Field) -> bool) -> Vec<Effect> {
        match &mut self.overlay {
            Some(Overlay::Add(form)) => {
                let id_before = form.id.text().to_owned();
                if form.focus == PlantField::Id && std::mem::take(&mut form.suggested) && typing {
                    // What is typed takes the place of what was suggested; other keys edit it.
                    form.id = Field::default();
                }
                if change(form.focused()) {
                    form.id_complained = false;
                }
                if form.id.text() == id_before { Vec::new() } else { self.look_up_typed_id() }
            }
            Some(Overlay::DeleteById(prompt)) => {
                if change(&mut prompt.id) {
                    prompt.complained = false;
                    prompt.asked = false;
                }
                Vec::new()
            }
            Some(Overlay::Token(prompt)) => {
                if change(&mut prompt.secret) {
                    prompt.fault = None;
                }
                Vec::new()
            }
            Some(Overlay::Departed(list)) => {
                if change(&mut list.text) {
                    list.marked = 0;
                }
                list.search().into_iter().collect()
            }
            Some(Overlay::Runs(list)) => {
                if change(&mut list.text) {
                    list.marked = 0;
                }
                Vec::new()
            }
            Some(Overlay::Palette(palette)) => {
                if change(&mut palette.text) {
                    palette.marked = 0;
                }
                Vec::new()
            }
            Some(Overlay::Report(prompt)) => {
                if change(&mut prompt.path) {
                    prompt.fault = None;
                }
                Vec::new()
            }
            Some(Overlay::Import(prompt)) => {
                prompt.edit(typing, change);
                Vec::new()
            }
            Some(Overlay::Export(prompt)) => {
                prompt.edit(change);
                Vec::new()
            }
            Some(Overlay::Stores(_)) => {
                self.edit_picker(change);
                Vec::new()
            }
            Some(Overlay::BaseUrl(_)) => {
                self.edit_url_form(change);
                Vec::new()
            }
            Some(Overlay::Profile(form)) => {
                form.edit(change);
                Vec::new()
            }
            Some(Overlay::Reader(reader)) => {
                if reader.find.typing && change(&mut reader.find.text) {
                    reader.look();
                }
                Vec::new()
            }
            Some(Overlay::Choice(_) | Overlay::Preview(_)) => Vec::new(),
            None => self.edit_filter(change),
        }
    }

    /// Asks what is known of the id in the add form, so that one already in the view is warned about.
    pub(super) fn look_up_typed_id(&mut self) -> Vec<Effect> {
        let Some(Overlay::Add(form)) = &mut self.overlay else { return Vec::new() };
        form.taken = None;
        let Ok(id) = form.id.text().parse::<PlantId>() else { return Vec::new() };
        form.taken = self.table.row(id).cloned();
        vec![Effect::Tell(id)]
    }

    pub(super) fn act_in_form(&mut self, action: InForm) -> Vec<Effect> {
        match action {
            InForm::Submit => self.submit(),
            InForm::Close => self.leave_overlay(),
            InForm::Next => self.next_field(false),
            InForm::Previous => self.next_field(true),
            InForm::Blank => self.open_blank_form(),
        }
    }

    /// Why a blank form does not take the place of what is open.
    pub(super) fn unavailable_blank_form(&self) -> Option<&'static str> {
        match &self.overlay {
            Some(Overlay::Add(form)) if form.is_filled() => None,
            Some(Overlay::Add(_)) => Some("the form is blank"),
            Some(_) | None => Some("no add form is open"),
        }
    }

    /// Opens a blank form instead of the one that is open, which is kept for the next time.
    fn open_blank_form(&mut self) -> Vec<Effect> {
        if self.unavailable_blank_form().is_some() {
            return Vec::new();
        }
        let blank = Overlay::Add(Box::new(AddForm::suggesting(self.next_id())));
        if let Some(Overlay::Add(form)) = self.overlay.replace(blank) {
            self.drafts.push(form);
        }
        self.look_up_typed_id()
    }

    /// The cursor to the next field, or back to the one before.
    pub(super) fn next_field(&mut self, back: bool) -> Vec<Effect> {
        match &mut self.overlay {
            Some(Overlay::Add(form)) if back => form.previous(),
            Some(Overlay::Add(form)) => form.next(),
            Some(Overlay::BaseUrl(_)) => self.next_url_field(),
            Some(Overlay::Profile(form)) => form.next(back),
            Some(Overlay::Export(prompt)) => prompt.next(),
            Some(
                Overlay::DeleteById(_)
                | Overlay::Token(_)
                | Overlay::Choice(_)
                | Overlay::Departed(_)
                | Overlay::Runs(_)
                | Overlay::Palette(_)
                | Overlay::Report(_)
                | Overlay::Import(_)
                | Overlay::Preview(_)
                | Overlay::Stores(_)
                | Overlay::Reader(_),
            )
            | None => {}
        }
        Vec::new()
    }

    fn submit(&mut self) -> Vec<Effect> {
        match self.overlay.take() {
            Some(Overlay::Add(form)) => self.submit_add(form),
            Some(Overlay::DeleteById(prompt)) => self.submit_delete_by_id(prompt),
            Some(Overlay::Token(mut prompt)) => match typed_token(&prompt.secret, &self.store_in_words()) {
                Ok(token) => {
                    let (waiting, then) = (std::mem::take(&mut prompt.waiting), prompt.then);
                    drop(prompt);
                    self.close();
                    let mut effects = self.use_token(token, waiting);
                    effects.extend(match then {
                        Then::Nothing => Vec::new(),
                        Then::Check => self.check_with_token(),
                        Then::Import => self.import_with_token(),
                    });
                    effects
                }
                Err(fault) => {
                    prompt.fault = Some(fault);
                    self.overlay = Some(Overlay::Token(prompt));
                    Vec::new()
                }
            },
            Some(Overlay::Report(prompt)) => self.submit_report(prompt),
            Some(Overlay::Import(prompt)) => self.submit_import(prompt),
            Some(Overlay::Export(prompt)) => self.submit_export(prompt),
            Some(Overlay::BaseUrl(form)) => self.submit_url_form(form),
            Some(Overlay::Profile(form)) => self.submit_profile(form),
            other @ (Some(
                Overlay::Choice(_)
                | Overlay::Preview(_)
                | Overlay::Departed(_)
                | Overlay::Runs(_)
                | Overlay::Palette(_)
                | Overlay::Stores(_)
                | Overlay::Reader(_),
            )
            | None) => {
                self.overlay = other;
                Vec::new()
            }
        }
    }

    /// Sends the plant, unless its id is none, or it looks like a slip that was not warned about yet.
    fn submit_add(&mut self, mut form: Box<AddForm>) -> Vec<Effect> {
        let Ok(plant) = form.plant() else {
            form.id_complained = true;
            form.focus = PlantField::Id;
            self.overlay = Some(Overlay::Add(form));
            return Vec::new();
        };
        let in_flight = self.flights.iter().any(|flight| flight.operation.ask.plant() == Some(&plant));
        match form.on_enter(&plant, in_flight) {
            OnEnter::Send => {}
            OnEnter::Nothing => {
                self.overlay = Some(Overlay::Add(form));
                return Vec::new();
            }
            OnEnter::Warn => {
                if let Some(slip) = form.slips(&plant).first() {
                    form.focus = slip.field();
                }
                if in_flight {
                    let enter = self.keys.shown(Action::Form(InForm::Submit));
                    self.says(&format!("This very plant is already in flight. {enter} once more adds it again."));
                }
                form.warned = Some(Warned { plant, is_drawn: false });
                self.overlay = Some(Overlay::Add(form));
                return Vec::new();
            }
        }
        self.close();
        self.table.select(plant.id);
        self.says(&format!("Adding {} …", sentence::plant_called(&plant)));
        self.ask(Ask::Add(plant))
    }

    fn submit_delete_by_id(&mut self, mut prompt: IdPrompt) -> Vec<Effect> {
        let Ok(id) = prompt.id.text().parse::<PlantId>() else {
            prompt.complained = true;
            self.overlay = Some(Overlay::DeleteById(prompt));
            return Vec::new();
        };
        if self.table.row(id).is_some() {
            self.overlay = Some(Overlay::Choice(choice::delete(id, self.table.row(id), &self.facts.store)));
            return Vec::new();
        }
        // It may be in the view outside the rows at hand: the journal is asked for its name first.
        prompt.asked = true;
        self.overlay = Some(Overlay::DeleteById(prompt));
        vec![Effect::Tell(id)]
    }

    /// The journal told what it knows of an id: if that is the one typed, the dialog can name it.
    pub(super) fn confirm_delete_by_id(&mut self, id: PlantId, story: &Story) {
        let Some(Overlay::DeleteById(prompt)) = &self.overlay else { return };
        if prompt.asked && prompt.id.text().parse() == Ok(id) {
            self.overlay = Some(Overlay::Choice(choice::delete(id, story.row.as_ref(), &self.facts.store)));
        }
    }

    /// The question before a delete is asked anew, with the safe answer marked, if the plant is
    /// no longer what the question says.
    pub(super) fn renew_delete_dialog(&mut self, id: PlantId, story: &Story) {
        let Some(Overlay::Choice(dialog)) = &mut self.overlay else { return };
        let renewed = choice::delete(id, story.row.as_ref(), &self.facts.store);
        // What else it says, as why a delete came back, is no reason.
        if dialog.answers == renewed.answers && !dialog.lines.starts_with(&renewed.lines) {
            *dialog = renewed;
        }
    }

    pub(super) fn use_token(&mut self, token: Token, waiting: Vec<Ask>) -> Vec<Effect> {
        self.token_held = true;
        self.tokens += 1;
        if let Wish::BaseUrl(other) = &mut self.here {
            // Opened anew, it is opened with this one.
            other.token = Some(token.clone());
        }
        let mut effects = vec![Effect::UseToken(token)];
        let store = self.store_in_words();
        self.says(&format!("Token set for {store}, for this session; the next request shows whether it is accepted."));
        for ask in waiting {
            effects.extend(self.ask(ask));
        }
        effects
    }

    /// A token came from its command in the middle of an import: the courier has it already.
    pub(super) fn token_renewed(&mut self) {
        self.tokens += 1;
        let store = self.store_in_words();
        self.says(&format!(
            "{store} rejected the token (401); its token command gave another, and the import goes on."
        ));
    }

    /// Closes what is open without doing it. Nothing that was typed is lost.
    pub(super) fn leave_overlay(&mut self) -> Vec<Effect> {
        if self.stop_connecting() {
            return vec![Effect::StopConnecting];
        }
        if self.stop_judging() {
            return vec![Effect::StopJudging];
        }
        let closed = self.overlay.take();
        self.close();
        match closed {
            Some(Overlay::Add(form)) if form.is_worth_keeping() => self.drafts.push(form),
            Some(Overlay::Preview(_)) => return vec![Effect::DropImport],
            Some(Overlay::Token(mut prompt)) => {
                for ask in std::mem::take(&mut prompt.waiting) {
                    let store = self.store_in_words();
                    let why = if self.token_held {
                        format!("{store} rejected it, and no other token was given for {store}.")
                    } else {
                        format!("No token was given for {store}.")
                    };
                    self.give_back(ask, &why);
                }
            }
            Some(
                Overlay::Add(_)
                | Overlay::DeleteById(_)
                | Overlay::Choice(_)
                | Overlay::Departed(_)
                | Overlay::Runs(_)
                | Overlay::Palette(_)
                | Overlay::Report(_)
                | Overlay::Import(_)
                | Overlay::Export(_)
                | Overlay::Stores(_)
                | Overlay::BaseUrl(_)
                | Overlay::Profile(_)
                | Overlay::Reader(_),
            )
            | None => {}
        }
        Vec::new()
    }

    /// The form comes back, filled as it was typed, with the reason.
    ///
    /// In the Greenhouse people look on: there it waits until it is asked for.
    pub(super) fn come_back(&mut self, plant: &Plant, reason: Vec<String>) {
        let mut form = Box::new(AddForm::back_with(plant, reason));
        form.opens_by_itself();
        if self.room == Room::Greenhouse && self.tour.is_none() && self.overlay.is_none() {
            self.drafts.push(form);
            let key = self.keys.shown(Action::Room(InRoom::Add));
            self.says_also(&format!("{key} opens the form again."));
        } else {
            self.open(Overlay::Add(form));
        }
    }
}
