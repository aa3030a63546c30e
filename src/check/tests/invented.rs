//! Stores that are invented at random, each with other people's plants and with lies: request by request, no run may
//! touch a plant that is not its own, and at the end every plant of its own that is there must be listed.

use self::Reads::{AsDouble, AsFloat, Clamped, Exactly, Low16, Low32};
use super::*;
use crate::domain::Plant;

/// How a store reads an id.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Reads {
    Exactly,
    Low16,
    Low32,
    AsFloat,
    AsDouble,
    Clamped,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Deletes {
    Work,
    /// Accepts every delete and does nothing.
    Ignored,
    /// Accepts deletes of absent plants as well.
    Blind,
    Rejected(u16),
    /// Finds a plant by the row number that it shows, and by nothing else.
    ByRow,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum SecondPlant {
    Rejected,
    Replaces,
    IsAnother,
}

/// What stands in front of the store for a time.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Wall {
    None,
    /// Rejects every create with 403.
    Blocks,
    /// Answers every request with a page.
    Portal,
}

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "the lies are independent of each other")]
struct Invented {
    creates: Reads,
    deletes_read: Reads,
    deletes: Deletes,
    second: SecondPlant,
    /// Shows the row number as the id, in the body or the location.
    shows_row: bool,
    never_reuses: bool,
    /// Carries out what it rejects: creates without the token, and creates of a wrong form.
    stores_rejected: bool,
    ignores_token: bool,
    wall: Wall,
    wall_from: usize,
    wall_to: usize,
    /// Of 16 responses, so many are lost.
    losses: u32,
    /// By key: the id that was sent (`None` for another person's plant) and the row.
    plants: Vec<(i64, Option<PlantId>, u64)>,
    used: BTreeSet<i64>,
    rows: u64,
    requests: usize,
    random: fastrand::Rng,
}

/// Ids of other people's plants, as stores that count have them, and those that a careless reader ends at.
fn others() -> Vec<i64> {
    let edges = [0, i32::MAX.into(), i32::MIN.into(), u32::MAX.into(), i64::MAX, i64::MIN];
    (1..=200).chain(edges).collect()
}

