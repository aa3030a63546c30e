//! Stores with plants of other people, slow stores and careless ones: a run must not touch other plants, must list
//! every leftover, and must fail no rule for undocumented behaviour.

use super::super::probe_requests::ProbeRequests;
use super::super::steps::Step;
use super::invented::page;
use super::*;
use crate::extent::step;

/// A store that parses ids carelessly and has plants of other people, under the ids that a careless check would hit.
#[derive(Debug, Clone, Default)]
struct Shared {
    /// Names by id.
    plants: BTreeMap<i64, String>,
    /// A second plant with the same id replaces the first.
    upserts: bool,
    /// Parses leading digits, and 0 if there are none.
    zeroes: bool,
    /// Replaces an id by the nearest one of 32 bits.
    clamps: bool,
}

const OTHER_PLANTS: [i64; 7] = [0, 1, i64::MAX, i64::MIN, i32::MAX as i64, i32::MIN as i64, u32::MAX as i64];

impl Shared {
    fn new(ways: u32) -> Self {
        let plants = OTHER_PLANTS.map(|id| (id, "theirs".to_owned())).into();
        Self { plants, upserts: ways & 1 > 0, zeroes: ways & 2 > 0, clamps: ways & 4 > 0 }
    }

    fn read(&self, text: &str) -> Option<i64> {
        let digits = text.chars().enumerate().take_while(|(at, c)| c.is_ascii_digit() || (*at == 0 && *c == '-'));
        let digits: String = digits.map(|(_, c)| c).collect();
        let read = if self.zeroes { digits.parse::<i128>().ok().or(Some(0)) } else { text.parse().ok() };
        let (least, most) = if self.clamps { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
        let in_bounds = |read: &i128| self.clamps || (i128::from(least)..=i128::from(most)).contains(read);
        i64::try_from(read.filter(in_bounds)?.clamp(least.into(), most.into())).ok()
    }

    fn response(&mut self, kind: &OperationKind, probe: &Probe) -> Ending {
        if probe.credentials != Credentials::Token {
            return responded(401, "");
        }
        match kind {
            OperationKind::Delete(id) => {
                let text = probe.path_id.clone().unwrap_or_else(|| id.to_string());
                let gone = self.read(&text).and_then(|id| self.plants.remove(&id));
                responded(if gone.is_some() { 204 } else { 404 }, "")
            }
            OperationKind::Add(plant) => {
                let body = probe.body.clone().unwrap_or_else(|| serde_json::to_string(plant).unwrap());
                let raw = body.split_once(r#""id":"#).map_or("", |(_, from)| from.split([',', '}']).next().unwrap());
                let read = if raw.is_empty() && !self.zeroes { None } else { self.read(raw.trim_matches('"')) };
                let Some(id) = read else { return responded(400, "") };
                if self.plants.contains_key(&id) && !self.upserts {
                    return responded(409, "");
                }
                self.plants.insert(id, plant.name.clone());
                responded(201, &serde_json::json!({ "name": plant.name, "id": id, "tag": plant.tag }).to_string())
            }
        }
    }
}

/// Responses are lost at random, and a second run cleans up.
#[test]
fn plants_of_other_people_are_never_touched() {
    for (ways, seed) in (0..8).flat_map(|ways| (0..16).step_by(step(5)).map(move |seed| (ways, seed))) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut store = Shared::new(ways);
        let losses = seed % 4;
        let mut left = Vec::new();
        for _ in 0..2 {
            let mut run = run(Wanted::default(), &left);
            let sent = carry_out(&mut run, |kind, probe| {
                let ending = store.response(kind, probe);
                match random.u64(0..12) {
                    fate if fate >= losses => ending,
                    0 => responded(502, ""),
                    1 => responded(500, ""),
                    _ => without_response(FailureKind::NoResponse),
                }
            });
            // The first create may replace the plant at the limit of a store that cuts ids off and replaces plants:
            // nothing shows that before.
            let replaced = [i64::from(i32::MAX)].into_iter().filter(|_| store.upserts && store.clamps);
            let replaced: Vec<_> = replaced.collect();
            for id in OTHER_PLANTS.into_iter().filter(|id| !replaced.contains(id)) {
                let there = store.plants.get(&id).map(String::as_str);
                assert_eq!(there, Some("theirs"), "{id} at a store with ways {ways}, seed {seed}");
            }
            let leftover = |left: &Leftover| {
                let mut adds = sent.iter().filter(|sent| matches!(&sent.operation.kind, OperationKind::Add(_)));
                let add = adds.find(|sent| sent.operation.kind.plant_id() == left.id)?;
                let accepted = add.outcome() == Outcome::Accepted;
                let (name, probe) = (left.name.clone(), add.operation.probe.clone().unwrap());
                let last_delete = if left.clean_up == CleanUp::Failed { LastDelete::Unknown } else { LastDelete::None };
                Some(EarlierLeftover { id: left.id, name, probe, accepted, last_delete, create_failed: false })
            };
            left = run.report().leftovers.iter().filter_map(leftover).collect();
        }
    }
}

/// Stores that keep a part of each id, and have plants of other people under two thirds of what they keep.
#[test]
fn no_plant_of_others_is_deleted_where_new_ids_are_taken() {
    let low: fn(i64) -> i64 = |id| id & 0xffff;
    // Of unlike ids that the store takes for one, all the first of a run may be free.
    for (read, longest, most) in
        [(low, i64::MAX, 0), (low, i64::from(i32::MAX), 0), (|id| id.rem_euclid(65_521), i64::MAX, 9)]
    {
        let is_harmed = |seed: &u64| {
            let others: BTreeSet<_> = (0..44_000).map(|id: i64| id.to_string()).collect();
            let (mut store, wanted) = (Honest { ids: others.clone() }, Wanted::default());
            let mut run =
                Run::new(&super::store(), NOW, wanted, Pace::Fixed(Duration::ZERO), *seed, &EarlierRuns::default());
            carry_out(&mut run, |kind, probe| match kind {
                OperationKind::Delete(id) => store.response(&OperationKind::Delete(PlantId(read(id.0))), probe),
                OperationKind::Add(plant) if probe.body.is_some() || plant.id.0 > longest => responded(422, ""),
                OperationKind::Add(plant) => {
                    let plant = crate::domain::Plant { id: PlantId(read(plant.id.0)), ..(**plant).clone() };
                    store.response(&OperationKind::add(plant), probe)
                }
            });
            !others.is_subset(&store.ids)
        };
        let harmed: Vec<_> = (0..40).step_by(step(4)).filter(is_harmed).collect();
        assert!(harmed.len() <= most, "{longest}: {harmed:?}");
    }
}

#[test]
fn a_fixed_id_that_the_list_has_is_not_sent() {
    let before = EarlierRuns { taken: vec![PlantId(0)], ..EarlierRuns::default() };
    let mut run = Run::new(&store(), NOW, Wanted::default(), Pace::Fixed(Duration::ZERO), 7, &before);
    let mut store = Honest::default();
    let sent = carry_out(&mut run, |kind, probe| store.response(kind, probe));
    assert!(sent.iter().all(|exchange| exchange.operation.kind.plant_id() != PlantId(0)));
    assert_eq!(value(&run.report(), "id-zero"), "not tried: the list has a plant with this id");
    assert_eq!(run.report().diagnosis.conclusion(), Conclusion::Pass);
}

/// A check ended after its create of a fixed id; since then another person has created that id, or it is free.
#[test]
fn a_fixed_id_of_an_earlier_run_is_never_deleted() {
    for (id, row) in [(PlantId(0), "id-zero"), (PlantId(i64::MAX), "id-largest"), (PlantId(i64::MIN), "id-smallest")] {
        let (name, probe, last_delete) = ("Plants Check 41".to_owned(), Probe::default(), LastDelete::None);
        let left = EarlierLeftover { id, name, probe, accepted: true, last_delete, create_failed: false };
        for is_anothers in [true, false] {
            let (mut run, mut store) = (run(Wanted::default(), std::slice::from_ref(&left)), Honest::default());
            store.ids.extend(is_anothers.then(|| id.to_string()));
            carry_out(&mut run, |kind, probe| store.response(kind, probe));
            let report = run.report();
            assert_eq!(report.diagnosis.conclusion(), Conclusion::Pass);
            assert_eq!(store.ids.contains(&id.to_string()), is_anothers);
            let expected = if is_anothers { "rejected: 409" } else { "accepted: 201" };
            assert_eq!(value(&report, row), expected);
            let listed: Vec<_> = report.leftovers.iter().map(|left| (left.id, left.clean_up)).collect();
            assert_eq!(listed, Vec::from_iter(is_anothers.then_some((id, CleanUp::Unsafe))));
        }
    }
}

#[test]
fn a_delete_that_finds_no_plant_is_repeated_after_growing_pauses() {
    let (mut run, mut store, mut early) = (run(Wanted::default(), &[]), Honest::default(), 2);
    let mut pauses = Vec::new();
    watched(
        &mut run,
        |kind, probe| {
            let is_early = matches!(kind, OperationKind::Delete(_)) && early > 0;
            early -= i32::from(is_early);
            if is_early { responded(404, "") } else { store.response(kind, probe) }
        },
        |_, orders, _| {
            pauses.extend(matches!(orders.sends, Some((OperationKind::Delete(_), _))).then_some(orders.pause));
        },
    );
    assert_eq!((run.report().diagnosis.conclusion(), store.ids.len()), (Conclusion::Pass, 0), "{:#?}", run.report());
    assert_eq!(pauses[..4].iter().map(Duration::as_millis).collect::<Vec<_>>(), [5, 200, 400, 5]);
}

#[test]
fn a_run_gives_up_on_a_store_that_always_asks_for_fewer_requests() {
    let mut run = run(Wanted::default(), &[]);
    let sent = carry_out(&mut run, |_, _| responded(429, ""));
    assert!(sent.len() < 6, "{}", sent.len());
    assert_eq!(run.report().diagnosis.conclusion(), Conclusion::None);
    assert!(run.report().summary().contains("again and again"), "{}", run.report().summary());
}

#[test]
fn an_accepted_delete_without_the_token_does_not_count_as_clean_up() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    carry_out(&mut run, |kind, probe| match kind {
        OperationKind::Delete(_) if probe.credentials != Credentials::Token => responded(200, "<html>please log in"),
        OperationKind::Delete(_) | OperationKind::Add(_) => store.response(kind, probe),
    });
    let failed = ["delete-without-token", "delete-wrong-token", "delete-other-scheme"];
    assert_eq!(verdicts(&run.report(), Verdict::Fail), failed);
    assert_eq!((run.report().leftovers.len(), store.ids.len()), (0, 0));
}

