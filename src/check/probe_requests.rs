//! Builds the request of each probe: draws the ids and names of a run's plants from a seed. Must not know what
//! became of the requests.

#![expect(clippy::wildcard_enum_match_arm, reason = "most matches name a few of the many probes")]

use super::steps::{EXTRA, NAME, Step, TAG, UNICODE, VERY_LONG};
use crate::domain::{Credentials, MediaType, OperationKind, Plant, PlantId, Probe};

/// How often a run draws other ids because the store has a plant under the first one.
pub(super) const MAX_REDRAWS: u32 = 2;

/// The ids and names of a run. They are random, so that no other plant has them.
#[derive(Debug, Clone, Default)]
pub(super) struct ProbeRequests {
    seed: u64,
    /// Whether ordinary ids fit in 31 bits, for a store that rejects longer ones.
    are_short: bool,
    /// An odd id of [`LARGE`], which no double represents exactly.
    big: i64,
    /// Part of every name.
    word: String,
}

/// Ordinary ids are these numbers times [`UNIT`]: 63 bits long (the document gives no bounds), and yet a double
/// represents them exactly and with the same digits, for the stores that read JSON numbers as doubles.
const LEADING: std::ops::Range<i64> = 461_168_602..922_337_203;
const UNIT: i64 = 10_000_000_000;
/// Short ids are far from those of a store that counts from 1.
const SHORT: std::ops::Range<i64> = 1_000_000_000..2_147_483_647;
/// The least of the ordinary ids that are not short.
pub const LONG_IDS: PlantId = PlantId(LEADING.start * UNIT);
/// Ids past 2^53, each with its neighbour that is the same double.
const LARGE: std::ops::Range<i64> = (1 << 53) + (1 << 42)..(1 << 53) + (1 << 52);
/// An id and its neighbour differ by some of these, so that they are the same for a store that reads the low 16 bits, or
/// the low 32 of a long id: times [`UNIT`], this is a multiple of 2^32.
const DISTANCE: i64 = 1 << 22;

/// Whether an id is one that a run may draw for an ordinary plant.
pub(super) fn is_ordinary(id: PlantId) -> bool {
    SHORT.contains(&id.0) || (id.0 % UNIT == 0 && LEADING.contains(&(id.0 / UNIT)))
}

/// Whether an id is one past 2^53 that a run may draw.
pub(super) fn is_large(id: PlantId) -> bool {
    LARGE.contains(&id.0)
}

/// Whether an id needs more than 31 bits.
pub(super) fn is_long(id: PlantId) -> bool {
    i32::try_from(id.0).is_err()
}

impl ProbeRequests {
    pub(super) fn with_seed(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let word = std::iter::repeat_with(|| random.char('a'..='z')).take(6).collect();
        let big = 4 * random.i64(LARGE.start / 4..LARGE.end / 4) + 1;
        Self { seed, are_short: false, big, word }
    }

    /// Returns the ids and names of another seed, for when the store may have a plant with one of these; with the same
    /// large id.
    pub(super) fn with_others(&self, seed: u64) -> Self {
        Self { are_short: self.are_short, big: self.big, ..Self::with_seed(seed) }
    }

    pub(super) fn next_seed(&self) -> u64 {
        self.seed.wrapping_add(1)
    }

    /// Returns the same names with this large id, or the one that is the same double, of an earlier run.
    pub(super) fn with_large_id(self, id: PlantId) -> Self {
        Self { big: id.0 | 1, ..self }
    }

    /// Returns ids of 31 bits with other names; `None` if these are such.
    pub(super) fn with_short_ids(&self) -> Option<Self> {
        (!self.are_short).then(|| Self { are_short: true, ..self.with_others(self.next_seed()) })
    }

    /// Draws an ordinary id; the same for the same number.
    fn ordinary(&self, number: u64) -> i64 {
        let mut random = fastrand::Rng::with_seed(self.seed.wrapping_mul(1_000).wrapping_add(number));
        let (leading, unit) = self.leading();
        random.i64(leading) * unit
    }

    /// Returns the range of the ordinary ids, and its unit.
    fn leading(&self) -> (std::ops::Range<i64>, i64) {
        if self.are_short { (SHORT, 1) } else { (LEADING, UNIT) }
    }

    /// Returns the id of a step's plant.
    pub(super) fn id(&self, step: Step) -> PlantId {
        let ordinary = || self.ordinary(step.plant_step().position());
        PlantId(match step.plant_step() {
            Step::IdZero => 0,
            Step::IdLargest => i64::MAX,
            Step::IdSmallest => i64::MIN,
            Step::IdNegative => -ordinary(),
            // A long number with a fraction would be a double without one; and one past a limit of the store could be
            // the same as another one past it.
            Step::IdAsFloat | Step::CreateBeside => Self { are_short: true, ..self.clone() }.ordinary(step.position()),
            step @ (Step::CreateNeighbour | Step::CreateAlias) => {
                let (first, (leading, unit)) = (self.ordinary(Step::Create.position()), self.leading());
                let by = if step == Step::CreateNeighbour { DISTANCE * unit } else { 2 * DISTANCE * unit };
                let is_low = first / unit < i64::midpoint(leading.start, leading.end);
                if is_low { first + by } else { first - by }
            }
            Step::CreateBig => self.big,
            // The adjacent even number that is the same double: of doubles this large, all are even.
            Step::CreateTwin => self.big - 1,
            _ => ordinary(),
        })
    }

