//! Reads a pasted curl command, of this program or of a browser, as the plant that it adds or the id that it deletes.
//!
//! Everything else in it, a token above all, is dropped: no text of this file's results or faults comes from a header, a
//! query or a user name.

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;
use url::Url;

use super::plant::PlantId;
use super::store::StoreUrl;
use crate::text::clean_fit;

/// Options whose value is the next word, beside those that are read here.
const WITH_VALUE: &str = "-A -E -H -b -c -e -m -o -u -w -x --cacert --cert --connect-timeout --cookie --header --key \
                          --max-time --noproxy --oauth2-bearer --output --proxy --referer --resolve --user \
                          --user-agent --write-out";

const BODY: [&str; 6] = ["-d", "--data", "--data-raw", "--data-ascii", "--data-binary", "--json"];

/// The most columns of a URL that is shown.
const URL: usize = 60;

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

/// Why a command is neither an add nor a delete, without a full stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoOperation {
    #[error("a quote in it is not closed")]
    OpenQuote,
    #[error("it neither adds nor deletes a plant")]
    Other,
    #[error("it is more than one request")]
    Several,
    #[error("its body is in a file")]
    BodyInFile,
    #[error("its body is no JSON object with texts as name and tag, and a whole number of 64 bits as id")]
    NoPlant,
    #[error("its id is no whole number of 64 bits")]
    OtherId,
}

/// Reads a text; `None` if it is no curl command with a URL. With what it requests comes its URL, without a credential, if
/// that is not the one at the store that is open.
pub fn read(text: &str, open: &StoreUrl) -> Option<Result<(PastedCurl, Option<String>), NoOperation>> {
    let text = text.trim();
    // A command of this program may begin with a test of its variables, or write its body to a pipe.
    let before = ["curl ", "test -n ", "printf '%b' "].iter().any(|start| text.starts_with(start));
    if !before || !text.contains("curl ") || !text.contains("http") {
        return None;
    }
    let Some(words) = shlex::split(&with_plain_quotes(&text.replace("\\\n", " "))) else {
        return Some(Err(NoOperation::OpenQuote));
    };
    let at = words.iter().position(|word| word == "curl")?;
    let piped = words.split_at(at).0.windows(2).find(|pair| pair.first().is_some_and(|word| word == "%b"));
    let piped = piped.and_then(|pair| pair.get(1)).map(|body| unescaped(body));
    let command = Command::read(words.into_iter().skip(at + 1), piped.as_deref());
    let url = command.url.clone()?;
    Some(command.operation().map(|operation| {
        let here = match operation {
            PastedCurl::Add(_) => open.plants(),
            PastedCurl::Delete(id) => open.plant(id),
        };
        (operation, other_url(&url, &here))
    }))
}

/// Returns a URL as far as it has no credential, unless it is `here`.
fn other_url(url: &str, here: &Url) -> Option<String> {
    let http = |url: &Url| matches!(url.scheme(), "http" | "https");
    let Some(mut url) = Url::parse(url).ok().filter(http) else { return Some("another URL".to_owned()) };
    // Neither fails for http.
    let _ = (url.set_username(""), url.set_password(None));
    url.set_fragment(None);
    if url == *here {
        return None;
    }
    let query = if url.query().is_some() { "?…" } else { "" };
    url.set_query(None);
    Some(clean_fit(&format!("{url}{query}"), URL))
}

#[derive(Default)]
struct Command {
    method: Option<String>,
    url: Option<String>,
    body: Option<Result<String, NoOperation>>,
    is_several: bool,
}

