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
        let names: Vec<_> = self.names.iter().map(|name| format!("\"{}\"", clean(name))).collect();
        let (s, are) = if names.len() == 1 { ("", "is") } else { ("s", "are") };
        let (names, others) = (names.join(", "), if self.others { " and others" } else { "" });
        let ignored = format!("The {what}{s} {names}{others} {are} not sent: a plant has name, id and tag.");
        let plants = counted(self.unnamed, "plant is", "plants are");
        let unnamed = format!("{plants} left out: the list does not know the name.");
        let notes = [(!names.is_empty(), ignored), (self.unnamed > 0, unnamed)];
        notes.into_iter().filter_map(|(is_so, note)| is_so.then_some(note)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_listed_once_and_only_the_first_names_are_listed() {
        let mut ignored = Ignored::default();
        assert!(ignored.notes("key").is_empty());
        ignored.add("state");
        ignored.add("state");
        assert_eq!(ignored.notes("key"), ["The key \"state\" is not sent: a plant has name, id and tag."]);
        ignored.add(&"\u{1b}漢".repeat(1000));
        let note = ignored.notes("key").remove(0);
        assert_eq!(
            note,
            "The keys \"state\", \"␛漢␛漢␛漢␛漢␛漢␛漢␛漢␛漢…\" are not sent: a plant has name, id and tag."
        );
        (0..100_000).for_each(|n| ignored.add(&n.to_string()));
        let note = ignored.notes("key").remove(0);
        assert!(note.ends_with("\"5\" and others are not sent: a plant has name, id and tag."), "{note}");
    }
}
