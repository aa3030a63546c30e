//! Heads that repeat are stored once.

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
    let kept = journal.exchanges(Filter::default(), None, 100).await.unwrap();
    assert_eq!(kept.into_iter().rev().map(|kept| kept.exchange).collect::<Vec<_>>(), exchanges);
    let newest = HistoryRequest {
        search: Filter::default(),
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 100,
        expanded: Some(Vec::new()),
    };
    let log = journal.history(newest).await.unwrap().lines;
    assert!(log.iter().all(|row| row.request().unwrap().size == Some(22)), "{log:?}");
    let heads = || {
        let conn = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
        conn.query_row("SELECT count(*) FROM head", [], |found| found.get::<_, i64>(0)).unwrap()
    };
    // The request to add, ten requests to delete, the status line and the headers.
    assert_eq!(heads(), 13);
    assert_eq!(journal.trim(Timestamp(NOW.0 + 1), false).await, Ok(19));
    assert_eq!(heads(), 1);
    // The cache does not return the key of a removed head.
    let operation = add(1, 20, 20, "n");
    journal.record_intent(operation.clone()).await.unwrap();
    let last = ended(20, operation);
    journal.end(last.clone(), NOW).await.unwrap();
    assert_eq!(journal.plant_history(PlantId(20)).await.unwrap().exchanges, [last]);
}
