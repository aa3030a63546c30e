//! Whole runs against stores that are functions, without a network.

mod assessments;
mod hiccups;
mod invented;
mod leftovers;
mod orders;
mod other_plants;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;

use super::diagnosis::Finding;
use super::*;
use crate::domain::{
    BodyEnd, Credentials, Ending, Exchange, Failure, FailureKind, Header, MediaType, Method, Operation, OperationId,
    OperationKind, Outcome, Phases, PlantId, Probe, Request, Response, StoreUrl, Timestamp,
};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

fn store() -> StoreUrl {
    "http://plants.example".parse().unwrap()
}

fn run(wanted: Wanted, leftovers: &[EarlierLeftover]) -> Run {
    let before = EarlierRuns { leftovers: leftovers.to_vec(), ..EarlierRuns::default() };
    Run::new(&store(), NOW, wanted, Pace::Fixed(Duration::from_millis(5)), 7, &before)
}

pub(crate) fn responded(status: u16, body: &str) -> Ending {
    let headers = [Header { name: "content-type".into(), value: "application/json; charset=utf-8".into() }].into();
    let (reason, version) = ("".into(), "HTTP/1.1".into());
    let body = body.as_bytes().to_vec();
    Ending::Responded(Response { status, reason, version, headers, body, body_end: BodyEnd::Complete })
}

pub(crate) fn without_response(kind: FailureKind) -> Ending {
    Ending::Failed(Failure { kind, detail: String::new() })
}

/// A store that keeps the document, and behaves like an ordinary REST service where the document leaves a point open.
#[derive(Default)]
pub(crate) struct Honest {
    ids: BTreeSet<String>,
}

