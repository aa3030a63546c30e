//! Whole runs against stores that are a function: no network, every response at will.

mod orders;
mod strangers;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::domain::{
    BodyEnd, Credentials, Ending, Exchange, Failure, FailureKind, Header, MediaType, Method, Operation, OperationId,
    OperationKind, Outcome, Phases, PlantId, Probe, Record, Request, Resolution, Response, StoreUrl, Timestamp,
};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

fn store() -> StoreUrl {
    "http://plants.example".parse().unwrap()
}

fn run(wanted: Wanted, leftovers: &[EarlierLeftover]) -> Run {
    let before = EarlierRuns { leftovers: leftovers.to_vec(), ..EarlierRuns::default() };
    Run::new(&store(), NOW, wanted, Duration::from_millis(5), 7, &before)
}

fn responded(status: u16, body: &str) -> Ending {
    let headers = vec![Header { name: "content-type".into(), value: "application/json; charset=utf-8".into() }];
    let (reason, version) = (String::new(), "HTTP/1.1".into());
    let body = body.as_bytes().to_vec();
    Ending::Responded(Response { status, reason, version, headers, body, body_end: BodyEnd::Complete })
}

fn without_response(kind: FailureKind) -> Ending {
    Ending::Failed(Failure { kind, detail: String::new() })
}

/// A store that does as the document says, and as a plain REST service where it is silent.
#[derive(Default)]
struct Honest {
    ids: BTreeSet<String>,
}

