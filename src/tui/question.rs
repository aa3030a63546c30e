//! Questions that a person choices before something is done: plain data, made from what is known.
//!
//! The safe choice always comes first.

use crate::check::{RULES, UNDOCUMENTED, Wanted};
use crate::client;
use crate::config::ConnectionTarget;
use crate::demo::WeatherPreset;
use crate::domain::sentence::{called, row_called, subject};
use crate::domain::{
    OperationId, OperationKind, PlantId, Resolution, Row, State, StoreUrl, UnknownOperation, Unresolved,
};

/// What a choice does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Nothing.
    Leave,
    /// Sends this operation.
    Send(OperationKind),
    /// Sends these operations.
    SendAll(Vec<OperationKind>),
    /// Deletes these plants together.
    DeleteAll(Vec<PlantId>),
    /// Sends these operations of unknown plants again, together.
    ResendAll(Vec<OperationKind>),
    /// Writes a person's word about unknown plants, each with the operation that made it so.
    ResolveAll(Vec<(PlantId, OperationId)>, Resolution),
    /// Gives these up: they were not sent, and will not be.
    Drop(Vec<OperationKind>),
    /// Writes a person's word about a plant, and about this doubt if it was in doubt.
    Resolve(PlantId, Option<OperationId>, Resolution),
    /// Checks this much of the store.
    Check(Wanted),
    /// Changes the weather of the demo store.
    Weather(WeatherPreset),
    /// Leaves the store that is open for this one.
    Connect(ConnectionTarget),
    /// Ends the program, though this was counted to be left unfinished.
    Quit(Unfinished),
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its words.
    pub label: &'static str,
    /// What it leads to.
    pub hint: String,
    /// What it does.
    pub act: Act,
}

/// A question with choices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub title: String,
    /// What there is to know before answering.
    pub lines: Vec<String>,
    /// At least one.
    pub choices: Vec<Choice>,
    /// The choice that is marked when it is asked.
    pub marked: usize,
    /// The plant that it is about; a new operation on that makes the question stale.
    pub about: Option<PlantId>,
    /// The unknown operation that a choice would resolve: once that is resolved, the question is stale.
    pub unknown: Option<OperationId>,
}

impl Question {
    /// The plants that it asks about deleting together, if it does.
    pub fn deletes(&self) -> Option<&[PlantId]> {
        self.choices
            .iter()
            .find_map(|choice| if let Act::DeleteAll(plants) = &choice.act { Some(plants.as_slice()) } else { None })
    }

    /// The unknown plants that it asks about together, if it does.
    pub fn resolves(&self) -> Option<Vec<PlantId>> {
        self.choices.iter().find_map(|choice| match &choice.act {
            Act::ResolveAll(seen, _) => Some(seen.iter().map(|(id, _)| *id).collect()),
            _ => None,
        })
    }

    fn new(about: Option<PlantId>, title: String, lines: Vec<String>, choices: Vec<Choice>) -> Self {
        Self { title, lines, choices, marked: 0, about, unknown: None }
    }

    fn resolving(self, unknown: Option<OperationId>) -> Self {
        Self { unknown, ..self }
    }

    /// The same question without the choices that send something.
    #[must_use]
    pub fn without_sending(mut self) -> Self {
        let sends = |act: &Act| matches!(act, Act::Send(_) | Act::SendAll(_) | Act::ResendAll(_) | Act::DeleteAll(_));
        self.choices.retain(|choice| !sends(&choice.act));
        self
    }
}

fn choice(label: &'static str, hint: impl Into<String>, act: Act) -> Choice {
    Choice { label, hint: hint.into(), act }
}

/// "Delete …?" Names plant, id and store; `row` is `None` for an id that is not in the view.
pub(super) fn delete(id: PlantId, row: Option<&Row>, store: &StoreUrl) -> Question {
    let name = row.and_then(Row::name);
    let mut lines = vec![
        match name {
            Some(name) => format!("plant  {}", called(id, Some(name))),
            None if row.is_some() => "plant  its name was never known here".to_owned(),
            None => "plant  not in the list; the store may have it all the same".to_owned(),
        },
        format!("id     {id}"),
        format!("store  {store}"),
    ];
    if row.is_some_and(|row| row.state == State::Unknown) {
        lines.push(
            "It is unknown whether the store has it; if the store accepts the delete, that is resolved.".to_owned(),
        );
    }
    Question::new(
        Some(id),
        format!("Delete {}?", called(id, name)),
        lines,
        vec![
            choice("Keep it", "nothing is sent", Act::Leave),
            choice(
                "Delete it",
                format!("sends {}; the store has no undo", request_line(store, id)),
                Act::Send(OperationKind::Delete(id)),
            ),
        ],
    )
}

