//! One message in, effects out. Each arm calls a function that reads like what it is.

use crate::domain::{PlantId, Row, Settlement, sentence};
use crate::journal::{JournalError, LogRequest, LogWindow, Story, Window, WindowRequest};

use super::choice::Choice;
use super::key::Key;
use super::keys::{Action, Anywhere, Scope};
use super::message::{Drawn, Effect, Msg};
use super::model::{Happened, Model, Notice, Overlay};
use super::room::Room;

/// Milliseconds after which what was said makes room: how an operation ended, and other words.
const FADES_AFTER: (i64, i64) = (10_000, 2_000);

/// Changes the model as the message says, and returns what is to be done about it.
pub fn update(model: &mut Model, message: Msg) -> Vec<Effect> {
    let mut effects = match message {
        Msg::Now(now) => {
            model.now = now;
            Vec::new()
        }
        Msg::Key(key) => model.pressed(key),
        Msg::Paste(text) => model.pasted(&text),
        Msg::Clicked(target) => model.touched(|model| model.clicked(target)),
        Msg::Wheeled { over, down } => model.touched(|model| model.wheeled(over, down)),
        // The next frame tells what fits now.
        Msg::Resized { .. } => Vec::new(),
        Msg::Drawn(drawn) => {
            model.was_drawn(drawn);
            Vec::new()
        }
        Msg::Report(report) => model.reported(*report),
        Msg::CourierDied(why) => model.courier_died(&why),
        Msg::Window(request, result) => model.window_came(&request, result),
        Msg::ViewDue => model.table.is_due().map(Effect::Load).into_iter().collect(),
        Msg::Log(request, result) => model.log_came(&request, result),
        Msg::Pulse(search, result) => match model.unless_superseded(result) {
            Some(samples) => model.log.charted(&search, samples).into_iter().collect(),
            None => Vec::new(),
        },
        Msg::Inspected(place, result) => model.inspected_came(place, result),
        Msg::Compared(result) => model.pair_came(result),
        Msg::Fitting(filter, result) => {
            model.fitting_found(&filter, result);
            Vec::new()
        }
        Msg::ToDelete(plants, result) => {
            model.found_to_delete(&plants, result);
            Vec::new()
        }
        Msg::ToResolve(plants, result) => {
            model.found_to_resolve(&plants, result);
            Vec::new()
        }
        Msg::Reported(path, result) => {
            model.report_written(&path, result);
            Vec::new()
        }
        Msg::CheckWritten(path, result) => {
            model.check_written(&path, result);
            Vec::new()
        }
        Msg::Judging { bytes } => {
            model.judging(bytes);
            Vec::new()
        }
        Msg::Judged(path, judged) => model.judged(path, judged),
        Msg::Importing(progress) => model.import_goes_on(progress),
        Msg::Imported(summary) => model.import_is_over(*summary),
        Msg::Exported(path, result) => {
            model.exported(&path, result);
            Vec::new()
        }
        Msg::Connected(result) => model.connected(result),
        Msg::ProfileSaved(profile, file, written) => {
            model.profile_saved(*profile, &file, written);
            Vec::new()
        }
        Msg::TokenRenewed => {
            model.token_renewed();
            Vec::new()
        }
        Msg::Stores(found) => {
            model.stores_found(found);
            Vec::new()
        }
        Msg::JournalChanged => model.journal_changed(),
        Msg::Story(id, Ok(story)) => model.story_arrived(id, *story),
        Msg::Story(id, Err(why)) => {
            model.story_failed(id, &why);
            Vec::new()
        }
        Msg::Doubts(found) => model.unknown_found(found),
        Msg::Departed(text, found) => model.departed_found(&text, found),
        Msg::GivenUp(result) => model.was_given_up(result),
        Msg::Settled(id, settlement, result) => model.was_settled(id, settlement, result),
        Msg::SettledAll(plants, settlement, result) => model.were_settled(&plants, settlement, result),
        Msg::Beforehand(seed, found) => model.known_beforehand(seed, found),
        Msg::Paused(pause) => model.pause_is_over(pause),
        Msg::RunKept(result) => model.run_was_kept(result),
        Msg::Runs(found) => model.runs_found(found),
        Msg::Behind(asked, found) => model.behind_came(&asked, found),
        Msg::Tick => {
            model.turn = model.turn.wrapping_add(1);
            Vec::new()
        }
        Msg::Terminate => vec![Effect::Quit],
    };
    effects.extend(model.walk_on());
    effects.extend(model.tell_selected());
    effects.extend(model.inspect_selected());
    effects.extend(model.look_behind());
    model.watch_tour();
    effects
}

