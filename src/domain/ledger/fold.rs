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
//! is a team of one: it knows its own entries. Times are shown and decide nothing: clocks may be wrong.

use std::collections::HashSet;

use serde::{Deserialize, Serialize, Serializer};

use super::entry::{MemberId, Others, PlantEntry, PlantEvent, Position};
use super::{Decided, ListedPlant, Resolution, Row, State, UnknownOperation};
use crate::domain::sentence::QUOTED_COLUMNS;
use crate::domain::{
    Authors, Details, Operation, OperationId, OperationKind, Outcome, Plant, PlantId, Seen, Timestamp,
};
use crate::text::clean_fit;

/// The claims about a plant that are said.
const CLAIMS: usize = 8;

/// Serializes values as lists, without the names of their fields: there is one for many plants, on disk and in
/// snapshots. They are read from a list, too.
macro_rules! as_list {
    ($($value:ident { $($field:ident),+ })+) => {$(
        impl Serialize for $value {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                ($(&self.$field),+).serialize(serializer)
            }
        }
    )+};
}

as_list! {
    Open { operation, kind, phase, at, member }
    Written { member, position }
    Pending { open, intent, known, is_resolved, beside }
    Decision { written, resolved, reopened, intent, before }
    Fold { id, stored, details, changed_at, changed_by, pending, decisions }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    InFlight,
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Open {
    operation: OperationId,
    kind: OperationKind,
    phase: Phase,
    /// When it was requested, or ended unknown.
    at: Timestamp,
    member: MemberId,
}

impl Open {
    /// Returns an operation that begins.
    fn of(operation: &Operation, member: MemberId) -> Self {
        let Operation { id, kind, requested_at: at, .. } = operation.clone();
        Self { operation: id, kind, phase: Phase::InFlight, at, member }
    }

    /// Returns an operation that stands for one whose entries are missing.
    fn assumed(id: PlantId, member: MemberId, details: Option<&Details>) -> Self {
        let kind = match details.cloned() {
            Some(Details { name, tag }) => OperationKind::add(Plant { name, id, tag }),
            None => OperationKind::Delete(id),
        };
        let operation = OperationId { origin: member.0, number: 0 };
        Self { operation, kind, phase: Phase::Unknown, at: Timestamp::default(), member }
    }

    /// Says who did it: `bob@b may have added Fern (tag garden)`.
    fn claim(&self, perhaps: &str, others: &Others) -> String {
        let who = others.name(self.member);
        let what = self.kind.plant().map_or_else(
            || "deleted it".to_owned(),
            |Plant { name, tag, .. }| {
                format!("added {} (tag {})", clean_fit(name, QUOTED_COLUMNS), clean_fit(tag, QUOTED_COLUMNS))
            },
        );
        format!("{who} {perhaps}{what}")
    }
}

/// Who wrote an entry, and where it is in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
struct Written {
    member: MemberId,
    position: Option<Position>,
}

impl Written {
    /// Whether a member that had folded so much of the stream knew of it.
    fn is_known(self, to: MemberId, known: Position) -> bool {
        self.member == to || self.position.is_some_and(|position| position <= known)
    }
}

/// An operation that is not rejected, accepted or resolved.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Pending {
    open: Open,
    intent: Written,
    /// See [`PlantEntry::known`], at its intent.
    known: Position,
    /// Whether another member resolved the plant while this operation was in flight: its member may be
    /// gone. Only an accepted end matters then.
    is_resolved: bool,
    /// Operations that other programs of the same member had in flight at the same time: programs do not wait for each
    /// other, so the store may have carried them out in any order.
    #[serde(default)]
    beside: Vec<OperationId>,
}

/// What a decision leaves at the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum AtStore {
    Nothing,
    /// A plant, with name and tag if they are known.
    Plant(Option<Details>),
}

/// An accepted operation or a resolution: what is at the store after it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Decision {
    written: Written,
    /// What a person resolved; `None` for an accepted operation.
    resolved: Option<AtStore>,
    /// What is unknown again if another decision contradicts this one.
    reopened: Open,
    /// Where its operation began; `None` for a resolution.
    #[serde(default)]
    intent: Option<Written>,
    /// Name and tag before it, which a person saw who did not know of it: the plant may have left the list.
    #[serde(default)]
    before: Option<Details>,
}

impl Decision {
    fn at_store(&self) -> AtStore {
        let of_operation =
            |plant: Option<&Plant>| plant.map_or(AtStore::Nothing, |plant| AtStore::Plant(Some(plant.into())));
        self.resolved.clone().unwrap_or_else(|| of_operation(self.reopened.kind.plant()))
    }

