//! A filter finds a text however it is composed and in whichever case.

use super::*;

#[test]
fn a_filter_finds_every_canonical_form_and_full_case() {
    let (home, store) = (Home::new(), Served::calm());
    for (id, name, tag) in [("1", "Caf\u{e9}", "Straße"), ("2", "CAFE\u{301}", "STRASSE"), ("3", "Cafe", "Strase")] {
        home.plants_at(&store.base, &["add", "--id", id, "--name", name, "--tag", tag]).ended().orderly(0);
    }
    for (query, found) in [
        ("name:caf\u{e9}", 2),
        ("name:cafe\u{301}", 2),
        ("name:Cafe", 1),
        ("tag:straße", 2),
        ("tag:strasse", 2),
        ("tag:STRAẞE", 2),
        ("tag:strase", 1),
    ] {
        for verb in ["history", "list"] {
            let ended = home.plants_at(&store.base, &[verb, "--json", query]).ended().orderly(0);
            assert_eq!(ended.json().as_array().unwrap().len(), found, "{verb} {query}: {ended:?}");
        }
    }
}