impl Invented {
    fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut reads =
            || [Exactly, Exactly, Exactly, Exactly, Low16, Low32, AsFloat, AsDouble, Clamped][random.usize(0..9)];
        let (creates, other) = (reads(), reads());
        let deletes_read = if random.u32(0..4) == 0 { other } else { creates };
        let second = [SecondPlant::Rejected, SecondPlant::Rejected, SecondPlant::Replaces, SecondPlant::IsAnother];
        let second = second[random.usize(0..4)];
        let wall = [Wall::None, Wall::None, Wall::Blocks, Wall::Portal][random.usize(0..4)];
        let losses = [0, 0, 1, 3][random.usize(0..4)];
        let deletes = match random.u32(0..12) {
            0 => Deletes::Ignored,
            // One that also reads only unusual ids differently shows nothing.
            1 if creates == deletes_read => Deletes::Blind,
            2 => Deletes::Rejected([403, 404, 405, 500][random.usize(0..4)]),
            3 => Deletes::ByRow,
            _ => Deletes::Work,
        };
        let wall_from = random.usize(1..90);
        let wall_to = if random.bool() { usize::MAX } else { wall_from + random.usize(1..30) };
        // A store that reads ids carelessly and replaces plants, or cuts ids off in deletes alone, hits the plant at its
        // limit with the first request, before a check can see it.
        let is_careless = (creates != Exactly && second != SecondPlant::Rejected) || creates != deletes_read;
        let others = others().into_iter().filter(|id| !is_careless || (1..=200).contains(id));
        Self {
            creates,
            deletes_read,
            deletes,
            second,
            shows_row: random.u32(0..3) == 0,
            never_reuses: random.u32(0..6) == 0 && second == SecondPlant::Rejected,
            stores_rejected: random.u32(0..6) == 0,
            ignores_token: random.u32(0..6) == 0,
            wall,
            wall_from,
            wall_to,
            losses,
            plants: others.zip(1..).map(|(id, row)| (id, None, row)).collect(),
            used: BTreeSet::new(),
            rows: 1_000,
            requests: 0,
            random,
        }
    }

    fn response(&mut self, kind: &OperationKind, probe: &Probe) -> Ending {
        self.requests += 1;
        if (self.wall_from..self.wall_to).contains(&self.requests) {
            match (self.wall, kind) {
                (Wall::Blocks, OperationKind::Add(_)) => return responded(403, "blocked"),
                (Wall::Portal, _) => return page(),
                (Wall::None, _) | (Wall::Blocks, OperationKind::Delete(_)) => {}
            }
        }
        let ending = match kind {
            OperationKind::Add(plant) => self.create(plant, probe),
            OperationKind::Delete(id) => self.delete(&probe.path_id.clone().unwrap_or_else(|| id.to_string()), probe),
        };
        match self.random.u32(0..16) {
            fate if fate < self.losses => without_response(FailureKind::NoResponse),
            _ => ending,
        }
    }

    fn create(&mut self, plant: &Plant, probe: &Probe) -> Ending {
        let body = probe.body.clone().unwrap_or_else(|| serde_json::to_string(plant).unwrap());
        let fields: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
        let (name, tag) = (fields["name"].as_str(), fields["tag"].as_str());
        let is_formed = name.is_some() && tag.is_some() && probe.media_type == MediaType::Json;
        let Some(id) = fields["id"].as_i64() else { return responded(400, "") };
        let is_authorised = self.ignores_token || probe.credentials == Credentials::Token;
        let key = read(self.creates, id);
        if !(is_formed && is_authorised) {
            if self.stores_rejected && !self.has(key) {
                self.put(key, plant.id);
            }
            return responded(if is_authorised { 400 } else { 401 }, "");
        }
        let is_used = self.never_reuses && self.used.contains(&key);
        if is_used || (self.has(key) && self.second == SecondPlant::Rejected) {
            return responded(409, "");
        }
        if self.second == SecondPlant::Replaces {
            self.plants.retain(|(other, ..)| *other != key);
        }
        self.put(key, plant.id);
        let mut fields = serde_json::json!({ "name": plant.name, "tag": plant.tag });
        if self.shows_row {
            fields["id"] = self.rows.into();
        }
        responded(201, &fields.to_string())
    }

    /// Whether deletes, ids and responses are as those of an ordinary store.
    fn is_simple(&self) -> bool {
        let reads_alike = self.creates == self.deletes_read && self.creates == Exactly;
        let is_plain = self.losses == 0 && self.wall == Wall::None && !self.never_reuses;
        reads_alike && is_plain && self.deletes == Deletes::Work
    }

    fn has(&self, key: i64) -> bool {
        self.plants.iter().any(|(other, ..)| *other == key)
    }

    fn put(&mut self, key: i64, sent: PlantId) {
        self.rows += 1;
        self.used.insert(key);
        self.plants.push((key, Some(sent), self.rows));
    }

    fn delete(&mut self, written: &str, probe: &Probe) -> Ending {
        if !self.ignores_token && probe.credentials != Credentials::Token {
            return responded(401, "");
        }
        let whole = written.split(['.', '-']).find(|digits| !digits.is_empty()).unwrap_or_default();
        let Ok(id) = whole.parse::<i64>().map(|id| if written.starts_with('-') { -id } else { id }) else {
            return responded(400, "");
        };
        let key = read(self.deletes_read, id);
        let is_by_row = self.deletes == Deletes::ByRow;
        let is_meant = |(other, _, row): &(i64, Option<PlantId>, u64)| {
            if is_by_row { i64::try_from(*row) == Ok(id) } else { *other == key }
        };
        let found = self.plants.iter().position(is_meant);
        match (self.deletes, found) {
            (Deletes::Rejected(status), _) => responded(status, ""),
            (Deletes::Ignored, _) | (Deletes::Blind, None) => responded(204, ""),
            (_, None) => responded(404, ""),
            (Deletes::Work | Deletes::Blind | Deletes::ByRow, Some(at)) => {
                self.plants.remove(at);
                responded(204, "")
            }
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "stores that lose precision are what is invented"
)]
fn read(reads: Reads, id: i64) -> i64 {
    match reads {
        Exactly => id,
        Low16 => id & 0xffff,
        Low32 => id & 0xffff_ffff,
        AsFloat => id as f32 as i64,
        AsDouble => id as f64 as i64,
        Clamped => id.clamp(i32::MIN.into(), i32::MAX.into()),
    }
}

pub(super) fn page() -> Ending {
    let Ending::Responded(response) = responded(200, "<!doctype html>") else { unreachable!() };
    let headers = [Header { name: "content-type".into(), value: "text/html".into() }].into();
    Ending::Responded(Response { headers, ..response })
}

