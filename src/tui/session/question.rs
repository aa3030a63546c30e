//! The questions that a person answers with a choice: their texts and choices, as plain data. Those about plants are in
//! `plant_questions`.
//!
//! The safe choice is always first. Must not know how a question is drawn or a choice carried out.

use std::fmt::Display;

use crate::check::{RULES, Wanted};
use crate::config::ConnectionTarget;
use crate::demo::WeatherPreset;
use crate::domain::language::Id;
use crate::domain::{
    Decided, Language, Message, OperationId, OperationKind, Plant, PlantId, Resolution, Seen, StoreUrl,
};
use crate::import::Order;
use crate::text::number_format::counted;
use crate::tui::input::Answer;
use crate::tui::session::AboutSeveral;
use crate::tui::session::unfinished::Unfinished;
use crate::worker::BrakeCause;

/// What a choice does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Nothing.
    Leave,
    Send(OperationKind),
    SendAll(Vec<OperationKind>),
    /// Sends these together; `true` if the plants are unknown. Closes the list in which they were marked.
    Together(Vec<OperationKind>, bool),
    /// Ends the resolve queue, and asks about all that it has not reached in one question.
    AllTogether,
    /// Sends together what the brake kept from being sent; `true` if the plants were unknown before.
    GoOn(Vec<OperationKind>, bool),
    OrderImport(Order),
    /// Drops operations that were not sent.
    Drop(Vec<OperationKind>),
    /// Resolves plants without a request.
    Resolve(Vec<Decided>, Resolution),
    /// Begins a run of the check.
    Check(Wanted),
    Weather(WeatherPreset),
    /// Opens another store.
    Connect(ConnectionTarget),
    /// Quits, unless more is unfinished by now.
    Quit(Unfinished),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub label: String,
    /// What follows from it.
    pub hint: String,
    /// Both in words for an audience.
    pub(crate) simple: Option<Id>,
    pub act: Act,
    /// Its name, where several choices do something.
    pub answer: Option<Answer>,
}

impl Choice {
    pub(super) fn named(self, answer: Answer) -> Self {
        Self { answer: Some(answer), ..self }
    }

    /// Tells those who read requests more of what follows from it.
    pub(super) fn detailed(self, hint: impl Into<String>) -> Self {
        Self { hint: hint.into(), ..self }
    }
}

/// What a question about several plants asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Several {
    Delete,
    /// Whether to delete what was added, unless its id is another plant's by now.
    Undo(Vec<Plant>),
    Resolve,
    Forget,
    ReAdd(Vec<Plant>),
}

/// What a question says to those who read requests, and to an audience, who reads none; a line without words for one of
/// them is for the other alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words {
    pub english: Option<String>,
    pub simple: Option<Message>,
}

impl From<String> for Words {
    fn from(english: String) -> Self {
        Self { english: Some(english), simple: None }
    }
}

/// The same to everybody.
impl<M: Into<Message>> From<M> for Words {
    fn from(simple: M) -> Self {
        let simple = simple.into();
        Self::both(Language::En.say(&simple), simple)
    }
}

impl Words {
    pub(super) fn both(english: impl Into<String>, simple: impl Into<Message>) -> Self {
        Self { english: Some(english.into()), simple: Some(simple.into()) }
    }

