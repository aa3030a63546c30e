//! Folds the entries of several members about one plant into a [`Record`].
//!
//! Members act without waiting for each other. The stream of a team orders what was published, which
//! proves nothing about the order in which the store saw it. So each entry says how much of the stream
//! its member had folded, and an operation replaces only what its member knew. Operations that did not
//! know of each other leave the plant unknown, until a person resolves it. Every member that has the
//! same stream computes the same record. Times are shown and decide nothing: clocks may be wrong.

use super::{Details, Open, Phase, Record, Resolution};
use crate::domain::author::Author;
use crate::domain::operation::{Operation, OperationId, OperationKind};
use crate::domain::outcome::Outcome;
use crate::domain::plant::{Plant, PlantId};
use crate::domain::timestamp::Timestamp;

/// A journal that takes part in a team. Two journals of one person are two members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberId(pub u64);

/// A place in the stream of a team; the larger is the later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Position(pub u64);

/// An entry of a member about one plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamEntry {
    pub member: MemberId,
    /// `None` for an own entry that is not in the stream yet.
    pub position: Option<Position>,
    /// How much of the stream the member had folded when the entry was written.
    pub folded: Position,
    pub what: TeamEvent,
}

/// A person's decision about a plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamResolution {
    pub resolution: Resolution,
    /// Those of a plant that the member knew before it joined the team.
    pub details: Option<Details>,
    pub at: Timestamp,
    /// `None` if that is this journal.
    pub author: Option<Author>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TeamEvent {
    Intent(Operation),
    End(OperationId, Outcome, Timestamp),
    Resolution(TeamResolution),
}

/// Who wrote an entry, and where it is in the stream.
#[derive(Debug, Clone, Copy)]
struct Written {
    member: MemberId,
    position: Option<Position>,
}

impl Written {
    /// Whether a member that had folded so much of the stream knew of it. A member knows its own entries.
    fn is_known(self, to: MemberId, folded: Position) -> bool {
        self.member == to || self.position.is_some_and(|position| position <= folded)
    }
}

/// An operation that is not rejected, accepted or resolved.
#[derive(Debug)]
struct Pending {
    open: Open,
    intent: Written,
    /// How much of the stream the member had folded at its intent.
    folded: Position,
    /// Whether another member resolved the plant while this operation was in flight: its member may be
    /// gone. Only an accepted end matters then.
    is_resolved: bool,
}

/// What a decision leaves at the store.
#[derive(Debug, PartialEq, Eq)]
enum AtStore {
    Nothing,
    /// A plant, with name and tag if they are known.
    Plant(Option<Details>),
}

/// An accepted operation or a resolution: what is at the store after it.
#[derive(Debug)]
struct Decision {
    written: Written,
    at_store: AtStore,
    is_operation: bool,
    author: Option<Author>,
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

/// Folds entries about the plant with this id: first those of the stream in its order, then the own
/// ones that are not in the stream yet.
pub fn fold_team<'a>(id: PlantId, entries: impl IntoIterator<Item = &'a TeamEntry>) -> Record {
    let mut fold = Fold { record: Record::new(id), pending: Vec::new(), decisions: Vec::new() };
    for entry in entries {
        fold.add(entry);
    }
    fold.finish()
}

struct Fold {
    /// Its open operations follow at the end.
    record: Record,
    pending: Vec<Pending>,
    /// Those that no later decision knew of. There are several only if they did not know of each other.
    decisions: Vec<Decision>,
}

impl Fold {
    fn add(&mut self, entry: &TeamEntry) {
        let written = Written { member: entry.member, position: entry.position };
        match &entry.what {
            TeamEvent::Intent(operation) => {
                if let Some(open) = Open::of(operation) {
                    self.pending.push(Pending { open, intent: written, folded: entry.folded, is_resolved: false });
                }
            }
            TeamEvent::End(operation, outcome, at) => {
                let ended = self.pending.iter().position(|pending| pending.open.operation == *operation);
                if let Some(ended) = ended {
                    self.end(written, ended, *outcome, *at);
                }
            }
            TeamEvent::Resolution(resolution) => self.resolve(written, entry.folded, resolution),
        }
        if !self.is_listed() {
            // As in a journal without a team.
            self.record = Record::new(self.record.id);
        }
    }

    fn is_listed(&self) -> bool {
        self.record.stored || self.shown().next().is_some() || self.contradicted().next().is_some()
    }

    fn shown(&self) -> impl Iterator<Item = &Pending> {
        self.pending.iter().filter(|pending| !pending.is_resolved)
    }

    fn contradicted(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(|decision| {
            !self
                .decisions
                .iter()
                .all(|other| decision.written.member == other.written.member || decision.agrees_with(other))
        })
    }

