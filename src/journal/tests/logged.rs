//! The log and the latencies agree with a filter of all exchanges in memory.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::domain::{LocalTime, RunId};
use crate::journal::{HistoryColumn, HistoryLine, HistoryOrder};
use crate::text::caseless::caseless;

#[derive(Debug, Clone)]
struct Sent {
    origin: u64,
    id: i64,
    is_add: bool,
    /// Sent by the check, in the run with this start; -1 for none.
    of_check: Option<i64>,
    name: &'static str,
    status: Option<u16>,
    body: &'static [u8],
}

const NAMES: [&str; 5] = ["", "Fern", "ÉCHEVERIA", "100% _fern_", "12"];

fn sent() -> impl Strategy<Value = Vec<Sent>> {
    let status = prop::option::weighted(0.8, prop::sample::select(vec![201, 204, 302, 404, 408, 500]));
    let body = prop::sample::select(vec![&b""[..], b" ", b"Quota", "Ä quota".as_bytes(), b"\xff\0quota"]);
    let name = prop::sample::select(NAMES.to_vec());
    let of_check = prop::option::weighted(0.5, -1..3_i64);
    let one = (1..3_u64, -3..14_i64, any::<bool>(), of_check, name, status, body).prop_map(
        |(origin, id, is_add, of_check, name, status, body)| Sent { origin, id, is_add, of_check, name, status, body },
    );
    prop::collection::vec(one, 0..40)
}

fn test() -> impl Strategy<Value = Test> {
    let parts = ["", "fern", "éch", "%", "1", "-2", "t", "nothing has this"].map(str::to_owned);
    let part = prop::sample::select(parts.to_vec());
    prop_oneof![
        part.clone().prop_map(Test::Name),
        part.clone().prop_map(Test::Tag),
        part.clone().prop_map(Test::Text),
        (prop::sample::select(vec![TextColumn::Name, TextColumn::Tag]), part).prop_map(|(of, text)| Test::Is(of, text)),
        prop::sample::select(vec!["", "a", "quota", "ä"]).prop_map(|part| Test::Response(part.to_owned())),
        Just(Test::Is(TextColumn::Response, String::new())),
        (0..40_i64).prop_map(|after| Test::Since(Timestamp(NOW.0 + after))),
        (0..40_i64).prop_map(|after| Test::Before(Timestamp(NOW.0 + after))),
        (-3..14_i64).prop_map(|id| Test::Id(PlantId(id))),
        prop::sample::select(vec![200..=299, 404..=404, 300..=499]).prop_map(Test::Status),
        prop::sample::select(Outcome::ALL.to_vec()).prop_map(Test::Outcome),
        prop::sample::select(vec![Test::OfCheck, Test::IsAdd, Test::IsDelete]),
    ]
}

pub(super) fn filter(test: impl Strategy<Value = Test>) -> impl Strategy<Value = Filter> {
    let condition = (prop::collection::vec(test, 1..3), prop::bool::weighted(0.3));
    let condition = condition.prop_map(|(any, negated)| filter::Condition { any, negated });
    let all = prop::collection::vec(condition, 0..3);
    prop::collection::vec(all, 0..3).prop_map(Filter::from_iter)
}

fn search() -> impl Strategy<Value = Filter> {
    (filter(test()), prop::option::weighted(0.3, 1..4_u64))
        .prop_map(|(filter, origin)| origin.map(Test::Origin).into_iter().fold(filter, Filter::and))
}

/// Returns an order, and the number around which the window is.
fn position() -> impl Strategy<Value = (HistoryOrder, i64)> {
    let around = prop_oneof![Just(HistoryRequest::NEWEST), Just(HistoryRequest::OLDEST), -1..45_i64];
    let sorted = (prop::sample::select(COLUMNS.to_vec()), any::<bool>())
        .prop_map(|(column, descending)| HistoryOrder { column, descending });
    (prop_oneof![4 => Just(HistoryOrder::default()), 1 => sorted], around)
}

