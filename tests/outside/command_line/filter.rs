//! A filter finds a text however it is composed and in whichever case.

use super::*;

#[test]
fn a_filter_finds_every_canonical_form_and_full_case() {
    let (home, store) = (Home::new(), Served::calm());
    for (id, name, tag) in [("1", "Caf\u{e9}", "Straße"), ("2", "CAFE\u{301}", "STRASSE"), ("3", "Cafe", "Strase")] {
        home.plants_at(&store.base, &["add", "--id", id, "--name", name, "--tag", tag]).ended().orderly(0);
    }
    for (option, typed, found) in [
        ("--plant", "caf\u{e9}", 2),
        ("--plant", "cafe\u{301}", 2),
        ("--plant", "Cafe", 1),
        ("--tag", "straße", 2),
        ("--tag", "strasse", 2),
        ("--tag", "STRAẞE", 2),
        ("--tag", "strase", 1),
    ] {
        let ended = home.plants_at(&store.base, &["history", "--json", option, typed]).ended().orderly(0);
        assert_eq!(ended.json().as_array().unwrap().len(), found, "{typed}: {ended:?}");
    }
}
