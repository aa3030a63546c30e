//! The Greenhouse tab: every plant as a pot on the shelf of its tag, and the last exchange as a picture.
//!
//! ```text
//! row of the list ──▶ stage of its pot ─┬▶ rules (tag, id) ─▶ pixels ─▶ palette ─▶ half blocks   in colour
//!                                       └▶ sprite of lines                                       else
//! exchange ──▶ scene ──▶ arrows that are drawn as far as something is known, and one sentence
//! ```
//!
//! Its shelves contain the loaded rows of the list of plants, so it makes no query of its own. Its own state is of this
//! session only: plants that grow, plants that have left, and the exchange that ended last.

mod diagram;
mod layout;
mod palette;
mod picture;
mod pixels;
mod plants;
mod pots;
mod rules;
mod scene;
mod sentence;
mod shelf;
mod shelves;
mod sprites;
pub(super) mod state;
#[cfg(test)]
mod tests;
mod view;

use std::sync::Arc;

use ratatui::layout::Rect;

use super::component::{
    ALL_ON_SCREEN, Action, Component, NOT_LISTED, NamedExchange, Reason, Typed, called, cannot, does,
};
use super::context::{Context, Motion};
use super::effect::Effect;
use super::input::Command;
use super::message::{FrameLayout, Msg, Target};
use super::screen::plant_commands::{action_with_plant, clear_filter, type_into_filter};
use super::screen::{Screen, action_in_list};
use super::ui_effect::Tab;
use super::widgets::canvas::Canvas;
use crate::domain::language::Id;
use crate::domain::sentence::called as called_plant;
use crate::domain::simple_words::about;
use crate::domain::{Details, Message, OperationKind, Outcome as Proof, PlantId, Resolution, Row, Timestamp};
use crate::worker::Ended;

use pots::Stage;
use scene::Scene;
pub(super) use state::GreenhouseScreen;
use state::{Focus, GROWTH, Gone, LastExchange, MESSAGE, SHOWN_GONE, SLOWER, Shows, WHOLE, passed};

impl GreenhouseScreen {
    /// Follows a plant for which an operation was submitted: its pot and its picture are shown; a sample of the demo only as
    /// long as no person does something else. Of operations that were submitted together, none moves the selection.
    pub(super) fn attend_to(&mut self, plant: PlantId, by_a_person: bool, cx: &mut Context) {
        if by_a_person {
            self.is_attended = true;
            self.gone.retain(|gone| gone.id != plant);
        } else if self.is_attended {
            return;
        }
        if cx.session.batch.is_some() {
            return;
        }
        if cx.display.tab == Tab::Greenhouse {
            cx.session.plants.select(plant);
        }
        (self.focus, self.shows) = (Some(Focus { id: plant, is_here: true }), Shows::Selected);
    }

    /// Shows what becomes of several plants that a person changes together.
    pub(super) fn attend_to_many(&mut self) {
        (self.focus, self.shows, self.is_attended) = (None, Shows::Together, true);
    }

    pub(in crate::tui) fn show_no_request(&mut self) {
        self.shows = Shows::Nothing;
    }

    /// Returns the plant of the picture: the selected one, or one that is not in the list.
    fn shown(&self, cx: &Context) -> Option<Focus> {
        let selected = cx.session.plants.selected.map(|id| Focus { id, is_here: true });
        self.focus.filter(|focus| !focus.is_here).or(selected)
    }

    /// Prepares for becoming the active screen: shows the selected plant, or the sample that is being added.
    pub(super) fn enter(&mut self, cx: &mut Context) {
        if self.shows == Shows::Together {
            return;
        }
        let plants = &cx.session.plants;
        let is_first = plants.window.first == 0 && plants.window.rows.first().map(|row| row.id) == plants.selected;
        // While the message is about the last sample, so is the picture, unless a person has selected another plant.
        let is_said = cx.out.status.message.as_ref().is_some_and(|message| message.outcome.is_some());
        match self.focus.filter(|_| !cx.session.pending.is_empty() || (is_said && is_first)) {
            Some(focus) if !self.is_attended => cx.session.plants.select(focus.id),
            Some(focus) if cx.session.plants.selected == Some(focus.id) => {}
            Some(_) | None => self.look_away(),
        }
    }

    /// Shows the selected plant, as a person has selected another one.
    pub(super) fn look_away(&mut self) {
        (self.focus, self.shows, self.is_attended) = (None, Shows::Selected, true);
    }

    /// Whether an operation is a sample of the demo, and a person is occupied with something else.
    pub(super) fn is_aside(&self, ended: &Ended, cx: &Context) -> bool {
        let id = ended.exchange.operation.id;
        let is_sample = cx.session.pending.iter().any(|pending| pending.operation.id == id && pending.is_sample);
        self.is_attended && is_sample
    }

