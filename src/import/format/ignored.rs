//! The columns or keys of a file besides name, id and tag, which are not sent.

use crate::text::clean;
use crate::text::number_format::counted;

/// Greatest number of names that are listed.
const HELD: usize = 8;
/// Greatest size in bytes of a name that is shown whole.
const LONG: usize = 64;
/// Number of characters that are shown of a longer name.
const SHORT: usize = 16;

/// Names of columns or keys that are not sent.
#[derive(Debug, Default)]
pub(super) struct Ignored {
    names: Vec<String>,
    others: bool,
    /// Plants of a list whose name is not known.
    pub(super) unnamed: u64,
}

impl Ignored {
    pub(super) fn add(&mut self, name: &str) {
        let name = if name.len() <= LONG { name.to_owned() } else { name.chars().take(SHORT).chain(['…']).collect() };
        if self.names.contains(&name) {
            return;
        }
        if self.names.len() < HELD {
            self.names.push(name);
        } else {
            self.others = true;
        }
    }

    /// Renders what is not sent in sentences; `what` is "column" or "key".
    pub(super) fn notes(&self, what: &str) -> Vec<String> {
        let unnamed = (self.unnamed > 0).then(|| {
            let plants = counted(self.unnamed, "plant is", "plants are");
            format!("{plants} left out: the list does not know the name.")
        });
        self.note(what).into_iter().chain(unnamed).collect()
    }

    /// Renders the names in a sentence, if there are any.
    fn note(&self, what: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_listed_once_and_only_the_first_names_are_listed() {
        let mut ignored = Ignored::default();
        assert_eq!(ignored.note("key"), None);
        ignored.add("state");
        ignored.add("state");
        assert_eq!(ignored.note("key").unwrap(), "The key \"state\" is not sent: a plant has name, id and tag.");
        ignored.add(&"\u{1b}漢".repeat(1000));
        let note = ignored.note("key").unwrap();
        assert_eq!(
            note,
            "The keys \"state\", \"␛漢␛漢␛漢␛漢␛漢␛漢␛漢␛漢…\" are not sent: a plant has name, id and tag."
        );
        (0..100_000).for_each(|n| ignored.add(&n.to_string()));
        let note = ignored.note("key").unwrap();
        assert!(note.ends_with("\"5\" and others are not sent: a plant has name, id and tag."), "{note}");
    }
}
