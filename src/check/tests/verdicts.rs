//! Verdicts where a response proves nothing by itself: the document leaves open how a store rejects a delete of an
//! absent plant (§7).

use super::super::probe_requests::ProbeRequests;
use super::super::steps::Step;
use super::*;

/// Returns the verdict on a rule. `odd` are the responses to these probes; the others are those of `store`.
fn verdict(rule: &str, odd: &[(Step, Ending)], mut store: impl FnMut(&OperationKind, &Probe) -> Ending) -> Verdict {
    let (mut run, mut unsent) = (run(Wanted::default(), &[]), odd.iter().map(|(step, _)| *step).collect::<Vec<_>>());
    carry_out(&mut run, |kind, probe| {
        let request = (kind.clone(), probe.deviations());
        let is_request = |step| ProbeRequests::with_seed(7).request(step) == request;
        unsent.retain(|step| !is_request(*step));
        match odd.iter().find(|(step, _)| is_request(*step)) {
            Some((_, ending)) => ending.clone(),
            None => store(kind, probe),
        }
    });
    assert!(unsent.is_empty(), "{unsent:?} was not sent");
    run.report().row(rule).unwrap().verdict.unwrap()
}

/// Whether the delete of the first id leaves the plant with the second one.
type Left = fn(&str, &str) -> bool;

fn honestly(rule: &str, odd: &[(Step, Ending)]) -> Verdict {
    let mut store = Honest::default();
    verdict(rule, odd, |kind, probe| store.response(kind, probe))
}

#[test]
fn an_exact_id_names_both_creates() {
    let report = honest(Wanted::default());
    let rule = report.row("delete-exact-id").unwrap();
    assert_eq!((rule.evidence.matches("POST").count(), rule.exchanges.len()), (2, 4), "{}", rule.evidence);
}

#[test]
fn a_store_that_deletes_every_plant_is_not_said_to_confuse_ids() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    carry_out(&mut run, |kind, probe| {
        let ending = store.response(kind, probe);
        if matches!(&ending, Ending::Responded(response) if response.status == 204) {
            store.ids.clear();
        }
        ending
    });
    let report = run.report();
    assert_eq!(report.row("delete-single-plant").unwrap().verdict, Some(Verdict::Fail));
    let evidence = &report.row("delete-exact-id").unwrap().evidence;
    assert!(evidence.starts_with("a delete removed another plant as well"), "{evidence}");
}

/// Runs a check of one row, and returns what it concludes.
fn conclusion(row: &str, store: impl FnMut(&OperationKind, &Probe) -> Ending) -> Conclusion {
    let mut run = run(Wanted { gentle: false, only: vec![row.to_owned()] }, &[]);
    carry_out(&mut run, store);
    run.report().diagnosis.conclusion()
}

#[test]
fn a_run_without_rules_needs_a_response_that_shows_something() {
    for row in ["name-missing", "limit-headers", "id-zero"] {
        let mut store = Honest::default();
        assert_eq!(conclusion(row, |kind, probe| store.response(kind, probe)), Conclusion::Pass, "{row}");
        let lost = |_: &OperationKind, _: &Probe| without_response(FailureKind::NoResponse);
        assert_eq!(conclusion(row, lost), Conclusion::None, "{row}");
        let fails = |_: &OperationKind, _: &Probe| responded(500, "");
        assert_eq!(conclusion(row, fails), Conclusion::None, "{row}");
    }
    // A row that this store does not allow to check lacks no response.
    let mut store = Honest::default();
    let replaces = |kind: &OperationKind, probe: &Probe| {
        if let OperationKind::Add(plant) = kind {
            store.ids.remove(&plant.id.to_string());
        }
        store.response(kind, probe)
    };
    assert_eq!(conclusion("id-zero", replaces), Conclusion::Pass);
}

