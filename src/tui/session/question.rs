//! The questions that a person answers with a choice: their texts and choices, as plain data.
//!
//! The safe choice is always first. Must not know how a question is drawn or a choice carried out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::iter;

use crate::check::{RULES, UNDOCUMENTED, Wanted};
use crate::client;
use crate::config::ConnectionTarget;
use crate::demo::WeatherPreset;
use crate::domain::language::Id;
use crate::domain::sentence::{called, plant_called, row_called, subject};
use crate::domain::{
    Decided, Language, ListedPlant, Message, OperationId, OperationKind, Plant, PlantId, Resolution, Row, Seen, State,
    StoreUrl, UnknownOperation,
};
use crate::text::number_format::counted;
use crate::tui::input::Answer;
use crate::tui::session::audience::{self, Simple};
use crate::tui::session::unfinished::{Losses, Unfinished};

/// What a choice does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Nothing.
    Leave,
    Send(OperationKind),
    SendAll(Vec<OperationKind>),
    /// Sends these together; `true` if the plants are unknown. Closes the list in which they were marked.
    Together(Vec<OperationKind>, bool),
    /// Sends together what the brake kept from being sent; `true` if the plants were unknown before.
    GoOn(Vec<OperationKind>, bool),
    GoOnWithImport,
    HaltImport,
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
    fn named(self, answer: Answer) -> Self {
        Self { answer: Some(answer), ..self }
    }

    /// Tells those who read requests more of what follows from it.
    fn detailed(self, hint: impl Into<String>) -> Self {
        Self { hint: hint.into(), ..self }
    }
}

/// What a question about several plants asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Several {
    Delete,
    Resolve,
    Forget,
    ReAdd(Vec<Plant>),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    pub title: String,
    /// What it is about, a line each, if that is several plants; scrolled where not all have room.
    pub listed: Vec<String>,
    /// What a person needs to know for the choice.
    pub lines: Vec<String>,
    /// The same in words for an audience; `None` where it reads all of it in English.
    pub simple: Option<Simple>,
    /// At least one.
    pub choices: Vec<Choice>,
    /// The index of the marked choice.
    pub marked: usize,
    /// The plant that it is about. A new operation on the plant makes the question stale.
    pub about: Option<PlantId>,
    /// What it shows of the plants to which a choice sends something.
    pub seen: Vec<(PlantId, Seen)>,
    /// What it asks about which plants, if that is several.
    pub several: Option<(Several, Vec<PlantId>)>,
    /// The unknown operation that a choice would resolve. Once it is resolved, the question is stale.
    pub unknown: Option<OperationId>,
    /// Whether it opened or changed by itself: a key pressed at that moment was not meant for it.
    pub by_itself: bool,
}

impl Act {
    /// Whether it sends nothing and changes nothing.
    pub(super) fn is_safe(&self) -> bool {
        matches!(self, Self::Leave | Self::HaltImport)
    }

    /// Whether it sends a request.
    pub(super) fn sends(&self) -> bool {
        matches!(self, Self::Send(_) | Self::SendAll(_) | Self::Together(..) | Self::GoOn(..))
    }
}

impl Question {
    /// Whether it is about the running import.
    pub fn is_of_import(&self) -> bool {
        self.choices.iter().any(|choice| choice.act == Act::GoOnWithImport)
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

    /// Whether a choice ends the program.
    pub fn quits(&self) -> bool {
        self.choices.iter().any(|choice| matches!(choice.act, Act::Quit(_)))
    }

    /// Returns the index of the choice that changes nothing, if there is one.
    pub fn safe_choice(&self) -> Option<usize> {
        self.choices.iter().position(|choice| choice.act.is_safe())
    }

    /// Returns the index of the only choice that does something, or why there is no such choice.
    pub fn only_act(&self) -> Result<usize, &'static str> {
        let mut acts = (0..).zip(&self.choices).filter(|(_, choice)| !choice.act.is_safe());
        match (acts.next(), acts.next()) {
            (Some((at, _)), None) => Ok(at),
            (Some(_), Some(_)) => Err("each choice has its own key"),
            (None, _) => Err("no choice does anything"),
        }
    }

    /// Returns the index of the choice with this name.
    pub fn named(&self, answer: Answer) -> Option<usize> {
        self.choices.iter().position(|choice| choice.answer == Some(answer))
    }