const COLUMNS: [HistoryColumn; 7] = [
    HistoryColumn::Started,
    HistoryColumn::What,
    HistoryColumn::Plant,
    HistoryColumn::Status,
    HistoryColumn::Outcome,
    HistoryColumn::Size,
    HistoryColumn::Took,
];

/// Compares two lines by a column; lines with a missing value are equal.
fn by_column(column: HistoryColumn, one: &HistoryLine, other: &HistoryLine) -> Ordering {
    let plant = |line: &HistoryLine| {
        let name = line.name().map(str::to_owned);
        (name.as_deref().map(caseless), name, line.kind.plant_id())
    };
    let outcome = |line: &HistoryLine| match line.outcome {
        Outcome::Rejected => 0,
        Outcome::Unknown => 1,
        Outcome::NotSent => 2,
        Outcome::Accepted => 3,
    };
    match column {
        HistoryColumn::Started => one.number.cmp(&other.number),
        HistoryColumn::What => one.kind.word().cmp(other.kind.word()),
        HistoryColumn::Plant => plant(one).cmp(&plant(other)),
        HistoryColumn::Status => one.status.cmp(&other.status),
        HistoryColumn::Outcome => outcome(one).cmp(&outcome(other)),
        HistoryColumn::Size => one.size.cmp(&other.size),
        HistoryColumn::Took => one.elapsed.cmp(&other.elapsed),
    }
}

/// Returns the expected lines in another order than the newest first.
fn expected_sorted(all: &[HistoryRow], order: HistoryOrder, rows: usize) -> HistoryWindow {
    let mut lines: Vec<_> = all.iter().filter_map(HistoryRow::request).cloned().collect();
    let is_missing = |line: &HistoryLine| match order.column {
        HistoryColumn::Plant => line.called.is_none(),
        HistoryColumn::Status => line.status.is_none(),
        HistoryColumn::Size => line.size.is_none(),
        HistoryColumn::Started | HistoryColumn::What | HistoryColumn::Outcome | HistoryColumn::Took => false,
    };
    lines.sort_by(|one, other| {
        let by_value = by_column(order.column, one, other);
        let by_value = if order.descending { by_value.reverse() } else { by_value };
        is_missing(one).cmp(&is_missing(other)).then(by_value).then(other.number.cmp(&one.number))
    });
    let has_more = lines.len() > rows;
    let lines = lines.into_iter().take(rows).map(HistoryRow::Request).collect();
    HistoryWindow { lines, newer: false, older: has_more }
}

fn fits(search: &Filter, kept: &StoredExchange) -> bool {
    let exchange = &kept.exchange;
    let operation = &exchange.operation;
    let id = operation.kind.plant_id();
    let has = |text: &str, part: &str| text.to_lowercase().contains(part);
    let name = |part: &String| kept.called.as_ref().is_some_and(|called| has(&called.name, part));
    let tag = |part: &String| kept.called.as_ref().is_some_and(|called| has(&called.tag, part));
    let untrimmed = || exchange.response().filter(|response| response.body_end != BodyEnd::Trimmed);
    let body = || untrimmed().map(|response| response.body.as_slice());
    let passes = |test: &Test| match test {
        Test::Name(part) => name(part),
        Test::Tag(part) => tag(part),
        Test::Text(part) => name(part) || tag(part) || has(&id.to_string(), part),
        Test::Response(part) => body().is_some_and(|body| has(&String::from_utf8_lossy(body), part)),
        Test::Is(TextColumn::Name, whole) => {
            kept.called.as_ref().is_some_and(|called| caseless(&called.name) == *whole)
        }
        Test::Is(TextColumn::Tag, whole) => kept.called.as_ref().is_some_and(|called| caseless(&called.tag) == *whole),
        Test::Is(TextColumn::Response, _) => body().is_some_and(<[u8]>::is_empty),
        Test::Since(time) => exchange.started >= *time,
        Test::Before(time) => exchange.started < *time,
        Test::Id(wanted) => *wanted == id,
        Test::Status(wanted) => exchange.status().is_some_and(|status| wanted.contains(&status)),
        Test::Outcome(wanted) => *wanted == exchange.outcome(),
        Test::OfCheck => operation.probe.is_some(),
        Test::Origin(origin) => operation.id.origin == *origin,
        Test::IsAdd => operation.kind.plant().is_some(),
        Test::IsDelete => operation.kind.plant().is_none(),
        Test::Author(_) | Test::State(_) | Test::Section(_) | Test::Is(TextColumn::Section, _) | Test::Verdict(_) => {
            false
        }
    };
    search.matches(passes)
}

