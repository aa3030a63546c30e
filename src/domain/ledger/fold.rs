//! Folds the entries about one plant into its state: the only place that decides what an entry means.
//!
//! There is one [`Fold`] for each id, because the interface identifies a plant by its id (`interface.md` §4.2). It
//! has the presumed state of the plant at the store and every open operation. Operations on one id are sent one after
//! another, so an accepted one resolves all that its member knew.
//!
//! Members of a team act without waiting for each other. The stream orders what was published, which proves nothing
//! about the order in which the store saw it. So each entry says how much of the stream its member had folded, and an
//! operation replaces only what its member knew. Operations that did not know of each other leave the plant unknown,
//! until a person resolves it. Every member that has the same stream computes the same state. A journal without a team
//! is a team of one, which knows everything. Times are shown and decide nothing: clocks may be wrong.

use serde::{Deserialize, Serialize};

use super::entry::{MemberId, PlantEntry, PlantEvent, Position, Resolved};
use super::{Details, Resolution, Row, State, UnknownOperation, Unresolved};
use crate::domain::author::Author;
use crate::domain::operation::{Operation, OperationId, OperationKind};
use crate::domain::outcome::Outcome;
use crate::domain::plant::{Plant, PlantId};
use crate::domain::timestamp::Timestamp;

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
    unnamed: bool,
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

    /// Returns an operation that stands for what a member knew before it joined the team.
    fn assumed(id: PlantId, member: MemberId, author: Option<Author>, details: Option<&Details>) -> Self {
        let kind = match details.cloned() {
            Some(Details { name, tag }) => OperationKind::add(Plant { name, id, tag }),
            None => OperationKind::Delete(id),
        };
        let operation = OperationId { origin: member.0, number: 0 };
        Self { operation, kind, phase: Phase::Unknown, at: Timestamp::default(), unnamed: false, author }
    }
}

/// Who wrote an entry, and where it is in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    member: MemberId,
    position: Option<Position>,
}

impl Written {
    /// Whether a member that had folded so much of the stream knew of it.
    fn is_known(self, to: MemberId, known: Option<Position>) -> bool {
        known.is_none_or(|known| self.member == to || self.position.is_some_and(|position| position <= known))
    }
}

/// An operation that is not rejected, accepted or resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Pending {
    open: Open,
    intent: Written,
    /// See [`PlantEntry::known`], at its intent.
    known: Option<Position>,
    /// Whether another member resolved the plant while this operation was in flight: its member may be
    /// gone. Only an accepted end matters then.
    is_resolved: bool,
}

/// What a decision leaves at the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum AtStore {
    Nothing,
    /// A plant, with name and tag if they are known.
    Plant(Option<Details>),
}

/// An accepted operation or a resolution: what is at the store after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Decision {
    written: Written,
    at_store: AtStore,
    is_operation: bool,
    /// What is unknown again if another decision contradicts this one.
    reopened: Open,
}

impl Decision {
    /// Whether both leave the same at the store. Two adds do not: the store may have two plants.
    fn agrees_with(&self, other: &Self) -> bool {
        let are_adds = self.is_operation && other.is_operation && self.at_store != AtStore::Nothing;
        self.at_store == other.at_store && !are_adds
    }
}

/// The presumed state of one id, with its open operations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fold {
    id: PlantId,
    stored: bool,
    details: Option<Details>,
    /// When the plant came into the state that it has without open operations.
    changed_at: Timestamp,
    /// Who brought the plant into that state.
    author: Option<Author>,
    pending: Vec<Pending>,
    /// Those that no later decision knew of. There are several only if they did not know of each other.
    decisions: Vec<Decision>,
}

impl Fold {
    pub fn new(id: PlantId) -> Self {
        let (pending, decisions) = (Vec::new(), Vec::new());
        Self { id, stored: false, details: None, changed_at: Timestamp::default(), author: None, pending, decisions }
    }

