//! Mismatches: how an accepted response differs from the document (`interface.md` §4).
//!
//! They decide nothing: an exchange is accepted by its status alone.

use std::fmt;

use serde_json::Value;

use super::exchange::{BodyEnd, Exchange, Response};
use super::operation::OperationKind;
use super::outcome::Outcome;
use super::text::clean_fit;

/// Columns of a value that is quoted in a difference.
const QUOTED_COLUMNS: usize = 80;

/// One way in which an accepted response differs from the document (`interface.md` §4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// The body is of another media type than `application/json`; `None` where no type is given.
    MediaType(Option<String>),
    /// The body is compressed with this coding, although none was asked for; nothing decodes it.
    Encoded(String),
    /// The body was cut off, for this reason.
    CutOff(String),
    /// The body is longer than what is read of it, in bytes.
    TooLong(usize),
    /// The body is empty where a JSON object is due.
    Empty,
    NotJson,
    NotAnObject,
    Missing(&'static str),
    /// A field of the document is no string.
    NotAString(&'static str),
    /// A field came back with another value than was sent.
    Changed {
        /// `name` or `tag`.
        field: &'static str,
        sent: String,
        came: String,
    },
    /// The response to a delete has a body, of so many bytes as they came.
    BodyOnDelete {
        bytes: usize,
        coding: Option<String>,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MediaType(Some(found)) => {
                write!(f, "the response is {}, not application/json", clean_fit(found, QUOTED_COLUMNS))
            }
            Self::MediaType(None) => f.write_str("the response has a body and no Content-Type, not application/json"),
            Self::Encoded(coding) => write!(f, "{}, so its body cannot be compared", encoded(coding)),
            Self::CutOff(why) => write!(f, "the response is cut off: {}", clean_fit(why, QUOTED_COLUMNS)),
            Self::TooLong(cap) => write!(f, "the response is longer than {cap} bytes; the rest was not read"),
            Self::Empty => f.write_str("the response has no body, not a JSON object with name and tag"),
            Self::NotJson => f.write_str("the response is not JSON"),
            Self::NotAnObject => f.write_str("the response is JSON, but not an object"),
            Self::Missing(field) => write!(f, "the response has no {field}"),
            Self::NotAString(field) => write!(f, "the {field} in the response is not a string"),
            Self::Changed { field, sent, came } => {
                write!(f, "{field} was sent as {} and came back as {}", quoted(sent), quoted(came))
            }
            Self::BodyOnDelete { bytes, coding } => {
                write!(f, "the response to a delete has a body of {bytes} bytes; the document says it has none")?;
                coding.as_ref().map_or(Ok(()), |coding| write!(f, "; {}", encoded(coding)))
            }
        }
    }
}

/// Says that a response is compressed and stays so; the coding is foreign text, cleaned and bounded.
pub fn encoded(coding: &str) -> String {
    format!("the response is compressed with {}, which was not asked for, and is not decoded", clean_fit(coding, 20))
}

/// A value in quotes, invisible characters escaped, and bounded: a store may send a megabyte.
fn quoted(value: &str) -> String {
    clean_fit(&format!("{value:?}"), QUOTED_COLUMNS)
}

impl Exchange {
    /// Compares an accepted response with the document; finds nothing in any other, for the document shows
    /// no other (`interface.md` §7), or where the request was not the document's.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        match (self.outcome(), self.response()) {
            (Outcome::Accepted, Some(response)) if self.operation.is_by_the_document() => {
                mismatches(&self.operation.kind, response)
            }
            (Outcome::Accepted | Outcome::Rejected | Outcome::Unknown | Outcome::NotSent, _) => Vec::new(),
        }
    }
}

fn mismatches(kind: &OperationKind, response: &Response) -> Vec<Mismatch> {
    media_type(kind, response).into_iter().chain(differences(kind, response)).collect()
}