    fn new(about: Option<PlantId>, title: String, lines: Vec<String>, choices: Vec<Choice>) -> Self {
        Self { title, lines, choices, about, ..Self::default() }
    }

    fn simply(self, simple: Simple) -> Self {
        Self { simple: Some(simple), ..self }
    }

    /// Adds a line.
    pub(super) fn also(&mut self, words: String, simple: Message) {
        self.lines.push(words);
        if let Some(question) = &mut self.simple {
            question.lines.push(simple);
        }
    }

    fn about_all(self, listed: impl Iterator<Item = String>) -> Self {
        Self { listed: listed.collect(), ..self }
    }

    fn showing(self, seen: impl IntoIterator<Item = (PlantId, Seen)>) -> Self {
        Self { seen: seen.into_iter().collect(), ..self }
    }

    fn asks_about(self, kind: Several, plants: Vec<PlantId>) -> Self {
        Self { several: Some((kind, plants)), ..self }
    }

    /// Leaves only the choice with this name, beside the safe one. To send a delete again is to delete.
    #[must_use]
    pub fn with_only(mut self, answer: Answer) -> Self {
        let is_there = |name| self.choices.iter().any(|choice| choice.answer == Some(name));
        let answer = if answer == Answer::Delete && !is_there(answer) { Answer::SendAgain } else { answer };
        self.choices.retain(|choice| choice.act.is_safe() || choice.answer == Some(answer));
        self
    }

    /// Removes the choices that send a request.
    #[must_use]
    pub fn without_sending(mut self) -> Self {
        self.choices.retain(|choice| !choice.act.sends());
        self
    }
}

/// A choice of a question that an audience reads in English.
fn choice(label: &str, hint: impl Into<String>, act: Act) -> Choice {
    Choice { label: label.to_owned(), hint: hint.into(), simple: None, act, answer: None }
}

/// A choice with the same words for an audience.
fn simply(id: Id, act: Act) -> Choice {
    Choice { simple: Some(id), ..choice(&Language::En.label(id), Language::En.hint(id), act) }
}

fn delete_all(plants: &[PlantId]) -> Act {
    Act::Together(plants.iter().copied().map(OperationKind::Delete).collect(), false)
}

fn seen(row: Option<&Row>) -> Seen {
    row.map_or(Seen::NotListed, Row::seen)
}

/// Asks whether to delete a plant; `row` is `None` for an id that is not in the list.
pub(in crate::tui) fn delete(id: PlantId, row: Option<&Row>, store: &StoreUrl) -> Question {
    let name = row.and_then(Row::name);
    let mut lines = vec![
        match name {
            Some(name) => format!("plant  {}", called(id, Some(name))),
            None if row.is_some() => "plant  in the list without a name".to_owned(),
            None => "plant  not in the list; the store may still have it".to_owned(),
        },
        format!("id     {id}"),
        format!("store  {store}"),
    ];
    if row.is_some_and(|row| row.state == State::Unknown) {
        lines.push(
            "It is unknown whether the store has it; if the store accepts the delete, that is resolved.".to_owned(),
        );
    }
    let hint = format!("sends {}; only an add undoes it", request_line(store, id));
    let choices =
        vec![simply(Id::KeepIt, Act::Leave), simply(Id::DeleteIt, Act::Send(OperationKind::Delete(id))).detailed(hint)];
    Question::new(Some(id), format!("Delete {}?", called(id, name)), lines, choices)
        .showing([(id, seen(row))])
        .simply(Simple::delete(id, row, store))
}

/// Asks whether to delete several plants.
pub(in crate::tui) fn delete_many(plants: &[Row], absent: &[PlantId], store: &StoreUrl) -> Question {
    let count = plants.len() + absent.len();
    let mut lines = vec![format!("store  {store}")];
    match absent.len() {
        0 => {}
        1 => lines.push("One of them is not in the list; somebody else may have added it.".to_owned()),
        absent => lines.push(format!("{absent} of them are not in the list; somebody else may have added them.")),
    }
    let ids: Vec<_> = plants.iter().map(|row| row.id).chain(absent.iter().copied()).collect();
    let hint = format!("sends {count} deletes; only adds undo them");
    let choices = vec![simply(Id::KeepThem, Act::Leave), simply(Id::DeleteThem, delete_all(&ids)).detailed(hint)];
    Question::new(None, format!("Delete these {count} plants?"), lines, choices)
        .simply(Simple::delete_many(plants, absent, store))
        .showing(plants.iter().map(|row| (row.id, row.seen())).chain(absent.iter().map(|id| (*id, Seen::NotListed))))
        .asks_about(Several::Delete, ids)
        .about_all(plants.iter().map(row_called).chain(absent.iter().map(|id| called(*id, None))))
}

