//! Operations that are sent together: few at a time, with a brake, and one question about all that are not there.

use super::*;

fn rows(count: i64) -> Vec<Row> {
    (1..=count).map(|id| row(id, State::Stored)).collect()
}

/// Deletes so many plants together; returns the first operations.
fn deleting(count: i64) -> (App, Vec<Operation>) {
    let (mut app, rows) = (new_app(), rows(count));
    app.update(window(&rows));
    press(&mut app, "M");
    app.update(Msg::Fitting(crate::domain::filter::Filter::default(), Ok(rows.clone())));
    press(&mut app, "d");
    app.update(listed(&rows.iter().map(|row| row.id).collect::<Vec<_>>(), &rows));
    let operations = sent(&press(&mut app, "y"));
    (app, operations)
}

/// Returns a response to an operation, with this `Retry-After`.
fn responded_after(operation: &Operation, status: u16, seconds: &str) -> Msg {
    let Msg::Report(mut report) = responded(operation, status) else { unreachable!("it is a report") };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    let mut exchange = Exchange::clone(&ended.exchange);
    let Ending::Responded(response) = &mut exchange.ending else { unreachable!("it is a response") };
    response.headers = [crate::domain::Header { name: "Retry-After".into(), value: seconds.into() }].into();
    ended.exchange = Arc::new(exchange);
    Msg::Report(report)
}

/// Ends operations in this way, and those that are sent thereupon; returns how many were sent in all.
fn end_all(app: &mut App, mut operations: Vec<Operation>, end: impl Fn(&Operation) -> Msg) -> usize {
    let mut count = operations.len();
    while let Some(operation) = operations.pop() {
        let more = sent(&app.update(end(&operation)));
        count += more.len();
        operations.extend(more);
    }
    count
}

#[test]
fn many_deletes_are_sent_a_few_at_a_time() {
    let (mut app, first) = deleting(100);
    assert_eq!(first.len(), crate::worker::CONCURRENCY);
    assert!(app.cx.session.plants.marked.is_empty());
    let next = sent(&app.update(responded(&first[0], 204)));
    assert_eq!(next.iter().map(|operation| operation.kind.plant_id().0).collect::<Vec<_>>(), [9]);
    assert!(status_line(&app).starts_with("Deleting 100 plants: 1 deleted"), "{}", status_line(&app));
    let mut rest = first[1..].to_vec();
    rest.extend(next);
    assert_eq!(end_all(&mut app, rest, |operation| responded(operation, 204)), 99);
    assert!(status_line(&app).starts_with("Of 100 plants: 100 deleted"), "{}", status_line(&app));
    assert!(app.is_idle() && !app.cx.display.has_dialog);
}

#[test]
fn five_unknown_deletes_in_a_row_stop_the_others_and_ask() {
    let (mut app, first) = deleting(100);
    assert_eq!(end_all(&mut app, first, |operation| responded(operation, 503)), 5 - 1 + crate::worker::CONCURRENCY);
    assert_eq!(
        status_line(&app),
        "Of 100 plants: 0 deleted, 0 rejected, 12 unknown, 88 not sent. u resolves unknown ones. r sends again those not sent."
    );
    assert_eq!((title(&app).as_str(), chosen(&app)), ("Go on?", Act::Leave));
    assert!(dialog(&app).says("88 operations were not sent."));
    // To stop is safe, and the rest is kept.
    press(&mut app, "<esc>");
    assert!(app.is_idle() && !app.cx.display.has_dialog);
    assert_eq!(app.cx.session.unsent.len(), 88);
}

#[test]
fn a_plant_that_changed_meanwhile_is_not_to_be_sent_again() {
    let (mut app, first) = deleting(2);
    app.update(overtaken(&first[0]));
    app.update(overtaken(&first[1]));
    assert_eq!(
        status_line(&app),
        "Of 2 plants: 0 deleted, 0 rejected, 0 unknown, 2 not sent. 2 plants were resolved or changed elsewhere meanwhile; look again."
    );
    assert!(app.cx.session.unsent.is_empty());
}

#[test]
fn a_person_can_go_on_after_the_brake() {
    let (mut app, first) = deleting(100);
    end_all(&mut app, first, |operation| failed(operation, FailureKind::TimedOut));
    press(&mut app, "<tab>");
    let again = sent(&press(&mut app, "<enter>"));
    assert_eq!(again.first().map(|operation| operation.kind.plant_id().0), Some(13));
    assert_eq!(again.len(), crate::worker::CONCURRENCY);
    assert_eq!(app.cx.session.unsent, []);
    // The brake counts from the beginning.
    assert_eq!(end_all(&mut app, again, |operation| responded(operation, 204)), 88);
    assert_eq!(
        status_line(&app),
        "Of 88 plants: 88 deleted, 0 rejected, 0 unknown, 0 not sent. z re-adds the deleted ones."
    );
}

