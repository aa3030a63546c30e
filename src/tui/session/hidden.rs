//! Whether the filter of a list hides what an operation has led to.
//!
//! The journal applies filters to stored rows; a test compares both, for any filter and any operation.

use std::ops::RangeInclusive;

use crate::domain::filter::{Filter, Test, TextColumn};
use crate::domain::{Details, Exchange, OperationKind, PlantId, Row, Timestamp};
use crate::text::caseless::caseless;

struct Texts<'a> {
    name: &'a str,
    tag: &'a str,
    id: PlantId,
    /// When the plant changed, or the request started.
    at: Timestamp,
}

impl Texts<'_> {
    fn passes(&self, test: &Test) -> bool {
        let has = |text: &str, part: &str| caseless(text).contains(part);
        match test {
            Test::Text(part) => {
                has(self.name, part) || has(self.tag, part) || self.id.to_string().contains(part.as_str())
            }
            Test::Name(part) => has(self.name, part),
            Test::Tag(part) => has(self.tag, part),
            Test::Is(TextColumn::Name, whole) => caseless(self.name) == *whole,
            Test::Is(TextColumn::Tag, whole) => caseless(self.tag) == *whole,
            Test::Id(id) => self.id == *id,
            Test::Since(time) => self.at >= *time,
            Test::Before(time) => self.at < *time,
            _ => false,
        }
    }
}

/// Whether the filter of the list of plants leaves out this row, whose last request is `last`. Where that is not known,
/// no status hides the row.
pub(in crate::tui) fn hides_row(filter: &Filter, row: &Row, last: Option<&Exchange>) -> bool {
    let (name, tag) = (row.name().unwrap_or_default(), row.tag().unwrap_or_default());
    let texts = Texts { name, tag, id: row.id, at: row.changed_at };
    let has =
        |range: &RangeInclusive<u16>, last: &Exchange| last.status().is_some_and(|status| range.contains(&status));
    !filter.matches(|test| match test {
        Test::State(wanted) => *wanted == row.state,
        Test::Status(range) => last.is_none_or(|last| has(range, last)),
        test => texts.passes(test),
    })
}