impl Honest {
    pub(crate) fn response(&mut self, kind: &OperationKind, probe: &Probe) -> Ending {
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

/// Returns the request of an operation, which differs from the document by the probe.
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
    let url = format!("http://plants.example{target}").into();
    Request { method, url, target: target.into(), headers: Arc::default(), body }
}

pub(crate) fn exchange(number: u32, kind: OperationKind, probe: Probe, ending: Ending) -> Exchange {
    let request = Some(request(&kind, &probe));
    let operation = Operation { probe: Some(probe), ..Operation::new(OperationId { origin: 1, number }, kind, NOW) };
    Exchange { operation, request, ending, started: NOW, elapsed: Duration::ZERO, phases: Phases::default() }
}

/// The orders of a run after an event, and after the pause if the run ordered one.
#[derive(Default)]
struct Orders {
    pause: Duration,
    sends: Option<(OperationKind, Probe)>,
}

fn handle(run: &mut Run, event: Event) -> Orders {
    match run.handle(event) {
        Some(Order::Send(kind, probe)) => Orders { pause: Duration::ZERO, sends: Some((kind, probe)) },
        Some(Order::Pause(pause)) => Orders { pause, ..handle(run, Event::PauseOver) },
        Some(Order::Finish(_)) | None => Orders::default(),
        Some(Order::Cancel) => unreachable!(),
    }
}

fn ended(exchange: Exchange) -> Event {
    Event::Ended(Arc::new(exchange), NOW)
}

/// Carries out a run to its end. Passes the run and its orders after each event to `watch`. Returns every exchange.
fn watched(
    run: &mut Run,
    mut store: impl FnMut(&OperationKind, &Probe) -> Ending,
    mut watch: impl FnMut(&Run, &Orders, Option<&Exchange>),
) -> Vec<Exchange> {
    let mut all = Vec::<Exchange>::new();
    let mut orders = handle(run, Event::Begin);
    loop {
        watch(run, &orders, all.last());
        let Some((kind, probe)) = orders.sends else { return all };
        assert!(all.len() < 1_000, "the run never ends");
        let ending = store(&kind, &probe);
        all.push(exchange(u32::try_from(all.len()).unwrap() + 1, kind, probe, ending));
        orders = handle(run, ended(all[all.len() - 1].clone()));
    }
}

/// Carries out a run to its end; returns every exchange.
fn carry_out(run: &mut Run, store: impl FnMut(&OperationKind, &Probe) -> Ending) -> Vec<Exchange> {
    watched(run, store, |_, _, _| {})
}

/// Returns the report on a store that keeps the document.
pub(super) fn honest(wanted: Wanted) -> Report {
    let (mut run, mut store) = (run(wanted, &[]), Honest::default());
    carry_out(&mut run, |kind, probe| store.response(kind, probe));
    run.report()
}

/// Returns the report on a store that accepts any token, returns neither name nor tag, and fails at the delete of the
/// second plant.
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

/// Returns a report in which every text is this one.
pub(super) fn saying(text: &str) -> Report {
    static CROOKED: LazyLock<Report> = LazyLock::new(|| crooked(Wanted::default()));
    let mut report = CROOKED.clone();
    report.store = text.to_owned();
    report.program = text.to_owned();
    report.wanted.only = vec![text.to_owned()];
    report.cut_short = Some(text.to_owned());
    report.diagnosis.finding = Finding::EndedEarly(text.to_owned());
    for rule in &mut report.rules {
        rule.evidence = text.to_owned();
    }
    for observed in &mut report.undocumented {
        (observed.value, observed.evidence) = (text.to_owned(), text.to_owned());
    }
    let row = RowResult { name: text.to_owned(), evidence: text.to_owned(), ..RowResult::default() };
    report.rules.push(RowResult { verdict: Some(Verdict::Fail), ..row.clone() });
    report.undocumented.push(RowResult { value: text.to_owned(), is_observed: Some(true), ..row });
    report.leftovers.push(Leftover {
        id: PlantId(7),
        sent_id: None,
        name: text.to_owned(),
        why: text.to_owned(),
        clean_up: CleanUp::Pending,
    });
    report
}

/// Generates texts with a meaning for a terminal, for Markdown or for XML.
pub(super) fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[|`\\\\<>&*_#\\[\\]!{}'\"\n\r\t \u{0}\u{7}\u{1b}\u{85}\u{200b}\u{202e}\u{2028}\u{fffe}\u{ffff}a漢-]{0,30}",
        Just("]]> <!-- {{head}} --> | | \n\n# x\n| --- |".to_owned()),
    ]
}

fn verdicts(report: &Report, verdict: Verdict) -> Vec<&str> {
    report.rules.iter().filter(|rule| rule.verdict == Some(verdict)).map(|rule| rule.name.as_str()).collect()
}

fn value<'a>(report: &'a Report, name: &str) -> &'a str {
    &report.undocumented.iter().find(|observed| observed.name == name).unwrap().value
}

#[test]
fn a_store_that_keeps_the_document_passes_every_rule_without_leftovers() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    let sent = carry_out(&mut run, |kind, probe| store.response(kind, probe)).len();
    let report = run.report();
    assert_eq!(verdicts(&report, Verdict::Pass).len(), RULES.len(), "{:#?}", report.rules);
    assert_eq!(
        (report.diagnosis.conclusion(), report.requests, report.undocumented.len()),
        (Conclusion::Pass, sent, UNDOCUMENTED.len())
    );
    assert!(sent <= Wanted::default().most_requests(), "{sent} requests");
    assert_eq!((report.leftovers.as_slice(), store.ids.len()), (&[][..], 0));
    assert_eq!(value(&report, "id-largest"), "accepted: 201");
    assert_eq!(value(&report, "id-missing"), "rejected: 400");
    assert_eq!(value(&report, "unicode"), "accepted: 201; name and tag came back unchanged");
    assert_eq!(value(&report, "second-create"), "rejected: 409");
    assert_eq!(value(&report, "error-bodies"), "a JSON object with error; or no body");
    assert!(
        report.undocumented.iter().all(|observed| !observed.evidence.is_empty() || observed.name == "limit-headers")
    );
}

#[test]
fn rows_appear_when_they_are_decided_and_do_not_change() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    let mut before = run.report();
    assert!(before.rules.is_empty() && before.undocumented.is_empty());
    watched(
        &mut run,
        |kind, probe| store.response(kind, probe),
        |run, _, last| {
            let now = run.report();
            // The rest is cleaned up, and may still decide rows.
            assert!(run.progress().is_none_or(|(done, planned)| done < planned), "{last:?}");
            assert!(before.rules.iter().all(|rule| now.rules.contains(rule)), "{last:?}");
            assert!(before.undocumented.iter().all(|observed| now.undocumented.contains(observed)), "{last:?}");
            before = now;
        },
    );
    assert_eq!(before.rules.len(), RULES.len());
}

#[test]
fn only_the_probes_of_the_wanted_rows_are_sent() {
    let gentle = Wanted { gentle: true, only: Vec::new() };
    let most = gentle.most_requests();
    let (mut run_gently, mut store) = (run(gentle, &[]), Honest::default());
    let gentle = carry_out(&mut run_gently, |kind, probe| store.response(kind, probe));
    assert!(gentle.len() <= most && most < Wanted::default().most_requests(), "{} of {most}", gentle.len());
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
    assert!(sent < 20 && store.ids.is_empty(), "{sent}");
}

#[test]
fn requests_rejected_with_429_are_repeated_after_a_pause() {
    let (mut run, mut store, mut count) = (run(Wanted::default(), &[]), Honest::default(), 0);
    let sent = carry_out(&mut run, |kind, probe| {
        count += 1;
        if count % 3 != 0 {
            return store.response(kind, probe);
        }
        let Ending::Responded(response) = responded(429, "") else { unreachable!() };
        let headers = [Header { name: "Retry-After".into(), value: "2".into() }].into();
        Ending::Responded(Response { headers, ..response })
    });
    let report = run.report();
    assert_eq!((report.diagnosis.conclusion(), report.requests), (Conclusion::Pass, sent.len()), "{:#?}", report.rules);
    assert_eq!((value(&report, "limit-headers"), store.ids.len()), ("retry-after", 0));
}

#[test]
fn a_run_gives_up_on_a_store_that_never_responds() {
    let mut run = run(Wanted::default(), &[]);
    let sent = carry_out(&mut run, |_, _| without_response(FailureKind::TimedOut)).len();
    let report = run.report();
    assert!(sent < 8, "{sent}");
    assert_eq!(
        (report.diagnosis.conclusion(), verdicts(&report, Verdict::Inconclusive).len()),
        (Conclusion::None, RULES.len())
    );
    assert_eq!(report.leftovers.len(), 2, "{:#?}", report.leftovers);
    assert!(report.cut_short.is_some());
}

#[test]
fn no_rule_passes_or_fails_by_a_page_that_every_create_gets() {
    for status in [200, 400] {
        let Ending::Responded(page) = invented::page() else { unreachable!() };
        let mut run = run(Wanted::default(), &[]);
        carry_out(&mut run, |_, _| Ending::Responded(Response { status, ..page.clone() }));
        let report = run.report();
        assert_eq!(verdicts(&report, Verdict::Inconclusive).len(), RULES.len(), "{:#?}", report.rules);
        assert!(report.diagnosis.to_string().ends_with("this is not a Plant Store."), "{}", report.diagnosis);
    }
}

#[test]
fn an_unreachable_store_gets_no_verdict_and_has_no_leftovers() {
    let mut run = run(Wanted::default(), &[]);
    carry_out(&mut run, |_, _| without_response(FailureKind::NotConnected));
    let report = run.report();
    assert_eq!((report.diagnosis.conclusion(), report.leftovers.len()), (Conclusion::NotSent, 0));
    assert!(report.summary().starts_with("No connection to http://plants.example:"), "{}", report.summary());
}

#[test]
fn another_id_is_drawn_if_the_first_one_is_taken() {
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

/// Nothing proves that the id in a response is the key of the plant.
#[test]
fn ids_that_the_store_returned_are_never_deleted() {
    let (mut run, mut store, mut next) = (run(Wanted::default(), &[]), Honest::default(), 0);
    let sent = carry_out(&mut run, |kind, probe| match store.response(kind, probe) {
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
    assert_eq!((store.ids.len(), report.leftovers.len()), (2, 2), "{:#?}", report.leftovers);
    assert_eq!(verdicts(&report, Verdict::Fail), ["delete-accepted"]);
    assert_eq!(value(&report, "id-in-response"), "yes, but another number than was sent");
    assert!(sent.iter().all(|sent| !sent.request.as_ref().unwrap().target.ends_with("/1")));
}

#[test]
fn a_store_with_unique_names_fails_no_rule() {
    for first_fails in [false, true] {
        let (mut run, mut store, mut names) = (run(Wanted::default(), &[]), Honest::default(), BTreeMap::new());
        let mut is_first = true;
        carry_out(&mut run, |kind, probe| match kind {
            OperationKind::Add(plant)
                if probe.credentials == Credentials::Token && names.values().any(|name| *name == plant.name) =>
            {
                responded(409, "")
            }
            OperationKind::Add(plant) => {
                let (ending, is_first) = (store.response(kind, probe), std::mem::take(&mut is_first));
                if matches!(&ending, Ending::Responded(response) if response.status == 201) {
                    names.insert(plant.id, plant.name.clone());
                }
                if first_fails && is_first { responded(500, "") } else { ending }
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
}

/// Checks a store that differs from the document at random, at most `oddness` times in four: the run must end, every
/// verdict must rest on responses, and every plant at the store must be listed.
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
    let request = |exchange: &Exchange| format!("{:?} {:?}", exchange.operation.kind, exchange.operation.probe);
    let different: BTreeSet<_> = sent.iter().map(request).collect();
    prop_assert!(different.len() <= Wanted::default().most_requests(), "{} different requests", different.len());
    let by_id = |id: &OperationId| sent.iter().find(|exchange| exchange.operation.id == *id).unwrap();
    for rule in &report.rules {
        let responded = rule.exchanges.iter().all(|id| by_id(id).response().is_some());
        if rule.verdict != Some(Verdict::Inconclusive) {
            prop_assert!(responded && !rule.exchanges.is_empty(), "{:?}", rule);
        }
        let is_about_a_rejection = ["token", "scheme"].iter().any(|word| rule.name.contains(word));
        if rule.verdict == Some(Verdict::Pass) && is_about_a_rejection {
            let has_control = rule.exchanges.iter().map(by_id).any(|exchange| {
                let probe = exchange.operation.probe.as_ref().unwrap();
                exchange.outcome() == Outcome::Accepted && probe.credentials == Credentials::Token
            });
            prop_assert!(has_control, "{:?}", rule);
        }
        prop_assert_eq!(rule.reason.is_some(), rule.verdict == Some(Verdict::Inconclusive));
    }
    // With status 200 this store accepts deletes without an effect.
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
    fn reports_are_true_for_every_store(seed in any::<u64>(), oddness in 0..4_u32) {
        odd_store(seed, oddness)?;
    }
}

/// The status of a delete of an unused id, if it is not 404 or 410, does not decide about a plant whose delete is
/// unknown.
#[test]
fn the_status_for_unused_ids_does_not_resolve_an_unknown_delete() {
    odd_store(8_108_049_980_609_250_896, 2).unwrap();

    // The first delete never arrives, and every other has the status for unused ids.
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
fn a_rejection_is_about_the_token_only_if_the_token_was_accepted() {
    // The store rejects every create with the token for another reason.
    let mut run = run(Wanted::default(), &[]);
    carry_out(&mut run, |_, probe| responded(if probe.credentials == Credentials::Token { 422 } else { 401 }, "{}"));
    let report = run.report();
    assert_eq!(verdicts(&report, Verdict::Pass), [""; 0]);
    assert_eq!(verdicts(&report, Verdict::Fail), ["create-accepted"]);
}

#[test]
fn a_redirect_is_no_failed_rule_unless_it_may_follow_a_create() {
    for (status, location, target) in [
        (308, "https://plants.example/plants", Some("https://plants.example/plants")),
        (307, "/v2/plants", Some("http://plants.example/v2/plants")),
        (302, "/login", Some("http://plants.example/login")),
        (303, "/plants/7", None),
    ] {
        let mut run = run(Wanted::default(), &[]);
        carry_out(&mut run, |_, _| {
            let Ending::Responded(response) = responded(status, "") else { unreachable!() };
            let headers = [Header { name: "Location".into(), value: location.into() }].into();
            Ending::Responded(Response { headers, ..response })
        });
        let diagnosis = run.report().diagnosis;
        let conclusion = if target.is_some() { Conclusion::None } else { Conclusion::Fail };
        assert_eq!(diagnosis.conclusion(), conclusion, "{diagnosis}");
        assert!(target.is_none_or(|target| diagnosis.to_string().contains(&format!(" {target} ("))), "{diagnosis}");
    }
}

#[test]
fn usual_changes_of_a_text_have_a_name() {
    for (came, words) in [
        ("plants check", "came back in lower case"),
        ("PLANTS CHECK", "came back in upper case"),
        ("Plants  Check", "came back with other white space"),
    ] {
        assert_eq!(evidence::text_change("Plants Check", came), Some(words));
    }
    assert_eq!(evidence::text_change(" Plants Check ", "Plants Check"), Some("came back trimmed"));
    assert_eq!(evidence::text_change("Plants Check", "Fern"), None);
}