/// Asks whether to add several plants again; `listed` are the rows of those whose ids are in the list.
pub(in crate::tui) fn re_add(plants: &[Plant], listed: &[Row], store: &StoreUrl) -> Question {
    let count = plants.len();
    let mut lines = vec![format!("store  {store}")];
    match listed.len() {
        0 => {}
        1 if count == 1 => lines.push("The list has another plant with this id.".to_owned()),
        1 => lines.push("The list has another plant with one of these ids.".to_owned()),
        _ => lines.push(format!("The list has other plants with {} of these ids.", listed.len())),
    }
    let rows: BTreeMap<_, _> = listed.iter().map(|row| (row.id, row)).collect();
    let name = |plant: &Plant| match rows.get(&plant.id) {
        Some(row) => format!("{}; the list has {}, {}", plant_called(plant), row_called(row), row.state.word()),
        None => plant_called(plant),
    };
    let ids: BTreeSet<_> = plants.iter().map(|plant| plant.id).collect();
    if ids.len() < count {
        lines.push("Some of them have the same id.".to_owned());
    }
    let [title, adds] = match count {
        1 => ["Re-add this plant?".to_owned(), "sends 1 add".to_owned()],
        _ => [format!("Re-add these {count} plants?"), format!("sends {count} adds")],
    };
    let choices = vec![
        simply(Id::NotNow, Act::Leave),
        simply(Id::AddThem, Act::Together(plants.iter().cloned().map(OperationKind::add).collect(), false))
            .detailed(adds),
    ];
    Question::new(None, title, lines, choices)
        .simply(Simple::re_add(plants, |id| rows.contains_key(&id), ids.len() < count, store))
        .showing(plants.iter().map(|plant| (plant.id, seen(rows.get(&plant.id).copied()))))
        .asks_about(Several::ReAdd(plants.to_vec()), plants.iter().map(|plant| plant.id).collect())
        .about_all(plants.iter().map(name))
}

/// Asks how to resolve an unknown plant.
pub(in crate::tui) fn resolve(row: &Row, unknown: &UnknownOperation, store: &StoreUrl) -> Question {
    let id = row.id;
    let decided = Decided { unknown: Some(unknown.operation), ..Decided::stored(row) };
    let resolve = |resolution| Act::Resolve(vec![decided.clone()], resolution);
    let plant = row_called(row);
    let send = Act::Send(unknown.kind.clone());
    let (title, again) = match unknown.kind {
        OperationKind::Add(_) => (format!("Is {plant} in the store?"), simply(Id::AddAgain, send)),
        OperationKind::Delete(_) => {
            let risk = "deletes it again; if the id was reused in the meantime, the new plant is deleted";
            (format!("Is {plant} still in the store?"), simply(Id::DeleteAgain, send).detailed(risk))
        }
    };
    let lines = vec![
        match (unknown.members_in_words(), unknown.members.len()) {
            (None, _) => {
                format!("Its {} may have reached the store, and no response said yes or no.", unknown.kind.word())
            }
            (Some(author), 1) => {
                format!(
                    "The {} of {author} may have reached the store, and no response said yes or no.",
                    unknown.kind.word()
                )
            }
            (Some(authors), _) => {
                format!("{authors} changed it without knowing of each other, so what is at the store is not known.")
            }
        },
        "The store cannot be asked what it has, so only you can say.".to_owned(),
    ];
    let delete = || {
        let hint = format!("sends {}; if accepted, it is gone", request_line(store, id));
        simply(Id::DeleteIt, Act::Send(OperationKind::Delete(id))).detailed(hint).named(Answer::Delete)
    };
    let mut choices = vec![simply(Id::LeaveIt, Act::Leave), again.named(Answer::SendAgain)];
    // A delete that is sent again deletes the plant already.
    choices.extend(matches!(unknown.kind, OperationKind::Add(_)).then(delete));
    choices.extend([
        simply(Id::MarkStored, resolve(Resolution::MarkStored)).named(Answer::Stored),
        simply(Id::ForgetIt, resolve(Resolution::Forget)).named(Answer::Forget),
    ]);
    let question = Question::new(Some(id), title, lines, choices).showing([(id, row.seen())]);
    Question { unknown: Some(unknown.operation), ..question.simply(Simple::resolve(row, &unknown.kind)) }
}

