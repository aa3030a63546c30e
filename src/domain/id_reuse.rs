//! Distinguishes plants that had the same id one after another, by the exchanges of that id.
//!
//! The interface identifies a plant by its id, and an id can be reused: after a delete, or by an add that the
//! store rejects because another plant has the id. Must not know the journal.

use super::sentence::{called, ended};
use super::{Exchange, Outcome, Plant, Row};

/// The exchanges of one id, split by the plant that they were about. Both lists are newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requests<'a> {
    pub own: Vec<&'a Exchange>,
    pub others: Vec<RelatedExchange<'a>>,
}

/// An exchange about another plant with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelatedExchange<'a> {
    pub exchange: &'a Exchange,
    /// The name of the other plant; `None` if no add of it is known.
    pub name: Option<&'a str>,
}

impl RelatedExchange<'_> {
    /// Formats one line: `another add with this id: Ficus (7), rejected: 409 Conflict`.
    pub fn summary(&self) -> String {
        let kind = &self.exchange.operation.kind;
        let plant = self.name.map(|name| format!(": {}", called(kind.plant_id(), Some(name)))).unwrap_or_default();
        let (word, outcome) = (kind.word(), self.exchange.outcome().word());
        format!("another {word} with this id{plant}, {outcome}: {}", ended(self.exchange))
    }
}

/// A plant that had the id, or was to have it.
struct Candidate<'a> {
    /// `None` if only deletes of it are known.
    plant: Option<&'a Plant>,
    /// Whether it may have been in the store.
    may_exist: bool,
}

