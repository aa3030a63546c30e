//! The subcommands as a script uses them: their exit codes, stdout, stderr, and the requests that a store
//! receives.

mod add;
mod belongs;
#[cfg(unix)]
mod completions;
#[cfg(unix)]
mod config;
#[cfg(unix)]
mod environment;
mod export;
mod filter;
mod history;
#[cfg(unix)]
mod json;
mod language;
#[cfg(unix)]
mod log;
mod many;
mod no_store;
#[cfg(unix)]
mod packaging;
mod resolve;
#[cfg(unix)]
mod tables;

use serde_json::{Value, json};

use crate::support::closed_port::ClosedPort;
use crate::support::raw::{RawStore, Reply};
use crate::support::served::Served;
use crate::support::{Home, end_of};

/// Adds the plant that most tests use.
const ADD: [&str; 8] = ["add", "--id", "7", "--name", "Monstera", "--tag", "tropical", "--json"];

/// The body of a response to [`ADD`] that matches the document.
const RESPONSE: &str = r#"{"name":"Monstera","tag":"tropical"}"#;

/// The JSON of the list with the plant of [`ADD`] in this state.
fn monstera(state: &str) -> String {
    format!("[{{\"name\":\"Monstera\",\"id\":7,\"tag\":\"tropical\",\"state\":\"{state}\"}}]\n")
}

/// Returns the values of a header; ignores the case of its name.
fn header<'request>(request: &'request str, name: &str) -> Vec<&'request str> {
    let (head, _) = request.split_once("\r\n\r\n").unwrap();
    let fields = head.lines().skip(1).filter_map(|line| line.split_once(": "));
    fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value).collect()
}

fn body(request: &str) -> &str {
    request.split_once("\r\n\r\n").unwrap().1
}

#[test]
fn an_accepted_add_prints_one_json_line_and_one_message() {
    let (home, store) = (Home::new(), Served::calm());
    let ended = home.plants_at(&store.base, &ADD).ended().orderly(0);
    let result = ended.json();
    let (message, elapsed) = (result["message"].as_str().unwrap(), &result["elapsed_ms"]);
    assert!(elapsed.is_f64(), "{elapsed}");
    assert_eq!(
        ended.stdout,
        format!(
            "{{\"operation\":\"add\",\"outcome\":\"accepted\",\
             \"plant\":{{\"name\":\"Monstera\",\"id\":7,\"tag\":\"tropical\"}},\"status\":201,\
             \"elapsed_ms\":{elapsed},\"mismatches\":[],\"message\":{}}}\n",
            Value::from(message)
        )
    );
    assert!(message.starts_with("Added Monstera (7): 201 Created"), "{message}");
    assert_eq!(ended.stderr, format!("{message}\n"));
    assert_eq!(home.listed(&store.base), monstera("stored"));
    assert_eq!(store.log(), ["POST /plants  201"]);
}

#[test]
fn without_json_stdout_is_empty() {
    let (home, store) = (Home::new(), Served::calm());
    for (arguments, code) in [
        (&["add", "--id", "7", "--name", "Monstera", "--tag", "tropical"][..], 0),
        (&["add", "--id", "7", "--name", "Monstera", "--tag", "tropical"], 1),
        (&["delete", "7", "--yes"], 0),
    ] {
        let ended = home.plants_at(&store.base, arguments).ended().orderly(code);
        assert!(ended.stdout.is_empty() && !ended.stderr.is_empty(), "{ended:?}");
    }
}

#[test]
fn serve_options_change_the_outcome_of_an_add() {
    let home = Home::new();
    for (options, code, status, log) in [
        (&["--reject", "1"][..], 1, json!(422), "422"),
        (&["--reject", "0", "--out-of-order"], 0, json!(201), "201"),
        (&["--reject-token"], 1, json!(401), "401"),
        (&["--fail=1"], 4, json!(500), "500"),
        (&["--fail=100%"], 4, json!(500), "500"),
        (&["--lose-responses", "1"], 4, Value::Null, "response lost"),
    ] {
        let store = Served::with(options);
        let ended = home.plants_at(&store.base, &ADD).ended().orderly(code);
        assert_eq!(ended.json()["status"], status, "{options:?}");
        assert_eq!(store.log(), [format!("POST /plants  {log}")]);
    }
}

#[test]
fn the_list_is_a_table() {
    let (home, store) = (Home::new(), Served::calm());
    home.plants_at(&store.base, &ADD).ended().orderly(0);
    let ended = home.plants_at(&store.base, &["list"]).ended().orderly(0);
    let rows: Vec<Vec<&str>> = ended.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["ID", "NAME", "TAG", "STATE", "SINCE"]);
    assert_eq!(rows[1][..4], ["7", "Monstera", "tropical", "stored"]);
    let bare = home.plants_at(&store.base, &["list", "--no-heading"]).ended().orderly(0).stdout;
    assert_eq!(bare.lines().count(), 1, "{bare}");
}

