//! Tests of the stores with an oddity: each differs from the honest one exactly as its oddity says.

use std::collections::BTreeSet;

use super::TOKEN;
use super::odd::{OddStore, Oddity};
use super::wire::Sent;

const FERN: &str = r#"{"name":"Fern","id":7,"tag":"shade"}"#;

/// A store, and a client that has its token.
struct Visit {
    store: OddStore,
}

/// Returns the header line with the token under this scheme.
fn credentials(scheme: &str, token: &str) -> String {
    format!("authorization: {scheme} {token}")
}

fn json() -> String {
    "content-type: application/json".to_owned()
}

/// Returns status, media type and body of a response, with `…` at the end if the body is cut off.
fn gist(response: &str) -> String {
    let Some((head, body)) = response.split_once("\r\n\r\n") else { return response.to_owned() };
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let length = header("content-length").map_or(0, |digits| digits.parse().unwrap());
    let missing = if length > body.len() { "…" } else { "" };
    let words = [head.split(' ').nth(1).unwrap(), header("content-type").unwrap_or(""), body];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ") + missing
}

impl Visit {
    fn to(oddity: Oddity) -> Self {
        Self { store: OddStore::with(oddity, TOKEN) }
    }

    fn sent(&self, method: &str, path: &str, headers: &[String], body: &str) -> String {
        gist(&Sent { method, path, headers, body }.response(&self.store.base()))
    }

    fn creates(&self, body: &str) -> String {
        self.sent("POST", "/plants", &[credentials("Bearer", TOKEN), json()], body)
    }

    fn deletes(&self, id: &str) -> String {
        self.sent("DELETE", &format!("/plants/{id}"), &[credentials("Bearer", TOKEN)], "")
    }

    fn left(&self) -> Vec<i64> {
        self.store.left().iter().map(|plant| plant.id).collect()
    }
}

