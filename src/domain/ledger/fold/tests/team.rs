//! The entries of several members.

use proptest::prelude::*;

use super::*;
use crate::domain::State;

const ID: PlantId = PlantId(7);

fn add(name: &str) -> OperationKind {
    OperationKind::add(Plant { name: name.into(), id: ID, tag: "t".into() })
}

fn delete() -> OperationKind {
    OperationKind::Delete(ID)
}

/// Writes entries of members, each at the next position of the stream.
#[derive(Default)]
struct Stream {
    entries: Vec<PlantEntry>,
    operations: u32,
}

impl Stream {
    fn now(&self) -> Position {
        Position(self.entries.len() as u64)
    }

    fn at(&self) -> Timestamp {
        Timestamp(i64::try_from(self.entries.len()).unwrap())
    }

    fn write(&mut self, member: u64, known: Position, event: PlantEvent) {
        let position = Some(Position(self.entries.len() as u64 + 1));
        self.entries.push(PlantEntry { member: MemberId(member), position, known, event });
    }

    /// Begins an operation by a member that knew so much of the stream.
    fn begin(&mut self, member: u64, known: Position, kind: OperationKind) -> OperationId {
        self.operations += 1;
        let id = OperationId { origin: member, number: self.operations };
        self.write(member, known, PlantEvent::Intent(Operation::new(id, kind, self.at())));
        id
    }

    fn end(&mut self, operation: OperationId, outcome: Outcome) {
        let (known, at) = (self.now(), self.at());
        let of = MemberId(operation.origin);
        self.write(operation.origin, known, PlantEvent::End { operation, of, outcome, at });
    }

    /// Begins and ends an operation.
    fn run(&mut self, member: u64, known: Position, kind: OperationKind, outcome: Outcome) -> OperationId {
        let operation = self.begin(member, known, kind);
        self.end(operation, outcome);
        operation
    }

    fn resolve(&mut self, member: u64, known: Position, resolution: Resolution) {
        let at = self.at();
        self.write(member, known, PlantEvent::Resolution(resolution, at));
    }

    fn fold(&self) -> Fold {
        let mut fold = Fold::new(ID);
        for entry in &self.entries {
            fold.apply(entry);
        }
        fold
    }

    fn shown(&self) -> Option<(State, String)> {
        self.fold().row(&alone()).map(|row| (row.state, row.name().unwrap_or("-").to_owned()))
    }