impl Command {
    fn read(mut words: impl Iterator<Item = String>, piped: Option<&str>) -> Self {
        let mut command = Self::default();
        while let Some(word) = words.next() {
            let (name, own) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                // `-XPOST`
                _ if !word.starts_with("--") && word.starts_with("-X") && word.len() > 2 => {
                    ("-X", word.strip_prefix("-X").map(str::to_owned))
                }
                _ => (word.as_str(), None),
            };
            let mut value = || own.clone().or_else(|| words.next()).unwrap_or_default();
            match name {
                "-X" | "--request" => command.method = Some(value()),
                "--url" => command.add_url(value()),
                "--next" | "-:" => command.is_several = true,
                name if BODY.contains(&name) => {
                    let value = value();
                    let is_named = name != "--data-raw" && value.starts_with('@');
                    command.body = Some(match piped {
                        Some(piped) if value == "@-" => Ok(piped.to_owned()),
                        _ if is_named => Err(NoOperation::BodyInFile),
                        _ => Ok(value),
                    });
                }
                name if WITH_VALUE.split(' ').any(|option| option == name) => drop(value()),
                name if name.starts_with('-') => {}
                // Behind `&&`, `;` or the end of a line.
                word if word.rsplit([';', '&', '|']).next() == Some("curl") => command.is_several = true,
                url if url.starts_with("http") => command.add_url(url.to_owned()),
                _ => {}
            }
        }
        command
    }

    fn add_url(&mut self, url: String) {
        self.is_several |= self.url.replace(url).is_some();
    }

    fn operation(self) -> Result<PastedCurl, NoOperation> {
        if self.is_several {
            return Err(NoOperation::Several);
        }
        let method = self.method.unwrap_or_else(|| if self.body.is_some() { "POST" } else { "GET" }.to_owned());
        match (method.to_ascii_uppercase().as_str(), self.body) {
            ("DELETE", _) => {
                let url = self.url.unwrap_or_default();
                let path = url.split(['?', '#']).next().unwrap_or_default();
                let id = path.rsplit('/').next().and_then(|id| id.parse().ok());
                id.map(PastedCurl::Delete).ok_or(NoOperation::OtherId)
            }
            ("POST", Some(body)) => {
                // No array, which would be read, too.
                let fields = serde_json::from_str::<Map<String, Value>>(&body?);
                let given = fields.and_then(|fields| Given::deserialize(Value::Object(fields)));
                given.map(PastedCurl::Add).map_err(|_| NoOperation::NoPlant)
            }
            _ => Err(NoOperation::Other),
        }
    }
}

/// Writes each word in the quotes `$'…'` of bash, which browsers use, in plain ones.
fn with_plain_quotes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut quote, mut characters) = (None, text.chars().peekable());
    while let Some(c) = characters.next() {
        match (quote, c) {
            (None, '$') if characters.peek() == Some(&'\'') => {
                characters.next();
                let mut word = String::new();
                while let Some(c) = characters.next().filter(|c| *c != '\'') {
                    word.push(c);
                    if c == '\\' {
                        word.extend(characters.next());
                    }
                }
                let quoted = unescaped(&word).replace('\'', "'\\''");
                plain.extend(["'", &quoted, "'"]);
                continue;
            }
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None | Some('"'), '\\') => {
                plain.push(c);
                plain.extend(characters.next());
                continue;
            }
            (None | Some(_), _) => {}
        }
        plain.push(c);
    }
    plain
}

