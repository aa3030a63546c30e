//! The form that adds a plant: its fields, warnings beside them, and the very request that Enter will send.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::id_fault;
use crate::domain::language::Id;
use crate::domain::plant::Field;
use crate::domain::simple_words::about;
use crate::domain::{Language, Message, OperationKind, Plant, Row, Slip, sentence};
use crate::text::{capitalized, clean_fit};
use crate::tui::component::{Action, Component, Typed, called, cannot, does, unless};
use crate::tui::context::Context;
use crate::tui::dialogs::path_input::draw_matches;
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::completion::PathMatches;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::render::wire;
use crate::tui::session::draft::Draft;
use crate::tui::ui_effect::Tab;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::text_input::TextInput;

const FIELDS: [Field; 3] = [Field::Name, Field::Id, Field::Tag];

/// Rows of a request with a short body, without headers.
const PREVIEW: usize = 3;

/// Columns of the name, and of the tag, of the plant that has the id already.
const TAKEN_COLUMNS: usize = 40;

#[derive(Debug, Default)]
pub(crate) struct AddForm {
    pub draft: Draft,
    /// The plant that was warned about, so that Enter sends it.
    warned: Option<Plant>,
    /// Of the warning; without one, of a form that opened filled in, or was covered: an Enter before it was seen was meant
    /// for what was before it.
    arming: Option<Arming>,
    /// The plant in the list that has this id, if one is known.
    taken: Option<Row>,
    shows_headers: bool,
    /// The tag that Tab completed, or asked to complete, and the tags that begin like it, until the tag changes: a second
    /// Tab goes to the next field.
    completed: Option<Box<(String, PathMatches)>>,
}

/// Why only a second Enter sends.
#[derive(Debug, Clone, Copy)]
enum Doubt {
    Slip(Slip),
    RejectedBefore,
}

impl AddForm {
    /// Opens the form for a person.
    pub(crate) fn open(draft: Draft, cx: &mut Context) -> Self {
        let arming = draft.is_filled().then(|| Arming::of("form"));
        let mut form = Self { arming, ..Self::coming_back(draft) };
        form.look_up_id(cx);
        form
    }

    /// Becomes the form of another plant, and keeps its text as closing does.
    pub(crate) fn refill(&mut self, draft: Draft, cx: &mut Context) {
        self.put_away(cx);
        *self = Self::open(draft, cx);
    }

    /// Opens the form by itself, after the plant was not added.
    pub(crate) fn coming_back(draft: Draft) -> Self {
        Self { draft: draft.offering_rejected(), ..Self::default() }
    }

    /// Returns what is typed, if it is nowhere else.
    pub(crate) fn own_text(&self) -> Option<Draft> {
        (self.draft.has_own_text() && !self.is_listed_elsewhere()).then(|| self.draft.clone())
    }

    /// Is called as the form closes or becomes another: keeps its text for the next form, unless that was done before.
    fn put_away(&self, cx: &mut Context) {
        let is_discarded = self.draft.is_offered_again() && self.draft.is_filled() || self.is_listed_elsewhere();
        if is_discarded {
            // The re-add list has what the store rejected.
            let rejected = self.draft.plant().filter(|_| self.draft.is_as_rejected());
            let again = rejected
                .map(|plant| format!("; {} adds {} again", cx.key(Command::ReAdd), sentence::plant_called(&plant)));
            let text = format!("Discarded{}.", again.unwrap_or_default());
            cx.out.say_in_both(text, vec![Id::Discarded.into()]);
        } else if let Some(draft) = self.own_text() {
            cx.session.drafts.push(draft.offered_again());
            cx.out.say_in_both("Not sent: the next add form has this text again.", vec![Id::FormKept.into()]);
        }
    }

    /// Whether it opened by itself and contains only a plant that the store rejected: the re-add list has that plant.
    fn is_listed_elsewhere(&self) -> bool {
        self.draft.is_as_rejected() && self.draft.purpose() == Id::FormNotAdded
    }

    /// Whether the typed plant was warned about, so that Enter sends it.
    pub(crate) fn is_warned(&self) -> bool {
        self.warned.is_some() && self.warned == self.draft.plant()
    }

    /// Reads the plant that has the id, for a warning.
    fn look_up_id(&mut self, cx: &mut Context) {
        self.taken = None;
        if let Ok(id) = self.draft.id() {
            self.taken = cx.session.plants.row(id).cloned();
            cx.out.effect(Effect::LoadPlantHistory(id));
        }
    }

    /// Returns the probable slips, among them an id that is in the list.
    fn slips(&self, plant: &Plant) -> Vec<Slip> {
        let is_taken = self.taken.as_ref().is_some_and(|row| row.id == plant.id);
        plant.slips().into_iter().chain(is_taken.then_some(Slip::IdInList)).collect()
    }