#[test]
fn each_store_has_its_own_list_for_every_spelling_of_its_url() {
    let home = Home::new();
    let (one, other) = (RawStore::saying("201 Created", RESPONSE), RawStore::saying("201 Created", RESPONSE));
    let named = one.url().replace("127.0.0.1", "localhost");
    home.plants_at(&named, &ADD).ended().orderly(0);
    for spelling in [named.clone(), format!("{named}/"), named.replace("http://localhost", "HTTP://LocalHost")] {
        assert_eq!(home.listed(&spelling), monstera("stored"), "{spelling}");
    }
    for elsewhere in [other.url(), format!("{named}/api")] {
        assert_eq!(home.listed(&elsewhere), "[]\n", "{elsewhere}");
    }
    assert_eq!((one.received().len(), other.received().len()), (1, 0));
}

#[test]
fn a_second_plant_with_the_same_id_is_rejected() {
    let (home, store) = (Home::new(), Served::calm());
    home.plants_at(&store.base, &ADD).ended().orderly(0);
    let again = ["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--json"];
    let ended = home.plants_at(&store.base, &again).ended().orderly(1);
    let result = ended.json();
    assert_eq!((&result["outcome"], &result["status"]), (&json!("rejected"), &json!(409)));
    assert!(ended.stderr.contains("already in the list") && ended.stderr.contains("409 Conflict"), "{ended:?}");
    assert_eq!(home.listed(&store.base), monstera("stored"));
}

#[test]
fn a_second_delete_reports_the_404() {
    let (home, store) = (Home::new(), Served::calm());
    home.plants_at(&store.base, &ADD).ended().orderly(0);
    let delete = ["delete", "7", "--yes", "--json"];
    let result = home.plants_at(&store.base, &delete).ended().orderly(0).json();
    assert_eq!(
        (&result["operation"], &result["outcome"], &result["status"]),
        (&json!("delete"), &json!("accepted"), &json!(204))
    );
    assert_eq!(result["plant"], json!({"name": "Monstera", "id": 7, "tag": "tropical"}));
    assert_eq!(home.listed(&store.base), "[]\n");

    let ended = home.plants_at(&store.base, &delete).ended().orderly(1);
    let result = ended.json();
    assert_eq!((&result["outcome"], &result["status"]), (&json!("rejected"), &json!(404)));
    assert_eq!(result["plant"], json!({"name": null, "id": 7, "tag": null}));
    assert!(!ended.stderr.contains("base URL"), "it is proven by what the store accepted: {ended:?}");
    assert_eq!(store.log(), ["POST /plants  201", "DELETE /plants/7  204", "DELETE /plants/7  404"]);
}

#[test]
fn a_delete_without_a_terminal_needs_yes() {
    let (home, store) = (Home::new(), Served::calm());
    let ended = home.plants_at(&store.base, &["delete", "7", "--json"]).stdin("y\n").ended().orderly(2);
    assert!(ended.stdout.is_empty() && ended.stderr.contains("--yes"), "{ended:?}");
    assert!(store.log().is_empty());
}

#[test]
fn a_lost_response_leaves_the_plant_unknown() {
    let (home, store) = (Home::new(), Served::with(&["--lose-responses", "1"]));
    let ended = home.plants_at(&store.base, &ADD).ended().orderly(4);
    let result = ended.json();
    assert_eq!((&result["outcome"], &result["status"]), (&json!("unknown"), &Value::Null));
    assert!(ended.stderr.contains("It is unknown whether Monstera (7) was added"), "{ended:?}");
    assert_eq!(home.listed(&store.base), monstera("unknown"));
    assert_eq!(store.log(), ["POST /plants  response lost"], "no request is sent twice");
}

#[test]
fn a_rejection_after_a_lost_response_is_explained() {
    let home = Home::new();
    let store = RawStore::replying(vec![Reply::Says(Vec::new()), Reply::of("409 Conflict", "")]);
    home.plants_at(&store.url(), &ADD).ended().orderly(4);
    let ended = home.plants_at(&store.url(), &ADD).ended().orderly(1);
    assert_eq!(ended.json()["outcome"], "rejected");
    assert!(ended.stderr.contains("An earlier add of this id ended unknown"), "{ended:?}");
    assert_eq!(home.listed(&store.url()), monstera("unknown"));
    assert_eq!(store.received().len(), 2);
}

#[test]
fn a_404_after_an_unknown_delete_is_explained() {
    let home = Home::new();
    let store = RawStore::replying(vec![Reply::Says(Vec::new()), Reply::of("404 Not Found", "")]);
    home.plants_at(&store.url(), &["delete", "7", "--yes"]).ended().orderly(4);
    let ended = home.plants_at(&store.url(), &["delete", "7", "--yes", "--json"]).ended().orderly(1);
    assert_eq!(ended.json()["status"], 404);
    assert!(ended.stderr.contains("An earlier delete of this id ended unknown: it may have worked"), "{ended:?}");
}