    fn end(&mut self, written: Written, ended: usize, outcome: Outcome, at: Timestamp) {
        let Some(pending) = self.pending.get_mut(ended) else { return };
        match outcome {
            Outcome::Rejected | Outcome::NotSent => drop(self.pending.remove(ended)),
            Outcome::Accepted if !pending.open.unnamed => {
                let Pending { open, folded, .. } = self.pending.remove(ended);
                let plant = open.kind.plant().map(Details::from);
                let at_store = plant.map_or(AtStore::Nothing, |plant| AtStore::Plant(Some(plant)));
                let author = open.author.clone();
                let decision = Decision { written, at_store, is_operation: true, author, reopened: open };
                self.decide(decision, folded, at);
            }
            Outcome::Accepted | Outcome::Unknown if pending.is_resolved => drop(self.pending.remove(ended)),
            Outcome::Accepted | Outcome::Unknown => {
                (pending.open.phase, pending.open.at) = (Phase::Unknown, at);
            }
        }
    }

    fn resolve(&mut self, written: Written, folded: Position, resolved: &TeamResolution) {
        let TeamResolution { resolution, details, at, author } = resolved;
        let known = |pending: &&mut Pending| pending.intent.is_known(written.member, folded);
        let mut last = None;
        let mut added = None;
        for pending in self.pending.iter_mut().filter(known) {
            pending.is_resolved = pending.open.phase == Phase::InFlight && pending.intent.member != written.member;
            added = pending.open.kind.plant().map(Details::from).or(added);
            last = Some(pending.open.clone());
        }
        let details = details.clone().or(added).or_else(|| self.record.details.clone());
        let reopened = last.or_else(|| Some(self.decisions.last()?.reopened.clone()));
        let reopened =
            reopened.unwrap_or_else(|| assumed(self.record.id, written.member, author.clone(), details.as_ref()));
        let at_store = match resolution {
            Resolution::MarkStored => AtStore::Plant(details),
            Resolution::Forget => AtStore::Nothing,
        };
        let author = author.clone();
        self.decide(Decision { written, at_store, is_operation: false, author, reopened }, folded, *at);
    }

    /// Replaces the decisions and unknown operations that the member knew.
    fn decide(&mut self, decision: Decision, folded: Position, at: Timestamp) {
        let member = decision.written.member;
        self.record.changed_at = at;
        self.pending
            .retain(|pending| pending.open.phase == Phase::InFlight || !pending.intent.is_known(member, folded));
        self.decisions.retain(|earlier| !earlier.written.is_known(member, folded));
        (self.record.stored, self.record.author) = (decision.at_store != AtStore::Nothing, decision.author.clone());
        if let AtStore::Plant(Some(details)) = &decision.at_store {
            self.record.details = Some(details.clone());
        }
        self.decisions.push(decision);
    }

    fn finish(mut self) -> Record {
        let reopened = self.contradicted().map(|decision| Open {
            phase: Phase::Unknown,
            at: self.record.changed_at,
            ..decision.reopened.clone()
        });
        let shown = self.shown().map(|pending| pending.open.clone());
        self.record.open = reopened.chain(shown).collect();
        self.record
    }
}

