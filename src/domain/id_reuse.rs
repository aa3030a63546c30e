//! Tells apart the plants that had one id, one after another, by the requests that were about each.
//!
//! The interface identifies a plant by its id, and an id can be used again: after a delete, or by an
//! add that the store rejects because another plant has it. Knows nothing of the journal: it is given
//! the exchanges of one id.

use super::exchange::{Ending, Exchange};
use super::ledger::{Details, Row};
use super::operation::OperationKind;
use super::outcome::Outcome;
use super::sentence::{called, failed_because, status_line};

/// The exchanges of one id, told apart by the plant they were about. Both lists are newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requests<'a> {
    pub own: Vec<&'a Exchange>,
    pub others: Vec<RelatedExchange<'a>>,
}

/// An exchange about another plant with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelatedExchange<'a> {
    pub exchange: &'a Exchange,
    /// The other plant's name; `None` if no add of it is known.
    pub name: Option<&'a str>,
}

impl RelatedExchange<'_> {
    /// Says it in one line: `another add with this id: Ficus (7), rejected: 409 Conflict`.
    pub fn summary(&self) -> String {
        let kind = &self.exchange.operation.kind;
        let outcome = match self.exchange.outcome() {
            Outcome::Accepted => "accepted",
            Outcome::Rejected => "rejected",
            Outcome::Unknown => "unknown",
            Outcome::NotSent => "not sent",
        };
        let why = match &self.exchange.ending {
            Ending::Responded(response) => status_line(response.status, &response.reason),
            Ending::Failed(failure) => failed_because(failure.kind, self.exchange.elapsed),
        };
        let plant = self.name.map(|name| format!(": {}", called(kind.plant_id(), Some(name)))).unwrap_or_default();
        format!("another {} with this id{plant}, {outcome}: {why}", kind.word())
    }
}

/// Tells the exchanges about the plant of a row from those about other plants with its id.
///
/// `newest_first` are the exchanges of that id, of which the oldest may be missing.
///
/// A plant's life begins with an add that the store accepted or may have, and ends with an accepted
/// delete or with the life of the next. An add that came to nothing belongs to the plant it was to add,
/// which has the same name and tag, and a delete to the plant that was there.
pub fn requests_of<'a>(row: &Row, newest_first: &'a [Exchange]) -> Requests<'a> {
    let mut lives = Lives::default();
    for exchange in newest_first.iter().rev() {
        lives.take(exchange);
    }
    let current = lives.current.filter(|life| {
        let known = lives.all.get(*life).and_then(|life| life.as_ref());
        known.is_none() || known == row.details.as_ref()
    });
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (exchange, belongs_to) in newest_first.iter().zip(lives.owners.iter().rev()) {
        let is_own = match belongs_to {
            Owner::Life(life) => Some(*life) == current,
            Owner::Nobody(plant) => Some(plant) == row.details.as_ref(),
        };
        if is_own {
            own.push(exchange);
            continue;
        }
        let details = match belongs_to {
            Owner::Life(life) => lives.all.get(*life).and_then(Option::as_ref),
            Owner::Nobody(_) => None,
        };
        let added = exchange.operation.kind.plant().map(|plant| plant.name.as_str());
        let name = added.or_else(|| details.and_then(|details| name_in(newest_first, details)));
        others.push(RelatedExchange { exchange, name });
    }
    Requests { own, others }
}

/// The name of these details, borrowed from the add that has it.
fn name_in<'a>(exchanges: &'a [Exchange], details: &Details) -> Option<&'a str> {
    let mut plants = exchanges.iter().filter_map(|exchange| exchange.operation.kind.plant());
    plants.find(|plant| plant.name == details.name).map(|plant| plant.name.as_str())
}

/// The plant that an exchange is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Owner {
    /// The plant with this number.
    Life(usize),
    /// A plant that was never there, as far as is known yet.
    Nobody(Details),
}

/// Plants with one id as they came and went, oldest first.
#[derive(Debug, Default)]
struct Lives {
    /// Their details; `None` where no add is known.
    all: Vec<Option<Details>>,
    /// The one that is there, as far as is known.
    current: Option<usize>,
    /// The plant of each exchange, oldest first.
    owners: Vec<Owner>,
}

impl Lives {
    fn take(&mut self, exchange: &Exchange) {
        let outcome = exchange.outcome();
        match &exchange.operation.kind {
            OperationKind::Add(plant) => {
                let details = Details::from(plant);
                let here = self.current.filter(|life| self.all.get(*life) == Some(&Some(details.clone())));
                let owner = match (here, outcome) {
                    (Some(life), _) => Owner::Life(life),
                    (None, Outcome::Accepted | Outcome::Unknown) => {
                        let life = self.begin(Some(details.clone()));
                        // What came to nothing before was meant for this one.
                        for owner in self.owners.iter_mut().filter(|owner| **owner == Owner::Nobody(details.clone())) {
                            *owner = Owner::Life(life);
                        }
                        Owner::Life(life)
                    }
                    (None, Outcome::Rejected | Outcome::NotSent) => Owner::Nobody(details),
                };
                self.owners.push(owner);
            }
            OperationKind::Delete(_) => {
                let life = self.current.unwrap_or_else(|| self.begin(None));
                self.owners.push(Owner::Life(life));
                if outcome == Outcome::Accepted {
                    self.current = None;
                }
            }
        }
    }

