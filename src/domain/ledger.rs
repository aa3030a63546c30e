//! The ledger: what the journal's entries say about each plant, as a pure fold.
//!
//! One [`Record`] per id, because the interface lets the id identify a plant (`interface.md`
//! §4.2). It holds what is believed to be in the store and every operation that is not over.
//! Operations on one id are sent one after another, so a later response decides for all before it.

use serde::{Deserialize, Serialize};

use super::operation::{Operation, OperationId, OperationKind, Timestamp};
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

/// Where a plant of the list stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The store accepted it, or a person says that it is there.
    Stored,
    /// An operation on it ended unknown and is not resolved.
    Unknown,
    /// An add is queued or out.
    Adding,
    /// A delete is queued or out.
    Deleting,
}

impl State {
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

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }
}

/// A plant of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub id: PlantId,
    /// `None` if it was only ever deleted from here: its name was never known.
    pub details: Option<Details>,
    pub state: State,
    pub changed_at: Timestamp,
}

impl Row {
    pub fn name(&self) -> Option<&str> {
        self.details.as_ref().map(|details| details.name.as_str())
    }

    pub fn tag(&self) -> Option<&str> {
        self.details.as_ref().map(|details| details.tag.as_str())
    }
}

/// How a person resolves what is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// "It is in the store."
    MarkStored,
    /// "Leave it out of the list": nothing is claimed about the store.
    Forget,
}

impl Resolution {
    /// The word in the journal.
    pub fn code(self) -> &'static str {
        match self {
            Self::MarkStored => "mark_stored",
            Self::Forget => "forget",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        [Self::MarkStored, Self::Forget].into_iter().find(|resolution| resolution.code() == code)
    }
}

/// Why a plant that was requested is not in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnlistedReason {
    Deleted,
    /// A person took it out of the list.
    Forgotten,
    /// The store rejected its add.
    Rejected,
    /// Its add never reached the store.
    NotSent,
}

impl UnlistedReason {
    pub const ALL: [Self; 4] = [Self::Deleted, Self::Forgotten, Self::Rejected, Self::NotSent];

    /// What the end of an operation makes of its plant, if that is one.
    pub fn by(kind: &OperationKind, outcome: Outcome) -> Option<Self> {
        match (kind, outcome) {
            (OperationKind::Delete(_), Outcome::Accepted) => Some(Self::Deleted),
            (OperationKind::Add(_), Outcome::Rejected) => Some(Self::Rejected),
            (OperationKind::Add(_), Outcome::NotSent) => Some(Self::NotSent),
            (OperationKind::Add(_), Outcome::Accepted | Outcome::Unknown)
            | (OperationKind::Delete(_), Outcome::Rejected | Outcome::Unknown | Outcome::NotSent) => None,
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
        if self == Self::NotSent { "not_sent" } else { self.word() }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

/// A plant that was requested and is not in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlisted {
    /// As it was sent.
    pub plant: Plant,
    pub how: UnlistedReason,
    pub at: Timestamp,
}

/// An operation that ended unknown and is not resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOperation {
    pub operation: OperationId,
    pub kind: OperationKind,
}

/// A plant that is unknown, with what is unknown of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    pub row: Row,
    /// Its last operation that ended unknown.
    pub doubt: UnknownOperation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    InFlight,
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Open {
    operation: OperationId,
    kind: OperationKind,
    phase: Phase,
    /// When the record had changed last before this operation.
    before: Timestamp,
    /// Whether a yes leaves open if it is this plant that is there now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unnamed: bool,
}

/// Holds what is known of one id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    id: PlantId,
    stored: bool,
    details: Option<Details>,
    open: Vec<Open>,
    changed_at: Timestamp,
}

impl Record {
    /// The record of an id that no operation has named yet.
    pub fn new(id: PlantId) -> Self {
        Self { id, stored: false, details: None, open: Vec::new(), changed_at: Timestamp::default() }
    }

    pub fn id(&self) -> PlantId {
        self.id
    }

    /// Takes up an operation on this plant. A delete that names no plant changes nothing.
    pub fn asked(&mut self, operation: &Operation) {
        if matches!(operation.kind, OperationKind::Delete(_)) && !operation.names_its_plant() {
            return;
        }
        self.open.push(Open {
            operation: operation.id,
            kind: operation.kind.clone(),
            phase: Phase::InFlight,
            before: self.changed_at,
            unnamed: !operation.names_its_plant(),
        });
        self.changed_at = operation.requested_at;
    }