#[test]
fn a_few_operations_with_a_proof_between_them_go_on() {
    let (mut app, mut operations) = deleting(40);
    let mut ended = 0;
    while let Some(operation) = operations.pop() {
        ended += 1;
        let status = if ended % 5 == 0 { 204 } else { 500 };
        operations.extend(sent(&app.update(responded(&operation, status))));
    }
    assert_eq!(ended, 40);
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn a_503_with_retry_after_waits_and_counts() {
    let (mut app, first) = deleting(100);
    let effects = app.update(responded_after(&first[0], 503, "7"));
    assert!(effects.contains(&Effect::WaitForBatch(Duration::from_secs(7))), "{effects:?}");
    assert_eq!(sent(&effects), []);
    assert!(status_line(&app).ends_with("The store asks to wait 7 s."), "{}", status_line(&app));
    assert_eq!(sent(&app.update(responded(&first[1], 204))), []);
    assert_eq!(sent(&app.update(Msg::BatchDue)).len(), 2);
}

#[test]
fn ctrl_c_keeps_what_was_not_sent_yet() {
    let (mut app, first) = deleting(100);
    assert!(press(&mut app, "<c-c>").contains(&Effect::CancelAll));
    assert_eq!(end_all(&mut app, first, |operation| failed(operation, FailureKind::CancelledInFlight)), 8);
    assert_eq!(app.cx.session.unsent.len(), 92);
    assert!(app.is_idle() && !app.cx.display.has_dialog);
    // Also those that the list does not show any more have their names.
    app.update(window(&[]));
    press(&mut app, "r");
    assert!(dialog(&app).says("delete  plant 9 (9)"), "{:#?}", dialog(&app));
}

#[test]
fn one_question_forgets_all_plants_that_the_store_does_not_have() {
    let (mut app, first) = deleting(10);
    let not_there = |operation: &Operation| not_found(operation, row(operation.kind.plant_id().0, State::Stored));
    end_all(&mut app, first, not_there);
    assert_eq!(title(&app), "The store says it has none of these 10 plants");
    assert_eq!((app.behind(), chosen(&app)), (0, Act::Leave));
    let effects = press(&mut app, "<tab><enter>");
    let [Effect::Resolve(forgotten, Resolution::Forget)] = effects.as_slice() else { unreachable!("{effects:?}") };
    let mut forgotten = forgotten.clone();
    forgotten.sort_by_key(|plant| plant.id);
    assert_eq!(forgotten, (1..=10).map(|id| decided(id, None)).collect::<Vec<_>>());
}

#[test]
fn the_question_says_what_a_404_means_after_each_kind_of_unknown_operation() {
    let (mut app, first) = deleting(4);
    let rows: Vec<_> = (1..=4).map(|id| row(id, State::Unknown)).collect();
    let delete = |id: i64| OperationKind::Delete(PlantId(id));
    let adds = |id: i64| OperationKind::add(Plant { name: "n".into(), id: PlantId(id), tag: "t".into() });
    let kinds = [Some(delete(1)), Some(delete(2)), Some(adds(3)), None];
    for ((operation, row), kind) in first.iter().zip(rows).zip(kinds) {
        let Msg::Report(mut report) = not_found(operation, row) else { unreachable!("it is a report") };
        let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
        ended.unknown = kind.map(|kind| unknown_operation(2, kind));
        app.update(Msg::Report(report));
    }
    let lines = lines_of(&app).join(" ");
    for part in [
        "2 of them: Earlier deletes of these ids ended unknown: they may have worked",
        "1 of them: An earlier add of this id ended unknown",
        "1 of them: The store may have lost it, or another person",
    ] {
        assert!(lines.contains(part), "{lines}");
    }
}

#[test]
fn a_single_plant_that_the_store_does_not_have_has_its_own_question() {
    let (mut app, first) = deleting(2);
    app.update(responded(&first[0], 204));
    app.update(not_found(&first[1], row(2, State::Stored)));
    assert_eq!(title(&app), "The store says it has no plant 2");
    assert!(press(&mut app, "<tab><enter>").contains(&Effect::Resolve(vec![decided(2, None)], Resolution::Forget)));
}

#[test]
fn many_adds_that_were_not_sent_have_the_brake_too() {
    let mut app = new_app();
    let add = |id: i64| OperationKind::add(Plant { name: "n".into(), id: PlantId(id), tag: "t".into() });
    app.cx.session.unsent = (1..=30).map(add).collect();
    press(&mut app, "r");
    let first = sent(&press(&mut app, "r"));
    assert_eq!(first.len(), crate::worker::CONCURRENCY);
    assert_eq!(end_all(&mut app, first, |operation| responded(operation, 500)), 12);
    assert_eq!((title(&app).as_str(), app.cx.session.unsent.len()), ("Go on?", 18));
}