/// Returns an operation that stands for what a member knew before it joined the team.
fn assumed(id: PlantId, member: MemberId, author: Option<Author>, details: Option<&Details>) -> Open {
    let kind = match details.cloned() {
        Some(Details { name, tag }) => OperationKind::add(Plant { name, id, tag }),
        None => OperationKind::Delete(id),
    };
    let operation = OperationId { origin: member.0, number: 0 };
    Open { operation, kind, phase: Phase::Unknown, at: Timestamp::default(), unnamed: false, author }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{Probe, State};

    const ID: PlantId = PlantId(7);

    fn add(name: &str) -> OperationKind {
        OperationKind::add(Plant { name: name.into(), id: ID, tag: "t".into() })
    }

    fn delete() -> OperationKind {
        OperationKind::Delete(ID)
    }

    /// Writes entries of members, each at the next place of the stream.
    #[derive(Default)]
    struct Stream {
        entries: Vec<TeamEntry>,
        operations: u32,
    }

    impl Stream {
        fn now(&self) -> Position {
            Position(self.entries.len() as u64)
        }

        fn at(&self) -> Timestamp {
            Timestamp(i64::try_from(self.entries.len()).unwrap())
        }

        fn write(&mut self, member: u64, folded: Position, what: TeamEvent) {
            let position = Some(Position(self.entries.len() as u64 + 1));
            self.entries.push(TeamEntry { member: MemberId(member), position, folded, what });
        }

        /// Begins an operation by a member that had folded so much of the stream.
        fn begin(&mut self, member: u64, folded: Position, kind: OperationKind) -> OperationId {
            self.operations += 1;
            let id = OperationId { origin: member, number: self.operations };
            self.write(member, folded, TeamEvent::Intent(Operation::new(id, kind, self.at())));
            id
        }

        fn end(&mut self, operation: OperationId, outcome: Outcome) {
            let (folded, at) = (self.now(), self.at());
            self.write(operation.origin, folded, TeamEvent::End(operation, outcome, at));
        }

        /// Begins and ends an operation.
        fn run(&mut self, member: u64, folded: Position, kind: OperationKind, outcome: Outcome) -> OperationId {
            let operation = self.begin(member, folded, kind);
            self.end(operation, outcome);
            operation
        }

        fn resolve(&mut self, member: u64, folded: Position, resolution: Resolution) {
            let at = self.at();
            let resolution = TeamResolution { resolution, details: None, at, author: None };
            self.write(member, folded, TeamEvent::Resolution(resolution));
        }

        fn record(&self) -> Record {
            fold_team(ID, &self.entries)
        }

        fn shown(&self) -> Option<(State, String)> {
            self.record().row().map(|row| (row.state, row.name().unwrap_or("-").to_owned()))
        }

        /// The members whose operations are unknown.
        fn unknown(&self) -> Vec<u64> {
            self.record().open.iter().map(|open| open.operation.origin).collect()
        }
    }

    fn stored(name: &str) -> (State, String) {
        (State::Stored, name.to_owned())
    }

    #[test]
    fn two_adds_that_did_not_know_of_each_other_are_unknown_until_a_person_resolves_them() {
        let mut stream = Stream::default();
        let start = stream.now();
        let (first, second) = (stream.begin(1, start, add("a")), stream.begin(2, start, add("b")));
        assert_eq!(stream.shown(), Some((State::Adding, "b".to_owned())));
        stream.end(first, Outcome::Accepted);
        stream.end(second, Outcome::Accepted);
        assert_eq!((stream.record().state(), stream.unknown()), (Some(State::Unknown), vec![1, 2]));
        let now = stream.now();
        stream.resolve(3, now, Resolution::MarkStored);
        assert_eq!(stream.shown(), Some(stored("b")));
    }

    #[test]
    fn the_same_adds_one_after_the_other_are_stored() {
        let mut stream = Stream::default();
        stream.run(1, stream.now(), add("a"), Outcome::Accepted);
        stream.run(2, stream.now(), add("b"), Outcome::Accepted);
        assert_eq!(stream.shown(), Some(stored("b")));
    }

    #[test]
    fn an_add_that_the_store_rejects_contradicts_nothing() {
        let mut stream = Stream::default();
        let start = stream.now();
        stream.run(1, start, add("a"), Outcome::Accepted);
        stream.run(2, start, add("b"), Outcome::Rejected);
        assert_eq!(stream.shown(), Some(stored("a")));
    }

    #[test]
    fn a_delete_published_after_a_day_offline_does_not_beat_a_later_add() {
        let mut stream = Stream::default();
        stream.run(1, stream.now(), add("a"), Outcome::Accepted);
        let known = stream.now();
        stream.run(1, known, add("again"), Outcome::Accepted);
        stream.run(2, known, delete(), Outcome::Accepted);
        assert_eq!((stream.record().state(), stream.unknown()), (Some(State::Unknown), vec![1, 2]));
        // The delete knew the first add, and not the second.
        let mut stream = Stream::default();
        stream.run(1, stream.now(), add("a"), Outcome::Accepted);
        stream.run(2, stream.now(), delete(), Outcome::Accepted);
        assert_eq!(stream.shown(), None);
    }

    #[test]
    fn two_deletes_agree() {
        let mut stream = Stream::default();
        stream.run(1, stream.now(), add("a"), Outcome::Accepted);
        let known = stream.now();
        stream.run(1, known, delete(), Outcome::Accepted);
        stream.run(2, known, delete(), Outcome::Accepted);
        assert_eq!(stream.shown(), None);
    }

    #[test]
    fn different_resolutions_are_unknown_again_and_equal_ones_are_not() {
        let unknown = |resolutions: [Resolution; 2]| {
            let mut stream = Stream::default();
            stream.run(1, stream.now(), add("a"), Outcome::Unknown);
            let known = stream.now();
            stream.resolve(2, known, resolutions[0]);
            stream.resolve(3, known, resolutions[1]);
            stream
        };
        let contradicting = unknown([Resolution::MarkStored, Resolution::Forget]);
        assert_eq!(contradicting.record().state(), Some(State::Unknown));
        assert_eq!(contradicting.record().unknown().map(|unknown| unknown.kind), Some(add("a")));
        assert_eq!(unknown([Resolution::MarkStored; 2]).shown(), Some(stored("a")));
        assert_eq!(unknown([Resolution::Forget; 2]).shown(), None);
    }

    #[test]
    fn an_add_and_a_resolution_that_it_is_stored_agree() {
        let mut stream = Stream::default();
        let add = stream.begin(1, stream.now(), add("a"));
        let known = stream.now();
        stream.end(add, Outcome::Accepted);
        stream.resolve(2, known, Resolution::MarkStored);
        assert_eq!((stream.shown(), stream.unknown()), (Some(stored("a")), vec![]));
    }

    #[test]
    fn an_accepted_add_that_left_its_id_open_is_unknown() {
        let mut stream = Stream::default();
        let add = stream.begin(1, stream.now(), add("a"));
        if let Some(TeamEvent::Intent(operation)) = stream.entries.last_mut().map(|entry| &mut entry.what) {
            operation.probe = Some(Probe { leaves_id_open: true, ..Probe::default() });
        }
        stream.end(add, Outcome::Accepted);
        assert_eq!(stream.shown(), Some((State::Unknown, "a".to_owned())));
    }

    #[test]
    fn a_resolution_does_not_decide_what_its_own_member_has_in_flight() {
        let mut stream = Stream::default();
        let add = stream.begin(1, stream.now(), add("a"));
        stream.resolve(1, stream.now(), Resolution::Forget);
        stream.end(add, Outcome::Unknown);
        assert_eq!(stream.shown(), Some((State::Unknown, "a".to_owned())));
    }

    #[test]
    fn others_resolve_what_a_member_that_is_gone_left_in_flight() {
        let mut stream = Stream::default();
        let add = stream.begin(1, stream.now(), add("a"));
        let known = stream.now();
        stream.resolve(2, known, Resolution::Forget);
        assert_eq!(stream.shown(), None);
        let (before, resolved) = (stream.entries.clone(), stream.record());
        // The end that tells nothing new changes nothing.
        stream.end(add, Outcome::Unknown);
        assert_eq!(stream.record(), resolved);
        // An accepted one contradicts the person.
        stream.entries = before;
        stream.end(add, Outcome::Accepted);
        assert_eq!(stream.shown(), Some((State::Unknown, "a".to_owned())));
    }

    #[test]
    fn a_wrong_clock_changes_nothing_but_the_time_shown() {
        let mut stream = Stream::default();
        stream.run(1, stream.now(), add("a"), Outcome::Accepted);
        stream.run(2, stream.now(), delete(), Outcome::Accepted);
        for entry in &mut stream.entries {
            if let TeamEvent::Intent(Operation { requested_at, .. }) = &mut entry.what {
                requested_at.0 = -requested_at.0;
            }
        }
        assert_eq!(stream.shown(), None);
    }

    proptest! {
        /// Members that have folded everything before each entry are as one.
        #[test]
        fn members_that_know_everything_fold_as_one_journal_does(
            script in prop::collection::vec((0..3u64, any::<bool>(), 0..5usize, any::<bool>(), any::<bool>()), 0..30),
        ) {
            let (mut stream, mut record) = (Stream::default(), Record::new(ID));
            for (member, is_add, outcome, resolves, is_stored) in script {
                let kind = if is_add { add(&member.to_string()) } else { delete() };
                let (now, at) = (stream.now(), stream.at());
                let operation = stream.begin(member, now, kind.clone());
                record.asked(&Operation::new(operation, kind, at));
                let outcome = Outcome::ALL.get(outcome).copied().unwrap_or(Outcome::Unknown);
                let at = stream.at();
                stream.end(operation, outcome);
                record.ended(operation, outcome, at);
                if resolves && record.state().is_some() {
                    let resolution = if is_stored { Resolution::MarkStored } else { Resolution::Forget };
                    let (now, at) = (stream.now(), stream.at());
                    stream.resolve(member, now, resolution);
                    record.resolved(resolution, at);
                }
                prop_assert_eq!(stream.record(), record.clone());
            }
        }

        /// Own entries that the stream does not have yet count last, so that they are shown at once.
        #[test]
        fn own_entries_give_the_same_record_before_they_are_in_the_stream(outcomes in prop::collection::vec(0..4usize, 1..6)) {
            let mut stream = Stream::default();
            for outcome in outcomes {
                let folded = stream.now();
                stream.run(1, folded, add("a"), Outcome::ALL[outcome]);
            }
            let acknowledged = stream.record();
            for entry in &mut stream.entries {
                (entry.position, entry.folded) = (None, Position(0));
            }
            prop_assert_eq!(stream.record(), acknowledged);
        }
    }
}
