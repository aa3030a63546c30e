//! Rows as functions of the evidence: verdicts and values after responses that no whole run here has.

use super::super::evidence::{Evidence, Origin, Purpose};
use super::super::probe_requests::ProbeRequests;
use super::super::steps::Step::{
    self, Create, CreateAgain, CreateBig, CreateWithoutToken, Delete, DeleteAbsent, DeleteBig, DeleteNeighbour,
    DeleteTwice, DeleteTwin, PlantForSecond, SecondCreate,
};
use super::super::steps::{TAG, UNICODE};
use super::Verdict::{Fail, Inconclusive, Pass};
use super::*;

/// Instead of a status: no response came.
const LOST: u16 = 0;
/// Instead of a status: no request was sent.
const UNSENT: u16 = 1;

fn ending(status: u16) -> Ending {
    match status {
        LOST => without_response(FailureKind::NoResponse),
        UNSENT => without_response(FailureKind::NotConnected),
        status => responded(status, ""),
    }
}

/// Returns a response with these headers alone.
fn with_headers(status: u16, body: &str, headers: &[(&str, &str)]) -> Ending {
    let Ending::Responded(response) = responded(status, body) else { unreachable!() };
    let headers = headers.iter().map(|(name, value)| Header { name: (*name).into(), value: (*value).into() }).collect();
    Ending::Responded(Response { headers, ..response })
}

/// Returns evidence of these probes; the others were not sent.
fn evidence(probes: Vec<(Step, Ending)>) -> Evidence {
    let requests = ProbeRequests::with_seed(7);
    let mut evidence = Evidence::default();
    for ((step, ending), number) in probes.into_iter().zip(1..) {
        let (kind, probe) = requests.request(step);
        evidence.add(Some(Purpose::Probe(step)), exchange(number, kind, probe, ending));
    }
    evidence
}

fn assess(rule: &str, probes: Vec<(Step, Ending)>) -> RowResult {
    Row::named(rule).unwrap().assess(&evidence(probes))
}

/// The statuses of responses, the verdict, and the beginning of its evidence.
type Case<'a> = (&'a [(Step, u16)], Verdict, &'a str);

