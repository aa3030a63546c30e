//! Tests the curl command of an exchange: the arguments that a shell passes, and the request that curl sends.

use std::process::Command;

use plants::domain::curl::command;
use plants::domain::{Header, Request};
use plants::text::has_hidden_characters;
use proptest::prelude::*;

use super::*;
use crate::support::{Ended, leave_out, tool};

/// The variable that the shell inserts.
const TOKEN_VARIABLE: &str = "PLANTS_TOKEN";

/// A replacement for curl that prints its arguments, each followed by a NUL, and its standard input.
const STAND_IN: &str = r#"curl() { printf '%s\0' "$@"; case "$*" in *"--data-binary @- "*) cat;; esac; }"#;

/// The same for fish.
const FISH_STAND_IN: &str = r#"function curl
    printf '%s\0' $argv
    string match -q -- '*--data-binary @- *' "$argv"; and cat
    true
end"#;

/// The shells that run a command.
const SHELLS: [&str; 4] = ["sh", "bash", "zsh", "fish"];

fn not_sent(store: &str, kind: OperationKind) -> Exchange {
    let request = request(&store.parse().unwrap(), &kind);
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0));
    Exchange {
        request: Some(request),
        ..Exchange::failed(operation, FailureKind::NotConnected, String::new(), Timestamp(0))
    }
}

fn add(name: &str, tag: &str) -> OperationKind {
    OperationKind::add(Plant { name: name.into(), id: PlantId(i64::MIN), tag: tag.into() })
}

/// Returns the values of an option.
fn values<'words>(words: &[&'words str], option: &str) -> Vec<&'words str> {
    words.windows(2).filter(|pair| pair[0] == option).map(|pair| pair[1]).collect()
}

/// Runs a command in a shell with these variables, and a stand-in for curl.
fn run(shell: &str, command: &str, variables: &[(&str, &str)]) -> Option<Ended> {
    let (options, stand_in) =
        if shell == "fish" { (&["--no-config"][..], FISH_STAND_IN) } else { (&["-s"][..], STAND_IN) };
    let home = tempfile::tempdir().unwrap();
    let mut shell = Command::new(shell);
    shell.args(options).env("HOME", home.path()).current_dir(home.path()).envs(variables.iter().copied());
    let ended = tool(&mut shell, &format!("{stand_in}\n{command}\n"));
    assert!(!home.path().join("injected").exists(), "{command}");
    ended
}

/// Checks that PowerShell, which is rarely installed where this runs, sends nothing and runs no part of a text.
///
/// By its rules (`about_Parsing`, `about_Quoting_Rules`): a text with a syntax error anywhere runs nothing, and a line that
/// begins with `--` is the operator without its operand. Pasted line by line, the first line runs alone: everything in
/// it that is not fixed is in single quotes, which any of five characters ends.
fn assert_harmless_in_powershell(command: &str) {
    let (first, others) = command.split_once(" \\\n").unwrap();
    for line in others.split(" \\\n") {
        assert!(line.starts_with("  --"), "{line}");
    }
    let outside: String = first.split('\'').step_by(2).collect();
    assert!(first.matches('\'').count() % 2 == 0 && !first.contains(['‘', '’', '‚', '‛']), "{first}");
    let fixed = outside.strip_prefix("test -n \"$PLANTS_").map_or(&*outside, |rest| {
        rest.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '_').strip_prefix("\" && ").unwrap()
    });
    let fixed = fixed.strip_prefix("printf   | ").unwrap_or(fixed);
    assert_eq!(fixed, "curl -q --http1.1 --globoff --path-as-is", "{first}");
}

