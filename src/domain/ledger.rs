//! Folds the journal's entries into the state of each plant.
//!
//! There is one [`Record`] for each id, because the interface identifies a plant by its id (`interface.md`
//! §4.2). A record contains the presumed state of the plant at the store and every open operation. Operations
//! on one id are sent one after another, so an accepted one resolves all before it. Must not know how entries
//! are stored.

mod team_fold;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::author::Author;
use super::operation::{Operation, OperationId, OperationKind};
use super::outcome::Outcome;
use super::plant::{Plant, PlantId};
use super::timestamp::Timestamp;
use crate::text::clean;
pub use team_fold::{MemberId, Position, TeamEntry, TeamEvent, TeamResolution, fold_team};

/// The name and tag of a plant, as sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    pub name: String,
    pub tag: String,
}

impl From<&Plant> for Details {
    fn from(plant: &Plant) -> Self {
        Self { name: plant.name.clone(), tag: plant.tag.clone() }
    }
}

/// The state of a plant in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// The store accepted an add, or a person marked the plant as stored.
    Stored,
    /// An operation on the plant ended unknown and is not resolved.
    Unknown,
    /// An add is queued or in flight.
    Adding,
    /// A delete is queued or in flight.
    Deleting,
}

impl State {
    pub const ALL: [Self; 4] = [Self::Stored, Self::Unknown, Self::Adding, Self::Deleting];

    /// Returns the word on screen and in JSON.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A plant of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub id: PlantId,
    /// `None` if only deletes of the plant are known.
    pub details: Option<Details>,
    pub state: State,
    pub changed_at: Timestamp,
    /// The member of the team that brought the plant into this state; `None` if that is this journal.
    pub author: Option<Author>,
}

impl Row {
    pub fn name(&self) -> Option<&str> {
        self.details.as_ref().map(|details| details.name.as_str())
    }

    pub fn tag(&self) -> Option<&str> {
        self.details.as_ref().map(|details| details.tag.as_str())
    }
}

/// A person's decision about an unknown plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resolution {
    /// The plant is in the store.
    MarkStored,
    /// The plant is removed from the list; the store may still have the plant.
    Forget,
}

/// Why a plant that was to be added is not in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum UnlistedReason {
    Deleted,
    /// A person removed the plant from the list.
    Forgotten,
    /// The store rejected the add.
    Rejected,
    /// The add never reached the store.
    #[strum(serialize = "not sent")]
    NotSent,
}

impl UnlistedReason {
    /// Returns the reason that an operation with this outcome gives; `None` if the plant stays in the list.
    pub fn by(kind: &OperationKind, outcome: Outcome) -> Option<Self> {
        match (kind, outcome) {
            (OperationKind::Delete(_), Outcome::Accepted) => Some(Self::Deleted),
            (OperationKind::Add(_), Outcome::Rejected) => Some(Self::Rejected),
            (OperationKind::Add(_), Outcome::NotSent) => Some(Self::NotSent),
            (OperationKind::Add(_), Outcome::Accepted | Outcome::Unknown)
            | (OperationKind::Delete(_), Outcome::Rejected | Outcome::Unknown | Outcome::NotSent) => None,
        }
    }

    /// Returns the word on screen.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A plant that was to be added and is not in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlisted {
    pub plant: Plant,
    pub how: UnlistedReason,
    pub at: Timestamp,
}

/// An operation that ended unknown and is not resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOperation {
    pub operation: OperationId,
    pub kind: OperationKind,
    /// The members of the team who left the plant unknown, each once; `None` is this journal. There are several if they
    /// did not know of each other.
    pub members: Vec<Option<Author>>,
}

impl UnknownOperation {
    /// Names the members, if another one than this journal is among them: `you and bob@b`.
    pub fn members_in_words(&self) -> Option<String> {
        let has_others = self.members.iter().any(Option::is_some);
        let name =
            |member: &Option<Author>| member.as_ref().map_or_else(|| "you".to_owned(), |author| clean(author.name()));
        let (last, others) = self.members.split_last().filter(|_| has_others)?;
        let others: Vec<_> = others.iter().map(name).collect();
        Some(if others.is_empty() { name(last) } else { format!("{} and {}", others.join(", "), name(last)) })
    }
}

