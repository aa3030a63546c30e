//! The author of an entry in a journal that a team shares: `user@host`, or a name that a person chose.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::clean;

/// The longest name of an author, in characters.
const MOST: usize = 100;

/// The name of a member of a team: 1 to 100 characters without white space and without characters that a
/// terminal obeys or hides.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Author(String);

impl Author {
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Default for Author {
    fn default() -> Self {
        Self("somebody".to_owned())
    }
}

impl FromStr for Author {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let is_visible = !name.chars().any(char::is_whitespace) && clean(name) == name;
        match name.chars().count() {
            0 => Err("an author needs a name"),
            count if count > MOST => Err("the name of an author has at most 100 characters"),
            _ if !is_visible => Err("the name of an author has no spaces and no invisible characters"),
            _ => Ok(Self(name.to_owned())),
        }
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_hides_nothing() {
        let parsed = |name: &str| name.parse::<Author>().map(|author| author.to_string());
        assert_eq!(parsed("Zoë@büro"), Ok("Zoë@büro".to_owned()));
        for name in ["", "a b", "a\n", "\u{1b}[2J", "bob\u{202e}", "b\u{feff}ob", &"a".repeat(MOST + 1)] {
            assert!(parsed(name).is_err(), "{name:?}");
        }
    }
}
