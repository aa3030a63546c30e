//! The history is searched and trimmed.

use super::writes::MAX_STORED_BODY;
use super::*;
use crate::domain::sentence::describe;

async fn found(journal: &Journal, search: Filter) -> Vec<u32> {
    let kept = journal.exchanges(search, None, 100).await.unwrap();
    kept.iter().map(|kept| kept.exchange.operation.id.number).collect()
}

#[tokio::test]
async fn history_is_searched_by_plant_id_tag_status_and_outcome() {
    let journal = in_memory().await;
    record_and_end(&journal, add(1, 1, 7, "ÉCHEVERIA"), Outcome::Accepted).await;
    record_and_end(&journal, add(1, 2, 8, "fern"), Outcome::Rejected).await;
    record_and_end(&journal, delete(1, 3, 7), Outcome::Accepted).await;
    record_and_end(&journal, add(1, 4, 9, "100% _fern_"), Outcome::Unknown).await;
    record_and_end(&journal, delete(1, 5, 77), Outcome::NotSent).await;
    let of_check = Operation { probe: Some(Probe::default()), ..add(1, 6, 10, "fern") };
    record_and_end(&journal, of_check, Outcome::Accepted).await;
    for (typed, numbers) in [
        ("", &[6, 5, 4, 3, 2, 1][..]),
        // A delete is found by the name that the plant had in the list.
        ("name:échev", &[3, 1]),
        ("name:FERN", &[6, 4, 2]),
        ("name:e\u{301}chev", &[3, 1]),
        ("name:%", &[4]),
        ("tag:T name:fern", &[6, 4, 2]),
        ("tag:x", &[]),
        ("!tag:t", &[5]),
        ("id:7", &[3, 1]),
        ("id:7 id:8", &[3, 2, 1]),
        ("7", &[5, 3, 1]),
        ("status:4xx", &[2]),
        ("status:201", &[6, 3, 1]),
        // Without a response, there is no status.
        ("!status:201", &[5, 4, 2]),
        ("outcome:rejected outcome:unknown", &[4, 2]),
        ("outcome:not_sent", &[5]),
        ("is:delete", &[5, 3]),
        ("is:add !fern", &[1]),
        ("is:check", &[6]),
        ("fern !check", &[4, 2]),
        ("check", &[6]),
        ("name:échev | outcome:not_sent", &[5, 3, 1]),
        ("fern id:8|id:77 | |", &[5, 2]),
        ("response:NO", &[2]),
        ("response:\"\"", &[]),
        ("since:1970-01-01 !before:1970-01-01 is:delete", &[5, 3]),
        ("before:1970-01-01", &[]),
    ] {
        assert_eq!(found(&journal, List::Requests.parse(typed, &LocalTime::default()).0).await, numbers, "{typed}");
    }
    let kept = journal.exchanges(Filter::default(), None, 100).await.unwrap();
    let names: Vec<_> = kept.iter().map(|kept| kept.called.as_ref().map(|called| called.name.as_str())).collect();
    assert_eq!(names, [Some("fern"), None, Some("100% _fern_"), Some("ÉCHEVERIA"), Some("fern"), Some("ÉCHEVERIA")]);
}

#[tokio::test]
async fn plants_that_are_not_in_the_list_are_found_for_a_re_add() {
    let journal = in_memory().await;
    let unlisted = async |text: &str| {
        let unlisted = journal.unlisted(text.to_owned(), 100).await.unwrap();
        unlisted.into_iter().map(|gone| (gone.plant.name, gone.how)).collect::<Vec<_>>()
    };
    record_and_end(&journal, add(1, 1, 7, "Monstera"), Outcome::Accepted).await;
    record_and_end(&journal, add(1, 2, 8, "Fern"), Outcome::Unknown).await;
    assert_eq!(unlisted("").await, []);
    record_and_end(&journal, delete(1, 3, 7), Outcome::Accepted).await;
    journal.resolve(decided(&journal, 8).await, Resolution::Forget, NOW).await.unwrap();
    record_and_end(&journal, add(1, 4, 9, "Ivy"), Outcome::NotSent).await;
    record_and_end(&journal, add(1, 5, 9, "Ivy"), Outcome::NotSent).await;
    // Another plant with the id of a deleted one does not hide it.
    record_and_end(&journal, add(1, 6, 7, "Cactus"), Outcome::Rejected).await;
    let all = [
        ("Cactus".to_owned(), UnlistedReason::Rejected),
        ("Ivy".to_owned(), UnlistedReason::NotSent),
        ("Fern".to_owned(), UnlistedReason::Forgotten),
        ("Monstera".to_owned(), UnlistedReason::Deleted),
    ];
    assert_eq!(unlisted("").await, all);
    assert_eq!(unlisted("FER").await, all[2..3]);
    assert_eq!(unlisted("7").await, [all[0].clone(), all[3].clone()]);
    // A plant in the list is not found.
    record_and_end(&journal, add(1, 7, 7, "Monstera"), Outcome::Accepted).await;
    assert_eq!(unlisted("").await, all[..3]);
}

