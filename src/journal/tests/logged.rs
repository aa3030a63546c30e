//! The log and the latencies agree with a filter of all exchanges in memory.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
struct Sent {
    origin: u64,
    id: i64,
    is_add: bool,
    name: &'static str,
    status: Option<u16>,
    body: usize,
}

const NAMES: [&str; 5] = ["", "Fern", "ÉCHEVERIA", "100% _fern_", "12"];

fn sent() -> impl Strategy<Value = Vec<Sent>> {
    let status = prop::option::weighted(0.8, prop::sample::select(vec![201, 204, 302, 404, 408, 500]));
    let one = (1..3_u64, -3..14_i64, any::<bool>(), prop::sample::select(NAMES.to_vec()), status, 0..3_usize)
        .prop_map(|(origin, id, is_add, name, status, body)| Sent { origin, id, is_add, name, status, body });
    prop::collection::vec(one, 0..40)
}

fn part() -> impl Strategy<Value = Option<String>> {
    let parts = ["", "FERN", "éch", "%", "1", "-2", "t", "nothing has this"].map(str::to_owned);
    prop::option::weighted(0.3, prop::sample::select(parts.to_vec()))
}

fn search() -> impl Strategy<Value = Search> {
    let status = prop::sample::select(vec![200..=299, 404..=404, 300..=499]);
    (
        (part(), part(), part()),
        prop::option::weighted(0.2, -3..14_i64),
        prop::option::weighted(0.2, status),
        prop::collection::vec(prop::sample::select(Outcome::ALL.to_vec()), 0..2),
        prop::option::weighted(0.3, 1..4_u64),
    )
        .prop_map(|((name, tag, text), id, status, outcomes, origin)| Search {
            name,
            tag,
            id: id.map(PlantId),
            status,
            outcomes,
            text,
            origin,
        })
}

fn anchor() -> impl Strategy<Value = LogAnchor> {
    prop_oneof![
        Just(LogAnchor::Newest),
        Just(LogAnchor::Oldest),
        (-1..45_i64).prop_map(LogAnchor::Around),
        prop::sample::select(vec![i64::MIN, i64::MAX]).prop_map(LogAnchor::Around),
    ]
}

fn fits(search: &Search, kept: &StoredExchange) -> bool {
    let exchange = &kept.exchange;
    let id = exchange.operation.kind.plant_id();
    let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let name = |part: &String| kept.called.as_ref().is_some_and(|called| has(&called.name, part));
    let tag = |part: &String| kept.called.as_ref().is_some_and(|called| has(&called.tag, part));
    search.name.as_ref().is_none_or(name)
        && search.tag.as_ref().is_none_or(tag)
        && search.text.as_ref().is_none_or(|part| name(part) || tag(part) || has(&id.to_string(), part))
        && search.id.is_none_or(|wanted| wanted == id)
        && search.origin.is_none_or(|origin| origin == exchange.operation.id.origin)
        && search.status.as_ref().is_none_or(|wanted| exchange.status().is_some_and(|status| wanted.contains(&status)))
        && (search.outcomes.is_empty() || search.outcomes.contains(&exchange.outcome()))
}

fn line(kept: &StoredExchange) -> LogLine {
    let exchange = &kept.exchange;
    let untrimmed = exchange.response().filter(|response| response.body_end != BodyEnd::Trimmed);
    LogLine {
        place: kept.place,
        kind: exchange.operation.kind.clone(),
        called: kept.called.clone(),
        outcome: exchange.outcome(),
        status: exchange.status(),
        size: untrimmed.map(|response| response.body.len()),
        started: exchange.started,
        elapsed: exchange.elapsed,
    }
}

fn sample(kept: &StoredExchange) -> crate::domain::Sample {
    let exchange = &kept.exchange;
    let (started, elapsed) = (exchange.started, exchange.elapsed);
    crate::domain::Sample { started, elapsed, outcome: exchange.outcome(), responded: exchange.response().is_some() }
}

