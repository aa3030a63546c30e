//! Finds the mismatches of an accepted response: its differences from the document (`interface.md` §4).
//!
//! Mismatches change no outcome: the status alone decides that.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::difference::{Field, Mismatch};
use super::sentence::store_words;
use super::{BodyEnd, Exchange, OperationKind, Outcome, Response, Shortened};
use crate::text::json::is_json;

/// The most characters of a value that is stored to be quoted.
const QUOTED_CHARS: usize = 1000;

impl Exchange {
    /// Compares an accepted response with the document. Returns nothing for other responses, since the
    /// document shows none (`interface.md` §7), or if the request did not follow the document.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        match self.response() {
            Some(Response { body_end: BodyEnd::Shortened(whole), .. }) => whole.mismatches.clone(),
            Some(response) if self.outcome() == Outcome::Accepted && self.operation.follows_document() => {
                mismatches(&self.operation.kind, response)
            }
            Some(_) | None => Vec::new(),
        }
    }

    /// Returns the end of a body of which only the beginning is to be stored: with what a reader of the whole one finds.
    pub fn shortened(&self, response: &Response) -> BodyEnd {
        let mut mismatches = self.mismatches();
        for mismatch in &mut mismatches {
            if let Mismatch::Changed { sent, came, .. } = mismatch {
                for text in [sent, came] {
                    *text = text.chars().take(QUOTED_CHARS).collect();
                }
            }
        }
        let (length, end, reason) = (response.length(), response.body_end.clone(), store_words(response));
        BodyEnd::Shortened(Box::new(Shortened { length, end, mismatches, reason }))
    }
}

fn mismatches(kind: &OperationKind, response: &Response) -> Vec<Mismatch> {
    media_type(kind, response).into_iter().chain(differences(kind, response)).collect()
}

/// Compares the media type of the response to an add with `application/json` (`interface.md` §2).
///
/// Ignores parameters and letter case (RFC 9110 §8.3.1). A type with the suffix `+json` is another type. A
/// response without a body needs no type.
fn media_type(kind: &OperationKind, response: &Response) -> Option<Mismatch> {
    if matches!(kind, OperationKind::Delete(_)) || response.body.is_empty() || response.body_end == BodyEnd::Trimmed {
        return None;
    }
    match (response.media_type(), response.other_media_type()) {
        (None | Some(""), _) => Some(Mismatch::NoMediaType),
        (Some(_), other) => other.map(|other| Mismatch::MediaType(other.to_owned())),
    }
}

/// Compares the body of a response with the document's for this operation.
pub fn differences(kind: &OperationKind, response: &Response) -> Vec<Mismatch> {
    let (body, coding) = (&response.body, response.coding().map(str::to_owned));
    match (kind, &response.body_end) {
        // The body is no longer known.
        (_, BodyEnd::Trimmed | BodyEnd::Shortened(_)) => Vec::new(),
        (OperationKind::Delete(_), end) => {
            let has_body = (!body.is_empty()).then_some(Mismatch::BodyOnDelete(body.len()));
            has_body.into_iter().chain(coding.map(Mismatch::Encoded)).chain(incomplete(end)).collect()
        }
        (OperationKind::Add(_), end @ (BodyEnd::CutOff(_) | BodyEnd::Capped(_))) => {
            incomplete(end).into_iter().collect()
        }
        (OperationKind::Add(_), BodyEnd::Complete) if body.is_empty() => vec![Mismatch::Empty],
        (OperationKind::Add(plant), BodyEnd::Complete) => match (coding, object(body)) {
            (Some(coding), _) => vec![Mismatch::Encoded(coding)],
            (None, Some(fields)) => {
                let compared = [(Field::Name, &plant.name), (Field::Tag, &plant.tag)];
                let received = |field: Field| fields.get(<&str>::from(field));
                compared.into_iter().filter_map(|(field, sent)| compare(field, sent, received(field))).collect()
            }
            (None, None) if body.trim_ascii_start().starts_with(b"{") => vec![Mismatch::NotJson],
            (None, None) => {
                vec![if is_json(body) { Mismatch::NotAnObject } else { Mismatch::NotJson }]
            }
        },
    }
}