#[tokio::test]
async fn trimming_in_order_trims_as_much() {
    let folder = tempfile::tempdir().unwrap();
    let here = on_disk(folder.path(), 1).await;
    // More than one step.
    for number in 1..=1_100 {
        record_and_end(&here, add(1, number, i64::from(number), "old"), Outcome::Accepted).await;
    }
    record_and_end(&here, add(1, 2_000, 2_000, "unknown"), Outcome::Unknown).await;
    let (age, later) = (Duration::from_millis(1), Timestamp(NOW.0 + 2));
    assert_eq!(here.trim_in_order(age, later).await, Ok(0), "the last request is no older than itself");
    let new = add(1, 2_001, 3_000, "new");
    here.record_intent(new.clone()).await.unwrap();
    here.end(responded(&new, 200, b""), later).await.unwrap();
    assert_eq!(here.trim_in_order(age, later).await, Ok(1_100));
    assert_eq!(here.trim_in_order(age, later).await, Ok(0));
    assert_eq!(here.trim(Timestamp(NOW.0 + 1), true).await, Ok(0));
}

/// Trims after exchanges at these times, in days, by a clock that says `now`. Returns how many are trimmed.
async fn trimmed_of(days: &[i64], now: i64) -> usize {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    for (number, day) in (1..).zip(days) {
        let operation = add(1, number, i64::from(number), "Fern");
        journal.record_intent(operation.clone()).await.unwrap();
        journal.end(responded(&operation, 201, b""), Timestamp(day * DAY)).await.unwrap();
    }
    let age = Duration::from_millis(90 * DAY.unsigned_abs());
    journal.trim_in_order(age, Timestamp(now * DAY)).await.unwrap()
}

#[tokio::test]
async fn a_clock_that_jumped_makes_nothing_old() {
    for (days, now, trimmed) in [
        (&[][..], 1000, 0),
        (&[800, 899, 950, 1000], 1000, 2),
        // The clock is far ahead today.
        (&[990, 995, 1000], 100_000, 0),
        // It was far ahead once, or behind.
        (&[990, 100_000, 1000], 1000, 0),
        (&[800, 100_000, 1000], 1000, 1),
        (&[990, 0, 0, 1000], 1000, 0),
        (&[800, 0, 990, 0, 1000], 1000, 2),
        // It is behind today, or was at the last request.
        (&[990, 995, 1000], 10, 0),
        (&[800, 1000, 0], 1000, 0),
    ] {
        assert_eq!(trimmed_of(days, now).await, trimmed, "{days:?} at {now}");
    }
}

#[tokio::test]
async fn trimming_skips_new_exchanges_and_unknown_operations() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (on_disk(folder.path(), 1).await, elsewhere(folder.path(), 1).await);
    record_and_end(&here, add(1, 1, 1, "stored"), Outcome::Accepted).await;
    record_and_end(&here, add(1, 2, 2, "unknown"), Outcome::Unknown).await;
    record_and_end(&here, add(1, 3, 3, "resolved"), Outcome::Unknown).await;
    here.resolve(decided(&here, 3).await, Resolution::MarkStored, NOW).await.unwrap();
    record_and_end(&here, add(1, 4, 4, "unknown and tried again"), Outcome::Unknown).await;
    here.record_intent(add(1, 5, 4, "unknown and tried again")).await.unwrap();
    record_and_end(&there, add(1, 6, 1, "elsewhere"), Outcome::Accepted).await;
    let later = add(1, 7, 5, "later");
    here.record_intent(later.clone()).await.unwrap();
    here.end(responded(&later, 200, b""), Timestamp(NOW.0 + 2)).await.unwrap();

    let kept = async |journal: &Journal| {
        let kept = journal.exchanges(Filter::default(), None, 100).await.unwrap();
        let with_request = kept.iter().filter(|kept| kept.exchange.request.is_some());
        (kept.len(), with_request.map(|kept| kept.exchange.operation.id.number).collect::<Vec<_>>())
    };
    let (list, unlisted) = (whole(&here).await, here.unlisted(String::new(), 10).await.unwrap());
    let outcomes = async |journal: &Journal| {
        let kept = journal.exchanges(Filter::default(), None, 100).await.unwrap();
        kept.iter().map(|kept| (kept.number, kept.exchange.outcome(), kept.exchange.status())).collect::<Vec<_>>()
    };
    let before = outcomes(&here).await;
    assert_eq!(here.trim(NOW, false).await, Ok(0));
    let older = Timestamp(NOW.0 + 1);
    assert_eq!(here.trim(older, true).await, Ok(2));
    assert_eq!(kept(&here).await, (5, vec![7, 4, 3, 2, 1]));
    assert_eq!(here.trim(older, false).await, Ok(2));
    assert_eq!(kept(&here).await, (5, vec![7, 4, 2]));
    assert_eq!(here.trim(older, false).await, Ok(0));
    assert_eq!(kept(&there).await, (1, vec![6]));
    let plant_history = here.plant_history(PlantId(1)).await.unwrap();
    let response = plant_history.exchanges[0].response().unwrap();
    assert_eq!((&response.body_end, response.headers.len(), response.body.len()), (&BodyEnd::Trimmed, 0, 0));
    assert_eq!(plant_history.exchanges[0].mismatches(), []);
    assert_eq!(outcomes(&here).await, before);
    // The list, the unlisted plants and the used ids have not changed.
    assert_eq!((whole(&here).await, here.unlisted(String::new(), 10).await.unwrap()), (list, unlisted));
    assert_eq!(ids(&here.unknown_rows().await.unwrap()), [2]);
    here.end(ended_with(&add(1, 2, 2, "unknown"), Outcome::Accepted), NOW).await.unwrap();
    assert_eq!(here.plant_history(PlantId(2)).await.unwrap().row.map(|row| row.state), Some(State::Stored));
}

