//! Heads that repeat are stored once, or as their difference.

use super::*;

#[tokio::test]
async fn equal_heads_are_stored_once_and_removed_with_their_last_exchange() {
    let folder = tempfile::tempdir().unwrap();
    let journal = on_disk(folder.path(), 1).await;
    let ended = |number: u32, operation: Operation| {
        let sent = responded(&operation, 201, br#"{"name":"n","tag":"t"}"#);
        let (url, body) = match &operation.kind {
            OperationKind::Add(plant) => ("/plants".to_owned(), Some(serde_json::to_string(plant).unwrap())),
            OperationKind::Delete(id) => (format!("/plants/{id}"), None),
        };
        let request = sent.request.map(|request| Sent {
            url: format!("http://h{url}").into(),
            target: url.into(),
            body,
            ..request
        });
        Exchange { request, started: Timestamp(NOW.0 - i64::from(number)), ..sent }
    };
    let operations = (1..=9).map(|number| add(1, number, number.into(), "n"));
    let operations = operations.chain((10..=19).map(|number| delete(1, number, i64::from(number) - 10)));
    let mut exchanges = Vec::new();
    for (number, operation) in (1..).zip(operations) {
        journal.record_intent(operation.clone()).await.unwrap();
        exchanges.push(ended(number, operation));
        journal.end(exchanges.last().unwrap().clone(), NOW).await.unwrap();
    }
    let kept = journal.exchanges(Search::default(), None, 100).await.unwrap();
    assert_eq!(kept.into_iter().rev().map(|kept| kept.exchange).collect::<Vec<_>>(), exchanges);
    let newest =
        LogRequest { search: Search::default(), anchor: LogAnchor::Newest, rows: 100, unfolded: Some(Vec::new()) };
    let log = journal.log(newest).await.unwrap().lines;
    assert!(log.iter().all(|row| row.request().unwrap().size == Some(22)), "{log:?}");
    let heads = || {
        let conn = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
        conn.query_row("SELECT count(*) FROM head", [], |found| found.get::<_, i64>(0)).unwrap()
    };
    // Requests to add, requests to delete, the status line and the headers.
    assert_eq!(heads(), 4);
    assert_eq!(journal.trim(Timestamp(NOW.0 + 1), false).await, Ok(19));
    assert_eq!(heads(), 1);
    // The cache does not return the key of a removed head.
    let operation = add(1, 20, 20, "n");
    journal.record_intent(operation.clone()).await.unwrap();
    let last = ended(20, operation);
    journal.end(last.clone(), NOW).await.unwrap();
    assert_eq!(journal.plant_history(PlantId(20)).await.unwrap().exchanges, [last]);
}

#[tokio::test]
async fn headers_that_differ_a_little_are_stored_as_differences() {
    let folder = tempfile::tempdir().unwrap();
    let header = |name: &str, value: &str| Header { name: name.to_owned(), value: value.to_owned() };
    let ended = |number: u32, headers: Vec<Header>| {
        let operation = add(1, number, number.into(), "n");
        let mut exchange = responded(&operation, 201, br#"{"name":"n","tag":"t"}"#);
        if let Ending::Responded(response) = &mut exchange.ending {
            response.headers = headers.into();
        }
        (operation, exchange)
    };
    let long = |id: u32| {
        let policies = (0..16).map(|number| header(&format!("x-policy-{number}"), &"max-age=1 ".repeat(10)));
        policies.chain([header("x-request-id", &format!("{id:016x}"))]).collect::<Vec<_>>()
    };
    let renamed = |id: u32| long(id).into_iter().map(|one| header(&one.name.to_uppercase(), &one.value)).collect();
    let mut sent = Vec::new();
    for numbers in [1..=3, 4..=6] {
        let journal = on_disk(folder.path(), 1).await;
        for number in numbers {
            // The second program finds the base of the first; the last head has other names.
            let (operation, exchange) = ended(number, if number == 6 { renamed(number) } else { long(number) });
            journal.record_intent(operation).await.unwrap();
            journal.end(exchange.clone(), Timestamp(NOW.0 + i64::from(number))).await.unwrap();
            sent.push(exchange);
        }
        let kept = journal.exchanges(Search::default(), None, 100).await.unwrap();
        assert_eq!(kept.into_iter().rev().map(|kept| kept.exchange).collect::<Vec<_>>(), sent);
        journal.close().await;
    }
    let conn = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    let lengths = |condition: &str| -> Vec<u32> {
        let sql = format!("SELECT length(text) FROM head WHERE {condition} ORDER BY id");
        conn.prepare(&sql).unwrap().query_map([], |found| found.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert_eq!(lengths("base IS NULL AND length(text) > 1000").len(), 2);
    // Such as [[16,"0000000000000002"]].
    assert_eq!(lengths("base IS NOT NULL"), [25; 4]);
    // The base stays as long as one of its differences.
    let journal = on_disk(folder.path(), 1).await;
    journal.trim(Timestamp(NOW.0 + 5), false).await.unwrap();
    assert_eq!(lengths("base IS NOT NULL").len(), 1);
    let left = journal.plant_history(PlantId(5)).await.unwrap().exchanges;
    assert_eq!(left, [sent[4].clone()]);
    journal.trim(Timestamp(NOW.0 + 7), false).await.unwrap();
    assert_eq!(lengths("base IS NOT NULL OR length(text) > 1000"), [0; 0]);
}
