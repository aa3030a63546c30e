//! One language: a shell and plain mode do the same with the same lines.

use super::*;

/// Lines, and whether they print JSON that both print alike.
const LINES: [&str; 10] = [
    "add 'Big fern' --tag shade --id 7 --json",
    "add Moss --tag shade --next-id --json",
    "ls 'tag:shade !moss' --json",
    "list --sort -name -n 1 --json",
    "history 1 --json",
    "requests outcome:accepted -n 1 --json",
    "rm 'big fern' 8 --yes --json",
    "export --match state:stored -o ndjson",
    "resolve --all --forget --yes --json",
    "check --gentle --yes -o json",
];

/// Leaves out what differs from run to run: times, and ports.
fn steady(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !matches!(
                    name.as_str(),
                    "elapsed_ms" | "latency_ms" | "phases_ms" | "started" | "message" | "headers" | "url" | "store"
                ) && !matches!(name.as_str(), "rules" | "undocumented" | "diagnosis")
            });
            for (_, field) in fields.iter_mut() {
                *field = steady(field.take());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = steady(item.take())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    value
}

/// Returns the values that are printed, sorted: deletes of several end in any order.
fn values(text: &str) -> Vec<Value> {
    let values = text.lines().filter_map(|line| serde_json::from_str(line).ok()).map(steady);
    let mut values: Vec<_> = values.filter(|value| !value.is_number()).collect();
    values.sort_by_key(Value::to_string);
    values
}

#[test]
fn a_shell_and_plain_mode_do_the_same_with_the_same_lines() {
    let (home, store) = (Home::new(), Served::calm());
    let mut in_shell = Vec::new();
    for line in LINES {
        let words = shlex::split(line).unwrap();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let ended = home.plants_at(&store.base, &words).ended().harmless();
        assert!(matches!(ended.code, Some(0)), "{line}: {ended:?}");
        in_shell.extend(values(&ended.stdout));
    }
    in_shell.sort_by_key(Value::to_string);
    let (home, store) = (Home::new(), Served::calm());
    let conversation = home.plants_at(&store.base, &["--plain"]).stdin(LINES.join("\n") + "\n").ended().orderly(0);
    assert_eq!(values(&conversation.stdout), in_shell, "{conversation:?}");
}

#[test]
fn help_is_the_same_in_every_form() {
    let home = Home::new();
    let of = |arguments: &[&str]| home.plants(arguments).ended().orderly(0).stdout;
    assert_eq!(of(&["help", "add"]), of(&["add", "--help"]));
    let (short, long) = (of(&["add", "-h"]), of(&["add", "--help"]));
    assert!(!short.contains("--base-url") && long.contains("--base-url"), "{short}");
    for help in [&short, &long] {
        let (before, after) = help.split_once("Examples:").unwrap();
        assert!(before.contains("Usage:") && after.contains("Options:"), "{help}");
    }
    assert!(of(&["journal", "trim", "-h"]).contains("--older-than"));
}

#[test]
fn profiles_are_listed_shown_and_chosen() {
    let home = Home::new();
    home.config(
        "# mine\n[profile.staging]\nbase_url = 'http://127.0.0.1:9'\n[profile.live]\nbase_url = 'https://p.example'\n",
    );
    let listed = home.plants(&["profile", "--json"]).ended().orderly(0).json();
    assert_eq!(
        listed[0],
        json!({"name": "staging", "base_url": "http://127.0.0.1:9", "in_use": false, "read_only": false})
    );
    home.plants(&["profile", "use", "live"]).ended().orderly(0);
    let listed = home.plants(&["profile"]).ended().orderly(0).stdout;
    assert!(listed.contains("* live") && listed.contains("  staging"), "{listed}");
    let shown = home.plants(&["profile", "show", "staging"]).ended().orderly(0).stdout;
    assert!(shown.contains("http://127.0.0.1:9"), "{shown}");
    let absent = home.plants(&["profile", "use", "stagin"]).ended().orderly(2);
    assert!(absent.stderr.contains("did you mean staging?"), "{absent:?}");
}

#[test]
fn a_store_on_this_machine_needs_no_scheme_and_a_timeout_no_unit() {
    let (home, store) = (Home::new(), Served::calm());
    let port = store.base.rsplit_once(':').unwrap().1;
    for url in [format!(":{port}"), format!("127.0.0.1:{port}")] {
        let mut run = home.plants(&["list", "--base-url", &url, "--timeout", "5", "--json"]);
        run = run.env("PLANTS_TOKEN", "demo");
        assert_eq!(run.ended().orderly(0).stdout, "[]\n");
    }
    let ended = home.plants(&["list", "--base-url", "plants.example:80"]).env("PLANTS_TOKEN", "t").ended().orderly(2);
    assert!(ended.stderr.contains("write https://plants.example:80"), "{ended:?}");
}
