//! A dialog: a question, what it is about, and the answers there are.
//!
//! The safe answer is always marked first.

use crate::domain::sentence::called;
use crate::domain::{Ask, PlantId, Row, Settlement, State};

/// What an answer does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Nothing.
    Leave,
    /// Sends this operation.
    Send(Ask),
    /// Writes a person's word about a plant.
    Settle(PlantId, Settlement),
    /// Ends the program.
    Quit,
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
}

impl Choice {
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

    fn new(title: String, lines: Vec<String>, answers: Vec<Answer>) -> Self {
        Self { title, lines, answers, marked: 0 }
    }
}

fn answer(label: &'static str, hint: impl Into<String>, act: Act) -> Answer {
    Answer { label, hint: hint.into(), act }
}

/// "Delete …?" Names plant, id and store; `row` is `None` for an id that is not in the view.
pub fn delete(id: PlantId, row: Option<&Row>, store: &str) -> Choice {
    let name = row.and_then(|row| row.details.as_ref());
    let mut lines = vec![
        match name {
            Some(details) => format!("plant  {}", called(id, Some(&details.name))),
            None if row.is_some() => "plant  its name was never known here".to_owned(),
            None => "plant  not in this view; another person may have added it".to_owned(),
        },
        format!("id     {id}"),
        format!("store  {store}"),
    ];
    if row.is_some_and(|row| row.state == State::Unknown) {
        lines.push("It is in doubt whether the store has it; a yes to the delete settles that.".to_owned());
    }
    Choice::new(
        format!("Delete {}?", called(id, name.map(|details| details.name.as_str()))),
        lines,
        vec![
            answer("Keep it", "nothing is sent", Act::Leave),
            answer(
                "Delete it",
                format!("sends DELETE /plants/{id}; the store has no undo"),
                Act::Send(Ask::Delete(id)),
            ),
        ],
    )
}

/// What to do about a plant whose last operation ended unknown.
pub fn settle(row: &Row, doubt: &Ask) -> Choice {
    let id = row.id;
    let plant = called(id, row.details.as_ref().map(|details| details.name.as_str()));
    let leave = answer("Leave it", "it stays marked as unknown", Act::Leave);
    match doubt {
        Ask::Add(_) => Choice::new(
            format!("Is {plant} in the store?"),
            vec![
                "Its add may have reached the store, and no answer settled it.".to_owned(),
                "The interface has no way to look, so only you can say.".to_owned(),
            ],
            vec![
                leave,
                answer("Send again", "adds it again: the store may then have it twice", Act::Send(doubt.clone())),
                answer(
                    "Delete it",
                    format!("sends DELETE /plants/{id}: a yes means it is gone"),
                    Act::Send(Ask::Delete(id)),
                ),
                answer(
                    "Mark as stored",
                    "you know that it is there; nothing is sent",
                    Act::Settle(id, Settlement::MarkStored),
                ),
                answer("Forget it", "takes it out of the view; nothing is sent", Act::Settle(id, Settlement::Forget)),
            ],
        ),
        Ask::Delete(_) => Choice::new(
            format!("Is {plant} still in the store?"),
            vec![
                "Its delete may have reached the store, and no answer settled it.".to_owned(),
                "The interface has no way to look, so only you can say.".to_owned(),
            ],
            vec![
                leave,
                answer(
                    "Send again",
                    "deletes it again; if the id was used anew meanwhile, that plant goes",
                    Act::Send(doubt.clone()),
                ),
                answer(
                    "Mark as stored",
                    "you know that it is still there; nothing is sent",
                    Act::Settle(id, Settlement::MarkStored),
                ),
                answer("Forget it", "you know that it is gone; nothing is sent", Act::Settle(id, Settlement::Forget)),
            ],
        ),
    }
}

/// After a delete that was answered with 404, for a plant that the view believes in.
pub fn not_there(row: &Row, store: &str) -> Choice {
    let plant = called(row.id, row.details.as_ref().map(|details| details.name.as_str()));
    Choice::new(
        format!("The store says it has no plant {}", row.id),
        vec![
            format!("{plant} is in this view, and the answer to its delete was 404."),
            "Another person may have deleted it. A wrong base URL answers 404, too:".to_owned(),
            format!("check {store}"),
        ],
        vec![
            answer("Keep it", "it stays in the view", Act::Leave),
            answer("Forget it", "takes it out of the view; nothing is sent", Act::Settle(row.id, Settlement::Forget)),
        ],
    )
}

/// Before quitting with something unfinished.
pub fn quit(in_flight: usize, drafts: usize) -> Choice {
    let mut lines = Vec::new();
    if in_flight > 0 {
        lines.push(format!(
            "{} in flight. Quitting cancels; what may have reached the store",
            counted(in_flight, "operation is", "operations are")
        ));
        lines.push("is then unknown, and stays in the journal as that.".to_owned());
    }
    if drafts > 0 {
        lines.push(format!(
            "{} back from the store and would be lost.",
            counted(drafts, "plant has come", "plants have come")
        ));
    }
    Choice::new(
        "Quit now?".to_owned(),
        lines,
        vec![answer("Stay", "nothing changes", Act::Leave), answer("Quit", "cancels what is in flight", Act::Quit)],
    )
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}
