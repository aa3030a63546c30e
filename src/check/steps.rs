//! The probes: which requests the check sends, in which order, and about which plants. Must not know what the
//! requests contain (`probe_requests`) or what their responses mean (`rules`, `undocumented`).
//!
//! The check only creates and deletes its own plants. Their names are unique and say that a check created them,
//! and their ids are random (63 bits); for the other ids see [`Need::FreeId`].

#![expect(clippy::wildcard_enum_match_arm, reason = "most matches name a few of the many probes")]

/// The tag of every plant of the check.
pub(super) const TAG: &str = "Plants-Check";

/// The prefix of every plant name of the check.
pub(super) const NAME: &str = "Plants Check ";

/// Characters of a very long name or tag.
pub(super) const VERY_LONG: usize = 10_000;

/// A name whose characters have several encodings: a letter with a combining accent, a precomposed one, a
/// full-width letter, and one outside the Basic Multilingual Plane.
pub(super) const UNICODE: &str = "e\u{301} \u{f1} \u{ff21} \u{1f335}";

/// [`UNICODE`] in each normal form (UAX #15), after the words for a text that has it.
pub(super) const NORMAL_FORMS: [(&str, &str); 4] = [
    ("came back in NFC", "\u{e9} \u{f1} \u{ff21} \u{1f335}"),
    ("came back in NFD", "e\u{301} n\u{303} \u{ff21} \u{1f335}"),
    ("came back in NFKC", "\u{e9} \u{f1} A \u{1f335}"),
    ("came back in NFKD", "e\u{301} n\u{303} A \u{1f335}"),
];

/// A field that the document does not have.
pub(super) const EXTRA: &str = "plants_check";

/// A probe. The variants are in the order in which the probes are sent. Probes of the same plant are adjacent, so
/// that the plant can be deleted early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Step {
    Create,
    CreateAsString,
    CreateNeighbour,
    CreateAlias,
    Delete,
    DeleteTwice,
    CreateNeighbourAgain,
    DeleteNeighbour,
    DeleteAbsent,
    PlantForSecond,
    /// Of an id that no store can take for that of the plant that is there.
    CreateBeside,
    SecondCreate,
    CreateAgain,
    CreateBig,
    CreateTwin,
    DeleteTwin,
    CreateBigAfterTwin,
    DeleteBig,
    CreateBigAgain,
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

/// The condition under which a probe may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// This probe was accepted.
    Accepted(Step),
    /// This probe was rejected for its content.
    Rejected(Step),
    /// The store has accepted the delete of a plant of the check, and nothing shows that it had no effect.
    Delete,
    /// The store has accepted this delete, the create of the plant, and a second delete of another: an accepted delete
    /// does not show whether the plant was there.
    BlindDelete(Step),
    /// The store has rejected [`Step::CreateAlias`], and accepted the delete of a plant.
    RejectedAlias,
    /// Deletes are proven to work: see [`Effect::Works`](super::deletes::Effect::Works).
    CleanUp,
    /// The same, and the store rejects a second plant under a taken id: then an accepted create proves that the id
    /// was free. Required wherever a store could use another id than the one sent: 0 for a missing id, or the
    /// largest for a larger one.
    FreeId,
    /// The store has kept different ids apart: a create or a delete of an id could hit another plant otherwise.
    DistinctIds,
}

/// The probes that show whether deletes work, and hit the plant that is meant. Every run sends them, to know what it leaves.
pub(super) const PROOF: [Step; 10] = [
    Step::Create,
    Step::CreateNeighbour,
    Step::CreateAlias,
    Step::Delete,
    Step::DeleteTwice,
    Step::CreateNeighbourAgain,
    Step::DeleteNeighbour,
    Step::PlantForSecond,
    Step::SecondCreate,
    Step::CreateAgain,
];

impl Step {
    /// Returns the create whose plant this probe is about.
    pub(super) fn plant_step(self) -> Self {
        match self {
            Self::Delete | Self::DeleteTwice | Self::CreateAgain => Self::Create,
            Self::CreateNeighbourAgain | Self::DeleteNeighbour => Self::CreateNeighbour,
            Self::CreateBigAfterTwin | Self::DeleteBig | Self::CreateBigAgain => Self::CreateBig,
            Self::DeleteTwin => Self::CreateTwin,
            Self::DeleteWithoutToken => Self::PlantWithoutToken,
            Self::DeleteWrongToken => Self::PlantWrongToken,
            Self::DeleteOtherScheme => Self::PlantOtherScheme,
            Self::SecondCreate => Self::PlantForSecond,
            itself => itself,
        }
    }