    /// Returns why only a second Enter will send: before the first one, a field that is still empty is no mistake yet.
    fn needs_two_enters(&self, plant: &Plant) -> Option<Doubt> {
        let is_mistake = |slip: &Slip| self.is_warned() || !matches!(slip, Slip::EmptyName | Slip::EmptyTag);
        let slip = self.slips(plant).into_iter().find(is_mistake).map(Doubt::Slip);
        slip.or_else(|| self.draft.would_be_rejected().then_some(Doubt::RejectedBefore))
    }

    /// Sends the plant, if its id is valid and its slips were warned about.
    fn submit(&mut self, cx: &mut Context) {
        let Some(plant) = self.draft.plant() else {
            (self.draft.complained, self.draft.focus) = (true, Field::Id);
            return;
        };
        let is_in_flight = cx.session.pending.iter().any(|pending| pending.operation.kind.plant() == Some(&plant));
        let is_unusual = is_in_flight || self.draft.would_be_rejected() || !self.slips(&plant).is_empty();
        if is_unusual && !self.is_warned() {
            if let Some(slip) = self.slips(&plant).first() {
                self.draft.focus = slip.field();
            }
            if is_in_flight {
                let enter = cx.out.keys.shown_in(Scope::Form, Command::Submit);
                cx.out.say(format!("The same plant is already on its way. {enter} once more adds it again."));
                cx.out.simply(Id::OnItsWay);
                cx.out.simply(with_enter(Id::FormSendsAgain, cx));
            }
            (self.warned, self.arming) = (Some(plant), Some(Arming::of_warning()));
            return;
        }
        cx.out.close();
        cx.session.plants.select(plant.id);
        let knows_id = is_in_flight || self.slips(&plant).iter().any(|slip| slip.field() == Field::Id);
        if knows_id {
            // The person knows the id, and has not looked at its plant.
            cx.session.seen.remove(&plant.id);
            cx.session.submit(OperationKind::add(plant), &mut cx.out);
        } else {
            cx.session.submit_new(plant, &mut cx.out);
        }
    }

    /// Whether there is a beginning of a tag that was not completed yet.
    fn can_complete(&self) -> bool {
        let typed = self.draft.tag.before_cursor();
        let is_at_end = self.draft.tag.after_cursor().is_empty();
        self.draft.focus == Field::Tag && is_at_end && !typed.is_empty() && self.completions().is_none()
    }

    /// Returns the tags that begin like the typed one, if Tab asked for them; none before they are read.
    fn completions(&self) -> Option<&PathMatches> {
        let (tag, matches) = self.completed.as_deref()?;
        (self.draft.tag.text() == tag).then_some(matches)
    }

    fn complete(&mut self, cx: &mut Context) {
        let typed = self.draft.tag.text().to_owned();
        cx.out.effect(Effect::CompleteTag(typed.clone()));
        self.completed = Some(Box::new((typed, PathMatches::default())));
    }

    /// Adds what all tags with the typed beginning have in common, or goes to the next field if there is nothing to choose.
    fn tag_completed(&mut self, start: &str, matches: PathMatches) {
        if self.completions().is_none() || self.draft.tag.text() != start || self.draft.focus != Field::Tag {
            return;
        }
        let rest = matches.common.strip_prefix(start).unwrap_or_default();
        if rest.is_empty() && matches.count < 2 {
            self.step(1);
        }
        self.draft.tag.insert(rest);
        self.completed = Some(Box::new((self.draft.tag.text().to_owned(), matches)));
    }

    fn step(&mut self, fields: usize) {
        let at = FIELDS.iter().position(|field| *field == self.draft.focus).unwrap_or(0);
        self.draft.focus = FIELDS.into_iter().cycle().nth(at + fields).unwrap_or(Field::Name);
    }

    fn warning(&self, field: Field, audience: Option<Language>) -> Option<String> {
        let plant = self.draft.plant()?;
        let slip = self.slips(&plant).into_iter().find(|slip| slip.field() == field)?;
        let row = self.taken.as_ref().filter(|_| slip == Slip::IdInList);
        (self.is_warned() || row.is_some()).then(|| match (audience, row) {
            (Some(language), _) => language.say(&self.say(Doubt::Slip(slip), &plant)),
            (None, Some(row)) => describe_taken(row),
            (None, None) => slip.to_string(),
        })
    }

    /// Returns why only a second Enter will send, unless it is beside its field.
    fn unsaid_doubt(&self, plant: &Plant) -> Option<Doubt> {
        self.needs_two_enters(plant).filter(|doubt| match doubt {
            Doubt::Slip(slip) => self.warning(slip.field(), None).is_none(),
            Doubt::RejectedBefore => true,
        })
    }

