//! The ledger: what the journal's entries say about each plant, as a pure fold.
//!
//! One [`Record`] per id, because the interface lets the id identify a plant (`interface.md`
//! §4.2). It holds what is believed to be in the store and every operation that is not over.
//! Operations on one id are sent one after another, so a later answer speaks for all before it.

use serde::{Deserialize, Serialize};

use super::operation::{Ask, Operation, OperationId, Timestamp};
use super::outcome::Outcome;
use super::plant::{Plant, PlantId};

/// What is known of a plant beside its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// Its name as it was sent.
    pub name: String,
    /// Its tag as it was sent.
    pub tag: String,
}

impl From<&Plant> for Details {
    fn from(plant: &Plant) -> Self {
        Self { name: plant.name.clone(), tag: plant.tag.clone() }
    }
}

/// Where a plant of the view stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The store accepted it, or a person says that it is there.
    Stored,
    /// An operation on it ended unknown, and nobody has settled it.
    Unknown,
    /// An add is queued or out.
    Adding,
    /// A delete is queued or out.
    Deleting,
}

impl State {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Stored, Self::Unknown, Self::Adding, Self::Deleting];

    /// The word, on screen, in JSON and in the journal.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Unknown => "unknown",
            Self::Adding => "adding",
            Self::Deleting => "deleting",
        }
    }

    /// The state with this [`State::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }
}

/// A line of the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Which plant.
    pub id: PlantId,
    /// `None` if it was only ever deleted from here: its name was never known.
    pub details: Option<Details>,
    /// Where it stands.
    pub state: State,
    /// When it last changed.
    pub changed_at: Timestamp,
}

impl Row {
    /// Its name, if it was ever known.
    pub fn name(&self) -> Option<&str> {
        self.details.as_ref().map(|details| details.name.as_str())
    }

    /// Its tag, likewise.
    pub fn tag(&self) -> Option<&str> {
        self.details.as_ref().map(|details| details.tag.as_str())
    }
}

/// How a person settles what is in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// "It is in the store."
    MarkStored,
    /// "Leave it out of the view": nothing is claimed about the store.
    Forget,
}

impl Settlement {
    /// The word in the journal.
    pub fn code(self) -> &'static str {
        match self {
            Self::MarkStored => "mark_stored",
            Self::Forget => "forget",
        }
    }

    /// The settlement with this [`Settlement::code`].
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::MarkStored, Self::Forget].into_iter().find(|settlement| settlement.code() == code)
    }
}

/// How a plant that was asked for came not to be in the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Departure {
    /// The store accepted its delete.
    Deleted,
    /// A person took it out of the view.
    Forgotten,
    /// The store refused to add it.
    Rejected,
    /// Its add never reached the store.
    NotSent,
}

impl Departure {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Deleted, Self::Forgotten, Self::Rejected, Self::NotSent];

    /// What the end of an operation makes of its plant, if that is one.
    pub fn by(ask: &Ask, outcome: Outcome) -> Option<Self> {
        match (ask, outcome) {
            (Ask::Delete(_), Outcome::Accepted) => Some(Self::Deleted),
            (Ask::Add(_), Outcome::Rejected) => Some(Self::Rejected),
            (Ask::Add(_), Outcome::NotSent) => Some(Self::NotSent),
            (Ask::Add(_), Outcome::Accepted | Outcome::Unknown)
            | (Ask::Delete(_), Outcome::Rejected | Outcome::Unknown | Outcome::NotSent) => None,
        }
    }

    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::Forgotten => "forgotten",
            Self::Rejected => "rejected",
            Self::NotSent => "not sent",
        }
    }

    /// The word in the journal.
    pub fn code(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::Forgotten => "forgotten",
            Self::Rejected => "rejected",
            Self::NotSent => "not_sent",
        }
    }

    /// The departure with this [`Departure::code`].
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|departure| departure.code() == code)
    }
}

/// A plant that was asked for and is not in the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departed {
    /// As it was sent.
    pub plant: Plant,
    /// How it came so.
    pub how: Departure,
    /// When.
    pub at: Timestamp,
}

/// An operation that ended unknown and is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// Which one.
    pub operation: OperationId,
    /// What it asked for.
    pub ask: Ask,
}