/// Carries out the escapes of `$'…'` and of `printf '%b'`: bytes in octal or hexadecimal, code units in hexadecimal.
fn unescaped(text: &str) -> String {
    let (mut bytes, mut characters) = (Vec::new(), text.chars().peekable());
    let mut units: Vec<u16> = Vec::new();
    while let Some(c) = characters.next() {
        let escape = if c == '\\' { characters.next() } else { None };
        let mut number = |most: usize, radix: u32| {
            let mut value = 0;
            for _ in 0..most {
                let Some(digit) = characters.peek().and_then(|c| c.to_digit(radix)) else { break };
                (value, _) = (value * radix + digit, characters.next());
            }
            value
        };
        if escape == Some('u') {
            units.push(u16::try_from(number(4, 16)).unwrap_or_default());
            continue;
        }
        bytes.extend(String::from_utf16_lossy(&std::mem::take(&mut units)).bytes());
        match escape {
            None => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('x') => bytes.push(u8::try_from(number(2, 16)).unwrap_or_default()),
            Some('0') => bytes.push(u8::try_from(number(3, 8)).unwrap_or_default()),
            Some(other) => bytes.extend(other.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    bytes.extend(String::from_utf16_lossy(&units).bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::curl;
    use crate::domain::exchange::{FailureKind, Method, Request};
    use crate::domain::{Exchange, Operation, OperationId, OperationKind, Plant, Timestamp};

    fn read(text: &str) -> Option<Result<PastedCurl, NoOperation>> {
        Some(super::read(text, &"http://h/api".parse().unwrap())?.map(|(operation, _)| operation))
    }

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
        for (name, tag) in [("it's $(é) `x` \"\\", "a b"), ("two\nlines\u{202e}", "\\0"), ("$'x'", " $'"), ("", "")] {
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
            ("curl https://h/plants -d '{}'", PastedCurl::Add(Given { name: None, id: None, tag: None })),
            ("curl -x http://proxy/9 -X delete 'https://h/plants/7?x=1'", PastedCurl::Delete(PlantId(7))),
        ] {
            assert_eq!(read(command), Some(Ok(expected)), "{command}");
        }
    }

    #[test]
    fn the_url_of_a_command_for_another_store_is_named_without_its_credentials() {
        let open = "http://h/api".parse().unwrap();
        for (url, other) in [
            ("http://h/api/plants/7", None),
            ("http://H:80/api/plants/7", None),
            ("http://user:canary@h/api/plants/7#canary", None),
            ("http://h/plants/7", Some("http://h/plants/7")),
            ("https://h/api/plants/7", Some("https://h/api/plants/7")),
            ("http://user:canary@other:81/api/plants/7?token=canary", Some("http://other:81/api/plants/7?…")),
            ("http://h/api/plants/7?dry_run=1", Some("http://h/api/plants/7?…")),
            ("http://[/7", Some("another URL")),
        ] {
            let read = super::read(&format!("curl -X DELETE '{url}'"), &open);
            assert_eq!(read, Some(Ok((PastedCurl::Delete(PlantId(7)), other.map(str::to_owned)))), "{url}");
        }
        // Without a scheme, the name of the user is one.
        let read = super::read("curl -X DELETE -H 'Origin: http://h' --url user:canary@h/api/plants/7", &open);
        assert_eq!(read, Some(Ok((PastedCurl::Delete(PlantId(7)), Some("another URL".to_owned())))));
    }

    #[test]
    fn other_commands_say_why_and_other_texts_are_none() {
        for (command, why) in [
            ("curl https://h/plants", NoOperation::Other),
            ("curl -X PUT https://h/plants -d '{}'", NoOperation::Other),
            ("curl https://h/plants -d @plant.json", NoOperation::BodyInFile),
            ("curl https://h/plants -d '[]'", NoOperation::NoPlant),
            ("curl https://h/plants -d '[\"Fern\",7,\"t\"]'", NoOperation::NoPlant),
            ("curl https://h/plants -d '{\"name\":", NoOperation::OpenQuote),
            ("curl -X DELETE https://h/plants", NoOperation::OtherId),
            ("curl https://h/plants -d '{\"id\":\"7\"}'", NoOperation::NoPlant),
            ("curl https://h/plants -d '{\"id\":5e2}'", NoOperation::NoPlant),
            ("curl https://h/plants -d '{\"id\":7,\"tag\":1}'", NoOperation::NoPlant),
            ("curl -X DELETE https://h/plants/1\ncurl -X DELETE https://h/plants/2\n", NoOperation::Several),
            ("curl -X DELETE https://h/plants/1;curl -X DELETE https://h/plants/2", NoOperation::Several),
            ("curl -X DELETE https://h/plants/1 && curl -X DELETE https://h/plants/2", NoOperation::Several),
            ("curl -X DELETE https://h/plants/1 https://h/plants/2", NoOperation::Several),
            ("curl -X DELETE https://h/plants/1 --next -X DELETE https://h/plants/2", NoOperation::Several),
        ] {
            assert_eq!(read(command), Some(Err(why)), "{command}");
        }
        for text in ["", "curl", "curl up", "Fern", "curly http", "name,id,tag\ncurl ,7,http\n", "curl -H https://x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