    /// Says a doubt about a plant in words for an audience.
    fn say(&self, doubt: Doubt, plant: &Plant) -> Message {
        let (id, field) = match doubt {
            Doubt::RejectedBefore => return Id::RejectedBefore.into(),
            Doubt::Slip(Slip::IdInList) => return about(Id::Taken, plant.id, self.taken.as_ref().and_then(Row::name)),
            Doubt::Slip(slip @ (Slip::EmptyName | Slip::EmptyTag)) => (Id::IsEmpty, slip.field()),
            Doubt::Slip(Slip::SpaceAround(field)) => (Id::SpaceAround, field),
            Doubt::Slip(Slip::Invisible(field)) => (Id::Invisible, field),
        };
        id.with("field", field.word())
    }

    /// Returns the hint below the reasons why the plant was not added.
    fn hint(&self, cx: &Context) -> Option<Message> {
        let blank = cx.key(Command::BlankForm);
        if self.draft.needs_another_id() && self.draft.id() != Ok(cx.session.next_id()) {
            let key = cx.key(Command::NextId);
            Some(Id::FormNextNumber.with("key", key).with("id", cx.session.next_id().to_string()))
        } else if self.draft.is_offered_again() {
            let esc = cx.out.keys.shown_in(Scope::Form, Command::Close);
            Some(Id::FormDiscards.with("esc", esc).with("key", blank))
        } else {
            (!self.draft.reasons().is_empty()).then(|| Id::FormStartsOver.with("key", blank))
        }
    }

    /// Shows the request that Enter sends.
    fn preview(&self, cx: &Context, page: &mut Page<'_>) {
        match self.draft.plant() {
            Some(plant) => {
                let request = cx.session.info.request(&OperationKind::add(plant));
                wire::request(page, &request, 5);
                if self.shows_headers {
                    page.blank();
                    wire::headers(page, &request.headers, 3);
                }
            }
            // As high as with a request, so that the box keeps its size while an id is typed.
            None => page.lines.resize(page.lines.len() + PREVIEW, Line::default()),
        }
    }

    /// Says what to do instead where a plant that the store has was edited.
    fn explain_change(&self, plant: &Plant, cx: &Context) -> String {
        if self.draft.purpose() != Id::FormEdit || !self.slips(plant).contains(&Slip::IdInList) {
            return String::new();
        }
        let key = cx.out.keys.shown_in(Scope::Form, Command::NextId);
        format!("The service cannot change a plant: delete it first, or {key} takes another id. ")
    }

    /// Describes what Enter does with the request below.
    fn explain_enter(&self, cx: &Context) -> String {
        let enter = cx.out.keys.shown_in(Scope::Form, Command::Submit);
        let Some(plant) = self.draft.plant() else {
            return format!("{enter} sends once the id is valid.");
        };
        let doubt = if self.is_warned() { self.unsaid_doubt(&plant) } else { self.needs_two_enters(&plant) };
        let why = doubt.map(|doubt| match doubt {
            Doubt::Slip(slip) => slip.to_string(),
            Doubt::RejectedBefore => "the store rejected the same add before".to_owned(),
        });
        match why {
            why if self.is_warned() => {
                let why = why.map(|why| format!("{}. ", capitalized(&why))).unwrap_or_default();
                format!("{why}{}{enter} once more sends it as shown:", self.explain_change(&plant, cx))
            }
            Some(why) => format!("{enter} twice sends, because {why}:"),
            None => format!("{enter} sends:"),
        }
    }

    /// Describes what Enter does in words for an audience.
    fn explain_enter_simply(&self, cx: &Context) -> Vec<Message> {
        let Some(plant) = self.draft.plant() else { return vec![with_enter(Id::FormNeedsNumber, cx)] };
        let id = match self.needs_two_enters(&plant) {
            _ if self.is_warned() => Id::FormSendsAgain,
            Some(_) => Id::FormSendsTwice,
            None => Id::FormSends,
        };
        self.unsaid_doubt(&plant).map(|doubt| self.say(doubt, &plant)).into_iter().chain([with_enter(id, cx)]).collect()
    }
}

fn with_enter(id: Id, cx: &Context) -> Message {
    id.with("enter", cx.out.keys.shown_in(Scope::Form, Command::Submit))
}