/// A plant that is unknown, with what is unknown of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    /// Its line in the list.
    pub row: Row,
    /// Its last operation that ended unknown.
    pub doubt: Doubt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    InFlight,
    InDoubt,
}

/// An operation that is not over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Open {
    operation: OperationId,
    ask: Ask,
    phase: Phase,
    /// When the record had last changed before.
    before: Timestamp,
    /// Whether a yes leaves open if it is this plant that is there now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unnamed: bool,
}

/// Everything the ledger holds about one id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    id: PlantId,
    stored: bool,
    details: Option<Details>,
    open: Vec<Open>,
    changed_at: Timestamp,
}

impl Record {
    /// The record of an id that nobody has spoken of yet.
    pub fn new(id: PlantId) -> Self {
        Self { id, stored: false, details: None, open: Vec::new(), changed_at: Timestamp::default() }
    }

    /// Whose it is.
    pub fn id(&self) -> PlantId {
        self.id
    }

    /// Somebody asked for an operation on this plant. A delete that names no plant changes nothing.
    pub fn asked(&mut self, operation: &Operation) {
        if matches!(operation.ask, Ask::Delete(_)) && !operation.names_its_plant() {
            return;
        }
        self.open.push(Open {
            operation: operation.id,
            ask: operation.ask.clone(),
            phase: Phase::InFlight,
            before: self.changed_at,
            unnamed: !operation.names_its_plant(),
        });
        self.changed_at = operation.asked_at;
    }

    /// An operation ended. One that is not open (told twice, or superseded) changes nothing.
    pub fn ended(&mut self, operation: OperationId, outcome: Outcome, at: Timestamp) {
        let Some(place) = self.open.iter().position(|open| open.operation == operation) else { return };
        let unnamed = self.open.get(place).is_some_and(|open| open.unnamed);
        self.changed_at = at;
        match outcome {
            Outcome::Accepted if unnamed => self.doubt(place),
            Outcome::Unknown => self.doubt(place),
            Outcome::Rejected | Outcome::NotSent => {
                // Nothing came of it: the plant is as it was, since when it was.
                self.changed_at = self.open.remove(place).before;
            }
            Outcome::Accepted => {
                let open = self.open.remove(place);
                self.stored = match &open.ask {
                    Ask::Add(plant) => {
                        self.details = Some(Details::from(plant));
                        true
                    }
                    Ask::Delete(_) => false,
                };
                self.open.retain(|other| other.phase == Phase::InFlight);
            }
        }
    }

    fn doubt(&mut self, place: usize) {
        if let Some(open) = self.open.get_mut(place) {
            open.phase = Phase::InDoubt;
        }
    }

    /// Whether the plant still is as a person saw it who speaks of this doubt, or of a plant that
    /// is plainly stored. Only then may that word be written: nothing is in flight, and nobody
    /// else has settled anything meanwhile.
    pub fn still_is(&self, doubt: Option<OperationId>) -> bool {
        let state = self.row().map(|row| row.state);
        match doubt {
            Some(_) => state == Some(State::Unknown) && self.in_doubt().map(|last| last.operation) == doubt,
            None => state == Some(State::Stored),
        }
    }

    /// A person settled the doubt.
    pub fn settled(&mut self, settlement: Settlement, at: Timestamp) {
        self.changed_at = at;
        match settlement {
            Settlement::MarkStored => {
                if let Some(details) = self.doubtful_add() {
                    self.details = Some(details);
                }
                self.stored = true;
            }
            Settlement::Forget => self.stored = false,
        }
        self.open.retain(|open| open.phase == Phase::InFlight);
    }

    fn doubtful_add(&self) -> Option<Details> {
        self.open
            .iter()
            .rev()
            .filter(|open| open.phase == Phase::InDoubt)
            .find_map(|open| open.ask.plant())
            .map(Details::from)
    }