    /// Says who decided what.
    fn claim(&self, others: &Others) -> String {
        let who = others.name(self.reopened.member);
        match &self.resolved {
            None => self.reopened.claim("", others),
            Some(AtStore::Nothing) => format!("{who} forgot it"),
            Some(AtStore::Plant(_)) => format!("{who} resolved it as stored"),
        }
    }

    /// Whether both leave the same at the store. Two adds do not: the store may have two plants.
    fn agrees_with(&self, other: &Self) -> bool {
        let are_operations = self.resolved.is_none() && other.resolved.is_none();
        let at_store = self.at_store();
        at_store == other.at_store() && !(are_operations && at_store != AtStore::Nothing)
    }
}

/// The presumed state of one id, with its open operations.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct Fold {
    id: PlantId,
    stored: bool,
    details: Option<Details>,
    /// When the plant came into the state that it has without open operations.
    changed_at: Timestamp,
    /// Who brought the plant into that state; `None` if that is this journal.
    changed_by: Option<MemberId>,
    pending: Vec<Pending>,
    /// Those that no later decision knew of. There are several only if they did not know of each other.
    decisions: Vec<Decision>,
}

impl Fold {
    pub fn new(id: PlantId) -> Self {
        Self { id, ..Self::default() }
    }

    /// Returns the state of a stored plant without open operations, about which only this journal has entries.
    pub fn of_stored(Row { id, details, changed_at, author: _, state: _ }: Row) -> Self {
        Self { stored: true, details, changed_at, ..Self::new(id) }
    }

    /// Returns the operations that have not ended, or ended unknown, each with the member that requested it.
    pub fn pending(&self) -> impl Iterator<Item = (Operation, MemberId)> {
        let operation = |open: &Open| (Operation::new(open.operation, open.kind.clone(), open.at), open.member);
        self.pending.iter().map(move |pending| operation(&pending.open))
    }

    pub fn id(&self) -> PlantId {
        self.id
    }

    /// Applies an entry: those of the stream come in its order, then the own ones that are not in the stream.
    /// Returns whether that changes something: not for the end of an operation that is not open, because it has ended
    /// before or is superseded.
    pub fn apply(&mut self, PlantEntry { member, position, known, event }: &PlantEntry) -> bool {
        let written = Written { member: *member, position: *position };
        // A member can have read no more than there was.
        let known = position.map_or(*known, |position| position.min(*known));
        match event {
            PlantEvent::Intent(operation) => {
                let is_beside = |other: &&mut Pending| {
                    let Open { operation: id, phase, member: of, .. } = &other.open;
                    *phase == Phase::InFlight && *of == *member && id.origin != operation.id.origin
                };
                let mut beside = Vec::new();
                for other in self.pending.iter_mut().filter(is_beside) {
                    other.beside.push(operation.id);
                    beside.push(other.open.operation);
                }
                let open = Open::of(operation, *member);
                self.pending.push(Pending { open, intent: written, known, is_resolved: false, beside });
            }
            PlantEvent::End { operation, of, outcome, at } => {
                let is_of = |pending: &Pending| pending.open.operation == *operation && pending.open.member == *of;
                let Some(ended) = self.pending.iter().position(is_of) else { return false };
                self.end(written, ended, *outcome, *at);
            }
            PlantEvent::Resolution(resolution, at) => self.resolve(written, known, *resolution, *at),
        }
        if self.state().is_none() {
            // What comes next does not depend on a plant that has left the list.
            let (pending, decisions) = (std::mem::take(&mut self.pending), std::mem::take(&mut self.decisions));
            *self = Self { pending, decisions, ..Self::new(self.id) };
        }
        true
    }

    fn end(&mut self, written: Written, ended: usize, outcome: Outcome, at: Timestamp) {
        let Some(pending) = self.pending.get_mut(ended) else { return };
        match outcome {
            Outcome::Rejected | Outcome::NotSent => drop(self.pending.remove(ended)),
            Outcome::Accepted => {
                let Pending { open, intent, known, beside, .. } = self.pending.remove(ended);
                let reopened = Open { phase: Phase::Unknown, ..open };
                let (intent, before) = (Some(intent), self.details_shown());
                let decision = Decision { written, resolved: None, reopened, intent, before };
                self.decide(decision, known, &beside, at);
            }
            Outcome::Unknown if pending.is_resolved => drop(self.pending.remove(ended)),
            Outcome::Unknown => {
                (pending.open.phase, pending.open.at) = (Phase::Unknown, at);
            }
        }
    }