/// Returns the fields of a JSON object of any depth, also where numbers in it are masked. A value is null that is nested
/// deeper than the parser reads, which is not to overflow the stack.
pub fn object(body: &[u8]) -> Option<Map<String, Value>> {
    fields(body).or_else(|| fields(&with_digits(body)))
}

fn fields(body: &[u8]) -> Option<Map<String, Value>> {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_slice(body).ok()?;
    let read = |(name, raw): (String, &RawValue)| match serde_json::from_str(raw.get()) {
        Err(why) if why.to_string().starts_with("recursion limit") => Some((name, Value::Null)),
        value => Some((name, value.ok()?)),
    };
    fields.into_iter().map(read).collect()
}

/// Puts digits in the place of the stars of masked numbers.
fn with_digits(body: &[u8]) -> Vec<u8> {
    let (mut is_in_text, mut is_escaped) = (false, false);
    let digit = |byte: &u8| {
        is_in_text ^= *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        if *byte == b'*' && !is_in_text { b'1' } else { *byte }
    };
    body.iter().map(digit).collect()
}

/// Says where a body ends before its end.
fn incomplete(end: &BodyEnd) -> Option<Mismatch> {
    match end {
        BodyEnd::CutOff(why) => Some(Mismatch::CutOff(why.clone())),
        BodyEnd::Capped(cap) => Some(Mismatch::TooLong(*cap)),
        BodyEnd::Complete | BodyEnd::Trimmed | BodyEnd::Shortened(_) => None,
    }
}

fn compare(field: Field, sent: &str, received: Option<&Value>) -> Option<Mismatch> {
    let Some(received) = received else { return Some(Mismatch::Missing(field)) };
    match received.as_str() {
        None => Some(Mismatch::NotAString(field)),
        Some(came) if came == sent || may_be_masked(sent, came) => None,
        Some(came) => Some(Mismatch::Changed { field, sent: sent.to_owned(), came: came.to_owned() }),
    }
}

