//! What every check promises, whatever the store does: a whole result, a token that nobody reads,
//! and manners.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::odd::Asked;
use super::{ROWS, TOKEN, rules};
use crate::support::Ended;

/// The texts under `key` in a list, no two of them alike.
pub(super) fn texts<'told>(list: &'told Value, key: &str) -> BTreeSet<&'told str> {
    let all: Vec<_> = list.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap()).collect();
    let different: BTreeSet<_> = all.iter().copied().collect();
    assert_eq!(all.len(), different.len(), "something is told twice: {all:?}");
    different
}

/// Every rule and every row once, each with all that belongs to it.
pub(super) fn is_whole(told: &Value) {
    assert_eq!(texts(&told["rules"], "name"), rules().into_keys().collect());
    assert_eq!(texts(&told["undocumented"], "name"), ROWS.into_iter().collect());
    for rule in told["rules"].as_array().unwrap() {
        let (name, verdict) = (rule["name"].as_str().unwrap(), rule["verdict"].as_str().unwrap());
        assert_eq!(rule["section"], rules()[name], "{rule}");
        assert!(["pass", "fail", "inconclusive"].contains(&verdict), "{rule}");
        assert!(rule.get("evidence").is_some(), "{rule}");
    }
    for row in told["undocumented"].as_array().unwrap() {
        assert!(row["section"].is_string() && row.get("value").is_some() && row.get("evidence").is_some(), "{row}");
    }
    let fields: Vec<_> = told.as_object().unwrap().keys().map(String::as_str).collect();
    let mut known = ["store", "started", "diagnosis", "rules", "undocumented", "leftovers"];
    known.sort_unstable();
    assert_eq!(fields.into_iter().collect::<BTreeSet<_>>(), known.into_iter().collect());
    assert!(
        told["store"].is_string()
            && told["started"].is_string()
            && told["diagnosis"].is_string()
            && told["leftovers"].is_array(),
        "{told:#}"
    );
}

/// Nothing that is printed lets anybody in.
pub(super) fn keeps_the_secret(ended: &Ended) {
    assert!(!ended.stdout.contains(TOKEN) && !ended.stderr.contains(TOKEN), "{ended:?}");
}

/// Two operations and nothing else, plants of its own, and nothing that could stay for good or
/// take the place of another plant before it is known that it can not.
pub(super) fn is_mannered(asked: &[Asked]) {
    for (place, request) in asked.iter().enumerate() {
        let is_delete = request.method == "DELETE"
            && request.path.strip_prefix("/plants/").is_some_and(|id| !id.is_empty() && !id.contains(['/', '?']));
        if !is_delete {
            assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/plants"));
            is_a_mannered_create(request, &asked[..place]);
        }
        presents_what_the_document_knows(request);
    }
}

fn presents_what_the_document_knows(request: &Asked) {
    let known = match request.authorization.as_deref().map(|value| value.split_once(' ').unwrap()) {
        None => true,
        Some((scheme, word)) => scheme == "Bearer" || (scheme, word) == ("Basic", TOKEN),
    };
    assert!(known, "{request:?}");
}

fn is_a_mannered_create(create: &Asked, before: &[Asked]) {
    let fields: Map<String, Value> = serde_json::from_str(&create.body).unwrap_or_default();
    assert!(fields.get("id").is_none_or(is_own_id), "the id may be somebody's: {create:?}");
    for (field, beginning) in [("name", "Plants Check "), ("tag", "Plants-Check")] {
        let text = fields.get(field).and_then(Value::as_str).unwrap_or_default();
        assert!(text.is_empty() || text.trim_start().starts_with(beginning), "nobody knows whose this is: {create:?}");
    }
    let can_delete = before.iter().any(|before| before.method == "DELETE" && says_yes(before));
    assert!(can_delete || is_by_the_document(create, &fields), "this could stay for good: {create:?}");
    let is_fixed = id_of(create).is_some_and(is_fixed);
    assert!(!is_fixed || has_refused_a_taken_id(before), "this could replace a plant: {create:?}");
}

/// Whether a create has what the document shows, and nothing that it is silent about.
fn is_by_the_document(create: &Asked, fields: &Map<String, Value>) -> bool {
    let named: BTreeSet<_> = fields.keys().map(String::as_str).collect();
    create.media_type.as_deref() == Some("application/json")
        && named == BTreeSet::from(["name", "id", "tag"])
        && fields["name"].as_str().is_some_and(|name| !name.is_empty() && name.is_ascii() && name.len() < 100)
        && fields["tag"] == "Plants-Check"
        && id_of(create).is_some_and(|id| id > 0 && (is_far_out(id) || is_past_doubles(id)))
}

/// Whether the create of a plant that is there was refused.
fn has_refused_a_taken_id(asked: &[Asked]) -> bool {
    let creates: Vec<_> = asked.iter().filter(|asked| asked.method == "POST").collect();
    let is_there = |earlier: &[&Asked], id| earlier.iter().any(|first| id_of(first) == id && says_yes(first));
    creates.iter().enumerate().any(|(place, second)| {
        let id = id_of(second);
        id.is_some() && matches!(second.responded, Some(400..500)) && is_there(&creates[..place], id)
    })
}

fn says_yes(asked: &Asked) -> bool {
    matches!(asked.responded, Some(200..300))
}

pub(crate) fn id_of(create: &Asked) -> Option<i64> {
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

/// Far from the ids that people give, and exact in a double.
fn is_far_out(id: i64) -> bool {
    (1_000_000_000..=1 << 31).contains(&id.unsigned_abs())
}

/// No double is this id.
fn is_past_doubles(id: i64) -> bool {
    id > 1 << 53 && id % 2 == 1
}

/// Somebody may well use these.
fn is_fixed(id: i64) -> bool {
    [0, i64::MIN, i64::MAX].contains(&id)
}
