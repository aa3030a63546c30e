//! A plant as the interface knows it (`interface.md` §2): name, id, tag.
//!
//! Rejects only what cannot be sent; what is merely odd is a [`Slip`], for a person to decide about.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::text;

/// The id of a plant: a signed 64-bit integer, exact from key press to wire.
///
/// The interface says "integer" and nothing of its bounds (`interface.md` §2, §8), so all
/// 64 bits are allowed and the sign is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlantId(pub i64);

impl fmt::Display for PlantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdFault {
    /// Nothing was typed.
    Empty,
    /// A number with white space before or after it.
    SpaceAround,
    /// A whole number that needs more than 64 bits.
    TooBig,
    /// A whole number in a spelling that JSON does not have; holds the one it has.
    Spelling(i64),
    NotANumber,
}

impl fmt::Display for IdFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the id is empty: type a whole number"),
            Self::SpaceAround => f.write_str("there is space around the id: remove it"),
            Self::TooBig => {
                write!(f, "the id does not fit in 64 bits: it must lie between {} and {}", i64::MIN, i64::MAX)
            }
            Self::Spelling(plain) => write!(f, "write the id as {plain}: JSON has no leading + or zeros"),
            Self::NotANumber => {
                f.write_str("the id is not a whole number: use digits, with - in front if it is negative")
            }
        }
    }
}

impl std::error::Error for IdFault {}

impl FromStr for PlantId {
    type Err = IdFault;

    /// Reads an integer as JSON spells it (RFC 8259 §6): no plus, no leading zeros, no space.
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

/// A plant with all three fields of the request body (`interface.md` §4.1).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Plant {
    /// What people call it. Any Unicode text.
    pub name: String,
    /// What the store calls it.
    pub id: PlantId,
    /// A word to group by. Any Unicode text.
    pub tag: String,
}

impl Plant {
    /// What in this plant is probably a slip of the hand. Legal all the same.
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
            if text::hides_something(value) {
                slips.push(Slip::Invisible(field));
            }
        }
        slips
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    Name,
    Id,
    Tag,
}

impl Field {
    /// The field's name in the JSON of the interface.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Id => "id",
            Self::Tag => "tag",
        }
    }
}

/// Something legal that was probably not meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slip {
    EmptyName,
    EmptyTag,
    /// White space before or after the value.
    SpaceAround(Field),
    /// Control, direction or zero-width characters in the value.
    Invisible(Field),
    /// The list already has a plant with this id.
    IdInView,
}

impl Slip {
    /// The field that the warning stands beside.
    pub fn field(self) -> Field {
        match self {
            Self::EmptyName => Field::Name,
            Self::EmptyTag => Field::Tag,
            Self::SpaceAround(field) | Self::Invisible(field) => field,
            Self::IdInView => Field::Id,
        }
    }
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyName => f.write_str("the name is empty"),
            Self::EmptyTag => f.write_str("the tag is empty"),
            Self::SpaceAround(field) => write!(f, "the {} begins or ends with a space", field.word()),
            Self::Invisible(field) => write!(f, "the {} holds characters that do not show", field.word()),
            Self::IdInView => f.write_str("a plant with this id is already in the list"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_every_integer_of_64_bits() {
        for value in [0, 7, -1, i64::MAX, i64::MIN] {
            assert_eq!(value.to_string().parse(), Ok(PlantId(value)));
        }
    }

    #[test]
    fn what_is_no_id_is_told_why() {
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
    fn slips_are_found_in_the_field_they_are_in() {
        let plant = Plant { name: String::new(), id: PlantId(1), tag: "a\u{202e}b ".into() };
        assert_eq!(plant.slips(), [Slip::EmptyName, Slip::SpaceAround(Field::Tag), Slip::Invisible(Field::Tag)]);
        let family = Plant { name: "👨‍👩‍👧 é 漢 שלום".into(), id: PlantId(1), tag: "t".into() };
        assert_eq!(family.slips(), []);
        assert_eq!(Plant { tag: String::new(), ..family }.slips(), [Slip::EmptyTag]);
    }
}