/// Whether what came back is what was sent with a secret masked (`client/mask.rs`), so that it cannot be compared: stars
/// are in the place of some of its characters.
pub fn may_be_masked(sent: &str, came: &str) -> bool {
    let pieces: Vec<_> = came.split('*').collect();
    let [begin, between @ .., end] = pieces.as_slice() else { return false };
    let hidden = sent.strip_prefix(begin).and_then(|left| left.strip_suffix(end));
    let hidden = between.iter().filter(|piece| !piece.is_empty()).fold(hidden, |hidden, piece| {
        let (_, hidden) = hidden?.split_at(hidden?.char_indices().nth(1)?.0);
        Some(hidden.split_once(piece)?.1)
    });
    hidden.is_some_and(|hidden| !hidden.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        Ending, FailureKind, Header, Operation, OperationId, Phases, Plant, PlantId, Probe, Timestamp,
    };

    fn response(body: &[u8], body_end: BodyEnd) -> Response {
        typed(Some("application/json"), body, body_end)
    }

    fn typed(media_type: Option<&str>, body: &[u8], body_end: BodyEnd) -> Response {
        let headers = media_type.map(|value| Header { name: "content-type".into(), value: value.into() });
        Response {
            status: 200,
            reason: "".into(),
            version: "HTTP/1.1".into(),
            headers: headers.into_iter().collect(),
            body: body.to_vec(),
            body_end,
        }
    }

    fn fern() -> OperationKind {
        OperationKind::add(Plant { name: "Fern".into(), id: PlantId(1), tag: "shade".into() })
    }

    const AS_SENT: &[u8] = br#"{"name":"Fern","tag":"shade"}"#;

    #[test]
    fn each_difference_from_the_document_is_reported() {
        let add = fern();
        let found = |body: &[u8]| mismatches(&add, &response(body, BodyEnd::Complete));
        assert_eq!(found(AS_SENT), []);
        assert_eq!(found(br#"{"name":"Fern","id":9,"tag":"shade"}"#), []);
        assert_eq!(found(b""), [Mismatch::Empty]);
        assert_eq!(found(b"<html>"), [Mismatch::NotJson]);
        assert_eq!(found(b"\xff"), [Mismatch::NotJson]);
        let deep = ["[".repeat(100_000), "]".repeat(100_000)].concat();
        assert_eq!(found(format!(r#"{{"name":"Fern","tag":"shade","more":{deep}}}"#).as_bytes()), []);
        assert_eq!(
            found(format!(r#"{{"name":{deep},"tag":"shade"}}"#).as_bytes()),
            [Mismatch::NotAString(Field::Name)]
        );
        assert_eq!(found(deep.as_bytes()), [Mismatch::NotAnObject]);
        assert_eq!(found("[".repeat(1000).as_bytes()), [Mismatch::NotJson]);
        assert_eq!(found(br#"{"name":"Fern","tag":"shade","more":"\ud800"}"#), [Mismatch::NotJson]);
        assert_eq!(found(b"[]"), [Mismatch::NotAnObject]);
        assert_eq!(
            found(br#"{"name":"fern","tag":3}"#),
            [
                Mismatch::Changed { field: Field::Name, sent: "Fern".into(), came: "fern".into() },
                Mismatch::NotAString(Field::Tag)
            ]
        );
        assert_eq!(found(b"{}"), [Mismatch::Missing(Field::Name), Mismatch::Missing(Field::Tag)]);
        let cut_off = || Mismatch::CutOff("eof".into());
        assert_eq!(mismatches(&add, &response(b"{", BodyEnd::CutOff("eof".into()))), [cut_off()]);
        assert_eq!(mismatches(&add, &response(b"{", BodyEnd::Capped(1))), [Mismatch::TooLong(1)]);
        let delete = OperationKind::Delete(PlantId(1));
        assert_eq!(mismatches(&delete, &response(b"", BodyEnd::Complete)), []);
        let body = || Mismatch::BodyOnDelete(2);
        assert_eq!(mismatches(&delete, &response(b"ok", BodyEnd::Complete)), [body()]);
        assert_eq!(mismatches(&delete, &response(b"ok", BodyEnd::CutOff("eof".into()))), [body(), cut_off()]);
        assert_eq!(mismatches(&delete, &response(b"ok", BodyEnd::Capped(2))), [body(), Mismatch::TooLong(2)]);
        assert!(body().to_string().contains("a body of 2 bytes"));
    }

    #[test]
    fn what_is_masked_is_no_difference() {
        let add = |name: &str, tag: &str| {
            OperationKind::add(Plant { name: name.into(), id: PlantId(12_345_678), tag: tag.into() })
        };
        let found = |kind: &OperationKind, body: &str| mismatches(kind, &response(body.as_bytes(), BodyEnd::Complete));
        let tagged = add("a*b", "Bearer 1");
        // One of them is written with escapes, so that it has more stars than the tag has letters.
        for tag in ["Bearer *", "************", "********************"] {
            for id in ["", r#""id":"\"********","#, r#""id":********,"#] {
                assert_eq!(found(&tagged, &format!(r#"{{"name":"a*b",{id}"tag":"{tag}"}}"#)), [], "{id} {tag}");
            }
        }
        let changed = Mismatch::Changed { field: Field::Name, sent: "a*b".into(), came: "A*B".into() };
        assert_eq!(found(&tagged, r#"{"name":"A*B","id":********,"tag":"Bearer *"}"#), [changed]);
        let changed = Mismatch::Changed { field: Field::Tag, sent: "Bearer 1".into(), came: "Bearer 1*".into() };
        assert_eq!(found(&tagged, r#"{"name":"a*b","tag":"Bearer 1*"}"#), [changed]);
        assert_eq!(found(&tagged, "/******** no JSON */"), [Mismatch::NotJson]);
    }

    #[test]
    fn each_star_of_a_mask_hides_something() {
        for (sent, came, is_masked) in [
            ("a shade b shade", "a ***** b *****", true),
            ("a shade b", "a ***** shade b", false),
            ("Fern", "Fern*", false),
            ("Fern", "*Fern", false),
            ("Fern", "F*n", true),
            ("Fern", "F*m", false),
            ("Fern", "Fern", false),
            ("aaa", "a*a*a", false),
            ("äöü", "**ü", true),
        ] {
            assert_eq!(may_be_masked(sent, came), is_masked, "{sent} {came}");
        }
    }

    #[test]
    fn only_a_request_that_follows_the_document_is_compared() {
        let found = |probe: Probe| {
            let operation = Operation::new(OperationId { origin: 1, number: 1 }, fern(), Timestamp(0));
            let failed = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
            let operation = Operation { probe: Some(probe), ..failed.operation };
            let ending = Ending::Responded(response(b"<html>", BodyEnd::Complete));
            Exchange { operation, ending, phases: Phases::default(), ..failed }.mismatches()
        };
        assert_eq!(found(Probe { leaves_id_open: true, ..Probe::default() }), [Mismatch::NotJson]);
        assert_eq!(found(Probe { body: Some("{".into()), ..Probe::default() }), []);
        assert_eq!(found(Probe { path_id: Some("seven".into()), ..Probe::default() }), []);
    }

    #[test]
    fn an_empty_body_counts_as_no_body() {
        let delete = OperationKind::Delete(PlantId(1));
        let cut_off = Mismatch::CutOff("eof".into());
        assert_eq!(mismatches(&delete, &response(b"", BodyEnd::CutOff("eof".into()))), [cut_off]);
        assert_eq!(mismatches(&delete, &response(b"", BodyEnd::Trimmed)), []);
        assert_eq!(mismatches(&fern(), &response(b"", BodyEnd::Trimmed)), []);
        assert_eq!(mismatches(&fern(), &typed(Some("text/plain"), b"", BodyEnd::Complete)), [Mismatch::Empty]);
    }

    #[test]
    fn any_media_type_but_json_is_a_mismatch() {
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
            assert_eq!(of(Some(other)), [Mismatch::MediaType(found.to_owned())]);
        }
        for (first, second) in [("application/json", "text/html"), ("text/html", "application/json")] {
            let mut both = typed(Some(first), AS_SENT, BodyEnd::Complete);
            let second = Header { name: "Content-Type".into(), value: second.into() };
            both.headers = both.headers.iter().cloned().chain([second]).collect();
            assert_eq!(mismatches(&fern(), &both), [Mismatch::MediaType("text/html".to_owned())]);
        }
        assert_eq!(of(None), [Mismatch::NoMediaType]);
        assert_eq!(of(Some("")), [Mismatch::NoMediaType]);
        assert_eq!(mismatches(&OperationKind::Delete(PlantId(1)), &typed(None, b"", BodyEnd::Complete)), []);
    }

    #[test]
    fn a_compressed_response_is_not_compared() {
        let coded = |kind: &OperationKind, coding: &str, body: &[u8]| {
            let mut response = response(body, BodyEnd::Complete);
            let coding = Header { name: "content-encoding".into(), value: coding.into() };
            response.headers = response.headers.iter().cloned().chain([coding]).collect();
            mismatches(kind, &response).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let expected = "the response is compressed with gzip, which was not requested, and is not decoded, so its body \
                    cannot be compared";
        assert_eq!(coded(&fern(), "gzip", b"\x1f\x8b"), [expected]);
        assert_eq!(coded(&fern(), "Identity", AS_SENT), [""; 0]);
        assert_eq!(coded(&fern(), "gzip", b""), ["the response has no body, not a JSON object with name and tag"]);
        let on_delete = coded(&OperationKind::Delete(PlantId(1)), "br\u{1b}", b"x");
        assert!(on_delete[1].starts_with("the response is compressed with br␛, which was not requested"));
    }
}
