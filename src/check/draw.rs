//! What a run draws at random for its plants, and the requests that this makes of its probes.

#![expect(clippy::wildcard_enum_match_arm, reason = "most of these speak of a few of the many probes")]

use super::steps::{EXTRA, NAME, Step, TAG, UNICODE, VERY_LONG};
use crate::domain::{Credentials, MediaType, OperationKind, Plant, PlantId, Probe};

/// Ids and names drawn at random, so that the plants of a run meet nobody's.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    seed: u64,
    /// The id of the first plant; the others follow it.
    base: i64,
    /// A larger id, odd and past 2^53: no double is it.
    big: i64,
    /// In every name.
    word: String,
}

/// Ids fit in 32 bits, as a store may want it (the document says nothing of bounds), and lie
/// where counting from 1 does not lead soon.
const IDS: std::ops::Range<i64> = 1_000_000_000..2_147_483_000;

impl Draw {
    pub(super) fn with_seed(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let word = std::iter::repeat_with(|| random.char('a'..='z')).take(6).collect();
        Self { seed, base: random.i64(IDS), big: (1 << 53) + 2 * random.i64(1 << 40..1 << 50) + 1, word }
    }

    /// Whether an ordinary id can be this one.
    pub(super) fn may_draw(id: PlantId) -> bool {
        (IDS.start..=IDS.end + 100).contains(&id.0)
    }

    /// Draws again, for the case that these ids met somebody's plant.
    pub(super) fn next(&self) -> Self {
        Self { word: self.word.clone(), ..Self::with_seed(self.seed.wrapping_add(1)) }
    }

    /// The id of a step's plant.
    pub(super) fn id(&self, step: Step) -> PlantId {
        let drawn = self.base + step.plant_step().place();
        PlantId(match step.plant_step() {
            Step::IdZero => 0,
            Step::IdLargest => i64::MAX,
            Step::IdSmallest => i64::MIN,
            Step::IdNegative => -drawn,
            Step::CreateBig => self.big,
            // The even number next to it that is the same double: doubles that large have none odd.
            Step::DeleteTwin => self.big - self.big.rem_euclid(4) + if self.big.rem_euclid(4) == 3 { 4 } else { 0 },
            _ => drawn,
        })
    }

    /// What a step's plant is called; the neighbour has the first one's name.
    fn name(&self, step: Step) -> String {
        let number = if step == Step::CreateNeighbour { 0 } else { step.plant_step().place() };
        format!("{NAME}{} {}", self.word, number + 1)
    }

    /// What a step asks for, and how its request departs from the document's.
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
            Step::SecondCreate => (format!("{name} the second"), tag),
            _ => (name, tag),
        };
        (OperationKind::Add(Plant { name, id, tag }), probe)
    }

    fn probe(&self, step: Step, id: PlantId) -> Probe {
        let usual = Probe::default();
        let (credentials, name) = (|credentials| Probe { credentials, ..usual.clone() }, self.name(step));
        // Letters, spaces and a dash: in quotes they are JSON.
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
            Step::IdBeyond | Step::IdAsFloat => open(with_id(&self.spelled(step))),
            Step::IdAsString => open(with_id(&format!("\"{id}\""))),
            Step::BrokenJson => open(format!(r#"{{"name":"{name}","id":{id},"tag":"{TAG}""#)),
            Step::MediaTypeMissing => Probe { media_type: MediaType::None, ..usual },
            Step::MediaTypeWrong => Probe { media_type: MediaType::Other("text/plain".to_owned()), ..usual },
            // Who reads as far as there are digits reads an id that was drawn.
            Step::DeleteNotAnInteger => {
                Probe { path_id: Some(format!("{id}-plants-check")), leaves_id_open: true, ..usual }
            }
            _ => usual,
        }
    }

    /// The id as the body of this step has it.
    fn spelled(&self, step: Step) -> String {
        let id = self.id(step);
        match step {
            // Past every integer of 64 bits, signed or not.
            Step::IdBeyond => format!("2{:019}", id.0),
            Step::IdAsFloat => format!("{id}.5"),
            _ => id.to_string(),
        }
    }

    /// What may stand in a path to take this step's plant away, the likeliest first.
    pub(super) fn spellings(&self, step: Step) -> Vec<String> {
        let plain = self.id(step).to_string();
        match step {
            Step::IdMissing => Vec::new(),
            Step::IdBeyond => vec![self.spelled(step)],
            Step::IdAsFloat => vec![self.spelled(step), plain],
            _ => vec![plain],
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
    fn no_two_plants_of_a_run_share_an_id_and_what_belongs_to_one_does() {
        let steps = Wanted::default().steps();
        for seed in 0..200 {
            let draw = Draw::with_seed(seed);
            for &one in &steps {
                for &other in &steps {
                    let same = draw.id(one) == draw.id(other);
                    assert_eq!(same, one.plant_step() == other.plant_step(), "{one:?} {other:?}");
                }
            }
            let id = |step| draw.id(step).0;
            assert_eq!(id(Step::CreateNeighbour), id(Step::Create) + 1);
            assert!(IDS.contains(&id(Step::Create)) && i32::try_from(id(Step::MediaTypeWrong)).is_ok());
        }
    }

    #[test]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        reason = "that precision is lost is what is tested"
    )]
    fn the_twin_of_the_big_id_is_the_same_double_and_another_integer() {
        for seed in 0..200 {
            let draw = Draw::with_seed(seed);
            let (big, twin) = (draw.id(Step::CreateBig).0, draw.id(Step::DeleteTwin).0);
            assert!(big > 1 << 53 && big < 1 << 54);
            assert_ne!(big, twin);
            assert_eq!(big as f64, twin as f64);
            assert_eq!(twin as f64 as i64, twin);
        }
    }

    #[test]
    fn every_body_but_the_broken_one_is_json_and_says_whose_it_is() {
        let draw = Draw::with_seed(7);
        for step in Wanted::default().steps() {
            let (kind, probe) = draw.request(step);
            assert_eq!(matches!(kind, OperationKind::Delete(_)), step.is_delete());
            let Some(body) = probe.body else { continue };
            let is_json = serde_json::from_str::<serde_json::Value>(&body).is_ok();
            assert_eq!(is_json, step != Step::BrokenJson, "{body}");
            assert!(body.contains("Plants Check") || body.contains(TAG), "{body}");
        }
        let (OperationKind::Add(plant), _) = draw.request(Step::NameVeryLong) else { unreachable!() };
        assert_eq!(plant.name.chars().count(), VERY_LONG);
    }
}
