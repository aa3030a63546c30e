//! The log of exchanges and the pulse agree with filtering everything in memory.

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

const NAMES: [&str; 5] = ["", "fern", "ÉCHEVERIA", "100% _fern_", "12"];

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

fn fits(search: &Search, kept: &Kept) -> bool {
    let exchange = &kept.exchange;
    let id = exchange.operation.ask.plant_id();
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

fn line(kept: &Kept) -> LogLine {
    let exchange = &kept.exchange;
    let untrimmed = exchange.answer().filter(|answer| answer.body_end != BodyEnd::Trimmed);
    LogLine {
        place: kept.place,
        ask: exchange.operation.ask.clone(),
        called: kept.called.clone(),
        outcome: exchange.outcome(),
        status: exchange.status(),
        size: untrimmed.map(|answer| answer.body.len()),
        started: exchange.started,
        elapsed: exchange.elapsed,
    }
}

fn sample(kept: &Kept) -> crate::domain::Sample {
    let exchange = &kept.exchange;
    let (started, elapsed) = (exchange.started, exchange.elapsed);
    crate::domain::Sample { started, elapsed, outcome: exchange.outcome(), answered: exchange.answer().is_some() }
}

/// The window that the plain list of all that fits has there.
fn expected(fitting: &[Kept], anchor: LogAnchor, rows: usize) -> LogWindow {
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

/// Two programs' journals in one folder, and what they have sent; the first so many are trimmed.
async fn filled(folder: &Path, sent: &[Sent], trimmed: usize) -> [Journal; 2] {
    let journals = [on_disk(folder, 1).await, on_disk(folder, 2).await];
    for (number, sent) in (1..).zip(sent) {
        let Sent { origin, id, is_add, name, status, body } = sent.clone();
        let operation = if is_add { add(origin, number, id, name) } else { delete(origin, number, id) };
        let mut exchange = match status {
            Some(status) => answered(&operation, status, &vec![b' '; body]),
            None => ended_with(&operation, Outcome::NotSent),
        };
        exchange.elapsed = Duration::from_micros(u64::from(number) * 7);
        let journal = &journals[usize::from(origin == 2)];
        journal.ask(operation).await.unwrap();
        journal.end(exchange, Timestamp(i64::from(number))).await.unwrap();
    }
    journals[0].trim(Timestamp(i64::try_from(trimmed).unwrap()), false).await.unwrap();
    journals
}

/// Every question about these exchanges has the answer of the plain list.
async fn assert_as_plain(journal: &Journal, search: &Search, anchor: LogAnchor, rows: usize) {
    let all = journal.exchanges(Search::default(), None, usize::MAX).await.unwrap();
    let fitting: Vec<_> = all.into_iter().filter(|kept| fits(search, kept)).collect();
    let window = journal.log(LogRequest { search: search.clone(), anchor, rows }).await.unwrap();
    assert_eq!(window, expected(&fitting, anchor, rows), "{search:?} {anchor:?} × {rows}");
    assert_eq!(journal.exchanges(search.clone(), None, usize::MAX).await.unwrap(), fitting);
    let mut samples: Vec<_> = fitting.iter().take(rows).map(sample).collect();
    samples.reverse();
    assert_eq!(journal.pulse(search.clone(), rows).await.unwrap(), samples);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_fits_is_told_as_filtering_in_memory_would(
        sent in sent(),
        trimmed in 0..40_usize,
        looks in prop::collection::vec((search(), anchor(), 0..12_usize), 1..20),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let [journal, _other] = filled(folder.path(), &sent, trimmed).await;
            for (search, anchor, rows) in looks {
                assert_as_plain(&journal, &search, anchor, rows).await;
            }
        });
    }
}

#[tokio::test]
async fn one_exchange_is_found_by_its_place_in_its_own_store_only() {
    let folder = tempfile::tempdir().unwrap();
    let here = on_disk(folder.path(), 1).await;
    let elsewhere: StoreUrl = "http://elsewhere.example".parse().unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let there = Journal::open(place, &elsewhere, 1, NOW).await.unwrap().journal;
    ask_and_end(&here, add(1, 1, 7, "here"), Outcome::Accepted).await;
    ask_and_end(&there, add(1, 2, 7, "there"), Outcome::Refused).await;
    for (journal, other) in [(&here, &there), (&there, &here)] {
        let [kept] = <[Kept; 1]>::try_from(journal.exchanges(Search::default(), None, 9).await.unwrap()).unwrap();
        assert_eq!(journal.exchange(kept.place).await.unwrap().as_ref(), Some(&kept));
        assert_eq!(other.exchange(kept.place).await, Ok(None));
        assert_eq!(journal.exchange(99).await, Ok(None));
    }
}
