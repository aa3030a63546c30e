//! Reads a pasted curl command, of this program or of a browser, as the plant that it adds or the id that it deletes.
//!
//! Everything else in it, a token above all, is dropped: no text of this file's results comes from a header or a URL.

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use super::plant::PlantId;

const METHOD: [&str; 2] = ["-X", "--request"];
const BODY: [&str; 6] = ["-d", "--data", "--data-raw", "--data-ascii", "--data-binary", "--json"];

/// What a command requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PastedCurl {
    Add(Given),
    Delete(PlantId),
}

/// What the body of an add gives of the plant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Given {
    pub name: Option<String>,
    pub id: Option<PlantId>,
    pub tag: Option<String>,
}

/// Why a command fills in nothing, without a full stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is not one request that deletes a plant, or that adds one with a JSON body in the command")]
pub struct NotRead;

/// Reads a text; `None` if it is no curl command with a URL.
pub fn read(text: &str) -> Option<Result<PastedCurl, NotRead>> {
    let text = text.trim();
    // A command of this program may begin with a test of its variables, or with a body for a pipe.
    let is_command = ["curl ", "test -n ", "printf '%b' "].iter().any(|start| text.starts_with(start));
    (is_command && text.contains("curl ") && text.contains("http")).then(|| operation(text).ok_or(NotRead))
}

fn operation(text: &str) -> Option<PastedCurl> {
    let words = shlex::split(&with_plain_quotes(&text.replace("\\\n", " ")))?;
    // `--data=…` and `-XPOST`
    let parts = words.iter().flat_map(|word| {
        let parts = if word.starts_with("--") { word.split_once('=') } else { word.split_at_checked(2) };
        let (name, value) = parts.filter(|(name, _)| name.starts_with("--") || *name == "-X").unwrap_or((word, ""));
        [name, value]
    });
    let words: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let value = |names: &[&str]| {
        let mut pairs = words.iter().zip(words.iter().skip(1));
        pairs.find(|(name, _)| names.contains(name)).map(|(_, value)| *value)
    };
    let mut urls = words.iter().filter(|word| word.starts_with("http") && word.contains("/plants"));
    let (url, None) = (urls.next()?, urls.next()) else { return None };
    let body = value(&BODY);
    match value(&METHOD).unwrap_or(if body.is_some() { "POST" } else { "GET" }) {
        method if method.eq_ignore_ascii_case("DELETE") => {
            let (_, id) = url.split(['?', '#']).next()?.rsplit_once("/plants/")?;
            id.parse().ok().map(PastedCurl::Delete)
        }
        method if method.eq_ignore_ascii_case("POST") => {
            // No array, which would be read, too.
            let fields: Map<String, Value> = serde_json::from_str(body?).ok()?;
            Given::deserialize(Value::Object(fields)).ok().map(PastedCurl::Add)
        }
        _ => None,
    }
}