    /// Its line in the view; `None` if it has none.
    pub fn row(&self) -> Option<Row> {
        let in_flight = self.open.iter().rev().find(|open| open.phase == Phase::InFlight);
        let state = match in_flight {
            Some(Open { ask: Ask::Add(_), .. }) => State::Adding,
            Some(Open { ask: Ask::Delete(_), .. }) => State::Deleting,
            None if !self.open.is_empty() => State::Unknown,
            None if self.stored => State::Stored,
            None => return None,
        };
        let details = in_flight
            .and_then(|open| open.ask.plant())
            .map(Details::from)
            .or_else(|| self.doubtful_add())
            .or_else(|| self.details.clone());
        Some(Row { id: self.id, details, state, changed_at: self.changed_at })
    }

    /// It and what is unknown of it; `None` if its state is another.
    pub fn unresolved(&self) -> Option<Unresolved> {
        let row = self.row().filter(|row| row.state == State::Unknown)?;
        Some(Unresolved { row, doubt: self.in_doubt()? })
    }

    #[cfg(test)]
    fn in_flight(&self) -> impl Iterator<Item = OperationId> + '_ {
        self.open.iter().filter(|open| open.phase == Phase::InFlight).map(|open| open.operation)
    }

    /// The last operation that ended unknown and is not settled.
    pub fn in_doubt(&self) -> Option<Doubt> {
        let last = self.open.iter().rev().find(|open| open.phase == Phase::InDoubt)?;
        Some(Doubt { operation: last.operation, ask: last.ask.clone() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Probe;

    const AT: Timestamp = Timestamp(1);

    fn operation(number: u32, ask: Ask) -> Operation {
        Operation::new(OperationId { origin: 1, number }, ask, AT)
    }

    fn fern(name: &str) -> Ask {
        Ask::Add(Plant { name: name.into(), id: PlantId(7), tag: "t".into() })
    }

    /// Asks, ends, and tells the state and the name shown.
    fn told(script: &[(Ask, Option<Outcome>)]) -> Option<(State, Option<String>)> {
        let mut record = Record::new(PlantId(7));
        for (number, (ask, outcome)) in (1..).zip(script) {
            let operation = operation(number, ask.clone());
            record.asked(&operation);
            if let Some(outcome) = outcome {
                record.ended(operation.id, *outcome, AT);
            }
        }
        record.row().map(|row| (row.state, row.details.map(|details| details.name)))
    }

    #[test]
    fn the_table_of_outcomes_holds() {
        use Outcome::{Accepted, NotSent, Rejected, Unknown};
        let delete = Ask::Delete(PlantId(7));
        let shown = |state, name: &str| Some((state, Some(name.to_owned())));
        assert_eq!(told(&[(fern("a"), None)]), shown(State::Adding, "a"));
        assert_eq!(told(&[(fern("a"), Some(Accepted))]), shown(State::Stored, "a"));
        assert_eq!(told(&[(fern("a"), Some(Rejected))]), None);
        assert_eq!(told(&[(fern("a"), Some(NotSent))]), None);
        assert_eq!(told(&[(fern("a"), Some(Unknown))]), shown(State::Unknown, "a"));
        let stored = (fern("a"), Some(Accepted));
        assert_eq!(told(&[stored.clone(), (delete.clone(), None)]), shown(State::Deleting, "a"));
        assert_eq!(told(&[stored.clone(), (delete.clone(), Some(Accepted))]), None);
        assert_eq!(told(&[stored.clone(), (delete.clone(), Some(Rejected))]), shown(State::Stored, "a"));
        assert_eq!(told(&[stored.clone(), (delete.clone(), Some(NotSent))]), shown(State::Stored, "a"));
        assert_eq!(told(&[stored.clone(), (delete.clone(), Some(Unknown))]), shown(State::Unknown, "a"));
        assert_eq!(told(&[stored, (fern("b"), Some(Rejected))]), shown(State::Stored, "a"));
        assert_eq!(told(&[(delete, Some(Unknown))]), Some((State::Unknown, None)));
    }

    #[test]
    fn a_later_answer_speaks_for_the_doubt_before_it() {
        use Outcome::{Accepted, Rejected, Unknown};
        let delete = Ask::Delete(PlantId(7));
        assert_eq!(
            told(&[(fern("a"), Some(Unknown)), (fern("a"), Some(Accepted))]),
            Some((State::Stored, Some("a".into())))
        );
        assert_eq!(told(&[(fern("a"), Some(Unknown)), (delete.clone(), Some(Accepted))]), None);
        assert_eq!(
            told(&[(fern("a"), Some(Unknown)), (fern("a"), Some(Rejected))]),
            Some((State::Unknown, Some("a".into())))
        );
        assert_eq!(
            told(&[(fern("a"), Some(Unknown)), (delete, Some(Rejected))]),
            Some((State::Unknown, Some("a".into())))
        );
    }

    #[test]
    fn a_yes_that_leaves_the_id_open_proves_nothing_of_the_plant() {
        let probe = Probe { leaves_id_open: true, ..Probe::default() };
        let add = Operation { probe: Some(probe), ..operation(1, fern("a")) };
        let mut record = Record::new(PlantId(7));
        record.asked(&add);
        record.ended(add.id, Outcome::Accepted, AT);
        assert_eq!(record.row().map(|row| row.state), Some(State::Unknown));
        let delete = operation(2, Ask::Delete(PlantId(7)));
        record.asked(&delete);
        record.ended(delete.id, Outcome::Accepted, AT);
        assert_eq!(record.row(), None);
    }

    #[test]
    fn a_person_settles() {
        let mut record = Record::new(PlantId(7));
        let add = operation(1, fern("a"));
        record.asked(&add);
        record.ended(add.id, Outcome::Unknown, AT);
        let mut forgotten = record.clone();
        forgotten.settled(Settlement::Forget, AT);
        assert_eq!(forgotten.row(), None);
        record.settled(Settlement::MarkStored, AT);
        assert_eq!(record.row().map(|row| row.state), Some(State::Stored));
        assert_eq!(record.row().and_then(|row| row.details), Some(Details { name: "a".into(), tag: "t".into() }));
    }

    #[test]
    fn a_word_is_taken_only_of_what_the_person_saw() {
        let delete = || Ask::Delete(PlantId(7));
        let word = |number| Some(operation(number, delete()).id);
        let mut record = Record::new(PlantId(7));
        assert!(!record.still_is(None), "nobody knows such a plant");
        record.asked(&operation(1, fern("a")));
        assert!(!record.still_is(None) && !record.still_is(word(1)), "it is in flight");
        let mut answered = record.clone();
        record.ended(operation(1, fern("a")).id, Outcome::Unknown, AT);
        assert!(record.still_is(word(1)));
        assert!(!record.still_is(None) && !record.still_is(word(2)));

        answered.ended(operation(1, fern("a")).id, Outcome::Accepted, AT);
        assert!(answered.still_is(None) && !answered.still_is(word(1)), "it was answered");
        let mut settled = record.clone();
        settled.settled(Settlement::MarkStored, AT);
        assert!(settled.still_is(None) && !settled.still_is(word(1)), "somebody else settled it");
        settled.settled(Settlement::Forget, AT);
        assert!(!settled.still_is(None), "somebody else forgot it");

        record.asked(&operation(2, delete()));
        assert!(!record.still_is(word(1)), "another operation is in flight");
        record.ended(operation(2, delete()).id, Outcome::Unknown, AT);
        assert!(!record.still_is(word(1)) && record.still_is(word(2)), "another doubt came");
    }

    proptest! {
        #[test]
        fn nothing_in_flight_or_in_doubt_is_ever_out_of_the_view(script in prop::collection::vec((any::<bool>(), 0..5usize, any::<bool>()), 0..40)) {
            let mut record = Record::new(PlantId(7));
            for (number, (is_add, ending, settle)) in (1..).zip(script) {
                let operation = operation(number, if is_add { fern("a") } else { Ask::Delete(PlantId(7)) });
                record.asked(&operation);
                prop_assert!(record.row().is_some());
                if let Some(outcome) = Outcome::ALL.get(ending) {
                    record.ended(operation.id, *outcome, AT);
                    // Told twice: the second time changes nothing.
                    let before = record.clone();
                    if *outcome != Outcome::Unknown {
                        record.ended(operation.id, *outcome, AT);
                        prop_assert_eq!(&before, &record);
                    }
                }
                if settle { record.settled(Settlement::Forget, AT); }
                prop_assert!(record.in_doubt().is_none() || record.row().is_some());
                prop_assert!(record.in_flight().next().is_none() || record.row().is_some());
            }
        }
    }
}
