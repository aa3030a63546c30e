//! The orders of a run after each event, and the events that it ignores.

use super::super::probe_requests::ProbeRequests;
use super::super::steps::Step;
use super::*;

/// Returns a run that has sent its first request, and the exchange of that.
fn sending() -> (Run, Exchange) {
    let mut run = run(Wanted::default(), &[]);
    let (kind, probe) = handle(&mut run, Event::Begin).sends.unwrap();
    let ending = Honest::default().response(&kind, &probe);
    (run, exchange(1, kind, probe, ending))
}

/// Returns a run in the pause before its second request.
fn pausing() -> Run {
    let (mut run, first) = sending();
    assert_eq!(run.handle(ended(first)), Some(Order::Pause(Duration::from_millis(5))));
    run
}

fn died(operation: Option<Operation>) -> Event {
    Event::WorkerDied(operation.map(Box::new), NOW)
}

/// Returns the report of the last order of a run.
fn finished(order: Option<Order>) -> Report {
    let Some(Order::Finish(report)) = order else { panic!("{order:?}") };
    *report
}

#[test]
fn a_stopped_run_cleans_up() {
    for (stop_after, in_flight) in (0..80).flat_map(|number| [(number, false), (number, true)]) {
        let (mut run, mut store, mut event) = (run(Wanted::default(), &[]), Honest::default(), Event::Begin);
        for number in 1.. {
            let Some((kind, probe)) = handle(&mut run, event).sends else { break };
            if in_flight && number == stop_after {
                assert_eq!(run.handle(Event::Stop), Some(Order::Cancel));
            }
            let ending = store.response(&kind, &probe);
            event = ended(exchange(number, kind, probe, ending));
            if !in_flight && number == stop_after {
                run.handle(event);
                let order = run.handle(Event::Stop);
                assert!(!matches!(order, Some(Order::Send(..) | Order::Pause(_))), "{order:?}");
                event = Event::PauseOver;
            }
        }
        assert!(store.ids.is_empty(), "{stop_after}");
        let report = run.report();
        assert_eq!((report.rules.len(), report.leftovers.len()), (RULES.len(), 0));
    }
}

#[test]
fn a_second_stop_sends_nothing_more() {
    let mut in_pause = pausing();
    assert_eq!(in_pause.handle(Event::Stop), None, "its plant is deleted at the end of the pause");
    assert_eq!(finished(in_pause.handle(Event::Stop)).leftovers.len(), 1);
    let (mut in_flight, first) = sending();
    assert_eq!(in_flight.handle(Event::Stop), Some(Order::Cancel));
    assert_eq!(in_flight.handle(Event::Stop), Some(Order::Cancel));
    let order = in_flight.handle(ended(first));
    let report = finished(order);
    assert_eq!((report.cut_short.as_deref(), report.leftovers.len()), (Some("it was stopped"), 1));
}

#[test]
fn a_stop_during_a_clean_up_is_the_first_stop() {
    let (mut run, first) = sending();
    assert_eq!(run.handle(ended(first.clone())), Some(Order::Pause(Duration::from_millis(5))));
    assert!(matches!(run.handle(Event::PauseOver), Some(Order::Send(..))));
    let Ending::Responded(response) = responded(429, "") else { unreachable!() };
    let headers = [Header { name: "Retry-After".into(), value: "3600".into() }].into();
    let busy = Exchange { ending: Ending::Responded(Response { headers, ..response }), ..first };
    assert!(matches!(run.handle(ended(busy)), Some(Order::Pause(_))));
    assert!(run.report().cut_short.is_some() && !run.is_stopping());
    assert_eq!(run.handle(Event::Stop), None);
    assert!(matches!(run.handle(Event::PauseOver), Some(Order::Send(OperationKind::Delete(_), _))));
}

#[test]
fn an_abandoned_run_sends_nothing_more() {
    let order = pausing().handle(Event::Abandon("the program ended"));
    assert_eq!(finished(order).cut_short.as_deref(), Some("the program ended"));
    // Without a request the report is not stored.
    let order = run(Wanted::default(), &[]).handle(Event::Abandon("the program ended"));
    assert!(matches!(&order, Some(Order::Finish(report)) if report.requests == 0));
}

#[test]
fn the_request_in_flight_when_the_worker_dies_is_unknown() {
    let (mut run, first) = sending();
    let order = run.handle(died(Some(first.operation)));
    let report = finished(order);
    assert_eq!((report.requests, report.leftovers.len()), (1, 1));
    assert_eq!(report.cut_short.as_deref(), Some("the background task died"));
    assert_eq!(finished(pausing().handle(died(None))).requests, 1);
}

#[test]
fn late_events_are_ignored() {
    let (mut run, first) = sending();
    assert_eq!(run.handle(Event::PauseOver), None);
    assert_eq!(run.handle(Event::Begin), None);
    finished(run.handle(died(Some(first.operation.clone()))));
    let before = run.report();
    for event in [Event::Begin, Event::PauseOver, Event::Stop, Event::Abandon("again"), died(None), ended(first)] {
        assert_eq!(run.handle(event.clone()), None, "{event:?}");
    }
    assert_eq!(run.report(), before);
    let mut paused = pausing();
    let exchange = before.rules.len();
    assert_eq!(exchange, RULES.len());
    assert_eq!(paused.handle(Event::Begin), None);
}

