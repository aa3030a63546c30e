//! What an exchange proves: accepted, refused, unknown, not sent.
//!
//! The interface shows no success code and no error (`interface.md` §4, §7), so a status is
//! read by its class (RFC 9110 §15) and by nothing else. The body decides nothing; where it
//! is not what the document shows, that is a [`Difference`], a mismatch in words for people.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::exchange::{Answer, BodyEnd};
use super::operation::Ask;
use super::text::clean_fit;

/// Columns of a value that is quoted in a difference.
const QUOTED_COLUMNS: usize = 80;

/// The four things an exchange can prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The store said yes.
    Accepted,
    /// The store said no.
    Rejected,
    /// The request may have reached the store; nothing that settles it came back.
    Unknown,
    /// Nothing reached the store.
    NotSent,
}

impl Outcome {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Rejected, Self::Unknown, Self::NotSent];

    /// What a status code proves.
    ///
    /// 408 says that the server gave up waiting (RFC 9110 §15.5.9) and 5xx that it failed
    /// somewhere: neither tells whether the operation was carried out. 1xx is no final answer,
    /// and codes from 600 have no meaning at all.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Accepted,
            408 => Self::Unknown,
            300..=499 => Self::Rejected,
            0..=199 | 500..=u16::MAX => Self::Unknown,
        }
    }

    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Unknown => "unknown",
            Self::NotSent => "not sent",
        }
    }

    /// The word in JSON and in the journal.
    pub fn code(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Unknown => "unknown",
            Self::NotSent => "not_sent",
        }
    }

    /// The outcome with this [`Outcome::code`].
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.code() == code)
    }
}

