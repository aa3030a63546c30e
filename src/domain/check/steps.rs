//! The probes: which requests the check sends, in which order, and about which plants.
//!
//! All plants are the check's own. Their names say what they are, each its own, and their ids are
//! drawn where nobody's are likely to be; for all others see [`Need::AFreeId`].

#![expect(clippy::wildcard_enum_match_arm, reason = "most of these speak of a few of the many probes")]

use crate::domain::{Ask, Credentials, MediaType, Plant, PlantId, Probe};

/// The tag of the check's plants.
pub(super) const TAG: &str = "Plants-Check";

/// How the names of the check's plants begin.
pub(super) const NAME: &str = "Plants Check ";

/// Characters of a very long name or tag.
pub(super) const VERY_LONG: usize = 10_000;

/// A name whose characters can be spelled in several ways: a letter with its accent apart, one
/// with it in one piece, wide letters, and one beyond 16 bits.
pub(super) const UNICODE: &str = "e\u{301} \u{f1} \u{ff21} \u{1f335}";

/// The same in the normal forms of Unicode (UAX #15).
pub(super) const NORMAL_FORMS: [(&str, &str); 4] = [
    ("NFC", "\u{e9} \u{f1} \u{ff21} \u{1f335}"),
    ("NFD", "e\u{301} n\u{303} \u{ff21} \u{1f335}"),
    ("NFKC", "\u{e9} \u{f1} A \u{1f335}"),
    ("NFKD", "e\u{301} n\u{303} A \u{1f335}"),
];

/// The field that no document names.
pub(super) const EXTRA: &str = "plants_check";

/// One probe. The order is that in which they go out; what hangs on the same plant stands
/// together, so that it can be taken away early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Step {
    Create,
    CreateNeighbour,
    Delete,
    DeleteTwice,
    DeleteAbsent,
    DeleteNeighbour,
    PlantForSecond,
    SecondCreate,
    CreateAgain,
    CreateBig,
    DeleteTwin,
    DeleteBig,
    CreateWithoutToken,
    CreateWrongToken,
    CreateOtherScheme,
    PlantWithoutToken,
    DeleteWithoutToken,
    PlantWrongToken,
    DeleteWrongToken,
    PlantOtherScheme,
    DeleteOtherScheme,
    NameMissing,
    IdMissing,
    TagMissing,
    NameNotAString,
    TagNotAString,
    NameEmpty,
    TagEmpty,
    NameVeryLong,
    TagVeryLong,
    NameSpaced,
    Unicode,
    ExtraField,
    IdNegative,
    IdBeyond,
    IdAsString,
    IdAsFloat,
    IdZero,
    IdLargest,
    IdSmallest,
    DeleteNotAnInteger,
    BrokenJson,
    MediaTypeMissing,
    MediaTypeWrong,
}

/// What must have been observed before a probe goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// A yes to this one.
    Yes(Step),
    /// That a plant can be taken away here.
    CleaningUp,
    /// That, and that a second plant under a taken id is rejected: then an accepted create means that
    /// the id was free, and nobody's plant is hit. It is asked for wherever a store could take another id than
    /// was drawn: 0 for one that is missing, the largest for one that is larger.
    AFreeId,
}

impl Step {
    /// The create whose plant it is about.
    pub(super) fn plant_step(self) -> Self {
        match self {
            Self::Delete | Self::DeleteTwice | Self::CreateAgain => Self::Create,
            Self::DeleteNeighbour => Self::CreateNeighbour,
            Self::DeleteBig => Self::CreateBig,
            Self::DeleteWithoutToken => Self::PlantWithoutToken,
            Self::DeleteWrongToken => Self::PlantWrongToken,
            Self::DeleteOtherScheme => Self::PlantOtherScheme,
            Self::SecondCreate => Self::PlantForSecond,
            itself => itself,
        }
    }