impl Model {
    fn pressed(&mut self, key: Key) -> Vec<Effect> {
        let scope = self.scope();
        let action = self.keys.action(scope, key);
        if action != Some(Action::Everywhere(Anywhere::Interrupt)) {
            self.interrupted = false;
        }
        // Nobody acts on what cannot be seen.
        if self.drawn.too_small && !matches!(action, Some(Action::Everywhere(_))) {
            return Vec::new();
        }
        self.fade();
        if let Some(effects) = self.on_tour(key, action) {
            return effects;
        }
        let is_typed = action.is_none() && matches!(scope, Scope::Form | Scope::List);
        self.show_key(key, is_typed);
        match action {
            Some(action) => self.perform(action),
            None if matches!(scope, Scope::Form | Scope::List) => {
                self.edit(matches!(key, Key::Char(_)), |field| field.press(key))
            }
            None => Vec::new(),
        }
    }

    /// What the mouse does, unless nothing can be seen.
    fn touched(&mut self, act: impl FnOnce(&mut Self) -> Vec<Effect>) -> Vec<Effect> {
        self.interrupted = false;
        // On the tour Space alone goes on.
        if self.drawn.too_small || self.tour.is_some() {
            return Vec::new();
        }
        self.fade();
        act(self)
    }

    /// What was said a while ago makes room, at the next sign of a person: nothing ticks for it.
    fn fade(&mut self) {
        let (ends, words) = FADES_AFTER;
        let is_old = |happened: &Happened| {
            self.now.0.saturating_sub(happened.at.0) > if happened.outcome.is_some() { ends } else { words }
        };
        if self.happened.as_ref().is_some_and(is_old) {
            self.happened = None;
        }
    }

    /// A paste goes into a field or nowhere: it never presses keys.
    fn pasted(&mut self, text: &str) -> Vec<Effect> {
        self.interrupted = false;
        if self.drawn.too_small || self.tour.is_some() {
            return Vec::new();
        }
        if matches!(self.scope(), Scope::Form | Scope::List) {
            // The end of the line that was copied is not part of what is on it.
            let line = text.trim_end_matches(['\r', '\n']);
            return self.edit(true, |field| {
                field.insert(line);
                true
            });
        }
        self.says("Pasted text goes into a form; open one first.");
        Vec::new()
    }

    /// Ctrl-C: first closes what is open, then stops a check or an import, then cancels what is in
    /// flight, then quits.
    pub(super) fn interrupt(&mut self) -> Vec<Effect> {
        self.walk = None;
        if self.overlay.is_some() && !self.drawn.too_small {
            return self.leave_overlay();
        }
        if std::mem::take(&mut self.filtering) && !self.drawn.too_small {
            return Vec::new();
        }
        if self.check.run().is_some_and(|run| !run.is_stopping()) {
            return self.stop_check();
        }
        if self.importing().is_some_and(|import| import.ending.is_none()) {
            return self.stop_import();
        }
        let unseen = self.drawn.too_small && self.forms_to_lose() > 0;
        let is_under_way = !self.flights.is_empty() || self.check.is_under_way() || self.is_importing();
        if self.interrupted || (!is_under_way && !unseen) {
            return vec![Effect::Quit];
        }
        self.interrupted = true;
        let abandoned = self.abandon_check("it was stopped twice");
        for flight in &mut self.flights {
            flight.cancelled = true;
        }
        abandoned.into_iter().chain(self.cancel_import()).chain([Effect::CancelAll]).collect()
    }

