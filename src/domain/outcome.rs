//! What an exchange proves: accepted, refused, unknown, not sent.
//!
//! The interface shows no success code and no error (`interface.md` §4, §7), so a status is
//! read by its class (RFC 9110 §15) and by nothing else. The body decides nothing; where it
//! is not what the document shows, that is a [`Difference`].

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
    Refused,
    /// The request may have reached the store; nothing that settles it came back.
    Unknown,
    /// Nothing reached the store.
    NotSent,
}

impl Outcome {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Refused, Self::Unknown, Self::NotSent];

    /// What a status code proves.
    ///
    /// 408 says that the server gave up waiting (RFC 9110 §15.5.9) and 5xx that it failed
    /// somewhere: neither tells whether the operation was carried out. 1xx is no final answer,
    /// and codes from 600 have no meaning at all.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Accepted,
            408 => Self::Unknown,
            300..=499 => Self::Refused,
            0..=199 | 500..=u16::MAX => Self::Unknown,
        }
    }

    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
            Self::NotSent => "not sent",
        }
    }

    /// The word in JSON and in the journal.
    pub fn code(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
            Self::NotSent => "not_sent",
        }
    }

    /// The outcome with this [`Outcome::code`].
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.code() == code)
    }
}

/// One way in which an accepted answer is unlike the document (`interface.md` §4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The body broke off.
    CutOff,
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
    /// The answer to a delete has a body, of so many bytes.
    BodyOnDelete(usize),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutOff => f.write_str("the answer breaks off"),
            Self::TooLong(cap) => write!(f, "the answer is longer than {cap} bytes; the rest was not read"),
            Self::Empty => f.write_str("the answer is empty, not a JSON object with name and tag"),
            Self::NotJson => f.write_str("the answer is not JSON"),
            Self::NotAnObject => f.write_str("the answer is JSON, but not an object"),
            Self::Missing(field) => write!(f, "the answer has no {field}"),
            Self::NotAString(field) => write!(f, "the {field} in the answer is not a string"),
            Self::Changed { field, sent, came } => {
                write!(f, "{field} was sent as {} and came back as {}", quoted(sent), quoted(came))
            }
            Self::BodyOnDelete(bytes) => {
                write!(f, "the answer to a delete has a body of {bytes} bytes; the document says it has none")
            }
        }
    }
}

/// A value in quotes, invisible characters escaped, and bounded: a store may answer a megabyte.
fn quoted(value: &str) -> String {
    clean_fit(&format!("{value:?}"), QUOTED_COLUMNS)
}

/// How an answer differs from what the document shows for this operation.
///
/// Meaningful for an accepted answer only: ask [`super::Exchange::unlike_document`].
pub fn differences(ask: &Ask, answer: &Answer) -> Vec<Difference> {
    let plant = match ask {
        Ask::Delete(_) if answer.body.is_empty() && answer.body_end == BodyEnd::Complete => return Vec::new(),
        Ask::Delete(_) => return vec![Difference::BodyOnDelete(answer.body.len())],
        Ask::Add(plant) => plant,
    };
    match answer.body_end {
        BodyEnd::CutOff(_) => return vec![Difference::CutOff],
        BodyEnd::Capped(cap) => return vec![Difference::TooLong(cap)],
        // What it said is not known any more.
        BodyEnd::Trimmed => return Vec::new(),
        BodyEnd::Complete => {}
    }
    if answer.body.is_empty() {
        return vec![Difference::Empty];
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
    use crate::domain::{Plant, PlantId};

    #[test]
    fn every_status_has_one_outcome() {
        for status in 100..=999 {
            let expected = match status {
                200..=299 => Outcome::Accepted,
                408 => Outcome::Unknown,
                300..=499 => Outcome::Refused,
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
        Answer {
            status: 200,
            reason: String::new(),
            version: "HTTP/1.1".into(),
            headers: vec![],
            body: body.to_vec(),
            body_end,
        }
    }

    #[test]
    fn an_answer_unlike_the_document_is_told_how() {
        let add = Ask::Add(Plant { name: "Fern".into(), id: PlantId(1), tag: "shade".into() });
        let said = |body: &[u8]| differences(&add, &answer(body, BodyEnd::Complete));
        assert_eq!(said(br#"{"name":"Fern","tag":"shade"}"#), []);
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
        assert_eq!(differences(&add, &answer(b"{", BodyEnd::CutOff("eof".into()))), [Difference::CutOff]);
        assert_eq!(differences(&add, &answer(b"{", BodyEnd::Capped(1))), [Difference::TooLong(1)]);
        let delete = Ask::Delete(PlantId(1));
        assert_eq!(differences(&delete, &answer(b"", BodyEnd::Complete)), []);
        assert_eq!(differences(&delete, &answer(b"ok", BodyEnd::Complete)), [Difference::BodyOnDelete(2)]);
    }
}