/// A plant whose state is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    pub row: Row,
    /// The last operation that ended unknown.
    pub unknown: UnknownOperation,
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
    /// When it was requested, or ended unknown.
    at: Timestamp,
    /// Whether acceptance leaves open which plant was meant; see [`Operation::names_its_plant`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unnamed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<Author>,
}

impl Open {
    /// Returns an operation that begins; `None` for a delete that names no plant, which changes nothing.
    fn of(operation: &Operation) -> Option<Self> {
        let is_named = operation.names_its_plant();
        let changes = is_named || matches!(operation.kind, OperationKind::Add(_));
        let Operation { id, kind, requested_at: at, author, .. } = operation.clone();
        changes.then_some(Self { operation: id, kind, phase: Phase::InFlight, at, unnamed: !is_named, author })
    }
}

/// The presumed state of one id, with its open operations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    id: PlantId,
    stored: bool,
    details: Option<Details>,
    open: Vec<Open>,
    /// When the plant came into the state it has without open operations.
    changed_at: Timestamp,
    /// Who brought the plant into that state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<Author>,
}

impl Record {
    pub fn new(id: PlantId) -> Self {
        Self { id, stored: false, details: None, open: Vec::new(), changed_at: Timestamp::default(), author: None }
    }

    /// Returns the record of a stored plant without open operations.
    pub fn of_stored(Row { id, details, changed_at, author, state: _ }: Row) -> Self {
        Self { id, stored: true, details, open: Vec::new(), changed_at, author }
    }

    pub fn id(&self) -> PlantId {
        self.id
    }

    /// Begins an operation. Returns whether that changes something: a delete that names no plant does not.
    pub fn asked(&mut self, operation: &Operation) -> bool {
        let open = Open::of(operation);
        let changes = open.is_some();
        self.open.extend(open);
        changes
    }

    /// Ends an operation. Returns whether that changes something: not if it is not open, because it has ended before or
    /// is superseded.
    pub fn ended(&mut self, operation: OperationId, outcome: Outcome, ended_at: Timestamp) -> bool {
        let mut open = self.open.iter_mut().enumerate();
        let Some((at, open)) = open.find(|(_, open)| open.operation == operation) else { return false };
        match outcome {
            Outcome::Rejected | Outcome::NotSent => drop(self.open.remove(at)),
            Outcome::Accepted if !open.unnamed => {
                let accepted = self.open.remove(at);
                (self.changed_at, self.author) = (ended_at, accepted.author);
                self.stored = match accepted.kind {
                    OperationKind::Add(plant) => {
                        self.details = Some(Details::from(plant.as_ref()));
                        true
                    }
                    OperationKind::Delete(_) => false,
                };
                self.open.retain(|other| other.phase == Phase::InFlight);
            }
            Outcome::Accepted | Outcome::Unknown => (open.phase, open.at) = (Phase::Unknown, ended_at),
        }
        self.forget_if_unlisted();
        true
    }

    /// Whether the plant is still in the state that a person saw: unknown by the operation `unknown`, or stored
    /// if that is `None`. A resolution is written only then, since an operation may have begun or ended, or
    /// another person may have resolved the plant.
    pub fn is_unchanged(&self, unknown: Option<OperationId>) -> bool {
        let state = self.state();
        match unknown {
            Some(_) => self.undecided().map(|last| last.operation) == unknown && !self.is_in_own_flight(),
            None => state == Some(State::Stored),
        }
    }

    /// Applies a person's decision about an unknown plant.
    pub fn resolved(&mut self, resolution: Resolution, at: Timestamp) {
        (self.changed_at, self.author) = (at, None);
        match resolution {
            Resolution::MarkStored => {
                if let Some(plant) = self.unknown_add() {
                    self.details = Some(Details::from(plant));
                }
                self.stored = true;
            }
            Resolution::Forget => self.stored = false,
        }
        self.open.retain(|open| open.phase == Phase::InFlight);
        self.forget_if_unlisted();
    }