/// Checks that a shell passes the request of the exchange to curl.
fn assert_passed(shell: &str, command: &str, request: &Request) {
    let Some(ended) = run(shell, command, &[(TOKEN_VARIABLE, CANARY)]) else { return };
    assert!(ended.code == Some(0) && ended.stderr.is_empty(), "{shell}: {ended:?}");
    let (words, read) = ended.stdout.rsplit_once('\0').unwrap();
    let words: Vec<_> = words.split('\0').collect();
    assert_eq!(words[0], "-q", "-q must be first to ignore a .curlrc");
    assert_eq!(values(&words, "--request"), [request.method.word()]);
    assert_eq!(values(&words, "--url"), [&*request.url]);
    let mut given = values(&words, "--data-raw");
    if !read.is_empty() {
        given.push(read);
    }
    assert_eq!(given, request.body.as_deref().into_iter().collect::<Vec<_>>(), "{shell}");
    let spelled = |Header { name, value }: &Header| match name.as_str() {
        "authorization" => format!("authorization: Bearer {CANARY}"),
        "host" | "content-length" => String::new(),
        _ => format!("{name}: {value}"),
    };
    let mut headers: Vec<_> = request.headers.iter().map(spelled).filter(|header| !header.is_empty()).collect();
    headers.extend(request.body.is_some().then(|| "expect:".to_owned()));
    assert_eq!(values(&words, "--header"), headers, "{shell}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// Neither the shell nor the terminal interprets any name or tag.
    #[test]
    fn any_shell_passes_the_request_unchanged(
        name in any::<String>(),
        tag in "['\"\\\\$`!#%&;|()<>{}@~*?=0-9\\-\\x00-\\x1f\\x7f-\\x9f\u{200b}-\u{202e}\u{feff}a漢é\u{301}]{0,40}",
        store in prop_oneof![Just("http://h/it's/$(x)/[1-2]/{a,b}"), Just("https://h:8443")],
    ) {
        for kind in [add(&name, &tag), add(&tag, &name), OperationKind::Delete(PlantId(-7))] {
            let exchange = not_sent(store, kind);
            let command = command(&exchange, &store.parse().unwrap()).unwrap();
            for line in command.split(" \\\n") {
                prop_assert!(!has_hidden_characters(line), "{line:?}");
            }
            assert_harmless_in_powershell(&command);
            for shell in SHELLS {
                assert_passed(shell, &command, exchange.request.as_ref().unwrap());
            }
        }
    }
}

#[test]
fn a_body_longer_than_an_argument_is_passed_to_curl() {
    let exchange = not_sent("https://h", add(&"漢'\\".repeat(100_000), ""));
    let command = command(&exchange, &"https://h".parse().unwrap()).unwrap();
    for shell in SHELLS {
        assert_passed(shell, &command, exchange.request.as_ref().unwrap());
    }
}

/// Backslashes and quotes, which each shell reads in its own way, also where another program wrote them.
#[test]
fn no_shell_runs_a_part_of_a_name_a_url_or_a_header() {
    for part in [
        r"\'; touch injected; '",
        r"\\'; touch injected; '",
        r"\",
        r"a\\b",
        r"it's",
        "’; touch injected; ’",
        r"(touch injected)",
    ] {
        let mut exchange = not_sent("https://h", add(part, "tag"));
        let request = exchange.request.as_mut().unwrap();
        if part.is_ascii() {
            request.url = format!("https://h/plants/{part}").into();
            let mut headers = request.headers.to_vec();
            headers.push(Header { name: "x".into(), value: format!("a{part}") });
            request.headers = headers.into();
        }
        let with_body = format!("{{\"name\":\"{part}\"}}");
        let bodies = [request.body.clone().unwrap(), with_body];
        for body in bodies {
            exchange.request.as_mut().unwrap().body = Some(body);
            let command = command(&exchange, &"https://h".parse().unwrap()).unwrap();
            assert_harmless_in_powershell(&command);
            for shell in SHELLS {
                assert_passed(shell, &command, exchange.request.as_ref().unwrap());
            }
        }
    }
}

/// A variable that is missing stops the command in every shell, before anything is sent.
#[test]
fn a_missing_proxy_or_header_for_a_gateway_stops_the_command() {
    let mut by_proxy = not_sent("http://h", add("Fern", "shade"));
    let request = by_proxy.request.as_mut().unwrap();
    request.target = request.url.clone();
    let mut gateway = not_sent("https://h", OperationKind::Delete(PlantId(7)));
    let mut headers = gateway.request.as_ref().unwrap().headers.to_vec();
    headers.push(Header { name: "x-api-key".into(), value: "********".into() });
    gateway.request.as_mut().unwrap().headers = headers.into();
    for (exchange, store, variable, word) in [
        (by_proxy, "http://h", "PLANTS_PROXY", "--proxy\0value of it\0"),
        (gateway, "https://h", "PLANTS_HEADER_X_API_KEY", "x-api-key: value of it\0"),
    ] {
        let command = command(&exchange, &store.parse().unwrap()).unwrap();
        assert_harmless_in_powershell(&command);
        for shell in SHELLS {
            let Some(without) = run(shell, &command, &[(TOKEN_VARIABLE, CANARY)]) else { continue };
            assert!(!without.stdout.contains("--url"), "{shell}: {without:?}");
            let with = run(shell, &command, &[(TOKEN_VARIABLE, CANARY), (variable, "value of it")]).unwrap();
            assert!(with.code == Some(0) && with.stdout.contains(word), "{shell}: {with:?}");
        }
    }
}

/// Splits a request into its request line, sorted headers with lower-case names, and body.
fn parts(request: &str) -> (String, Vec<String>, String) {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    let first = lines.next().unwrap().to_owned();
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap();
        format!("{}: {value}", name.to_ascii_lowercase())
    };
    let mut headers: Vec<_> = lines.map(header).collect();
    headers.sort();
    (first, headers, body.to_owned())
}