    /// Whether it asks for a delete.
    pub(super) fn is_delete(self) -> bool {
        matches!(
            self,
            Self::Delete
                | Self::DeleteTwice
                | Self::DeleteAbsent
                | Self::DeleteNeighbour
                | Self::DeleteTwin
                | Self::DeleteBig
                | Self::DeleteWithoutToken
                | Self::DeleteWrongToken
                | Self::DeleteOtherScheme
                | Self::DeleteNotAnInteger
        )
    }

    /// Whether it asks for a create without the token, or not as the document has it.
    pub(super) fn lacks_the_token(self) -> bool {
        matches!(self, Self::CreateWithoutToken | Self::CreateWrongToken | Self::CreateOtherScheme)
    }

    pub(super) fn need(self) -> Need {
        match self {
            Self::CreateBig
            | Self::IdMissing
            | Self::IdNegative
            | Self::IdBeyond
            | Self::IdAsString
            | Self::IdAsFloat
            | Self::IdZero
            | Self::IdLargest
            | Self::IdSmallest
            | Self::BrokenJson
            | Self::MediaTypeMissing
            | Self::MediaTypeWrong => Need::AFreeId,
            Self::DeleteTwice | Self::CreateAgain => Need::Yes(Self::Delete),
            Self::DeleteTwin => Need::Yes(Self::CreateBig),
            Self::Delete
            | Self::DeleteNeighbour
            | Self::DeleteBig
            | Self::DeleteWithoutToken
            | Self::DeleteWrongToken
            | Self::DeleteOtherScheme
            | Self::SecondCreate => Need::Yes(self.plant_step()),
            Self::CreateNeighbour => Need::Yes(Self::Create),
            Self::Create
            | Self::CreateWithoutToken
            | Self::CreateWrongToken
            | Self::CreateOtherScheme
            | Self::DeleteAbsent
            | Self::DeleteNotAnInteger => Need::Nothing,
            Self::NameMissing
            | Self::TagMissing
            | Self::NameNotAString
            | Self::TagNotAString
            | Self::NameEmpty
            | Self::TagEmpty
            | Self::NameVeryLong
            | Self::TagVeryLong
            | Self::NameSpaced
            | Self::Unicode
            | Self::ExtraField
            | Self::PlantForSecond
            | Self::PlantWithoutToken
            | Self::PlantWrongToken
            | Self::PlantOtherScheme => Need::CleaningUp,
        }
    }

    /// The probes that must go out before it, so that its need can be met.
    pub(super) fn after(self) -> Vec<Self> {
        match self.need() {
            Need::Nothing => Vec::new(),
            Need::Yes(before) => [before.after(), vec![before]].concat(),
            Need::CleaningUp => vec![Self::Create, Self::Delete],
            Need::AFreeId => [Self::SecondCreate.after(), vec![Self::SecondCreate]].concat(),
        }
    }

    /// Whether its create has an ordinary id that can be read: all that needs no free one, and what
    /// only calls its body otherwise.
    pub(super) fn has_a_plain_id(self) -> bool {
        self.need() != Need::AFreeId || matches!(self, Self::MediaTypeMissing | Self::MediaTypeWrong)
    }

    fn place(self) -> i64 {
        // The discriminant is the place in the order.
        i64::from(self as u8)
    }
}

/// What a run draws by lot, so that its plants meet nobody's.
#[derive(Debug, Clone)]
pub struct Lot {
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

impl Lot {
    /// The lot of this seed.
    pub fn draw(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let word = std::iter::repeat_with(|| random.char('a'..='z')).take(6).collect();
        Self { seed, base: random.i64(IDS), big: (1 << 53) + 2 * random.i64(1 << 40..1 << 50) + 1, word }
    }

    /// Whether an ordinary id of a lot can be this one.
    pub(super) fn may_draw(id: PlantId) -> bool {
        (IDS.start..=IDS.end + 100).contains(&id.0)
    }