#[test]
fn operations_that_are_rejected_but_carried_out_fail_and_are_cleaned_up() {
    for response in [responded(401, ""), page()] {
        let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
        carry_out(&mut run, |kind, probe| {
            let carried_out = store.response(kind, &Probe { credentials: Credentials::Token, ..probe.clone() });
            if probe.credentials == Credentials::Token { carried_out } else { response.clone() }
        });
        let report = run.report();
        let failed = verdicts(&report, Verdict::Fail);
        let is_guard = |name: &&str| name.contains("token") || name.contains("scheme");
        let guarded: Vec<_> = RULES.iter().map(|rule| rule.name).filter(is_guard).collect();
        assert_eq!((failed.as_slice(), failed.len()), (guarded.as_slice(), 6));
        assert_eq!((report.leftovers.as_slice(), store.ids.len()), (&[][..], 0));
    }
}

#[test]
fn a_rejection_is_the_stores_also_as_a_page() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    carry_out(&mut run, |kind, probe| match (store.response(kind, probe), page()) {
        (Ending::Responded(Response { status: status @ 300.., .. }), Ending::Responded(page)) => {
            Ending::Responded(Response { status, ..page })
        }
        (ending, _) => ending,
    });
    assert_eq!(verdicts(&run.report(), Verdict::Pass).len(), RULES.len(), "{:#?}", run.report());
}

