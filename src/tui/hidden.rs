//! Whether the filter of a list hides what an operation has led to.
//!
//! Must agree with the journal, which applies filters to stored rows.

use crate::domain::filter::{Filter, Test};
use crate::domain::text::in_lower_case;
use crate::domain::{Details, Exchange, OperationKind, Plant, PlantId, State};

struct Texts<'a> {
    name: &'a str,
    tag: &'a str,
    id: PlantId,
}

impl Texts<'_> {
    fn passes(&self, test: &Test) -> bool {
        let has = |text: &str, part: &str| in_lower_case(text).contains(part);
        match test {
            Test::Text(part) => {
                has(self.name, part) || has(self.tag, part) || self.id.to_string().contains(part.as_str())
            }
            Test::Name(part) => has(self.name, part),
            Test::Tag(part) => has(self.tag, part),
            Test::Id(id) => self.id == *id,
            _ => false,
        }
    }
}

/// Whether the list of plants does not show this plant.
pub(super) fn hides_plant(filter: &Filter, plant: &Plant, state: State) -> bool {
    let texts = Texts { name: &plant.name, tag: &plant.tag, id: plant.id };
    !filter.matches(|test| match test {
        Test::State(wanted) => *wanted == state,
        test => texts.passes(test),
    })
}

/// Whether the History does not show this request of a person. `called` is the plant of a delete; without it, that is
/// not known.
pub(super) fn hides_request(filter: &Filter, exchange: &Exchange, called: Option<&Details>) -> bool {
    let kind = &exchange.operation.kind;
    let (name, tag) = match (kind, called) {
        (OperationKind::Add(plant), _) => (&plant.name, &plant.tag),
        (OperationKind::Delete(_), Some(called)) => (&called.name, &called.tag),
        (OperationKind::Delete(_), None) => return false,
    };
    let texts = Texts { name, tag, id: kind.plant_id() };
    !filter.matches(|test| match test {
        Test::Outcome(outcome) => exchange.outcome() == *outcome,
        Test::Status(range) => exchange.status().is_some_and(|status| range.contains(&status)),
        Test::IsAdd => matches!(kind, OperationKind::Add(_)),
        Test::IsDelete => matches!(kind, OperationKind::Delete(_)),
        test => texts.passes(test),
    })
}