    fn was_drawn(&mut self, drawn: Drawn) {
        self.drawn = drawn;
        match self.room {
            Room::Plants => self.table.fits(drawn.page),
            Room::Exchanges => self.log.fits(drawn.page),
            Room::Check => self.check.fits(drawn.page),
            Room::Greenhouse => {}
        }
        self.pane_top = self.pane_top.min(self.furthest_in_pane());
        if let Some(Overlay::Add(form)) = &mut self.overlay
            && !drawn.too_small
        {
            form.was_drawn();
        }
        if let Some(Overlay::Preview(dialog)) = &mut self.overlay {
            dialog.top = dialog.top.min(drawn.reader_lines.saturating_sub(drawn.reader_page));
        }
        if let Some(reader) = self.reader() {
            reader.was_drawn(&drawn);
        }
    }

    /// The window brings the selected plant's story with it; what is open may be about another.
    fn journal_changed(&mut self) -> Vec<Effect> {
        let told = match &mut self.overlay {
            Some(Overlay::Add(form)) => form.id.text().parse().ok().map(Effect::Tell),
            Some(Overlay::Choice(dialog)) => match (dialog.deletes(), dialog.resolves()) {
                (_, Some(plants)) => Some(Effect::FindToResolve(plants)),
                (Some(plants), None) => Some(Effect::FindToDelete(plants.to_vec())),
                (None, None) => dialog.about.map(Effect::Tell),
            },
            Some(Overlay::Departed(list)) => list.search(),
            Some(
                Overlay::DeleteById(_)
                | Overlay::Token(_)
                | Overlay::Runs(_)
                | Overlay::Palette(_)
                | Overlay::Report(_)
                | Overlay::Import(_)
                | Overlay::Preview(_)
                | Overlay::Export(_)
                | Overlay::Stores(_)
                | Overlay::BaseUrl(_)
                | Overlay::Profile(_)
                | Overlay::Reader(_),
            )
            | None => None,
        };
        self.refresh_room().into_iter().chain(told).collect()
    }

    /// What came, unless it could not be read; nobody waits for what something newer was asked instead of.
    fn unless_superseded<T>(&mut self, result: Result<T, JournalError>) -> Option<T> {
        match result {
            Ok(came) => Some(came),
            Err(JournalError::Superseded) => None,
            Err(why) => {
                self.table.failed();
                self.log.failed();
                self.cannot_read(&why.to_string());
                None
            }
        }
    }

    fn window_came(&mut self, request: &WindowRequest, result: Result<Window, JournalError>) -> Vec<Effect> {
        let is_wanted = request.arrangement == self.table.arrangement();
        match self.unless_superseded(result) {
            Some(window) if is_wanted => self.window_arrived(window),
            Some(_) | None => Vec::new(),
        }
    }

    fn log_came(&mut self, request: &LogRequest, result: Result<LogWindow, JournalError>) -> Vec<Effect> {
        match self.unless_superseded(result) {
            Some(window) => {
                let more = self.log.arrived(request, window);
                // There is nothing to open.
                self.opening &= !self.log.is_read || self.log.selected.is_some();
                more.into_iter().collect()
            }
            None => Vec::new(),
        }
    }

    fn window_arrived(&mut self, window: Window) -> Vec<Effect> {
        // Something changed: what is known of the selected plant may be old.
        self.telling = None;
        self.untold = None;
        if window.tally.unknown == 0 {
            self.notices.retain(|notice| !notice.of_doubts);
        }
        let expected = self.expected();
        let more = self.table.arrived(window, expected).map(Effect::Load);
        let late = self.table.late().map(Effect::WaitForView);
        let told = self.table.selected.map(|id| {
            self.telling = Some(id);
            Effect::Tell(id)
        });
        more.into_iter().chain(late).chain(told).collect()
    }