    fn resolve(&mut self, written: Written, known: Position, resolution: Resolution, at: Timestamp) {
        let seen = self.known_to(written.member, known);
        let leaves_stored = resolution == Resolution::Forget && seen.has_plant_before_adds();
        let (changed_at, changed_by) = (self.changed_at, self.changed_by);
        let details = if leaves_stored { seen.details } else { seen.details_shown() };
        let mut last = None;
        for pending in self.pending.iter_mut().filter(|pending| pending.intent.is_known(written.member, known)) {
            pending.is_resolved = pending.open.phase == Phase::InFlight && pending.open.member != written.member;
            last = Some(pending.open.clone());
        }
        let reopened = last
            .or_else(|| Some(self.decisions.last()?.reopened.clone()))
            .unwrap_or_else(|| Open::assumed(self.id, written.member, details.as_ref()));
        let resolved = Some(match resolution {
            Resolution::Forget if !leaves_stored => AtStore::Nothing,
            Resolution::MarkStored | Resolution::Forget => AtStore::Plant(details),
        });
        // Where another decision contradicts this one, its person is named.
        let reopened = Open { phase: Phase::Unknown, member: written.member, ..reopened };
        let decision = Decision { written, resolved, reopened, intent: None, before: self.details_shown() };
        self.decide(decision, known, &[], at);
        if leaves_stored {
            (self.changed_at, self.changed_by) = (changed_at, changed_by);
        }
    }

    /// Whether a plant was stored before the open operations, each an add, and none that only contradicts another: it is
    /// left if they are forgotten.
    fn has_plant_before_adds(&self) -> bool {
        self.stored
            && self.contradicted().next().is_none()
            && self.shown().next().is_some()
            && self.shown().all(|open| open.kind.plant().is_some())
    }

    /// Returns the plant as a member sees it who knows no more than that.
    fn known_to(&self, member: MemberId, known: Position) -> Self {
        let mut seen = self.clone();
        seen.pending.retain(|pending| pending.intent.is_known(member, known));
        let unknown = seen.decisions.extract_if(.., |decision| !decision.written.is_known(member, known));
        let unknown: Vec<_> = unknown.collect();
        let is_known_stored = |last: &Decision| last.at_store() != AtStore::Nothing;
        seen.stored = seen.decisions.last().map_or(seen.stored && unknown.is_empty(), is_known_stored);
        // An add that the member knew is shown as one in flight.
        let is_in_flight = |decision: &&Decision| decision.intent.is_some_and(|intent| intent.is_known(member, known));
        let added = unknown.iter().rev().filter(is_in_flight).find_map(|decision| decision.reopened.kind.plant());
        let before = || unknown.first()?.before.clone();
        seen.details = added.map(Details::from).or_else(before).or(seen.details);
        seen.take_details();
        seen
    }

    /// Takes name and tag of the last decision that names a plant, if one does.
    fn take_details(&mut self) {
        let named = |decision: &Decision| match decision.at_store() {
            AtStore::Plant(details) => details,
            AtStore::Nothing => None,
        };
        self.details = self.decisions.iter().rev().find_map(named).or(self.details.take());
    }

    /// Replaces the decisions and unknown operations that the member knew, but for those of operations `beside`.
    fn decide(&mut self, mut decision: Decision, known: Position, beside: &[OperationId], at: Timestamp) {
        let member = decision.written.member;
        let is_replaced =
            |written: Written, open: &Open| written.is_known(member, known) && !beside.contains(&open.operation);
        self.pending
            .retain(|Pending { open, intent, .. }| open.phase == Phase::InFlight || !is_replaced(*intent, open));
        let replaced = self.decisions.extract_if(.., |earlier| is_replaced(earlier.written, &earlier.reopened));
        let replaced: Vec<_> = replaced.collect();
        decision.before = decision.before.or_else(|| replaced.into_iter().next()?.before);
        (self.changed_at, self.changed_by) = (at, Some(member));
        self.stored = decision.at_store() != AtStore::Nothing;
        self.decisions.push(decision);
        // The plant that is shown is that of a decision which is still there, as for a person who resolves it.
        self.take_details();
    }

    /// Returns the open operations: first those that are unknown again, because two decisions contradict each other.
    fn open(&self) -> impl DoubleEndedIterator<Item = &Open> + Clone {
        self.contradicted().chain(self.shown())
    }

    fn contradicted(&self) -> impl DoubleEndedIterator<Item = &Open> + Clone {
        self.contradictions().map(|decision| &decision.reopened)
    }

    fn contradictions(&self) -> impl DoubleEndedIterator<Item = &Decision> + Clone {
        let is_contradicted = |decision: &&Decision| {
            let agrees = |other: &Decision| std::ptr::eq(*decision, other) || decision.agrees_with(other);
            !self.decisions.iter().all(agrees)
        };
        self.decisions.iter().filter(is_contradicted)
    }