    /// Returns the state of a stored plant without open operations, in a journal without a team.
    pub fn of_stored(Row { id, details, changed_at, author, state: _ }: Row) -> Self {
        Self { stored: true, details, changed_at, author, ..Self::new(id) }
    }

    pub fn id(&self) -> PlantId {
        self.id
    }

    /// Applies an entry: those of the stream come in its order, then the own ones that are not in the stream.
    /// Returns whether that changes something: not for a delete that names no plant, nor for the end of an operation
    /// that is not open, because it has ended before or is superseded.
    pub fn apply(&mut self, PlantEntry { member, position, known, event }: &PlantEntry) -> bool {
        let written = Written { member: *member, position: *position };
        match event {
            PlantEvent::Intent(operation) => {
                let Some(open) = Open::of(operation) else { return false };
                self.pending.push(Pending { open, intent: written, known: *known, is_resolved: false });
            }
            PlantEvent::End(operation, outcome, at) => {
                let ended = self.pending.iter().position(|pending| pending.open.operation == *operation);
                let Some(ended) = ended else { return false };
                self.end(written, *known, ended, *outcome, *at);
            }
            PlantEvent::Resolution(resolved) => self.resolve(written, *known, resolved),
        }
        if self.state().is_none() {
            // What comes next does not depend on a plant that has left the list.
            let (pending, decisions) = (std::mem::take(&mut self.pending), std::mem::take(&mut self.decisions));
            *self = Self { pending, decisions, ..Self::new(self.id) };
        }
        true
    }

    fn end(&mut self, written: Written, known: Option<Position>, ended: usize, outcome: Outcome, at: Timestamp) {
        let Some(pending) = self.pending.get_mut(ended) else { return };
        match outcome {
            Outcome::Rejected | Outcome::NotSent => drop(self.pending.remove(ended)),
            Outcome::Accepted if !pending.open.unnamed => {
                let Pending { open, known: at_intent, .. } = self.pending.remove(ended);
                // A journal that has left its team knows everything since.
                let known = known.and(at_intent);
                let plant = open.kind.plant().map(Details::from);
                let at_store = plant.map_or(AtStore::Nothing, |plant| AtStore::Plant(Some(plant)));
                let (author, reopened) = (open.author.clone(), Open { phase: Phase::Unknown, ..open });
                self.decide(Decision { written, at_store, is_operation: true, reopened }, author, known, at);
            }
            Outcome::Accepted | Outcome::Unknown if pending.is_resolved => drop(self.pending.remove(ended)),
            Outcome::Accepted | Outcome::Unknown => {
                (pending.open.phase, pending.open.at) = (Phase::Unknown, at);
            }
        }
    }

    fn resolve(&mut self, written: Written, known: Option<Position>, resolved: &Resolved) {
        let Resolved { resolution, details, at, author } = resolved;
        let (mut last, mut added) = (None, None);
        for pending in self.pending.iter_mut().filter(|pending| pending.intent.is_known(written.member, known)) {
            pending.is_resolved = pending.open.phase == Phase::InFlight && pending.intent.member != written.member;
            added = pending.open.kind.plant().map(Details::from).or(added);
            last = Some(pending.open.clone());
        }
        let details = details.clone().or(added).or_else(|| self.details.clone());
        let reopened = last
            .or_else(|| Some(self.decisions.last()?.reopened.clone()))
            .unwrap_or_else(|| Open::assumed(self.id, written.member, author.clone(), details.as_ref()));
        let at_store = match resolution {
            Resolution::MarkStored => AtStore::Plant(details),
            Resolution::Forget => AtStore::Nothing,
        };
        let reopened = Open { phase: Phase::Unknown, ..reopened };
        self.decide(Decision { written, at_store, is_operation: false, reopened }, author.clone(), known, *at);
    }