/// "Delete these …?" Names them and the store.
pub(super) fn delete_many(plants: &[Row], store: &StoreUrl) -> Question {
    let mut lines = some_of(plants.iter().map(row_called), plants.len());
    lines.push(format!("store  {store}"));
    let ids = plants.iter().map(|row| row.id).collect();
    Question::new(
        None,
        format!("Delete these {} plants?", plants.len()),
        lines,
        vec![
            choice("Keep them", "nothing is sent", Act::Leave),
            choice(
                "Delete them",
                format!("sends {} deletes; the store has no undo", plants.len()),
                Act::DeleteAll(ids),
            ),
        ],
    )
}

/// The first few lines of a list, and how many more there are.
fn some_of(lines: impl Iterator<Item = String>, count: usize) -> Vec<String> {
    let more = (count > LISTED).then(|| format!("and {} more", count - LISTED));
    lines.take(LISTED).chain(more).collect()
}

/// What to do about a plant whose last operation ended unknown.
pub(super) fn resolve(row: &Row, doubt: &UnknownOperation, store: &StoreUrl) -> Question {
    let id = row.id;
    let word = |resolution| Act::Resolve(id, Some(doubt.operation), resolution);
    let again = Act::Send(doubt.kind.clone());
    let plant = row_called(row);
    let leave = choice("Leave it", "it stays marked as unknown", Act::Leave);
    let question = match doubt.kind {
        OperationKind::Add(_) => Question::new(
            Some(id),
            format!("Is {plant} in the store?"),
            vec![
                "Its add may have reached the store, and no response decided it.".to_owned(),
                "The interface has no way to look, so only you can say.".to_owned(),
            ],
            vec![
                leave,
                choice("Send again", "adds it again: the store may then have it twice", again),
                choice(
                    "Delete it",
                    format!("sends {}; once accepted, it is gone", request_line(store, id)),
                    Act::Send(OperationKind::Delete(id)),
                ),
                choice("Mark as stored", "you know that it is there; nothing is sent", word(Resolution::MarkStored)),
                choice("Forget it", "takes it out of the list; nothing is sent", word(Resolution::Forget)),
            ],
        ),
        OperationKind::Delete(_) => Question::new(
            Some(id),
            format!("Is {plant} still in the store?"),
            vec![
                "Its delete may have reached the store, and no response decided it.".to_owned(),
                "The interface has no way to look, so only you can say.".to_owned(),
            ],
            vec![
                leave,
                choice(
                    "Send again",
                    "deletes it again; if the id was reused in the meantime, the new plant is deleted",
                    again,
                ),
                choice(
                    "Mark as stored",
                    "you know that it is still there; nothing is sent",
                    word(Resolution::MarkStored),
                ),
                choice("Forget it", "you know that it is gone; nothing is sent", word(Resolution::Forget)),
            ],
        ),
    };
    question.resolving(Some(doubt.operation))
}