impl Component for AddForm {
    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::Submit if self.draft.plant().is_none() => called("go to the id", Self::submit),
            Command::Submit if self.is_warned() => called("once more: send it", Self::submit),
            Command::Submit if self.draft.plant().is_some_and(|plant| self.needs_two_enters(&plant).is_some()) => {
                called("twice: send it", Self::submit)
            }
            Command::Submit => does(Self::submit),
            Command::Headers if self.draft.plant().is_none() => {
                cannot("without a whole number as id there is no request")
            }
            Command::Headers => does(|form: &mut Self, _| form.shows_headers = !form.shows_headers),
            Command::NextId => {
                let next = cx.session.next_id();
                let is_there = (self.draft.id() == Ok(next)).then_some("it is the next free id already");
                unless(is_there, move |form: &mut Self, cx| {
                    form.draft.id = TextInput::offering(next.to_string());
                    form.look_up_id(cx);
                })
            }
            Command::Next if self.can_complete() => called("complete", Self::complete),
            Command::Next | Command::Down => does(|form: &mut Self, _| form.step(1)),
            Command::Previous => does(|form: &mut Self, _| form.step(FIELDS.len() - 1)),
            Command::BlankForm => {
                unless((!self.draft.is_filled()).then_some("the form is empty"), |form: &mut Self, cx: &mut Context| {
                    form.refill(Draft::suggesting(cx.session.next_id()), cx);
                })
            }
            Command::Close => does(|form: &mut Self, cx: &mut Context| {
                cx.out.close();
                form.put_away(cx);
            }),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        let id = self.draft.id.text().to_owned();
        if typed.is_text() && self.draft.is_replaced_by_typing() {
            self.draft = Draft::suggesting(cx.session.next_id());
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
            Msg::TagCompleted(start, found) => {
                self.tag_completed(start, found.as_ref().cloned().unwrap_or_default());
            }
            Msg::JournalChanged | Msg::Team(_) => cx.out.effects(self.draft.id().ok().map(Effect::LoadPlantHistory)),
            _ => {}
        }
    }

    fn arming(&mut self) -> Option<&mut Arming> {
        self.arming.as_mut()
    }

    /// It comes back by itself, without its warning.
    fn covered(&mut self) {
        (self.arming, self.warned) = (Some(Arming::of("form")), None);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let Draft { name, id, tag, focus, .. } = &self.draft;
        let audience = cx.display.audience();
        let language = audience.unwrap_or_default();
        let reasons = match audience {
            Some(language) => self.draft.simple_reasons(language).into_iter().collect(),
            None => self.draft.reasons().to_vec(),
        };
        let mut form = Form::new(area, theme);
        for reason in &reasons {
            let style = if self.draft.purpose() == Id::FormNotAdded { theme.bad } else { theme.text };
            form.page.words(reason, 4, style);
        }
        if let Some(hint) = self.hint(cx) {
            form.page.dim(&language.say(&hint), 2);
        }
        form.page.blank();
        let label = |field: Field| cx.display.say(Id::Field.with("field", field.word()), field.word());
        for field in FIELDS {
            form.make_room(&label(field));
        }
        for (field, input) in FIELDS.into_iter().zip([name, id, tag]) {
            form.field(&label(field), input, *focus == field);
            if input.is_offered && *focus == field {
                form.select();
            }
            if let Some(matches) =
                self.completions().filter(|found| field == Field::Tag && *focus == field && found.count > 1)
            {
                draw_matches(matches, &mut form);
                form.page.blank();
                continue;
            }
            let fault = id_fault(id.text(), self.draft.complained).filter(|_| field == Field::Id);
            match self.warning(field, audience) {
                Some(warning) => form.note(&format!("! {warning}"), theme.warning),
                None => form.fault(fault.map(|fault| cx.display.say(Id::NumberInvalid, fault.to_string()))),
            }
        }
        let style = if self.is_warned() { theme.warning } else { theme.dim };
        match audience {
            // The caption of the tour says it.
            Some(_) if cx.display.on_tour => {}
            Some(language) => form.page.words(&language.render(&self.explain_enter_simply(cx)), 3, style),
            None => form.page.words(&self.explain_enter(cx), 2, style),
        }
        // The Greenhouse is for people who do not read requests.
        if cx.display.tab != Tab::Greenhouse {
            self.preview(cx, &mut form.page);
        }
        form.draw(&language.label(self.draft.purpose()), area, canvas);
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

/// `7 is Monstera (tropical), stored`
fn describe_taken(row: &Row) -> String {
    let name = match row.name() {
        None => "a plant whose name is not known".to_owned(),
        Some("") => "a plant with an empty name".to_owned(),
        Some(name) => clean_fit(name, TAKEN_COLUMNS),
    };
    let tag = row.tag().filter(|tag| !tag.is_empty());
    let tag = tag.map(|tag| format!(" ({})", clean_fit(tag, TAKEN_COLUMNS))).unwrap_or_default();
    format!("{} is {name}{tag}, {}", row.id, row.state.word())
}
