//! The entries of a journal without a team.

use proptest::prelude::*;

mod team;

use super::*;

const AT: Timestamp = Timestamp(1);

fn operation(number: u32, kind: OperationKind) -> Operation {
    Operation::new(OperationId { origin: 1, number }, kind, AT)
}

const ME: MemberId = MemberId(1);

fn apply(fold: &mut Fold, event: PlantEvent) {
    fold.apply(&event.of(ME, Position::default()));
}

fn begin(fold: &mut Fold, operation: &Operation) {
    apply(fold, PlantEvent::Intent(operation.clone()));
}

fn end(fold: &mut Fold, operation: OperationId, outcome: Outcome, at: Timestamp) {
    apply(fold, PlantEvent::End { operation, of: ME, outcome, at });
}

fn resolve(fold: &mut Fold, resolution: Resolution, at: Timestamp) {
    apply(fold, PlantEvent::Resolution(resolution, at));
}

fn alone() -> Others {
    Others::default()
}

fn fern(name: &str) -> OperationKind {
    OperationKind::add(Plant { name: name.into(), id: PlantId(7), tag: "t".into() })
}

/// Begins and ends the operations of the script; returns the state and the name of the row.
fn state_after(script: &[(OperationKind, Option<Outcome>)]) -> Option<(State, Option<String>)> {
    let mut fold = Fold::new(PlantId(7));
    for (number, (kind, outcome)) in (1..).zip(script) {
        let operation = operation(number, kind.clone());
        begin(&mut fold, &operation);
        if let Some(outcome) = outcome {
            end(&mut fold, operation.id, *outcome, AT);
        }
    }
    fold.row(&alone()).map(|row| (row.state, row.details.map(|details| details.name)))
}