    /// Returns the usual create of a control, whose number is its position among them.
    pub(super) fn control(&self, number: u64) -> OperationKind {
        let (offset, tag) = (Step::MediaTypeWrong.position() + 1, TAG.to_owned());
        let (name, id) = (self.numbered(offset + number), PlantId(self.ordinary(offset + number)));
        OperationKind::add(Plant { name, id, tag })
    }

    /// Returns the name of a step's plant, which differs early, since a narrow column cuts its end. The neighbour has the
    /// name of the first plant.
    fn name(&self, step: Step) -> String {
        let plant = step.plant_step();
        self.numbered(if plant == Step::CreateNeighbour { 0 } else { plant.position() })
    }

    fn numbered(&self, number: u64) -> String {
        format!("{NAME}{} {}", number + 1, self.word)
    }

    /// Returns the operation of a step, and how its request differs from the document.
    pub(super) fn request(&self, step: Step) -> (OperationKind, Probe) {
        let id = self.id(step);
        let probe = self.probe(step, id);
        if step.is_delete() {
            return (OperationKind::Delete(id), probe);
        }
        let (name, tag) = (self.name(step), TAG.to_owned());
        let (name, tag) = match step {
            Step::NameEmpty => (String::new(), tag),
            Step::TagEmpty => (name, String::new()),
            Step::NameVeryLong => (long(&name), tag),
            Step::TagVeryLong => (name, long(&tag)),
            Step::NameSpaced => (format!(" {name} "), tag),
            Step::Unicode => (format!("{name} {UNICODE}"), format!("{tag} {UNICODE}")),
            Step::SecondCreate | Step::CreateNeighbourAgain | Step::CreateBigAfterTwin | Step::CreateBigAgain => {
                (format!("{name} the second"), tag)
            }
            _ => (name, tag),
        };
        (OperationKind::add(Plant { name, id, tag }), probe)
    }

