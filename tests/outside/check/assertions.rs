//! Assertions for every check: the report is complete, no output has the token, and the requests are considerate.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::odd::Received;
use super::{ROWS, TOKEN, rules};
use crate::support::Ended;

/// Returns the distinct texts under `key` in a list.
pub(super) fn texts<'a>(list: &'a Value, key: &str) -> BTreeSet<&'a str> {
    let all: Vec<_> = list.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap()).collect();
    let different: BTreeSet<_> = all.iter().copied().collect();
    assert_eq!(all.len(), different.len(), "not distinct: {all:?}");
    different
}

/// Asserts that a report has every row once, with all fields.
pub(super) fn assert_complete(report: &Value) {
    assert_eq!(texts(&report["rules"], "name"), rules().into_keys().collect());
    assert_eq!(texts(&report["undocumented"], "name"), ROWS.into_iter().collect());
    for rule in report["rules"].as_array().unwrap() {
        let (name, verdict) = (rule["name"].as_str().unwrap(), rule["verdict"].as_str().unwrap());
        assert_eq!(rule["section"], rules()[name], "{rule}");
        assert!(["pass", "fail", "inconclusive"].contains(&verdict), "{rule}");
        assert!(rule.get("evidence").is_some(), "{rule}");
    }
    for row in report["undocumented"].as_array().unwrap() {
        assert!(row["section"].is_string() && row.get("value").is_some() && row.get("evidence").is_some(), "{row}");
    }
    let fields: Vec<_> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let known = [
        "store",
        "started",
        "program",
        "diagnosis",
        "kind",
        "advice",
        "requests",
        "latency_ms",
        "without_response",
        "counts",
        "rules",
        "undocumented",
    ];
    assert_eq!(
        fields.into_iter().collect::<BTreeSet<_>>(),
        known.into_iter().chain(["leftovers", "by_hand"]).collect()
    );
    for (verdict, count) in report["counts"].as_object().unwrap() {
        let rules = report["rules"].as_array().unwrap().iter().filter(|rule| rule["verdict"] == **verdict);
        assert_eq!(*count, rules.count(), "{verdict}");
    }
    assert!(
        report["store"].is_string()
            && report["started"].is_string()
            && report["diagnosis"].is_string()
            && report["leftovers"].is_array(),
        "{report:#}"
    );
}

/// Asserts that no output has the token.
pub(super) fn assert_no_token(ended: &Ended) {
    assert!(!ended.stdout.contains(TOKEN) && !ended.stderr.contains(TOKEN), "{ended:?}");
}

/// Asserts that the requests are only creates and deletes of the check's own plants, and that none could replace
/// another plant, or create one that cannot be deleted, before the store has shown that it does not.
pub(super) fn assert_considerate(requests: &[Received]) {
    for (place, request) in requests.iter().enumerate() {
        let is_delete = request.method == "DELETE"
            && request.path.strip_prefix("/plants/").is_some_and(|id| !id.is_empty() && !id.contains(['/', '?']));
        if !is_delete {
            assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/plants"));
            assert_considerate_create(request, &requests[..place]);
        }
        assert_known_credentials(request);
    }
}

fn assert_known_credentials(request: &Received) {
    let known = match request.authorization.as_deref().map(|value| value.split_once(' ').unwrap()) {
        None => true,
        Some((scheme, word)) => scheme == "Bearer" || (scheme, word) == ("Basic", TOKEN),
    };
    assert!(known, "{request:?}");
}

fn assert_considerate_create(create: &Received, before: &[Received]) {
    let fields: Map<String, Value> = serde_json::from_str(&create.body).unwrap_or_default();
    assert!(fields.get("id").is_none_or(is_own_id), "another plant may have the id: {create:?}");
    for (field, beginning) in [("name", "Plants Check "), ("tag", "Plants-Check")] {
        let text = fields.get(field).and_then(Value::as_str).unwrap_or_default();
        assert!(
            text.is_empty() || text.trim_start().starts_with(beginning),
            "not marked as a plant of the check: {create:?}"
        );
    }
    let can_delete = before.iter().any(|before| before.method == "DELETE" && is_accepted(before));
    assert!(can_delete || is_by_the_document(create, &fields), "the plant could stay: {create:?}");
    let is_fixed = id_of(create).is_some_and(is_fixed);
    assert!(!is_fixed || has_rejected_a_taken_id(before), "this could replace a plant: {create:?}");
}

/// Whether a create has exactly the form of the document.
fn is_by_the_document(create: &Received, fields: &Map<String, Value>) -> bool {
    let named: BTreeSet<_> = fields.keys().map(String::as_str).collect();
    create.media_type.as_deref() == Some("application/json")
        && named == BTreeSet::from(["name", "id", "tag"])
        && fields["name"].as_str().is_some_and(|name| !name.is_empty() && name.is_ascii() && name.len() < 100)
        && fields["tag"] == "Plants-Check"
        && id_of(create).is_some_and(|id| id > 0 && (is_far_out(id) || is_past_doubles(id)))
}

/// Whether the store has rejected the create of a plant that is there.
fn has_rejected_a_taken_id(requests: &[Received]) -> bool {
    let creates: Vec<_> = requests.iter().filter(|request| request.method == "POST").collect();
    let is_there = |earlier: &[&Received], id| earlier.iter().any(|first| id_of(first) == id && is_accepted(first));
    creates.iter().enumerate().any(|(index, second)| {
        let id = id_of(second);
        id.is_some() && matches!(second.responded, Some(400..500)) && is_there(&creates[..index], id)
    })
}

fn is_accepted(request: &Received) -> bool {
    matches!(request.responded, Some(200..300))
}

pub(crate) fn id_of(create: &Received) -> Option<i64> {
    serde_json::from_str::<Value>(&create.body).ok()?.get("id")?.as_i64()
}

fn is_own_id(id: &Value) -> bool {
    match (id, id.as_i64(), id.as_f64()) {
        (Value::String(digits), _, _) => digits.parse().is_ok_and(is_far_out),
        (_, Some(id), _) => is_fixed(id) || is_past_doubles(id) || is_far_out(id),
        (_, None, Some(double)) => double.abs() >= 2_f64.powi(63) || (1e9..=2_f64.powi(31)).contains(&double),
        (_, None, None) => false,
    }
}

/// Whether few stores use the id, and a double represents it exactly: 63 bits, or 31 where the store rejects those.
fn is_far_out(id: i64) -> bool {
    let bits = 64 - id.unsigned_abs().leading_zeros();
    (bits == 63 && id % 10_000_000_000 == 0) || (1_000_000_000..=1 << 31).contains(&id.unsigned_abs())
}

/// Whether no double represents the id exactly, or one that is the same for another id.
fn is_past_doubles(id: i64) -> bool {
    (1 << 53..1 << 54).contains(&id)
}

/// Whether the id is one that other plants may have.
fn is_fixed(id: i64) -> bool {
    [0, i64::MIN, i64::MAX].contains(&id)
}
