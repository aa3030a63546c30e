//! A filter finds what a person means, in a command as in the interface.

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

#[test]
fn a_query_has_alternatives_times_and_texts_of_responses() {
    let (home, store) = (Home::new(), Served::calm());
    for (id, name, tag) in [("1", "Fern", "shade"), ("2", "Moss", ""), ("3", "Cactus", "desert")] {
        home.plants_at(&store.base, &["add", "--id", id, "--name", name, "--tag", tag]).ended().orderly(0);
    }
    for (query, found) in [
        ("fern|tag:desert", 2),
        ("\"fern|tag:desert\"", 0),
        ("tag:\"\"", 1),
        ("!tag:\"\" | moss", 3),
        ("since:1h", 3),
        ("before:1h", 0),
        ("before:1h | since:2020-01-01T12:00", 3),
        ("response:CACTUS", 1),
        ("fern since:1h | response:moss before:2020-01-01", 1),
    ] {
        let ended = home.plants_at(&store.base, &["history", "--json", query]).ended().orderly(0);
        assert_eq!(ended.json().as_array().unwrap().len(), found, "{query}: {ended:?}");
    }
    for (query, why) in [
        ("tag:", "tag: has no value"),
        (
            "https://x",
            "no field https: use name, tag, id, outcome, status, is, response, author, since or before; quotes",
        ),
        ("since:soon", "use an age like 1h or 7d, or a date like 2026-11-01"),
    ] {
        let ended = home.plants_at(&store.base, &["history", query]).ended().orderly(2);
        assert!(ended.stderr.contains(why), "{query}: {ended:?}");
    }
}