#[tokio::test]
async fn pages_that_are_turned_around_begin_with_the_oldest_and_have_no_newer_exchange() {
    let (journal, search) = (in_memory().await, Filter::default());
    for number in 1..=450 {
        record_and_end(&journal, add(1, number, 7, "n"), Outcome::Rejected).await;
    }
    for most in [401, 2, usize::MAX] {
        let mut pages = Pages::of(&journal, &search, most).oldest_first().await.unwrap();
        let newest = journal.exchanges(search.clone(), None, 1).await.unwrap()[0].exchange.operation.id.number;
        record_and_end(&journal, add(1, newest + 1, 7, "n"), Outcome::Rejected).await;
        let mut numbers = Vec::new();
        loop {
            let page = pages.next().await.unwrap();
            if page.is_empty() {
                break;
            }
            numbers.extend(page.iter().map(|stored| stored.exchange.operation.id.number));
        }
        let count = u32::try_from(most).unwrap_or(u32::MAX).min(newest);
        assert_eq!(numbers, (newest + 1 - count..=newest).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_long_body_is_stored_up_to_the_cap_with_its_length() {
    let journal = in_memory().await;
    let (short, long) = (add(1, 1, 1, "a"), add(1, 2, 2, "b"));
    for (operation, bytes) in [(&short, MAX_STORED_BODY), (&long, MAX_STORED_BODY + 1)] {
        journal.record_intent(operation.clone()).await.unwrap();
        journal.end(responded(operation, 200, &vec![7; bytes]), NOW).await.unwrap();
    }
    for (id, length) in [(1, MAX_STORED_BODY), (2, MAX_STORED_BODY + 1)] {
        let plant_history = journal.plant_history(PlantId(id)).await.unwrap();
        let response = plant_history.exchanges[0].response().unwrap();
        assert_eq!((response.body.len(), response.length()), (MAX_STORED_BODY, length));
        assert_eq!(response.body_end == BodyEnd::Complete, id == 1);
    }
    let order = HistoryOrder { column: HistoryColumn::Size, descending: true };
    let (search, around) = (Filter::default(), HistoryRequest::NEWEST);
    let sizes = journal.history(HistoryRequest { search, order, around, rows: 9, expanded: None }).await.unwrap();
    let sizes = sizes.lines.iter().map(|line| line.request().unwrap().size);
    assert_eq!(sizes.collect::<Vec<_>>(), [Some(MAX_STORED_BODY + 1), Some(MAX_STORED_BODY)]);
}

#[tokio::test]
async fn what_was_found_in_a_long_body_stays_found() {
    let journal = in_memory().await;
    let pad = "p".repeat(MAX_STORED_BODY);
    let body = |name: &str, more: &str| format!(r#"{{"pad":"{pad}","name":"{name}","tag":"tag"{more}}}"#);
    let cut_off = BodyEnd::CutOff("reset".into());
    for (id, status, body, end) in [
        (1, 201, body("a", ""), BodyEnd::Complete),
        (2, 201, body(&format!("b{pad}"), ""), BodyEnd::Complete),
        (3, 201, body("a", ""), BodyEnd::Capped(70_000)),
        (4, 201, body("a", ""), cut_off),
        (5, 409, body("a", r#","error":"id in use""#), BodyEnd::Complete),
        (6, 201, pad.clone() + "x", BodyEnd::Complete),
    ] {
        let operation = add(1, id, id.into(), "a");
        journal.record_intent(operation.clone()).await.unwrap();
        let mut exchange = responded(&operation, status, body.as_bytes());
        if let Ending::Responded(response) = &mut exchange.ending {
            response.body_end = end;
        }
        journal.end(exchange.clone(), NOW).await.unwrap();
        let stored = journal.plant_history(PlantId(id.into())).await.unwrap().exchanges.remove(0);
        let found = |exchange: &Exchange| {
            let mismatches = exchange.mismatches().iter().map(ToString::to_string).collect::<Vec<_>>();
            (mismatches, describe(exchange, None), exchange.response().unwrap().length())
        };
        assert_eq!(found(&stored), found(&exchange));
        let response = stored.response().unwrap();
        assert!(response.body.len() == MAX_STORED_BODY && format!("{:?}", response.body_end).len() < 5_000);
    }
}