    /// Forgets a plant that has left the list: what comes next does not depend on it.
    fn forget_if_unlisted(&mut self) {
        if self.state().is_none() {
            *self = Self::new(self.id);
        }
    }

    fn unknown_add(&self) -> Option<&Plant> {
        self.open.iter().rev().filter(|open| open.phase == Phase::Unknown).find_map(|open| open.kind.plant())
    }

    fn last_in_flight(&self) -> Option<&Open> {
        self.open.iter().rev().find(|open| open.phase == Phase::InFlight)
    }

    /// Returns the state in the list; `None` if the plant is not in the list.
    pub fn state(&self) -> Option<State> {
        match self.last_in_flight() {
            Some(Open { kind: OperationKind::Add(_), .. }) => Some(State::Adding),
            Some(Open { kind: OperationKind::Delete(_), .. }) => Some(State::Deleting),
            None if !self.open.is_empty() => Some(State::Unknown),
            None => self.stored.then_some(State::Stored),
        }
    }

    /// Returns name and tag; `None` if only deletes of the plant are known.
    pub fn name_and_tag(&self) -> Option<(&str, &str)> {
        let added = self.last_in_flight().and_then(|open| open.kind.plant()).or_else(|| self.unknown_add());
        let added = added.map(|plant| (plant.name.as_str(), plant.tag.as_str()));
        added.or_else(|| self.details.as_ref().map(|details| (details.name.as_str(), details.tag.as_str())))
    }

    /// Returns when the plant came into its state.
    pub fn changed_at(&self) -> Timestamp {
        self.last_in_flight().or(self.open.last()).map_or(self.changed_at, |open| open.at)
    }

    /// Returns the member of the team that brought the plant into its state; `None` if that is this journal.
    pub fn author(&self) -> Option<&Author> {
        self.open.last().map_or(&self.author, |open| &open.author).as_ref()
    }

    /// Returns the row in the list; `None` if the plant is not in the list.
    pub fn row(&self) -> Option<Row> {
        let details = self.name_and_tag().map(|(name, tag)| Details { name: name.to_owned(), tag: tag.to_owned() });
        let (state, author) = (self.state()?, self.author().cloned());
        Some(Row { id: self.id, details, state, changed_at: self.changed_at(), author })
    }

    /// Returns the plant with its last unknown operation; `None` in another state.
    pub fn unresolved(&self) -> Option<Unresolved> {
        let row = self.row().filter(|row| row.state == State::Unknown)?;
        Some(Unresolved { row, unknown: self.unknown()? })
    }

    /// Returns the plant with the last operation that a person can decide about: an unknown one, or one in flight of
    /// another member of the team, who may be gone.
    pub fn decidable(&self) -> Option<Unresolved> {
        let row = self.row().filter(|_| !self.is_in_own_flight())?;
        Some(Unresolved { row, unknown: self.undecided()? })
    }

    fn is_in_own_flight(&self) -> bool {
        self.open.iter().any(|open| open.phase == Phase::InFlight && open.author.is_none())
    }

    fn undecided(&self) -> Option<UnknownOperation> {
        Self::last_of(self.open.iter())
    }

