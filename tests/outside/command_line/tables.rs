//! Tables in a pipe or a file are for programs: neither the terminal nor the pager nor colours change a byte of them.

use crate::support::raw::{RawStore, Reply};
use crate::support::served::Served;
use crate::support::{Home, Run};

/// A name with characters of every width, and one that a terminal would obey.
const NAMES: [&str; 3] = ["Monstera", "漢字の木", "\u{1b}[2Jevil\u{202e}"];

/// Sets everything that changes the tables on a terminal.
fn as_on_a_terminal(run: Run) -> Run {
    let variables = [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("COLORFGBG", "15;0"), ("LESS", "FRX")];
    let pagers = [("PAGER", "false"), ("PLANTS_PAGER", "false")];
    variables.into_iter().chain(pagers).fold(run, |run, (name, value)| run.env(name, value))
}

/// Three plants, the last one unknown, and a rejected delete.
fn filled() -> (Home, RawStore) {
    let home = Home::new();
    let accepted = Reply::of("201 Created", r#"{"name":"Monstera","tag":"tropical"}"#);
    let rejected = Reply::of("404 Not Found", "");
    let store = RawStore::replying(vec![accepted.clone(), accepted, Reply::Says(Vec::new()), rejected]);
    for (id, (name, code)) in (7..).zip(NAMES.into_iter().zip([0, 0, 4])) {
        let id = id.to_string();
        home.plants_at(&store.url(), &["add", "--id", &id, "--name", name, "--tag", "a tag of more than 24 columns"])
            .ended()
            .orderly(code);
    }
    home.plants_at(&store.url(), &["delete", "-12", "--yes"]).ended().orderly(1);
    (home, store)
}

/// Replaces the time that ends a line, like 2026-01-31 12:00:00.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.rsplitn(3, ' ').collect::<Vec<_>>().as_slice() {
        [time, date, before] if time.len() == 8 && date.len() == 10 && !line.starts_with('[') => {
            format!("{before} TIME\n")
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn the_list_in_a_pipe_is_plain_text() {
    let (home, store) = filled();
    let expected = concat!(
        "ID  NAME              TAG                            STATE    SINCE\n",
        " 7  Monstera          a tag of more than 24 columns  stored   TIME\n",
        " 8  漢字の木          a tag of more than 24 columns  stored   TIME\n",
        " 9  ␛[2Jevil‹U+202E›  a tag of more than 24 columns  unknown  TIME\n",
    );
    let json = concat!(
        r#"[{"name":"Monstera","id":7,"tag":"a tag of more than 24 columns","state":"stored"},"#,
        r#"{"name":"漢字の木","id":8,"tag":"a tag of more than 24 columns","state":"stored"},"#,
        r#"{"name":"\u001b[2Jevil\u202e","id":9,"tag":"a tag of more than 24 columns","state":"unknown"}]"#,
        "\n"
    );
    for (arguments, expected) in [(&["list"][..], expected), (&["list", "--json"], json)] {
        for arguments in [arguments, &[arguments, &["--ascii", "--no-color", "--no-pager"]].concat()] {
            let piped = home.plants_at(&store.url(), arguments).ended().orderly(0);
            assert_eq!(timeless(&piped.stdout), expected, "{arguments:?}");
            let ended = as_on_a_terminal(home.plants_at(&store.url(), arguments)).ended().orderly(0);
            assert_eq!((timeless(&ended.stdout).as_str(), ended.stderr.as_str()), (expected, ""), "{arguments:?}");
        }
    }
}

/// Removes the sequences of colours and styles.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').unwrap().1)
}

#[test]
fn a_pipe_gets_colours_only_where_a_variable_forces_them() {
    let (home, store) = filled();
    let list = |arguments: &[&str], variables: &[(&str, &str)]| {
        let run = home.plants_at(&store.url(), arguments);
        let run = variables.iter().fold(as_on_a_terminal(run), |run, (name, value)| run.env(name, value));
        let ended = run.ended();
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        ended.stdout
    };
    let plain = list(&["list"], &[]);
    for (name, value) in [("FORCE_COLOR", "1"), ("CLICOLOR_FORCE", "1")] {
        let colored = list(&["list"], &[(name, value)]);
        assert!(colored.contains("\u{1b}[38;"), "{colored:?}");
        let text = without_styles(&colored);
        assert!(text.contains("a tag of more than 24 columns") && text.contains("漢字の木"), "{text:?}");
        assert!(text.contains("␛[2Jevil‹U+202E›"), "{text:?}");
        // Without a terminal, as in a pipeline that builds something.
        assert!(list(&["list"], &[(name, value), ("TERM", "dumb")]).contains("\u{1b}["));
        assert_eq!(list(&["list"], &[(name, value), ("NO_COLOR", "1")]), plain);
        assert_eq!(list(&["list", "--no-color"], &[(name, value)]), plain);
        assert_eq!(list(&["list", "--json"], &[(name, value)]), list(&["list", "--json"], &[]));
        assert!(list(&["history"], &[(name, value)]).contains("\u{1b}["));
    }
    assert_eq!(list(&["list"], &[("FORCE_COLOR", "0"), ("CLICOLOR_FORCE", "")]), plain);
}

#[test]
fn the_history_in_a_pipe_is_plain_text() {
    let (home, store) = filled();
    let ended = as_on_a_terminal(home.plants_at(&store.url(), &["history"])).ended().orderly(0);
    let heading = ended.stdout.lines().next().unwrap();
    let headings: Vec<_> = heading.split_whitespace().collect();
    assert_eq!(headings, ["ENTRY", "STARTED", "OPERATION", "OUTCOME", "STATUS", "TIME", "PLANT"]);
    // Times differ from run to run.
    let timeless = |line: &str| {
        let (before, plant) = line.split_at(heading.find("PLANT").unwrap());
        let cells: Vec<_> = before.split_whitespace().collect();
        format!("{} {} {plant}", cells[0], cells[3..6].join(" "))
    };
    assert_eq!(
        ended.stdout.lines().skip(1).map(timeless).collect::<Vec<_>>(),
        [
            "#4 delete rejected 404 plant -12",
            "#3 add unknown - ␛[2Jevil‹U+202E› (9)",
            "#2 add accepted 201 漢字の木 (8)",
            "#1 add accepted 201 Monstera (7)",
        ]
    );
    let bare = home.plants_at(&store.url(), &["history"]).ended().orderly(0);
    assert_eq!((bare.stdout, bare.stderr), (ended.stdout, ended.stderr));
}

#[test]
fn a_reader_that_ends_early_is_no_error() {
    let (home, store) = (Home::new(), Served::calm());
    // Each output is longer than a pipe holds.
    let rows: Vec<_> = (0..3_000).map(|id| format!("{id},Fern,shade\n")).collect();
    let file = home.write("plants.csv", format!("id,name,tag\n{}", rows.concat()));
    home.plants_at(&store.base, &["import", file.to_str().unwrap()]).ended().orderly(0);
    for arguments in ["list", "history", "list --json"] {
        let script = format!("{{ \"$0\" {arguments}; echo \"code $?\" >&2; }} | head -c 70");
        let run = home.program("sh", &["-c", &script, env!("CARGO_BIN_EXE_plants")]);
        let run = run.env("PLANTS_BASE_URL", &store.base).env("PLANTS_TOKEN", "demo");
        let ended = as_on_a_terminal(run).ended().orderly(0);
        assert_eq!((ended.stdout.len(), ended.stderr.as_str()), (70, "code 0\n"), "{ended:?}");
    }
}

#[test]
fn the_check_in_a_pipe_has_neither_marks_nor_colours() {
    let (home, store) = (Home::new(), Served::calm());
    let check = ["check", "--yes", "--pace", "0s", "--only", "create-accepted"];
    let ended = as_on_a_terminal(home.plants_at(&store.base, &check)).ended().orderly(0);
    let (diagnosis, rest) = ended.stdout.split_once('\n').unwrap();
    assert_eq!(diagnosis, "A Plant Store: the one rule passes.");
    assert!(rest.contains("\n  4.1  A create"), "{rest}");
    assert!(!ended.stdout.contains('✓'), "{rest}");
}