fn assert_assessed(rule: &str, cases: &[Case<'_>]) {
    for (statuses, verdict, why) in cases {
        let result = assess(rule, statuses.iter().map(|(step, status)| (*step, ending(*status))).collect());
        assert_eq!(result.verdict, Some(*verdict), "{rule} {statuses:?}: {}", result.evidence);
        assert!(result.evidence.starts_with(why), "{rule} {statuses:?}: {}", result.evidence);
    }
}

#[test]
fn a_rejection_for_the_caller_or_without_a_request_decides_nothing() {
    assert_assessed(
        "create-accepted",
        &[
            (&[(Create, 201)], Pass, "POST /plants"),
            (&[(Create, 301)], Fail, "the store redirected the create, and the check follows no redirects"),
            (&[(Create, 400)], Fail, "the store rejected the create"),
            (&[(Create, 401)], Inconclusive, "the token was rejected"),
            (&[(Create, 429)], Inconclusive, "the store asks for fewer requests"),
            (&[(Create, LOST)], Inconclusive, "no response decides the rule"),
            (&[(Create, UNSENT)], Inconclusive, "nothing reached the store"),
        ],
    );
    assert_eq!(assess("create-accepted", vec![(Create, ending(UNSENT))]).reason, Some(Reason::NotSent));
    assert_assessed(
        "create-without-token",
        &[
            (&[(Create, 201), (CreateWithoutToken, 401)], Pass, "POST /plants"),
            (&[(Create, 201), (CreateWithoutToken, 407)], Inconclusive, "no response decides the rule"),
            (&[(CreateWithoutToken, 401)], Inconclusive, "the store rejected the request, but accepted none like it"),
        ],
    );
}

#[test]
fn a_delete_is_assessed_by_what_the_store_had_accepted() {
    assert_assessed(
        "delete-accepted",
        &[
            (&[(Create, 201), (Delete, 404)], Fail, "the store rejected the delete of a plant"),
            (&[(Create, 201), (Delete, 401)], Inconclusive, "the token was rejected"),
            (&[(Create, 202), (Delete, 404)], Inconclusive, "creates take effect late here"),
            (&[(Create, 202), (Delete, 400)], Fail, "the store rejected the delete of a plant"),
        ],
    );
    assert_assessed(
        "delete-takes-effect",
        &[
            (&[(Delete, 204), (DeleteTwice, 404)], Pass, "DELETE /plants"),
            (&[(Delete, 204), (DeleteTwice, 400), (DeleteAbsent, 400)], Pass, "DELETE /plants"),
            // Another status than that of an unused id may have any reason.
            (&[(Delete, 204), (DeleteTwice, 400), (DeleteAbsent, 404)], Inconclusive, "the check ended"),
            // The id can be used again.
            (&[(Delete, 204), (DeleteTwice, 204), (SecondCreate, 409), (CreateAgain, 201)], Pass, "DELETE /plants"),
            (&[(Delete, 204), (DeleteTwice, 204), (SecondCreate, 429), (CreateAgain, 201)], Inconclusive, ""),
            (
                &[(Delete, 202), (DeleteTwice, 202), (DeleteAbsent, 404), (SecondCreate, 409), (CreateAgain, 409)],
                Inconclusive,
                "the delete was only accepted for later (202)",
            ),
        ],
    );
}

#[test]
fn a_neighbour_is_gone_only_after_404_or_410() {
    let after = |absent: u16, neighbour: u16| {
        [(Create, 201), (Delete, 204), (DeleteAbsent, absent), (DeleteNeighbour, neighbour)]
    };
    assert_assessed(
        "delete-single-plant",
        &[
            (&after(404, 204), Pass, "DELETE /plants"),
            (&after(LOST, 204), Inconclusive, "no response shows that the store rejects the delete of an absent plant"),
            (&after(204, 204), Inconclusive, "the store accepts deletes that remove no plant"),
            (&after(404, 404), Fail, "after the delete, another plant with the same name and tag is gone"),
            (&after(400, 400), Inconclusive, "the delete of the other plant was rejected like that of an unused id"),
            (&after(404, 400), Inconclusive, "the delete of the other plant was rejected for another reason"),
            (&after(404, 401), Inconclusive, "the token was rejected"),
        ],
    );
}

#[test]
fn an_exact_id_is_assessed_where_the_store_takes_large_ids() {
    let big = |create: u16, twin: u16, exact: u16| {
        [(Delete, 204), (CreateBig, create), (DeleteTwin, twin), (DeleteBig, exact)]
    };
    assert_assessed(
        "delete-exact-id",
        &[
            (&[(Delete, 404)], Inconclusive, "the delete was rejected"),
            (&big(201, 404, 204), Pass, "POST /plants"),
            (&big(201, 204, 404), Fail, "a delete of another id removed the plant"),
            (&big(201, 404, 404), Fail, "a delete of the id that was sent does not delete the plant"),
            (&big(201, 204, 204), Inconclusive, "no response shows that the store rejects the delete of an absent"),
            (&big(201, 401, 204), Inconclusive, "the token was rejected"),
            (&big(201, 204, 401), Inconclusive, "the token was rejected"),
            (&big(201, 404, 401), Inconclusive, "the token was rejected"),
            (&[(Delete, 204), (CreateBig, 400)], Inconclusive, "the store rejects ids past 2^53"),
            (&big(401, LOST, LOST), Inconclusive, "the token was rejected"),
            (&big(301, LOST, LOST), Inconclusive, "no response decides the rule"),
            // The store took a long id, so that this one failure may have any reason.
            (&[(Create, 201), (Delete, 204), (CreateBig, 500)], Inconclusive, "no response decides the rule"),
            (&[(Create, 201), (Delete, 204), (CreateBig, LOST)], Inconclusive, "no response decides the rule"),
            (&[(Create, 500), (Delete, 204), (CreateBig, 500)], Inconclusive, "no response decides the rule"),
        ],
    );
    // The probe was left out because of the store, or because the run ended.
    for (second, reason) in [(409, Reason::NotVisible), (201, Reason::NotVisible), (LOST, Reason::NoResponse)] {
        let probes = vec![(Delete, ending(204)), (SecondCreate, ending(second))];
        assert_eq!(assess("delete-exact-id", probes).reason, Some(reason), "{second}");
    }
}

#[test]
fn a_response_to_a_create_is_read_only_if_it_is_complete_and_not_compressed() {
    let media_type =
        |body, headers: &[_]| assess("create-media-type", vec![(Create, with_headers(201, body, headers))]);
    let empty = media_type("", &[]);
    assert_eq!((empty.verdict, empty.reason), (Some(Inconclusive), Some(Reason::NotVisible)), "{}", empty.evidence);
    assert!(media_type("{}", &[]).evidence.starts_with("the response has no content-type"));
    assert!(media_type("{}", &[("content-type", "text/json")]).evidence.starts_with("the media type is text/json"));
    assert_eq!(media_type("{}", &[("content-type", "Application/JSON;charset=utf-8")]).verdict, Some(Pass));
    for (first, second) in [("application/json", "text/html"), ("text/html", "application/json")] {
        assert_eq!(media_type("{}", &[("content-type", first), ("Content-Type", second)]).verdict, Some(Fail));
    }
    let json_object =
        |coding| assess("create-json-object", vec![(Create, with_headers(201, "{}", &[("content-encoding", coding)]))]);
    assert_eq!(json_object("Identity").verdict, Some(Pass));
    assert!(json_object("gzip").evidence.starts_with("the response is encoded as gzip"));
}

#[test]
fn a_body_that_a_head_announces_is_not_missing() {
    for (length, verdict) in [("15", Inconclusive), ("0", Pass)] {
        let deleted = with_headers(204, "", &[("Content-Length", length)]);
        assert_eq!(assess("delete-no-body", vec![(Delete, deleted)]).verdict, Some(verdict), "{length}");
    }
}

#[test]
fn swapped_texts_are_named() {
    let (OperationKind::Add(plant), _) = ProbeRequests::with_seed(7).request(Create) else { unreachable!() };
    let swapped = serde_json::json!({ "name": plant.tag, "tag": plant.name }).to_string();
    let result = assess("create-name-and-tag", vec![(Create, responded(201, &swapped)), (PlantForSecond, ending(500))]);
    let why = "the name in the response holds the tag, the tag in the response holds the name";
    assert!(result.verdict == Some(Fail) && result.evidence.starts_with(why), "{}", result.evidence);
}

#[test]
fn values_describe_the_body_of_a_response() {
    let after = |row: &str, step: Step, body: &str| assess(row, vec![(step, responded(201, body))]).value;
    let (kind, _) = ProbeRequests::with_seed(7).request(Create);
    let id = kind.plant_id();
    for (body, value) in [
        (format!(r#"{{"id":{id}}}"#), "yes, as it was sent"),
        (r#"{"id":7}"#.to_owned(), "yes, but another number than was sent"),
        (format!(r#"{{"id":"{id}"}}"#), "yes, as a string"),
        (r#"{"id":"7"}"#.to_owned(), "yes, as another string than was sent"),
        (r#"{"id":[]}"#.to_owned(), "yes, as an array"),
        ("{}".to_owned(), "no"),
        ("[]".to_owned(), "the response is not a JSON object"),
    ] {
        assert_eq!(after("id-in-response", Create, &body), value, "{body}");
    }
    let many = (10..30).map(|number| format!(r#""f{number}":0"#)).collect::<Vec<_>>().join(",");
    let names = (10..30).map(|number| format!("f{number}")).collect::<Vec<_>>().join(", ");
    assert_eq!(after("response-fields", Create, &format!("{{{many}}}")), names);
    assert_eq!(after("response-fields", Create, "{}"), "none");
    for (name, value) in
        [("null", "null"), ("true", "true or false"), ("7", "a number"), ("[]", "an array"), ("{}", "an object")]
    {
        let value = format!("accepted: 201; the response has name as {value}; it could not be deleted");
        let body = format!(r#"{{"name":{name},"tag":""}}"#);
        assert_eq!(after("id-zero", Step::IdZero, &body).replace("; its tag came back changed", ""), value);
    }
    // A body that is cut off shows nothing, even if it is JSON so far.
    let Ending::Responded(response) = responded(201, "{}") else { unreachable!() };
    let cut_off = Ending::Responded(Response { body_end: BodyEnd::CutOff("reset".into()), ..response });
    assert_eq!(assess("id-in-response", vec![(Create, cut_off)]).value, "the response is not a JSON object");
    assert_eq!(assess("id-zero", Vec::new()).evidence, "");
    assert_eq!(assess("limit-headers", vec![(Create, ending(201))]).evidence, "1 response searched");
}

#[test]
fn only_the_text_that_came_back_changed_is_named() {
    let (OperationKind::Add(plant), _) = ProbeRequests::with_seed(7).request(Step::Unicode) else { unreachable!() };
    let nfc = |text: &str| text.replace(UNICODE, "\u{e9} \u{f1} \u{ff21} \u{1f335}");
    let (same_name, same_tag) = (plant.name.clone(), plant.tag.clone());
    for (name, tag, words) in [
        (same_name.clone(), same_tag.clone(), "it could not be deleted; name and tag came back unchanged"),
        (
            nfc(&same_name),
            nfc(&same_tag),
            "its name came back in NFC; its tag came back in NFC; it could not be deleted",
        ),
        (nfc(&same_name), same_tag.clone(), "its name came back in NFC; it could not be deleted"),
        (same_name.to_uppercase(), same_tag.clone(), "its name came back in upper case; it could not be deleted"),
        (same_name.clone(), "Fern".to_owned(), "its tag came back changed; it could not be deleted"),
    ] {
        let body = serde_json::json!({ "name": name, "tag": tag }).to_string();
        let value = assess("unicode", vec![(Step::Unicode, responded(201, &body))]).value;
        assert_eq!(value, format!("accepted: 201; {words}"));
    }
    assert!(plant.tag.starts_with(TAG));
}

#[test]
fn rejections_are_described_by_their_bodies_and_challenges() {
    let bodies = |body| assess("error-bodies", vec![(DeleteAbsent, responded(404, body))]).value;
    assert_eq!(bodies("{}"), "an empty JSON object");
    assert_eq!(bodies(r#"{"error":1}"#), "a JSON object with error");
    assert_eq!(bodies("7"), "JSON, a number");
    let challenge = with_headers(401, "", &[("WWW-Authenticate", "Bearer")]);
    let value = assess("without-token", vec![(CreateWithoutToken, challenge)]).value;
    assert!(value.starts_with("create rejected: 401; ") && value.ends_with("; www-authenticate: Bearer"), "{value}");
}

#[test]
fn a_second_plant_under_an_id_takes_one_delete_or_two() {
    let second = |absent: u16, clean_ups: &[u16]| {
        let mut evidence = evidence(vec![(SecondCreate, ending(201)), (DeleteAbsent, ending(absent))]);
        let delete = |status: &u16| exchange(9, OperationKind::Delete(PlantId(7)), Probe::default(), ending(*status));
        let origin = Origin::Probe(PlantForSecond);
        clean_ups.iter().map(delete).for_each(|delete| evidence.add(Some(Purpose::CleanUp(origin)), delete));
        Row::named("second-create").unwrap().assess(&evidence).value
    };
    assert_eq!(second(404, &[204, 404]), "accepted: 201; one delete was enough afterwards");
    assert_eq!(second(404, &[204, 204, 404]), "accepted: 201; two deletes were accepted afterwards");
    // This store accepts every delete.
    assert_eq!(second(204, &[204, 204]), "accepted: 201");
}