    /// Whether the probe is the first delete of a plant, with the token.
    pub(super) fn deletes_its_plant(self) -> bool {
        matches!(self, Self::Delete | Self::DeleteNeighbour | Self::DeleteBig | Self::DeleteTwin)
    }

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

    /// Whether the probe is a create whose credentials differ from the document.
    pub(super) fn lacks_the_token(self) -> bool {
        matches!(self, Self::CreateWithoutToken | Self::CreateWrongToken | Self::CreateOtherScheme)
    }

    pub(super) fn need(self) -> Need {
        match self {
            Self::Create | Self::CreateWithoutToken | Self::CreateWrongToken | Self::CreateOtherScheme => Need::Nothing,
            Self::CreateAsString => Need::Rejected(Self::Create),
            Self::CreateAlias => Need::Rejected(Self::CreateNeighbour),
            Self::CreateBeside => Need::RejectedAlias,
            Self::CreateNeighbour => Need::Accepted(Self::Create),
            Self::DeleteTwice | Self::CreateAgain => Need::Accepted(Self::Delete),
            Self::CreateNeighbourAgain => Need::BlindDelete(Self::Delete),
            Self::CreateBigAfterTwin => Need::BlindDelete(Self::DeleteTwin),
            Self::CreateBigAgain => Need::BlindDelete(Self::DeleteBig),
            // A delete of the twin is sent even if its create was rejected: that is how a store rounds an id.
            Self::CreateTwin | Self::DeleteTwin => Need::Accepted(Self::CreateBig),
            Self::DeleteAbsent | Self::DeleteNotAnInteger | Self::CreateBig => Need::DistinctIds,
            Self::PlantForSecond | Self::PlantWithoutToken | Self::PlantWrongToken | Self::PlantOtherScheme => {
                Need::Delete
            }
            _ if self.plant_step() != self => Need::Accepted(self.plant_step()),
            // From the ids on, every probe may leave its plant under another id.
            _ if self == Self::IdMissing || self >= Self::IdNegative => Need::FreeId,
            _ => Need::CleanUp,
        }
    }

    /// Returns the probes that must be sent first, so that [`Self::need`] can be met.
    pub(super) fn prerequisites(self) -> Vec<Self> {
        let with = |step: Self| [step.prerequisites(), vec![step]].concat();
        match self.need() {
            Need::Nothing => Vec::new(),
            Need::Accepted(step) | Need::Rejected(step) => with(step),
            Need::Delete => with(Self::Delete),
            Need::BlindDelete(step) => [with(step), with(self.plant_step())].concat(),
            Need::RejectedAlias => [with(Self::CreateAlias), with(Self::PlantForSecond)].concat(),
            Need::CleanUp | Need::FreeId => PROOF.to_vec(),
            Need::DistinctIds => [with(Self::DeleteNeighbour), vec![Self::CreateAlias]].concat(),
        }
    }

    /// Whether the probe is a create in the form of the document, with the token, an ordinary id and usual texts.
    pub(super) fn is_usual_create(self) -> bool {
        matches!(self, Self::Create | Self::CreateNeighbour) || self.need() == Need::Delete
    }

    /// Whether the probe is of the same group as that one: at the end of each, a control is sent.
    pub(super) fn is_in_group_of(self, before: Self) -> bool {
        const FIRST: [Step; 4] = [Step::CreateWithoutToken, Step::NameMissing, Step::IdNegative, Step::BrokenJson];
        let group = |step: Self| FIRST.iter().filter(|first| **first <= step).count();
        group(self) == group(before)
    }

    /// Returns the position in the order of all probes, from 0.
    pub(super) fn position(self) -> u64 {
        u64::from(self as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Wanted;

    #[test]
    fn prerequisites_precede_their_probe() {
        for step in Wanted::default().steps() {
            assert!(step.prerequisites().iter().all(|before| *before < step), "{step:?}");
            if let Need::Accepted(before) | Need::Rejected(before) = step.need() {
                assert!(step.prerequisites().contains(&before), "{step:?}");
            }
        }
    }
}