    fn probe(&self, step: Step, id: PlantId) -> Probe {
        let usual = Probe::default();
        let (credentials, name) = (|credentials| Probe { credentials, ..usual.clone() }, self.name(step));
        // Names and tags are letters, digits, spaces and dashes, so that they need no escapes in JSON.
        let body = |body: String| Probe { body: Some(body), ..usual.clone() };
        let open = |body: String| Probe { body: Some(body), leaves_id_open: true, ..usual.clone() };
        let with_id = |id: &str| format!(r#"{{"name":"{name}","id":{id},"tag":"{TAG}"}}"#);
        match step {
            Step::CreateWithoutToken | Step::DeleteWithoutToken => credentials(Credentials::None),
            Step::CreateWrongToken | Step::DeleteWrongToken => credentials(Credentials::WrongToken),
            Step::CreateOtherScheme | Step::DeleteOtherScheme => credentials(Credentials::OtherScheme),
            Step::NameMissing => body(format!(r#"{{"id":{id},"tag":"{TAG}"}}"#)),
            Step::TagMissing => body(format!(r#"{{"name":"{name}","id":{id}}}"#)),
            Step::NameNotAString => body(format!(r#"{{"name":12,"id":{id},"tag":"{TAG}"}}"#)),
            Step::TagNotAString => body(format!(r#"{{"name":"{name}","id":{id},"tag":12}}"#)),
            Step::ExtraField => body(format!(r#"{{"name":"{name}","id":{id},"tag":"{TAG}","{EXTRA}":"extra"}}"#)),
            Step::IdMissing => open(format!(r#"{{"name":"{name}","tag":"{TAG}"}}"#)),
            // Larger than every integer of 64 bits, signed or not.
            Step::IdBeyond => open(with_id(&format!("2{:019}", id.0))),
            Step::IdAsFloat => open(with_id(&format!("{id}.5"))),
            Step::IdAsString | Step::CreateAsString => open(with_id(&format!("\"{id}\""))),
            Step::BrokenJson => open(format!(r#"{{"name":"{name}","id":{id},"tag":"{TAG}""#)),
            Step::MediaTypeMissing => Probe { media_type: MediaType::None, ..usual },
            Step::MediaTypeWrong => Probe { media_type: MediaType::Other("text/plain".to_owned()), ..usual },
            // A store that parses leading digits reads one of this run's ids.
            Step::DeleteNotAnInteger => {
                Probe { path_id: Some(format!("{id}-plants-check")), leaves_id_open: true, ..usual }
            }
            _ => usual,
        }
    }
}

fn long(text: &str) -> String {
    text.chars().cycle().take(VERY_LONG).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Wanted;

    #[test]
    fn steps_share_an_id_only_if_they_share_a_plant() {
        let steps = Wanted::default().steps();
        for seed in 0..200 {
            let requests = ProbeRequests::with_seed(seed);
            for requests in [requests.with_short_ids().unwrap(), requests] {
                for &one in &steps {
                    for &other in &steps {
                        let same = requests.id(one) == requests.id(other);
                        assert_eq!(same, one.plant_step() == other.plant_step(), "{one:?} {other:?}");
                    }
                    let control = requests.control(steps.len() as u64).plant_id();
                    assert!(is_ordinary(control) && control != requests.id(one));
                }
            }
        }
    }

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "that no precision is lost is what is tested")]
    fn ordinary_ids_have_63_bits_and_are_exact_and_short_as_doubles() {
        for seed in 0..200 {
            let requests = ProbeRequests::with_seed(seed);
            let (first, neighbour) = (requests.id(Step::Create).0, requests.id(Step::CreateNeighbour).0);
            for id in [first, neighbour, requests.id(Step::PlantForSecond).0] {
                assert_eq!((id.leading_zeros(), format!("{:.0}", id as f64)), (1, id.to_string()));
            }
            assert!(first != neighbour && (first - neighbour) % (1 << 32) == 0);
            let short = requests.with_short_ids().unwrap();
            let (first, neighbour, alias) =
                (short.id(Step::Create).0, short.id(Step::CreateNeighbour), short.id(Step::CreateAlias));
            assert!([neighbour, alias].iter().all(|id| is_ordinary(*id) && (id.0 - first) % (1 << 16) == 0));
            assert!(!is_long(neighbour) && short.with_short_ids().is_none());
        }
    }

    #[test]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        reason = "that precision is lost is what is tested"
    )]
    fn the_twin_of_the_big_id_is_the_same_double_but_another_integer() {
        for seed in 0..200 {
            let requests = ProbeRequests::with_seed(seed);
            let (big, twin) = (requests.id(Step::CreateBig).0, requests.id(Step::DeleteTwin).0);
            assert!(big > 1 << 53 && big < 1 << 54);
            assert_ne!(big, twin);
            assert_eq!(big as f64, twin as f64);
            assert_eq!(twin as f64 as i64, twin);
        }
    }

    #[test]
    fn every_body_except_the_broken_one_is_json_with_a_name_or_tag_of_the_check() {
        let requests = ProbeRequests::with_seed(7);
        for step in Wanted::default().steps() {
            let (kind, probe) = requests.request(step);
            assert_eq!(matches!(kind, OperationKind::Delete(_)), step.is_delete());
            let Some(body) = probe.body else { continue };
            let is_json = serde_json::from_str::<serde_json::Value>(&body).is_ok();
            assert_eq!(is_json, step != Step::BrokenJson, "{body}");
            assert!(body.contains("Plants Check") || body.contains(TAG), "{body}");
        }
        let (OperationKind::Add(plant), _) = requests.request(Step::NameVeryLong) else { unreachable!() };
        assert_eq!(plant.name.chars().count(), VERY_LONG);
    }

    #[test]
    fn a_body_leaves_the_id_open_if_a_store_may_read_another() {
        let requests = ProbeRequests::with_seed(7);
        let open = [
            Step::IdMissing,
            Step::IdBeyond,
            Step::IdAsString,
            Step::CreateAsString,
            Step::IdAsFloat,
            Step::DeleteNotAnInteger,
            Step::BrokenJson,
        ];
        for step in Wanted::default().steps() {
            assert_eq!(requests.request(step).1.leaves_id_open, open.contains(&step), "{step:?}");
        }
    }

    #[test]
    fn an_ordinary_id_is_sent_as_a_number_in_the_range_of_all_runs() {
        let requests = ProbeRequests::with_seed(7);
        for step in Wanted::default().steps().into_iter().filter(|step| !step.is_delete()) {
            let (kind, probe) = requests.request(step);
            let sent = probe.body.as_deref().map(serde_json::from_str::<serde_json::Value>);
            let is_readable =
                sent.is_none_or(|body| body.is_ok_and(|body| body["id"].as_i64() == Some(kind.plant_id().0)));
            assert!(!is_ordinary(kind.plant_id()) || is_readable != probe.leaves_id_open, "{step:?}");
        }
        for other in [0, 1, 200, i32::MAX.into(), u32::MAX.into(), i64::MAX, i64::MIN] {
            assert!(!is_ordinary(PlantId(other)), "{other}");
        }
    }

    #[test]
    fn other_ids_come_with_other_names() {
        let before = ProbeRequests::with_seed(7);
        let of = |requests: &ProbeRequests| requests.request(Step::Create).0.plant().unwrap().clone();
        for after in [before.with_others(before.next_seed()), before.with_short_ids().unwrap()] {
            assert!(of(&before).id != of(&after).id && of(&before).name != of(&after).name);
        }
    }
}
