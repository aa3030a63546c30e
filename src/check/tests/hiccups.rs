//! Stores that keep the document, with one response that is not theirs: no rule may fail for that, and the next check
//! finds nothing left.

use super::invented::page;
use super::*;
use crate::extent::step;

/// What comes in place of a response.
#[derive(Debug, Clone, Copy)]
enum Hiccup {
    /// This status, from something in front of the store.
    Status(u16),
    /// A page for people, likewise.
    Page,
    /// The connection is closed before the store reads the request.
    Closed,
    /// The store carries the request out, and its response is lost.
    Lost,
    /// The store carries the request out, and fails.
    Fails,
}

impl Hiccup {
    fn response(self, carry_out: impl FnOnce() -> Ending) -> Ending {
        if matches!(self, Self::Lost | Self::Fails) {
            carry_out();
        }
        match self {
            Self::Status(status) => responded(status, r#"{"error":"not the store"}"#),
            Self::Page => page(),
            Self::Closed | Self::Lost => without_response(FailureKind::NoResponse),
            Self::Fails => responded(500, ""),
        }
    }
}

fn last_delete(ends: impl DoubleEndedIterator<Item = Outcome>) -> LastDelete {
    let ends: Vec<_> = ends.collect();
    match ends.last() {
        None | Some(Outcome::Accepted) => LastDelete::None,
        Some(_) if ends.contains(&Outcome::Accepted) => LastDelete::AfterAccepted,
        Some(_) if ends.contains(&Outcome::Unknown) => LastDelete::Unknown,
        Some(_) => LastDelete::Failed,
    }
}

/// Returns what the journal tells the next run about the plants of one that sent these.
pub(super) fn left_by(run: &Run, sent: &[Exchange]) -> EarlierRuns {
    let is_long = |one: &Exchange| one.operation.kind.plant().is_some_and(|plant| plant.id >= LONG_IDS);
    let takes_long_ids = sent.iter().any(|one| is_long(one) && one.outcome() == Outcome::Accepted);
    let leftover = |id: PlantId| {
        let of_it = || sent.iter().filter(move |one| one.operation.kind.plant_id() == id);
        let adds = || of_it().filter(|one| one.operation.kind.plant().is_some());
        let may_be_there = |one: &&Exchange| matches!(one.outcome(), Outcome::Accepted | Outcome::Unknown);
        let add = adds().rfind(may_be_there).or(adds().next_back()).unwrap();
        let probe = |one: &Exchange| one.operation.probe.clone().unwrap();
        let is_delete =
            |one: &&Exchange| one.operation.kind.plant().is_none() && probe(one).credentials == Credentials::Token;
        EarlierLeftover {
            id,
            name: add.operation.kind.plant().unwrap().name.clone(),
            probe: probe(add),
            accepted: add.outcome() == Outcome::Accepted && !add.is_page(),
            last_delete: last_delete(of_it().filter(is_delete).map(Exchange::outcome)),
            create_failed: matches!(add.status(), Some(500 | 501)) && !takes_long_ids,
        }
    };
    let leftovers = run.report().left_to_the_next().map(leftover).collect();
    EarlierRuns { leftovers, ..EarlierRuns::default() }
}

/// Carries out a check with this hiccup as its response of this number, and another one without. Returns whether the
/// first came to that response.
fn check_twice(number: usize, hiccup: Hiccup) -> bool {
    let (mut store, mut count, mut first) = (Honest::default(), 0, run(Wanted::default(), &[]));
    let sent = carry_out(&mut first, |kind, probe| {
        count += 1;
        let mut response = || store.response(kind, probe);
        if count == number { hiccup.response(response) } else { response() }
    });
    let case = || format!("{number} {hiccup:?}: {:?}", sent.get(number - 1).map(evidence::line));
    assert_eq!(verdicts(&first.report(), Verdict::Fail), [""; 0], "{}", case());

    let before = left_by(&first, &sent);
    let is_there = |left: &EarlierLeftover| store.ids.contains(&left.id.to_string());
    // Before its third create, the run does not know that a page is not the store's.
    let is_told = match hiccup {
        Hiccup::Status(status) => status < 500,
        Hiccup::Page => number > 2,
        Hiccup::Closed | Hiccup::Lost | Hiccup::Fails => false,
    };
    let is_usual = |left: &EarlierLeftover| left.probe.body.is_none() && probe_requests::is_ordinary(left.id);
    let mut usual = before.leftovers.iter().filter(|left| is_usual(left));
    assert!(!is_told || usual.all(is_there), "{}: {:?}", case(), first.report().leftovers);

    // No delete shows what became of these: their creates have no response of the store, or anybody may have used the
    // id since.
    let is_undecided = |left: &EarlierLeftover| {
        let has_safe_id = left.id.0 > 0 && !left.probe.leaves_id_open;
        FIXED_IDS.contains(&left.id) || !(has_safe_id || left.accepted)
    };
    let undecided: BTreeSet<_> =
        before.leftovers.iter().filter(|left| is_undecided(left)).map(|left| left.id.to_string()).collect();
    let gentle = Wanted { gentle: true, only: Vec::new() };
    let mut second = Run::new(&super::store(), NOW, gentle, Pace::Fixed(Duration::ZERO), 8, &before);
    carry_out(&mut second, |kind, probe| store.response(kind, probe));
    let report = second.report();
    assert_eq!(report.diagnosis.conclusion(), Conclusion::Pass, "{}: {}", case(), report.diagnosis);
    let left: BTreeSet<_> = report.leftovers.iter().map(|left| left.id.to_string()).collect();
    assert!(left.is_subset(&undecided) && store.ids.is_subset(&left), "{}: {:?}", case(), report.leftovers);
    count >= number
}

/// Tries each of them in place of every response; without the long tests in place of some of the responses.
fn check_all(hiccups: &[Hiccup]) {
    let step = step(16);
    for (nth, hiccup) in hiccups.iter().enumerate() {
        assert!((1 + nth % step..200).step_by(step).any(|number| !check_twice(number, *hiccup)));
    }
}

#[test]
fn one_foreign_response_fails_no_rule_and_leaves_nothing() {
    check_all(&[401, 403, 404, 409, 429].map(Hiccup::Status));
}

#[test]
fn one_failure_fails_no_rule_and_leaves_nothing() {
    check_all(&[Hiccup::Status(500), Hiccup::Status(503), Hiccup::Page]);
}

#[test]
fn one_lost_response_fails_no_rule_and_leaves_nothing() {
    check_all(&[Hiccup::Closed, Hiccup::Lost, Hiccup::Fails]);
}

/// Returns a store that reads ids like this, and whose deletes may do nothing.
fn failing(read: fn(i64) -> i64, deletes_work: bool) -> impl FnMut(&OperationKind, &Probe) -> Ending {
    let mut store = Honest::default();
    move |kind, probe| {
        let before = store.ids.clone();
        let ending = match kind {
            OperationKind::Delete(id) => store.response(&OperationKind::Delete(PlantId(read(id.0))), probe),
            OperationKind::Add(plant) => {
                let plant = crate::domain::Plant { id: PlantId(read(plant.id.0)), ..(**plant).clone() };
                store.response(&OperationKind::add(plant), probe)
            }
        };
        if kind.plant().is_none() && !deletes_work {
            store.ids = before;
        }
        ending
    }
}

#[test]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "stores that lose precision are what is checked"
)]
fn a_failing_store_does_not_pass_for_a_missing_response() {
    let (float, narrow, whole) = (|id: i64| id as f64 as i64, |id: i64| i64::from(id as i32), |id: i64| id);
    for (read, deletes_work) in [(float as fn(i64) -> i64, true), (narrow, true), (whole, false)] {
        for (nth, hiccup) in [Hiccup::Status(502), Hiccup::Closed, Hiccup::Lost].into_iter().enumerate() {
            for number in (1 + nth..60).step_by(step(6)) {
                let mut store = failing(read, deletes_work);
                let (mut run, mut count) = (run(Wanted::default(), &[]), 0);
                let sent = carry_out(&mut run, |kind, probe| {
                    count += 1;
                    let mut response = || store(kind, probe);
                    if count == number { hiccup.response(response) } else { response() }
                });
                let report = run.report();
                let which = sent.get(number - 1).map(evidence::line);
                assert_ne!(
                    report.diagnosis.conclusion(),
                    Conclusion::Pass,
                    "{number} {hiccup:?}: {which:?} {report:#?}"
                );
            }
        }
    }
}