    /// Whether something moves, operations in flight aside.
    pub(super) fn is_moving(&self, cx: &Context) -> bool {
        let grows = |(_, since): &(PlantId, Timestamp)| passed(*since, GROWTH, cx) < WHOLE;
        self.grows.iter().any(grows)
    }

    /// Whether the arrow of the response that a message brings is on its way; the first time, begins to draw it. Until it
    /// has arrived, the program shows nothing of what the message says.
    pub(super) fn draws_arrow(&mut self, message: &Msg, cx: &mut Context) -> bool {
        let Some(ended) = message.own_end() else { return false };
        let operation = &ended.exchange.operation;
        let pending = cx.session.pending.iter().find(|pending| pending.operation.id == operation.id);
        let has_arrow = ended.exchange.outcome() != Proof::NotSent && pending.is_some_and(|pending| !pending.is_sample);
        // The end of an operation of a batch starts the next one.
        let is_shown = cx.session.batch.is_none()
            && cx.display.motion == Motion::Animated
            && cx.display.tab == Tab::Greenhouse
            && !cx.display.has_dialog
            && !self.shows_wire;
        if !has_arrow || !is_shown || !matches!(self.shows, Shows::Selected | Shows::Last) {
            return false;
        }
        if self.arriving.as_ref().is_none_or(|last| last.exchange.operation.id != operation.id) {
            let id = operation.kind.plant_id();
            if self.is_followed(ended, cx) {
                self.focus = Some(Focus { id, is_here: true });
                cx.session.plants.select(id);
            } else if self.plant(cx) != Some(id) {
                return false;
            }
            self.arriving = Some(LastExchange::of(ended, cx));
        }
        self.arriving.as_ref().is_some_and(|last| passed(last.at, MESSAGE, cx) < WHOLE)
    }

    /// Whether picture and selection go to the plant of an operation that ends, and not from a plant that a person has
    /// selected since, or waits for.
    fn is_followed(&self, ended: &Ended, cx: &Context) -> bool {
        let operation = &ended.exchange.operation;
        let waits_for = |plant| {
            let mut others = cx.session.pending.iter().filter(|pending| pending.operation.id != operation.id);
            others.any(|pending| pending.operation.kind.plant_id() == plant)
        };
        let takes = |focus: Focus| focus.id == operation.kind.plant_id() || !waits_for(focus.id);
        self.focus.is_some_and(takes) && !self.is_aside(ended, cx)
    }

    /// Takes the end of an operation, unless it belongs to a check.
    fn handle_end(&mut self, ended: &Ended, cx: &mut Context) {
        let exchange = &ended.exchange;
        let (kind, at) = (&exchange.operation.kind, cx.now());
        let id = kind.plant_id();
        self.arriving = None;
        self.gone.retain(|gone| gone.id != id);
        let left = match (exchange.outcome(), kind) {
            (Proof::Accepted, OperationKind::Add(_)) => {
                self.grows.retain(|(other, since)| *other != id && at.0 - since.0 < GROWTH * SLOWER);
                self.grows.push((id, at));
                None
            }
            (Proof::Accepted, OperationKind::Delete(_)) => {
                // The list may be without it already.
                let seen = exchange.operation.deletes().as_ref().map(Details::from);
                let details = seen.or_else(|| cx.session.plants.row(id).and_then(|row| row.details.clone()));
                Some((details, Stage::Deleted))
            }
            (Proof::Rejected, OperationKind::Add(plant)) => {
                Some((Some(Details::from(plant.as_ref())), Stage::Rejected))
            }
            (Proof::NotSent, OperationKind::Add(plant)) => Some((Some(Details::from(plant.as_ref())), Stage::Unsent)),
            (Proof::Unknown, _) | (Proof::Rejected | Proof::NotSent, OperationKind::Delete(_)) => None,
        };
        // A plant that is in the list keeps its one pot.
        let left = left.filter(|(details, _)| ended.row.as_ref().is_none_or(|row| row.details != *details));
        let is_here = match exchange.outcome() {
            Proof::Accepted | Proof::Unknown => left.is_none(),
            Proof::Rejected | Proof::NotSent => left.is_none() && ended.row.is_some(),
        };
        let is_followed = self.is_followed(ended, cx);
        let is_shown = self.shown(cx).is_some_and(|shown| shown.id == id);
        if is_followed {
            self.focus = Some(Focus { id, is_here });
            if is_here && cx.display.tab == Tab::Greenhouse {
                cx.session.plants.select(id);
            }
        }
        if left.is_none() && !is_followed && !is_shown {
            return;
        }
        let last = LastExchange::of(ended, cx);
        if let Some((details, how)) = left {
            self.leaves(Gone { id, details, how, last: last.clone() });
        }
        if is_followed || is_shown {
            if self.shows == Shows::Selected {
                self.shows = Shows::Last;
            }
            self.last = Some(last);
        }
    }

