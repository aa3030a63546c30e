//! The names of a team: one stream for each store, with the subjects `plants.STORE.AUTHOR`. The server decides who may
//! publish on which.

use std::fmt::Write as _;

use crate::domain::Author;

/// The first token of every subject.
const ROOT: &str = "plants";

/// The last token that stands for all.
pub(super) const ALL: &str = "*";

/// The last tokens of the subjects of the parts of snapshots, and of the messages that complete them. No author has
/// them, as [`token`] writes authors.
pub(super) const PART: &str = "_part";
pub(super) const SNAPSHOT: &str = "_snapshot";

/// Bytes of the token of a store at most, so that every server takes the name of its stream; and those of a longer one
/// that stay before its hash.
const STORE: usize = 193;
const KEPT: usize = STORE - 17;

/// Returns the name of the stream of a store.
pub fn stream(store: &str) -> String {
    format!("PLANTS_{}", store_token(store))
}

/// Returns the subject of a store with this last token; [`ALL`] for those of all authors.
pub(super) fn of(store: &str, last: &str) -> String {
    format!("{ROOT}.{}.{last}", store_token(store))
}

/// Returns the subject of an author's entries about a store.
pub(super) fn of_author(store: &str, author: &Author) -> String {
    of(store, &token(author.name()))
}

/// Whether a subject is one of the two of snapshots.
pub(super) fn is_of_snapshot(subject: &str) -> bool {
    matches!(subject.rsplit('.').next(), Some(PART | SNAPSHOT))
}

/// Returns the first tokens of the subjects on which a member gets responses: its own, which others may not read.
pub(super) fn inbox(author: &Author) -> String {
    format!("_INBOX_{}", token(author.name()))
}

/// Returns the token of a store. A long one ends in a hash, and is longer than any without.
fn store_token(store: &str) -> String {
    let mut token = token(store);
    if token.len() >= STORE {
        token.truncate(KEPT);
        let _ = write!(token, "-{:016x}", fnv(store.as_bytes()));
    }
    token
}

/// Returns the hash FNV-1a of 64 bits, the same in every release.
pub(super) fn fnv(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Returns the author of a subject; `None` if it has none.
pub(super) fn author(subject: &str) -> Option<Author> {
    let mut tokens = subject.split('.');
    let (ROOT, _store, author, None) = (tokens.next()?, tokens.next()?, tokens.next()?, tokens.next()) else {
        return None;
    };
    text(author)?.parse().ok()
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
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_subject_names_store_and_author() {
        let author: Author = "ann@laptop.example".parse().unwrap();
        assert_eq!(of_author("staging", &author), "plants.staging.ann_40laptop_2eexample");
        assert_eq!(of("https://a.b/c", ALL), "plants.https_3a_2f_2fa_2eb_2fc.*");
        assert_eq!(
            (stream("staging"), inbox(&author).as_str()),
            ("PLANTS_staging".to_owned(), "_INBOX_ann_40laptop_2eexample")
        );
        for wrong in ["plants.staging", "plants.a.b.c", "other.a.b", "plants.a._zz", "plants.a._2"] {
            assert_eq!(super::author(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_stream_of_a_store_has_a_short_name_of_its_own() {
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
        let long = "a".repeat(300);
        let stores = ["a".repeat(192), "a".repeat(193), long.clone(), format!("{long}b"), "é".repeat(300)];
        let streams: BTreeSet<_> = stores.iter().map(|store| stream(store)).collect();
        assert_eq!(streams.len(), stores.len());
        assert!(streams.iter().all(|name| name.len() <= 200), "{streams:?}");
    }

    proptest! {
        #[test]
        fn every_author_is_read_back(name in "[!-~à-ÿА-я中]{1,20}", store in any::<String>()) {
            let author: Author = name.parse().unwrap();
            let subject = of_author(&store, &author);
            prop_assert!(subject.is_ascii() && !subject.contains(['*', '>', ' ']));
            prop_assert_eq!(super::author(&subject), Some(author));
        }
    }
}
