//! The dry run predicts the import: for any file, any list, and a store that accepts everything.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use plants::client::{Client, Limits, Route, Token};
use plants::domain::{
    Decided, Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, Plant, PlantId, Resolution, Seen,
    StoreUrl, Timestamp,
};
use plants::import::{
    self, Decision, Event, Forecast, ImportRow, Options, Resend, RowCounts, Source, Tools, Validated,
};
use plants::journal::{Journal, Opened, Place};
use plants::worker::{self, Worker};
use proptest::prelude::*;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::store::Store;

const ORIGIN: u64 = 3;

/// The state of a plant in the list before the import.
#[derive(Debug, Clone, Copy)]
enum Before {
    Stored,
    UnknownAdd,
    UnknownDelete,
    Adding,
    Deleting,
}

/// The id and name of a row; `None` for a bad row.
type Written = Option<(i64, u8)>;

fn rows() -> impl Strategy<Value = Vec<Written>> {
    let row = prop_oneof![12 => (0..12i64, 0..3u8).prop_map(Some), 1 => Just(None)];
    prop::collection::vec(row, 0..60)
}

fn list() -> impl Strategy<Value = HashMap<i64, (u8, Before)>> {
    use Before::{Adding, Deleting, Stored, UnknownAdd, UnknownDelete};
    let before = prop::sample::select(vec![Stored, Stored, UnknownAdd, UnknownAdd, UnknownDelete, Adding, Deleting]);
    prop::collection::hash_map(0..12i64, (0..3u8, before), 0..8)
}

fn clock() -> Timestamp {
    Timestamp(1)
}

fn plant(id: i64, name: u8) -> Plant {
    Plant { name: format!("n{name}"), id: PlantId(id), tag: "t".into() }
}

async fn journal_with(list: &HashMap<i64, (u8, Before)>, url: &StoreUrl) -> Journal {
    let Opened { journal, .. } = Journal::open(Place::Memory, url, ORIGIN, clock()).await.unwrap();
    let mut number = 0;
    let mut operation = |kind| {
        number += 1;
        Operation::new(OperationId { origin: ORIGIN, number }, kind, clock())
    };
    for (id, (name, before)) in list {
        let unknown = |operation| Exchange::failed(operation, FailureKind::NoResponse, String::new(), clock());
        let add = operation(OperationKind::add(plant(*id, *name)));
        journal.record_intent(add.clone()).await.unwrap();
        if matches!(before, Before::Adding) {
            continue;
        }
        let unknown_add = add.id;
        journal.end(unknown(add), clock()).await.unwrap();
        if matches!(before, Before::UnknownAdd) {
            continue;
        }
        let seen = Seen::Listed { details: Some((&plant(*id, *name)).into()), is_deleting: false, is_unknown: true };
        let decided = Decided { id: PlantId(*id), seen, unknown: Some(unknown_add) };
        journal.resolve(decided, Resolution::MarkStored, clock()).await.unwrap();
        if matches!(before, Before::Stored) {
            continue;
        }
        let delete = operation(OperationKind::Delete(PlantId(*id)));
        journal.record_intent(delete.clone()).await.unwrap();
        if matches!(before, Before::UnknownDelete) {
            journal.end(unknown(delete), clock()).await.unwrap();
        }
    }
    journal
}

/// The lines of rows that are not sent, and the reasons.
type Lines = BTreeMap<u64, Decision>;

fn validated(rows: &[Written]) -> Validated {
    let lines = rows.iter().map(|row| match row {
        Some((id, name)) => format!("{id},n{name},t\n"),
        None => "x,n0,t\n".to_owned(),
    });
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), format!("id,name,tag\n{}", lines.collect::<String>())).unwrap();
    let source = Source::Path(file.path().to_owned());
    import::validate(&source, None, None, &mut |_| {}, &mut |_| {}, &CancellationToken::new()).unwrap()
}