#[test]
fn numbers_are_compared_in_any_notation() {
    let same = |written: &str, id| evidence::is_same_number(written, PlantId(id));
    for written in ["1810129576", "1810129576.0", "1.810129576E9"] {
        assert!(same(written, 1_810_129_576), "{written}");
    }
    assert!(same("10013575887005105.00", 10_013_575_887_005_105));
    for (written, id) in [("1.0013575887005104E16", 10_013_575_887_005_105), ("7.5", 7), ("a", 0), ("", 0)] {
        assert!(!same(written, id), "{written}");
    }
}

#[test]
fn an_abandoned_run_lists_the_leftovers_of_earlier_ones() {
    let (id, name) = (PlantId(1_234_567_890), "Plants Check 9".to_owned());
    let probe = Probe { body: Some("{}".to_owned()), leaves_id_open: true, ..Probe::default() };
    let left = EarlierLeftover { id, name, probe, accepted: true, last_delete: LastDelete::None, create_failed: false };
    let order = run(Wanted::default(), &[left]).handle(Event::Abandon("the program ended"));
    let Some(Order::Finish(report)) = &order else { panic!("{order:?}") };
    let (why, sent_id) = ("An earlier check created it".to_owned(), Some(String::new()));
    let (name, clean_up) = ("Plants Check 9".to_owned(), CleanUp::Unnumbered);
    assert_eq!(report.leftovers, [Leftover { id, sent_id, name, why, clean_up }]);
}

