//! The probes: which requests the check sends, in which order, and about which plants.
//!
//! All plants are the check's own. Their names say what they are, each its own, and their ids are
//! drawn where nobody's are likely to be; for all others see [`Need::AFreeId`].

#![expect(clippy::wildcard_enum_match_arm, reason = "most of these speak of a few of the many probes")]

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

    pub(super) fn place(self) -> i64 {
        // The discriminant is the place in the order.
        i64::from(self as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Wanted;

    #[test]
    fn whatever_must_come_before_a_probe_comes_before_it() {
        for step in Wanted::default().steps() {
            assert!(step.after().iter().all(|before| *before < step), "{step:?}");
            if let Need::Yes(before) = step.need() {
                assert!(step.after().contains(&before), "{step:?}");
            }
        }
    }
}
