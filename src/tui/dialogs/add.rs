//! The form that adds a plant: its fields, what stands beside them, and the request to come.

use std::fmt;

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::client;
use crate::domain::plant::Field;
use crate::domain::text::clean_fit;
use crate::domain::{IdFault, OperationKind, Plant, Row, Slip, sentence};
use crate::tui::component::{Action, Component, Typed, called, does, unless};
use crate::tui::context::Context;
use crate::tui::draft::Draft;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{FrameLayout, Msg, Target};
use crate::tui::render::wire::{Extent, request_lines};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text_input::TextInput;

/// From above to below.
const FIELDS: [Field; 3] = [Field::Name, Field::Id, Field::Tag];

/// Rows of a request with a short body.
const PREVIEW: usize = 9;

/// Columns of name and of tag of the plant that has an id already.
const TAKEN_COLUMNS: usize = 40;

#[derive(Debug)]
pub(crate) struct AddForm {
    draft: Draft,
    warned: Option<Warned>,
    /// Whether it opened by itself and was not drawn yet: Enter was meant for what was in front before.
    is_unseen: bool,
    /// The plant in the list that has this id already, as far as is known.
    taken: Option<Row>,
}

/// A warning about a plant that is probably a slip. It counts only once it was drawn: an Enter pressed before
/// that was not meant for it.
#[derive(Debug)]
struct Warned {
    plant: Plant,
    is_drawn: bool,
}

/// What Enter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnEnter {
    Send,
    Warn,
    /// It was pressed before the form, or its warning, could be seen.
    Nothing,
}

/// What stands beside a field.
enum Beside<'a> {
    /// It cannot be sent.
    Fault(IdFault),
    /// It is probably a slip; one more Enter sends it.
    Warning(Slip),
    /// Likewise: this plant has the id.
    Taken(&'a Row),
}

impl AddForm {
    /// A form that a person opens.
    pub(crate) fn open(draft: Draft, cx: &mut Context) -> Self {
        let mut form = Self { draft, warned: None, is_unseen: false, taken: None };
        form.look_up_id(cx);
        form
    }

    /// A form that opens by itself.
    pub(crate) fn coming_back(draft: Draft) -> Self {
        Self { draft, warned: None, is_unseen: true, taken: None }
    }

    /// Takes note that it comes to the front by itself: Enter was meant for what was there before.
    pub(crate) fn comes_to_the_front(&mut self) {
        (self.is_unseen, self.warned) = (true, None);
    }

    /// What is typed.
    pub(crate) fn draft(&self) -> &Draft {
        &self.draft
    }

    /// What is typed, if closing would lose it.
    pub(crate) fn kept(&self) -> Option<Draft> {
        self.draft.is_worth_keeping().then(|| self.draft.clone())
    }

    /// Whether the plant as it stands in the form was warned about, so that Enter sends it.
    pub(crate) fn is_warned(&self) -> bool {
        self.draft.plant().is_some_and(|plant| self.warned_of(&plant).is_some())
    }

    fn warned_of(&self, plant: &Plant) -> Option<&Warned> {
        self.warned.as_ref().filter(|warned| warned.plant == *plant)
    }

    /// Whether the next frame matters to what Enter does.
    pub(crate) fn awaits_frame(&self) -> bool {
        self.is_unseen || self.warned.as_ref().is_some_and(|warned| !warned.is_drawn)
    }

    /// Asks what is known of the id, so that one already in the list is warned about.
    fn look_up_id(&mut self, cx: &mut Context) {
        self.taken = None;
        if let Ok(id) = self.draft.id() {
            self.taken = cx.session.plants.row(id).cloned();
            cx.out.effect(Effect::LoadPlantHistory(id));
        }
    }

    /// What is probably a slip in this plant, with what the list knows of its id.
    fn slips(&self, plant: &Plant) -> Vec<Slip> {
        let is_taken = self.taken.as_ref().is_some_and(|row| row.id == plant.id);
        plant.slips().into_iter().chain(is_taken.then_some(Slip::IdInList)).collect()
    }

    /// Whether the first Enter warns, and only a second one sends.
    fn sends_on_the_second_enter(&self, plant: &Plant) -> bool {
        !self.slips(plant).is_empty() || self.draft.rejected.as_ref() == Some(plant)
    }