/// Sends with the client, then with curl from a shell; returns the received requests, or none if curl is not
/// installed.
async fn sent_twice(base: &str, kind: OperationKind, server: Server, route: Route, proxy: &str) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join(".curlrc"), "header = \"x-added: 1\"\nlocation\n").unwrap();
    let exchange = sent(&client(base, within(LONG), route), kind, CancellationToken::new()).await;
    let script = home.path().join("script");
    let command = command(&exchange, &base.parse().unwrap()).unwrap();
    std::fs::write(&script, format!("command -v curl >/dev/null || exit 127\n{command}")).unwrap();
    let shell = tokio::process::Command::new("sh")
        .arg(script)
        .env(TOKEN_VARIABLE, CANARY)
        .env("HOME", home.path())
        .envs([("http_proxy", "http://127.0.0.1:9"), ("all_proxy", "http://127.0.0.1:9"), ("no_proxy", "*")])
        .env("PLANTS_PROXY", proxy)
        .output()
        .await
        .unwrap();
    let received = server.close().await;
    if shell.status.code() == Some(127) {
        leave_out("curl is not installed: apt install curl, brew install curl");
        return Vec::new();
    }
    assert!(shell.status.success(), "{shell:?}");
    assert_eq!(received.len(), 2);
    received
}

#[tokio::test]
async fn curl_sends_what_the_client_sends() {
    let hostile = "@'\"\\$(x)`!\n\r\t\u{1b}[2J\u{7f}\u{9b}\u{202e}漢é\u{301}👨‍👩‍👧%s%00+ ";
    for kind in [
        monstera(),
        add("it's", "@tag"),
        add(hostile, hostile),
        add(&"漢".repeat(360_000), ""),
        OperationKind::Delete(PlantId(i64::MIN)),
    ] {
        let server = Server::playing(responses(&whole("302 Found\r\nlocation: /elsewhere", ""))).await;
        let base = server.url("http") + "/a%2f/[1-2]/{x,y}/it's";
        let received = sent_twice(&base, kind, server, Route::default(), "").await;
        for pair in received.chunks(2) {
            assert_eq!(parts(&pair[1]), parts(&pair[0]));
        }
    }
}

#[tokio::test]
async fn curl_uses_the_same_proxy() {
    let server = Server::playing(responses(&whole("201 Created", GOOD))).await;
    let proxy = server.url("http").replace("//", "//ann:canary-of-the-proxy@");
    let route = Route { proxy: Some(proxy.parse().unwrap()), ..Route::default() };
    let received = sent_twice("http://plants.example/api", monstera(), server, route, &proxy).await;
    for pair in received.chunks(2) {
        assert_eq!(parts(&pair[1]), parts(&pair[0]));
        assert!(pair[0].starts_with("POST http://plants.example/api/plants HTTP/1.1\r\n"), "{}", pair[0]);
    }
}