fn line(kept: &StoredExchange) -> HistoryLine {
    let exchange = &kept.exchange;
    let untrimmed = exchange.response().filter(|response| response.body_end != BodyEnd::Trimmed);
    HistoryLine {
        number: kept.number,
        kind: exchange.operation.kind.clone(),
        called: kept.called.clone(),
        outcome: exchange.outcome(),
        status: exchange.status(),
        size: untrimmed.map(Response::length),
        started: exchange.started,
        elapsed: exchange.elapsed,
        run: exchange.operation.run(),
    }
}

fn sample(kept: &StoredExchange) -> crate::domain::Sample {
    let exchange = &kept.exchange;
    let (started, elapsed) = (exchange.started, exchange.elapsed);
    crate::domain::Sample { started, elapsed, outcome: exchange.outcome(), responded: exchange.response().is_some() }
}

/// Folds the exchanges of each run into a line at the newest of them.
fn folded(fitting: &[StoredExchange], expanded: &[RunId]) -> Vec<HistoryRow> {
    let (mut rows, mut seen) = (Vec::new(), BTreeSet::new());
    for kept in fitting {
        let Some(id) = kept.exchange.operation.run() else {
            rows.push(HistoryRow::Request(line(kept)));
            continue;
        };
        let is_expanded = expanded.contains(&id);
        if seen.insert(id) {
            let own = |other: &&StoredExchange| other.exchange.operation.run() == Some(id);
            let count = |outcome| fitting.iter().filter(own).filter(|kept| kept.exchange.outcome() == outcome).count();
            rows.push(HistoryRow::Run(RunLine {
                id,
                number: kept.number,
                counts: Outcome::ALL.map(count),
                diagnosis: None,
                elapsed: Duration::from_millis(u64::try_from(kept.exchange.started.0 - id.started.0).unwrap()),
            }));
        }
        rows.extend(is_expanded.then(|| HistoryRow::Request(line(kept))));
    }
    rows
}

/// Returns the expected window from the list of all lines.
fn expected(all: &[HistoryRow], (order, around): (HistoryOrder, i64), rows: usize) -> HistoryWindow {
    if order != HistoryOrder::default() {
        return expected_sorted(all, order, rows);
    }
    let newer = all.iter().filter(|row| row.number() > around).count();
    let first = newer.saturating_sub(rows / 2).min(all.len().saturating_sub(rows));
    let lines: Vec<_> = all.iter().skip(first).take(rows).cloned().collect();
    HistoryWindow { newer: first > 0, older: first + lines.len() < all.len(), lines }
}

/// Records exchanges with the numbers from `from` on in the journals of programs 1 and 2, and trims the first `trimmed`
/// of the first.
async fn fill(journals: &[Journal], from: u32, sent: &[Sent], trimmed: usize) {
    for (number, sent) in (from..).zip(sent) {
        let Sent { origin, id, is_add, of_check, name, status, body } = sent.clone();
        let origin = origin.min(u64::try_from(journals.len()).unwrap());
        let mut operation = if is_add { add(origin, number, id, name) } else { delete(origin, number, id) };
        let run = of_check.filter(|run| *run >= 0).map(Timestamp);
        operation.probe = of_check.map(|_| Probe { run, ..Probe::default() });
        let mut exchange = match status {
            Some(status) => responded(&operation, status, body),
            None => ended_with(&operation, Outcome::NotSent),
        };
        exchange.started = Timestamp(NOW.0 + i64::from(number));
        exchange.elapsed = Duration::from_micros(u64::from(number) * 7);
        let journal = &journals[usize::from(origin == 2)];
        journal.record_intent(operation).await.unwrap();
        journal.end(exchange, Timestamp(i64::from(number))).await.unwrap();
    }
    journals[0].trim(Timestamp(i64::try_from(trimmed).unwrap()), false).await.unwrap();
}