    fn last_of<'a>(open: impl DoubleEndedIterator<Item = &'a Open> + Clone) -> Option<UnknownOperation> {
        let last = open.clone().next_back()?;
        let mut members: Vec<_> = open.map(|open| open.author.clone()).collect();
        members.sort();
        members.dedup();
        Some(UnknownOperation { operation: last.operation, kind: last.kind.clone(), members })
    }

    #[cfg(test)]
    fn in_flight(&self) -> impl Iterator<Item = OperationId> + '_ {
        self.open.iter().filter(|open| open.phase == Phase::InFlight).map(|open| open.operation)
    }

    /// Returns the last operation that ended unknown and is not resolved.
    pub fn unknown(&self) -> Option<UnknownOperation> {
        Self::last_of(self.open.iter().filter(|open| open.phase == Phase::Unknown))
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
        OperationKind::add(Plant { name: name.into(), id: PlantId(7), tag: "t".into() })
    }

    /// Begins and ends the operations of the script; returns the state and the name of the row.
    fn state_after(script: &[(OperationKind, Option<Outcome>)]) -> Option<(State, Option<String>)> {
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
    fn a_rejected_operation_leaves_the_times_of_the_others() {
        let requested = |number, kind, at| Operation::new(OperationId { origin: 1, number }, kind, Timestamp(at));
        let first = requested(1, fern("first"), 0);
        let (delete, second) = (requested(2, OperationKind::Delete(PlantId(7)), 2), requested(3, fern("second"), 3));
        let mut record = Record::new(PlantId(7));
        record.asked(&first);
        record.ended(first.id, Outcome::Accepted, Timestamp(1));
        record.asked(&delete);
        record.asked(&second);
        record.ended(delete.id, Outcome::Rejected, Timestamp(4));
        assert_eq!((record.state(), record.changed_at()), (Some(State::Adding), Timestamp(3)));
        record.ended(second.id, Outcome::Rejected, Timestamp(5));
        assert_eq!((record.state(), record.changed_at()), (Some(State::Stored), Timestamp(1)));
    }

    #[test]
    fn each_outcome_leads_to_the_documented_state() {
        use Outcome::{Accepted, NotSent, Rejected, Unknown};
        let delete = OperationKind::Delete(PlantId(7));
        let shown = |state, name: &str| Some((state, Some(name.to_owned())));
        assert_eq!(state_after(&[(fern("a"), None)]), shown(State::Adding, "a"));
        assert_eq!(state_after(&[(fern("a"), Some(Accepted))]), shown(State::Stored, "a"));
        assert_eq!(state_after(&[(fern("a"), Some(Rejected))]), None);
        assert_eq!(state_after(&[(fern("a"), Some(NotSent))]), None);
        assert_eq!(state_after(&[(fern("a"), Some(Unknown))]), shown(State::Unknown, "a"));
        let stored = (fern("a"), Some(Accepted));
        assert_eq!(state_after(&[stored.clone(), (delete.clone(), None)]), shown(State::Deleting, "a"));
        assert_eq!(state_after(&[stored.clone(), (delete.clone(), Some(Accepted))]), None);
        assert_eq!(state_after(&[stored.clone(), (delete.clone(), Some(Rejected))]), shown(State::Stored, "a"));
        assert_eq!(state_after(&[stored.clone(), (delete.clone(), Some(NotSent))]), shown(State::Stored, "a"));
        assert_eq!(state_after(&[stored.clone(), (delete.clone(), Some(Unknown))]), shown(State::Unknown, "a"));
        assert_eq!(state_after(&[stored, (fern("b"), Some(Rejected))]), shown(State::Stored, "a"));
        assert_eq!(state_after(&[(delete, Some(Unknown))]), Some((State::Unknown, None)));
    }

    #[test]
    fn a_later_accepted_operation_resolves_earlier_unknown_ones() {
        use Outcome::{Accepted, Rejected, Unknown};
        let delete = OperationKind::Delete(PlantId(7));
        assert_eq!(
            state_after(&[(fern("a"), Some(Unknown)), (fern("a"), Some(Accepted))]),
            Some((State::Stored, Some("a".into())))
        );
        assert_eq!(state_after(&[(fern("a"), Some(Unknown)), (delete.clone(), Some(Accepted))]), None);
        assert_eq!(
            state_after(&[(fern("a"), Some(Unknown)), (fern("a"), Some(Rejected))]),
            Some((State::Unknown, Some("a".into())))
        );
        assert_eq!(
            state_after(&[(fern("a"), Some(Unknown)), (delete, Some(Rejected))]),
            Some((State::Unknown, Some("a".into())))
        );
    }

    #[test]
    fn an_accepted_probe_that_leaves_the_id_open_is_unknown() {
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
    fn a_person_resolves_an_unknown_operation() {
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
    fn only_an_unknown_plant_can_be_resolved() {
        let mut record = Record::new(PlantId(7));
        let (add, delete) = (operation(1, fern("a")), operation(2, OperationKind::Delete(PlantId(7))));
        record.asked(&add);
        assert_eq!(record.unresolved(), None, "the add is in flight");
        record.ended(add.id, Outcome::Accepted, AT);
        assert_eq!(record.unresolved(), None, "the plant is stored");
        record.asked(&delete);
        record.ended(delete.id, Outcome::Unknown, AT);
        let unresolved =
            record.unresolved().map(|unresolved| (unresolved.row.name().map(str::to_owned), unresolved.unknown));
        let unknown = UnknownOperation { operation: delete.id, kind: delete.kind, members: vec![None] };
        assert_eq!(unresolved, Some((Some("a".to_owned()), unknown)));
    }

    #[test]
    fn members_are_named_if_others_are_among_them() {
        let words = |members: &[Option<&str>]| {
            let members = members.iter().map(|member| member.map(|name| name.parse().unwrap())).collect();
            UnknownOperation { operation: operation(1, fern("a")).id, kind: fern("a"), members }.members_in_words()
        };
        assert_eq!(words(&[None]), None);
        for (members, expected) in [
            (&[Some("bob@b")][..], "bob@b"),
            (&[None, Some("bob@b")], "you and bob@b"),
            (&[None, Some("ann@a"), Some("bob@b")], "you, ann@a and bob@b"),
        ] {
            assert_eq!(words(members).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_resolution_applies_only_to_the_state_that_the_person_saw() {
        let delete = || OperationKind::Delete(PlantId(7));
        let by = |number| Some(operation(number, delete()).id);
        let mut record = Record::new(PlantId(7));
        assert!(!record.is_unchanged(None), "the plant is not in the list");
        record.asked(&operation(1, fern("a")));
        assert!(!record.is_unchanged(None) && !record.is_unchanged(by(1)), "the add is in flight");
        let mut responded = record.clone();
        record.ended(operation(1, fern("a")).id, Outcome::Unknown, AT);
        assert!(record.is_unchanged(by(1)));
        assert!(!record.is_unchanged(None) && !record.is_unchanged(by(2)));

        responded.ended(operation(1, fern("a")).id, Outcome::Accepted, AT);
        assert!(responded.is_unchanged(None) && !responded.is_unchanged(by(1)), "the add was accepted");
        let mut resolved = record.clone();
        resolved.resolved(Resolution::MarkStored, AT);
        assert!(resolved.is_unchanged(None) && !resolved.is_unchanged(by(1)), "another person resolved the add");
        resolved.resolved(Resolution::Forget, AT);
        assert!(!resolved.is_unchanged(None), "another person forgot the plant");

        record.asked(&operation(2, delete()));
        assert!(!record.is_unchanged(by(1)), "another operation is in flight");
        record.ended(operation(2, delete()).id, Outcome::Unknown, AT);
        assert!(!record.is_unchanged(by(1)) && record.is_unchanged(by(2)), "the delete is the last unknown operation");
    }

    proptest! {
        #[test]
        fn plants_in_flight_or_unknown_are_always_listed(script in prop::collection::vec((any::<bool>(), 0..5usize, any::<bool>()), 0..40)) {
            let mut record = Record::new(PlantId(7));
            for (number, (is_add, ending, resolve)) in (1..).zip(script) {
                let operation = operation(number, if is_add { fern("a") } else { OperationKind::Delete(PlantId(7)) });
                record.asked(&operation);
                prop_assert!(record.row().is_some());
                if let Some(outcome) = Outcome::ALL.get(ending) {
                    record.ended(operation.id, *outcome, AT);
                    // Ending an operation again changes nothing.
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
