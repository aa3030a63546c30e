//! `plants config`: the example, the settings in force with their sources, and every fault at once.

use serde_json::Value;

use super::*;

const TOKEN: &str = "canary-canary-canary";

#[test]
fn the_example_is_a_valid_config_file_and_sets_nothing() {
    let home = Home::new();
    let example = home.plants(&["config", "--example"]).ended().orderly(0).stdout;
    assert!(example.contains("\n# the profile to use\n#default = \"staging\"\n"), "{example}");
    assert!(
        example.contains("\n#client_cert = \"me.pem\"\n") && example.contains("\n#[profile.staging]\n"),
        "{example}"
    );
    home.config(&example);
    let checked = home.plants(&["config", "--json"]).ended().orderly(0).json();
    assert_eq!((&checked["settings"], &checked["store"]), (&Value::Array(Vec::new()), &Value::Null));
}

#[test]
fn a_config_file_with_a_fault_is_there_and_a_default_that_is_missing_can_be_replaced() {
    let home = Home::new();
    let profiles = "[profile.a]\nbase_url = 'https://a.example'\n";
    let config = home.config(format!("default = 'b'\n{profiles}"));
    let checked = home.plants(&["config", "--json"]).ended().orderly(2).json();
    let file = (&checked["config_file"], &checked["config_file_exists"], &checked["faults"][0]["line"]);
    assert_eq!(file, (&config.display().to_string().into(), &true.into(), &1.into()), "{checked}");
    home.plants(&["profile", "use", "b"]).ended().orderly(2);
    home.plants(&["profile", "use", "a"]).ended().orderly(0);
    assert_eq!(home.plants(&["config", "--json"]).ended().orderly(0).json()["profile"], "a");
}

#[test]
fn each_setting_in_force_is_listed_with_its_source_and_without_secrets() {
    let store = RawStore::saying("201 Created", "{}");
    let home = Home::new();
    let config = home.config(format!(
        "theme = 'light'\ndefault = 'staging'\n[profile.staging]\nbase_url = '{}'\ntoken_command = ['echo', '{TOKEN}']\n\
         timeout = '2m'\nproxy = 'http://u:{TOKEN}@proxy.example:3128'\ncolor = 'red'\n\
         headers = {{ X-Key = {{ command = ['echo', '{TOKEN}'] }} }}\n",
        store.url()
    ));
    let words = ["config", "--timeout", "5s"];
    let run = |words: &[&str]| home.plants(words).env("NO_COLOR", "1").env("PLANTS_TOKEN", TOKEN).ended().orderly(0);
    let (shown, json) = (run(&words), run(&[&words[..], &["--json", "--check"]].concat()));
    for ended in [&shown, &json] {
        assert!(!format!("{ended:?}").contains(TOKEN), "{ended:?}");
    }
    let (checked, file) = (json.json(), config.display().to_string());
    assert_eq!(checked["valid"], true);
    assert_eq!((&checked["store"], &checked["profile"]), (&Value::from(store.url()), &Value::from("staging")));
    let of_profile = format!("profile staging in {file}");
    for (name, value, from) in [
        ("timeout", "5s", "--timeout"),
        ("no_color", "true", "$NO_COLOR"),
        ("profile", "staging", &file),
        ("theme", "light", &file),
        ("base_url", &store.url(), &of_profile),
        ("token", "the command echo", &of_profile),
        ("headers", "x-key from the command echo", &of_profile),
        ("color", "red", &of_profile),
    ] {
        let is_it = |one: &&Value| one["name"] == name;
        let one = checked["settings"].as_array().unwrap().iter().find(is_it).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((one["value"].as_str(), one["from"].as_str()), (Some(value), Some(from)), "{name}");
        let is_shown = |line: &str| line.starts_with(name) && line.ends_with(&format!("  {value}  ({from})"));
        assert!(shown.stdout.lines().any(is_shown), "{name}: {shown:?}");
    }
    assert!(!shown.stdout.contains("proxy"), "loopback goes direct: {shown:?}");
    assert!(shown.stderr.contains("The configuration is valid. Nothing was sent."), "{shown:?}");
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn a_token_of_another_store_is_not_said_to_be_in_force() {
    let home = Home::new();
    home.config("[profile.a]\nbase_url = 'https://a.example'\ntoken_file = 't'\nallow_http = true\n");
    let words = ["config", "--profile", "a", "--base-url", "https://b.example"];
    let shown = home.plants(&words).ended().orderly(0).stdout;
    assert!(shown.contains("a prompt  (the token of profile \"a\" is for https://a.example alone)"), "{shown}");
    assert!(!shown.contains("allow_http"), "{shown}");
    let demo = home.plants(&["config", "--demo"]).ended().orderly(0).stdout;
    assert!(demo.contains("the demo store  (--demo)") && !demo.contains("a.example"), "{demo}");
}

#[test]
fn a_secret_that_is_not_there_and_a_token_without_effect_are_warnings() {
    let home = Home::new();
    home.config(
        "[profile.unset]\nbase_url = 'https://a.example'\ntoken_env = 'NOT_SET'\n\
         headers = { X-Key = { file = 'no-key' } }\n\
         [profile.command]\nbase_url = 'https://a.example'\ntoken_command = ['no-such-program']\n\
         team = 'tls://t.example'\nteam_nkey = 'no-nkey'\n\
         [profile.there]\nbase_url = 'https://a.example'\ntoken_command = ['sh', '-c', 'exit 1']\n",
    );
    for (profile, warnings) in [
        (
            "unset",
            &["There is no token from $NOT_SET: the variable is not set", "There is no header x-key from file "][..],
        ),
        (
            "command",
            &[
                "There is no token from the command no-such-program: there is no such program",
                "There is no team's secret from file ",
            ],
        ),
        ("there", &[]),
    ] {
        let run = |more: &[&str]| {
            let words = [&["config", "--profile", profile], more].concat();
            home.plants(&words).env("PLANTS_TOKEN", TOKEN).ended().orderly(0)
        };
        let of_token = ["Not used here: PLANTS_TOKEN, as the token comes from "];
        let expected = [warnings, &of_token].concat();
        let json = run(&["--json"]).json();
        let found: Vec<_> = json["warnings"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(&expected).all(|(found, expected)| found.starts_with(expected)), "{found:?}");
        let stderr = run(&[]).stderr;
        assert!(found.iter().all(|warning| stderr.contains(&format!("Warning: {warning}"))), "{stderr}");
    }
}

#[test]
fn every_fault_is_listed_at_once() {
    let home = Home::new();
    let path = home.config("theme = 'drak'\n[profile.a]\ntimeout = 'soon'\n");
    let ended = home.plants(&["config", "--check", "--base-url", "ftp://h"]).ended().orderly(2);
    for part in
        [":1: theme: \"drak\" is none of", ":3: profile.a.timeout: \"soon\" is no", "--base-url: a base URL is http"]
    {
        assert!(ended.stderr.contains(part), "{ended:?}");
    }
    let checked = home.plants(&["config", "--json"]).ended().orderly(2).json();
    assert_eq!((&checked["valid"], checked["faults"].as_array().unwrap().len()), (&Value::Bool(false), 2));
    let first = &checked["faults"][0];
    assert_eq!(
        (first["file"].as_str(), &first["line"], first["key"].as_str()),
        (path.to_str(), &Value::from(1), Some("theme"))
    );
    home.plants(&["config", "--check", "--example"]).ended().orderly(2);
    home.plants(&["config", "--example", "--json"]).ended().orderly(2);
}