    fn shown(&self) -> impl DoubleEndedIterator<Item = &Open> + Clone {
        self.pending.iter().filter(|pending| !pending.is_resolved).map(|pending| &pending.open)
    }

    /// Whether the plant is the same, and still unknown by the operation that a person saw, or stored if there was none. A
    /// resolution is written only then, since an operation may have begun or ended, or another person may have resolved
    /// the plant.
    pub fn is_unchanged(&self, seen: &Decided, others: &Others) -> bool {
        self.seen() == seen.seen
            && match seen.unknown {
                None => self.state() == Some(State::Stored),
                unknown => {
                    self.open().next_back().map(|last| last.operation) == unknown && !self.is_in_own_flight(others)
                }
            }
    }

    /// Whether the list shows the same of both, and a person decides about the same operations.
    pub fn is_shown_as(&self, other: &Self) -> bool {
        let shown = |fold: &Self| (fold.state(), fold.changed_at(), fold.member());
        shown(self) == shown(other) && self.name_and_tag() == other.name_and_tag() && self.open().eq(other.open())
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
        let mut unknown = self.open().rev().filter(|open| open.phase == Phase::Unknown);
        let added = self.last_in_flight().and_then(|open| open.kind.plant());
        let added = added
            .or_else(|| unknown.find_map(|open| open.kind.plant()))
            .map(|plant| (plant.name.as_str(), plant.tag.as_str()));
        added.or_else(|| self.details.as_ref().map(|details| (details.name.as_str(), details.tag.as_str())))
    }

    pub fn details_shown(&self) -> Option<Details> {
        self.name_and_tag().map(|(name, tag)| Details { name: name.to_owned(), tag: tag.to_owned() })
    }

    /// Returns when the plant came into its state.
    pub fn changed_at(&self) -> Timestamp {
        self.last_in_flight().or(self.shown().next_back()).map_or(self.changed_at, |open| open.at)
    }

    fn member(&self) -> Option<MemberId> {
        self.open().next_back().map(|open| open.member).or(self.changed_by)
    }

    /// Returns who brought the plant into its state; `None` without a team.
    pub fn authors(&self, others: &Others) -> Option<Authors> {
        let is_unknown = self.state() == Some(State::Unknown);
        let of_unknown = self.open().filter(|_| is_unknown).map(|open| Some(open.member));
        others.authors(of_unknown.chain([self.member()]))
    }

    pub fn seen(&self) -> Seen {
        self.row(&Others::default()).map_or(Seen::NotListed, |row| row.seen())
    }

    /// Returns the row in the list; `None` if the plant is not in the list.
    pub fn row(&self, others: &Others) -> Option<Row> {
        let details = self.details_shown();
        let (state, author) = (self.state()?, self.authors(others));
        Some(Row { id: self.id, details, state, changed_at: self.changed_at(), author })
    }

    /// Returns the plant if it is in the list.
    pub fn listed(&self, others: &Others) -> Option<ListedPlant> {
        let unknown = self.last_of(|_| true, others).filter(|_| !self.is_in_own_flight(others));
        Some(ListedPlant { row: self.row(others)?, unknown })
    }

    fn is_in_own_flight(&self, others: &Others) -> bool {
        self.shown().any(|open| open.phase == Phase::InFlight && others.author(open.member).is_none())
    }

    /// Returns the last operation that ended unknown and is not resolved.
    pub fn unknown(&self, others: &Others) -> Option<UnknownOperation> {
        self.last_of(|open| open.phase == Phase::Unknown, others)
    }

    fn last_of(&self, is_meant: impl Fn(&Open) -> bool + Copy, others: &Others) -> Option<UnknownOperation> {
        let meant = || self.open().filter(|open| is_meant(open));
        let last = meant().next_back()?;
        let is_of_several = meant().any(|open| others.author(open.member) != others.author(last.member));
        let mut claims = Vec::new();
        if is_of_several {
            claims.extend(self.contradictions().map(|decision| decision.claim(others)));
            let open = self.shown().filter(|open| is_meant(open));
            claims.extend(open.map(|open| open.claim("may have ", others)));
        }
        let mut before = HashSet::new();
        claims.retain(|claim| before.insert(claim.clone()));
        if let Some(more) = claims.len().checked_sub(CLAIMS).filter(|more| *more > 0) {
            claims.truncate(CLAIMS);
            claims.push(format!("{more} more"));
        }
        Some(UnknownOperation {
            operation: last.operation,
            kind: last.kind.clone(),
            authors: others.authors(meant().map(|open| Some(open.member))),
            claims,
            leaves_stored: self.has_plant_before_adds(),
        })
    }
}

#[cfg(test)]
mod tests;