/// Asks how to resolve several unknown plants at once.
pub(in crate::tui) fn resolve_many(unknown: &[ListedPlant], store: &StoreUrl) -> Question {
    let lines = vec![
        format!("store   {store}"),
        "These may have reached the store, and no response decided them. The store cannot be asked what it has, so \
         only you can say."
            .to_owned(),
    ];
    let count = unknown.len();
    let decided: Vec<_> = unknown.iter().map(Decided::listed).collect();
    let ids: Vec<_> = decided.iter().map(|plant| plant.id).collect();
    let kinds: Vec<_> = unknown.iter().filter_map(|found| Some(found.unknown.as_ref()?.kind.clone())).collect();
    let has_adds = kinds.iter().any(|kind| matches!(kind, OperationKind::Add(_)));
    let name =
        |(kind, found): (&OperationKind, &ListedPlant)| format!("{:<6}  {}", kind.word(), row_called(&found.row));
    let names: Vec<_> = kinds.iter().zip(unknown).map(name).collect();
    let (again, risk) = if has_adds {
        (Id::AddAllAgain, "the store may then have plants twice")
    } else {
        (Id::DeleteAllAgain, "a new plant of a reused id is deleted")
    };
    let risk = format!("sends {count} requests; {risk}");
    let gone = format!("sends {count} deletes; only adds undo them");
    let mut choices = vec![
        simply(Id::LeaveThem, Act::Leave),
        simply(again, Act::Together(kinds, true)).detailed(risk).named(Answer::SendAgain),
    ];
    let delete = || simply(Id::DeleteThem, delete_all(&ids)).detailed(gone).named(Answer::Delete);
    // Deletes that are sent again delete the plants already.
    choices.extend(has_adds.then(delete));
    choices.extend([
        simply(Id::MarkAllStored, Act::Resolve(decided.clone(), Resolution::MarkStored)).named(Answer::Stored),
        simply(Id::ForgetThem, Act::Resolve(decided, Resolution::Forget)).named(Answer::Forget),
    ]);
    Question::new(None, format!("Resolve these {count} unknown plants?"), lines, choices)
        .simply(Simple::resolve_many(unknown, store))
        .showing(unknown.iter().map(|found| (found.row.id, found.row.seen())))
        .asks_about(Several::Resolve, ids)
        .about_all(names.into_iter())
}

/// Asks whether to forget a plant in the list whose delete was rejected with 404. `explained` says what the 404 means
/// after an earlier unknown operation, `said` what the store responded.
pub(in crate::tui) fn not_there(
    row: &Row,
    explained: Option<&str>,
    said: Option<String>,
    unknown: Option<&UnknownOperation>,
) -> Question {
    let plant = row_called(row);
    let why = explained.unwrap_or("Another person may have deleted it.");
    let title = format!("The store says it has no plant {}", row.id);
    let is_there = format!("{plant} is in the list, and the store says that there is no such plant. {why}");
    let lines = iter::once(is_there).chain(said).collect();
    let about = Some(row.id);
    let question =
        forget(&[ListedPlant { row: row.clone(), unknown: unknown.cloned() }]).simply(Simple::not_there(row));
    let unknown = unknown.map(|unknown| unknown.operation);
    Question { title, listed: Vec::new(), lines, about, several: None, unknown, by_itself: true, ..question }
}

/// Asks whether to forget the plants in the list whose deletes were rejected with 404, each with its unknown operation
/// if there is one.
pub(in crate::tui) fn none_there(missing: &[ListedPlant]) -> Question {
    let count = missing.len();
    let lines = vec![
        "They are in the list, and the store says that there are no such plants. It may have lost them, or another \
         person may have deleted them."
            .to_owned(),
    ];
    let title = format!("The store says it has none of these {count} plants");
    let question = forget(missing).simply(Simple::none_there(missing));
    Question { title, lines, several: None, by_itself: true, ..question }
}