#[test]
fn a_refused_connection_proves_that_nothing_was_sent() {
    let home = Home::new();
    let closed = ClosedPort::new();
    let base = closed.base();
    let ended = home.plants_at(&base, &ADD).ended().orderly(3);
    let result = ended.json();
    assert_eq!((&result["outcome"], &result["status"]), (&json!("not_sent"), &Value::Null));
    assert!(ended.stderr.contains("Nothing reached the store: sending it again is safe."), "{ended:?}");
    assert_eq!(home.listed(&base), "[]\n");
}

#[test]
fn a_store_without_a_response_is_awaited_up_to_the_timeout() {
    let (home, store) = (Home::new(), RawStore::replying(vec![Reply::Nothing]));
    let ended = home.plants_at(&store.url(), &[&ADD[..], &["--timeout", "300ms"]].concat()).ended().orderly(4);
    assert!(ended.json()["message"].as_str().unwrap().contains("no response within"), "{ended:?}");
    assert_eq!(home.listed(&store.url()), monstera("unknown"));
    assert_eq!(store.received().len(), 1);
}

#[test]
fn a_redirect_is_shown_and_not_followed() {
    let (home, other) = (Home::new(), RawStore::saying("201 Created", RESPONSE));
    for status in [301, 302, 303, 307, 308] {
        let response =
            format!("HTTP/1.1 {status} Elsewhere\r\nlocation: {}/plants\r\ncontent-length: 0\r\n\r\n", other.url());
        let store = RawStore::replying(vec![Reply::Says(response.into_bytes())]);
        let ended = home.plants_at(&store.url(), &ADD).ended().orderly(1);
        assert_eq!(ended.json()["status"], status);
        assert!(ended.stderr.contains("redirects are never followed"), "{ended:?}");
        assert_eq!(home.listed(&store.url()), "[]\n");
        assert_eq!(store.received().len(), 1);
    }
    assert_eq!(other.received(), [""; 0]);
}

