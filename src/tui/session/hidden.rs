//! Whether the filter of a list hides what an operation has led to.
//!
//! The journal applies filters to stored rows; a test compares both, for any filter and any operation.

use crate::domain::filter::{Filter, Test, TextColumn};
use crate::domain::{Details, Exchange, Response, Row, State};
use crate::text::caseless::caseless;

/// Whether the filter of the list of plants leaves out this row, whose last request is `last`. Where that is not known,
/// neither a status nor a text of its response hides the row.
pub(in crate::tui) fn hides_row(filter: &Filter, row: &Row, last: Option<&Exchange>) -> bool {
    let has = |text: &str, part: &str| caseless(text).contains(part);
    let (name, tag) = (row.name().unwrap_or_default(), row.tag().unwrap_or_default());
    let responded =
        |passes: &dyn Fn(&Response) -> bool| last.is_none_or(|exchange| exchange.response().is_some_and(passes));
    let is_add = last.map(|exchange| exchange.operation.kind.plant().is_some());
    !filter.matches(|test| match test {
        Test::Text(part) => has(name, part) || has(tag, part) || row.id.to_string().contains(part.as_str()),
        Test::Name(part) => has(name, part),
        Test::Tag(part) => has(tag, part),
        Test::Is(TextColumn::Name, whole) => caseless(name) == *whole,
        Test::Is(TextColumn::Tag, whole) => caseless(tag) == *whole,
        Test::Is(TextColumn::Response, _) => responded(&|response| response.body.is_empty()),
        Test::Response(part) => responded(&|response| has(&String::from_utf8_lossy(&response.body), part)),
        Test::Id(id) => row.id == *id,
        Test::Since(time) => row.changed_at >= *time,
        Test::Before(time) => row.changed_at < *time,
        Test::State(state) => row.state == *state,
        Test::Outcome(outcome) => last.is_some_and(|exchange| exchange.outcome() == *outcome),
        Test::Status(range) => responded(&|response| range.contains(&response.status)),
        Test::IsAdd => is_add == Some(true),
        Test::IsDelete => is_add == Some(false),
        _ => false,
    })
}

/// Whether [`hides_row`] is certain of every plant, also without its last request.
pub(in crate::tui) fn is_about_rows(filter: &Filter) -> bool {
    let mut tests = filter.alternatives().iter().flatten().flat_map(|condition| &condition.any);
    !tests.any(|test| {
        matches!(test, Test::Status(_) | Test::Response(_) | Test::Is(TextColumn::Response, _) | Test::Author(_))
    })
}

/// Whether the History does not show this request of a person. `called` is the plant of a delete; without it, that is
/// not known.
pub(in crate::tui) fn hides_request(filter: &Filter, exchange: &Exchange, called: Option<Details>) -> bool {
    let (kind, changed_at) = (&exchange.operation.kind, exchange.started);
    let details = kind.plant().map(Details::from).or(called);
    // No filter of requests asks for a state.
    let row = Row { id: kind.plant_id(), details, state: State::Stored, changed_at, author: None };
    row.details.is_some() && hides_row(filter, &row, Some(exchange))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::filter::List;
    use crate::domain::{
        BodyEnd, Ending, FailureKind, LocalTime, Operation, OperationId, OperationKind, Phases, Plant, PlantId,
        Timestamp,
    };
    use crate::journal::{Journal, Opened, Place};

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
                let found = journal.exchanges(filter.clone(), None, 9).await.unwrap();
                let is_found = found.iter().any(|found| found.exchange.operation.id == last.operation.id);
                // Of a delete of a plant that is not in the list, the name is not known.
                let is_certain = !is_delete || called.is_some();
                let hides = hides_request(&filter, &last, called.clone());
                ((listed, expected), !is_certain || is_found != hides)
            });
            prop_assert_eq!(shown.0, shown.1);
            prop_assert!(is_shown);
        }
    }
}
