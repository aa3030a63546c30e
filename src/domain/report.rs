//! Writes a report of exchanges in Markdown, for sharing: every credential is masked, and foreign text is
//! escaped for terminals and Markdown readers.
//!
//! A report of any length is written piece by piece: [`head`], then [`entry`] for each exchange. Must not know
//! where the report goes.

use std::path::Path;

use super::sentence::{body_ended, describe, span, status_line, subject};
use super::wire::{self, HttpMessage};
use super::{Details, Exchange, Phases, StoreUrl};
use crate::text::markdown::{inline, table};
use crate::text::{clean, clean_bytes, clean_fit};

/// The most bytes of a body that are shown.
const MAX_BODY: usize = 16 * 1024;

const TAG_COLUMNS: usize = 40;

/// The formats of a file of exchanges to share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Markdown,
    /// An HTTP Archive.
    Har,
}

impl Format {
    /// Returns the format for a file name extension; Markdown without one.
    ///
    /// # Errors
    ///
    /// No format has the extension: says which to use.
    pub fn of_file(path: &Path) -> Result<Self, &'static str> {
        match path.extension() {
            None => Ok(Self::Markdown),
            Some(extension) if extension.eq_ignore_ascii_case("md") => Ok(Self::Markdown),
            Some(extension) if extension.eq_ignore_ascii_case("har") => Ok(Self::Har),
            Some(_) => Err("use the extension .md or .har"),
        }
    }
}

pub fn head(store: &StoreUrl) -> String {
    let store = inline(&store.to_string());
    format!("# Requests to {store}\n\nMade by plants. Credentials in headers are masked.\n")
}

/// Returns one exchange under its `number` in the report. `called` names the plant of a delete, if known.
pub fn entry(number: usize, exchange: &Exchange, called: Option<&Details>) -> String {
    let kind = &exchange.operation.kind;
    let name = called.map(|called| called.name.as_str());
    let plant = subject(kind, name);
    let tag = kind.plant().map(|plant| plant.tag.as_str()).or(called.map(|called| called.tag.as_str()));
    let status = exchange.response().map(|response| status_line(response.status, &response.reason));
    let mut rows = vec![
        ("time", exchange.started.in_words()),
        ("operation", kind.word().to_owned()),
        ("plant", plant.clone()),
        ("tag", tag.map_or_else(|| "not known".to_owned(), |tag| clean_fit(tag, TAG_COLUMNS))),
        ("status", status.unwrap_or_else(|| "none came".to_owned())),
        ("outcome", exchange.outcome().word().to_owned()),
        ("duration", span(exchange.elapsed)),
    ];
    if exchange.phases != Phases::default() {
        rows.push(("time spent", time_spent(&exchange.phases)));
    }
    rows.push(("meaning", describe(exchange, name)));
    rows.extend(exchange.mismatches().iter().map(|difference| ("mismatch", difference.to_string())));
    let request = exchange.request.as_ref();
    let response = exchange.response();
    let ended = response.and_then(|response| body_ended(&response.body_end));
    [
        format!("\n## {number}. {} {}\n", kind.word(), inline(&plant)),
        table(rows),
        request.map_or("\nNo request is stored.\n".to_owned(), |request| message("Request", &request.into())),
        response.map_or("\nNo response came.\n".to_owned(), |response| message("Response", &response.into())),
        ended.map(|why| format!("\n{}\n", inline(&why))).unwrap_or_default(),
    ]
    .concat()
}

/// Returns a message in a fence that no line of the message can close.
fn message(what: &str, message: &HttpMessage<'_>) -> String {
    let HttpMessage { first, headers, body } = message;
    let shown = beginning(body);
    let headers = headers.iter().map(|header| clean(&wire::masked_header_line(header)));
    let mut lines: Vec<_> = [clean(first.trim_end())].into_iter().chain(headers).collect();
    if !shown.is_empty() {
        lines.push(String::new());
        let body = shown.strip_suffix(b"\n").unwrap_or(shown).split(|byte| *byte == b'\n');
        lines.extend(body.map(|line| clean_bytes(line.strip_suffix(b"\r").unwrap_or(line))));
    }
    let text = lines.join("\n");
    let longest_run = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(usize::max(3, longest_run + 1));
    let cut = if shown.len() < body.len() {
        format!("\nCut: the first {} of {} bytes of the body are shown.\n", shown.len(), body.len())
    } else {
        String::new()
    };
    format!("\n{what}:\n\n{fence}http\n{text}\n{fence}\n{cut}")
}

/// Cuts a body to the bytes that are shown, without dividing a character.
fn beginning(body: &[u8]) -> &[u8] {
    let shown = body.get(..MAX_BODY).unwrap_or(body);
    match str::from_utf8(shown) {
        Err(why) if why.error_len().is_none() && shown.len() < body.len() => shown.split_at(why.valid_up_to()).0,
        Ok(_) | Err(_) => shown,
    }
}