#[test]
fn the_status_for_unused_ids_does_not_prove_that_a_plant_is_gone() {
    let neighbour = |status| [(Step::DeleteNeighbour, responded(status, ""))];
    assert_eq!(honestly("delete-single-plant", &neighbour(400)), Verdict::Inconclusive);
    assert_eq!(honestly("delete-single-plant", &neighbour(404)), Verdict::Fail);
    // The delete with the token that follows the one without has the same request as a probe of the plant.
    let plant = ProbeRequests::with_seed(7).id(Step::PlantWithoutToken);
    for (status, expected) in [(400, Verdict::Inconclusive), (404, Verdict::Fail)] {
        let mut store = Honest::default();
        let found = verdict("delete-without-token", &[(Step::DeleteAbsent, responded(status, ""))], |kind, probe| {
            let is_of_it = *kind == OperationKind::Delete(plant) && probe.credentials == Credentials::Token;
            if is_of_it { responded(status, "") } else { store.response(kind, probe) }
        });
        assert_eq!(found, expected);
    }
}

#[test]
fn an_accepted_delete_proves_a_plant_only_if_deletes_of_absent_plants_are_rejected() {
    let lost = || (Step::DeleteAbsent, without_response(FailureKind::NoResponse));
    for absent in [lost(), (Step::DeleteAbsent, responded(400, ""))] {
        let mut store = Honest::default();
        // Accepts every delete with the token, and no create without it.
        let found =
            verdict("create-without-token", &[absent], |kind, probe| match (kind, store.response(kind, probe)) {
                (OperationKind::Delete(_), Ending::Responded(response)) if response.status == 404 => responded(204, ""),
                (_, ending) => ending,
            });
        assert_eq!(found, Verdict::Pass);
    }
    // A rejected second delete proves the same.
    assert_eq!(honestly("delete-single-plant", &[lost()]), Verdict::Pass);
    let mut store = Honest::default();
    let found = verdict("delete-single-plant", &[lost()], |kind, probe| match store.response(kind, probe) {
        Ending::Responded(response) if response.status == 404 => responded(400, ""),
        ending @ (Ending::Responded(_) | Ending::Failed(_)) => ending,
    });
    assert_eq!(found, Verdict::Inconclusive);
}

#[test]
fn where_every_delete_is_accepted_a_second_create_shows_what_a_delete_left() {
    let (exact, all): (Left, Left) = (|one, other| one != other, |_, _| false);
    let doubles: Left =
        |one, other| one.parse::<f64>().ok().map(f64::to_bits) != other.parse::<f64>().ok().map(f64::to_bits);
    let (pass, fail, open) = (Verdict::Pass, Verdict::Fail, Verdict::Inconclusive);
    for (left, replaces, single_plant, exact_id) in [
        (exact, false, pass, pass),
        (all, false, fail, open),
        (doubles, false, pass, fail),
        // Where ids are not unique, a second create shows nothing.
        (exact, true, open, open),
        (all, true, open, open),
    ] {
        let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
        carry_out(&mut run, |kind, probe| match kind {
            OperationKind::Delete(id) if probe.credentials == Credentials::Token => {
                let id = probe.path_id.clone().unwrap_or_else(|| id.to_string());
                store.ids.retain(|other| left(&id, other));
                responded(204, "")
            }
            OperationKind::Add(plant) if replaces => {
                store.ids.remove(&plant.id.to_string());
                store.response(kind, probe)
            }
            OperationKind::Add(_) | OperationKind::Delete(_) => store.response(kind, probe),
        });
        let report = run.report();
        let found = ["delete-single-plant", "delete-exact-id"].map(|name| report.row(name).unwrap().verdict.unwrap());
        assert_eq!(found, [single_plant, exact_id], "{:#?}", report.rules);
        assert_eq!(store.ids.len(), 0, "{:#?}", report.leftovers);
    }
}

#[test]
fn a_delete_without_a_response_may_have_removed_the_plant_that_is_absent_afterwards() {
    let plant = ProbeRequests::with_seed(7).id(Step::PlantWithoutToken);
    let (mut store, mut is_first) = (Honest::default(), true);
    let found = verdict("delete-without-token", &[], |kind, probe| {
        let ending = store.response(kind, probe);
        let is_of_it = *kind == OperationKind::Delete(plant) && probe.credentials == Credentials::Token;
        let is_lost = is_of_it && std::mem::take(&mut is_first);
        if is_lost { without_response(FailureKind::NoResponse) } else { ending }
    });
    assert_eq!(found, Verdict::Inconclusive);
}