/// Splits the exchanges of one id into those of the plant of `row` and those of other plants.
///
/// `newest_first` may lack the oldest exchanges.
///
/// A plant exists from an add that was accepted or is unknown until an accepted delete or until the next
/// plant exists. An add that failed belongs to the plant with the same name and tag that was to be added; a
/// delete belongs to the plant that existed.
pub fn split_by_plant<'a>(row: &Row, newest_first: &'a [Exchange]) -> Requests<'a> {
    let mut candidates: Vec<Candidate<'a>> = Vec::new();
    let mut current = None;
    // The candidate of each exchange, oldest first.
    let mut owners = Vec::new();
    for exchange in newest_first.iter().rev() {
        let (plant, outcome) = (exchange.operation.kind.plant(), exchange.outcome());
        let is_delete = plant.is_none();
        let is_current = |at: &usize| is_delete || candidates.get(*at).is_some_and(|known| known.plant == plant);
        let planned = || candidates.iter().position(|known| !known.may_exist && known.plant == plant);
        let owner = current.filter(is_current).or_else(planned).unwrap_or(candidates.len());
        if owner == candidates.len() {
            candidates.push(Candidate { plant, may_exist: false });
        }
        if is_delete || matches!(outcome, Outcome::Accepted | Outcome::Unknown) {
            if let Some(known) = candidates.get_mut(owner) {
                known.may_exist = true;
            }
            current = Some(owner);
        }
        if is_delete && outcome == Outcome::Accepted {
            current = None;
        }
        owners.push(owner);
    }
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (exchange, owner) in newest_first.iter().zip(owners.into_iter().rev()) {
        let Some(Candidate { plant, may_exist }) = candidates.get(owner) else { continue };
        let is_of_row =
            |plant: &Plant| (row.name(), row.tag()) == (Some(plant.name.as_str()), Some(plant.tag.as_str()));
        if (!may_exist || current == Some(owner)) && plant.is_none_or(is_of_row) {
            own.push(exchange);
        } else {
            let plant = exchange.operation.kind.plant().or(*plant);
            others.push(RelatedExchange { exchange, name: plant.map(|plant| plant.name.as_str()) });
        }
    }
    Requests { own, others }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::{
        BodyEnd, Details, Ending, Failure, FailureKind, Operation, OperationId, OperationKind, Phases, Plant, PlantId,
        Response, State, Timestamp,
    };

    const DELETE: &str = "";

    /// An exchange of plant 7: an add of this name, or a delete. Status 0 is a time-out, 1 a failed connection.
    fn exchange(number: u32, (name, status): (&str, u16)) -> Exchange {
        let id = PlantId(7);
        let kind = match name {
            DELETE => OperationKind::Delete(id),
            name => OperationKind::add(Plant { name: name.into(), id, tag: "t".into() }),
        };
        let ending = match status {
            0 => Ending::Failed(Failure { kind: FailureKind::TimedOut, detail: String::new() }),
            1 => Ending::Failed(Failure { kind: FailureKind::NotConnected, detail: String::new() }),
            status => Ending::Responded(Response {
                status,
                reason: "Reason".into(),
                version: "HTTP/1.1".into(),
                headers: Arc::default(),
                body: Vec::new(),
                body_end: BodyEnd::Complete,
            }),
        };
        Exchange {
            operation: Operation::new(OperationId { origin: 1, number }, kind, Timestamp(0)),
            request: None,
            ending,
            started: Timestamp(0),
            elapsed: std::time::Duration::ZERO,
            phases: Phases::default(),
        }
    }

    fn row(name: Option<&str>) -> Row {
        let details = name.map(|name| Details { name: name.into(), tag: "t".into() });
        Row { id: PlantId(7), details, state: State::Stored, changed_at: Timestamp(0), author: None }
    }

    /// The numbers of the exchanges, from 1 for the oldest: those of the row, and the others with their names.
    fn split(name: Option<&str>, oldest_first: &[(&str, u16)]) -> (Vec<u32>, Vec<(u32, Option<String>)>) {
        let mut all: Vec<_> = (1..).zip(oldest_first).map(|(number, sent)| exchange(number, *sent)).collect();
        all.reverse();
        let Requests { own, others } = split_by_plant(&row(name), &all);
        let own = own.iter().map(|exchange| exchange.operation.id.number).collect();
        let other = |other: &RelatedExchange<'_>| (other.exchange.operation.id.number, other.name.map(str::to_owned));
        (own, others.iter().map(other).collect())
    }

    fn named(number: u32, name: &str) -> (u32, Option<String>) {
        (number, Some(name.to_owned()))
    }

    #[test]
    fn a_rejected_add_of_another_plant_is_listed_with_the_others() {
        let found = split(Some("Monstera"), &[("Monstera", 201), ("Ficus", 409), ("Ficus", 1)]);
        assert_eq!(found, (vec![1], vec![named(3, "Ficus"), named(2, "Ficus")]));
        // The same the other way round, once the other plant has the id.
        let all = [("Monstera", 201), ("Ficus", 409), (DELETE, 204), ("Ficus", 201)];
        let found = split(Some("Ficus"), &all);
        assert_eq!(found, (vec![4, 2], vec![named(3, "Monstera"), named(1, "Monstera")]));
        // Neither plant had the id before.
        let found = split(Some("Ficus"), &[("Monstera", 409), ("Ficus", 409), ("Ficus", 201)]);
        assert_eq!(found, (vec![3, 2], vec![named(1, "Monstera")]));
    }

    #[test]
    fn a_plant_added_again_after_a_delete_is_another_plant() {
        let all =
            [("Monstera", 201), (DELETE, 404), (DELETE, 204), ("Monstera", 401), ("Monstera", 201), (DELETE, 500)];
        let before = [named(3, "Monstera"), named(2, "Monstera"), named(1, "Monstera")];
        assert_eq!(split(Some("Monstera"), &all), (vec![6, 5, 4], before.to_vec()));
        // While the second add is in flight, the plant has no exchange yet.
        assert_eq!(split(Some("Monstera"), &all[..3]), (vec![], before.to_vec()));
    }

    #[test]
    fn a_repeated_add_belongs_to_the_same_plant() {
        let all = [("Monstera", 0), ("Monstera", 409), ("Monstera", 201), ("Monstera", 409)];
        assert_eq!(split(Some("Monstera"), &all), (vec![4, 3, 2, 1], vec![]));
        // An unknown add may have taken the id, so the row shows its plant.
        let all = [("Monstera", 201), ("Ficus", 0), (DELETE, 0)];
        assert_eq!(split(Some("Ficus"), &all), (vec![3, 2], vec![named(1, "Monstera")]));
    }

    #[test]
    fn deletes_without_a_known_add_belong_to_the_current_plant() {
        assert_eq!(split(None, &[(DELETE, 404), (DELETE, 0)]), (vec![2, 1], vec![]));
        // The add of Monstera is older than the exchanges at hand.
        assert_eq!(split(Some("Monstera"), &[(DELETE, 403), ("Ficus", 409)]), (vec![1], vec![named(2, "Ficus")]));
        // A plant deleted before the add was another one.
        assert_eq!(split(Some("Monstera"), &[(DELETE, 404), ("Monstera", 201)]), (vec![2], vec![(1, None)]));
    }

    #[test]
    fn a_related_exchange_is_summarised_in_one_line() {
        let line = |sent, name| RelatedExchange { exchange: &exchange(1, sent), name }.summary();
        assert_eq!(line(("Ficus", 409), Some("Ficus")), "another add with this id: Ficus (7), rejected: 409 Reason");
        assert_eq!(line((DELETE, 204), None), "another delete with this id, accepted: 204 Reason");
        assert!(line(("Ficus", 0), Some("\u{1b}[2J")).starts_with("another add with this id: ␛[2J (7), unknown: no "));
    }

    proptest! {
        #[test]
        fn every_exchange_is_listed_once(script in prop::collection::vec((0..4usize, 0..5usize), 0..20), name in 0..4usize) {
            let names = [DELETE, "a", "b", "c"];
            let script: Vec<_> = script.into_iter().map(|(name, status)| (names[name], [0, 1, 201, 409, 500][status])).collect();
            let (own, others) = split((name > 0).then_some(names[name]), &script);
            let mut all: Vec<_> = own.iter().copied().chain(others.iter().map(|(number, _)| *number)).collect();
            prop_assert!(own.is_sorted_by(|one, other| one > other) && others.is_sorted_by(|one, other| one.0 > other.0));
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(1..=u32::try_from(script.len()).unwrap()));
        }
    }
}
