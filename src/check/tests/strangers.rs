//! Stores that are not alone, not quick or not careful: nobody else's plant is hit, nothing is
//! left that is not listed, and nobody is blamed for what the document does not say.

use super::*;

/// A store where others have plants, under the ids that a careless check would hit, and that
/// reads ids carelessly itself.
#[derive(Debug, Clone, Default)]
struct Town {
    /// What each plant is called.
    plants: BTreeMap<i64, String>,
    /// Takes a second plant with the same id in the place of the first.
    upserts: bool,
    /// Reads 0 where there is no integer, and as far as there are digits.
    zeroes: bool,
    /// Reads an id of 32 bits, the nearest.
    clamps: bool,
}

const STRANGERS: [i64; 7] = [0, 1, i64::MAX, i64::MIN, i32::MAX as i64, i32::MIN as i64, u32::MAX as i64];

impl Town {
    fn new(ways: u32) -> Self {
        let plants = STRANGERS.map(|id| (id, "somebody's".to_owned())).into();
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

/// Also where responses get lost, and where the next run cleans up.
#[test]
fn nobody_elses_plant_is_ever_touched() {
    for (ways, seed) in (0..8).flat_map(|ways| (0..16).map(move |seed| (ways, seed))) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut town = Town::new(ways);
        let losses = seed % 4;
        let mut left = Vec::new();
        for _ in 0..2 {
            let mut run = run(Wanted::default(), &left);
            let sent = carry_out(&mut run, |kind, probe| {
                let ending = town.response(kind, probe);
                match random.u64(0..12) {
                    fate if fate >= losses => ending,
                    0 => responded(502, ""),
                    1 => responded(500, ""),
                    _ => without_response(FailureKind::NoResponse),
                }
            });
            for id in STRANGERS {
                let there = town.plants.get(&id).map(String::as_str);
                assert_eq!(there, Some("somebody's"), "{id} at a store with ways {ways}, seed {seed}");
            }
            let leftover = |left: &Leftover| {
                let mut adds = sent.iter().filter(|sent| matches!(&sent.operation.kind, OperationKind::Add(_)));
                let add = adds.find(|sent| sent.operation.kind.plant_id() == left.id)?;
                let (accepted, doubt) = (add.outcome() == Outcome::Accepted, Some(add.operation.id));
                let probe = add.operation.probe.clone().unwrap();
                Some(EarlierLeftover {
                    id: left.id,
                    name: left.name.clone(),
                    probe,
                    accepted,
                    doubt,
                    in_vain: left.clean_up == CleanUp::Failed,
                })
            };
            left = run.report().leftovers.iter().filter_map(leftover).collect();
        }
    }
}

#[test]
fn an_id_that_the_view_has_is_not_tried() {
    let before = EarlierRuns { taken: vec![PlantId(0)], ..EarlierRuns::default() };
    let mut run = Run::new(&store(), NOW, Wanted::default(), Duration::ZERO, 7, &before);
    let mut store = Honest::default();
    let sent = carry_out(&mut run, |kind, probe| store.response(kind, probe));
    assert!(sent.iter().all(|exchange| exchange.operation.kind.plant_id() != PlantId(0)));
    assert_eq!(value(&run.report(), "id-zero"), "not tried: the list has a plant with this id");
    assert_eq!(run.report().diagnosis.conclusion(), Conclusion::Pass);
}

#[test]
fn a_store_that_takes_its_time_is_given_it() {
    let (mut run, mut store, mut early) = (run(Wanted::default(), &[]), Honest::default(), 2);
    let (mut before_deletes, mut event) = (Vec::new(), Event::Begin);
    for number in 1.. {
        let Wants { after, sends, .. } = tell(&mut run, event);
        let Some((kind, probe)) = sends else { break };
        let is_delete = matches!(kind, OperationKind::Delete(_));
        let is_early = is_delete && early > 0;
        early -= i32::from(is_early);
        before_deletes.extend(is_delete.then_some(after));
        let ending = if is_early { responded(404, "") } else { store.response(&kind, &probe) };
        event = ended(exchange(number, kind, probe, ending));
    }
    assert_eq!((run.report().diagnosis.conclusion(), store.ids.len()), (Conclusion::Pass, 0), "{:#?}", run.report());
    assert!(before_deletes.iter().skip(3).all(|after| *after == Duration::from_secs(1)), "{before_deletes:?}");
}

#[test]
fn a_store_that_always_asks_for_patience_is_left_alone() {
    let mut run = run(Wanted::default(), &[]);
    let sent = carry_out(&mut run, |_, _| responded(429, ""));
    assert!(sent.len() < 6, "{}", sent.len());
    assert_eq!(run.report().diagnosis.conclusion(), Conclusion::None);
    assert!(run.report().summary().contains("again and again"), "{}", run.report().summary());
}

#[test]
fn a_yes_to_a_delete_without_the_token_proves_nothing() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    carry_out(&mut run, |kind, probe| match kind {
        OperationKind::Delete(_) if probe.credentials != Credentials::Token => responded(200, "<html>please log in"),
        OperationKind::Delete(_) | OperationKind::Add(_) => store.response(kind, probe),
    });
    let broken = ["delete-without-token", "delete-wrong-token", "delete-other-scheme"];
    assert_eq!(verdicts(&run.report(), Verdict::Fail), broken);
    assert_eq!((run.report().leftovers.len(), store.ids.len()), (0, 0));
}

#[test]
fn a_refusal_that_comes_too_late_is_found_and_cleaned_up() {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Honest::default());
    carry_out(&mut run, |kind, probe| {
        let carried_out = store.response(kind, &Probe { credentials: Credentials::Token, ..probe.clone() });
        if probe.credentials == Credentials::Token { carried_out } else { responded(401, "") }
    });
    let report = run.report();
    let broken = verdicts(&report, Verdict::Fail);
    let guarded: Vec<_> =
        RULES.iter().map(|rule| rule.name).filter(|name| name.contains("token") || name.contains("scheme")).collect();
    assert_eq!((broken.as_slice(), broken.len()), (guarded.as_slice(), 6));
    assert_eq!(store.ids.len(), 0);
}

#[test]
fn a_number_is_the_same_however_it_is_spelled() {
    let same = |written: &str, id| evidence::has_spelled(written, PlantId(id));
    for written in ["1810129576", "1810129576.0", "1.810129576E9"] {
        assert!(same(written, 1_810_129_576), "{written}");
    }
    assert!(same("10013575887005105.00", 10_013_575_887_005_105));
    for (written, id) in [("1.0013575887005104E16", 10_013_575_887_005_105), ("7.5", 7), ("a", 0), ("", 0)] {
        assert!(!same(written, id), "{written}");
    }
}