#[test]
fn a_plant_without_a_known_id_is_a_leftover_that_no_check_deletes() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    carry_out(&mut run, |kind, probe| match &probe.body {
        Some(body) if !body.contains(r#""id""#) => responded(201, "{}"),
        _ => store.response(kind, probe),
    });
    let leftovers = run.report().leftovers;
    let [left] = &leftovers[..] else { panic!("{leftovers:?}") };
    assert_eq!(left.clean_up, CleanUp::Unnumbered);
    assert!(left.why.starts_with("POST /plants {") && left.called() == format!("{} (no id)", left.name));
}

/// The plant stays at the store, which says 404 to its deletes.
#[test]
fn a_first_404_does_not_prove_that_a_plant_is_gone() {
    for step in [Step::TagEmpty, Step::CreateBig] {
        let plant = ProbeRequests::with_seed(7).id(step);
        let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
        carry_out(&mut run, |kind, probe| match kind {
            OperationKind::Delete(id) if *id == plant => responded(404, ""),
            OperationKind::Add(_) | OperationKind::Delete(_) => store.response(kind, probe),
        });
        let leftovers = run.report().leftovers;
        assert_eq!(leftovers.iter().map(|left| left.id).collect::<Vec<_>>(), [plant], "{step:?}");
        assert!(leftovers[0].why.starts_with(&format!("DELETE /plants/{plant}: 404")), "{}", leftovers[0].why);
    }
}