/// The sentences of docs/check.md about deletes and fixed ids, for one more request.
fn is_allowed(before: &[Exchange], kind: &OperationKind, probe: &Probe) -> Result<(), TestCaseError> {
    let adds = || before.iter().filter(|sent| matches!(sent.operation.kind, OperationKind::Add(_)));
    let body = |sent: &Exchange| sent.request.as_ref().unwrap().body.as_deref().unwrap_or_default().to_owned();
    match kind {
        OperationKind::Delete(id) => {
            let path = probe.path_id.clone().unwrap_or_else(|| id.to_string());
            let created: Vec<_> = adds().filter(|sent| sent.operation.kind.plant_id() == *id).collect();
            let was_sent = created.iter().any(|sent| body(sent).contains(&path) || path == id.to_string());
            let is_random = super::super::probe_requests::is_ordinary(*id) && path.starts_with(&id.to_string());
            prop_assert!(was_sent || (created.is_empty() && is_random), "DELETE {path} was never created");
            if FIXED_IDS.contains(id) {
                let is_own = created.iter().any(|sent| sent.outcome() == Outcome::Accepted);
                prop_assert!(is_own, "DELETE {path} although its create was not accepted");
            }
        }
        OperationKind::Add(plant) if FIXED_IDS.contains(&plant.id) => {
            let is_accepted = |sent: &&Exchange| sent.outcome() == Outcome::Accepted;
            let mut deletes = before.iter().filter(|sent| matches!(sent.operation.kind, OperationKind::Delete(_)));
            prop_assert!(adds().any(|sent| is_accepted(&sent)) && deletes.any(|sent| is_accepted(&sent)));
            let is_taken = |sent: &Exchange| {
                let mut same = adds().filter(|add| add.operation.kind.plant_id() == sent.operation.kind.plant_id());
                sent.outcome() == Outcome::Rejected && same.any(|add| is_accepted(&add))
            };
            prop_assert!(adds().any(is_taken), "POST {} without a rejected second create", plant.id);
        }
        OperationKind::Add(_) => {}
    }
    Ok(())
}

fn transcript(store: &Invented, all: &[Exchange]) -> String {
    let store = Invented { plants: Vec::new(), used: BTreeSet::new(), ..store.clone() };
    let lines: Vec<_> = all.iter().map(evidence::line).collect();
    format!("{store:?}\n{}", lines.join("\n"))
}

/// Carries out a run against an invented store, and returns both.
fn check(seed: u64) -> Result<(Run, Invented, Vec<Exchange>), TestCaseError> {
    let (mut run, mut store) = (run(Wanted::default(), &[]), Invented::new(seed));
    let others = store.plants.clone();
    let (mut all, mut orders) = (Vec::<Exchange>::new(), handle(&mut run, Event::Begin));
    while let Some((kind, probe)) = orders.sends {
        prop_assert!(all.len() < 400, "the run never ends");
        is_allowed(&all, &kind, &probe)?;
        let ending = store.response(&kind, &probe);
        all.push(exchange(u32::try_from(all.len()).unwrap() + 1, kind, probe, ending));
        for other in &others {
            prop_assert!(store.plants.contains(other), "{} is gone\n{}", other.0, transcript(&store, &all));
        }
        orders = handle(&mut run, ended(all[all.len() - 1].clone()));
    }
    Ok((run, store, all))
}

proptest! {
    #[test]
    fn no_plant_of_others_is_touched_and_no_leftover_unsaid(seed in any::<u64>()) {
        let (run, store, all) = check(seed)?;
        let report = run.report();
        // A create that was rejected is known to be carried out only where a delete shows it.
        let shows_rejected = store.is_simple() && report.diagnosis.conclusion() != Conclusion::None;
        for (key, sent, _) in &store.plants {
            let is_add = |one: &&Exchange| Some(one.operation.kind.plant_id()) == *sent && one.operation.kind.plant().is_some();
            let was_rejected = all.iter().filter(is_add).all(|add| add.outcome() == Outcome::Rejected);
            if was_rejected && !shows_rejected {
                continue;
            }
            // Of two plants under one key, the store may have either.
            let is_it = |left: &Leftover| {
                let is_deleted_as = |id| read(store.deletes_read, id);
                read(store.creates, left.id.0) == *key || is_deleted_as(left.id.0) == is_deleted_as(*key)
            };
            let is_said = sent.is_none() || report.leftovers.iter().any(is_it);
            prop_assert!(is_said, "{sent:?} is there, and not in {:?}\n{}", report.leftovers, transcript(&store, &all));
        }
    }
}