/// Asks whether to forget plants of the list.
pub(in crate::tui) fn forget(plants: &[ListedPlant]) -> Question {
    let act = Act::Resolve(plants.iter().map(Decided::listed).collect(), Resolution::Forget);
    let (title, keep, forget) = match plants {
        [ListedPlant { row, .. }] => (format!("Forget {}?", row_called(row)), Id::KeepListed, Id::ForgetIt),
        _ => (format!("Forget these {} plants?", plants.len()), Id::KeepAllListed, Id::ForgetThem),
    };
    let choices = vec![simply(keep, Act::Leave), simply(forget, act)];
    let lines = vec!["The store is not asked: a plant that it has stays there.".to_owned()];
    Question::new(None, title, lines, choices)
        .simply(Simple::forget(plants))
        .asks_about(Several::Forget, plants.iter().map(|plant| plant.row.id).collect())
        .about_all(plants.iter().map(|plant| row_called(&plant.row)))
}

/// Why a person is asked whether to go on.
const BRAKED: &str = "Five outcomes in a row are unknown: the store, or the way to it, has a problem.";

/// Asks whether to send the rest of operations that were sent together, after too many unknown outcomes in a row.
pub(in crate::tui) fn go_on(rest: &[OperationKind], of_unknown: bool, store: &StoreUrl) -> Question {
    let count = rest.len();
    let lines = vec![
        format!("store  {store}"),
        BRAKED.to_owned(),
        format!("{} not sent.", counted(count as u64, "operation was", "operations were")),
    ];
    let choices = vec![
        choice("Stop here", "nothing more is sent; they are kept until the program ends", Act::Leave),
        choice("Go on", format!("sends the other {count} all the same"), Act::GoOn(rest.to_vec(), of_unknown)),
    ];
    Question { by_itself: true, ..Question::new(None, "Go on?".to_owned(), lines, choices) }
}

/// Asks whether to go on with an import, after too many unknown outcomes in a row; `left` rows are not sent yet.
pub(in crate::tui) fn go_on_with_import(left: u64, store: &StoreUrl) -> Question {
    let rows = counted(left, "row is", "rows are");
    let lines = vec![format!("store  {store}"), BRAKED.to_owned(), format!("{rows} not sent yet.")];
    let choices = vec![
        choice("Stop here", "ends the import; the same file again sends what is missing", Act::HaltImport),
        choice("Go on", "sends the other rows all the same", Act::GoOnWithImport),
    ];
    Question { by_itself: true, ..Question::new(None, "Go on with the import?".to_owned(), lines, choices) }
}

/// Asks whether to send several operations again that were not sent.
pub(in crate::tui) fn send_again(unsent: &[OperationKind]) -> Question {
    let send = Act::SendAll(unsent.to_vec());
    let choices = vec![
        choice("Not now", "they are kept until the program ends", Act::Leave),
        choice("Send them", "none of them has reached the store", send).named(Answer::SendAgain),
        choice("Drop them", "they will not be sent", Act::Drop(unsent.to_vec())).named(Answer::Drop),
    ];
    Question::new(None, format!("Send these {} again?", unsent.len()), Vec::new(), choices)
        .about_all(unsent.iter().map(|kind| format!("{:<6}  {}", kind.word(), subject(kind, None))))
}

/// Asks before a check of a store that is not the demo.
pub(in crate::tui) fn check(store: &StoreUrl) -> Question {
    let [whole, gentle] = [false, true].map(|gentle| Wanted { gentle, ..Wanted::default() });
    let lines = [
        format!("store  {store}"),
        "The check adds its own plants, with random ids and the tag Plants-Check, and deletes them and the \
         leftovers of earlier checks. It sends again what the store postpones or leaves undecided."
            .to_owned(),
        "No other plant is touched. Plants that could not be deleted are listed.".to_owned(),
    ];
    let lines: Vec<_> = lines.into_iter().chain(whole.fixed_ids().map(str::to_owned)).collect();
    let rules = RULES.len();
    let all = format!("{rules} rules, {} kinds of undocumented behaviour: {}", UNDOCUMENTED.len(), at_most(&whole));
    let some = format!("{rules} rules: {}; an id as a string only if numbers are rejected", at_most(&gentle));
    let choices = vec![
        choice("Not now", "nothing is sent", Act::Leave),
        choice("Run it all", all, Act::Check(whole)).named(Answer::All),
        choice("Only the rules", some, Act::Check(gentle)).named(Answer::Rules),
    ];
    Question::new(None, format!("Check {store}?"), lines, choices)
}

fn at_most(wanted: &Wanted) -> String {
    format!("at most {} requests", wanted.most_requests())
}

fn request_line(store: &StoreUrl, id: PlantId) -> String {
    let request = client::request(store, &OperationKind::Delete(id));
    format!("{} {}", request.method.word(), request.target)
}