    /// Keeps a pot for a plant that is not in the list.
    fn leaves(&mut self, gone: Gone) {
        self.gone.retain(|other| other.id != gone.id);
        self.gone.push_back(gone);
        if self.gone.len() > SHOWN_GONE {
            self.gone.pop_front();
        }
    }

    /// Keeps the picture of a plant that a person has resolved, even if the plant leaves the list.
    fn resolved(&mut self, plant: PlantId, resolution: Resolution, cx: &Context) {
        let is_shown = |last: &LastExchange| last.exchange.operation.kind.plant_id() == plant;
        let pot = self.shown(cx).filter(|shown| shown.id == plant);
        if pot.is_some_and(|pot| self.last_of(pot).is_none()) {
            let name = cx.session.name_of(plant);
            let unknown = cx.session.selected_history().and_then(|history| history.unknown.as_ref());
            let unknown = unknown.map(|unknown| unknown.kind.clone());
            let shown = cx.session.selected_requests().and_then(|requests| requests.own.first().copied());
            if let Some(exchange) = shown.cloned().map(Arc::new) {
                self.shows = Shows::Last;
                let at = exchange.started;
                self.last = Some(LastExchange { exchange, name, unknown, stored: None, resolved: None, at });
            }
        }
        if let Some(last) = self.last.as_mut().filter(|last| is_shown(last)) {
            last.resolved = Some(resolution);
        }
        // A forgotten plant leaves the list; its picture stays.
        if resolution == Resolution::Forget && pot.is_some() {
            self.focus = Some(Focus { id: plant, is_here: false });
        }
    }

    /// Selects another one of the pots that are drawn. `to` returns its index from the index now and the last one.
    fn walk(&mut self, to: impl FnOnce(usize, usize) -> usize, cx: &mut Context) {
        let pots: Vec<_> = self.shelves(usize::MAX, cx).concat().iter().map(Focus::of).collect();
        let Some(last) = pots.len().checked_sub(1) else { return };
        // The plant of the picture may have no pot.
        let selected = cx.session.plants.selected.map(|id| Focus { id, is_here: true });
        let mut shown = [self.shown(cx), selected].into_iter().flatten();
        let at = shown.find_map(|plant| pots.iter().position(|pot| *pot == plant)).unwrap_or(0);
        if let Some(pot) = pots.get(to(at, last).min(last)) {
            self.look_at(*pot, cx);
        }
    }

    /// Selects a pot further right, or further left if `by` is negative; after the end of a shelf follows the next one.
    fn step_pots(&mut self, by: isize, cx: &mut Context) {
        self.walk(|at, _| at.saturating_add_signed(by), cx);
    }

    /// Selects a pot `by` shelves below, or above if negative.
    fn step_shelves(&mut self, by: isize, cx: &mut Context) {
        let across = self.across.max(1);
        let to = |at: usize, last| (at / across).saturating_add_signed(by).min(last / across) * across + at % across;
        self.walk(to, cx);
    }

    fn look_at(&mut self, pot: Focus, cx: &mut Context) {
        let is_another = self.plant(cx) != Some(pot.id);
        // What becomes of several plants stays in the picture until all of it is known.
        let is_under_way = cx.session.together.is_some_and(|together| together.left > 0);
        let shows = Some(self.shows).filter(|shows| *shows == Shows::Together && is_under_way);
        self.look_away();
        self.shows = shows.unwrap_or(self.shows);
        // Of the plant that was selected; selected again, its picture says it.
        cx.out.status.message.take_if(|message| message.outcome.is_some() && is_another);
        if !pot.is_here {
            self.focus = Some(pot);
            return;
        }
        // Near the edge of the loaded rows, more are read.
        let plants = &mut cx.session.plants;
        let request = plants.index_of(pot.id).and_then(|index| plants.go_to(index));
        cx.out.effects(request.map(Effect::Load));
    }
}