/// Formats the phases that took place: `connection 0.2 ms, waiting 12 ms`.
fn time_spent(phases: &Phases) -> String {
    let spent: Vec<_> =
        phases.in_order().into_iter().filter_map(|(word, took)| Some(format!("{word} {}", span(took?)))).collect();
    spent.join(", ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    /// Writes a whole report of exchanges, each with the details of its plant if known.
    fn write<'a>(store: &StoreUrl, exchanges: impl Iterator<Item = (&'a Exchange, Option<&'a Details>)>) -> String {
        let entries = (1..).zip(exchanges).map(|(number, (exchange, called))| entry(number, exchange, called));
        [head(store)].into_iter().chain(entries).collect()
    }

    use proptest::prelude::*;

    use super::*;
    use crate::domain::{
        BodyEnd, Ending, FailureKind, Header, Method, Operation, OperationId, OperationKind, Plant, PlantId, Request,
        Response, Shortened, Timestamp,
    };

    fn header(name: &str, value: &str) -> Header {
        Header { name: name.into(), value: value.into() }
    }

    fn add(name: &str, tag: &str) -> Operation {
        let kind = OperationKind::add(Plant { name: name.into(), id: PlantId(7), tag: tag.into() });
        Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0))
    }

    fn responded(operation: Operation, status: u16, headers: Vec<Header>, body: &[u8]) -> Exchange {
        let request = Request {
            method: Method::Post,
            url: "https://h/plants".into(),
            target: "/plants".into(),
            headers: [header("authorization", "Bearer ********"), header("accept", "*/*")].into(),
            body: Some("{}".into()),
        };
        let response = Response {
            status,
            reason: "Created".into(),
            version: "HTTP/1.1".into(),
            headers: headers.into(),
            body: body.to_vec(),
            body_end: BodyEnd::Complete,
        };
        let (elapsed, micros) = (Duration::from_millis(12), |micros| Some(Duration::from_micros(micros)));
        let phases =
            Phases { connection: micros(200), waiting: micros(9_700), reading: micros(100), ..Phases::default() };
        let (started, request) = (Timestamp(0), Some(request));
        Exchange { operation, request, ending: Ending::Responded(response), started, elapsed, phases }
    }

    fn report(exchanges: &[Exchange], called: Option<&Details>) -> String {
        let store = "https://plants.example/a_b".parse().unwrap();
        write(&store, exchanges.iter().map(|exchange| (exchange, called)))
    }

    #[test]
    fn a_report_is_readable() {
        let body = br#"{"name":"Monstera","tag":"t"}"#;
        let first = responded(
            add("Monstera", "t"),
            201,
            vec![header("date", "now"), header("content-type", "application/json")],
            body,
        );
        let delete = Operation { kind: OperationKind::Delete(PlantId(8)), ..add("", "") };
        let second = Exchange::failed(delete, FailureKind::NotRecorded, String::new(), Timestamp(1500));
        let expected = r#"# Requests to https:\//plants.example/a\_b

Made by plants. Credentials in headers are masked.

## 1. add Monstera (7)

| | |
| --- | --- |
| time | 1970-01-01T00:00:00.000Z |
| operation | add |
| plant | Monstera (7) |
| tag | t |
| status | 201 Created |
| outcome | accepted |
| duration | 12 ms |
| time spent | connection 0.2 ms, waiting 9.7 ms, reading 0.1 ms |
| meaning | Added Monstera (7): 201 Created in 12 ms. |

Request:

```http
POST /plants HTTP/1.1
authorization: Bearer ********
accept: */*

{}
```

Response:

```http
HTTP/1.1 201 Created
date: now
content-type: application/json

{"name":"Monstera","tag":"t"}
```

## 2. delete plant 8

| | |
| --- | --- |
| time | 1970-01-01T00:00:01.500Z |
| operation | delete |
| plant | plant 8 |
| tag | not known |
| status | none came |
| outcome | not sent |
| duration | 0.0 ms |
| meaning | The delete of plant 8 was not sent: it could not be written to the journal first. |

No request is stored.

No response came.
"#;
        assert_eq!(report(&[first, second], None), expected);
    }

    #[test]
    fn credentials_are_masked_in_any_letter_case() {
        let headers = [
            "Authorization",
            "AUTHORIZATION",
            "Cookie",
            "set-cookie",
            "Set-Cookie2",
            "Proxy-Authorization",
            "proxy-authenticate",
            "PROXY-STATUS",
            "X-Auth-Token",
            "x-api-key",
        ];
        let headers = headers.map(|name| header(name, "canary")).to_vec();
        let mut exchange = responded(add("n", "t"), 401, headers.clone(), b"");
        let request = exchange.request.as_mut().unwrap();
        request.headers = request.headers.iter().cloned().chain(headers).collect();
        let text = report(&[exchange], None);
        assert!(!text.contains("canary") && text.matches(wire::MASKED).count() == 21, "{text}");
    }

    #[test]
    fn a_fence_is_longer_than_any_backticks_inside() {
        let text = report(&[responded(add("n", "t"), 400, vec![], b"```\n````` x\n# no title\n")], None);
        assert!(text.contains("\n``````http\n") && text.ends_with("\n```\n````` x\n# no title\n``````\n"), "{text}");
    }

    #[test]
    fn a_long_body_is_cut_between_characters_with_a_note() {
        let bodies = ["a", "é", "漢", "🌵"].into_iter().flat_map(|character| {
            (0..4).map(move |before| {
                let shown = MAX_BODY - (MAX_BODY - before) % character.len();
                ("a".repeat(before) + &character.repeat(MAX_BODY + 1), shown)
            })
        });
        for (body, shown) in bodies {
            let text = report(&[responded(add("n", "t"), 400, vec![], body.as_bytes())], None);
            assert!(text.contains(&format!("Cut: the first {shown} of {} bytes", body.len())) && !text.contains("\\x"));
        }
        for body in
            [vec![0x80; MAX_BODY + 1], [&vec![b'a'; MAX_BODY - 1][..], "é".as_bytes()].concat(), vec![b'a'; MAX_BODY]]
        {
            assert!(beginning(&body).len() >= MAX_BODY - 1);
        }
    }

    #[test]
    fn an_incomplete_body_is_noted() {
        let end = BodyEnd::CutOff("reset".into());
        let whole = Shortened { length: 4, end, mismatches: Vec::new(), reason: None };
        let shortened = "Of 4 bytes of the response, only the first are stored. The response is cut off: reset.";
        for (end, words) in [
            (BodyEnd::Shortened(Box::new(whole)), shortened),
            (BodyEnd::Capped(9), "The response is longer than 9 bytes; the rest was not stored."),
            (BodyEnd::CutOff("a|b\n".into()), "The response is cut off: a\\|b␊."),
        ] {
            let mut exchange = responded(add("n", "t"), 500, vec![], b"x");
            if let Ending::Responded(response) = &mut exchange.ending {
                response.body_end = end;
            }
            assert!(report(&[exchange], None).contains(words), "{words}");
        }
    }

    #[test]
    fn a_delete_shows_the_plant_name_if_known() {
        let delete = Operation { kind: OperationKind::Delete(PlantId(8)), ..add("", "") };
        let exchange = Exchange::failed(delete, FailureKind::Interrupted, String::new(), Timestamp(i64::MAX));
        let text = report(&[exchange], Some(&Details { name: "<b>|*Fern*".into(), tag: "a\n|b".into() }));
        assert!(text.contains("## 1. delete &lt;b&gt;\\|\\*Fern\\* (8)\n"), "{text}");
        assert!(
            text.contains("| tag | a␊\\|b |\n") && text.contains("| time | 9223372036854775807 ms since"),
            "{text}"
        );
    }

    /// Returns the lines outside of fences, and the number of fenced blocks.
    fn outside(text: &str) -> (Vec<&str>, usize) {
        let (mut lines, mut blocks, mut open) = (Vec::new(), 0, None);
        for line in text.lines() {
            let ticks = line.len() - line.trim_start_matches('`').len();
            match open {
                None if ticks >= 3 => (open, blocks) = (Some(ticks), blocks + 1),
                None => lines.push(line),
                Some(opened) if ticks >= opened && ticks == line.len() => open = None,
                Some(_) => {}
            }
        }
        assert_eq!(open, None, "{text}");
        (lines, blocks)
    }

    proptest! {
        #[test]
        fn foreign_text_is_never_markdown(
            name in any::<String>(),
            tag in "[|`\\\\<>&*_#\\[\\]!\\x00-\\x1f\\x7f-\\x9f\u{200b}-\u{202e}a漢]{0,30}",
            body in prop_oneof![any::<Vec<u8>>(), "[`~\n\r#<a]{0,60}".prop_map(String::into_bytes)],
            status in 200_u16..600,
        ) {
            let exchange = responded(add(&name, &tag), status, vec![header("x", &tag), header("y", &name)], &body);
            let text = report(&[exchange], None);
            let (lines, blocks) = outside(&text);
            prop_assert_eq!(blocks, 2);
            prop_assert!(text.lines().all(|line| clean(line) == line));
            for line in lines {
                let cells = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
                let is_ours = ["", "Request:", "Response:"].contains(&line)
                    || line.starts_with("# Requests to") || line.starts_with("## 1. add ") || line.starts_with("Made by")
                    || line.starts_with("| ") && line.ends_with(" |") && cells == 3;
                prop_assert!(is_ours && !line.contains(['<', '>']), "{}", line);
            }
        }
    }
}