    fn begin(&mut self, details: Option<Details>) -> usize {
        self.all.push(details);
        let life = self.all.len() - 1;
        self.current = Some(life);
        life
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{
        BodyEnd, Failure, FailureKind, Operation, OperationId, Phases, Plant, PlantId, Response, State, Timestamp,
    };

    const DELETE: &str = "";

    /// An exchange of plant 7: an add of this name, or a delete; 0 is a response that did not come.
    fn exchange(number: u32, (name, status): (&str, u16)) -> Exchange {
        let id = PlantId(7);
        let kind = match name {
            DELETE => OperationKind::Delete(id),
            name => OperationKind::Add(Plant { name: name.into(), id, tag: "t".into() }),
        };
        let ending = match status {
            0 => Ending::Failed(Failure { kind: FailureKind::TimedOut, detail: String::new() }),
            1 => Ending::Failed(Failure { kind: FailureKind::NotConnected, detail: String::new() }),
            status => Ending::Responded(Response {
                status,
                reason: "Reason".into(),
                version: "HTTP/1.1".into(),
                headers: Vec::new(),
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
        Row { id: PlantId(7), details, state: State::Stored, changed_at: Timestamp(0) }
    }

    /// The numbers of the exchanges, from 1 for the oldest: the row's own, and the others' with their names.
    fn told_apart(name: Option<&str>, oldest_first: &[(&str, u16)]) -> (Vec<u32>, Vec<(u32, Option<String>)>) {
        let mut all: Vec<_> = (1..).zip(oldest_first).map(|(number, told)| exchange(number, *told)).collect();
        all.reverse();
        let Requests { own, others } = requests_of(&row(name), &all);
        let own = own.iter().map(|exchange| exchange.operation.id.number).collect();
        let other = |other: &RelatedExchange<'_>| (other.exchange.operation.id.number, other.name.map(str::to_owned));
        (own, others.iter().map(other).collect())
    }

    fn named(number: u32, name: &str) -> (u32, Option<String>) {
        (number, Some(name.to_owned()))
    }

    #[test]
    fn an_add_that_another_plant_was_meant_by_is_not_the_plants_own() {
        let found = told_apart(Some("Monstera"), &[("Monstera", 201), ("Ficus", 409), ("Ficus", 1)]);
        assert_eq!(found, (vec![1], vec![named(3, "Ficus"), named(2, "Ficus")]));
        // Nor the other way round, once the id is that plant's.
        let all = [("Monstera", 201), ("Ficus", 409), (DELETE, 204), ("Ficus", 201)];
        let found = told_apart(Some("Ficus"), &all);
        assert_eq!(found, (vec![4, 2], vec![named(3, "Monstera"), named(1, "Monstera")]));
    }

    #[test]
    fn a_plant_added_again_begins_anew_also_under_its_name() {
        let all =
            [("Monstera", 201), (DELETE, 404), (DELETE, 204), ("Monstera", 401), ("Monstera", 201), (DELETE, 500)];
        let before = [named(3, "Monstera"), named(2, "Monstera"), named(1, "Monstera")];
        assert_eq!(told_apart(Some("Monstera"), &all), (vec![6, 5, 4], before.to_vec()));
        // While that add is out, what it is has no exchange yet.
        assert_eq!(told_apart(Some("Monstera"), &all[..3]), (vec![], before.to_vec()));
    }

    #[test]
    fn what_is_sent_again_is_about_the_same_plant() {
        let all = [("Monstera", 0), ("Monstera", 409), ("Monstera", 201), ("Monstera", 409)];
        assert_eq!(told_apart(Some("Monstera"), &all), (vec![4, 3, 2, 1], vec![]));
        // An add that may have taken the id is what the row tells of from then on.
        let all = [("Monstera", 201), ("Ficus", 0), (DELETE, 0)];
        assert_eq!(told_apart(Some("Ficus"), &all), (vec![3, 2], vec![named(1, "Monstera")]));
    }

    #[test]
    fn deletes_without_a_known_add_are_those_of_whatever_is_there() {
        assert_eq!(told_apart(None, &[(DELETE, 404), (DELETE, 0)]), (vec![2, 1], vec![]));
        // The add was too long ago to be among them.
        assert_eq!(told_apart(Some("Monstera"), &[(DELETE, 403), ("Ficus", 409)]), (vec![1], vec![named(2, "Ficus")]));
        // What was deleted before it was added here was another plant.
        assert_eq!(told_apart(Some("Monstera"), &[(DELETE, 404), ("Monstera", 201)]), (vec![2], vec![(1, None)]));
    }

    #[test]
    fn the_others_are_told_of_in_a_line() {
        let line = |told, name| RelatedExchange { exchange: &exchange(1, told), name }.summary();
        assert_eq!(line(("Ficus", 409), Some("Ficus")), "another add with this id: Ficus (7), rejected: 409 Reason");
        assert_eq!(line((DELETE, 204), None), "another delete with this id, accepted: 204 Reason");
        assert!(line(("Ficus", 0), Some("\u{1b}[2J")).starts_with("another add with this id: ␛[2J (7), unknown: no "));
    }

    proptest! {
        #[test]
        fn every_exchange_is_listed_once(script in prop::collection::vec((0..4usize, 0..5usize), 0..20), name in 0..4usize) {
            let names = [DELETE, "a", "b", "c"];
            let script: Vec<_> = script.into_iter().map(|(name, status)| (names[name], [0, 1, 201, 409, 500][status])).collect();
            let (own, others) = told_apart((name > 0).then_some(names[name]), &script);
            let mut all: Vec<_> = own.iter().copied().chain(others.iter().map(|(number, _)| *number)).collect();
            prop_assert!(own.is_sorted_by(|one, other| one > other) && others.is_sorted_by(|one, other| one.0 > other.0));
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(1..=u32::try_from(script.len()).unwrap()));
        }
    }
}
