//! What a file has beside name, id and tag: never sent, and named once.

use std::borrow::Cow;

use crate::domain::text::clean;

/// Names that are listed; that there are others is said.
const HELD: usize = 8;
/// Bytes of a name that is shown whole, and characters of a longer one.
const LONG: usize = 64;
const SHORT: usize = 16;

/// Names of columns or keys that are not sent.
#[derive(Debug, Default)]
pub(super) struct Ignored {
    names: Vec<String>,
    others: bool,
}

impl Ignored {
    /// One was met, perhaps not for the first time.
    pub(super) fn met(&mut self, name: &str) {
        let name = shortened(name);
        if self.names.iter().any(|known| *known == name) {
        } else if self.names.len() < HELD {
            self.names.push(name.into_owned());
        } else {
            self.others = true;
        }
    }

    /// Says which there are, if any; `what` is what one of it is called.
    pub(super) fn note(&self, what: &str) -> Option<String> {
        let names: Vec<_> = self.names.iter().map(|name| format!("\"{}\"", clean(name))).collect();
        let others = if self.others { " and others" } else { "" };
        match names.as_slice() {
            [] => None,
            [name] => Some(format!("The {what} {name} is not sent: a plant has name, id and tag.")),
            names => {
                Some(format!("The {what}s {}{others} are not sent: a plant has name, id and tag.", names.join(", ")))
            }
        }
    }
}

fn shortened(name: &str) -> Cow<'_, str> {
    if name.len() <= LONG { Cow::Borrowed(name) } else { Cow::Owned(name.chars().take(SHORT).chain(['…']).collect()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_told_once_and_many_are_not_told_at_all() {
        let mut ignored = Ignored::default();
        assert_eq!(ignored.note("key"), None);
        ignored.met("state");
        ignored.met("state");
        assert_eq!(ignored.note("key").unwrap(), "The key \"state\" is not sent: a plant has name, id and tag.");
        ignored.met(&"\u{1b}漢".repeat(1000));
        let told = ignored.note("key").unwrap();
        assert_eq!(
            told,
            "The keys \"state\", \"␛漢␛漢␛漢␛漢␛漢␛漢␛漢␛漢…\" are not sent: a plant has name, id and tag."
        );
        (0..100_000).for_each(|n| ignored.met(&n.to_string()));
        let told = ignored.note("key").unwrap();
        assert!(told.ends_with("\"5\" and others are not sent: a plant has name, id and tag."), "{told}");
    }
}