/// The media type of a create's response where it is not the document's (`interface.md` §2).
///
/// Parameters are ignored, and letters compare without case (RFC 9110 §8.3.1). A type with a suffix
/// `+json` is JSON, but another type than the document's. Without a body there is nothing to type.
fn media_type(kind: &OperationKind, response: &Response) -> Option<Mismatch> {
    if matches!(kind, OperationKind::Delete(_)) || response.body.is_empty() || response.body_end == BodyEnd::Trimmed {
        return None;
    }
    let Some(value) = response.header("content-type") else { return Some(Mismatch::MediaType(None)) };
    let essence = value.split(';').next().unwrap_or_default().trim();
    let is_json = essence.eq_ignore_ascii_case("application/json");
    (!is_json).then(|| Mismatch::MediaType((!essence.is_empty()).then(|| essence.to_owned())))
}

/// How the body of a response differs from what the document shows for this operation.
pub fn differences(kind: &OperationKind, response: &Response) -> Vec<Mismatch> {
    let plant = match (kind, &response.body_end) {
        // What it said is not known any more.
        (_, BodyEnd::Trimmed) => return Vec::new(),
        (OperationKind::Add(plant), _) => plant,
        (OperationKind::Delete(_), BodyEnd::CutOff(why)) if response.body.is_empty() => {
            return vec![Mismatch::CutOff(why.clone())];
        }
        (OperationKind::Delete(_), _) if response.body.is_empty() => return Vec::new(),
        (OperationKind::Delete(_), _) => {
            let coding = response.coding().map(str::to_owned);
            return vec![Mismatch::BodyOnDelete { bytes: response.body.len(), coding }];
        }
    };
    match &response.body_end {
        BodyEnd::CutOff(why) => return vec![Mismatch::CutOff(why.clone())],
        BodyEnd::Capped(cap) => return vec![Mismatch::TooLong(*cap)],
        BodyEnd::Trimmed | BodyEnd::Complete => {}
    }
    if response.body.is_empty() {
        return vec![Mismatch::Empty];
    }
    if let Some(coding) = response.coding() {
        return vec![Mismatch::Encoded(coding.to_owned())];
    }
    let Ok(body) = serde_json::from_slice::<Value>(&response.body) else {
        return vec![Mismatch::NotJson];
    };
    let Value::Object(fields) = body else {
        return vec![Mismatch::NotAnObject];
    };
    let mut found = Vec::new();
    for (field, sent) in [("name", &plant.name), ("tag", &plant.tag)] {
        match fields.get(field) {
            None => found.push(Mismatch::Missing(field)),
            Some(Value::String(came)) if came == sent => {}
            Some(Value::String(came)) => {
                found.push(Mismatch::Changed { field, sent: sent.clone(), came: came.clone() });
            }
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                found.push(Mismatch::NotAString(field));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Header, Plant, PlantId};

    fn response(body: &[u8], body_end: BodyEnd) -> Response {
        typed(Some("application/json"), body, body_end)
    }

    fn typed(media_type: Option<&str>, body: &[u8], body_end: BodyEnd) -> Response {
        let headers = media_type.map(|value| Header { name: "content-type".into(), value: value.into() });
        Response {
            status: 200,
            reason: String::new(),
            version: "HTTP/1.1".into(),
            headers: headers.into_iter().collect(),
            body: body.to_vec(),
            body_end,
        }
    }

    fn fern() -> OperationKind {
        OperationKind::Add(Plant { name: "Fern".into(), id: PlantId(1), tag: "shade".into() })
    }

    const AS_SENT: &[u8] = br#"{"name":"Fern","tag":"shade"}"#;

    #[test]
    fn a_response_unlike_the_document_says_how() {
        let add = fern();
        let said = |body: &[u8]| mismatches(&add, &response(body, BodyEnd::Complete));
        assert_eq!(said(AS_SENT), []);
        assert_eq!(said(br#"{"name":"Fern","id":9,"tag":"shade"}"#), []);
        assert_eq!(said(b""), [Mismatch::Empty]);
        assert_eq!(said(b"<html>"), [Mismatch::NotJson]);
        assert_eq!(said(b"\xff"), [Mismatch::NotJson]);
        assert_eq!(said(b"[]"), [Mismatch::NotAnObject]);
        assert_eq!(
            said(br#"{"name":"fern","tag":3}"#),
            [
                Mismatch::Changed { field: "name", sent: "Fern".into(), came: "fern".into() },
                Mismatch::NotAString("tag")
            ]
        );
        assert_eq!(said(b"{}"), [Mismatch::Missing("name"), Mismatch::Missing("tag")]);
        let cut_off = || Mismatch::CutOff("eof".into());
        assert_eq!(mismatches(&add, &response(b"{", BodyEnd::CutOff("eof".into()))), [cut_off()]);
        assert_eq!(mismatches(&add, &response(b"{", BodyEnd::Capped(1))), [Mismatch::TooLong(1)]);
        let delete = OperationKind::Delete(PlantId(1));
        assert_eq!(mismatches(&delete, &response(b"", BodyEnd::Complete)), []);
        let body = |bytes| Mismatch::BodyOnDelete { bytes, coding: None };
        assert_eq!(mismatches(&delete, &response(b"ok", BodyEnd::Complete)), [body(2)]);
        assert_eq!(mismatches(&delete, &response(b"ok", BodyEnd::CutOff("eof".into()))), [body(2)]);
    }

    #[test]
    fn a_body_of_no_bytes_is_no_body() {
        let delete = OperationKind::Delete(PlantId(1));
        let cut_off = Mismatch::CutOff("eof".into());
        assert_eq!(mismatches(&delete, &response(b"", BodyEnd::CutOff("eof".into()))), [cut_off]);
        assert_eq!(mismatches(&delete, &response(b"", BodyEnd::Trimmed)), []);
        assert_eq!(mismatches(&fern(), &response(b"", BodyEnd::Trimmed)), []);
        assert_eq!(mismatches(&fern(), &typed(Some("text/plain"), b"", BodyEnd::Complete)), [Mismatch::Empty]);
    }

    #[test]
    fn only_the_media_type_of_the_document_is_no_mismatch() {
        let of = |media_type| mismatches(&fern(), &typed(media_type, AS_SENT, BodyEnd::Complete));
        for like in ["application/json", "Application/JSON", "application/json; charset=utf-8", " application/json ;"] {
            assert_eq!(of(Some(like)), [], "{like}");
        }
        for (other, found) in [
            ("text/plain", "text/plain"),
            ("application/problem+json", "application/problem+json"),
            ("text/html; charset=utf-8", "text/html"),
            ("application/jsonp", "application/jsonp"),
        ] {
            assert_eq!(of(Some(other)), [Mismatch::MediaType(Some(found.to_owned()))]);
        }
        assert_eq!(of(None), [Mismatch::MediaType(None)]);
        assert_eq!(of(Some("")), [Mismatch::MediaType(None)]);
        assert_eq!(mismatches(&OperationKind::Delete(PlantId(1)), &typed(None, b"", BodyEnd::Complete)), []);
    }

    #[test]
    fn a_compressed_response_is_not_compared() {
        let coded = |kind: &OperationKind, coding: &str, body: &[u8]| {
            let mut response = response(body, BodyEnd::Complete);
            response.headers.push(Header { name: "content-encoding".into(), value: coding.into() });
            mismatches(kind, &response).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let said = "the response is compressed with gzip, which was not asked for, and is not decoded, so its body \
                    cannot be compared";
        assert_eq!(coded(&fern(), "gzip", b"\x1f\x8b"), [said]);
        assert_eq!(coded(&fern(), "Identity", AS_SENT), [""; 0]);
        assert_eq!(coded(&fern(), "gzip", b""), ["the response has no body, not a JSON object with name and tag"]);
        let on_delete = coded(&OperationKind::Delete(PlantId(1)), "br\u{1b}", b"x");
        assert!(on_delete[0].ends_with("compressed with br␛, which was not asked for, and is not decoded"));
    }
}
