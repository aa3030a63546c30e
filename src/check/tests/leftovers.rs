//! What a run leaves, and what it deletes of an earlier one.

use super::super::probe_requests::ProbeRequests;
use super::super::steps::Step;
use super::hiccups::left_by;
use super::*;

#[test]
fn leftovers_of_an_earlier_run_are_deleted() {
    let id = PlantId(1_234_567_890);
    let (name, probe) = ("Plants Check".to_owned(), Probe::default());
    let plain =
        EarlierLeftover { id, name, probe, accepted: true, last_delete: LastDelete::None, create_failed: false };
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

/// Returns the report on a store that does not have this leftover.
fn check_absent(wanted: Wanted, left: EarlierLeftover) -> Report {
    let (mut run, mut store) = (run(wanted, &[left]), Honest::default());
    carry_out(&mut run, |kind, probe| store.response(kind, probe));
    run.report()
}

#[test]
fn an_absent_leftover_is_gone_unless_it_may_have_another_id() {
    for (leaves_id_open, accepted, last_delete) in
        [(false, true, LastDelete::Unknown), (false, false, LastDelete::None), (true, true, LastDelete::Unknown)]
    {
        let body = leaves_id_open.then(|| r#"{"name":"x","id":"1234567890","tag":"y"}"#.to_owned());
        let probe = Probe { body, leaves_id_open, ..Probe::default() };
        let (name, id) = ("Plants Check".to_owned(), PlantId(1_234_567_890));
        let left = EarlierLeftover { id, name, probe, accepted, last_delete, create_failed: false };
        let only = Wanted { gentle: true, only: vec!["delete-accepted".into()] };
        assert_eq!(check_absent(only, left).leftovers.is_empty(), !leaves_id_open);
    }
}

/// The first 404 decides nothing; deletes of other plants show later what it means.
#[test]
fn a_leftover_whose_unknown_delete_took_effect_is_gone() {
    let (name, id, last_delete) = ("Plants Check".to_owned(), PlantId(1_234_567_890), LastDelete::Unknown);
    let left = EarlierLeftover { id, name, probe: Probe::default(), accepted: true, last_delete, create_failed: false };
    let report = check_absent(Wanted::default(), left);
    assert_eq!((report.diagnosis.conclusion(), report.leftovers.as_slice()), (Conclusion::Pass, &[][..]));
}

/// Returns so many plants that an earlier run could not delete.
fn undeleted(count: i64) -> Vec<EarlierLeftover> {
    let left = |number| {
        let (name, probe, id) = ("Plants Check".to_owned(), Probe::default(), PlantId(1_234_567_890 + number));
        EarlierLeftover { id, name, probe, accepted: true, last_delete: LastDelete::Failed, create_failed: false }
    };
    (0..count).map(left).collect()
}

/// Returns what a run finds where an earlier one could not delete these plants, and requests have this status, or the
/// store's own.
fn look_again(left: &[EarlierLeftover], status: impl Fn(&OperationKind) -> Option<u16>) -> (Report, Vec<Exchange>) {
    let before = EarlierRuns { leftovers: left.to_vec(), ..EarlierRuns::default() };
    let mut run = Run::new(&store(), NOW, Wanted::default(), Pace::Fixed(Duration::ZERO), 7, &before);
    let mut store = Honest::default();
    let sent = carry_out(&mut run, |kind, probe| match status(kind) {
        Some(status) => responded(status, ""),
        None => store.response(kind, probe),
    });
    (run.report(), sent)
}

fn is_delete(kind: &OperationKind) -> bool {
    matches!(kind, OperationKind::Delete(_))
}

#[test]
fn a_leftover_that_is_not_found_is_gone_only_where_creates_and_deletes_work() {
    for count in [1, 29] {
        let (report, _) = look_again(&undeleted(count), |_| None);
        assert_eq!((report.diagnosis.conclusion(), report.leftovers.as_slice()), (Conclusion::Pass, &[][..]));
    }
    // Something in front of the store has 404 for everything.
    let (report, sent) = look_again(&undeleted(1), |_| Some(404));
    assert!(report.diagnosis.to_string().starts_with("The base URL is wrong: POST"), "{}", report.diagnosis);
    assert_eq!((sent.len(), report.leftovers.len()), (2, 1));
    let (report, sent) = look_again(&undeleted(1), |_| Some(401));
    assert!(report.diagnosis.to_string().starts_with("The token was rejected"), "{}", report.diagnosis);
    assert_eq!((sent.len(), report.leftovers.len()), (2, 1));
}

#[test]
fn a_store_that_rejects_every_delete_is_checked_as_before_until_it_has_too_many_leftovers() {
    for status in [404, 405, 500, 501] {
        let of_deletes = |kind: &OperationKind| is_delete(kind).then_some(status);
        let (first, sent_first) = look_again(&[], of_deletes);
        let (report, sent) = look_again(&undeleted(9), of_deletes);
        assert!(first.rules.iter().any(|rule| rule.verdict == Some(Verdict::Pass)));
        assert_eq!(report.diagnosis, first.diagnosis, "{status}");
        for verdict in Verdict::ALL {
            assert_eq!(verdicts(&report, verdict), verdicts(&first, verdict), "{status}");
        }
        // One earlier plant shows how deletes go.
        assert_eq!((sent.len(), report.leftovers.len()), (sent_first.len() + 1, first.leftovers.len() + 9), "{status}");

        // The plants may be gone where they are not found.
        let most = if status == 404 { 30 } else { 10 };
        let (report, sent) = look_again(&undeleted(most), of_deletes);
        let begins = "Too many plants of earlier checks cannot be deleted";
        assert!(report.diagnosis.to_string().starts_with(begins), "{}", report.diagnosis);
        let failed = report.leftovers.iter().filter(|left| left.clean_up == CleanUp::Failed);
        assert_eq!((sent.len(), failed.count()), (1, usize::try_from(most).unwrap()), "{status}");
    }
}

#[test]
fn a_store_that_decides_no_create_gets_the_same_ones_in_each_run() {
    for fails in [|| responded(500, ""), || without_response(FailureKind::TimedOut)] {
        let (mut all, mut before, mut counts) = (Vec::new(), EarlierRuns::default(), Vec::new());
        for number in 0..5 {
            let pace = Pace::Fixed(Duration::ZERO);
            let mut run =
                Run::new(&store(), Timestamp(number), Wanted::default(), pace, number.unsigned_abs(), &before);
            all.extend(carry_out(&mut run, |_, _| fails()));
            before.leftovers = left_by(&run, &all).leftovers;
            before.reports.insert(0, run.report());
            counts.push(run.report().leftovers.len());
        }
        assert_eq!(counts[2..], [counts[4]; 3], "{counts:?}");
        // The store works again, and has one of the plants.
        let mut store = Honest::default();
        store.ids.extend(before.leftovers.last().map(|left| left.id.to_string()));
        let mut run = Run::new(&super::store(), NOW, Wanted::default(), Pace::Fixed(Duration::ZERO), 9, &before);
        carry_out(&mut run, |kind, probe| store.response(kind, probe));
        let report = run.report();
        assert_eq!((report.diagnosis.conclusion(), store.ids.len()), (Conclusion::Pass, 0));
        // Long ids, which the next run does not use where the store failed at them.
        let is_long = |left: &Leftover| left.id >= LONG_IDS && left.clean_up == CleanUp::Unsafe;
        assert!(report.leftovers.iter().all(is_long), "{:#?}", report.leftovers);
    }
}

#[test]
fn a_rule_that_failed_stays_failed_while_its_plant_cannot_be_deleted() {
    let (mut all, mut before) = (Vec::new(), EarlierRuns::default());
    // Each run adds two plants more.
    let diagnoses = (0..15).map(|number| {
        let pace = Pace::Fixed(Duration::ZERO);
        let mut run = Run::new(&store(), Timestamp(number), Wanted::default(), pace, number.unsigned_abs(), &before);
        let mut store = Honest::default();
        all.extend(carry_out(&mut run, |kind, _| {
            if is_delete(kind) { responded(500, "") } else { store.response(kind, &Probe::default()) }
        }));
        let report = run.report();
        assert_eq!(
            verdicts(&report, Verdict::Fail),
            ["create-without-token", "create-wrong-token", "create-other-scheme"]
        );
        assert_eq!(report.diagnosis.conclusion(), Conclusion::Fail, "{number}");
        let evidence = &report.row("create-wrong-token").unwrap().evidence;
        let of_first = "shown by the check at 1970-01-01T00:00:00.000Z, whose plants could not be deleted: ";
        assert!(evidence.starts_with("the store accepted the request: ") || number > 0, "{evidence}");
        assert!(evidence.starts_with(&format!("{of_first}the store accepted")) || number == 0, "{evidence}");
        before.leftovers = left_by(&run, &all).leftovers;
        before.reports.insert(0, report.clone());
        report.diagnosis.to_string()
    });
    let diagnoses: Vec<_> = diagnoses.collect();
    let first = "Differs from the document: 3 of 15 rules fail, 8 inconclusive; every delete with the token is 500.";
    assert_eq!(diagnoses[..3], [first; 3]);
    assert!(diagnoses[14].starts_with("Too many plants of earlier checks"), "{diagnoses:#?}");
    // A verdict of a run since then counts.
    let fixed = before.reports[0].rules.iter().map(|rule| RowResult { verdict: Some(Verdict::Pass), ..rule.clone() });
    let fixed = Report { rules: fixed.collect(), ..before.reports[0].clone() };
    before.reports.insert(0, fixed);
    assert_eq!(before.failed_rules(), []);
}

#[test]
fn a_create_that_the_server_does_not_carry_out_leaves_nothing() {
    let (report, _) = look_again(&[], |_| Some(501));
    assert!(report.diagnosis.to_string().starts_with("Every response to a create is 501"), "{}", report.diagnosis);
    assert_eq!(report.leftovers, []);
}

/// The store keeps a plant under exactly the id of its create, and a delete names an integer.
#[test]
fn a_plant_that_no_request_can_delete_stays_named() {
    for (absent, clean_up) in [(404, CleanUp::Unnumbered), (204, CleanUp::Unproven)] {
        let (mut store, mut before, mut all) = (with_absent(absent), EarlierRuns::default(), Vec::new());
        for seed in [1, 2, 3] {
            let mut run = Run::new(&super::store(), NOW, Wanted::default(), Pace::Fixed(Duration::ZERO), seed, &before);
            all.extend(carry_out(&mut run, |kind, probe| match kind {
                OperationKind::Add(plant) if probe.body.as_ref().is_some_and(|body| body.contains(r#""id":""#)) => {
                    responded(201, &serde_json::json!({ "name": plant.name, "tag": plant.tag }).to_string())
                }
                OperationKind::Add(_) | OperationKind::Delete(_) => store(kind, probe),
            }));
            let report = run.report();
            let clean_ups: Vec<_> = report.leftovers.iter().map(|left| left.clean_up).collect();
            assert_eq!((clean_ups.as_slice(), report.delete_by_hand().count()), (&[clean_up][..], 0), "{seed}");
            before = EarlierRuns { reports: vec![report], ..left_by(&run, &all) };
        }
    }
}

#[test]
fn a_plant_with_neither_name_nor_tag_is_a_leftover_and_its_id_is_not_deleted() {
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
    let is_delete_of_it = |exchange: &Exchange| {
        let probe = exchange.operation.probe.as_ref();
        probe.and_then(|probe| probe.path_id.as_deref()).is_some_and(|path| ["1", "2"].contains(&path))
    };
    assert!(!sent.iter().any(is_delete_of_it));
}

/// Creates take effect so late that the run ends before three of its plants appear.
#[test]
fn a_plant_that_is_not_there_yet_is_a_leftover() {
    let late = [Step::PlantWithoutToken, Step::PlantWrongToken, Step::PlantOtherScheme]
        .map(|step| ProbeRequests::with_seed(7).id(step));
    let first = ProbeRequests::with_seed(7).id(Step::Create);
    for created in [201, 202] {
        let (mut run, mut store, mut is_first_late) = (run(Wanted::default(), &[]), Honest::default(), created == 201);
        let sent = carry_out(&mut run, |kind, probe| match kind {
            OperationKind::Delete(id) if probe.credentials == Credentials::Token && late.contains(id) => {
                responded(404, "")
            }
            OperationKind::Delete(id) if *id == first && std::mem::take(&mut is_first_late) => responded(404, ""),
            OperationKind::Add(_) | OperationKind::Delete(_) => match store.response(kind, probe) {
                Ending::Responded(response) if response.status == 201 => {
                    Ending::Responded(Response { status: created, ..response })
                }
                ending @ (Ending::Responded(_) | Ending::Failed(_)) => ending,
            },
        });
        let report = run.report();
        assert_eq!(verdicts(&report, Verdict::Fail), [""; 0], "{:#?}", report.rules);
        let inconclusive = ["delete-without-token", "delete-wrong-token", "delete-other-scheme"];
        assert_eq!(verdicts(&report, Verdict::Inconclusive), inconclusive);
        assert_eq!(report.leftovers.iter().map(|left| left.id).collect::<Vec<_>>(), late);

        let before = left_by(&run, &sent);
        let mut next = Run::new(&super::store(), NOW, Wanted::default(), Pace::Fixed(Duration::ZERO), 8, &before);
        carry_out(&mut next, |kind, probe| store.response(kind, probe));
        assert_eq!((next.report().leftovers.as_slice(), store.ids.len()), (&[][..], 0));
    }
}

/// Returns a store that keeps the document, and has this status for deletes of absent plants.
fn with_absent(status: u16) -> impl FnMut(&OperationKind, &Probe) -> Ending {
    let mut store = Honest::default();
    move |kind, probe| match store.response(kind, probe) {
        Ending::Responded(response) if response.status == 404 => responded(status, ""),
        ending @ (Ending::Responded(_) | Ending::Failed(_)) => ending,
    }
}

#[test]
fn a_delete_of_a_plant_that_was_deleted_leaves_nothing() {
    for status in [400, 500, 503] {
        let mut run = run(Wanted::default(), &[]);
        carry_out(&mut run, with_absent(status));
        assert_eq!(run.report().leftovers, [], "{status}");
        assert_eq!(verdicts(&run.report(), Verdict::Fail), [""; 0]);
    }
    // The store replaces plants as well, so that no create shows that a delete worked.
    let mut store = Honest::default();
    let mut run = run(Wanted::default(), &[]);
    carry_out(&mut run, |kind, probe| {
        if let OperationKind::Add(plant) = kind {
            store.ids.remove(&plant.id.to_string());
        }
        match store.response(kind, probe) {
            Ending::Responded(response) if response.status == 404 => responded(500, ""),
            ending @ (Ending::Responded(_) | Ending::Failed(_)) => ending,
        }
    });
    assert_eq!(run.report().leftovers, []);
}

/// The store has this status for absent plants, so that each check that deletes one sees it.
#[test]
fn a_deleted_plant_of_an_earlier_run_does_not_lock_the_check() {
    let (name, probe, id) = ("Plants Check 1".to_owned(), Probe::default(), PlantId(1_234_567_890));
    for (last_delete, is_gone) in [(LastDelete::AfterAccepted, true), (LastDelete::Unknown, false)] {
        for status in [400, 500, 503] {
            let lefts = [id, PlantId(id.0 + 1), PlantId(id.0 + 2), PlantId(id.0 + 3)].map(|id| {
                let (name, probe) = (name.clone(), probe.clone());
                EarlierLeftover { id, name, probe, accepted: true, last_delete, create_failed: false }
            });
            let before = EarlierRuns { leftovers: lefts.into(), ..EarlierRuns::default() };
            let mut run = Run::new(&store(), NOW, Wanted::default(), Pace::Fixed(Duration::ZERO), 7, &before);
            let sent = carry_out(&mut run, with_absent(status));
            let report = run.report();
            assert!(sent.len() > 30 && report.cut_short.is_none(), "{status}: {}", report.diagnosis);
            assert_eq!(report.leftovers.is_empty(), is_gone, "{status}: {:?}", report.leftovers);
        }
    }
}

#[test]
fn deletes_work_at_a_store_that_uses_no_id_twice() {
    let (mut run, mut store, mut used) = (run(Wanted::default(), &[]), Honest::default(), BTreeSet::new());
    let sent = carry_out(&mut run, |kind, probe| match kind {
        OperationKind::Add(plant) if probe.credentials == Credentials::Token && !used.insert(plant.id) => {
            responded(409, "")
        }
        OperationKind::Add(_) | OperationKind::Delete(_) => store.response(kind, probe),
    });
    let report = run.report();
    assert_eq!(report.diagnosis.to_string(), "A Plant Store: all 15 rules pass.");
    assert_eq!((report.leftovers.as_slice(), store.ids.len()), (&[][..], 0));
    // No id is used up that is not the check's.
    assert!(sent.iter().all(|one| !FIXED_IDS.contains(&one.operation.kind.plant_id())));
}

/// Returns a plant of an earlier run that was killed before it deleted it.
fn undeleted_one() -> EarlierLeftover {
    let (name, id, last_delete) = ("Plants Check".to_owned(), PlantId(1_234_567_890), LastDelete::None);
    EarlierLeftover { id, name, probe: Probe::default(), accepted: true, last_delete, create_failed: false }
}

#[test]
fn an_earlier_plant_may_appear_as_long_as_the_run_watches() {
    let left = undeleted_one();
    // The last of the four pauses is before the fifth delete.
    for (appears_at, deletes) in [(4, 4), (usize::MAX, 5)] {
        let (mut run, mut store, mut looks) =
            (run(Wanted::default(), std::slice::from_ref(&left)), Honest::default(), 0);
        carry_out(&mut run, |kind, probe| {
            looks += usize::from(*kind == OperationKind::Delete(left.id));
            if looks == appears_at && *kind == OperationKind::Delete(left.id) {
                store.ids.insert(left.id.to_string());
            }
            match store.response(kind, probe) {
                // Creates are accepted for later.
                Ending::Responded(response) if response.status == 201 => {
                    Ending::Responded(Response { status: 202, ..response })
                }
                ending @ (Ending::Responded(_) | Ending::Failed(_)) => ending,
            }
        });
        let report = run.report();
        assert_eq!((report.leftovers.as_slice(), store.ids.len(), looks), (&[][..], 0, deletes));
    }
}

#[test]
fn each_plant_that_an_earlier_run_created_under_one_id_is_deleted() {
    let left = undeleted_one();
    let (mut run, mut store, mut there) = (run(Wanted::default(), &[left.clone(), left.clone()]), Honest::default(), 2);
    carry_out(&mut run, |kind, probe| {
        if *kind != OperationKind::Delete(left.id) {
            return store.response(kind, probe);
        }
        let found = there > 0;
        there -= i32::from(found);
        responded(if found { 204 } else { 404 }, "")
    });
    assert_eq!((run.report().leftovers.as_slice(), there), (&[][..], 0));
}

#[test]
fn a_plant_that_stayed_after_its_delete_is_a_leftover_until_deletes_work() {
    let (mut store, mut before, mut all) = (Honest::default(), EarlierRuns::default(), Vec::new());
    let mut check = |seed: u64, works: bool, loses_the_second: bool, wanted| {
        let mut deleted = Vec::new();
        let pace = Pace::Fixed(Duration::ZERO);
        let mut run = Run::new(&super::store(), Timestamp(seed.cast_signed()), wanted, pace, seed, &before);
        all.extend(carry_out(&mut run, |kind, probe| {
            if loses_the_second && deleted.contains(kind) {
                return without_response(FailureKind::NoResponse);
            }
            deleted.extend(Some(kind.clone()).filter(|kind| matches!(kind, OperationKind::Delete(_))));
            let response = store.response(kind, probe);
            if let (false, OperationKind::Delete(id), Ending::Responded(done)) = (works, kind, &response)
                && done.status == 204
            {
                store.ids.insert(id.to_string());
            }
            response
        }));
        let report = run.report();
        before = EarlierRuns { reports: vec![report.clone()], ..left_by(&run, &all) };
        (report, store.ids.len())
    };
    let kind_of = |report: &Report| report.leftovers.iter().map(|left| left.clean_up).collect::<Vec<_>>();
    for (seed, count) in [(1, 3), (2, 6)] {
        let (report, left) = check(seed, false, false, Wanted::default());
        assert_eq!((kind_of(&report), left), (vec![CleanUp::Ineffective; count], count));
        assert_eq!(verdicts(&report, Verdict::Fail), ["delete-takes-effect"]);
        let single = report.row("delete-single-plant").unwrap();
        assert!(single.evidence.starts_with("the store accepts deletes that remove no plant"), "{}", single.evidence);
    }
    // A run that does not test deletes knows it from the one before.
    let only = Wanted { gentle: true, only: vec!["create-accepted".into()] };
    let (report, left) = check(3, false, false, only.clone());
    assert_eq!((report.leftovers.len(), left), (9, 9));
    assert!(kind_of(&report)[..6].iter().all(|clean_up| *clean_up == CleanUp::Ineffective), "{:#?}", report.leftovers);
    // It does not know whether the plants have stayed this time, too.
    let (report, left) = check(4, false, true, only);
    assert_eq!((&kind_of(&report)[..6], left), (&[CleanUp::Pending; 6][..], 12));
    let (report, left) = check(5, true, false, Wanted::default());
    // Those two runs could not tell whether their own three are there.
    assert_eq!((report.diagnosis.conclusion(), kind_of(&report), left), (Conclusion::Pass, Vec::new(), 6));
}

#[test]
fn a_plant_that_stayed_and_that_no_delete_is_safe_for_is_not_said_to_be_deleted_again() {
    for (id, expected) in [(PlantId(0), LastDelete::None), (undeleted_one().id, LastDelete::WithoutEffect)] {
        let left = EarlierLeftover { id, last_delete: LastDelete::None, ..undeleted_one() };
        let (name, why) = (left.name.clone(), String::new());
        let mut report = honest(Wanted { gentle: true, only: vec!["create-accepted".into()] });
        report.leftovers = vec![Leftover { id, sent_id: None, name, why, clean_up: CleanUp::Ineffective }];
        let runs = EarlierRuns { leftovers: vec![left], reports: vec![report], ..EarlierRuns::default() };
        assert_eq!(runs.leftovers()[0].last_delete, expected, "{id}");
    }
}
