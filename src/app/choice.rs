//! A dialog: a question, what it is about, and the answers there are.
//!
//! The safe answer is always marked first.

use crate::client;
use crate::config::Wish;
use crate::demo::Sky;
use crate::domain::check::{RULES, UNDOCUMENTED, Wanted};
use crate::domain::sentence::{called, row_called, subject};
use crate::domain::{Ask, Doubt, OperationId, PlantId, Row, Settlement, State, StoreUrl, Unresolved};

use super::connection::LetGo;

/// What an answer does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Nothing.
    Leave,
    /// Sends this operation.
    Send(Ask),
    /// Sends these operations.
    SendAll(Vec<Ask>),
    /// Deletes these plants together.
    DeleteAll(Vec<PlantId>),
    /// Sends these operations of unknown plants again, together.
    ResendAll(Vec<Ask>),
    /// Writes a person's word about unknown plants, each with the operation that made it so.
    SettleAll(Vec<(PlantId, OperationId)>, Settlement),
    /// Gives these up: they were not sent, and will not be.
    Drop(Vec<Ask>),
    /// Writes a person's word about a plant, and about this doubt if it was in doubt.
    Settle(PlantId, Option<OperationId>, Settlement),
    /// Checks this much of the store.
    Check(Wanted),
    /// Changes the weather of the demo store.
    Weather(Sky),
    /// Leaves the store that is open for this one.
    Connect(Wish),
    /// Ends the program, though this was counted to be left unfinished.
    Quit(Unfinished),
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its words.
    pub label: &'static str,
    /// What it leads to.
    pub hint: String,
    /// What it does.
    pub act: Act,
}

/// A question with answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The question.
    pub title: String,
    /// What there is to know before answering.
    pub lines: Vec<String>,
    /// At least one.
    pub answers: Vec<Answer>,
    /// Which one Enter takes.
    pub marked: usize,
    /// The plant that it is about; a new operation on it makes the question stale.
    pub about: Option<PlantId>,
    /// The doubt that an answer would settle: once that is over, the question is, too.
    pub doubt: Option<OperationId>,
}

impl Choice {
    /// The plants that it asks about deleting together, if it does.
    pub fn deletes(&self) -> Option<&[PlantId]> {
        self.answers.iter().find_map(|answer| match &answer.act {
            Act::DeleteAll(plants) => Some(plants.as_slice()),
            Act::Leave
            | Act::Send(_)
            | Act::SendAll(_)
            | Act::ResendAll(_)
            | Act::SettleAll(..)
            | Act::Drop(_)
            | Act::Settle(..)
            | Act::Check(_)
            | Act::Weather(_)
            | Act::Connect(_)
            | Act::Quit(_) => None,
        })
    }

    /// The unknown plants that it asks about together, if it does.
    pub fn resolves(&self) -> Option<Vec<PlantId>> {
        self.answers.iter().find_map(|answer| match &answer.act {
            Act::SettleAll(seen, _) => Some(seen.iter().map(|(id, _)| *id).collect()),
            Act::Leave
            | Act::Send(_)
            | Act::SendAll(_)
            | Act::ResendAll(_)
            | Act::DeleteAll(_)
            | Act::Drop(_)
            | Act::Settle(..)
            | Act::Check(_)
            | Act::Weather(_)
            | Act::Connect(_)
            | Act::Quit(_) => None,
        })
    }

    /// Marks the next answer, round and round.
    pub fn next(&mut self) {
        self.marked = (self.marked + 1) % self.answers.len().max(1);
    }

    /// Marks the answer before.
    pub fn previous(&mut self) {
        let count = self.answers.len().max(1);
        self.marked = (self.marked + count - 1) % count;
    }

    /// What Enter does.
    pub fn act(&self) -> Act {
        self.answers.get(self.marked).map_or(Act::Leave, |answer| answer.act.clone())
    }

    fn new(about: Option<PlantId>, title: String, lines: Vec<String>, answers: Vec<Answer>) -> Self {
        Self { title, lines, answers, marked: 0, about, doubt: None }
    }

    fn settling(self, doubt: Option<OperationId>) -> Self {
        Self { doubt, ..self }
    }

    /// The same question without the answers that send something.
    #[must_use]
    pub fn without_sending(mut self) -> Self {
        let sends = |act: &Act| matches!(act, Act::Send(_) | Act::SendAll(_) | Act::ResendAll(_) | Act::DeleteAll(_));
        self.answers.retain(|answer| !sends(&answer.act));
        self
    }
}

fn answer(label: &'static str, hint: impl Into<String>, act: Act) -> Answer {
    Answer { label, hint: hint.into(), act }
}

/// "Delete …?" Names plant, id and store; `row` is `None` for an id that is not in the view.
pub fn delete(id: PlantId, row: Option<&Row>, store: &StoreUrl) -> Choice {
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
    Choice::new(
        Some(id),
        format!("Delete {}?", called(id, name)),
        lines,
        vec![
            answer("Keep it", "nothing is sent", Act::Leave),
            answer(
                "Delete it",
                format!("sends {}; the store has no undo", request_line(store, id)),
                Act::Send(Ask::Delete(id)),
            ),
        ],
    )
}