#[test]
fn a_rejected_operation_leaves_the_times_of_the_others() {
    let requested = |number, kind, at| Operation::new(OperationId { origin: 1, number }, kind, Timestamp(at));
    let first = requested(1, fern("first"), 0);
    let (delete, second) = (requested(2, OperationKind::Delete(PlantId(7)), 2), requested(3, fern("second"), 3));
    let mut fold = Fold::new(PlantId(7));
    begin(&mut fold, &first);
    end(&mut fold, first.id, Outcome::Accepted, Timestamp(1));
    begin(&mut fold, &delete);
    begin(&mut fold, &second);
    end(&mut fold, delete.id, Outcome::Rejected, Timestamp(4));
    assert_eq!((fold.state(), fold.changed_at()), (Some(State::Adding), Timestamp(3)));
    end(&mut fold, second.id, Outcome::Rejected, Timestamp(5));
    assert_eq!((fold.state(), fold.changed_at()), (Some(State::Stored), Timestamp(1)));
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
fn a_person_resolves_an_unknown_operation() {
    let mut fold = Fold::new(PlantId(7));
    let add = operation(1, fern("a"));
    begin(&mut fold, &add);
    end(&mut fold, add.id, Outcome::Unknown, AT);
    let mut forgotten = fold.clone();
    resolve(&mut forgotten, Resolution::Forget, AT);
    assert_eq!(forgotten.row(&alone()), None);
    resolve(&mut fold, Resolution::MarkStored, AT);
    assert_eq!(fold.row(&alone()).map(|row| row.state), Some(State::Stored));
    assert_eq!(fold.row(&alone()).and_then(|row| row.details), Some(Details { name: "a".into(), tag: "t".into() }));
}

/// What was known before an add that is forgotten stays, with its time; a delete that is forgotten leaves nothing.
#[test]
fn an_add_that_is_forgotten_leaves_the_plant_that_was_stored_before() {
    use Outcome::{Accepted, Unknown};
    let forgotten = |script: &[(OperationKind, Outcome)]| {
        let mut fold = Fold::new(PlantId(7));
        for (number, (kind, outcome)) in (1..).zip(script) {
            let operation = operation(number, kind.clone());
            begin(&mut fold, &operation);
            end(&mut fold, operation.id, *outcome, Timestamp(number.into()));
        }
        let leaves_stored = fold.unknown(&alone()).is_some_and(|unknown| unknown.leaves_stored);
        resolve(&mut fold, Resolution::Forget, Timestamp(9));
        assert_eq!(leaves_stored, fold.row(&alone()).is_some(), "{script:?}");
        fold.row(&alone()).map(|row| (row.state, row.name().map(str::to_owned), row.changed_at))
    };
    let (stored, delete) = ((fern("a"), Accepted), (OperationKind::Delete(PlantId(7)), Unknown));
    let left = Some((State::Stored, Some("a".to_owned()), Timestamp(1)));
    assert_eq!(forgotten(&[stored.clone(), (fern("b"), Unknown)]), left);
    assert_eq!(forgotten(&[stored.clone(), (fern("b"), Unknown), (fern("c"), Unknown)]), left);
    assert_eq!(forgotten(&[(fern("b"), Unknown)]), None);
    assert_eq!(forgotten(std::slice::from_ref(&stored)), None, "the plant itself is forgotten");
    assert_eq!(forgotten(&[stored.clone(), delete.clone()]), None);
    assert_eq!(forgotten(&[stored, delete, (fern("b"), Unknown)]), None, "it may have been deleted before");
}

#[test]
fn only_an_unknown_plant_can_be_resolved() {
    let mut fold = Fold::new(PlantId(7));
    let (add, delete) = (operation(1, fern("a")), operation(2, OperationKind::Delete(PlantId(7))));
    let unknown = |fold: &Fold| fold.listed(&alone()).and_then(|plant| plant.unknown);
    begin(&mut fold, &add);
    assert_eq!(unknown(&fold), None, "the add is in flight");
    end(&mut fold, add.id, Outcome::Accepted, AT);
    assert_eq!(unknown(&fold), None, "the plant is stored");
    begin(&mut fold, &delete);
    end(&mut fold, delete.id, Outcome::Unknown, AT);
    assert_eq!(fold.name_and_tag(), Some(("a", "t")));
    let of_delete = UnknownOperation {
        operation: delete.id,
        kind: delete.kind,
        authors: None,
        claims: Vec::new(),
        leaves_stored: false,
    };
    assert_eq!(unknown(&fold), Some(of_delete));
}

/// Two programs have an operation on one id in flight at the same time.
#[test]
fn what_two_programs_did_at_the_same_time_is_unknown_where_its_order_matters() {
    use Outcome::{Accepted, NotSent, Rejected, Unknown};
    let delete = || OperationKind::Delete(PlantId(7));
    let after = |first: OperationKind, second: OperationKind, outcomes: [Outcome; 2], is_first_first: bool, origin| {
        let mut fold = Fold::new(PlantId(7));
        begin(&mut fold, &operation(1, fern("stored")));
        end(&mut fold, operation(1, delete()).id, Accepted, AT);
        let first = operation(2, first);
        let second = Operation { id: OperationId { origin, number: 3 }, ..operation(3, second) };
        begin(&mut fold, &first);
        begin(&mut fold, &second);
        let mut ends = [(first.id, outcomes[0]), (second.id, outcomes[1])];
        if !is_first_first {
            ends.reverse();
        }
        for (id, outcome) in ends {
            end(&mut fold, id, outcome, AT);
        }
        fold.state()
    };
    let unknown = Some(State::Unknown);
    for is_first_first in [true, false] {
        let beside = |first, second, outcomes| after(first, second, outcomes, is_first_first, 2);
        assert_eq!(beside(delete(), fern("new"), [Accepted, Accepted]), unknown);
        assert_eq!(beside(fern("a"), fern("b"), [Accepted, Accepted]), unknown);
        assert_eq!(beside(delete(), delete(), [Accepted, Accepted]), None);
        assert_eq!(beside(delete(), fern("new"), [Accepted, Rejected]), None);
        assert_eq!(beside(delete(), fern("new"), [NotSent, Accepted]), Some(State::Stored));
        assert_eq!(beside(delete(), fern("new"), [Unknown, Accepted]), unknown);
    }
    // One program sends the second only after the end of the first.
    assert_eq!(after(delete(), fern("new"), [Accepted, Accepted], true, 1), Some(State::Stored));
}

#[test]
fn a_resolution_applies_only_to_the_state_that_the_person_saw() {
    let delete = || OperationKind::Delete(PlantId(7));
    let by = |number| Some(operation(number, delete()).id);
    let is_unchanged =
        |fold: &Fold, unknown| fold.is_unchanged(&Decided { id: PlantId(7), seen: fold.seen(), unknown }, &alone());
    let mut fold = Fold::new(PlantId(7));
    assert!(!is_unchanged(&fold, None), "the plant is not in the list");
    begin(&mut fold, &operation(1, fern("a")));
    assert!(!is_unchanged(&fold, None) && !is_unchanged(&fold, by(1)), "the add is in flight");
    let mut responded = fold.clone();
    end(&mut fold, operation(1, fern("a")).id, Outcome::Unknown, AT);
    assert!(is_unchanged(&fold, by(1)));
    assert!(!is_unchanged(&fold, None) && !is_unchanged(&fold, by(2)));

    end(&mut responded, operation(1, fern("a")).id, Outcome::Accepted, AT);
    assert!(is_unchanged(&responded, None) && !is_unchanged(&responded, by(1)), "the add was accepted");
    let mut resolved = fold.clone();
    resolve(&mut resolved, Resolution::MarkStored, AT);
    assert!(is_unchanged(&resolved, None) && !is_unchanged(&resolved, by(1)), "another person resolved the add");
    assert_ne!(resolved.seen(), fold.seen(), "to send it again would be about a plant that is known by now");
    resolve(&mut resolved, Resolution::Forget, AT);
    assert!(!is_unchanged(&resolved, None), "another person forgot the plant");

    begin(&mut fold, &operation(2, delete()));
    assert!(!is_unchanged(&fold, by(1)), "another operation is in flight");
    end(&mut fold, operation(2, delete()).id, Outcome::Unknown, AT);
    assert!(!is_unchanged(&fold, by(1)) && is_unchanged(&fold, by(2)), "the delete is the last unknown operation");

    let other = Seen::Listed {
        details: Some(Details { name: "b".into(), tag: "t".into() }),
        is_deleting: false,
        is_unknown: false,
    };
    let another_plant = Decided { id: PlantId(7), seen: other, unknown: by(2) };
    assert!(!fold.is_unchanged(&another_plant, &alone()), "the person saw another plant");
}

proptest! {
    #[test]
    fn plants_in_flight_or_unknown_are_always_listed(script in prop::collection::vec((any::<bool>(), 0..5usize, any::<bool>()), 0..40)) {
        let mut fold = Fold::new(PlantId(7));
        for (number, (is_add, ending, resolves)) in (1..).zip(script) {
            let operation = operation(number, if is_add { fern("a") } else { OperationKind::Delete(PlantId(7)) });
            begin(&mut fold, &operation);
            prop_assert!(fold.row(&alone()).is_some());
            if let Some(outcome) = Outcome::ALL.get(ending) {
                end(&mut fold, operation.id, *outcome, AT);
                // Ending an operation again changes nothing.
                let before = fold.clone();
                if *outcome != Outcome::Unknown {
                    end(&mut fold, operation.id, *outcome, AT);
                    prop_assert_eq!(&before, &fold);
                }
            }
            if resolves { resolve(&mut fold, Resolution::Forget, AT); }
            prop_assert!(fold.unknown(&alone()).is_none() || fold.row(&alone()).is_some());
            prop_assert!(fold.last_in_flight().is_none() || fold.row(&alone()).is_some());
        }
    }
}
