//! The author of an entry in a journal that a team shares: `user@host`, or a name that a person chose.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use crate::text::{clean, listed};

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

/// Who wrote something in a journal that a team shares; several, if they did not know of each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Authors {
    /// This journal's own, if it is among them.
    pub own: Option<Author>,
    /// Other members of the team.
    pub others: Vec<Author>,
}

impl Authors {
    pub fn other(&self) -> Option<&Author> {
        self.others.first()
    }

    /// Names them, if others are among them: `you and bob@b`.
    pub fn others_in_words(&self) -> Option<String> {
        let you = self.own.iter().map(|_| "you".to_owned());
        (!self.others.is_empty()).then(|| listed(you.chain(self.others.iter().map(|author| clean(author.name())))))
    }
}

/// Writes the names of all of them, also this journal's own.
impl Serialize for Authors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names: Vec<_> = self.own.iter().chain(&self.others).map(Author::name).collect();
        serializer.serialize_str(&names.join(", "))
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

    #[test]
    fn authors_are_named_if_others_are_among_them() {
        let authors = |own: &[&str], others: &[&str]| {
            let [own, others] = [own, others].map(|names| names.iter().map(|name| name.parse().unwrap()).collect());
            let own: Vec<Author> = own;
            Authors { own: own.into_iter().next(), others }
        };
        assert_eq!(authors(&["cy@c"], &[]).others_in_words(), None);
        for (own, others, expected) in [
            (&[][..], &["bob@b"][..], "bob@b"),
            (&["cy@c"], &["bob@b"], "you and bob@b"),
            (&["cy@c"], &["ann@a", "bob@b"], "you, ann@a and bob@b"),
        ] {
            assert_eq!(authors(own, others).others_in_words().as_deref(), Some(expected));
        }
        assert_eq!(serde_json::to_string(&authors(&["cy@c"], &["ann@a"])).unwrap(), r#""cy@c, ann@a""#);
    }
}