#[test]
fn ids_and_names_are_sent_exactly() {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", ""));
    let names = ["-x", "--json", "two\nlines", "\u{1b}[2J", "👨‍👩‍👧", "\"\\", "", " "];
    let ids = ["9223372036854775807", "-9223372036854775808", "-1", "0", "9007199254740993", "1", "2", "3"];
    for (id, name) in ids.into_iter().zip(names) {
        let (joined_name, joined_tag) = (format!("--name={name}"), format!("--tag={name}"));
        let separate = ["add", "--id", id, "--name", name, "--tag", name];
        let joined = ["add", "--id", id, joined_name.as_str(), joined_tag.as_str()];
        // Spelled like an option, it could be one behind an empty variable.
        let words = if name == "--json" { &joined[..] } else { &separate };
        home.plants_at(&store.url(), words).ended().orderly(0);
    }
    for swallowed in [&["--tag", "--dry-run"][..], &["--tag", "t", "--name", "--read-only"], &["--tag", "-v"]] {
        let words = [&["add", "--id", "9"], swallowed].concat();
        let ended = home.plants_at(&store.url(), &words).ended().orderly(2);
        assert!(ended.stderr.contains("has no value. If -"), "{ended:?}");
    }
    home.plants_at(&store.url(), &["add", "--id=-2", "--name=-y", "--tag=-z"]).ended().orderly(0);
    home.plants_at(&store.url(), &["delete", "--yes", "-9223372036854775808"]).ended().orderly(0);
    home.plants_at(&store.url(), &["delete", "9223372036854775807", "-y"]).ended().orderly(0);

    let mut received = store.received().into_iter();
    for (id, name) in ids.into_iter().zip(names) {
        let request = received.next().unwrap();
        assert!(request.starts_with("POST /plants HTTP/1.1\r\n"), "{request}");
        assert_eq!(header(&request, "content-type"), ["application/json"]);
        let number: i64 = id.parse().unwrap();
        let sent: Value = serde_json::from_str(body(&request)).unwrap();
        assert_eq!(sent, json!({"name": name, "id": number, "tag": name}));
        assert!(body(&request).contains(&format!("\"id\":{id}")), "{request}");
    }
    assert_eq!(body(&received.next().unwrap()), r#"{"name":"-y","id":-2,"tag":"-z"}"#);
    for id in ["-9223372036854775808", "9223372036854775807"] {
        let request = received.next().unwrap();
        assert!(
            request.starts_with(&format!("DELETE /plants/{id} HTTP/1.1\r\n")) && body(&request).is_empty(),
            "{request}"
        );
        assert_eq!(header(&request, "authorization"), ["Bearer demo"]);
    }
    assert_eq!(received.next(), None);
}

#[test]
fn a_base_url_may_have_a_path_and_a_trailing_slash() {
    let (home, store) = (Home::new(), RawStore::saying("204 No Content", ""));
    home.plants_at(&format!("{}/api/v1/", store.url()), &["delete", "7", "--yes"]).ended().orderly(0);
    assert!(store.next_request().starts_with("DELETE /api/v1/plants/7 HTTP/1.1\r\n"));
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn connection_options_may_precede_or_follow_the_subcommand() {
    let (home, store) = (Home::new(), Served::calm());
    let token = home.write("token", "demo\n");
    let options = ["--base-url", &store.base, "--token-file", token.to_str().unwrap(), "--json", "--timeout", "1m"];
    let add = ["add", "--id", "1", "--name", "Fern", "--tag", "shade"];
    let result = home.plants(&[&options[..], &add].concat()).ended().orderly(0).json();
    assert_eq!(result["outcome"], "accepted");
    let result = home.plants(&[&["delete", "1", "--yes"], &options[..]].concat()).ended().orderly(0).json();
    assert_eq!(result["outcome"], "accepted");
}

#[test]
fn flags_precede_the_environment_which_precedes_the_profile() {
    let home = Home::new();
    let [flag, variable, profile] = [(); 3].map(|()| RawStore::saying("201 Created", RESPONSE));
    home.config(format!("default = 'p'\n[profile.p]\nbase_url = '{}'\ntoken_env = 'T'\n", profile.url()));
    home.plants(&ADD).env("T", "sesame-p").ended().orderly(0);
    home.plants_at(&variable.url(), &ADD).ended().orderly(0);
    // PLANTS_TOKEN applies to --base-url, but not if PLANTS_BASE_URL is set, too.
    home.plants(&[&ADD[..], &["--base-url", &flag.url()]].concat()).env("PLANTS_TOKEN", "demo").ended().orderly(0);
    let both = home.plants_at(&variable.url(), &[&ADD[..], &["--base-url", &flag.url()]].concat());
    let stderr = both.ended().orderly(2).stderr;
    assert!(stderr.contains(&format!("PLANTS_TOKEN is for PLANTS_BASE_URL ({}) alone", variable.url())), "{stderr}");
    for (store, token) in [(profile, "Bearer sesame-p"), (variable, "Bearer demo"), (flag, "Bearer demo")] {
        let received = store.received();
        assert_eq!(received.iter().map(|request| header(request, "authorization")).collect::<Vec<_>>(), [[token]]);
    }
}

#[cfg(unix)]
#[test]
fn a_token_is_read_from_every_source() {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", RESPONSE));
    let kept = home.write("kept", " Bearer sesame-file \n");
    let marked = home.write("marked", "\u{feff}sesame-marked\r\n");
    home.write(".config/plants/beside", "sesame-beside\r\n");
    home.config(format!(
        "[profile.env]\nbase_url = '{url}'\ntoken_env = 'MINE'\n\
         [profile.command]\nbase_url = '{url}'\ntoken_command = ['printf', 'sesame-command\\nuser: ann\\n']\n\
         [profile.file]\nbase_url = '{url}'\ntoken_file = 'beside'\n",
        url = store.url()
    ));
    let at_store =
        |arguments: &[&str]| home.plants(&[&ADD[..], arguments].concat()).env("PLANTS_BASE_URL", store.url());
    let by_profile = |name| home.plants(&[&ADD[..], &["--profile", name]].concat());
    for (run, token) in [
        (at_store(&["--token-file", kept.to_str().unwrap()]).env("PLANTS_TOKEN", "other"), "sesame-file"),
        (at_store(&["--token-file", marked.to_str().unwrap()]), "sesame-marked"),
        (at_store(&["--token-stdin"]).stdin("\u{feff}Bearer sesame-mark"), "sesame-mark"),
        (at_store(&["--token-stdin"]).env("PLANTS_TOKEN", "other").stdin("bearer  sesame-stdin\n"), "sesame-stdin"),
        (at_store(&[]).env("PLANTS_TOKEN", "Bearer sesame/+~=|{}"), "sesame/+~=|{}"),
        (by_profile("env").env("MINE", "sesame-env"), "sesame-env"),
        (by_profile("command"), "sesame-command"),
        (by_profile("file"), "sesame-beside"),
        // The token source of the profile precedes PLANTS_TOKEN.
        (by_profile("file").env("PLANTS_TOKEN", "sesame-variable"), "sesame-beside"),
    ] {
        let ended = run.ended().orderly(0);
        assert_eq!(header(&store.next_request(), "authorization"), [format!("Bearer {token}")]);
        assert!(!format!("{ended:?}").contains(token), "{ended:?}");
    }
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn a_profiles_token_does_not_go_to_another_store() {
    let (home, other) = (Home::new(), RawStore::saying("201 Created", RESPONSE));
    home.write("token", "sesame-of-the-profile");
    home.config("default = 'p'\n[profile.p]\nbase_url = 'https://plants.example'\ntoken_file = '~/token'\n");
    let ended = home.plants(&[&ADD[..], &["--base-url", &other.url()]].concat()).ended().orderly(2);
    assert!(ended.stderr.contains("no token for") && ended.stderr.contains("PLANTS_TOKEN"), "{ended:?}");
    assert_eq!(other.received(), [""; 0]);
}

#[test]
fn read_only_sends_no_add_and_no_delete() {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", RESPONSE));
    home.config(format!("[profile.p]\nbase_url = '{}'\nread_only = true\n", store.url()));
    for arguments in [&ADD[..], &["delete", "7", "--yes"]] {
        for way in [&["--read-only", "--base-url", &store.url()][..], &["--profile", "p"]] {
            let ended = home.plants(&[arguments, way].concat()).env("PLANTS_TOKEN", "demo").ended().orderly(2);
            assert!(ended.stderr.contains("read-only") && ended.stdout.is_empty(), "{ended:?}");
        }
    }
    assert_eq!(home.plants(&["list", "--json", "--profile", "p"]).ended().orderly(0).stdout, "[]\n");
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn an_add_to_the_demo_store_is_gone_with_it() {
    let (home, add) = (Home::new(), [&ADD[..], &["--demo"]].concat());
    let ended = home.plants(&add).ended().orderly(0);
    assert_eq!((&ended.json()["outcome"], &ended.json()["mismatches"]), (&json!("accepted"), &json!([])));
    assert!(ended.stderr.contains("demo store at http://127.0.0.1:"), "{ended:?}");
    assert_eq!(home.plants(&["list", "--json", "--demo"]).ended().orderly(0).stdout, "[]\n");
    let store = RawStore::saying("201 Created", RESPONSE);
    home.plants_at(&store.url(), &add).ended().orderly(0);
    assert_eq!(store.received(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_add_is_cancelled_and_its_outcome_printed() {
    let (home, store) = (Home::new(), RawStore::replying(vec![Reply::Nothing]));
    for signal in [rustix::process::Signal::INT, rustix::process::Signal::TERM] {
        let child = home.plants_at(&store.url(), &ADD).begun();
        store.next_request();
        rustix::process::kill_process(rustix::process::Pid::from_child(&child), signal).unwrap();
        let ended = end_of(child).orderly(130);
        let result = ended.json();
        assert_eq!((&result["outcome"], &result["status"]), (&json!("unknown"), &Value::Null));
        assert!(ended.stderr.contains("cancelled while it was in flight"), "{ended:?}");
        assert_eq!(home.listed(&store.url()), monstera("unknown"));
    }
}

#[test]
fn an_add_is_unknown_after_its_program_was_killed() {
    let (home, store) = (Home::new(), RawStore::replying(vec![Reply::Nothing]));
    let mut child = home.plants_at(&store.url(), &ADD).begun();
    store.next_request();
    assert_eq!(home.listed(&store.url()), monstera("adding"), "an add of a running program is no orphan");
    child.kill().unwrap();
    child.wait().unwrap();
    let ended = home.plants_at(&store.url(), &["list", "--json"]).ended().orderly(0);
    assert_eq!(ended.stdout, monstera("unknown"));
    assert!(
        ended.stderr.contains("an earlier program ended while") && ended.stderr.contains("Monstera (7)"),
        "{ended:?}"
    );
    let ended = home.plants_at(&store.url(), &["list"]).ended().orderly(0);
    assert!(ended.stdout.contains("unknown") && ended.stderr.is_empty(), "the notice is printed once: {ended:?}");
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn an_accepted_response_with_a_mismatch_is_accepted_and_marked() {
    let home = Home::new();
    let headed = |rest: &str| format!("HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n{rest}").into_bytes();
    let cut = headed("content-length: 100\r\n\r\n{\"name\":");
    for (reply, expected) in [
        (Reply::of("200 OK", "<html>welcome</html>"), "not JSON"),
        (Reply::of("200 OK", ""), "no body"),
        (Reply::of("201 Created", r#"{"name":"monstera","tag":"tropical"}"#), "came back as \"monstera\""),
        (Reply::Says(cut), "is cut off"),
        (Reply::Floods(headed("\r\n")), "longer than 1048576 bytes"),
        (Reply::Floods(headed("content-length: 1000000000\r\n\r\n")), "longer than 1048576 bytes"),
    ] {
        let store = RawStore::replying(vec![reply]);
        let ended = home.plants_at(&store.url(), &ADD).ended().orderly(0);
        let result = ended.json();
        assert_eq!(result["outcome"], "accepted");
        let differences = result["mismatches"].as_array().unwrap();
        assert!(matches!(differences.as_slice(), [one] if one.as_str().unwrap().contains(expected)), "{ended:?}");
        assert!(ended.stderr.contains("Mismatch: "), "{ended:?}");
        assert_eq!(home.listed(&store.url()), monstera("stored"));
        assert_eq!(store.received().len(), 1);
    }
}

#[test]
fn a_body_in_the_response_to_a_delete_is_a_mismatch() {
    let (home, store) = (Home::new(), RawStore::saying("200 OK", "gone"));
    let result = home.plants_at(&store.url(), &["delete", "7", "--yes", "--json"]).ended().orderly(0).json();
    assert_eq!(
        result["mismatches"],
        json!(["the response to a delete has a body of 4 bytes; the document says it has none"])
    );
}

#[cfg(unix)]
#[test]
fn the_demo_store_accepts_a_given_token_and_does_not_print_it() {
    let home = Home::new();
    let mut store = home.plants(&["serve", "--port", "0", "--json"]).env("PLANTS_TOKEN", "sesame-given").begun();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(store.stdout.as_mut().unwrap()), &mut line).unwrap();
    let result: Value = serde_json::from_str(&line).unwrap();
    let base = result["base_url"].as_str().unwrap();
    home.plants_at(base, &ADD).env("PLANTS_TOKEN", "sesame-given").ended().orderly(0);
    home.plants_at(base, &ADD).env("PLANTS_TOKEN", "another").ended().orderly(1);
    rustix::process::kill_process(rustix::process::Pid::from_child(&store), rustix::process::Signal::TERM).unwrap();
    let ended = end_of(store).orderly(0);
    assert_eq!(result["token"], Value::Null);
    assert!(!format!("{line} {ended:?}").contains("sesame-given"), "{line} {ended:?}");
}

#[test]
fn help_and_version_exit_0() {
    let home = Home::new();
    let help = home.plants(&["--help"]).ended().orderly(0).stdout;
    for expected in ["Exit codes:", "0 done", "4 outcome unknown", "130 interrupted", "add", "delete", "list", "serve"]
    {
        assert!(help.contains(expected), "{expected}");
    }
    let version = format!("plants {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(home.plants(&["-V"]).ended().orderly(0).stdout, version);
    let long = home.plants(&["--version"]).ended().orderly(0).stdout;
    let (first, features) = long.split_at(version.len());
    assert!(first == version && features.contains("(SQLite 3.") && features.lines().count() == 2, "{long}");
    for command in ["add", "delete", "list", "serve"] {
        assert!(home.plants(&[command, "--help"]).ended().orderly(0).stdout.contains("Usage: plants"), "{command}");
    }
}

#[test]
fn a_verb_without_the_one_that_it_needs_prints_its_help() {
    let home = Home::new();
    for verb in ["journal", "team"] {
        let ended = home.plants(&[verb]).ended().orderly(2);
        let help = home.plants(&[verb, "-h"]).ended().orderly(0).stdout;
        assert_eq!((ended.stderr, ended.stdout.as_str()), (help, ""), "{verb}");
    }
}

#[test]
fn without_a_terminal_the_interface_names_subcommands() {
    let ended = Home::new().plants::<&str>(&[]).ended().orderly(2);
    for command in ["plants add", "plants delete", "plants list", "plants serve"] {
        assert!(ended.stderr.contains(command), "{ended:?}");
    }
}

#[test]
fn a_closed_stdout_is_an_error_of_what_sends() {
    let (home, store) = (Home::new(), Served::calm());
    for (arguments, code) in [
        (&ADD[..], 4),
        (&["list"], 0),
        (&["list", "--json"], 0),
        (&["delete", "7", "--yes", "--dry-run", "--json"], 0),
        (&["delete", "7", "--yes", "--json"], 4),
        (&["paths"], 0),
        (&["config"], 0),
        (&["config", "--example"], 0),
        (&["completions", "bash"], 0),
        (&["man"], 0),
    ] {
        let (reader, pipe) = std::io::pipe().unwrap();
        drop(reader);
        let mut run = home.plants_at(&store.base, arguments);
        run.command.stdout(pipe);
        run.ended().orderly(code);
    }
}

#[test]
fn concurrent_programs_share_one_journal() {
    let (home, store) = (Home::new(), Served::calm());
    let adds = (1..=8).map(|id| {
        home.plants_at(&store.base, &["add", "--id", &id.to_string(), "--name", "Fern", "--tag", "t"]).begun()
    });
    // All start before the first is awaited.
    for add in adds.collect::<Vec<_>>() {
        end_of(add).orderly(0);
    }
    let listed: Vec<Value> = serde_json::from_str(&home.listed(&store.base)).unwrap();
    let ids: Vec<i64> = listed.iter().map(|plant| plant["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, (1..=8).collect::<Vec<_>>());
    assert!(listed.iter().all(|plant| plant["state"] == "stored"), "{listed:?}");
    assert_eq!(store.log().len(), 8);
}

/// Returns operation, outcome, name and id of each entry of the history with these filters.
fn history(home: &Home, base: &str, arguments: &[&str]) -> Vec<String> {
    let result = home.plants_at(base, &[&["history", "--json"], arguments].concat()).ended().orderly(0).json();
    let line = |entry: &Value| {
        let plant = &entry["plant"];
        format!("{} {} {} {}", entry["operation"], entry["outcome"], plant["name"], plant["id"]).replace('"', "")
    };
    result.as_array().unwrap().iter().map(line).collect()
}

#[test]
fn the_history_lists_requests_and_can_be_filtered() {
    let (home, store) = (Home::new(), Served::calm());
    let base = store.base.as_str();
    assert_eq!(history(&home, base, &[]), [""; 0]);
    home.plants_at(base, &ADD).ended().orderly(0);
    home.plants_at(base, &ADD).ended().orderly(1);
    home.plants_at(base, &["delete", "7", "--yes"]).ended().orderly(0);
    home.plants_at(base, &["delete", "8", "--yes"]).ended().orderly(1);
    let all =
        ["delete rejected null 8", "delete accepted Monstera 7", "add rejected Monstera 7", "add accepted Monstera 7"];
    assert_eq!(history(&home, base, &[]), all);
    assert_eq!(history(&home, base, &["--limit", "2"]), all[..2]);
    assert_eq!(history(&home, base, &["name:MONST"]), all[1..]);
    assert_eq!(history(&home, base, &["tag:trop", "outcome:rejected"]), all[2..3]);
    assert_eq!(history(&home, base, &["id:8"]), all[..1]);
    assert_eq!(history(&home, base, &["status:4XX"]), [all[0], all[2]]);
    assert_eq!(history(&home, base, &["status:201"]), all[3..]);
    assert_eq!(history(&home, base, &["outcome:unknown outcome:not_sent"]), [""; 0]);
    // Another store has its own history.
    let other = Served::calm();
    assert_eq!(history(&home, &other.base, &[]), [""; 0]);

    let result = home.plants_at(base, &["history", "--json", "--limit", "1"]).ended().json();
    let keys: Vec<_> = result[0].as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "elapsed_ms",
        "message",
        "mismatches",
        "number",
        "operation",
        "outcome",
        "phases_ms",
        "plant",
        "started",
        "status",
    ];
    assert_eq!(keys, expected);
    let phases = result[0]["phases_ms"].as_object().unwrap();
    let measured: Vec<_> = phases.iter().filter(|(_, took)| took.is_f64()).map(|(word, _)| word.as_str()).collect();
    assert_eq!(measured, ["connection", "reading", "waiting"]);
    assert!(phases["name"].is_null() && phases["tls"].is_null() && phases.len() == 5, "{phases:?}");
    let table = home.plants_at(base, &["history"]).ended().orderly(0).stdout;
    let newest: Vec<_> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((newest[0], &newest[3..6]), ("#4", &["delete", "rejected", "404"][..]), "{table}");
    for wrong in [&["status:4000"][..], &["outcome:perhaps"], &["id:x"], &["--limit", "-1"], &["-n", "0"]] {
        home.plants_at(base, &[&["history"], wrong].concat()).ended().orderly(2);
    }
}

#[test]
fn a_plant_can_be_added_again_from_the_history() {
    let (home, store) = (Home::new(), RawStore::saying("201 Created", RESPONSE));
    let base = store.url();
    home.plants_at(&base, &["add", "--id", "-7", "--name", " 👨‍👩‍👧\n", "--tag", ""]).ended().orderly(0);
    home.plants_at(&base, &["delete", "-7", "--yes"]).ended().orderly(0);
    home.plants_at(&base, &["delete", "8", "--yes"]).ended().orderly(0);
    for (number, name) in [("2", " 👨‍👩‍👧\n"), ("1", " 👨‍👩‍👧\n")] {
        let result = home.plants_at(&base, &["add", "--from", number, "--json"]).ended().orderly(0).json();
        assert_eq!(result["plant"], json!({"name": name, "id": -7, "tag": ""}));
    }
    let changed = ["add", "--from", "2", "--id", "9", "--tag", "new", "--json"];
    let result = home.plants_at(&base, &changed).ended().orderly(0).json();
    assert_eq!(result["plant"], json!({"name": " 👨‍👩‍👧\n", "id": 9, "tag": "new"}));
    for (arguments, why) in [
        (&["add", "--from", "99"][..], "has no entry #99"),
        (&["add", "--from", "3"], "give --name and --tag"),
        (&["add", "--id", "7", "--name", "n"], "--tag"),
    ] {
        let ended = home.plants_at(&base, arguments).ended().orderly(2);
        assert!(ended.stderr.contains(why), "{ended:?}");
    }
    let sent = store.received();
    assert_eq!(sent.len(), 6);
    assert_eq!(body(sent.last().unwrap()), r#"{"name":" 👨‍👩‍👧\n","id":9,"tag":"new"}"#);
}

/// Makes all requests in the journal a week older.
fn age(home: &Home) {
    let journal = rusqlite::Connection::open(home.data().join("journal.db")).unwrap();
    journal.execute("UPDATE exchange SET at = at - 7 * 24 * 3600 * 1000", []).unwrap();
}

#[test]
fn trim_needs_yes_and_keeps_the_history_and_unknown_plants() {
    let (home, store) = (Home::new(), RawStore::saying("500 Whatever", ""));
    let base = store.url();
    home.plants_at(&base, &ADD).ended().orderly(4);
    let sure = Served::calm();
    home.plants_at(&sure.base, &ADD).ended().orderly(0);
    age(&home);
    let ended = home.plants_at(&sure.base, &["journal", "trim", "--older-than", "1d"]).ended().orderly(2);
    assert!(ended.stderr.contains("--yes"), "{ended:?}");
    for (arguments, requests) in [
        (&["--older-than", "30d", "--yes"][..], 0),
        (&["--older-than", "1d", "--dry-run"], 1),
        (&["--older-than", "1d", "--yes"], 1),
        (&["--older-than", "1d", "--yes"], 0),
    ] {
        let result =
            home.plants_at(&sure.base, &[&["journal", "trim", "--json"], arguments].concat()).ended().orderly(0).json();
        assert_eq!(result["requests"], requests, "{arguments:?}");
        assert_eq!(history(&home, &sure.base, &[]), ["add accepted Monstera 7"], "{arguments:?}");
    }
    assert_eq!(home.listed(&sure.base), monstera("stored"));
    let again = home.plants_at(&sure.base, &["add", "--from", "2", "--json"]).ended().orderly(1).json();
    assert_eq!(again["plant"], json!({"name": "Monstera", "id": 7, "tag": "tropical"}));
    // The request of an unknown plant is kept whole.
    let result =
        home.plants_at(&base, &["journal", "trim", "--older-than", "1d", "--yes", "--json"]).ended().orderly(0).json();
    assert_eq!(result["requests"], 0);
    // The least age is a day.
    for wrong in ["soon", "1m", "0s", "23h"] {
        home.plants_at(&base, &["journal", "trim", "--older-than", wrong, "--yes"]).ended().orderly(2);
    }
}

#[cfg(unix)]
#[test]
fn paths_prints_paths_and_sizes() {
    let home = Home::new();
    let result = home.plants(&["paths", "--json"]).ended().orderly(0).json();
    let (config, journal) = (home.path().join(".config/plants/config.toml"), home.data().join("journal.db"));
    assert_eq!((result["config_file"].as_str(), result["journal"].as_str()), (config.to_str(), journal.to_str()));
    assert_eq!((&result["config_file_bytes"], &result["journal_bytes"]), (&Value::Null, &Value::Null));
    home.config("# nothing");
    home.write("data/journal.db.corrupt-20260101T000000Z", "");
    home.write("data/journal.db.corrupt-20260101T000000Z-wal", "");
    home.plants_at("http://127.0.0.1:9", &["list", "--data-dir", "data"]).ended().orderly(0);
    let ended = home.plants(&["paths", "--data-dir", "data"]).ended().orderly(0);
    let lines: Vec<_> = ended.stdout.lines().collect();
    assert!(lines[0].ends_with("config.toml (9 bytes)"), "{ended:?}");
    assert!(lines[1].contains("data/journal.db (") && !lines[1].contains("not exist"), "{ended:?}");
    assert!(lines[2].starts_with("set aside") && lines.len() == 3, "{ended:?}");
}

#[test]
fn the_history_is_printed_as_curl_commands_and_as_a_report() {
    let (home, store) = (Home::new(), Served::calm());
    let hostile = "it's `rm` $(x) \u{9b}31m | <b>";
    home.plants_at(&store.base, &["add", "--id", "7", "--name", hostile, "--tag", "t"]).ended().orderly(0);
    home.plants_at("http://127.0.0.1:9", &["add", "--id", "8", "--name", "never", "--tag", "t"]).ended().orderly(3);
    let script = home.plants_at(&store.base, &["history", "--as", "curl"]).ended().orderly(0).stdout;
    assert!(script.contains(": # '#1: add it'\\''s") && script.contains("sends it once more"), "{script}");
    assert!(script.contains("curl -q") && script.contains("Bearer $PLANTS_TOKEN"), "{script}");
    assert!(!script.contains("never"), "{script}");
    let report = home.plants_at(&store.base, &["history", "--as", "markdown"]).ended().orderly(0).stdout;
    assert!(report.starts_with("# Requests to ") && report.contains("| outcome | accepted |"), "{report}");
    assert!(report.contains("| time spent | connection "), "{report}");
    assert!(report.contains("authorization: Bearer ********") && !report.contains("Bearer demo"), "{report}");
    home.plants_at(&store.base, &["history", "--as", "curl", "--json"]).ended().orderly(2);
    let nothing = home.plants_at(&store.base, &["history", "--as", "markdown", "id:99"]).ended().orderly(0);
    assert!(nothing.stdout.is_empty() && nothing.stderr.contains("No operation in the history of"), "{nothing:?}");
}