/// "Delete these …?" Names them and the store.
pub fn delete_many(plants: &[Row], store: &StoreUrl) -> Choice {
    let mut lines = some_of(plants.iter().map(row_called), plants.len());
    lines.push(format!("store  {store}"));
    let ids = plants.iter().map(|row| row.id).collect();
    Choice::new(
        None,
        format!("Delete these {} plants?", plants.len()),
        lines,
        vec![
            answer("Keep them", "nothing is sent", Act::Leave),
            answer(
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
pub fn settle(row: &Row, doubt: &Doubt, store: &StoreUrl) -> Choice {
    let id = row.id;
    let word = |settlement| Act::Settle(id, Some(doubt.operation), settlement);
    let again = Act::Send(doubt.ask.clone());
    let plant = row_called(row);
    let leave = answer("Leave it", "it stays marked as unknown", Act::Leave);
    let question = match doubt.ask {
        Ask::Add(_) => Choice::new(
            Some(id),
            format!("Is {plant} in the store?"),
            vec![
                "Its add may have reached the store, and no response decided it.".to_owned(),
                "The interface has no way to look, so only you can say.".to_owned(),
            ],
            vec![
                leave,
                answer("Send again", "adds it again: the store may then have it twice", again),
                answer(
                    "Delete it",
                    format!("sends {}; once accepted, it is gone", request_line(store, id)),
                    Act::Send(Ask::Delete(id)),
                ),
                answer("Mark as stored", "you know that it is there; nothing is sent", word(Settlement::MarkStored)),
                answer("Forget it", "takes it out of the list; nothing is sent", word(Settlement::Forget)),
            ],
        ),
        Ask::Delete(_) => Choice::new(
            Some(id),
            format!("Is {plant} still in the store?"),
            vec![
                "Its delete may have reached the store, and no response decided it.".to_owned(),
                "The interface has no way to look, so only you can say.".to_owned(),
            ],
            vec![
                leave,
                answer(
                    "Send again",
                    "deletes it again; if the id was reused in the meantime, the new plant is deleted",
                    again,
                ),
                answer(
                    "Mark as stored",
                    "you know that it is still there; nothing is sent",
                    word(Settlement::MarkStored),
                ),
                answer("Forget it", "you know that it is gone; nothing is sent", word(Settlement::Forget)),
            ],
        ),
    };
    question.settling(Some(doubt.operation))
}

/// What to do about plants whose last operations ended unknown, all at once.
pub fn settle_many(unknown: &[Unresolved], store: &StoreUrl) -> Choice {
    let name = |found: &Unresolved| format!("{:<6}  {}", found.doubt.ask.word(), row_called(&found.row));
    let mut lines = some_of(unknown.iter().map(name), unknown.len());
    lines.push(format!("store   {store}"));
    lines.push("These may have reached the store, and no response decided them. Only you can say.".to_owned());
    let count = unknown.len();
    let seen: Vec<_> = unknown.iter().map(|found| (found.row.id, found.doubt.operation)).collect();
    let ids = seen.iter().map(|(id, _)| *id).collect();
    let asks = unknown.iter().map(|found| found.doubt.ask.clone()).collect();
    let has_adds = unknown.iter().any(|found| matches!(found.doubt.ask, Ask::Add(_)));
    let risk = if has_adds { "the store may then have plants twice" } else { "a new plant of a reused id is deleted" };
    let again = format!("sends {count} requests; {risk}");
    let gone = format!("sends {count} deletes; the store has no undo");
    let there = "you know that they are there; nothing is sent";
    let forgotten = "takes them out of the list; nothing is sent";
    let mut answers =
        vec![answer("Leave them", "they stay unknown", Act::Leave), answer("Send again", again, Act::ResendAll(asks))];
    // Deletes that are sent again are just that.
    answers.extend(has_adds.then(|| answer("Delete them", gone, Act::DeleteAll(ids))));
    answers.extend([
        answer("Mark as stored", there, Act::SettleAll(seen.clone(), Settlement::MarkStored)),
        answer("Forget them", forgotten, Act::SettleAll(seen, Settlement::Forget)),
    ]);
    Choice::new(None, format!("Resolve these {count} unknown plants?"), lines, answers)
}

/// After a delete that was answered with 404, of a plant that is in the list. If an earlier operation
/// on it is unknown, `explained` says what the 404 means then.
pub fn not_there(row: &Row, explained: Option<&str>, doubt: Option<&Doubt>, store: &StoreUrl) -> Choice {
    let plant = row_called(row);
    let doubt = doubt.map(|doubt| doubt.operation);
    let forget = Act::Settle(row.id, doubt, Settlement::Forget);
    let why = explained.unwrap_or("Another person may have deleted it.");
    Choice::new(
        Some(row.id),
        format!("The store says it has no plant {}", row.id),
        vec![
            format!("{plant} is in the list, and the response to its delete was 404. {why}"),
            format!("A wrong base URL answers 404, too: check {store}"),
        ],
        vec![
            answer("Keep it", "it stays in the list", Act::Leave),
            answer("Forget it", "takes it out of the list; nothing is sent", forget),
        ],
    )
    .settling(doubt)
}

/// What provably did not reach the store, before several of it are sent again.
pub fn send_again(unsent: &[Ask]) -> Choice {
    let lines = some_of(unsent.iter().map(|ask| format!("{}  {}", ask.word(), subject(ask, None))), unsent.len());
    Choice::new(
        None,
        format!("Send these {} again?", unsent.len()),
        lines,
        vec![
            answer("Not now", "they are kept until the program ends", Act::Leave),
            answer("Send them", "none of them had reached the store", Act::SendAll(unsent.to_vec())),
            answer("Let them go", "they will not be sent", Act::Drop(unsent.to_vec())),
        ],
    )
}

/// Before a store is checked that others use, too. `requests` are those of a whole run, and of one
/// of the rules alone, beside the deletes that clean up.
pub fn check(store: &StoreUrl, [whole, gentle]: [usize; 2]) -> Choice {
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
    let answers = vec![
        answer("Not now", "nothing is sent", Act::Leave),
        answer("Run it all", all, Act::Check(Wanted::default())),
        answer("The rules alone", some, Act::Check(Wanted { gentle: true, ..Wanted::default() })),
    ];
    Choice::new(None, format!("Check {store}?"), lines.into(), answers)
}

/// Lines of a list in a dialog.
const LISTED: usize = 4;

fn request_line(store: &StoreUrl, id: PlantId) -> String {
    let request = client::request(store, &Ask::Delete(id));
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
    pub unsettled: usize,
    /// Runs of the check that are under way.
    pub checks: usize,
    /// Imports that are under way.
    pub imports: usize,
}

impl Unfinished {
    /// Whether it loses something that this one does not.
    pub(super) fn is_more_than(self, other: Self) -> bool {
        self.forms > other.forms || self.unsent > other.unsent || self.unsettled > other.unsettled
    }
}

/// Before quitting with something unfinished. The demo's journal ends with the program.
pub fn quit(left: Unfinished, demo: bool) -> Choice {
    let or_demo = |words, at_demo| if demo { at_demo } else { words };
    let told = [
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
            left.unsettled,
            "plant is",
            "plants are",
            or_demo("unknown since this session. The journal keeps it: resolve it at any later start.", "unknown."),
        ),
        (left.unsent, "operation was", "operations were", "not sent and would not be sent again."),
        (left.forms, "form is", "forms are", "filled in and would be lost."),
    ];
    let mut lines = told_of(told);
    lines.extend(demo.then(|| "The demo's plants and history end with this program.".to_owned()));
    let hint =
        if left.in_flight + left.checks + left.imports > 0 { "cancels what is in flight" } else { "ends the program" };
    Choice::new(
        None,
        "Quit now?".to_owned(),
        lines,
        vec![answer("Stay", "nothing changes", Act::Leave), answer("Quit", hint, Act::Quit(left))],
    )
}

/// Before another store is gone to, where something is let go.
pub fn leave(store: &StoreUrl, let_go: LetGo, to: &str, wish: Wish) -> Choice {
    let told = [
        (let_go.unsent, "operation was", "operations were", "not sent and would be let go."),
        (let_go.without_token, "operation waits", "operations wait", "for a token and would be let go."),
        (
            let_go.demo_plants,
            "plant is",
            "plants are",
            "in the demo store, which ends with its plants and their history when it is left.",
        ),
    ];
    let answers = vec![
        answer("Stay", "nothing changes", Act::Leave),
        answer("Go there", format!("opens {to}; nothing is sent, here or there"), Act::Connect(wish)),
    ];
    Choice::new(None, format!("Leave {store}?"), told_of(told), answers)
}

/// One line for each of what there is at all.
fn told_of<const N: usize>(told: [(usize, &str, &str, &str); N]) -> Vec<String> {
    let there = told.into_iter().filter(|(count, ..)| *count > 0);
    there.map(|(count, one, many, what)| format!("{} {what}", counted(count, one, many))).collect()
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// Which weather the demo store is to have; what it has is marked.
pub fn weather(now: Sky) -> Choice {
    let answers = Sky::ALL.map(|sky| answer(sky.words(), sky.help(), Act::Weather(sky)));
    let marked = Sky::ALL.iter().position(|sky| *sky == now).unwrap_or(0);
    let lines = vec!["What the demo store does to every request from now on.".to_owned()];
    let choice = Choice::new(None, "The weather at the demo store".to_owned(), lines, answers.to_vec());
    Choice { marked, ..choice }
}