impl Honest {
    fn response(&mut self, kind: &OperationKind, probe: &Probe) -> Ending {
        if probe.credentials != Credentials::Token {
            return responded(401, r#"{"error":"who are you"}"#);
        }
        match kind {
            OperationKind::Delete(id) => {
                let id = probe.path_id.clone().unwrap_or_else(|| id.to_string());
                if self.ids.remove(&id) { responded(204, "") } else { responded(404, r#"{"error":"no such plant"}"#) }
            }
            OperationKind::Add(_) if probe.media_type != MediaType::Json => responded(415, r#"{"error":"json"}"#),
            OperationKind::Add(plant) => {
                let sent = probe.body.clone().unwrap_or_else(|| serde_json::to_string(plant).unwrap());
                let Ok(sent) = serde_json::from_str::<serde_json::Value>(&sent) else { return responded(400, "") };
                match (sent["name"].as_str(), sent["id"].as_i64(), sent["tag"].as_str()) {
                    (Some(name), Some(id), Some(tag)) if self.ids.insert(id.to_string()) => {
                        responded(201, &serde_json::json!({ "name": name, "tag": tag }).to_string())
                    }
                    (Some(_), Some(_), Some(_)) => responded(409, r#"{"error":"taken"}"#),
                    (_, _, _) => responded(400, r#"{"error":"bad"}"#),
                }
            }
        }
    }
}

/// What goes out, by the document but for the probe.
fn request(kind: &OperationKind, probe: &Probe) -> Request {
    let (method, target, body) = match kind {
        OperationKind::Add(plant) => {
            let body = probe.body.clone().unwrap_or_else(|| serde_json::to_string(plant).unwrap());
            (Method::Post, "/plants".to_owned(), Some(body))
        }
        OperationKind::Delete(id) => {
            let id = probe.path_id.clone().unwrap_or_else(|| id.to_string());
            (Method::Delete, format!("/plants/{id}"), None)
        }
    };
    Request { method, url: format!("http://plants.example{target}"), target, headers: Vec::new(), body }
}

/// How what a run asked for has ended.
fn exchange(number: u32, kind: OperationKind, probe: Probe, ending: Ending) -> Exchange {
    let request = Some(request(&kind, &probe));
    let operation = Operation { probe: Some(probe), ..Operation::new(OperationId { origin: 1, number }, kind, NOW) };
    Exchange { operation, request, ending, started: NOW, elapsed: Duration::ZERO, phases: Phases::default() }
}

/// What a run wants after an event, once its pause is over.
#[derive(Default)]
struct Wants {
    forgets: Vec<Gone>,
    after: Duration,
    sends: Option<(OperationKind, Probe)>,
}

fn tell(run: &mut Run, event: Event) -> Wants {
    let (mut wants, mut orders) = (Wants::default(), VecDeque::from(run.handle(event)));
    while let Some(order) = orders.pop_front() {
        match order {
            Order::Send(kind, probe) => wants.sends = Some((kind, probe)),
            Order::Pause(after) => {
                wants.after = after;
                orders.extend(run.handle(Event::PauseOver));
            }
            Order::Forget(id, doubt) => wants.forgets.push((id, doubt)),
            Order::Keep(_) | Order::Finish(_) => assert!(wants.sends.is_none()),
            Order::Cancel => unreachable!(),
        }
    }
    wants
}

fn ended(exchange: Exchange) -> Event {
    Event::Ended(Box::new(exchange), NOW)
}

/// Runs to the end; returns every exchange.
fn carry_out(run: &mut Run, mut store: impl FnMut(&OperationKind, &Probe) -> Ending) -> Vec<Exchange> {
    let (mut all, mut event) = (Vec::new(), Event::Begin);
    for number in 1.. {
        assert!(number < 1_000, "it never ends");
        let Some((kind, probe)) = tell(run, event).sends else { break };
        let ending = store(&kind, &probe);
        let exchange = exchange(number, kind, probe, ending);
        all.push(exchange.clone());
        event = ended(exchange);
    }
    all
}

/// What a store that keeps the document comes to.
pub(super) fn honest(wanted: Wanted) -> Report {
    let (mut run, mut store) = (run(wanted, &[]), Honest::default());
    carry_out(&mut run, |kind, probe| store.response(kind, probe));
    run.report()
}

/// What a store comes to that takes any token, tells neither name nor tag, and loses its way when the
/// second plant is to be deleted.
pub(super) fn crooked(wanted: Wanted) -> Report {
    let (mut run, mut store, mut planted) = (run(wanted, &[]), Honest::default(), Vec::new());
    carry_out(&mut run, |kind, probe| {
        if probe.credentials == Credentials::WrongToken {
            return store.response(kind, &Probe { credentials: Credentials::Token, ..probe.clone() });
        }
        match kind {
            OperationKind::Add(plant) if probe.body.is_none() => {
                planted.push(plant.id);
                let ending = store.response(kind, probe);
                let is_planted = matches!(&ending, Ending::Responded(response) if response.status == 201);
                if is_planted { responded(201, r#"{"status":"planted"}"#) } else { ending }
            }
            OperationKind::Delete(id) if planted.get(1) == Some(id) => responded(500, "<h1>Oops</h1>"),
            OperationKind::Add(_) | OperationKind::Delete(_) => store.response(kind, probe),
        }
    });
    run.report()
}

/// A report in which every text is this one.
pub(super) fn saying(text: &str) -> Report {
    static CROOKED: LazyLock<Report> = LazyLock::new(|| crooked(Wanted::default()));
    let mut report = CROOKED.clone();
    report.store = text.to_owned();
    report.wanted.only = vec![text.to_owned()];
    report.cut_short = Some(text.to_owned());
    report.diagnosis = Diagnosis::EndedEarly(text.to_owned(), Counts::default());
    for rule in &mut report.rules {
        rule.evidence = text.to_owned();
    }
    for observed in &mut report.undocumented {
        (observed.value, observed.evidence) = (text.to_owned(), text.to_owned());
    }
    let (verdict, exchanges) = (Verdict::Fail, Vec::new());
    let (name, evidence) = (text.to_owned(), text.to_owned());
    report.rules.push(RuleResult { name, verdict, reason: None, evidence, exchanges: exchanges.clone() });
    let (name, value, evidence) = (text.to_owned(), text.to_owned(), text.to_owned());
    report.undocumented.push(Observation { name, value, evidence, exchanges });
    report.leftovers.push(Leftover {
        id: PlantId(7),
        name: text.to_owned(),
        why: text.to_owned(),
        clean_up: CleanUp::Pending,
    });
    report
}

/// Texts that mean something to a terminal, to Markdown or to XML.
pub(super) fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[|`\\\\<>&*_#\\[\\]!{}'\"\n\r\t \u{0}\u{7}\u{1b}\u{85}\u{200b}\u{202e}\u{2028}\u{fffe}\u{ffff}a漢-]{0,30}",
        Just("]]> <!-- {{head}} --> | | \n\n# x\n| --- |".to_owned()),
    ]
}

fn verdicts(report: &Report, verdict: Verdict) -> Vec<&str> {
    report.rules.iter().filter(|rule| rule.verdict == verdict).map(|rule| rule.name.as_str()).collect()
}

fn value<'a>(report: &'a Report, name: &str) -> &'a str {
    &report.undocumented.iter().find(|observed| observed.name == name).unwrap().value
}

#[test]
fn a_store_that_keeps_the_document_keeps_every_clause_and_nothing_is_left() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    let sent = carry_out(&mut run, |kind, probe| store.response(kind, probe)).len();
    let report = run.report();
    assert_eq!(verdicts(&report, Verdict::Pass).len(), RULES.len(), "{:#?}", report.rules);
    assert_eq!(
        (report.diagnosis.conclusion(), report.requests, report.undocumented.len()),
        (Conclusion::Pass, sent, UNDOCUMENTED.len())
    );
    assert_eq!((report.leftovers.as_slice(), store.ids.len()), (&[][..], 0));
    assert_eq!(value(&report, "id-largest"), "accepted: 201");
    assert_eq!(value(&report, "id-missing"), "rejected: 400");
    assert_eq!(value(&report, "unicode"), "accepted: 201; name and tag came back code point by code point");
    assert_eq!(value(&report, "second-create"), "rejected: 409");
    assert_eq!(value(&report, "error-bodies"), "a JSON object with error; or no body");
    assert!(
        report.undocumented.iter().all(|observed| !observed.evidence.is_empty() || observed.name == "limit-headers")
    );
}

#[test]
fn rows_are_told_as_soon_as_they_are_decided_and_stay_as_they_are() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    let mut before = run.report();
    assert!(before.rules.is_empty() && before.undocumented.is_empty());
    let (mut watched, mut event) = (run.clone(), Event::Begin);
    for number in 1.. {
        let wants = tell(&mut watched, event);
        let now = watched.report();
        assert!(before.rules.iter().all(|rule| now.rules.contains(rule)), "{number}");
        assert!(before.undocumented.iter().all(|observed| now.undocumented.contains(observed)), "{number}");
        before = now;
        let Some((kind, probe)) = wants.sends else { break };
        let ending = store.response(&kind, &probe);
        event = ended(exchange(number, kind, probe, ending));
    }
    carry_out(&mut run, |_, _| responded(500, ""));
    assert_eq!(before.rules.len(), RULES.len());
}

#[test]
fn what_is_not_asked_for_is_not_sent() {
    let gentle = Wanted { gentle: true, only: Vec::new() };
    let (mut run_gently, mut store) = (run(gentle, &[]), Honest::default());
    let gentle = carry_out(&mut run_gently, |kind, probe| store.response(kind, probe));
    let report = run_gently.report();
    assert_eq!(
        (report.rules.len(), report.undocumented.len(), report.diagnosis.conclusion()),
        (RULES.len(), 0, Conclusion::Pass)
    );
    assert!(gentle.iter().all(|exchange| exchange.operation.follows_document()));

    let only = Wanted { gentle: false, only: vec!["id-zero".into(), "create-accepted".into()] };
    let (mut run_only, mut store) = (run(only, &[]), Honest::default());
    let sent = carry_out(&mut run_only, |kind, probe| store.response(kind, probe)).len();
    let report = run_only.report();
    assert_eq!((report.rules.len(), report.undocumented.len()), (1, 1));
    assert!(sent < 10 && store.ids.is_empty(), "{sent}");
}

#[test]
fn a_store_that_asks_for_patience_gets_it_and_what_it_held_up_is_sent_again() {
    let (mut run, mut store, mut count) = (run(Wanted::default(), &[]), Honest::default(), 0);
    let sent = carry_out(&mut run, |kind, probe| {
        count += 1;
        if count % 3 != 0 {
            return store.response(kind, probe);
        }
        let Ending::Responded(response) = responded(429, "") else { unreachable!() };
        let headers = vec![Header { name: "Retry-After".into(), value: "2".into() }];
        Ending::Responded(Response { headers, ..response })
    });
    let report = run.report();
    assert_eq!((report.diagnosis.conclusion(), report.requests), (Conclusion::Pass, sent.len()), "{:#?}", report.rules);
    assert_eq!((value(&report, "limit-headers"), store.ids.len()), ("retry-after", 0));
}

#[test]
fn a_store_that_never_answers_is_not_asked_for_long() {
    let mut run = run(Wanted::default(), &[]);
    let sent = carry_out(&mut run, |_, _| without_response(FailureKind::TimedOut)).len();
    let report = run.report();
    assert!(sent < 8, "{sent}");
    assert_eq!(
        (report.diagnosis.conclusion(), verdicts(&report, Verdict::Inconclusive).len()),
        (Conclusion::None, RULES.len())
    );
    assert_eq!(report.leftovers.len(), 1, "{:#?}", report.leftovers);
    assert!(report.cut_short.is_some());
}

#[test]
fn where_nothing_arrives_nothing_is_told_and_nothing_is_left() {
    let mut run = run(Wanted::default(), &[]);
    carry_out(&mut run, |_, _| without_response(FailureKind::NotConnected));
    let report = run.report();
    assert_eq!((report.diagnosis.conclusion(), report.leftovers.len()), (Conclusion::NotSent, 0));
}

#[test]
fn a_first_id_that_is_taken_is_drawn_anew() {
    let (mut run, mut store, mut first) = (run(Wanted::default(), &[]), Honest::default(), true);
    carry_out(
        &mut run,
        |kind, probe| {
            if std::mem::take(&mut first) { responded(409, "") } else { store.response(kind, probe) }
        },
    );
    assert_eq!(run.report().diagnosis.conclusion(), Conclusion::Pass);
    assert!(store.ids.is_empty());
}

/// What the journal would say of every plant, with what the run wants to be forgotten.
#[test]
fn what_the_view_holds_after_a_run_is_what_the_run_left_behind() {
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
        let (mut view, mut event) = (BTreeMap::<PlantId, Record>::new(), Event::Begin);
        for number in 1.. {
            let wants = tell(&mut run, event);
            for (id, doubt) in wants.forgets {
                let record = view.get_mut(&id).unwrap();
                assert!(record.is_unchanged(doubt), "{seed}: {id} {doubt:?} {:?}", record.row());
                record.resolved(Resolution::Forget, NOW);
            }
            let Some((kind, probe)) = wants.sends else { break };
            let ending = match random.u32(0..12) {
                0 => {
                    store.response(&kind, &probe);
                    without_response(FailureKind::NoResponse)
                }
                1 => responded(500, ""),
                _ => store.response(&kind, &probe),
            };
            let plant = kind.plant_id();
            let exchange = exchange(number, kind, probe, ending);
            let record = view.entry(plant).or_insert_with(|| Record::new(plant));
            record.asked(&exchange.operation);
            record.ended(exchange.operation.id, exchange.outcome(), NOW);
            event = ended(exchange);
        }
        let in_view: Vec<_> = view.values().filter_map(Record::row).map(|row| row.id).collect();
        let mut left: Vec<_> = run.report().leftovers.iter().map(|left| left.id).collect();
        left.sort_unstable();
        left.dedup();
        assert_eq!(left, in_view, "{seed}");
    }
}

#[test]
fn what_an_earlier_run_left_is_taken_away_first() {
    let id = PlantId(1_234_567_890);
    let (name, probe) = ("Plants Check".to_owned(), Probe::default());
    let plain = EarlierLeftover { id, name, probe, accepted: true, doubt: None, in_vain: false };
    let (body, leaves_id_open) = (Some(r#"{"name":"x","id":1234567890.5,"tag":"y"}"#.to_owned()), true);
    let float = EarlierLeftover { probe: Probe { body, leaves_id_open, ..Probe::default() }, ..plain.clone() };
    for (leftover, path) in [(plain, "1234567890"), (float, "1234567890.5")] {
        let only = Wanted { gentle: true, only: vec!["create-accepted".into()] };
        let (mut run, mut store) = (run(only, &[leftover]), Honest::default());
        store.ids.insert(path.to_owned());
        carry_out(&mut run, |kind, probe| store.response(kind, probe));
        assert_eq!((run.report().leftovers.len(), store.ids.len()), (0, 0));
    }
}

#[test]
fn what_is_not_there_any_more_is_forgotten_and_what_has_perhaps_another_id_is_not() {
    for (leaves_id_open, accepted) in [(false, true), (false, false), (true, true)] {
        let body = leaves_id_open.then(|| r#"{"name":"x","id":"1234567890","tag":"y"}"#.to_owned());
        let probe = Probe { body, leaves_id_open, ..Probe::default() };
        let (name, id) = ("Plants Check".to_owned(), PlantId(1_234_567_890));
        let doubt = Some(OperationId { origin: 9, number: 9 });
        let left = EarlierLeftover { id, name, probe, accepted, doubt, in_vain: false };
        let only = Wanted { gentle: true, only: vec!["delete-accepted".into()] };
        let (mut run, mut store, mut forgotten) = (run(only, &[left]), Honest::default(), Vec::new());
        let mut event = Event::Begin;
        for number in 1.. {
            let wants = tell(&mut run, event);
            forgotten.extend(wants.forgets);
            let Some((kind, probe)) = wants.sends else { break };
            let ending = store.response(&kind, &probe);
            event = ended(exchange(number, kind, probe, ending));
        }
        assert_eq!(forgotten, Vec::from_iter((!leaves_id_open).then_some((id, doubt))));
        assert_eq!(run.report().leftovers.is_empty(), !leaves_id_open);
    }
}

/// Its delete was cancelled in flight and carried out all the same: the 404 to the next one keeps nothing from
/// being tried, and is understood once other plants were deleted.
#[test]
fn a_leftover_whose_unknown_delete_was_carried_out_is_forgotten() {
    let (name, id, unknown) = ("Plants Check".to_owned(), PlantId(1_234_567_890), OperationId { origin: 9, number: 9 });
    let (probe, doubt) = (Probe::default(), Some(unknown));
    let left = EarlierLeftover { id, name, probe, accepted: true, doubt, in_vain: true };
    let (mut run, mut store) = (run(Wanted::default(), &[left]), Honest::default());
    let (mut forgotten, mut event) = (Vec::new(), Event::Begin);
    for number in 1.. {
        let wants = tell(&mut run, event);
        forgotten.extend(wants.forgets);
        let Some((kind, probe)) = wants.sends else { break };
        let ending = store.response(&kind, &probe);
        event = ended(exchange(number, kind, probe, ending));
    }
    let report = run.report();
    assert!(forgotten.contains(&(id, doubt)), "{forgotten:?}");
    assert_eq!((report.diagnosis.conclusion(), report.leftovers.as_slice()), (Conclusion::Pass, &[][..]));
}

#[test]
fn a_store_with_ids_of_its_own_is_cleaned_up_by_those() {
    let (mut run, mut store, mut next) = (run(Wanted::default(), &[]), Honest::default(), 0);
    carry_out(&mut run, |kind, probe| match store.response(kind, probe) {
        Ending::Responded(response) if response.status == 201 => {
            let OperationKind::Add(plant) = kind else { unreachable!() };
            store.ids.remove(&plant.id.to_string());
            next += 1;
            store.ids.insert(next.to_string());
            let name = serde_json::from_slice::<serde_json::Value>(&response.body).unwrap();
            let body = serde_json::json!({ "name": name["name"], "tag": name["tag"], "id": next });
            responded(201, &body.to_string())
        }
        other @ (Ending::Responded(_) | Ending::Failed(_)) => other,
    });
    let report = run.report();
    assert_eq!((store.ids.len(), report.leftovers.as_slice()), (0, &[][..]));
    assert_eq!(verdicts(&report, Verdict::Fail), ["delete-accepted"]);
    assert_eq!(value(&report, "id-in-response"), "yes, but another number than was sent");
}

#[test]
fn a_store_that_has_each_name_once_is_not_blamed_for_it() {
    let (mut run, mut store, mut names) = (run(Wanted::default(), &[]), Honest::default(), BTreeMap::new());
    carry_out(&mut run, |kind, probe| match kind {
        OperationKind::Add(plant)
            if probe.credentials == Credentials::Token && names.values().any(|name| *name == plant.name) =>
        {
            responded(409, "")
        }
        OperationKind::Add(plant) => {
            let ending = store.response(kind, probe);
            if matches!(&ending, Ending::Responded(response) if response.status == 201) {
                names.insert(plant.id, plant.name.clone());
            }
            ending
        }
        OperationKind::Delete(id) => {
            let ending = store.response(kind, probe);
            if matches!(&ending, Ending::Responded(response) if response.status == 204) {
                names.remove(id);
            }
            ending
        }
    });
    let report = run.report();
    assert_eq!(verdicts(&report, Verdict::Inconclusive), ["delete-single-plant"]);
    assert_eq!((report.diagnosis.conclusion(), store.ids.len()), (Conclusion::Pass, 0));
}

#[test]
fn a_plant_that_the_store_made_of_nothing_that_was_sent_is_listed_and_nothing_else_is_touched() {
    let (mut run, mut store, mut next) = (run(Wanted::default(), &[]), Honest::default(), 0);
    let sent = carry_out(&mut run, |kind, probe| {
        if probe.media_type == MediaType::Json {
            return store.response(kind, probe);
        }
        next += 1;
        store.ids.insert(next.to_string());
        responded(201, &serde_json::json!({ "id": next }).to_string())
    });
    let report = run.report();
    assert_eq!((store.ids.len(), report.leftovers.len()), (2, 2));
    let told = |exchange: &Exchange| {
        let probe = exchange.operation.probe.as_ref();
        probe.and_then(|probe| probe.path_id.as_deref()).is_some_and(|path| ["1", "2"].contains(&path))
    };
    assert!(!sent.iter().any(told));
}

/// Runs the check against a store that departs from the document at random, and at most `oddness` times in
/// four: the run ends, a verdict rests on responses alone, and every plant at the store is listed.
fn odd_store(seed: u64, oddness: u32) -> Result<(), TestCaseError> {
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    let sent = carry_out(&mut run, |kind, probe| {
        if random.u32(0..4) >= oddness {
            return store.response(kind, probe);
        }
        match random.u32(0..8) {
            0 => without_response(FailureKind::NotConnected),
            1 => {
                store.response(kind, probe);
                without_response(FailureKind::TimedOut)
            }
            2 => without_response(FailureKind::NoResponse),
            3 => {
                store.response(kind, probe);
                responded(500, "")
            }
            4 => responded(200, "{}"),
            5 => responded(400, "<html>"),
            6 => responded(429, ""),
            _ => responded(301, ""),
        }
    });
    let report = run.report();
    prop_assert_eq!(report.rules.len() + report.undocumented.len(), RULES.len() + UNDOCUMENTED.len());
    prop_assert_eq!(report.requests, sent.len());
    let by_id = |id: &OperationId| sent.iter().find(|exchange| exchange.operation.id == *id).unwrap();
    for rule in &report.rules {
        let responded = rule.exchanges.iter().all(|id| by_id(id).response().is_some());
        if rule.verdict != Verdict::Inconclusive {
            prop_assert!(responded && !rule.exchanges.is_empty(), "{:?}", rule);
        }
        let is_about_a_rejection = ["token", "scheme"].iter().any(|word| rule.name.contains(word));
        if rule.verdict == Verdict::Pass && is_about_a_rejection {
            let has_control = rule.exchanges.iter().map(by_id).any(|exchange| {
                let probe = exchange.operation.probe.as_ref().unwrap();
                exchange.outcome() == Outcome::Accepted && probe.credentials == Credentials::Token
            });
            prop_assert!(has_control, "{:?}", rule);
        }
        prop_assert_eq!(rule.reason.is_some(), rule.verdict == Verdict::Inconclusive);
    }
    // A yes to a delete that the store did not carry out is the store's lie.
    if !sent.iter().any(|exchange| exchange.status() == Some(200)) {
        for id in &store.ids {
            let listed = report.leftovers.iter().any(|left| left.id.to_string() == *id);
            prop_assert!(listed, "{} is there and not listed", id);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_store_makes_it_lie(seed in any::<u64>(), oddness in 0..4_u32) {
        odd_store(seed, oddness)?;
    }
}

/// A rejection other than 404 and 410, met by a delete of an id that was never used, says nothing about a plant
/// whose delete ended unknown.
#[test]
fn what_the_store_has_for_an_unused_id_does_not_resolve_an_unknown_delete() {
    odd_store(8_108_049_980_609_250_896, 2).unwrap();

    // The first delete never arrives, and every other is rejected in the words for an unused id.
    let (mut run, mut store, mut planted) = (run(Wanted::default(), &[]), Honest::default(), Vec::new());
    let mut lost = None;
    carry_out(&mut run, |kind, probe| match kind {
        OperationKind::Add(plant) => {
            planted.push(plant.id);
            store.response(kind, probe)
        }
        OperationKind::Delete(id) if planted.get(2) == Some(id) => match lost.replace(*id) {
            None => without_response(FailureKind::NoResponse),
            Some(_) => responded(422, ""),
        },
        OperationKind::Delete(_) => match store.response(kind, probe) {
            Ending::Responded(response) if response.status == 404 => responded(422, ""),
            other @ (Ending::Responded(_) | Ending::Failed(_)) => other,
        },
    });
    let there: Vec<_> = run.report().leftovers.iter().map(|left| left.id).collect();
    assert_eq!(there, Vec::from_iter(lost));
    assert_eq!(store.ids, there.iter().map(PlantId::to_string).collect());
}

#[test]
fn a_rejection_is_about_the_token_only_where_the_token_was_accepted() {
    // With the token every create is rejected for another reason, without it for want of the token.
    let mut run = run(Wanted::default(), &[]);
    carry_out(&mut run, |_, probe| responded(if probe.credentials == Credentials::Token { 422 } else { 401 }, "{}"));
    let report = run.report();
    assert_eq!(verdicts(&report, Verdict::Pass), [""; 0]);
    assert_eq!(verdicts(&report, Verdict::Fail), ["create-accepted"]);
}

#[test]
fn a_redirect_to_another_origin_is_a_wrong_base_url_and_one_within_it_fails() {
    for (location, conclusion) in [("https://plants.example/plants", Conclusion::None), ("/plants/", Conclusion::Fail)]
    {
        let mut run = run(Wanted::default(), &[]);
        carry_out(&mut run, |_, _| {
            let Ending::Responded(response) = responded(308, "") else { unreachable!() };
            let headers = vec![Header { name: "Location".into(), value: location.into() }];
            Ending::Responded(Response { headers, ..response })
        });
        let report = run.report();
        assert_eq!(report.diagnosis.conclusion(), conclusion, "{}", report.diagnosis);
        assert_eq!(report.diagnosis.to_string().contains(location), conclusion == Conclusion::None);
    }
}

#[test]
fn a_changed_name_is_called_what_it_is() {
    for (came, words) in [
        ("plants check", "came back in lower case"),
        ("PLANTS CHECK", "came back in upper case"),
        ("Plants  Check", "came back with other white space"),
    ] {
        assert_eq!(evidence::changed_how("Plants Check", came), Some(words));
    }
    assert_eq!(evidence::changed_how(" Plants Check ", "Plants Check"), Some("came back trimmed"));
    assert_eq!(evidence::changed_how("Plants Check", "Fern"), None);
}