    /// Ends an operation. One that is not open (ended before, or superseded) changes nothing.
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
                self.stored = match &open.kind {
                    OperationKind::Add(plant) => {
                        self.details = Some(Details::from(plant));
                        true
                    }
                    OperationKind::Delete(_) => false,
                };
                self.open.retain(|other| other.phase == Phase::InFlight);
            }
        }
    }

    fn doubt(&mut self, place: usize) {
        if let Some(open) = self.open.get_mut(place) {
            open.phase = Phase::Unknown;
        }
    }

    /// Returns whether the plant still is as a person saw it who resolves this operation, or speaks of a
    /// plant that is stored. Only then may that be written: nothing is in flight, and nothing was
    /// resolved meanwhile.
    pub fn still_is(&self, doubt: Option<OperationId>) -> bool {
        let state = self.row().map(|row| row.state);
        match doubt {
            Some(_) => state == Some(State::Unknown) && self.unknown().map(|last| last.operation) == doubt,
            None => state == Some(State::Stored),
        }
    }

    /// Applies a person's word about what is unknown.
    pub fn resolved(&mut self, resolution: Resolution, at: Timestamp) {
        self.changed_at = at;
        match resolution {
            Resolution::MarkStored => {
                if let Some(details) = self.unknown_add() {
                    self.details = Some(details);
                }
                self.stored = true;
            }
            Resolution::Forget => self.stored = false,
        }
        self.open.retain(|open| open.phase == Phase::InFlight);
    }

    fn unknown_add(&self) -> Option<Details> {
        self.open
            .iter()
            .rev()
            .filter(|open| open.phase == Phase::Unknown)
            .find_map(|open| open.kind.plant())
            .map(Details::from)
    }

    /// Its row in the list; `None` if it has none.
    pub fn row(&self) -> Option<Row> {
        let in_flight = self.open.iter().rev().find(|open| open.phase == Phase::InFlight);
        let state = match in_flight {
            Some(Open { kind: OperationKind::Add(_), .. }) => State::Adding,
            Some(Open { kind: OperationKind::Delete(_), .. }) => State::Deleting,
            None if !self.open.is_empty() => State::Unknown,
            None if self.stored => State::Stored,
            None => return None,
        };
        let details = in_flight
            .and_then(|open| open.kind.plant())
            .map(Details::from)
            .or_else(|| self.unknown_add())
            .or_else(|| self.details.clone());
        Some(Row { id: self.id, details, state, changed_at: self.changed_at })
    }

    /// It and what is unknown of it; `None` if its state is another.
    pub fn unresolved(&self) -> Option<Unresolved> {
        let row = self.row().filter(|row| row.state == State::Unknown)?;
        Some(Unresolved { row, doubt: self.unknown()? })
    }

    #[cfg(test)]
    fn in_flight(&self) -> impl Iterator<Item = OperationId> + '_ {
        self.open.iter().filter(|open| open.phase == Phase::InFlight).map(|open| open.operation)
    }

    /// The last operation that ended unknown and is not resolved.
    pub fn unknown(&self) -> Option<UnknownOperation> {
        let last = self.open.iter().rev().find(|open| open.phase == Phase::Unknown)?;
        Some(UnknownOperation { operation: last.operation, kind: last.kind.clone() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Probe;

    const AT: Timestamp = Timestamp(1);

    fn operation(number: u32, kind: OperationKind) -> Operation {
        Operation::new(OperationId { origin: 1, number }, kind, AT)
    }

    fn fern(name: &str) -> OperationKind {
        OperationKind::Add(Plant { name: name.into(), id: PlantId(7), tag: "t".into() })
    }

    /// Asks, ends, and tells the state and the name shown.
    fn told(script: &[(OperationKind, Option<Outcome>)]) -> Option<(State, Option<String>)> {
        let mut record = Record::new(PlantId(7));
        for (number, (kind, outcome)) in (1..).zip(script) {
            let operation = operation(number, kind.clone());
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
        let delete = OperationKind::Delete(PlantId(7));
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
    fn a_later_response_speaks_for_the_doubt_before_it() {
        use Outcome::{Accepted, Rejected, Unknown};
        let delete = OperationKind::Delete(PlantId(7));
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
        let delete = operation(2, OperationKind::Delete(PlantId(7)));
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
        forgotten.resolved(Resolution::Forget, AT);
        assert_eq!(forgotten.row(), None);
        record.resolved(Resolution::MarkStored, AT);
        assert_eq!(record.row().map(|row| row.state), Some(State::Stored));
        assert_eq!(record.row().and_then(|row| row.details), Some(Details { name: "a".into(), tag: "t".into() }));
    }

    #[test]
    fn a_word_is_taken_only_of_what_the_person_saw() {
        let delete = || OperationKind::Delete(PlantId(7));
        let word = |number| Some(operation(number, delete()).id);
        let mut record = Record::new(PlantId(7));
        assert!(!record.still_is(None), "nobody knows such a plant");
        record.asked(&operation(1, fern("a")));
        assert!(!record.still_is(None) && !record.still_is(word(1)), "it is in flight");
        let mut responded = record.clone();
        record.ended(operation(1, fern("a")).id, Outcome::Unknown, AT);
        assert!(record.still_is(word(1)));
        assert!(!record.still_is(None) && !record.still_is(word(2)));

        responded.ended(operation(1, fern("a")).id, Outcome::Accepted, AT);
        assert!(responded.still_is(None) && !responded.still_is(word(1)), "it was answered");
        let mut resolved = record.clone();
        resolved.resolved(Resolution::MarkStored, AT);
        assert!(resolved.still_is(None) && !resolved.still_is(word(1)), "somebody else resolved it");
        resolved.resolved(Resolution::Forget, AT);
        assert!(!resolved.still_is(None), "somebody else forgot it");

        record.asked(&operation(2, delete()));
        assert!(!record.still_is(word(1)), "another operation is in flight");
        record.ended(operation(2, delete()).id, Outcome::Unknown, AT);
        assert!(!record.still_is(word(1)) && record.still_is(word(2)), "another doubt came");
    }

    proptest! {
        #[test]
        fn nothing_in_flight_or_unknown_is_ever_out_of_the_view(script in prop::collection::vec((any::<bool>(), 0..5usize, any::<bool>()), 0..40)) {
            let mut record = Record::new(PlantId(7));
            for (number, (is_add, ending, resolve)) in (1..).zip(script) {
                let operation = operation(number, if is_add { fern("a") } else { OperationKind::Delete(PlantId(7)) });
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
                if resolve { record.resolved(Resolution::Forget, AT); }
                prop_assert!(record.unknown().is_none() || record.row().is_some());
                prop_assert!(record.in_flight().next().is_none() || record.row().is_some());
            }
        }
    }
}