    fn on_enter(&self, plant: &Plant, is_in_flight: bool) -> OnEnter {
        let is_unusual = is_in_flight || self.sends_on_the_second_enter(plant);
        match self.warned_of(plant) {
            _ if self.is_unseen => OnEnter::Nothing,
            _ if !is_unusual => OnEnter::Send,
            None => OnEnter::Warn,
            Some(warned) if warned.is_drawn => OnEnter::Send,
            Some(_) => OnEnter::Nothing,
        }
    }

    /// Sends the plant, unless its id is none, or it looks like a slip that was not warned about yet.
    fn submit(&mut self, cx: &mut Context) {
        let Some(plant) = self.draft.plant() else {
            (self.draft.complained, self.draft.focus) = (true, Field::Id);
            return;
        };
        let is_in_flight = cx.session.pending.iter().any(|pending| pending.operation.kind.plant() == Some(&plant));
        match self.on_enter(&plant, is_in_flight) {
            OnEnter::Nothing => {}
            OnEnter::Warn => {
                if let Some(slip) = self.slips(&plant).first() {
                    self.draft.focus = slip.field();
                }
                if is_in_flight {
                    let enter = cx.out.keys.shown_in(Scope::Form, Command::Submit);
                    cx.out.say(format!("This very plant is already in flight. {enter} once more adds it again."));
                }
                self.warned = Some(Warned { plant, is_drawn: false });
            }
            OnEnter::Send => {
                cx.out.close();
                cx.session.plants.select(plant.id);
                cx.out.say(format!("Adding {} …", sentence::plant_called(&plant)));
                cx.session.submit(OperationKind::Add(plant), &mut cx.out);
            }
        }
    }

    /// Becomes a blank form; what was typed is kept for the next time.
    fn become_blank(&mut self, cx: &mut Context) {
        let blank = Self::open(Draft::suggesting(cx.session.next_id()), cx);
        cx.session.drafts.push(std::mem::replace(self, blank).draft);
    }

    fn step(&mut self, fields: usize) {
        let at = FIELDS.iter().position(|field| *field == self.draft.focus).unwrap_or(0);
        self.draft.focus = FIELDS.into_iter().cycle().nth(at + fields).unwrap_or(Field::Name);
    }

    fn beside(&self, field: Field) -> Option<Beside<'_>> {
        let plant = match self.draft.id() {
            Ok(_) => self.draft.plant()?,
            Err(fault) => {
                // An id that is still being typed is not scolded, except where it can no longer become one.
                let hopeless = fault != IdFault::Empty && self.draft.id.text() != "-";
                let is_shown = field == Field::Id && (self.draft.complained || hopeless);
                return is_shown.then_some(Beside::Fault(fault));
            }
        };
        let slip = self.slips(&plant).into_iter().find(|slip| slip.field() == field)?;
        match &self.taken {
            Some(row) if slip == Slip::IdInList => Some(Beside::Taken(row)),
            Some(_) | None => self.warned_of(&plant).map(|_| Beside::Warning(slip)),
        }
    }

    /// Below the reasons why it came back.
    fn hint(&self, cx: &Context) -> Option<String> {
        let blank = cx.key(Command::BlankForm);
        if self.draft.was_kept() && !self.draft.is_adding_again() {
            let esc = cx.out.keys.shown_in(Scope::Form, Command::Close);
            Some(format!("Kept as you left it; {esc} without a change throws it away. {blank} opens a blank form."))
        } else {
            (!self.draft.reasons().is_empty()).then(|| format!("{blank} opens a blank form."))
        }
    }

    /// Above the request: what Enter does.
    fn what_enter_does(&self, plant: Option<&Plant>, cx: &Context) -> String {
        let enter = cx.out.keys.shown_in(Scope::Form, Command::Submit);
        match plant {
            None => format!("{enter} sends once the id is a whole number."),
            Some(plant) if self.is_warned() && self.draft.rejected.as_ref() == Some(plant) => {
                format!("This very plant came back. {enter} once more sends it as it is:")
            }
            Some(_) if self.is_warned() => format!("{enter} once more sends it as it is:"),
            Some(plant) if self.sends_on_the_second_enter(plant) => format!("{enter} twice sends:"),
            Some(_) => format!("{enter} sends:"),
        }
    }
}

