//! The subjects of a team: `plants.STORE.AUTHOR`, where the server decides who may publish what.

use std::fmt::Write as _;

use crate::domain::Author;

/// The first token of every subject.
const ROOT: &str = "plants";

/// Returns the subject of an author's entries about a store.
pub(super) fn of_author(store: &str, author: &Author) -> String {
    format!("{ROOT}.{}.{}", token(store), token(author.name()))
}

/// Returns the subjects of all authors of a store.
pub(super) fn of_store(store: &str) -> String {
    format!("{ROOT}.{}.*", token(store))
}

/// Returns the subjects of all stores.
pub(super) fn of_all() -> String {
    format!("{ROOT}.>")
}

/// Returns the author of a subject; `None` if it has none.
pub(super) fn author(subject: &str) -> Option<Author> {
    let mut tokens = subject.split('.');
    let (ROOT, _store, author, None) = (tokens.next()?, tokens.next()?, tokens.next()?, tokens.next()) else {
        return None;
    };
    Author::new(text(author)?).ok()
}

/// Returns a text as one token of a subject: other characters than letters, digits and `-` as `_` and two hexadecimal
/// digits for each byte. Servers of a cluster use `@` between the subjects of a message for themselves.
fn token(text: &str) -> String {
    let mut token = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => token.push(char::from(byte)),
            _ => drop(write!(token, "_{byte:02x}")),
        }
    }
    token
}

fn text(token: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = token.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'_' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_subject_names_store_and_author() {
        let author = Author::new("ann@laptop.example").unwrap();
        assert_eq!(of_author("staging", &author), "plants.staging.ann_40laptop_2eexample");
        assert_eq!(of_store("https://a.b/c"), "plants.https_3a_2f_2fa_2eb_2fc.*");
        for wrong in ["plants.staging", "plants.a.b.c", "other.a.b", "plants.a._zz", "plants.a._2"] {
            assert_eq!(super::author(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn every_author_is_read_back(name in "[!-~à-ÿА-я中]{1,20}", store in any::<String>()) {
            let author = Author::new(name).unwrap();
            let subject = of_author(&store, &author);
            prop_assert!(subject.is_ascii() && !subject.contains(['*', '>', ' ']));
            prop_assert_eq!(super::author(&subject), Some(author));
        }
    }
}