/// The store has two plants under one id, and something in front of it has 404 for a delete.
#[test]
fn a_foreign_404_does_not_show_that_a_plant_is_gone() {
    for media_type in ["text/html", "text/plain"] {
        for number in (1..60).step_by(step(5)) {
            let (mut run, mut ids, mut count) = (run(Wanted::default(), &[]), Vec::new(), 0);
            carry_out(&mut run, |kind, probe| {
                count += 1;
                if count == number && kind.plant().is_none() {
                    let Ending::Responded(response) = responded(404, "no backend") else { unreachable!() };
                    let headers = [Header { name: "content-type".into(), value: media_type.into() }].into();
                    return Ending::Responded(Response { headers, ..response });
                }
                let (id, mut store) = (kind.plant_id(), Honest::default());
                store.ids.extend(kind.plant().is_none().then(|| ids.contains(&id).then(|| id.to_string())).flatten());
                let ending = store.response(kind, probe);
                match (kind, &ending) {
                    (OperationKind::Add(_), Ending::Responded(response)) if response.status == 201 => ids.push(id),
                    (OperationKind::Delete(_), Ending::Responded(response)) if response.status == 204 => {
                        ids.remove(ids.iter().position(|other| *other == id).unwrap());
                    }
                    (_, _) => {}
                }
                ending
            });
            let report = run.report();
            let listed = |id: &PlantId| report.leftovers.iter().any(|left| left.id == *id);
            assert!(ids.iter().all(listed), "{number} {media_type}: {ids:?} {:#?}", report.leftovers);
            assert_eq!(verdicts(&report, Verdict::Fail), [""; 0], "{number} {media_type}");
        }
    }
}

