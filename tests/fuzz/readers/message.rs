//! Folds bytes as a message of a team into a journal with a plant, and shows what became of it.
//!
//! The first line of the input is the subject, the rest the payload.

use plants::domain::filter::Filter;
use plants::domain::{
    Author, Exchange, FailureKind, Operation, OperationId, OperationKind, Plant, PlantId, StoreUrl, Timestamp,
};
use plants::journal::{Journal, JournalError, LeftOut, Place, TeamMessage};
use plants::team::{self, WireFault};
use plants::text::clean;
use tokio::runtime::{Builder, Runtime};

use super::assert_harmless_line;
use super::journal_row::use_all;

const NOW: Timestamp = Timestamp(1_700_000_000_000);
const ORIGIN: u64 = 1;

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
}

pub(super) fn read(bytes: &[u8]) {
    let (subject, payload) = bytes.split_at(bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len()));
    let payload = payload.get(1..).unwrap_or_default();
    let read = team::read_message(&String::from_utf8_lossy(subject), payload);
    match &read {
        Ok(entries) => assert_harmless_line(&entries.author.to_string()),
        Err(WireFault::Newer) => {}
        Err(why) => assert_harmless_line(&clean(&why.to_string())),
    }
    if let Ok(entries) = read {
        let message = TeamMessage { sequence: 1, at: None, entries: Some(entries) };
        RUNTIME.with(|runtime| runtime.block_on(folded(&message)));
    }
}

async fn folded(message: &TeamMessage) {
    let store: StoreUrl = "http://127.0.0.1:9".parse().expect("a base URL");
    let journal = Journal::open(Place::Memory, &store, ORIGIN, NOW).await.expect("a journal").journal;
    let author: Author = "me@here".parse().expect("an author");
    journal.join_team(author, "s".to_owned(), 1).await.expect("a team");
    let plant = Plant { name: "Fern".to_owned(), id: PlantId(7), tag: "t".to_owned() };
    let operation = Operation::new(OperationId { origin: ORIGIN, number: 2 }, OperationKind::add(plant), NOW);
    journal.record_intent(operation.clone()).await.expect("an intent");
    let exchange = Exchange::failed(operation, FailureKind::TimedOut, String::new(), NOW);
    journal.end(exchange, NOW).await.expect("an end");
    let mut before = None;
    for _ in 0..2 {
        let reader = journal.membership().await.expect("a membership").expect("a team").member;
        for LeftOut { why, .. } in journal.receive(reader, vec![message.clone()]).await.expect("an open journal") {
            let is_of_message = matches!(
                why,
                JournalError::NotStorable { .. }
                    | JournalError::NotRequested(_)
                    | JournalError::MissingEntries { .. }
                    | JournalError::Copied
            );
            assert!(is_of_message, "{why:?}");
            assert_harmless_line(&clean(&why.to_string()));
        }
        let rows = journal.fitting(Filter::default(), None, 100).await.expect("rows");
        assert_eq!(before.get_or_insert_with(|| rows.clone()), &rows, "a message that comes twice counts once");
    }
    use_all(&journal, ORIGIN).await.expect("a journal that can be used");
    journal.close().await;
}