impl Component for GreenhouseScreen {
    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::Left => does(|screen: &mut Self, cx| screen.step_pots(-1, cx)),
            Command::Right => does(|screen: &mut Self, cx| screen.step_pots(1, cx)),
            Command::Wire => {
                called(if self.shows_wire { "picture" } else { "as sent" }, |screen: &mut Self, cx: &mut Context| {
                    screen.shows_wire = !screen.shows_wire;
                    cx.screen.pane.to_start();
                })
            }
            Command::PageUp | Command::PageDown | Command::HalfPageUp | Command::HalfPageDown if self.shows_wire => {
                match cx.screen.pane.lines_of(command).filter(|_| !cx.screen.pane.shows_all()) {
                    Some(lines) => called("scroll", move |_, cx: &mut Context| cx.screen.pane.scroll(lines)),
                    None => cannot(ALL_ON_SCREEN),
                }
            }
            Command::Open | Command::Mark | Command::Delete | Command::Duplicate | Command::ItsRequests
                if self.shown(cx).is_some_and(|shown| !shown.is_here) =>
            {
                cannot(NOT_LISTED)
            }
            _ => action_in_list(self, command, cx).or_else(|| action_with_plant(command, cx)),
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        type_into_filter(typed, cx);
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        if let Some(ended) = message.own_end() {
            self.handle_end(ended, cx);
        }
        if let Msg::Resolved(plants, resolution, Ok(each)) = message {
            for (plant, _) in plants.iter().zip(each).filter(|(_, written)| written.is_ok()) {
                self.resolved(*plant, *resolution, cx);
            }
        }
    }

    fn drawn(&mut self, layout: &FrameLayout, _cx: &mut Context) {
        (self.across, self.shelves_on_screen) = (layout.across, layout.page);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        view::draw(self, cx, area, canvas);
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        let (Target::Plant(id) | Target::GonePlant(id)) = target else { return };
        let is_here = matches!(target, Target::Plant(_));
        cx.screen.reset();
        self.look_at(Focus { id, is_here }, cx);
        if is_here {
            cx.session.plants.select(id);
        }
    }

    /// The exchange that ended last, or the last one of the selected plant.
    fn exchange<'a>(&'a self, cx: &'a Context) -> Option<NamedExchange<'a>> {
        if let Some(last) = self.last_of(self.shown(cx)?) {
            return Some((&last.exchange, last.name.as_deref()));
        }
        if !self.shown(cx)?.is_here {
            return None;
        }
        let exchange = *cx.session.selected_requests()?.own.first()?;
        Some((exchange, cx.session.plants.selected_row().and_then(Row::name)))
    }

    fn plant(&self, cx: &Context) -> Option<PlantId> {
        self.shown(cx).map(|shown| shown.id)
    }

    fn explain(&self, cx: &Context) -> Option<(String, Vec<Message>)> {
        let shown = self.shown(cx).filter(|shown| !shown.is_here)?;
        let gone = self.gone.iter().find(|gone| gone.id == shown.id);
        let name = gone.and_then(|gone| gone.details.as_ref()).map(|details| details.name.as_str());
        let name = name.or_else(|| self.last_of(shown)?.name.as_deref());
        let was = match gone.map(|gone| gone.how) {
            Some(Stage::Rejected | Stage::Unsent) => "was never stored",
            Some(_) => "was deleted",
            None => "was forgotten",
        };
        let key = cx.key(Command::ReAdd);
        let text = format!("{} {was}; {key} adds it again.", called_plant(shown.id, name));
        Some((text, vec![about(Id::NotListed, shown.id, name), Id::KeyReAdds.with("key", key)]))
    }
}

impl Screen for GreenhouseScreen {
    fn step(&mut self, lines: isize, cx: &mut Context) {
        self.step_shelves(lines, cx);
    }

    fn go_to_end(&mut self, last: bool, cx: &mut Context) {
        let window = &cx.session.plants.window;
        let is_loaded = if last { window.first + window.rows.len() >= window.total } else { window.first == 0 };
        let steps = if last { isize::MAX } else { isize::MIN };
        if is_loaded {
            return self.step_pots(steps, cx);
        }
        self.look_away();
        cx.out.status.message.take_if(|message| message.outcome.is_some());
        cx.out.effects(cx.session.plants.step(steps).map(Effect::Load));
    }

    fn page(&self, _cx: &Context) -> isize {
        self.shelves_on_screen.max(1).cast_signed()
    }

    fn room_for_dialog(&self, cx: &Context, area: Rect, body: Rect, canvas: &mut Canvas<'_, '_>) -> Rect {
        view::room_for_dialog(self, cx, area, body, canvas)
    }

    fn says_message(&self, cx: &Context) -> bool {
        let message = cx.out.status.message.as_ref();
        if let (Scene::Together(together), Some(message)) = (self.scene(cx), message) {
            return message.simple == together.sentences();
        }
        let said = message.filter(|message| message.outcome.is_some());
        let pictured = self.shown(cx).and_then(|shown| self.last_of(shown)).filter(|_| !self.shows_wire);
        said.zip(pictured).is_some_and(|(message, last)| message.at == last.at)
    }

    fn lacks_pane(&self) -> Option<Reason> {
        Some("the pane of the Greenhouse scrolls by the keys of a page")
    }

    fn show_all(&mut self, cx: &mut Context) {
        clear_filter(cx);
    }
}