/// One way in which an accepted response differs from the document (`interface.md` §4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
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
    /// The body is not JSON.
    NotJson,
    /// The body is JSON, but no object.
    NotAnObject,
    /// A field of the document is missing.
    Missing(&'static str),
    /// A field of the document is no string.
    NotAString(&'static str),
    /// A field came back with another value than was sent.
    Changed {
        /// `name` or `tag`.
        field: &'static str,
        /// What was sent.
        sent: String,
        /// What came back.
        came: String,
    },
    /// The response to a delete has a body, of so many bytes as they came.
    BodyOnDelete {
        /// How many came.
        bytes: usize,
        /// The coding that compresses them.
        coding: Option<String>,
    },
}

impl fmt::Display for Difference {
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

/// A value in quotes, invisible characters escaped, and bounded: a store may answer a megabyte.
fn quoted(value: &str) -> String {
    clean_fit(&format!("{value:?}"), QUOTED_COLUMNS)
}

/// How a response differs from what the document shows for this operation.
///
/// Meaningful for an accepted response only: ask [`super::Exchange::mismatches`].
pub fn mismatches(ask: &Ask, answer: &Answer) -> Vec<Difference> {
    media_type(ask, answer).into_iter().chain(differences(ask, answer)).collect()
}

/// The media type of a create's response where it is not the document's (`interface.md` §2).
///
/// Parameters are ignored, and letters compare without case (RFC 9110 §8.3.1). A type with a suffix
/// `+json` is JSON, but another type than the document's. Without a body there is nothing to type.
fn media_type(ask: &Ask, answer: &Answer) -> Option<Difference> {
    if matches!(ask, Ask::Delete(_)) || answer.body.is_empty() || answer.body_end == BodyEnd::Trimmed {
        return None;
    }
    let Some(value) = answer.header("content-type") else { return Some(Difference::MediaType(None)) };
    let essence = value.split(';').next().unwrap_or_default().trim();
    let is_json = essence.eq_ignore_ascii_case("application/json");
    (!is_json).then(|| Difference::MediaType((!essence.is_empty()).then(|| essence.to_owned())))
}

/// How the body of a response differs from what the document shows for this operation.
pub fn differences(ask: &Ask, answer: &Answer) -> Vec<Difference> {
    let plant = match (ask, &answer.body_end) {
        // What it said is not known any more.
        (_, BodyEnd::Trimmed) => return Vec::new(),
        (Ask::Add(plant), _) => plant,
        (Ask::Delete(_), BodyEnd::CutOff(why)) if answer.body.is_empty() => {
            return vec![Difference::CutOff(why.clone())];
        }
        (Ask::Delete(_), _) if answer.body.is_empty() => return Vec::new(),
        (Ask::Delete(_), _) => {
            let coding = answer.coding().map(str::to_owned);
            return vec![Difference::BodyOnDelete { bytes: answer.body.len(), coding }];
        }
    };
    match &answer.body_end {
        BodyEnd::CutOff(why) => return vec![Difference::CutOff(why.clone())],
        BodyEnd::Capped(cap) => return vec![Difference::TooLong(*cap)],
        BodyEnd::Trimmed | BodyEnd::Complete => {}
    }
    if answer.body.is_empty() {
        return vec![Difference::Empty];
    }
    if let Some(coding) = answer.coding() {
        return vec![Difference::Encoded(coding.to_owned())];
    }
    let Ok(body) = serde_json::from_slice::<Value>(&answer.body) else {
        return vec![Difference::NotJson];
    };
    let Value::Object(fields) = body else {
        return vec![Difference::NotAnObject];
    };
    let mut found = Vec::new();
    for (field, sent) in [("name", &plant.name), ("tag", &plant.tag)] {
        match fields.get(field) {
            None => found.push(Difference::Missing(field)),
            Some(Value::String(came)) if came == sent => {}
            Some(Value::String(came)) => {
                found.push(Difference::Changed { field, sent: sent.clone(), came: came.clone() });
            }
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                found.push(Difference::NotAString(field));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Header, Plant, PlantId};

    #[test]
    fn every_status_has_one_outcome() {
        for status in 100..=999 {
            let expected = match status {
                200..=299 => Outcome::Accepted,
                408 => Outcome::Unknown,
                300..=499 => Outcome::Rejected,
                _ => Outcome::Unknown,
            };
            assert_eq!(Outcome::of_status(status), expected, "{status}");
        }
    }

    #[test]
    fn codes_round_trip() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::from_code(outcome.code()), Some(outcome));
        }
    }

    fn answer(body: &[u8], body_end: BodyEnd) -> Answer {
        typed(Some("application/json"), body, body_end)
    }

    fn typed(media_type: Option<&str>, body: &[u8], body_end: BodyEnd) -> Answer {
        let headers = media_type.map(|value| Header { name: "content-type".into(), value: value.into() });
        Answer {
            status: 200,
            reason: String::new(),
            version: "HTTP/1.1".into(),
            headers: headers.into_iter().collect(),
            body: body.to_vec(),
            body_end,
        }
    }

    fn fern() -> Ask {
        Ask::Add(Plant { name: "Fern".into(), id: PlantId(1), tag: "shade".into() })
    }

    const AS_SENT: &[u8] = br#"{"name":"Fern","tag":"shade"}"#;

    #[test]
    fn a_response_unlike_the_document_says_how() {
        let add = fern();
        let said = |body: &[u8]| mismatches(&add, &answer(body, BodyEnd::Complete));
        assert_eq!(said(AS_SENT), []);
        assert_eq!(said(br#"{"name":"Fern","id":9,"tag":"shade"}"#), []);
        assert_eq!(said(b""), [Difference::Empty]);
        assert_eq!(said(b"<html>"), [Difference::NotJson]);
        assert_eq!(said(b"\xff"), [Difference::NotJson]);
        assert_eq!(said(b"[]"), [Difference::NotAnObject]);
        assert_eq!(
            said(br#"{"name":"fern","tag":3}"#),
            [
                Difference::Changed { field: "name", sent: "Fern".into(), came: "fern".into() },
                Difference::NotAString("tag")
            ]
        );
        assert_eq!(said(b"{}"), [Difference::Missing("name"), Difference::Missing("tag")]);
        let cut_off = || Difference::CutOff("eof".into());
        assert_eq!(mismatches(&add, &answer(b"{", BodyEnd::CutOff("eof".into()))), [cut_off()]);
        assert_eq!(mismatches(&add, &answer(b"{", BodyEnd::Capped(1))), [Difference::TooLong(1)]);
        let delete = Ask::Delete(PlantId(1));
        assert_eq!(mismatches(&delete, &answer(b"", BodyEnd::Complete)), []);
        let body = |bytes| Difference::BodyOnDelete { bytes, coding: None };
        assert_eq!(mismatches(&delete, &answer(b"ok", BodyEnd::Complete)), [body(2)]);
        assert_eq!(mismatches(&delete, &answer(b"ok", BodyEnd::CutOff("eof".into()))), [body(2)]);
    }

    #[test]
    fn a_body_of_no_bytes_is_no_body() {
        let delete = Ask::Delete(PlantId(1));
        let cut_off = Difference::CutOff("eof".into());
        assert_eq!(mismatches(&delete, &answer(b"", BodyEnd::CutOff("eof".into()))), [cut_off]);
        assert_eq!(mismatches(&delete, &answer(b"", BodyEnd::Trimmed)), []);
        assert_eq!(mismatches(&fern(), &answer(b"", BodyEnd::Trimmed)), []);
        assert_eq!(mismatches(&fern(), &typed(Some("text/plain"), b"", BodyEnd::Complete)), [Difference::Empty]);
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
            assert_eq!(of(Some(other)), [Difference::MediaType(Some(found.to_owned()))]);
        }
        assert_eq!(of(None), [Difference::MediaType(None)]);
        assert_eq!(of(Some("")), [Difference::MediaType(None)]);
        assert_eq!(mismatches(&Ask::Delete(PlantId(1)), &typed(None, b"", BodyEnd::Complete)), []);
    }

    #[test]
    fn a_compressed_response_is_not_compared() {
        let coded = |ask: &Ask, coding: &str, body: &[u8]| {
            let mut answer = answer(body, BodyEnd::Complete);
            answer.headers.push(Header { name: "content-encoding".into(), value: coding.into() });
            mismatches(ask, &answer).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let said = "the response is compressed with gzip, which was not asked for, and is not decoded, so its body \
                    cannot be compared";
        assert_eq!(coded(&fern(), "gzip", b"\x1f\x8b"), [said]);
        assert_eq!(coded(&fern(), "Identity", AS_SENT), [""; 0]);
        assert_eq!(coded(&fern(), "gzip", b""), ["the response has no body, not a JSON object with name and tag"]);
        let on_delete = coded(&Ask::Delete(PlantId(1)), "br\u{1b}", b"x");
        assert!(on_delete[0].ends_with("compressed with br␛, which was not asked for, and is not decoded"));
    }
}
