//! Fills journals with many plants, faster than by adding each.

use std::path::Path;
use std::time::Duration;

use plants::domain::{
    BodyEnd, Ending, Exchange, Header, Method, Operation, OperationId, OperationKind, Phases, Plant, PlantId, Request,
    Response, StoreUrl, Timestamp,
};
use plants::journal::{Journal, Place, file_in};

pub(crate) const ORIGIN: u64 = 1;

pub(crate) fn clock() -> Timestamp {
    Timestamp(1_700_000_000_000)
}

/// Opens or creates a journal.
pub(crate) async fn opened(place: Place, store: &StoreUrl) -> Journal {
    Journal::open(place, store, ORIGIN, clock()).await.unwrap().journal
}

/// Returns the exchange of an add that the demo store accepts.
pub(crate) fn accepted(operation: Operation) -> Exchange {
    const BODY: &str = r#"{"name":"Monstera","id":7,"tag":"tropical"}"#;
    const SENT: [(&str, &str); 3] =
        [("authorization", "Bearer ********"), ("content-type", "application/json"), ("content-length", "43")];
    const CAME: [(&str, &str); 3] =
        [("date", "Tue, 14 Nov 2023 22:13:20 GMT"), ("content-type", "application/json"), ("content-length", "43")];
    let headers = |headers: &[(&str, &str)]| {
        let header = |(name, value): &(&str, &str)| Header { name: (*name).into(), value: (*value).into() };
        headers.iter().map(header).collect()
    };
    Exchange {
        operation,
        request: Some(Request {
            method: Method::Post,
            url: "http://plants.example/plants".into(),
            target: "/plants".into(),
            headers: headers(&SENT),
            body: Some(BODY.into()),
        }),
        ending: Ending::Responded(Response {
            status: 201,
            reason: "Created".into(),
            version: "HTTP/1.1".into(),
            headers: headers(&CAME),
            body: BODY.into(),
            body_end: BodyEnd::Complete,
        }),
        started: clock(),
        elapsed: Duration::from_millis(1),
        phases: Phases {
            connection: Some(Duration::from_micros(120)),
            waiting: Some(Duration::from_micros(640)),
            reading: Some(Duration::from_micros(11)),
            ..Phases::default()
        },
    }
}

/// Creates a journal with this number of plants, with ids from 1. Writes one plant through the journal and copies its
/// rows.
pub(crate) async fn fill(folder: &Path, store: &StoreUrl, plants: u32) {
    const COPIES: &str = r#"
        PRAGMA synchronous = OFF;
        BEGIN;
        CREATE TEMP TABLE more AS
            WITH RECURSIVE more(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM more WHERE n < :copies)
            SELECT n,
                json_extract('["Monstera","Calathea","Ficus","Hoya","Pilea","Aloe","Begonia"]', '$[' || (n % 7) || ']')
                    || ' ' || (n + 1) AS name
            FROM more WHERE n <= :copies;
        INSERT INTO operation (store, origin, number, kind, plant_id, name, tag, requested_at, outcome)
            SELECT store, origin, number + n, kind, plant_id + n, more.name, tag, requested_at, outcome
            FROM more CROSS JOIN operation;
        INSERT INTO exchange (operation, store, plant_id, outcome, status, at, started, elapsed_us,
                connection_us, waiting_us, reading_us, request, request_body, line, headers, body)
            SELECT operation + n, store, plant_id + n, outcome, status, at, started, elapsed_us,
                connection_us, waiting_us, reading_us, request, request_body, line, headers, body
            FROM more CROSS JOIN exchange;
        INSERT INTO plant (store, id, state, name, tag, changed_at)
            SELECT store, id + n, state, more.name, tag, changed_at FROM more CROSS JOIN plant;
        UPDATE tally SET stored = stored + :copies, largest_added = largest_added + :copies;
        COMMIT;
        PRAGMA wal_checkpoint(TRUNCATE);"#;
    let journal = opened(Place::Folder(folder.to_path_buf()), store).await;
    let plant = Plant { name: "Monstera 1".into(), id: PlantId(1), tag: "tropical".into() };
    let id = OperationId { origin: ORIGIN, number: 1 };
    let operation = Operation::new(id, OperationKind::add(plant), clock());
    journal.record_intent(operation.clone()).await.unwrap();
    journal.end(accepted(operation), clock()).await.unwrap();
    journal.close().await;
    let sql = COPIES.replace(":copies", &(plants - 1).to_string());
    rusqlite::Connection::open(file_in(folder)).unwrap().execute_batch(&sql).unwrap();
}