/// What to do about plants whose last operations ended unknown, all at once.
pub(super) fn resolve_many(unknown: &[Unresolved], store: &StoreUrl) -> Question {
    let name = |found: &Unresolved| format!("{:<6}  {}", found.doubt.kind.word(), row_called(&found.row));
    let mut lines = some_of(unknown.iter().map(name), unknown.len());
    lines.push(format!("store   {store}"));
    lines.push("These may have reached the store, and no response decided them. Only you can say.".to_owned());
    let count = unknown.len();
    let seen: Vec<_> = unknown.iter().map(|found| (found.row.id, found.doubt.operation)).collect();
    let ids = seen.iter().map(|(id, _)| *id).collect();
    let asks = unknown.iter().map(|found| found.doubt.kind.clone()).collect();
    let has_adds = unknown.iter().any(|found| matches!(found.doubt.kind, OperationKind::Add(_)));
    let risk = if has_adds { "the store may then have plants twice" } else { "a new plant of a reused id is deleted" };
    let again = format!("sends {count} requests; {risk}");
    let gone = format!("sends {count} deletes; the store has no undo");
    let there = "you know that they are there; nothing is sent";
    let forgotten = "takes them out of the list; nothing is sent";
    let mut choices =
        vec![choice("Leave them", "they stay unknown", Act::Leave), choice("Send again", again, Act::ResendAll(asks))];
    // Deletes that are sent again are just that.
    choices.extend(has_adds.then(|| choice("Delete them", gone, Act::DeleteAll(ids))));
    choices.extend([
        choice("Mark as stored", there, Act::ResolveAll(seen.clone(), Resolution::MarkStored)),
        choice("Forget them", forgotten, Act::ResolveAll(seen, Resolution::Forget)),
    ]);
    Question::new(None, format!("Resolve these {count} unknown plants?"), lines, choices)
}

/// After a delete that was answered with 404, of a plant that is in the list. If an earlier operation
/// on it is unknown, `explained` says what the 404 means then.
pub(super) fn not_there(
    row: &Row,
    explained: Option<&str>,
    doubt: Option<&UnknownOperation>,
    store: &StoreUrl,
) -> Question {
    let plant = row_called(row);
    let doubt = doubt.map(|doubt| doubt.operation);
    let forget = Act::Resolve(row.id, doubt, Resolution::Forget);
    let why = explained.unwrap_or("Another person may have deleted it.");
    Question::new(
        Some(row.id),
        format!("The store says it has no plant {}", row.id),
        vec![
            format!("{plant} is in the list, and the response to its delete was 404. {why}"),
            format!("A wrong base URL answers 404, too: check {store}"),
        ],
        vec![
            choice("Keep it", "it stays in the list", Act::Leave),
            choice("Forget it", "takes it out of the list; nothing is sent", forget),
        ],
    )
    .resolving(doubt)
}

/// What provably did not reach the store, before several of it are sent again.
pub(super) fn send_again(unsent: &[OperationKind]) -> Question {
    let lines = some_of(unsent.iter().map(|kind| format!("{}  {}", kind.word(), subject(kind, None))), unsent.len());
    Question::new(
        None,
        format!("Send these {} again?", unsent.len()),
        lines,
        vec![
            choice("Not now", "they are kept until the program ends", Act::Leave),
            choice("Send them", "none of them had reached the store", Act::SendAll(unsent.to_vec())),
            choice("Let them go", "they will not be sent", Act::Drop(unsent.to_vec())),
        ],
    )
}

/// Before a store is checked that others use, too. `requests` are those of a whole run, and of one
/// of the rules alone, beside the deletes that clean up.
pub(super) fn check(store: &StoreUrl, [whole, gentle]: [usize; 2]) -> Question {
    let lines = [
        format!("store  {store}"),
        "One request for each probe, and one for each plant to delete: they are the check's own, with an id drawn by \
         lot and the tag Plants-Check."
            .to_owned(),
        "No other plant is touched. What could not be deleted is listed.".to_owned(),
    ];
    let rules = RULES.len();
    let all = format!("{rules} rules, {} kinds of undocumented behaviour: {whole} requests", UNDOCUMENTED.len());
    let some = format!("{rules} rules: {gentle} requests, every body as the document has it");
    let choices = vec![
        choice("Not now", "nothing is sent", Act::Leave),
        choice("Run it all", all, Act::Check(Wanted::default())),
        choice("The rules alone", some, Act::Check(Wanted { gentle: true, ..Wanted::default() })),
    ];
    Question::new(None, format!("Check {store}?"), lines.into(), choices)
}

/// Lines of a list in a dialog.
const LISTED: usize = 4;

fn request_line(store: &StoreUrl, id: PlantId) -> String {
    let request = client::request(store, &OperationKind::Delete(id));
    format!("{} {}", request.method.word(), request.target)
}