/// Returns the expected window from the list of all matching exchanges.
fn expected(fitting: &[StoredExchange], anchor: LogAnchor, rows: usize) -> LogWindow {
    let last = fitting.len().saturating_sub(rows);
    let first = match anchor {
        LogAnchor::Newest => 0,
        LogAnchor::Oldest => last,
        LogAnchor::Around(place) => {
            let newer = fitting.iter().filter(|kept| kept.place > place).count();
            newer.saturating_sub(rows / 2).min(last)
        }
    };
    let lines: Vec<_> = fitting.iter().skip(first).take(rows).map(line).collect();
    LogWindow { newer: first > 0, older: first + lines.len() < fitting.len(), lines }
}

/// Records exchanges in the journals of programs 1 and 2, and trims the first `trimmed` of the first.
async fn fill(journals: &[Journal], sent: &[Sent], trimmed: usize) {
    for (number, sent) in (1..).zip(sent) {
        let Sent { origin, id, is_add, name, status, body } = sent.clone();
        let origin = origin.min(u64::try_from(journals.len()).unwrap());
        let operation = if is_add { add(origin, number, id, name) } else { delete(origin, number, id) };
        let mut exchange = match status {
            Some(status) => responded(&operation, status, &vec![b' '; body]),
            None => ended_with(&operation, Outcome::NotSent),
        };
        exchange.elapsed = Duration::from_micros(u64::from(number) * 7);
        let journal = &journals[usize::from(origin == 2)];
        journal.record_intent(operation).await.unwrap();
        journal.end(exchange, Timestamp(i64::from(number))).await.unwrap();
    }
    journals[0].trim(Timestamp(i64::try_from(trimmed).unwrap()), false).await.unwrap();
}

/// Compares every lookup of exchanges with the filtered list.
async fn assert_same_as_filtered(journal: &Journal, search: &Search, anchor: LogAnchor, rows: usize) {
    let all = journal.exchanges(Search::default(), None, usize::MAX).await.unwrap();
    let fitting: Vec<_> = all.into_iter().filter(|kept| fits(search, kept)).collect();
    let window = journal.log(LogRequest { search: search.clone(), anchor, rows }).await.unwrap();
    assert_eq!(window, expected(&fitting, anchor, rows), "{search:?} {anchor:?} × {rows}");
    assert_eq!(journal.exchanges(search.clone(), None, usize::MAX).await.unwrap(), fitting);
    let mut samples: Vec<_> = fitting.iter().take(rows).map(sample).collect();
    samples.reverse();
    assert_eq!(journal.latencies(search.clone(), rows).await.unwrap(), samples);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn lookups_of_exchanges_agree_with_a_filter_in_memory(
        sent in sent(),
        trimmed in 0..40_usize,
        looks in prop::collection::vec((search(), anchor(), 0..12_usize), 1..20),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let two_on_disk = vec![on_disk(folder.path(), 1).await, on_disk(folder.path(), 2).await];
            for journals in [vec![in_memory().await], two_on_disk] {
                fill(&journals, &sent, trimmed).await;
                for (search, anchor, rows) in &looks {
                    assert_same_as_filtered(&journals[0], search, *anchor, *rows).await;
                }
            }
        });
    }
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
        let search = Search { origin: Some(1), ..Search::default() };
        let found = journal.exchanges(search.clone(), None, usize::MAX).await.unwrap();
        assert!(found.iter().map(|kept| kept.exchange.operation.id.number).eq(numbers_sent.iter().rev().copied()));
        let window = journal.log(LogRequest { search, anchor: LogAnchor::Newest, rows: 10 }).await.unwrap();
        assert!(window.lines.iter().map(|line| line.place).eq(found.iter().map(|kept| kept.place).take(10)));
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
            <[StoredExchange; 1]>::try_from(journal.exchanges(Search::default(), None, 9).await.unwrap()).unwrap();
        assert_eq!(journal.exchange(kept.place).await.unwrap().as_ref(), Some(&kept));
        assert_eq!(other.exchange(kept.place).await, Ok(None));
        assert_eq!(journal.exchange(99).await, Ok(None));
    }
}