#[test]
fn a_delete_of_a_rounded_id_removes_its_plant() {
    let requests = ProbeRequests::with_seed(7);
    let (big, twin) = (requests.id(Step::CreateBig).to_string(), requests.id(Step::DeleteTwin).to_string());
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    let sent = carry_out(&mut run, |kind, probe| {
        if *kind != OperationKind::Delete(requests.id(Step::CreateBig)) {
            let ending = store.response(kind, probe);
            let is_big = store.ids.remove(&big);
            if !is_big {
                return ending;
            }
        }
        let OperationKind::Add(plant) = kind else { return responded(404, "") };
        store.ids.insert(twin.clone());
        responded(201, &format!(r#"{{"name":"{}","id":{twin},"tag":"{}"}}"#, plant.name, plant.tag))
    });
    let deletes = |id: &str| sent.iter().filter(|sent| sent.request.as_ref().unwrap().target.ends_with(id)).count();
    assert_eq!((deletes(&twin), run.report().leftovers.len(), store.ids.len()), (1, 0, 0));
}

#[test]
fn a_plant_whose_deletes_fail_under_a_fixed_id_is_left_to_a_person() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    carry_out(&mut run, |kind, probe| match kind {
        OperationKind::Delete(PlantId(0)) => responded(422, ""),
        OperationKind::Add(_) | OperationKind::Delete(_) => store.response(kind, probe),
    });
    let leftovers = run.report().leftovers;
    let [left] = &leftovers[..] else { panic!("{leftovers:?}") };
    assert_eq!((left.id, left.clean_up, left.why.as_str()), (PlantId(0), CleanUp::Unsafe, "DELETE /plants/0: 422"));
}

/// A store that assigns ids and accepts every delete: one of the sent id proves nothing.
#[test]
fn an_accepted_delete_of_the_sent_id_does_not_remove_a_plant_with_another() {
    let (mut run, mut store, mut next, mut sent) = (run(Wanted::default(), &[]), Honest::default(), 0, BTreeSet::new());
    carry_out(&mut run, |kind, probe| match (kind, store.response(kind, probe)) {
        (OperationKind::Delete(_), Ending::Responded(response)) if response.status == 404 => responded(204, ""),
        (OperationKind::Add(plant), Ending::Responded(response)) if response.status == 201 => {
            store.ids.retain(|id| id.len() < 4);
            next += 1;
            store.ids.insert(next.to_string());
            sent.insert(plant.id);
            responded(201, &format!(r#"{{"name":"{}","id":{next},"tag":"{}"}}"#, plant.name, plant.tag))
        }
        (_, ending) => ending,
    });
    let leftovers = run.report().leftovers;
    assert_eq!(leftovers.iter().map(|left| left.id).collect::<BTreeSet<_>>(), sent);
    let is_shown = |left: &Leftover| left.why.starts_with(&format!("DELETE /plants/{}: 204", left.id));
    let are_unproven = leftovers.iter().all(|left| left.clean_up == CleanUp::Unproven && is_shown(left));
    assert!(are_unproven, "the accepted delete shows it: {leftovers:#?}");
}

/// Runs a check after which a plant of an earlier one, with this id, is not at the store. Returns how many deletes of
/// it were sent, and whether it is gone.
fn look_for_absent(id: PlantId, mut store: impl FnMut(&OperationKind, &Probe) -> Ending) -> (usize, bool) {
    let (name, probe) = ("Plants Check".to_owned(), Probe::default());
    let last_delete = LastDelete::Interrupted;
    let left = EarlierLeftover { id, name, probe, accepted: true, last_delete, create_failed: false };
    let (mut run, mut sent) = (run(Wanted::default(), &[left]), 0);
    carry_out(&mut run, |kind, probe| {
        sent += usize::from(*kind == OperationKind::Delete(id));
        store(kind, probe)
    });
    (sent, run.report().leftovers.iter().all(|left| left.id != id))
}

#[test]
fn an_absent_leftover_is_gone_if_deletes_of_such_ids_work() {
    let (ordinary, large) = (PlantId(1_500_000_000), PlantId((1 << 53) + 5));
    for id in [ordinary, large] {
        let mut store = Honest::default();
        assert_eq!(look_for_absent(id, |kind, probe| store.response(kind, probe)), (1, true), "{id}");
        // Every delete is rejected: 404 may have any reason.
        let mut store = Honest::default();
        let (_, is_gone) = look_for_absent(id, |kind, probe| match kind {
            OperationKind::Add(_) => store.response(kind, probe),
            OperationKind::Delete(_) => responded(404, ""),
        });
        assert!(!is_gone, "{id}");
    }
    // The store takes no large ids.
    let big = ProbeRequests::with_seed(7).id(Step::CreateBig);
    let mut store = Honest::default();
    let found =
        look_for_absent(
            large,
            |kind, probe| {
                if kind.plant_id() == big { responded(400, "") } else { store.response(kind, probe) }
            },
        );
    assert_eq!(found, (1, false));
}

/// The first delete of the plant has no response, and the second one 404.
#[test]
fn a_plant_is_gone_after_a_lost_delete_only_if_its_create_showed_it() {
    let plant = ProbeRequests::with_seed(7).id(Step::TagEmpty);
    for (shows_another, left) in [(false, Vec::new()), (true, vec![plant])] {
        let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
        carry_out(&mut run, |kind, probe| {
            let was_there = store.ids.contains(&plant.to_string());
            let ending = store.response(kind, probe);
            match kind {
                OperationKind::Add(add) if add.id == plant && shows_another => responded(201, r#"{"name":"Rose"}"#),
                OperationKind::Delete(id) if *id == plant && was_there => without_response(FailureKind::NoResponse),
                OperationKind::Add(_) | OperationKind::Delete(_) => ending,
            }
        });
        assert_eq!(run.report().leftovers.iter().map(|left| left.id).collect::<Vec<_>>(), left);
    }
}

/// Two replicas behind a balancer: each request reaches one of them, and the other learns of it three requests later.
#[test]
fn replicas_that_agree_late_fail_no_rule() {
    for seed in (0..100).step_by(step(8)) {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut replicas, mut late) = ([Honest::default(), Honest::default()], VecDeque::new());
        let mut run = run(Wanted::default(), &[]);
        carry_out(&mut run, |kind, probe| {
            if late.len() == 3
                && let Some(Some((other, id, is_add))) = late.pop_front()
            {
                let ids: &mut BTreeSet<String> = &mut replicas[usize::from(other)].ids;
                let _ = if is_add { ids.insert(id) } else { ids.remove(&id) };
            }
            let here = random.bool();
            let before = replicas[usize::from(here)].ids.clone();
            let ending = replicas[usize::from(here)].response(kind, probe);
            let after = &replicas[usize::from(here)].ids;
            let change = before.symmetric_difference(after).next().cloned();
            late.push_back(change.map(|id| (u8::from(!here), id.clone(), after.contains(&id))));
            ending
        });
        let report = run.report();
        assert_eq!(verdicts(&report, Verdict::Fail), [""; 0], "{seed}: {:#?}", report.rules);
    }
}

/// The store has room for one plant, and rejects a further one as it rejects a taken id.
#[test]
fn a_full_store_does_not_take_two_ids_for_one() {
    for status in [400, 409, 422] {
        let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
        carry_out(&mut run, |kind, probe| {
            let is_full = !store.ids.is_empty() && probe.credentials == Credentials::Token;
            if is_full && kind.plant().is_some() { responded(status, "") } else { store.response(kind, probe) }
        });
        let report = run.report();
        assert_eq!(verdicts(&report, Verdict::Fail), [""; 0], "{status}");
        let rule = report.row("delete-exact-id").unwrap();
        assert!(rule.evidence.starts_with("the store rejects every further plant"), "{}", rule.evidence);
        assert_eq!((report.leftovers.as_slice(), store.ids.len()), (&[][..], 0));
    }
    // This one takes the low 32 bits of an id, and has room.
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    carry_out(&mut run, |kind, probe| {
        let low = |id: PlantId| PlantId(id.0 & 0xffff_ffff);
        let kind = match kind {
            OperationKind::Add(plant) if probe.body.is_none() => {
                OperationKind::add(crate::domain::Plant { id: low(plant.id), ..(**plant).clone() })
            }
            OperationKind::Delete(id) => OperationKind::Delete(low(*id)),
            OperationKind::Add(_) => kind.clone(),
        };
        store.response(&kind, probe)
    });
    assert_eq!(run.report().row("delete-exact-id").unwrap().verdict, Some(Verdict::Fail));
}