    fn story_arrived(&mut self, id: PlantId, story: Story) -> Vec<Effect> {
        if self.telling == Some(id) {
            self.telling = None;
        }
        if let Some(Overlay::Add(form)) = &mut self.overlay
            && form.plant().is_ok_and(|plant| plant.id == id)
        {
            form.taken.clone_from(&story.row);
        }
        self.confirm_delete_by_id(id, &story);
        self.renew_delete_dialog(id, &story);
        self.withdraw_what_was_settled(id, &story);
        let effects = self.walk_told(id, &story);
        if Some(id) == self.table.selected {
            self.story = Some((id, story));
        }
        effects
    }

    /// A question about a doubt that is no longer the plant's has nothing left to settle.
    fn withdraw_what_was_settled(&mut self, id: PlantId, story: &Story) {
        let doubt = story.in_doubt.as_ref().map(|doubt| doubt.operation);
        let is_over = |asked: &Choice| asked.about == Some(id) && asked.doubt.is_some() && asked.doubt != doubt;
        if self.withdraw(is_over) {
            let name = story.row.as_ref().and_then(Row::name);
            self.says(&format!("{} was resolved or changed elsewhere in the meantime.", sentence::called(id, name)));
        }
    }

    fn story_failed(&mut self, id: PlantId, why: &str) {
        if self.telling == Some(id) {
            self.telling = None;
        }
        self.untold = Some(id);
        self.walk_not_told(id);
        if let Some(Overlay::DeleteById(prompt)) = &mut self.overlay {
            prompt.asked = false;
        }
        self.cannot_read(why);
    }

    /// Asks for the story of the selected plant, once, when it is not the one at hand.
    fn tell_selected(&mut self) -> Option<Effect> {
        let id = self.table.selected?;
        if self.telling.is_some() || self.untold == Some(id) || self.story.as_ref().is_some_and(|(told, _)| *told == id)
        {
            return None;
        }
        self.telling = Some(id);
        Some(Effect::Tell(id))
    }

    fn was_given_up(&mut self, result: Result<(), String>) -> Vec<Effect> {
        if let Err(why) = result {
            self.notices.push_back(Notice::new(format!("The journal could not keep this: {why}")));
        }
        self.table.refresh().map(Effect::Load).into_iter().collect()
    }

    fn was_settled(&mut self, id: PlantId, settlement: Settlement, result: Result<(), JournalError>) -> Vec<Effect> {
        let by_check = self.was_forgotten_by_check(id, settlement);
        let plant = sentence::called(id, self.name_of(id).as_deref());
        if result.is_ok() {
            self.unsent.retain(|ask| ask.plant_id() != id);
            self.unsettled.remove(&id);
            self.table.marked.remove(&id);
        }
        match result {
            // Nobody's word; the check tells what it leaves behind.
            Ok(()) | Err(JournalError::Overtaken) if by_check => {}
            Ok(()) => match settlement {
                Settlement::MarkStored => self.says(&format!("On your word: {plant} is stored. Nothing was sent.")),
                Settlement::Forget => self.says(&format!("Forgotten here: {plant}. Nothing was sent.")),
            },
            Err(why @ JournalError::Overtaken) => self.says(&format!("{plant} is not resolved: {why}.")),
            Err(why) => self.notices.push_back(Notice::new(format!("{plant} is not resolved: {why}"))),
        }
        self.story = None;
        self.table.refresh().map(Effect::Load).into_iter().collect()
    }

    pub(super) fn cannot_read(&mut self, why: &str) {
        let notice = Notice::new(format!("The journal could not be read: {why}"));
        if !self.notices.contains(&notice) {
            self.notices.push_back(notice);
        }
    }

    /// Puts one sentence on the activity line.
    pub(super) fn says(&mut self, text: &str) {
        self.happened = Some(Happened { outcome: None, text: text.to_owned(), unlike: Vec::new(), at: self.now });
    }

    /// Adds a sentence to what the activity line says.
    pub(super) fn says_also(&mut self, text: &str) {
        match &mut self.happened {
            Some(happened) => {
                happened.text.push(' ');
                happened.text.push_str(text);
            }
            None => self.says(text),
        }
    }
}