    /// Replaces the decisions and unknown operations that the member knew.
    fn decide(&mut self, decision: Decision, author: Option<Author>, known: Option<Position>, at: Timestamp) {
        let member = decision.written.member;
        self.pending.retain(|pending| pending.open.phase == Phase::InFlight || !pending.intent.is_known(member, known));
        self.decisions.retain(|earlier| !earlier.written.is_known(member, known));
        (self.changed_at, self.author) = (at, author);
        self.stored = decision.at_store != AtStore::Nothing;
        if let AtStore::Plant(Some(details)) = &decision.at_store {
            self.details = Some(details.clone());
        }
        self.decisions.push(decision);
    }

    /// Returns the open operations: first those that are unknown again, because two decisions contradict each other.
    fn open(&self) -> impl DoubleEndedIterator<Item = &Open> + Clone {
        let is_contradicted = |decision: &&Decision| {
            let agrees =
                |other: &Decision| decision.written.member == other.written.member || decision.agrees_with(other);
            !self.decisions.iter().all(agrees)
        };
        let contradicted = self.decisions.iter().filter(is_contradicted).map(|decision| &decision.reopened);
        contradicted.chain(self.shown())
    }

    fn shown(&self) -> impl DoubleEndedIterator<Item = &Open> + Clone {
        self.pending.iter().filter(|pending| !pending.is_resolved).map(|pending| &pending.open)
    }

    /// Whether the plant is still in the state that a person saw: unknown by the operation `unknown`, or stored
    /// if that is `None`. A resolution is written only then, since an operation may have begun or ended, or
    /// another person may have resolved the plant.
    pub fn is_unchanged(&self, unknown: Option<OperationId>) -> bool {
        match unknown {
            Some(_) => self.undecided().map(|last| last.operation) == unknown && !self.is_in_own_flight(),
            None => self.state() == Some(State::Stored),
        }
    }

    /// Whether the list shows the same of both, and a person decides about the same operations.
    pub fn is_shown_as(&self, other: &Self) -> bool {
        self.row() == other.row() && self.open().eq(other.open())
    }

    fn unknown_add(&self) -> Option<&Plant> {
        self.open().rev().filter(|open| open.phase == Phase::Unknown).find_map(|open| open.kind.plant())
    }

    fn last_in_flight(&self) -> Option<&Open> {
        self.shown().rev().find(|open| open.phase == Phase::InFlight)
    }

    /// Returns the state in the list; `None` if the plant is not in the list.
    pub fn state(&self) -> Option<State> {
        match self.last_in_flight() {
            Some(Open { kind: OperationKind::Add(_), .. }) => Some(State::Adding),
            Some(Open { kind: OperationKind::Delete(_), .. }) => Some(State::Deleting),
            None if self.open().next().is_some() => Some(State::Unknown),
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
        self.last_in_flight().or(self.shown().next_back()).map_or(self.changed_at, |open| open.at)
    }

    /// Returns the member of the team that brought the plant into its state; `None` if that is this journal.
    pub fn author(&self) -> Option<&Author> {
        self.open().next_back().map_or(&self.author, |open| &open.author).as_ref()
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
        self.shown().any(|open| open.phase == Phase::InFlight && open.author.is_none())
    }

    fn undecided(&self) -> Option<UnknownOperation> {
        Self::last_of(self.open())
    }

    /// Returns the last operation that ended unknown and is not resolved.
    pub fn unknown(&self) -> Option<UnknownOperation> {
        Self::last_of(self.open().filter(|open| open.phase == Phase::Unknown))
    }

    fn last_of<'a>(open: impl DoubleEndedIterator<Item = &'a Open> + Clone) -> Option<UnknownOperation> {
        let last = open.clone().next_back()?;
        let mut members: Vec<_> = open.map(|open| open.author.clone()).collect();
        members.sort();
        members.dedup();
        Some(UnknownOperation { operation: last.operation, kind: last.kind.clone(), members })
    }
}

#[cfg(test)]
mod tests;