impl Component for AddForm {
    fn scope(&self) -> Scope {
        Scope::Form
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Submit if self.is_warned() => called("once more: send it", Self::submit),
            Command::Submit => does(Self::submit),
            Command::Next => does(|form: &mut Self, _| form.step(1)),
            Command::Previous => does(|form: &mut Self, _| form.step(FIELDS.len() - 1)),
            Command::BlankForm => unless((!self.draft.is_filled()).then_some("the form is blank"), Self::become_blank),
            Command::Close => does(|form: &mut Self, cx| {
                cx.out.close();
                cx.session.drafts.extend(form.kept());
            }),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        let id = self.draft.id.text().to_owned();
        if self.draft.focus == Field::Id && std::mem::take(&mut self.draft.is_suggested) && typed.is_text() {
            // What is typed takes the place of the suggestion; other keys edit it.
            self.draft.id = TextInput::default();
        }
        if self.draft.focused().take(typed) {
            self.draft.complained = false;
        }
        if self.draft.id.text() != id {
            self.look_up_id(cx);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::PlantHistory(id, Ok(history)) if self.draft.id() == Ok(*id) => self.taken.clone_from(&history.row),
            Msg::JournalChanged => cx.out.effects(self.draft.id().ok().map(Effect::LoadPlantHistory)),
            _ => {}
        }
    }

    fn drawn(&mut self, _layout: &FrameLayout) {
        self.is_unseen = false;
        if let Some(warned) = &mut self.warned {
            warned.is_drawn = true;
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, width) = (canvas.theme, Form::width(area));
        let Draft { name, id, tag, focus, .. } = &self.draft;
        let reasons = self.draft.reasons();
        let mut form = Form::default();
        for reason in reasons {
            let style = if self.draft.is_adding_again() { theme.text } else { theme.bad };
            form.words(reason, 4, style, width);
        }
        if let Some(hint) = self.hint(cx) {
            form.words(&hint, 2, theme.dim, width);
        }
        form.blank();
        for (at, (field, input)) in FIELDS.into_iter().zip([name, id, tag]).enumerate() {
            form.targets.push((form.lines.len(), Target::Field(at)));
            form.field(field.word(), input, *focus == field, width, theme);
            match self.beside(field) {
                Some(Beside::Fault(fault)) => form.fault(Some(fault), width, theme),
                Some(warning) => form.note(&format!("! {warning}"), theme.doubt, width),
                None => form.blank(),
            }
        }
        let plant = self.draft.plant();
        let style = if self.is_warned() { theme.doubt } else { theme.dim };
        form.words(&self.what_enter_does(plant.as_ref(), cx), 2, style, width);
        match plant {
            Some(plant) => {
                let request = client::request(&cx.session.info.store, &OperationKind::Add(plant));
                form.lines.extend(request_lines(&request, theme, width, Extent::Brief(5)));
            }
            // As high as with a request, so that nothing jumps while an id is typed.
            None => form.lines.resize(form.lines.len() + PREVIEW, Line::default()),
        }
        let title = match (reasons.is_empty(), self.draft.is_adding_again()) {
            (true, _) => "Add a plant",
            (false, true) => "Add it again",
            (false, false) => "It came back",
        };
        form.draw(title, area, canvas);
    }

    fn click(&mut self, target: Target, _cx: &mut Context) {
        if let Target::Field(at) = target
            && let Some(field) = FIELDS.get(at)
        {
            self.draft.focus = *field;
        }
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.draft.name.text().to_owned(), self.draft.id.text().to_owned(), self.draft.tag.text().to_owned()])
    }
}

impl fmt::Display for Beside<'_> {
    /// `7 is Monstera (tropical), stored`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = match self {
            Self::Fault(fault) => return fault.fmt(f),
            Self::Warning(slip) => return slip.fmt(f),
            Self::Taken(row) => row,
        };
        write!(f, "{} is ", row.id)?;
        match row.name() {
            None => f.write_str("a plant whose name is not known")?,
            Some("") => f.write_str("a plant with an empty name")?,
            Some(name) => f.write_str(&clean_fit(name, TAKEN_COLUMNS))?,
        }
        match row.tag() {
            None | Some("") => {}
            Some(tag) => write!(f, " ({})", clean_fit(tag, TAKEN_COLUMNS))?,
        }
        write!(f, ", {}", row.state.word())
    }
}