    /// The members whose operations are unknown.
    fn unknown(&self) -> Vec<u64> {
        self.fold().open().map(|open| open.operation.origin).collect()
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
    assert_eq!((stream.fold().state(), stream.unknown()), (Some(State::Unknown), vec![1, 2]));
    let now = stream.now();
    stream.resolve(3, now, Resolution::MarkStored);
    assert_eq!(stream.shown(), Some(stored("b")));
}

/// The store has seen the second add last, and the stream has it first.
#[test]
fn a_plant_that_a_person_marks_as_stored_is_the_one_that_is_shown() {
    let mut stream = Stream::default();
    let start = stream.now();
    stream.run(2, start, add("b"), Outcome::Accepted);
    stream.run(1, start, add("a"), Outcome::Accepted);
    stream.run(1, start, delete(), Outcome::Accepted);
    assert_eq!(stream.shown(), Some((State::Unknown, "b".to_owned())));
    stream.resolve(3, stream.now(), Resolution::MarkStored);
    assert_eq!(stream.shown(), Some(stored("b")));
}

/// The decision that named the shown plant was replaced by one that names none.
#[test]
fn a_plant_whose_decision_was_replaced_is_not_shown() {
    let mut stream = Stream::default();
    stream.run(1, stream.now(), add("a"), Outcome::Accepted);
    let behind = |stream: &Stream, entries| Position(stream.now().0 - entries);
    stream.run(2, behind(&stream, 1), delete(), Outcome::Accepted);
    stream.run(3, stream.now(), add("b"), Outcome::Unknown);
    stream.resolve(1, behind(&stream, 2), Resolution::MarkStored);
    stream.resolve(3, behind(&stream, 1), Resolution::MarkStored);
    stream.run(3, behind(&stream, 2), delete(), Outcome::Accepted);
    let (_, name) = stream.shown().unwrap();
    stream.resolve(9, stream.now(), Resolution::MarkStored);
    assert_eq!(stream.shown(), Some(stored(&name)));
}

/// The plant has left the list, and perhaps come back as another one, before the resolution of one who did not know.
#[test]
fn a_resolution_names_the_plant_that_its_person_saw() {
    let resolved = |changes: &[OperationKind], is_last: bool| {
        let mut stream = Stream::default();
        stream.run(1, stream.now(), add("a"), Outcome::Unknown);
        let known = stream.now();
        if !is_last {
            stream.resolve(2, known, Resolution::MarkStored);
        }
        for kind in changes {
            stream.run(1, known, kind.clone(), Outcome::Accepted);
        }
        if is_last {
            stream.resolve(2, known, Resolution::MarkStored);
        }
        stream
    };
    for is_last in [false, true] {
        let mut stream = resolved(&[delete()], is_last);
        assert_eq!(stream.shown(), Some((State::Unknown, "a".to_owned())), "{is_last}");
        stream.resolve(3, stream.now(), Resolution::MarkStored);
        assert_eq!(stream.shown(), Some(stored("a")), "{is_last}");
        let stream = resolved(&[delete(), add("b")], is_last);
        assert_eq!(stream.fold().state(), Some(State::Unknown), "two plants: {is_last}");
    }
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
    assert_eq!((stream.fold().state(), stream.unknown()), (Some(State::Unknown), vec![1, 2]));
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
    for contradicting in
        [[Resolution::MarkStored, Resolution::Forget], [Resolution::Forget, Resolution::MarkStored]].map(unknown)
    {
        let authors = [2, 3].map(|member| (MemberId(member), format!("p{member}").parse().unwrap()));
        let others = authors.clone().map(|(_, author)| author).to_vec();
        let found = contradicting.fold().unknown(&Others { authors: authors.into(), own: None }).unwrap();
        assert_eq!((contradicting.fold().state(), found.kind), (Some(State::Unknown), add("a")));
        assert_eq!(found.authors, Some(Authors { own: None, others }), "those who resolved it, and not who added it");
        let (stored, forgot) = ("resolved it as stored", "forgot it");
        let of = |did: &str| found.claims.iter().any(|claim| claim.ends_with(did));
        assert!(found.claims.len() == 2 && of(stored) && of(forgot), "{:?}", found.claims);
    }
    assert_eq!(unknown([Resolution::MarkStored; 2]).shown(), Some(stored("a")));
    assert_eq!(unknown([Resolution::Forget; 2]).shown(), None);
}

#[test]
fn an_add_that_a_member_forgets_leaves_what_that_member_knew() {
    let mut stream = Stream::default();
    stream.run(1, stream.now(), add("a"), Outcome::Accepted);
    stream.run(1, stream.now(), add("b"), Outcome::Unknown);
    let known = stream.now();
    stream.resolve(2, known, Resolution::Forget);
    assert_eq!(stream.shown(), Some(stored("a")));
    stream.resolve(3, known, Resolution::MarkStored);
    assert_eq!(stream.fold().state(), Some(State::Unknown), "the other one says that the new plant is there");
    // One who did not know of the plant that was stored before.
    let mut stream = Stream::default();
    stream.run(1, stream.now(), add("b"), Outcome::Unknown);
    let known = stream.now();
    stream.run(3, Position(0), add("a"), Outcome::Accepted);
    stream.resolve(2, known, Resolution::Forget);
    assert_eq!(stream.fold().state(), Some(State::Unknown));
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
    let (before, resolved) = (stream.entries.clone(), stream.fold());
    // The end that tells nothing new changes nothing.
    stream.end(add, Outcome::Unknown);
    assert!(stream.fold().is_shown_as(&resolved));
    // An accepted one contradicts the person.
    stream.entries = before;
    stream.end(add, Outcome::Accepted);
    assert_eq!(stream.shown(), Some((State::Unknown, "a".to_owned())));
}

#[test]
fn a_member_cannot_have_read_more_than_there_was() {
    let mut stream = Stream::default();
    let first = stream.begin(1, stream.now(), add("a"));
    let second = stream.begin(2, Position(u64::MAX), add("b"));
    stream.end(first, Outcome::Accepted);
    stream.end(second, Outcome::Accepted);
    assert_eq!((stream.fold().state(), stream.unknown()), (Some(State::Unknown), vec![1, 2]));
}

#[test]
fn the_end_of_an_operation_ends_that_of_its_member() {
    let mut stream = Stream::default();
    let own = stream.begin(1, stream.now(), add("a"));
    let (position, of) = (Some(Position(2)), MemberId(2));
    let same_id = Operation::new(own, delete(), Timestamp(0));
    stream.entries.push(PlantEntry { member: of, position, known: Position(0), event: PlantEvent::Intent(same_id) });
    let end = PlantEvent::End { operation: own, of, outcome: Outcome::Accepted, at: Timestamp(3) };
    stream.entries.push(PlantEntry { member: of, position: Some(Position(3)), known: Position(0), event: end });
    assert_eq!(stream.shown(), Some((State::Adding, "a".to_owned())));
}

#[test]
fn a_wrong_clock_changes_nothing_but_the_time_shown() {
    let mut stream = Stream::default();
    stream.run(1, stream.now(), add("a"), Outcome::Accepted);
    stream.run(2, stream.now(), delete(), Outcome::Accepted);
    for entry in &mut stream.entries {
        if let PlantEvent::Intent(Operation { requested_at, .. }) = &mut entry.event {
            requested_at.0 = -requested_at.0;
        }
    }
    assert_eq!(stream.shown(), None);
}

proptest! {
    /// Members that know everything before each entry are as one.
    #[test]
    fn members_that_know_everything_fold_as_one_journal_does(
        script in prop::collection::vec((0..3u64, any::<bool>(), 0..5usize, any::<bool>(), any::<bool>()), 0..30),
    ) {
        let (mut stream, mut alone) = (Stream::default(), Fold::new(ID));
        for (member, is_add, outcome, resolves, is_stored) in script {
            let kind = if is_add { add(&member.to_string()) } else { delete() };
            let (now, at) = (stream.now(), stream.at());
            let operation = stream.begin(member, now, kind.clone());
            begin(&mut alone, &Operation::new(operation, kind, at));
            let outcome = Outcome::ALL.get(outcome).copied().unwrap_or(Outcome::Unknown);
            let at = stream.at();
            stream.end(operation, outcome);
            end(&mut alone, operation, outcome, at);
            if resolves && alone.state().is_some() {
                let resolution = if is_stored { Resolution::MarkStored } else { Resolution::Forget };
                let (now, at) = (stream.now(), stream.at());
                stream.resolve(member, now, resolution);
                resolve(&mut alone, resolution, at);
            }
            let shown = |fold: &Fold| (fold.row(&Others::default()), fold.unknown(&Others::default()));
            prop_assert_eq!(shown(&stream.fold()), shown(&alone));
        }
    }

    /// Members begin operations, which may be unknown to the others, and resolve plants.
    #[test]
    fn a_plant_that_a_person_marks_as_stored_is_always_the_one_that_is_shown(
        script in prop::collection::vec((1..4u64, 0..4usize, 0..6usize, 0..20u64), 1..12),
    ) {
        let mut stream = Stream::default();
        for (member, what, outcome, behind) in script {
            let known = Position(stream.now().0.saturating_sub(behind));
            let kind = if what == 0 { delete() } else { add(["a", "b", "c"][what - 1]) };
            match Outcome::ALL.get(outcome) {
                Some(outcome) => drop(stream.run(member, known, kind, *outcome)),
                None => stream.resolve(member, known, Resolution::MarkStored),
            }
        }
        let before = stream.shown();
        stream.resolve(9, stream.now(), Resolution::MarkStored);
        if let Some((State::Unknown, name)) = before {
            prop_assert_eq!(stream.shown(), Some(stored(&name)));
        }
    }

    /// Own entries that the stream does not have yet count last, so that they are shown at once.
    #[test]
    fn own_entries_are_shown_alike_before_they_are_in_the_stream(outcomes in prop::collection::vec(0..4usize, 1..6)) {
        let mut stream = Stream::default();
        for outcome in outcomes {
            let known = stream.now();
            stream.run(1, known, add("a"), Outcome::ALL[outcome]);
        }
        let acknowledged = stream.fold();
        for entry in &mut stream.entries {
            (entry.position, entry.known) = (None, Position(0));
        }
        prop_assert!(stream.fold().is_shown_as(&acknowledged));
    }
}
