//! Why a word of a filter is invalid, and what can be typed instead. Must not know fields or lists.

use std::fmt;

use crate::text::alternatives;

/// Why a word of a filter is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterFault {
    /// The name before a colon is no field; and the fields.
    NoField(String, Vec<&'static str>),
    /// A name of a field is before an equals sign.
    NoColon(&'static str),
    /// The value is none of these.
    OneOf(Vec<&'static str>),
    /// The value is not like this, or there are too many words.
    Other(&'static str),
    /// This word has no value.
    Unfinished(String),
}

impl FilterFault {
    /// Names the word too, as a person does not see which one it is.
    pub(super) fn in_word(&self, word: &str) -> String {
        let names_it = matches!(self, Self::NoField(..) | Self::Unfinished(_)) || word.is_empty();
        if names_it { self.to_string() } else { format!("{word}: {self}") }
    }

    /// Returns what can be typed instead, in few columns.
    pub fn in_short(&self) -> String {
        match self {
            Self::NoField(name, _) => format!("no field {name}; quotes make it text"),
            Self::NoColon(field) => format!("use {field}: with a colon"),
            Self::OneOf(words) => words.join(" "),
            Self::Other(_) | Self::Unfinished(_) => self.to_string(),
        }
    }
}

impl fmt::Display for FilterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoField(name, of) => {
                write!(f, "no field {name}: use {}; quotes make it text", alternatives(of.iter().copied()))
            }
            Self::NoColon(field) => write!(f, "use {field}: with a colon; quotes make it text"),
            Self::OneOf(words) => write!(f, "use {}", alternatives(words.iter().copied())),
            Self::Other(remedy) => write!(f, "use {remedy}"),
            Self::Unfinished(word) => write!(f, "{word} has no value"),
        }
    }
}