    /// Says it to an audience in its language, or to those who read requests.
    pub fn say(&self, audience: Option<Language>) -> Option<String> {
        audience.map_or_else(|| self.english.clone(), |language| Some(language.say(self.simple.as_ref()?)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    /// Without words for an audience, it reads all of the question in English.
    pub title: Words,
    /// What it is about, a line each, if that is several plants; scrolled where not all have room.
    pub listed: Vec<Words>,
    /// What a person needs to know for the choice.
    pub lines: Vec<Words>,
    /// At least one.
    pub choices: Vec<Choice>,
    /// The index of the marked choice.
    pub marked: usize,
    /// The plant that it is about. A new operation on the plant makes the question stale.
    pub about: Option<PlantId>,
    /// What it shows of the plants to which a choice sends something.
    pub seen: Vec<(PlantId, Seen)>,
    /// What it asks about which plants, if it changes with them.
    pub several: Option<(AboutSeveral, Vec<PlantId>)>,
    /// The unknown operation that a choice would resolve. Once it is resolved, the question is stale.
    pub unknown: Option<OperationId>,
    /// What to say when it is left with nothing done, if that is not seen.
    pub if_left: Option<&'static str>,
    /// Whether it opened or changed by itself: a key pressed at that moment was not meant for it.
    pub by_itself: bool,
}

impl Act {
    /// Whether it sends nothing and changes nothing.
    pub(super) fn is_safe(&self) -> bool {
        matches!(self, Self::Leave | Self::OrderImport(Order::Halt))
    }

    /// Whether it sends a request.
    pub(super) fn sends(&self) -> bool {
        matches!(self, Self::Send(_) | Self::SendAll(_) | Self::Together(..) | Self::GoOn(..))
    }
}

impl Question {
    /// Whether it is about the running import.
    pub fn is_of_import(&self) -> bool {
        self.choices.iter().any(|choice| choice.act == Act::OrderImport(Order::GoOn))
    }

    /// Whether it is about deletes alone.
    pub fn only_deletes(&self) -> bool {
        let is_delete = |act: &Act| match act {
            Act::Send(kind) => kind.plant().is_none(),
            Act::Together(kinds, false) => kinds.iter().all(|kind| kind.plant().is_none()),
            _ => false,
        };
        let mut unsafe_acts = self.choices.iter().map(|choice| &choice.act).filter(|act| !act.is_safe()).peekable();
        unsafe_acts.peek().is_some() && unsafe_acts.all(is_delete)
    }

    /// Returns what a choice that ends the program would leave unfinished.
    pub fn quits(&self) -> Option<Unfinished> {
        self.choices.iter().find_map(|choice| if let Act::Quit(left) = choice.act { Some(left) } else { None })
    }

    /// Returns the index of the choice that changes nothing, if there is one.
    pub fn safe_choice(&self) -> Option<usize> {
        self.choices.iter().position(|choice| choice.act.is_safe())
    }

    /// Returns the index of the only choice that does something, or of all that was not sent or is to be checked; or why
    /// there is no such choice.
    pub fn only_act(&self) -> Result<usize, &'static str> {
        let mut acts = (0..).zip(&self.choices).filter(|(_, choice)| !choice.act.is_safe());
        match (acts.next(), acts.next()) {
            (Some((at, Choice { act: Act::Check(_) | Act::SendAll(_), .. })), _) | (Some((at, _)), None) => Ok(at),
            (Some(_), Some(_)) => Err("each choice has its own key"),
            (None, _) => Err("no choice does anything"),
        }
    }

    /// Returns the index of the choice with this name.
    pub fn named(&self, answer: Answer) -> Option<usize> {
        self.choices.iter().position(|choice| choice.answer == Some(answer))
    }

    /// Returns a question without lines.
    pub(super) fn new(title: impl Into<Words>, choices: Vec<Choice>) -> Self {
        Self { title: title.into(), choices, ..Self::default() }
    }

    /// Adds a line.
    pub fn also(&mut self, line: impl Into<Words>) {
        self.lines.push(line.into());
    }

    /// Adds a line for an audience alone.
    pub(super) fn for_audience(&mut self, simple: impl Into<Message>) {
        self.also(Words { english: None, simple: Some(simple.into()) });
    }

    /// Adds the line that names the store.
    pub(super) fn at(&mut self, label: &str, store: &StoreUrl) {
        self.also(Words::both(format!("{label}{store}"), Id::AtStore.with("store", store.to_string())));
    }

    /// Leaves only the choice with this name, beside the safe one. To send a delete again is to delete.
    #[must_use]
    pub fn with_only(mut self, answer: Answer) -> Self {
        let is_there = |name| self.choices.iter().any(|choice| choice.answer == Some(name));
        let answer = if answer == Answer::Delete && !is_there(answer) { Answer::SendAgain } else { answer };
        self.choices.retain(|choice| choice.act.is_safe() || choice.answer == Some(answer));
        self
    }

    /// Offers, in a resolve queue, to decide about the rest at once.
    pub fn offer_all_together(&mut self) {
        if self.named(Answer::All).is_none() {
            self.choices.push(simply(Id::AllTogether, Act::AllTogether).named(Answer::All));
        }
    }

    /// Removes the choices that send a request.
    #[must_use]
    pub fn without_sending(mut self) -> Self {
        self.choices.retain(|choice| !choice.act.sends());
        self
    }
}

/// Returns a sentence with a number for an audience.
pub(super) fn with_count(id: Id, count: usize) -> Message {
    id.with("count", count.to_string())
}

/// A choice of a question that an audience reads in English.
fn choice(label: &str, hint: impl Into<String>, act: Act) -> Choice {
    Choice { label: label.to_owned(), hint: hint.into(), simple: None, act, answer: None }
}

/// A choice with the same words for an audience.
pub(super) fn simply(id: Id, act: Act) -> Choice {
    Choice { simple: Some(id), ..choice(&Language::En.label(id), Language::En.hint(id), act) }
}

/// Asks whether to send the rest of operations that were sent together, after the brake.
pub(in crate::tui) fn go_on(rest: &[OperationKind], of_unknown: bool, cause: BrakeCause, store: &StoreUrl) -> Question {
    let count = rest.len() as u64;
    let left = Words::both(
        counted(count, "operation was not sent.", "operations were not sent."),
        Id::ManyNotSent.with("count", count.to_string()),
    );
    let stop = ("nothing more is sent; they are kept until the program ends", Act::Leave);
    let others = format!("sends the other {} all the same", rest.len());
    after_brake(Id::AskGoOn, left, stop, (&others, Act::GoOn(rest.to_vec(), of_unknown)), cause, store)
}

/// Asks whether to go on with an import, after the brake; `left` rows are not sent yet.
pub(in crate::tui) fn go_on_with_import(left: u64, cause: BrakeCause, store: &StoreUrl) -> Question {
    let words = counted(left, "row is not sent yet.", "rows are not sent yet.");
    let left = Words::both(words, Id::ManyLeft.with("count", left.to_string()));
    let stop = ("ends the import; the same file again sends the rest", Act::OrderImport(Order::Halt));
    let go_on = ("sends the other rows all the same", Act::OrderImport(Order::GoOn));
    after_brake(Id::AskGoOnImport, left, stop, go_on, cause, store)
}

/// Asks whether to go on or not, each with what follows from it.
fn after_brake(
    title: Id,
    left: Words,
    stop: (&str, Act),
    go_on: (&str, Act),
    cause: BrakeCause,
    store: &StoreUrl,
) -> Question {
    let choices = vec![simply(Id::StopHere, stop.1).detailed(stop.0), simply(Id::GoOn, go_on.1).detailed(go_on.0)];
    let mut question = Question { by_itself: true, ..Question::new(title, choices) };
    question.at("store  ", store);
    question.lines.extend([Words::both(cause.sentence(), Id::FiveProveNothing), left]);
    question
}

/// Asks whether to send several operations again that were not sent.
pub(in crate::tui) fn send_again(unsent: &[OperationKind], called: impl Fn(&OperationKind) -> String) -> Question {
    let last = unsent.last().map(|kind| format!("the {} of {} alone", kind.word(), called(kind)));
    let choices = vec![
        choice("Not now", "they are kept until the program ends", Act::Leave),
        choice("Send them", "none of them has reached the store", Act::SendAll(unsent.to_vec()))
            .named(Answer::SendAgain),
        choice("Send the last", last.unwrap_or_default(), Act::SendAll(unsent.last().cloned().into_iter().collect()))
            .named(Answer::Last),
        choice("Drop them", "they will not be sent", Act::Drop(unsent.to_vec())).named(Answer::Drop),
    ];
    let listed = unsent.iter().map(|kind| format!("{:<6}  {}", kind.word(), called(kind)).into()).collect();
    Question { listed, ..Question::new(format!("Send these {} again?", unsent.len()), choices) }
}

/// Asks before a check of a store that is not the demo.
pub(in crate::tui) fn check(store: &StoreUrl) -> Question {
    let [whole, gentle] = [false, true].map(|gentle| Wanted { gentle, ..Wanted::default() });
    let lines = whole.effects().map(|effect| effect.to_owned().into()).collect();
    let at_most = |wanted: &Wanted| format!("at most {} requests", wanted.most_requests());
    let all = format!("{}, undocumented behaviour too", at_most(&whole));
    let some = format!("{}, {} rules", at_most(&gentle), RULES.len());
    let choices = vec![
        choice("Not now", "nothing is sent", Act::Leave),
        choice("Run it all", all, Act::Check(whole)).named(Answer::All),
        choice("Only the rules", some, Act::Check(gentle)).named(Answer::Rules),
    ];
    let if_left = Some("The check has not begun. Nothing was sent.");
    Question { lines, if_left, ..Question::new(format!("Check {store}?"), choices) }
}

/// Asks before quitting, also where only an audience would miss the picture. The demo's journal ends with the program.
/// `again` is the key that quits when pressed again.
pub(in crate::tui) fn quit(left: Unfinished, demo: bool, is_watched: bool, again: Option<&str>) -> Question {
    let it = |count| if count == 1 { "it" } else { "them" };
    let later = format!(" The journal keeps that: resolve {} at any later start.", it(left.unresolved));
    let [requests, plants, rows, later] = if demo {
        [""; 4]
    } else {
        [
            " What may have reached the store is then unknown.",
            " Its plants may stay in the store as leftovers, and the next check removes them.",
            " The same file again sends the rest, but no unknown plants.",
            &later,
        ]
    };
    let of_lines = if left.sending_lines > 0 { requests } else { "" };
    let in_flight = format!("in flight. Quitting cancels {}.{requests}", it(left.in_flight));
    let running = format!("running in the background. Quitting ends {}.{of_lines}", it(left.lines));
    let parts = [
        (left.in_flight, "operation is", "operations are", in_flight),
        (left.checks, "check is", "checks are", format!("under way. Quitting ends it early.{plants}")),
        (left.imports, "import is", "imports are", format!("under way. Quitting cancels it.{rows}")),
        (left.lines, "command is", "commands are", running),
        (left.unresolved, "plant has", "plants have", format!("become unknown in this session.{later}")),
        (left.unsent, "operation was", "operations were", format!("not sent. Quitting drops {}.", it(left.unsent))),
        (left.forms, "form is", "forms are", format!("filled in. Quitting discards {}.", it(left.forms))),
        (left.own_plants, "plant was", "plants were", "added by you.".to_owned()),
    ];
    let under_way = left.checks + left.imports + left.lines;
    let hint = if left.is_under_way() { "cancels what is in flight" } else { "ends the program" };
    let again = again.map(|key| format!("; {key} once more does, too")).unwrap_or_default();
    let quit = simply(Id::Quit, Act::Quit(left)).detailed(format!("{hint}{again}"));
    let choices = vec![simply(Id::Stay, Act::Leave), quit];
    let mut question = Question::new(Id::AskQuit, choices);
    question.lines.extend(lines_of(parts));
    let counts = [
        (Id::QuitInFlight, left.in_flight),
        (Id::QuitUnderWay, under_way),
        (Id::QuitUnknown, left.unresolved),
        (Id::QuitUnsent, left.unsent),
        (Id::QuitForms, left.forms),
    ];
    for (id, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        question.for_audience(with_count(id, count));
    }
    if demo {
        question.also(Words::both("The demo's plants and history are gone once you quit.", Id::DemoEnds));
    } else if is_watched && left == Unfinished::default() {
        question.also(Id::QuitWatched);
    }
    question
}

/// Asks before opening another store, if operations that were not sent, or own plants in the demo store, would be lost.
pub(in crate::tui) fn leave(
    store: &StoreUrl,
    unsent: usize,
    own_plants: usize,
    to: &str,
    target: ConnectionTarget,
    for_tour: bool,
) -> Question {
    let gone = "added by you. The demo's plants and history are gone once you leave it.";
    let parts = [
        (unsent, "operation was", "operations were", "not sent and would be dropped."),
        (own_plants, "plant was", "plants were", gone),
    ];
    let opens = format!("opens {to}; nothing is sent, here or there");
    let choices = vec![simply(Id::Stay, Act::Leave), simply(Id::GoThere, Act::Connect(target)).detailed(opens)];
    let title = match own_plants {
        0 => format!("Leave {store}?"),
        plants => format!("Lose your {} in the demo?", counted(plants as u64, "plant", "plants")),
    };
    let mut question = Question::new(Words::both(title, Id::AskLeave), choices);
    if for_tour {
        question.also(Id::TourElsewhere);
    }
    question.lines.extend(lines_of(parts));
    if unsent > 0 {
        question.for_audience(with_count(Id::QuitUnsent, unsent));
    }
    if own_plants > 0 {
        question.for_audience(Id::LeavingEndsDemo);
    }
    question
}

/// Returns one line for each part whose count is not 0.
fn lines_of<const N: usize>(parts: [(usize, &str, &str, impl Display); N]) -> impl Iterator<Item = Words> {
    let there = parts.into_iter().filter(|(count, ..)| *count > 0);
    there.map(|(count, one, many, what)| format!("{} {what}", counted(count as u64, one, many)).into())
}

/// Asks which faults the demo store is to simulate; the current preset is marked.
pub(in crate::tui) fn weather(now: WeatherPreset) -> Question {
    let choice = |(at, preset): (usize, WeatherPreset)| {
        simply(ids_of(preset).0, Act::Weather(preset)).named(Answer::Weather(at))
    };
    let choices = WeatherPreset::ALL.into_iter().enumerate().map(choice).collect();
    let marked = WeatherPreset::ALL.iter().position(|preset| *preset == now).unwrap_or(0);
    Question { marked, lines: vec![Id::WeatherActs.into()], ..Question::new(Id::AskWeather, choices) }
}

/// Returns the label of a weather for an audience, and its label in the header.
pub(in crate::tui) fn ids_of(preset: WeatherPreset) -> (Id, Option<Id>) {
    match preset {
        WeatherPreset::Calm => (Id::WeatherCalm, None),
        WeatherPreset::Slow => (Id::WeatherSlow, Some(Id::HeaderSlow)),
        WeatherPreset::LosingResponses => (Id::WeatherLosingResponses, Some(Id::HeaderLosingResponses)),
        WeatherPreset::Rejecting => (Id::WeatherRejecting, Some(Id::HeaderRejecting)),
        WeatherPreset::OutOfOrder => (Id::WeatherOutOfOrder, Some(Id::HeaderOutOfOrder)),
    }
}