/// Whether the History does not show this request of a person. `called` is the plant of a delete; without it, that is
/// not known.
pub(in crate::tui) fn hides_request(filter: &Filter, exchange: &Exchange, called: Option<&Details>) -> bool {
    let kind = &exchange.operation.kind;
    let (name, tag) = match (kind, called) {
        (OperationKind::Add(plant), _) => (&plant.name, &plant.tag),
        (OperationKind::Delete(_), Some(called)) => (&called.name, &called.tag),
        (OperationKind::Delete(_), None) => return false,
    };
    let texts = Texts { name, tag, id: kind.plant_id(), at: exchange.started };
    let body = || exchange.response().map(|response| response.body.as_slice());
    !filter.matches(|test| match test {
        Test::Outcome(outcome) => exchange.outcome() == *outcome,
        Test::Status(range) => exchange.status().is_some_and(|status| range.contains(&status)),
        Test::Response(part) => body().is_some_and(|body| caseless(&String::from_utf8_lossy(body)).contains(part)),
        Test::Is(TextColumn::Response, _) => body().is_some_and(<[u8]>::is_empty),
        Test::IsAdd => matches!(kind, OperationKind::Add(_)),
        Test::IsDelete => matches!(kind, OperationKind::Delete(_)),
        test => texts.passes(test),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::filter::List;
    use crate::domain::{BodyEnd, Ending, FailureKind, LocalTime, Operation, OperationId, Phases, Plant, Response};
    use crate::journal::{Journal, Opened, Place, Search};

    fn filters() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "fern",
            "é",
            "name:fern",
            "tag:moist",
            "id:7",
            "7",
            "!7",
            "!fern",
            "-tag:x",
            "state:stored",
            "stored",
            "unknown",
            "!state:unknown",
            "outcome:failed",
            "failed",
            "rejected",
            "not_sent",
            "409",
            "status:4xx",
            "!5xx",
            "is:add",
            "is:delete",
            "is:check",
            "check",
            "!check",
            "nam:x",
            "name:\"\"",
            "tag:\"\"",
            "since:1970-01-01",
            "before:1970-01-01",
            "response:quota",
            "response:\"\"",
            "|",
        ]);
        prop::collection::vec(word, 0..5).prop_map(|words| words.join(" "))
    }

    fn plants() -> impl Strategy<Value = Plant> {
        let (name, tag) = (
            prop::sample::select(vec!["Fern", "FERN 7", "É", "check", ""]),
            prop::sample::select(vec!["moist", "x", ""]),
        );
        (name, prop::sample::select(vec![7, -7, 17, 409]), tag).prop_map(|(name, id, tag)| Plant {
            name: name.to_owned(),
            id: PlantId(id),
            tag: tag.to_owned(),
        })
    }

    fn endings() -> impl Strategy<Value = Ending> {
        let failures = [FailureKind::TimedOut, FailureKind::NotConnected]
            .map(|kind| Ending::Failed(crate::domain::Failure { kind, detail: String::new() }));
        let statuses = [201, 204, 301, 404, 409, 500].map(|status| {
            Ending::Responded(Response {
                version: "HTTP/1.1".into(),
                status,
                reason: "".into(),
                headers: [].into(),
                body: if status == 409 { b"Quota".to_vec() } else { Vec::new() },
                body_end: BodyEnd::Complete,
            })
        });
        prop::sample::select(failures.into_iter().chain(statuses).collect::<Vec<_>>())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

        /// The journal has no other rows, so that it finds the row exactly if the filter does not hide it.
        #[test]
        fn a_row_is_hidden_exactly_if_the_journal_does_not_find_it(
            typed in filters(),
            plant in plants(),
            ending in endings(),
            is_delete: bool,
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let (shown, is_shown) = runtime.block_on(async {
                let store = "http://plants.example".parse().unwrap();
                let Opened { journal, .. } = Journal::open(Place::Memory, &store, 1, Timestamp(0)).await.unwrap();
                let operation = |number, kind| Operation::new(OperationId { origin: 1, number }, kind, Timestamp(0));
                let exchange = |operation: Operation, ending: Ending| Exchange {
                    operation,
                    request: None,
                    ending,
                    started: Timestamp(0),
                    elapsed: std::time::Duration::ZERO,
                    phases: Phases::default(),
                };
                let add = operation(1, OperationKind::add(plant.clone()));
                let mut last = exchange(add, ending.clone());
                journal.record_intent(last.operation.clone()).await.unwrap();
                journal.end(last.clone(), Timestamp(1)).await.unwrap();
                let row = journal.rows(vec![plant.id]).await.unwrap().pop();
                let filter = List::Plants.parse(&typed, &LocalTime::default()).0;
                let listed = journal.fitting(filter.clone(), None, 9).await.unwrap().len();
                let expected = usize::from(row.as_ref().is_some_and(|row| !hides_row(&filter, row, Some(&last))));
                let called = row.and_then(|row| row.details);
                if is_delete {
                    last = exchange(operation(2, OperationKind::Delete(plant.id)), ending);
                    journal.record_intent(last.operation.clone()).await.unwrap();
                    journal.end(last.clone(), Timestamp(2)).await.unwrap();
                }
                let filter = List::Requests.parse(&typed, &LocalTime::default()).0;
                let found = journal.exchanges(Search::from(filter.clone()), None, 9).await.unwrap();
                let is_found = found.iter().any(|found| found.exchange.operation.id == last.operation.id);
                // Of a delete of a plant that is not in the list, the name is not known.
                let is_certain = !is_delete || called.is_some();
                let hides = hides_request(&filter, &last, called.as_ref());
                ((listed, expected), !is_certain || is_found != hides)
            });
            prop_assert_eq!(shown.0, shown.1);
            prop_assert!(is_shown);
        }
    }
}
