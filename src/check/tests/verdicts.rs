//! What a response that proves nothing by itself makes of a verdict: the document leaves open what a store says
//! to an id that is not there (§7).

use super::super::draw::Draw;
use super::super::steps::Step;
use super::*;

/// The verdict on a rule where a store is honest but for the responses to these probes, the first time.
fn verdict(rule: &str, odd: &[(Step, Ending)], mut store: impl FnMut(&OperationKind, &Probe) -> Ending) -> Verdict {
    let (mut run, mut odd) = (run(Wanted::default(), &[]), odd.to_vec());
    carry_out(&mut run, |kind, probe| {
        let is_asked = |step| Draw::with_seed(7).request(step) == (kind.clone(), probe.clone());
        match odd.iter().position(|(step, _)| is_asked(*step)) {
            Some(place) => odd.swap_remove(place).1,
            None => store(kind, probe),
        }
    });
    assert!(odd.is_empty(), "{odd:?} was not sent");
    run.report().rule(rule).unwrap().verdict
}

fn honestly(rule: &str, odd: &[(Step, Ending)]) -> Verdict {
    let mut store = Honest::default();
    verdict(rule, odd, |kind, probe| store.response(kind, probe))
}

#[test]
fn a_status_that_also_an_unused_id_has_does_not_say_that_a_plant_is_gone() {
    let both = |status| [Step::DeleteAbsent, Step::DeleteNeighbour].map(|step| (step, responded(status, "")));
    assert_eq!(honestly("delete-single-plant", &both(400)), Verdict::Inconclusive);
    assert_eq!(honestly("delete-single-plant", &both(404)), Verdict::Fail);
    // The delete with the token that follows the one without has the same request as a probe of the plant.
    let plant = Draw::with_seed(7).id(Step::PlantWithoutToken);
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
fn an_accepted_delete_shows_a_plant_only_where_deletes_of_nothing_are_known_to_be_rejected() {
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
    // That a second delete is rejected shows it, too.
    assert_eq!(honestly("delete-single-plant", &[lost()]), Verdict::Pass);
    let mut store = Honest::default();
    let found = verdict("delete-single-plant", &[lost()], |kind, probe| match store.response(kind, probe) {
        Ending::Responded(response) if response.status == 404 => responded(400, ""),
        ending @ (Ending::Responded(_) | Ending::Failed(_)) => ending,
    });
    assert_eq!(found, Verdict::Inconclusive);
}