/// What quitting would leave unfinished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unfinished {
    /// Operations queued or out.
    pub in_flight: usize,
    /// Operations that were not sent and could be.
    pub unsent: usize,
    /// Forms with something in them.
    pub forms: usize,
    /// Plants that ended in doubt in this session.
    pub unresolved: usize,
    /// Runs of the check that are under way.
    pub checks: usize,
    /// Imports that are under way.
    pub imports: usize,
}

impl Unfinished {
    /// Whether it loses something that this one does not.
    pub fn is_more_than(self, other: Self) -> bool {
        self.forms > other.forms || self.unsent > other.unsent || self.unresolved > other.unresolved
    }
}

/// Before quitting with something unfinished. The demo's journal ends with the program.
pub(super) fn quit(left: Unfinished, demo: bool) -> Question {
    let or_demo = |words, at_demo| if demo { at_demo } else { words };
    let counted = [
        (
            left.in_flight,
            "operation is",
            "operations are",
            or_demo(
                "in flight. Quitting cancels; what may have reached the store is then unknown, and stays in the journal as that.",
                "in flight. Quitting cancels.",
            ),
        ),
        (
            left.checks,
            "check is",
            "checks are",
            or_demo(
                "under way. Quitting ends it early; its plants may stay in the store as leftovers, and the next check removes them.",
                "under way. Quitting ends it early.",
            ),
        ),
        (
            left.imports,
            "import is",
            "imports are",
            or_demo(
                "under way. Quitting cancels what is out of it, and the rest is not sent: the same file again sends what is missing.",
                "under way. Quitting cancels what is out of it, and the rest is not sent.",
            ),
        ),
        (
            left.unresolved,
            "plant is",
            "plants are",
            or_demo("unknown since this session. The journal keeps it: resolve it at any later start.", "unknown."),
        ),
        (left.unsent, "operation was", "operations were", "not sent and would not be sent again."),
        (left.forms, "form is", "forms are", "filled in and would be lost."),
    ];
    let mut lines = lines_of(counted);
    lines.extend(demo.then(|| "The demo's plants and history end with this program.".to_owned()));
    let hint =
        if left.in_flight + left.checks + left.imports > 0 { "cancels what is in flight" } else { "ends the program" };
    Question::new(
        None,
        "Quit now?".to_owned(),
        lines,
        vec![choice("Stay", "nothing changes", Act::Leave), choice("Quit", hint, Act::Quit(left))],
    )
}

/// What is let go with the store that is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LetGo {
    /// Operations that were not sent and could be.
    pub unsent: usize,
    /// Operations that wait for a token.
    pub without_token: usize,
    /// The plants of a demo store.
    pub demo_plants: usize,
}

/// Before another store is gone to, where something is let go.
pub(super) fn leave(store: &StoreUrl, let_go: LetGo, to: &str, target: ConnectionTarget) -> Question {
    let counted = [
        (let_go.unsent, "operation was", "operations were", "not sent and would be let go."),
        (let_go.without_token, "operation waits", "operations wait", "for a token and would be let go."),
        (
            let_go.demo_plants,
            "plant is",
            "plants are",
            "in the demo store, which ends with its plants and their history when it is left.",
        ),
    ];
    let choices = vec![
        choice("Stay", "nothing changes", Act::Leave),
        choice("Go there", format!("opens {to}; nothing is sent, here or there"), Act::Connect(target)),
    ];
    Question::new(None, format!("Leave {store}?"), lines_of(counted), choices)
}

/// One line for each of what there is at all.
fn lines_of<const N: usize>(parts: [(usize, &str, &str, &str); N]) -> Vec<String> {
    let there = parts.into_iter().filter(|(count, ..)| *count > 0);
    there.map(|(count, one, many, what)| format!("{} {what}", counted(count, one, many))).collect()
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// Which weather the demo store is to have; what it has is marked.
pub(super) fn weather(now: WeatherPreset) -> Question {
    let choices = WeatherPreset::ALL.map(|preset| choice(preset.words(), preset.help(), Act::Weather(preset)));
    let marked = WeatherPreset::ALL.iter().position(|preset| *preset == now).unwrap_or(0);
    let lines = vec!["What the demo store does to every request from now on.".to_owned()];
    let question = Question::new(None, "The weather at the demo store".to_owned(), lines, choices.to_vec());
    Question { marked, ..question }
}