/// Asks before quitting. The demo's journal ends with the program. `again` is the key that quits when pressed again.
pub(in crate::tui) fn quit(left: Unfinished, demo: bool, again: Option<&str>) -> Question {
    let it = |count| if count == 1 { "it" } else { "them" };
    let later = format!(" The journal keeps that: resolve {} at any later start.", it(left.unresolved));
    let [requests, plants, rows, later] = if demo {
        [""; 4]
    } else {
        [
            " What may have reached the store is then unknown.",
            " Its plants may stay in the store as leftovers, and the next check removes them.",
            " The same file again sends what is missing.",
            &later,
        ]
    };
    let of_lines = if left.sending_lines > 0 { requests } else { "" };
    let parts = [
        (
            left.in_flight,
            "operation is",
            "operations are",
            format!("in flight. Quitting cancels {}.{requests}", it(left.in_flight)),
        ),
        (left.checks, "check is", "checks are", format!("under way. Quitting ends it early.{plants}")),
        (left.imports, "import is", "imports are", format!("under way. Quitting cancels it.{rows}")),
        (
            left.lines,
            "command is",
            "commands are",
            format!("running in the background. Quitting ends {}.{of_lines}", it(left.lines)),
        ),
        (left.unresolved, "plant has", "plants have", format!("become unknown in this session.{later}")),
        (left.unsent, "operation was", "operations were", format!("not sent. Quitting drops {}.", it(left.unsent))),
        (left.forms, "form is", "forms are", format!("filled in. Quitting discards {}.", it(left.forms))),
        (left.own_plants, "plant was", "plants were", "added by you.".to_owned()),
    ];
    let mut lines = lines_of(parts);
    lines.extend(demo.then(|| "The demo's plants and history are gone once you quit.".to_owned()));
    let hint = if left.in_flight + left.checks + left.imports + left.lines > 0 {
        "cancels what is in flight"
    } else {
        "ends the program"
    };
    let again = again.map(|key| format!("; {key} once more does, too")).unwrap_or_default();
    let quit = simply(Id::Quit, Act::Quit(left)).detailed(format!("{hint}{again}"));
    let choices = vec![simply(Id::Stay, Act::Leave), quit];
    Question::new(None, "Quit now?".to_owned(), lines, choices).simply(Simple::quit(left, demo))
}

/// Asks before opening another store, if something would be lost.
pub(in crate::tui) fn leave(store: &StoreUrl, losses: Losses, to: &str, target: ConnectionTarget) -> Question {
    let parts = [
        (losses.unsent, "operation was", "operations were", "not sent and would be dropped."),
        (losses.without_token, "operation waits", "operations wait", "for a token and would be dropped."),
        (
            losses.own_plants,
            "plant was",
            "plants were",
            "added by you. The demo's plants and history are gone once you leave it.",
        ),
    ];
    let choices = vec![
        choice("Stay", "nothing changes", Act::Leave),
        choice("Go there", format!("opens {to}; nothing is sent, here or there"), Act::Connect(target)),
    ];
    let title = match losses.own_plants {
        0 => format!("Leave {store}?"),
        plants => format!("Lose your {} in the demo?", counted(plants as u64, "plant", "plants")),
    };
    Question::new(None, title, lines_of(parts), choices)
}

/// Returns one line for each part whose count is not 0.
fn lines_of<const N: usize>(parts: [(usize, &str, &str, impl Display); N]) -> Vec<String> {
    let there = parts.into_iter().filter(|(count, ..)| *count > 0);
    there.map(|(count, one, many, what)| format!("{} {what}", counted(count as u64, one, many))).collect()
}

/// Asks which faults the demo store is to simulate; the current preset is marked.
pub(in crate::tui) fn weather(now: WeatherPreset) -> Question {
    let choice = |(at, preset): (usize, WeatherPreset)| {
        let choice = choice(preset.words(), preset.help(), Act::Weather(preset)).named(Answer::Weather(at));
        Choice { simple: Some(audience::weather(preset)), ..choice }
    };
    let choices = WeatherPreset::ALL.into_iter().enumerate().map(choice).collect();
    let marked = WeatherPreset::ALL.iter().position(|preset| *preset == now).unwrap_or(0);
    let lines = vec!["What the demo store does to every request from now on.".to_owned()];
    let question = Question::new(None, "The weather at the demo store".to_owned(), lines, choices);
    Question { marked, ..question.simply(Simple::weather()) }
}