#[test]
fn after_a_stop_a_probe_that_is_rejected_with_429_is_not_repeated() {
    let (mut run, first) = sending();
    assert_eq!(run.handle(Event::Stop), Some(Order::Cancel));
    let order = run.handle(ended(Exchange { ending: responded(429, ""), ..first }));
    assert_eq!(finished(order).requests, 1);
}

#[test]
fn other_ids_are_drawn_twice_and_then_short_ones() {
    let mut run = run(Wanted { gentle: false, only: vec!["create-accepted".to_owned()] }, &[]);
    let sent = carry_out(&mut run, |_, _| responded(409, ""));
    let ids: BTreeSet<_> = sent.iter().map(|exchange| exchange.operation.kind.plant_id()).collect();
    assert_eq!((sent.len(), ids.len()), (4, 4));
    let lengths: Vec<_> = ids.iter().map(|id| id.to_string().len()).collect();
    assert_eq!(lengths, [10, 19, 19, 19]);
    assert_eq!(run.report().diagnosis.conclusion(), Conclusion::Fail);
    // Something may have sent each create twice.
    assert_eq!(run.report().leftovers.iter().map(|left| left.id).collect::<BTreeSet<_>>(), ids);
}

#[test]
fn a_probe_is_left_out_for_what_became_of_the_one_before() {
    let plant = ProbeRequests::with_seed(7).id(Step::PlantForSecond);
    for (ending, why) in [
        (
            without_response(FailureKind::NotConnected),
            "the create before it was inconclusive: nothing reached the store",
        ),
        (without_response(FailureKind::NoResponse), "the create before it was inconclusive: no response came"),
        (responded(400, ""), "the create before it was rejected: 400"),
    ] {
        let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
        carry_out(
            &mut run,
            |kind, probe| {
                if kind.plant_id() == plant { ending.clone() } else { store.response(kind, probe) }
            },
        );
        assert_eq!(value(&run.report(), "second-create"), format!("not tried: {why}"));
    }
}

#[test]
fn a_plant_is_deleted_as_soon_as_no_probe_needs_it() {
    let plant = ProbeRequests::with_seed(7).id(Step::TagEmpty);
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    let sent = carry_out(&mut run, |kind, probe| {
        let ending = store.response(kind, probe);
        let is_lost = kind.plant_id() == plant && matches!(kind, OperationKind::Add(_));
        if is_lost { without_response(FailureKind::NoResponse) } else { ending }
    });
    let create = sent.iter().position(|sent| sent.operation.kind.plant_id() == plant).unwrap();
    assert_eq!(sent[create + 1].operation.kind, OperationKind::Delete(plant));
}

/// A store that cuts ids off could have another person's plant there.
#[test]
fn an_unknown_plant_is_deleted_only_after_the_store_has_kept_ids_apart() {
    let (mut run, mut store, mut is_first) = (run(Wanted::default(), &[]), Honest::default(), true);
    let sent = carry_out(&mut run, |kind, probe| {
        let ending = store.response(kind, probe);
        if std::mem::take(&mut is_first) { without_response(FailureKind::NoResponse) } else { ending }
    });
    assert!(
        sent.iter().all(|exchange| exchange.operation.kind != OperationKind::Delete(sent[0].operation.kind.plant_id()))
    );
    let report = run.report();
    assert_eq!(report.leftovers.len(), 1, "{:#?}", report.leftovers);
    assert_eq!(report.leftovers[0].clean_up, CleanUp::Pending);
}

#[test]
fn a_delete_without_the_token_is_not_why_its_plant_is_left() {
    let (mut run, mut store, mut event) = (run(Wanted::default(), &[]), Honest::default(), Event::Begin);
    let plant = ProbeRequests::with_seed(7).id(Step::DeleteWithoutToken);
    for number in 1.. {
        let (kind, probe) = handle(&mut run, event).sends.unwrap();
        let is_without_token = kind == OperationKind::Delete(plant) && probe.credentials == Credentials::None;
        let ending = store.response(&kind, &probe);
        event = ended(exchange(number, kind, probe, ending));
        if is_without_token {
            break;
        }
    }
    run.handle(event);
    let order = run.handle(Event::Abandon("the program ended"));
    let leftovers = finished(order).leftovers;
    let [left] = &leftovers[..] else { panic!("{leftovers:?}") };
    assert!(left.id == plant && left.why.starts_with("POST /plants {"), "{}", left.why);
}

#[test]
fn each_request_says_which_rows_it_decides() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    let sent = carry_out(&mut run, |kind, probe| store.response(kind, probe));
    let purposes: Vec<_> = sent.iter().map(|one| one.operation.purpose().unwrap()).collect();
    assert_eq!(
        purposes[0],
        "create-accepted, create-media-type, create-json-object, create-status, id-in-response, response-fields"
    );
    for purpose in RULES.iter().map(|rule| rule.name).chain(["preparation", "clean-up", "control"]) {
        assert!(purposes.iter().any(|found| found.split(", ").any(|word| word == purpose)), "{purpose}: {purposes:#?}");
    }
}