/// Returns the result of the dry run, then that of the import.
async fn both(
    rows: Vec<Written>,
    list: HashMap<i64, (u8, Before)>,
    concurrency: usize,
    resend: Resend,
) -> [(u64, RowCounts, Lines); 2] {
    let store = Store::accepting();
    let url: StoreUrl = store.base().parse().unwrap();
    let journal = journal_with(&list, &url).await;
    let mut validated = validated(&rows);
    let (mut predicted, mut sent) = (Lines::new(), Vec::new());
    let mut each = |row: &ImportRow, decision: Decision| {
        sent.extend(decision.is_sent().then(|| row.plant.clone()));
        if decision.note(row).is_some() {
            predicted.insert(row.number.line, decision);
        }
    };
    import::forecast(&journal, &mut validated, resend, &mut each).await.unwrap();
    assert!(validated.preview.first.iter().eq(sent.iter().take(5)));
    let Forecast { counts: forecast, unsent } = validated.preview.forecast.clone();
    assert!(unsent.iter().map(|note| note.number.line).eq(predicted.keys().copied()));
    let (reports, _inbox) = mpsc::unbounded_channel();
    let limits = Limits { timeout: Duration::from_secs(20), ..Limits::default() };
    let (worker, task) = Worker::start(worker::Resources {
        client: Client::new(url, limits, Route::default()),
        journal: journal.clone(),
        token: Some(Token::new("t").unwrap()),
        clock,
        reports,
    });
    let tools = Tools {
        journal: journal.clone(),
        worker,
        origin: ORIGIN,
        submitted: std::sync::Arc::default(),
        renew: None,
        clock,
    };
    let options = Options { concurrency, rate: None, resend, keep_going: false };
    let mut withheld = Lines::new();
    let mut events = |event: Event<'_>| match event {
        Event::Withheld(row, decision) => drop(withheld.insert(row.number.line, decision)),
        Event::Row(end) => assert_eq!(end.ended.exchange.outcome(), Outcome::Accepted),
        Event::Progress(_) | Event::Braked { .. } | Event::TokenRenewed(_) => {}
    };
    let summary = import::run(validated, options, tools, mpsc::unbounded_channel().1, &mut events).await;
    task.await.unwrap();
    let progress = summary.progress;
    assert_eq!((progress.outcomes.total(), progress.unresolved), (progress.outcomes.accepted, 0));
    let (resend, resend_stored) = (progress.resent, progress.resent_stored);
    let first = progress.outcomes.accepted - resend - resend_stored;
    let sent = RowCounts { send: first, resend, resend_stored, ..progress.unsent };
    assert!(summary.notes.iter().map(|note| note.number.line).eq(withheld.keys().copied()));
    [(forecast.total(), forecast, predicted), (progress.rows, sent, withheld)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_import_matches_its_dry_run(
        rows in rows(),
        list in list(),
        concurrency in 1..9usize,
        unknown: bool,
        stored: bool,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let [predicted, done] = runtime.block_on(both(rows, list, concurrency, Resend { unknown, stored }));
        prop_assert_eq!(predicted, done);
    }
}

/// Whatever becomes of a row, later ones of its id are not sent.
#[test]
fn a_repeated_row_is_not_sent_after_a_rejection_either() {
    use super::store::Reply;
    use super::{Output, import};
    use crate::support::Home;
    for (reply, outcome, code) in [(Reply::Status(422), "rejected", 1), (Reply::Lost, "unknown", 4)] {
        let (home, store) = (Home::new(), Store::replying(move |_, _| reply));
        home.write("a.csv", format!("id,name,tag\n{}7,Moss,t\n", "7,Fern,t\n".repeat(3)));
        let dry = Output::of(&import(&home, &store.base(), &["a.csv", "--dry-run"]).ended().orderly(3));
        let done = Output::of(&import(&home, &store.base(), &["a.csv"]).ended().orderly(code));
        assert_eq!(store.ids(), [7], "{outcome}");
        assert_eq!(done.counts(), [(outcome, 1), ("repeats", 2), ("contradicts", 1)].into());
        assert_eq!([dry.count("to_send"), dry.count("repeats"), dry.count("contradicts")], [1, 2, 1]);
    }
}

#[test]
fn a_dry_run_prints_the_rows_and_counts_that_the_import_prints() {
    use super::{Output, import, numbered};
    use crate::support::Home;
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", numbered(1..=2));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    home.write("b.csv", "id,name,tag\n1,plant 1,t1\n2,other,t2\n7,Fern,t\n7,Fern,t\n7,Moss,t\nx,y,z\n8,Ivy,t\n");
    for arguments in [&["b.csv"][..], &["b.csv", "--skip-bad"]] {
        let code = if arguments.len() == 1 { 2 } else { 3 };
        let dry =
            Output::of(&import(&home, &store.base(), &[arguments, &["--dry-run"]].concat()).ended().orderly(code));
        let done = Output::of(&import(&home, &store.base(), arguments).ended().orderly(code));
        assert_eq!(dry.count("to_send"), done.count("accepted"));
        assert_eq!(dry.faults, done.faults);
        assert_eq!(dry.lines("not_sent"), [3, 6], "also while a bad row prevents the import");
        if code == 2 {
            continue;
        }
        for count in ["rows", "bad", "already_stored", "repeats", "differs", "contradicts", "unknown_before", "busy"] {
            assert_eq!(dry.count(count), done.count(count), "{count}");
        }
        let unsent: Vec<_> = done.rows.iter().filter(|row| row["outcome"] != "accepted").collect();
        assert_eq!(dry.rows.iter().collect::<Vec<_>>(), unsent);
    }
}