    /// Another lot, for the case that this one met somebody's plant.
    pub(super) fn next(&self) -> Self {
        Self { word: self.word.clone(), ..Self::draw(self.seed.wrapping_add(1)) }
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
    pub(super) fn asking(&self, step: Step) -> (Ask, Probe) {
        let id = self.id(step);
        let probe = self.probe(step, id);
        if step.is_delete() {
            return (Ask::Delete(id), probe);
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
        (Ask::Add(Plant { name, id, tag }), probe)
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

    const ALL: [Step; 44] = [
        Step::Create,
        Step::CreateNeighbour,
        Step::Delete,
        Step::DeleteTwice,
        Step::DeleteAbsent,
        Step::DeleteNeighbour,
        Step::PlantForSecond,
        Step::SecondCreate,
        Step::CreateAgain,
        Step::CreateBig,
        Step::DeleteTwin,
        Step::DeleteBig,
        Step::CreateWithoutToken,
        Step::CreateWrongToken,
        Step::CreateOtherScheme,
        Step::PlantWithoutToken,
        Step::DeleteWithoutToken,
        Step::PlantWrongToken,
        Step::DeleteWrongToken,
        Step::PlantOtherScheme,
        Step::DeleteOtherScheme,
        Step::NameMissing,
        Step::IdMissing,
        Step::TagMissing,
        Step::NameNotAString,
        Step::TagNotAString,
        Step::NameEmpty,
        Step::TagEmpty,
        Step::NameVeryLong,
        Step::TagVeryLong,
        Step::NameSpaced,
        Step::Unicode,
        Step::ExtraField,
        Step::IdNegative,
        Step::IdBeyond,
        Step::IdAsString,
        Step::IdAsFloat,
        Step::IdZero,
        Step::IdLargest,
        Step::IdSmallest,
        Step::DeleteNotAnInteger,
        Step::BrokenJson,
        Step::MediaTypeMissing,
        Step::MediaTypeWrong,
    ];

    #[test]
    fn no_two_plants_of_a_run_share_an_id_and_what_belongs_to_one_does() {
        for seed in 0..200 {
            let lot = Lot::draw(seed);
            for one in ALL {
                for other in ALL {
                    let same = lot.id(one) == lot.id(other);
                    assert_eq!(same, one.plant_step() == other.plant_step(), "{one:?} {other:?}");
                }
            }
            let id = |step| lot.id(step).0;
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
            let lot = Lot::draw(seed);
            let (big, twin) = (lot.id(Step::CreateBig).0, lot.id(Step::DeleteTwin).0);
            assert!(big > 1 << 53 && big < 1 << 54);
            assert_ne!(big, twin);
            assert_eq!(big as f64, twin as f64);
            assert_eq!(twin as f64 as i64, twin);
        }
    }

    #[test]
    fn every_body_but_the_broken_one_is_json_and_says_whose_it_is() {
        let lot = Lot::draw(7);
        for step in ALL {
            let (ask, probe) = lot.asking(step);
            assert_eq!(matches!(ask, Ask::Delete(_)), step.is_delete());
            let Some(body) = probe.body else { continue };
            let is_json = serde_json::from_str::<serde_json::Value>(&body).is_ok();
            assert_eq!(is_json, step != Step::BrokenJson, "{body}");
            assert!(body.contains("Plants Check") || body.contains(TAG), "{body}");
        }
        let (Ask::Add(plant), _) = lot.asking(Step::NameVeryLong) else { unreachable!() };
        assert_eq!(plant.name.chars().count(), VERY_LONG);
    }

    #[test]
    fn whatever_must_come_before_a_probe_comes_before_it() {
        for step in ALL {
            assert!(step.after().iter().all(|before| *before < step), "{step:?}");
            if let Need::Yes(before) = step.need() {
                assert!(step.after().contains(&before), "{step:?}");
            }
        }
    }
}
