//! What a run leaves, and what it deletes of an earlier one.

use super::*;

const ME: MemberId = MemberId(1);

fn apply(fold: &mut Fold, event: PlantEvent) {
    fold.apply(&event.of(ME, Position::default()));
}

#[test]
fn after_a_run_the_list_has_exactly_the_leftovers() {
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
        let mut list = BTreeMap::<PlantId, Fold>::new();
        watched(
            &mut run,
            |kind, probe| match random.u32(0..12) {
                0 => {
                    store.response(kind, probe);
                    without_response(FailureKind::NoResponse)
                }
                1 => responded(500, ""),
                _ => store.response(kind, probe),
            },
            |_, orders, last| {
                if let Some(exchange) = last {
                    let plant = exchange.operation.kind.plant_id();
                    let fold = list.entry(plant).or_insert_with(|| Fold::new(plant));
                    let (operation, outcome) = (exchange.operation.id, exchange.outcome());
                    apply(fold, PlantEvent::Intent(exchange.operation.clone()));
                    apply(fold, PlantEvent::End { operation, of: ME, outcome, at: NOW });
                }
                let alone = Others::default();
                for (id, unknown) in &orders.forgets {
                    let fold = list.get_mut(id).unwrap();
                    assert!(fold.is_unchanged(*unknown, &alone), "{seed}: {id} {unknown:?} {:?}", fold.row(&alone));
                    apply(fold, PlantEvent::Resolution(Resolution::Forget, NOW));
                }
            },
        );
        let alone = Others::default();
        let listed: Vec<_> = list.values().filter_map(|fold| fold.row(&alone)).map(|row| row.id).collect();
        // An accepted delete removes a plant from the list.
        let is_listed = |left: &&Leftover| !matches!(left.clean_up, CleanUp::Unproven | CleanUp::Ineffective);
        let left: BTreeSet<_> = run.report().leftovers.iter().filter(is_listed).map(|left| left.id).collect();
        assert_eq!(left.into_iter().collect::<Vec<_>>(), listed, "{seed}");
    }
}

#[test]
fn leftovers_of_an_earlier_run_are_deleted() {
    let id = PlantId(1_234_567_890);
    let (name, probe) = ("Plants Check".to_owned(), Probe::default());
    let plain =
        EarlierLeftover { id, name, probe, accepted: true, unknown: None, delete_failed: false, create_failed: false };
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

/// Runs a check of a store that does not have this leftover; returns the report, and whether the leftover is forgotten.
fn check_absent(wanted: Wanted, left: EarlierLeftover) -> (Report, bool) {
    let gone = (left.id, left.unknown);
    let (mut run, mut store, mut forgotten) = (run(wanted, &[left]), Honest::default(), Vec::new());
    watched(
        &mut run,
        |kind, probe| store.response(kind, probe),
        |_, orders, _| forgotten.extend(orders.forgets.clone()),
    );
    (run.report(), forgotten.contains(&gone))
}

#[test]
fn an_absent_leftover_is_forgotten_unless_it_may_have_another_id() {
    for (leaves_id_open, accepted) in [(false, true), (false, false), (true, true)] {
        let body = leaves_id_open.then(|| r#"{"name":"x","id":"1234567890","tag":"y"}"#.to_owned());
        let probe = Probe { body, leaves_id_open, ..Probe::default() };
        let (name, id) = ("Plants Check".to_owned(), PlantId(1_234_567_890));
        let unknown = Some(OperationId { origin: 9, number: 9 });
        let left = EarlierLeftover { id, name, probe, accepted, unknown, delete_failed: false, create_failed: false };
        let only = Wanted { gentle: true, only: vec!["delete-accepted".into()] };
        let (report, is_forgotten) = check_absent(only, left);
        assert_eq!((is_forgotten, report.leftovers.is_empty()), (!leaves_id_open, !leaves_id_open));
    }
}

/// The first 404 decides nothing; deletes of other plants show later what it means.
#[test]
fn a_leftover_whose_unknown_delete_took_effect_is_forgotten() {
    let (name, id, unknown) = ("Plants Check".to_owned(), PlantId(1_234_567_890), OperationId { origin: 9, number: 9 });
    let (probe, unknown) = (Probe::default(), Some(unknown));
    let left = EarlierLeftover { id, name, probe, accepted: true, unknown, delete_failed: true, create_failed: false };
    let (report, is_forgotten) = check_absent(Wanted::default(), left);
    assert!(is_forgotten);
    assert_eq!((report.diagnosis.conclusion(), report.leftovers.as_slice()), (Conclusion::Pass, &[][..]));
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