/// Whether a response is a rejection with this status.
fn is_rejection(gist: &str, status: u16) -> bool {
    gist.starts_with(&format!(r#"{status} application/json {{"credentials":"***","error":"<no>"#))
}

#[test]
fn the_honest_store_keeps_the_document_and_rejects_everything_else() {
    let visit = Visit::to(Oddity::None);
    assert_eq!(visit.creates(FERN), r#"201 application/json {"name":"Fern","tag":"shade"}"#);
    assert_eq!(visit.store.left()[0].name, "Fern");
    for (body, status) in [
        (FERN, 409),
        (r#"{"name":"Fern","tag":"shade"}"#, 400),
        (r#"{"name":"Fern","id":7.0,"tag":"shade"}"#, 400),
        (r#"{"name":"Fern","id":"8","tag":"shade"}"#, 400),
        (r#"{"name":"Fern","id":9223372036854775808,"tag":"shade"}"#, 400),
        (r#"{"name":1,"id":8,"tag":"shade"}"#, 400),
        (r#"{"name":"Fern","id":8}"#, 400),
        ("[]", 400),
        ("{", 400),
        ("", 400),
    ] {
        assert!(is_rejection(&visit.creates(body), status), "{body}");
    }
    let bearer = credentials("Bearer", TOKEN);
    for headers in [vec![bearer.clone()], vec![bearer, "content-type: text/plain".to_owned()]] {
        assert!(is_rejection(&visit.sent("POST", "/plants", &headers, FERN), 415), "{headers:?}");
    }
    for headers in [vec![], vec![credentials("Bearer", "wrong")], vec![credentials("Basic", TOKEN)]] {
        assert!(is_rejection(&visit.sent("DELETE", "/plants/7", &headers, ""), 401), "{headers:?}");
        let create = visit.sent("POST", "/plants", &[headers.clone(), vec![json()]].concat(), FERN);
        assert!(is_rejection(&create, 401), "{headers:?}");
    }
    assert!(is_rejection(&visit.deletes("8"), 404) && is_rejection(&visit.deletes("seven"), 400));
    assert!(is_rejection(&visit.sent("GET", "/plants", &[], ""), 404));
    assert_eq!((visit.left(), visit.deletes("7"), visit.left()), (vec![7], "204".to_owned(), vec![]));
    let largest = i64::MAX.to_string();
    visit.creates(&FERN.replace('7', &largest));
    assert_eq!((visit.left(), visit.deletes(&largest), visit.left()), (vec![i64::MAX], "204".to_owned(), vec![]));
}

#[test]
fn every_request_is_recorded_as_received() {
    let visit = Visit::to(Oddity::LosesCreateResponses);
    visit.creates(FERN);
    visit.sent("DELETE", "/plants/%20?x", &[], "");
    let requests = visit.store.requests();
    let of_each: Vec<_> = requests.iter().map(|one| (one.method.as_str(), one.path.as_str(), one.responded)).collect();
    assert_eq!(of_each, [("POST", "/plants", None), ("DELETE", "/plants/%20?x", Some(401))]);
    assert_eq!(requests[0].authorization, Some(format!("Bearer {TOKEN}")));
    assert_eq!((requests[0].media_type.as_deref(), requests[0].body.as_str()), (Some("application/json"), FERN));
    assert_eq!((&requests[1].authorization, &requests[1].media_type, requests[1].body.as_str()), (&None, &None, ""));
}

/// The responses of the honest store to a create, a delete and a second delete.
const HONESTLY: [&str; 3] = [r#"201 application/json {"name":"Fern","tag":"shade"}"#, "204", "404"];

/// Creates a plant and deletes it twice; returns the responses, for a rejection only the status.
fn responses(visit: &Visit) -> [String; 3] {
    let status = |gist: String| if gist.contains("<no>") { gist.split(' ').next().unwrap().to_owned() } else { gist };
    [visit.creates(FERN), visit.deletes("7"), visit.deletes("7")].map(status)
}

#[test]
fn each_oddity_has_its_responses_to_create_and_delete() {
    let [created, deleted, absent] = HONESTLY;
    for (oddity, expected, left) in [
        (Oddity::None, HONESTLY, &[][..]),
        (Oddity::IgnoresTheToken, HONESTLY, &[]),
        (Oddity::AcceptsAnyScheme, HONESTLY, &[]),
        (Oddity::DeletesAll, HONESTLY, &[]),
        (Oddity::Upserts, HONESTLY, &[]),
        (Oddity::RoundsIds, HONESTLY, &[]),
        (Oddity::SwapsNameAndTag, [r#"201 application/json {"name":"shade","tag":"Fern"}"#, deleted, absent], &[]),
        (Oddity::LowerCasesNames, [r#"201 application/json {"name":"fern","tag":"shade"}"#, deleted, absent], &[]),
        (Oddity::RespondsWithHtml, [r#"201 text/html {"name":"Fern","tag":"shade"}"#, deleted, absent], &[]),
        (Oddity::Envelope, [r#"201 application/json {"data":{"name":"Fern","tag":"shade"}}"#, deleted, absent], &[]),
        (
            Oddity::RespondsWithAnArray,
            [r#"201 application/json [{"name":"Fern","tag":"shade"}]"#, deleted, absent],
            &[],
        ),
        (Oddity::CutsOffResponses, [r#"201 application/json {"name":"Fern"…"#, deleted, absent], &[]),
        (Oddity::LosesCreateResponses, ["", deleted, absent], &[]),
        (Oddity::BodyOnDelete, [created, r#"200 application/json {"deleted":true}"#, absent], &[]),
        (Oddity::OwnIds, [r#"201 application/json {"id":1,"name":"Fern","tag":"shade"}"#, absent, absent], &[1]),
        (Oddity::LosesDeletes, [created, absent, absent], &[7]),
        (Oddity::AcceptsEverything, [r#"200 application/json {"name":"Fern","tag":"shade"}"#, "200", "200"], &[]),
        (Oddity::Redirects, ["308", "404", "404"], &[]),
        (Oddity::RejectsTheToken, ["401"; 3], &[]),
        (Oddity::FailsAlways, ["500"; 3], &[]),
        (Oddity::NotFoundEverywhere, ["404"; 3], &[]),
        (Oddity::RejectsEveryThird, [created, deleted, "429"], &[]),
        (Oddity::NotFoundWithTheToken, ["404"; 3], &[]),
        (Oddity::HtmlEverywhere, ["200 text/html; charset=utf-8 <!doctype html><title>Welcome</title>"; 3], &[]),
        (Oddity::DeletesNothing, [created, deleted, deleted], &[7]),
        (Oddity::NeverReusesIds, HONESTLY, &[]),
        (Oddity::DeletesBlindly, [created, deleted, deleted], &[]),
        (Oddity::LooksForTexts, [created, absent, absent], &[7]),
        (Oddity::FailsOnLargeIds, HONESTLY, &[]),
        (Oddity::Canned, [r#"201 application/json {"name":"string","tag":"string"}"#, deleted, deleted], &[]),
        (Oddity::TrimsNames, HONESTLY, &[]),
        (Oddity::UpsertsAndFrowns, [created, deleted, "400"], &[]),
    ] {
        let visit = Visit::to(oddity);
        assert_eq!(responses(&visit), expected, "{oddity:?}");
        assert_eq!(visit.left(), left, "{oddity:?}");
    }
}

#[test]
fn two_oddities_accept_other_credentials() {
    let without_token = vec![json()];
    let other = vec![credentials("Basic", TOKEN), json()];
    let wrong = vec![credentials("Bearer", "wrong"), json()];
    for (oddity, taken) in [
        (Oddity::IgnoresTheToken, [true; 3]),
        (Oddity::AcceptsAnyScheme, [false, true, false]),
        (Oddity::None, [false; 3]),
    ] {
        for (headers, taken) in [&without_token, &other, &wrong].into_iter().zip(taken) {
            let visit = Visit::to(oddity);
            let created = visit.sent("POST", "/plants", headers, FERN);
            assert_eq!(created.starts_with("201 "), taken, "{oddity:?} {headers:?}");
            visit.creates(FERN);
            assert_eq!(visit.sent("DELETE", "/plants/7", headers, "") == "204", taken, "{oddity:?} {headers:?}");
        }
    }
}

#[test]
fn a_store_that_accepts_everything_stores_nothing() {
    let visit = Visit::to(Oddity::AcceptsEverything);
    assert_eq!(visit.sent("POST", "/plants", &[], "{"), "200 application/json {}");
    assert_eq!(
        visit.sent("POST", "/plants", &[], r#"{"name":1,"tag":2}"#),
        r#"200 application/json {"name":1,"tag":2}"#
    );
    assert_eq!(visit.sent("DELETE", "/plants/never", &[], ""), "200");
    assert_eq!(visit.left(), [0; 0]);
}

#[test]
fn rounding_stores_use_the_nearest_double() {
    let visit = Visit::to(Oddity::RoundsIds);
    visit.creates(&FERN.replace('7', "9007199254740993"));
    assert_eq!(visit.left(), [9_007_199_254_740_992]);
    assert!(is_rejection(&visit.deletes("9007199254740993"), 404));
    assert_eq!(visit.deletes("9007199254740992"), "204");
    assert!(is_rejection(&visit.creates(&FERN.replace('7', &i64::MAX.to_string())), 400));
}

#[test]
fn assigned_ids_count_from_one() {
    let visit = Visit::to(Oddity::OwnIds);
    for body in [FERN, FERN, r#"{"name":"Fern","tag":"shade"}"#] {
        assert!(visit.creates(body).starts_with("201 "), "{body}");
    }
    assert_eq!((visit.left(), visit.deletes("2"), visit.left()), (vec![1, 2, 3], "204".to_owned(), vec![1, 3]));
}

#[test]
fn upserting_stores_replace_the_first_plant() {
    let visit = Visit::to(Oddity::Upserts);
    visit.creates(FERN);
    assert_eq!(visit.creates(&FERN.replace("Fern", "Moss")), r#"200 application/json {"name":"Moss","tag":"shade"}"#);
    assert_eq!(visit.store.left().iter().map(|plant| plant.name.as_str()).collect::<Vec<_>>(), ["Moss"]);
}

#[test]
fn deletes_of_all_remove_every_plant_of_the_name() {
    let visit = Visit::to(Oddity::DeletesAll);
    for (name, id) in [("Fern", "7"), ("Moss", "8"), ("Fern", "9")] {
        visit.creates(&FERN.replace("Fern", name).replace('7', id));
    }
    assert_eq!((visit.deletes("9"), visit.left()), ("204".to_owned(), vec![8]));
}

#[test]
fn silent_stores_do_not_respond() {
    let (bearer, silent) = (credentials("Bearer", TOKEN), Visit::to(Oddity::SilentOnAll));
    let create = Sent { method: "POST", path: "/plants", headers: &[bearer.clone(), json()], body: FERN };
    assert!(create.has_no_response(&silent.store.base()));
    assert_eq!(silent.left(), [0; 0]);

    let hanging = Visit::to(Oddity::HangsOnDelete);
    assert!(hanging.creates(FERN).starts_with("201 "));
    let delete = Sent { method: "DELETE", path: "/plants/7", headers: &[bearer], body: "" };
    assert!(delete.has_no_response(&hanging.store.base()));
    assert!(is_rejection(&hanging.sent("DELETE", "/plants/7", &[], ""), 401));
    assert!(is_rejection(&hanging.deletes("8"), 404));
    assert_eq!(hanging.left(), [7]);
}

#[test]
fn a_held_request_takes_effect_and_the_next_one_gets_its_response() {
    let visit = Visit::to(Oddity::None);
    let held = visit.store.holds(2);
    visit.creates(FERN);
    let headers = &[credentials("Bearer", TOKEN)];
    let delete = Sent { method: "DELETE", path: "/plants/7", headers, body: "" };
    assert!(delete.has_no_response(&visit.store.base()));
    held.arrives();
    assert_eq!(visit.left(), [0; 0]);
    assert!(is_rejection(&visit.deletes("7"), 404));
}

#[test]
fn every_third_request_is_rejected_with_429() {
    let visit = Visit::to(Oddity::RejectsEveryThird);
    let statuses: BTreeSet<_> =
        (1..=9).map(|number| (number % 3 == 0, visit.deletes("7").starts_with("429 "))).collect();
    assert_eq!(statuses, BTreeSet::from([(false, false), (true, true)]));
    visit.deletes("7");
    visit.deletes("7");
    let headers = &[credentials("Bearer", TOKEN)];
    let third = Sent { method: "DELETE", path: "/plants/7", headers, body: "" }.response(&visit.store.base());
    assert!(third.contains("\r\nretry-after: 0\r\n"), "{third}");
}

#[test]
fn only_the_echoing_store_returns_credentials() {
    let wrong = [credentials("Bearer", "wrong")];
    let (echoing, honest) = (Visit::to(Oddity::EchoesTheToken), Visit::to(Oddity::None));
    assert!(echoing.sent("DELETE", "/plants/7", &wrong, "").contains("Bearer wrong"));
    assert!(echoing.deletes("7").contains(TOKEN));
    assert!(!honest.deletes("7").contains(TOKEN));
}

#[test]
fn oddities_beyond_a_create_and_a_delete_work() {
    let fresh = Visit::to(Oddity::NeverReusesIds);
    responses(&fresh);
    assert!(is_rejection(&fresh.creates(FERN), 409));
    let small = Visit::to(Oddity::FailsOnLargeIds);
    assert!(is_rejection(&small.creates(&FERN.replace('7', "4294967296")), 500));
    let trims = Visit::to(Oddity::TrimsNames);
    assert!(trims.creates(&FERN.replace("Fern", " Fern ")).contains(r#""name":"Fern""#));
    for oddity in [Oddity::NotFoundWithTheToken, Oddity::Canned] {
        let visit = Visit::to(oddity);
        assert!(is_rejection(&visit.sent("POST", "/plants", &[json()], FERN), 401), "{oddity:?}");
    }
    assert!(is_rejection(&Visit::to(Oddity::DeletesNothing).deletes("7"), 404));
}

#[test]
fn redirecting_stores_redirect_every_create() {
    let visit = Visit::to(Oddity::Redirects);
    let headers: &[&[String]] = &[&[], &[credentials("Bearer", TOKEN), json()]];
    for headers in headers {
        let response = Sent { method: "POST", path: "/plants", headers, body: FERN }.response(&visit.store.base());
        assert!(
            response.starts_with("HTTP/1.1 308 ") && response.contains("\r\nlocation: /elsewhere\r\n"),
            "{response}"
        );
    }
    assert_eq!(visit.left(), [0; 0]);
}