/// Writes a body in the quotes `$'…'` of bash, which browsers use, in plain ones. What they escape as a code unit, JSON
/// escapes alike.
fn with_plain_quotes(text: &str) -> String {
    let Some((before, quoted)) = text.split_once(" $'{") else { return text.to_owned() };
    let (mut body, mut characters) = (String::new(), quoted.chars());
    while let Some(c) = characters.next().filter(|c| *c != '\'') {
        match if c == '\\' { characters.next() } else { None } {
            None => body.push(c),
            Some('\'') => body.push_str(r"'\''"),
            Some('u') => body.push_str(r"\u"),
            Some('x') => body.push_str(r"\u00"),
            // Between the fields: in a text, JSON has other escapes.
            Some('n' | 'r' | 't') => body.push(' '),
            Some(other) => body.push(other),
        }
    }
    format!("{before} '{{{body}'{}", characters.as_str())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::curl;
    use crate::domain::exchange::{FailureKind, Method, Request};
    use crate::domain::{Exchange, Operation, OperationId, OperationKind, Plant, Timestamp};

    fn add(name: &str, id: i64, tag: &str) -> PastedCurl {
        PastedCurl::Add(Given { name: Some(name.to_owned()), id: Some(PlantId(id)), tag: Some(tag.to_owned()) })
    }

    /// The command that this program copies for a request.
    fn own(method: Method, url: &str, body: Option<String>) -> String {
        let operation =
            Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::Delete(PlantId(7)), Timestamp(0));
        let request = Request { method, url: url.into(), target: "/".into(), headers: Arc::default(), body };
        let failed = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
        curl::command(&Exchange { request: Some(request), ..failed }, &"http://h/api".parse().unwrap()).unwrap()
    }

    #[test]
    fn what_this_program_copies_is_read_back() {
        for (name, tag) in [("it's $(é) `x` \"\\", "a b"), ("$'x'", " $'"), ("", "")] {
            let plant = Plant { name: name.into(), id: PlantId(i64::MIN), tag: tag.into() };
            let body = serde_json::to_string(&plant).unwrap();
            let command = own(Method::Post, "http://h/api/plants", Some(body));
            assert_eq!(read(&command), Some(Ok(add(name, i64::MIN, tag))), "{command}");
        }
        let command = own(Method::Delete, "http://h/api/plants/-7", None);
        assert_eq!(read(&command), Some(Ok(PastedCurl::Delete(PlantId(-7)))), "{command}");
    }

    #[test]
    fn what_browsers_copy_is_read() {
        for (command, expected) in [
            (
                "curl 'https://h/plants' \\\n  -H 'authorization: Bearer canary' \\\n  -H 'content-type: application/json' \\\n  \
                 --data-raw $'{\"name\":\"it\\'s \\u00e9\\ud83c\\udf35\\u0021\",\"id\":7,\"tag\":\"a\\\\nb\"}' \\\n  --compressed",
                add("it's é🌵!", 7, "a\nb"),
            ),
            (
                "curl \"https://h/plants\" -X \"POST\" --data \"{\\\"name\\\":\\\"Fern\\\",\\\"id\\\":7,\\\"tag\\\":\\\"t\\\"}\"",
                add("Fern", 7, "t"),
            ),
            ("curl -XPOST --json='{\"name\":\"Fern\",\"id\":7,\"tag\":\"t\"}' http://h/plants", add("Fern", 7, "t")),
            (
                "curl 'https://h/plants' --data-raw $'{\\n  \"name\":\"\\xe9\\x27\\ud83c\\udf35 \\\\u0021\",\"id\":7,\"tag\":\" $\"}'",
                add("é'🌵 !", 7, " $"),
            ),
            ("curl https://h/plants -d '{}'", PastedCurl::Add(Given { name: None, id: None, tag: None })),
            ("curl -x http://proxy/9 -X delete 'https://h/plants/7?x=1'", PastedCurl::Delete(PlantId(7))),
        ] {
            assert_eq!(read(command), Some(Ok(expected)), "{command}");
        }
    }

    #[test]
    fn other_commands_are_not_read_and_other_texts_are_none() {
        for command in [
            "curl https://h/plants",
            "curl -X PUT https://h/plants -d '{}'",
            "curl https://h/plants -d @plant.json",
            "printf '%b' '{}' | curl --data-binary @- --url https://h/plants",
            "curl https://h/plants -d '[]'",
            "curl https://h/plants -d '[\"Fern\",7,\"t\"]'",
            "curl https://h/plants -d '{\"name\":",
            "curl -X DELETE https://h/plants",
            "curl -X DELETE https://h/7",
            "curl https://h/plants -d '{\"id\":\"7\"}'",
            "curl https://h/plants -d '{\"id\":5e2}'",
            "curl https://h/plants -d '{\"id\":7,\"tag\":1}'",
            "curl -X DELETE https://h/plants/1\ncurl -X DELETE https://h/plants/2\n",
            "curl -X DELETE https://h/plants/1;curl -X DELETE https://h/plants/2",
            "curl -X DELETE https://h/plants/1 && curl -X DELETE https://h/plants/2",
            "curl -X DELETE https://h/plants/1 https://h/plants/2",
            "curl -X DELETE https://h/plants/1 --next -X DELETE https://h/plants/2",
        ] {
            assert_eq!(read(command), Some(Err(NotRead)), "{command}");
        }
        for text in ["", "curl", "curl up", "Fern", "curly http", "name,id,tag\ncurl ,7,http\n"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