#[test]
fn the_latency_says_how_many_requests_had_no_response() {
    let (mut run, mut store, mut count) = (run(Wanted::default(), &[]), Honest::default(), 0);
    carry_out(&mut run, |kind, probe| {
        count += 1;
        let ending = store.response(kind, probe);
        if [20, 40].contains(&count) { without_response(FailureKind::TimedOut) } else { ending }
    });
    let latency = "Responses took 0.0 ms at the median, 0.0 ms at most; 2 requests had no response.";
    assert_eq!(run.report().about().last().as_deref(), Some(latency));
}

#[test]
fn a_run_that_a_rejected_token_or_a_page_ends_says_what_to_do() {
    let Ending::Responded(html) = page() else { unreachable!() };
    let rejected = Ending::Responded(Response { status: 401, ..html.clone() });
    let token = (": 401", "Check again with another token.");
    let came =
        (": a web page came (200 text/html)", "The base URL or the token may be wrong: correct it, then check again.");
    for (ending, (how, advice)) in [(responded(401, ""), token), (rejected, token), (page(), came)] {
        let (mut run, mut store, mut count) = (run(Wanted::default(), &[]), Honest::default(), 0);
        carry_out(&mut run, |kind, probe| {
            count += 1;
            if count > 40 { ending.clone() } else { store.response(kind, probe) }
        });
        let diagnosis = run.report().diagnosis;
        let said = format!("The check ended early (creates are no longer accepted{how})");
        assert!(diagnosis.to_string().starts_with(&said), "{diagnosis}");
        assert_eq!(diagnosis.advice(), Some(advice));
    }
}