/// Compares every lookup of exchanges with the filtered list.
async fn assert_same_as_filtered(journal: &Journal, search: &Filter, position: (HistoryOrder, i64), rows: usize) {
    let all = journal.exchanges(Filter::default(), None, usize::MAX).await.unwrap();
    let fitting: Vec<_> = all.into_iter().filter(|kept| fits(search, kept)).collect();
    let flat: Vec<_> = fitting.iter().map(|kept| HistoryRow::Request(line(kept))).collect();
    let (order, around) = position;
    let window =
        journal.history(HistoryRequest { search: search.clone(), order, around, rows, expanded: None }).await.unwrap();
    assert_eq!(window, expected(&flat, position, rows), "{search:?} {position:?} × {rows}");
    for expanded in [vec![], vec![RunId { origin: 1, started: Timestamp(0) }]] {
        // In another order, no run is folded.
        let is_folded = order == HistoryOrder::default();
        let lines = if is_folded { folded(&fitting, &expanded) } else { flat.clone() };
        let request = HistoryRequest { search: search.clone(), order, around, rows, expanded: Some(expanded) };
        let window = journal.history(request).await.unwrap();
        let is_whole = *search == Filter::default();
        assert!(!is_whole || window == expected(&lines, position, rows), "{position:?} × {rows}: {window:?}");
    }
    assert_eq!(journal.exchanges(search.clone(), None, usize::MAX).await.unwrap(), fitting);
    let mut samples: Vec<_> = fitting.iter().take(rows).map(sample).collect();
    samples.reverse();
    assert_eq!(journal.latencies(search.clone(), rows).await.unwrap(), samples);
}

proptest! {
    #![proptest_config(some_cases())]

    #[test]
    fn lookups_of_exchanges_agree_with_a_filter_in_memory(
        sent in sent(),
        trimmed in 0..40_usize,
        looks in prop::collection::vec((prop_oneof![Just(Filter::default()), search()], position(), 0..12_usize), 1..20),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let two_on_disk = vec![on_disk(folder.path(), 1).await, on_disk(folder.path(), 2).await];
            for journals in [vec![in_memory().await], two_on_disk] {
                let (before, after) = sent.split_at(sent.len() / 2);
                fill(&journals, 1, before, trimmed / 3).await;
                // The lines that are kept of the last order are among those of the next lookup.
                for (search, position, rows) in looks.iter().rev() {
                    assert_same_as_filtered(&journals[0], search, *position, *rows).await;
                }
                fill(&journals, 1 + u32::try_from(before.len()).unwrap(), after, trimmed).await;
                for (search, position, rows) in &looks {
                    assert_same_as_filtered(&journals[0], search, *position, *rows).await;
                }
            }
        });
    }
}

#[tokio::test]
async fn an_exchange_that_fits_since_it_was_trimmed_is_in_the_sorted_history() {
    let journal = in_memory().await;
    for number in 0..2 {
        let operation = add(1, number, i64::from(number), "x");
        journal.record_intent(operation.clone()).await.unwrap();
        journal.end(responded(&operation, 404, b"quota"), Timestamp(i64::from(number))).await.unwrap();
    }
    let order = HistoryOrder { column: HistoryColumn::Started, descending: false };
    let found = async || {
        let search = List::Requests.parse("!response:quota", &LocalTime::default()).0;
        let request = HistoryRequest { search, order, around: HistoryRequest::NEWEST, rows: 5, expanded: None };
        journal.history(request).await.unwrap().lines.iter().map(HistoryRow::number).collect::<Vec<_>>()
    };
    assert_eq!(found().await, Vec::<i64>::new());
    journal.trim(Timestamp(1), false).await.unwrap();
    assert_eq!(found().await, [1]);
}

