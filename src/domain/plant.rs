//! A plant as the interface defines it (`interface.md` §2): name, id, tag.
//!
//! Rejects only values that cannot be sent; a legal value that is probably a mistake is a [`Slip`], which a
//! person can confirm.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::text;

/// The id of a plant: a signed 64-bit integer, exact from key press to wire.
///
/// The interface says "integer" without bounds (`interface.md` §2, §8), so all 64 bits are allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlantId(pub i64);

impl fmt::Display for PlantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdFault {
    #[error("the id is empty: type a whole number")]
    Empty,
    /// A number with white space before or after it.
    #[error("there is space around the id: remove it")]
    SpaceAround,
    #[error("the id does not fit in 64 bits: it must be between {} and {}", i64::MIN, i64::MAX)]
    TooBig,
    /// An integer that JSON spells differently; contains the JSON spelling.
    #[error("write the id as {0}: JSON has no leading + or zeros")]
    Spelling(i64),
    #[error("the id is not a whole number: use digits, with - in front if it is negative")]
    NotANumber,
}

impl FromStr for PlantId {
    type Err = IdFault;

    /// Parses an integer in its JSON spelling (RFC 8259 §6): no plus, no leading zeros, no space.
    fn from_str(typed: &str) -> Result<Self, IdFault> {
        if typed.is_empty() {
            return Err(IdFault::Empty);
        }
        let trimmed = typed.trim();
        if trimmed != typed && trimmed.parse::<i128>().is_ok() {
            return Err(IdFault::SpaceAround);
        }
        let digits = typed.strip_prefix(['-', '+']).unwrap_or(typed);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(IdFault::NotANumber);
        }
        let value: i64 = typed.parse().map_err(|_| IdFault::TooBig)?;
        if value.to_string() == typed { Ok(Self(value)) } else { Err(IdFault::Spelling(value)) }
    }
}

/// A plant with the three fields of the request body (`interface.md` §4.1).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Plant {
    pub name: String,
    pub id: PlantId,
    pub tag: String,
}

impl Plant {
    /// Lists the values that are probably mistakes. The plant can be sent all the same.
    pub fn slips(&self) -> Vec<Slip> {
        let mut slips = Vec::new();
        if self.name.is_empty() {
            slips.push(Slip::EmptyName);
        }
        if self.tag.is_empty() {
            slips.push(Slip::EmptyTag);
        }
        for (field, value) in [(Field::Name, &self.name), (Field::Tag, &self.tag)] {
            if value.trim() != value {
                slips.push(Slip::SpaceAround(field));
            }
            if text::has_hidden_characters(value) {
                slips.push(Slip::Invisible(field));
            }
        }
        slips
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, strum::Display, IntoStaticStr, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Field {
    #[default]
    Name,
    Id,
    Tag,
}

impl Field {
    /// Returns the name of the field in the JSON of the interface.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A legal value that is probably a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display)]
pub enum Slip {
    #[strum(to_string = "the name is empty")]
    EmptyName,
    #[strum(to_string = "the tag is empty")]
    EmptyTag,
    #[strum(to_string = "the {0} begins or ends with a space")]
    SpaceAround(Field),
    /// The value contains control, direction or zero-width characters.
    #[strum(to_string = "the {0} contains characters that do not show")]
    Invisible(Field),
    #[strum(to_string = "a plant with this id is already in the list")]
    IdInList,
}

impl Slip {
    /// Returns the field beside which the warning is shown.
    pub fn field(self) -> Field {
        match self {
            Self::EmptyName => Field::Name,
            Self::EmptyTag => Field::Tag,
            Self::SpaceAround(field) | Self::Invisible(field) => field,
            Self::IdInList => Field::Id,
        }
    }
}

/// The name and tag of a plant, as sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    pub name: String,
    pub tag: String,
}

impl From<&Plant> for Details {
    fn from(plant: &Plant) -> Self {
        Self { name: plant.name.clone(), tag: plant.tag.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_64_bit_integer_is_an_id() {
        for value in [0, 7, -1, i64::MAX, i64::MIN] {
            assert_eq!(value.to_string().parse(), Ok(PlantId(value)));
        }
    }

    #[test]
    fn an_invalid_id_is_explained() {
        for (typed, fault) in [
            ("", IdFault::Empty),
            ("12a", IdFault::NotANumber),
            ("-", IdFault::NotANumber),
            ("1.0", IdFault::NotANumber),
            ("٣", IdFault::NotANumber),
            (" ", IdFault::NotANumber),
            (" 7 ", IdFault::SpaceAround),
            ("7\n", IdFault::SpaceAround),
            ("9223372036854775808", IdFault::TooBig),
            ("-9223372036854775809", IdFault::TooBig),
            ("+7", IdFault::Spelling(7)),
            ("007", IdFault::Spelling(7)),
            ("-0", IdFault::Spelling(0)),
        ] {
            assert_eq!(typed.parse::<PlantId>(), Err(fault), "{typed:?}");
        }
    }

    #[test]
    fn slips_name_their_field() {
        let plant = Plant { name: String::new(), id: PlantId(1), tag: "a\u{202e}b ".into() };
        assert_eq!(plant.slips(), [Slip::EmptyName, Slip::SpaceAround(Field::Tag), Slip::Invisible(Field::Tag)]);
        let family = Plant { name: "👨‍👩‍👧 é 漢 שלום".into(), id: PlantId(1), tag: "t".into() };
        assert_eq!(family.slips(), []);
        assert_eq!(Plant { tag: String::new(), ..family }.slips(), [Slip::EmptyTag]);
    }
}