#[tokio::test]
async fn all_operations_of_a_program_are_found_however_many() {
    let journal = in_memory().await;
    let mut numbers_sent = Vec::new();
    for count in [1000, 1, 1] {
        let numbers = (numbers_sent.len()..numbers_sent.len() + count).map(|number| u32::try_from(number).unwrap());
        let operations: Vec<_> = numbers.map(|number| delete(1, number, i64::from(number % 7))).collect();
        join_all(operations.iter().map(|operation| journal.record_intent(operation.clone()))).await;
        join_all(operations.iter().map(|operation| journal.end(responded(operation, 404, b""), NOW))).await;
        numbers_sent.extend(operations.iter().map(|operation| operation.id.number));
        let search = Filter::default().and(Test::Origin(1));
        let found = journal.exchanges(search.clone(), None, usize::MAX).await.unwrap();
        assert!(found.iter().map(|kept| kept.exchange.operation.id.number).eq(numbers_sent.iter().rev().copied()));
        let window = journal
            .history(HistoryRequest {
                search,
                order: HistoryOrder::default(),
                around: HistoryRequest::NEWEST,
                rows: 10,
                expanded: None,
            })
            .await
            .unwrap();
        assert!(window.lines.iter().map(HistoryRow::number).eq(found.iter().map(|kept| kept.number).take(10)));
    }
}

#[tokio::test]
async fn an_exchange_is_found_by_its_number_in_its_own_store_only() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (on_disk(folder.path(), 1).await, elsewhere(folder.path(), 1).await);
    record_and_end(&here, add(1, 1, 7, "here"), Outcome::Accepted).await;
    record_and_end(&there, add(1, 2, 7, "there"), Outcome::Rejected).await;
    for (journal, other) in [(&here, &there), (&there, &here)] {
        let [kept] =
            <[StoredExchange; 1]>::try_from(journal.exchanges(Filter::default(), None, 9).await.unwrap()).unwrap();
        assert_eq!(journal.exchange(kept.number).await.unwrap().as_ref(), Some(&kept));
        assert_eq!(other.exchange(kept.number).await, Ok(None));
        assert_eq!(journal.exchange(99).await, Ok(None));
    }
}

/// Returns the lines of the log, each with its number, and of a run also the number of its requests.
async fn shown(journal: &Journal, expanded: Vec<RunId>) -> Vec<(i64, Option<usize>)> {
    let request = HistoryRequest {
        search: Filter::default(),
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 10,
        expanded: Some(expanded),
    };
    let lines = journal.history(request).await.unwrap().lines;
    let run = |row: &HistoryRow| if let HistoryRow::Run(run) = row { Some(run.requests()) } else { None };
    lines.iter().map(|row| (row.number(), run(row))).collect()
}

#[tokio::test]
async fn a_run_is_one_line_until_it_is_unfolded() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let sent = async |number, id: i64, started: Option<i64>| {
        let probe = started.map(|started| Probe { run: Some(Timestamp(started)), ..Probe::default() });
        record_and_end(&journal, Operation { probe, ..add(1, number, id, "x") }, Outcome::Accepted).await;
    };
    sent(1, 1, None).await;
    sent(2, 2, Some(5)).await;
    // A person adds a plant during the run.
    sent(3, 3, None).await;
    sent(4, 2, Some(5)).await;
    // Another run of the same program.
    sent(5, 2, Some(9)).await;
    sent(6, 4, None).await;
    let first = RunId { origin: 1, started: Timestamp(5) };
    assert_eq!(shown(&journal, vec![]).await, [(6, None), (5, Some(1)), (4, Some(2)), (3, None), (1, None)]);
    let expanded = [(6, None), (5, Some(1)), (4, Some(2)), (4, None), (3, None), (2, None), (1, None)];
    assert_eq!(shown(&journal, vec![first]).await, expanded);
    // A run without a report can grow.
    sent(7, 2, Some(9)).await;
    assert_eq!(shown(&journal, vec![]).await, [(7, Some(2)), (6, None), (4, Some(2)), (3, None), (1, None)]);
}
