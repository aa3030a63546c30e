//! Plain mode with a script on stdin: the whole job, and a transcript that says alone what is in the store.

use crate::support::Home;
use crate::support::raw::{RawStore, Reply};
use crate::support::served::Served;
use crate::support::{Ended, Run};

fn at(home: &Home, base: &str, lines: &[&str]) -> Ended {
    script(home.plants_at(base, &["--plain"]), lines).ended()
}

fn script(run: Run, lines: &[&str]) -> Run {
    run.stdin(lines.join("\n") + "\n")
}

/// Asserts that these lines are on stdout in this order, each once from its predecessor on.
#[track_caller]
fn assert_says(ended: &Ended, expected: &[&str]) {
    let mut lines = ended.stdout.lines();
    for expected in expected {
        assert!(lines.any(|line| line.contains(expected)), "{expected:?} is missing or out of order: {}", ended.stdout);
    }
}

/// What screen readers speak sign by sign: boxes, blocks and Braille.
fn is_drawn(sign: char) -> bool {
    matches!(sign, '\u{2500}'..='\u{259f}' | '\u{25a0}'..='\u{25ff}' | '\u{2800}'..='\u{28ff}')
}

#[test]
fn a_script_does_the_whole_job_and_its_transcript_tells_what_is_in_the_store() {
    let (home, store) = (Home::new(), Served::calm());
    home.write("plants.csv", "name,id,tag\nBasil,10,kitchen\nMint,11,kitchen\nMint,eleven,kitchen\n");
    let lines = [
        "add",
        "Monstera",
        "7",
        "tropical",
        "add",
        "Fern",
        "",
        "shade",
        "delete 7",
        "yes",
        "import plants.csv",
        "yes",
        "yes",
        "list",
        "history outcome:rejected",
        "history 1",
        "resolve",
        "check",
        "no",
        "list tag:kitchen",
    ];
    let ended = at(&home, &store.base, &lines);
    assert_eq!(ended.code, Some(3), "the check was not started: {ended:?}");
    assert_says(
        &ended,
        &[
            &format!("The store is {}: token set.", store.base),
            "The list has 0 plants.",
            "Name (default: empty; Ctrl-C leaves): Monstera",
            "Added Monstera (7): 201 Created",
            "Id (default: 8; Ctrl-C leaves): ",
            "Added Fern (8): 201 Created",
            "Delete Monstera (7) at",
            "Deleted Monstera (7): 204 No Content",
            "line 4, column 2 (id)",
            "1 row is bad. Leave bad rows out, and go on with 2 rows?",
            "To send: 2.",
            "Send 2 rows to",
            "3 plants: 3 stored.",
            "Fern (8), tag shade: stored.",
            "Basil (10), tag kitchen: stored.",
            "Mint (11), tag kitchen: stored.",
            "No operation in the history of",
            "accepted: Added Monstera (7): 201 Created",
            "POST /plants HTTP/1.1",
            "authorization: Bearer ********",
            "is unknown. Nothing was done.",
            "Start the check?",
            "Matching: 2 plants. The list has 3 plants: 3 stored.",
        ],
    );
    let ended = ended.harmless();
    assert!(!ended.stdout.contains(is_drawn) && ended.stderr.is_empty(), "{ended:?}");
    let stored = home.states(&store.base);
    assert_eq!(stored.into_keys().collect::<Vec<_>>(), [8, 10, 11]);
    assert_eq!(store.log().len(), 5, "no more than the script requested");
}

#[test]
fn an_import_sends_nothing_without_a_yes_and_names_the_rows_that_it_does_not_send() {
    let (home, store) = (Home::new(), Served::calm());
    home.write("plants.csv", "name,id,tag\nBasil,10,kitchen\nMint,10,kitchen\n,11,kitchen\n");
    let ended = at(&home, &store.base, &["import plants.csv", ""]);
    assert_says(
        &ended,
        &[
            "line 3: Mint (10) is not sent: line 2 has the same id, with another name or tag.",
            "In line 4, the name is empty. It is sent as it is.",
            "To send: 2.",
            "Send 2 rows to",
            "Nothing was sent.",
        ],
    );
    assert!(store.log().is_empty());
}

#[test]
fn a_plant_is_found_by_its_name_if_only_one_has_it() {
    let (home, store) = (Home::new(), Served::calm());
    let add = |name: &'static str, id: &'static str| ["add", name, id, "shade"];
    let plants = [add("Moss", "7"), add("Fern", "8"), add("Fern", "9"), add("Tree fern", "10")].concat();
    let lines = ["delete MOSS", "yes", "delete fern", "delete tree", "delete oak", "delete 'tree fern'", "no", "list"];
    let ended = at(&home, &store.base, &[plants.as_slice(), &lines].concat());
    assert_says(
        &ended,
        &[
            "Delete Moss (7) at",
            "Deleted Moss (7): 204 No Content",
            "which plant is meant? fern is in the name of Fern (8), Fern (9), Tree fern (10). Type the id,",
            "which plant is meant? tree is in the name of Tree fern (10). Type the id,",
            "no plant in the list is called oak. list shows names and ids.",
            "Delete Tree fern (10) at",
            "3 plants: 3 stored.",
        ],
    );
    assert_eq!(store.log().len(), 5);
}

#[test]
fn an_unknown_plant_is_resolved_by_question_and_answer() {
    let home = Home::new();
    let store = RawStore::replying(vec![Reply::Says(Vec::new()), Reply::of("201 Created", "{}")]);
    let lines =
        ["add", "Fern", "8", "shade", "list", "resolve 8 --dry-run", "resolve", "?", "2", "yes", "list", "resolve 8"];
    let ended = at(&home, &store.url(), &lines);
    assert_eq!(ended.code, Some(4), "the gravest outcome: {ended:?}");
    assert_says(
        &ended,
        &[
            "The plant stays in the list as unknown: decide about it with resolve.",
            "Fern (8), tag shade: unknown.",
            "say what to do about them: --stored, --forget, --delete or --resend.",
            "Decide: 1 skip, 2 send again, 3 delete at the store, 4 stored without a request, 5 forget without a request (",
            "Skip: it stays unknown.",
            "A plant that is added again may then be stored twice.",
            "Added Fern (8): 201 Created",
            "Fern (8), tag shade: stored.",
            "can be resolved: Fern (8) is stored.",
        ],
    );
    assert_eq!(store.received().len(), 2);
}

#[test]
fn an_unknown_delete_is_sent_again_or_not() {
    let home = Home::new();
    let store = RawStore::replying(vec![Reply::of("201 Created", "{}"), Reply::Says(Vec::new())]);
    let ended = at(&home, &store.url(), &["add", "Fern", "8", "shade", "delete 8", "yes", "resolve", "3", "list"]);
    let decide = "Decide: 1 skip, 2 send again, 3 stored without a request, 4 forget without a request (default: skip; ? explains";
    assert_says(&ended, &[decide, "Marked Fern (8) as stored", "Fern (8), tag shade: stored."]);
}

#[test]
fn several_unknown_plants_are_resolved_together() {
    let (home, store) = (Home::new(), RawStore::replying(vec![Reply::Says(Vec::new())]));
    let add = |id: &'static str| ["add", "Fern", id, "shade"];
    let decide = ["resolve", "no", "forget", "yes", "list"];
    let ended = at(&home, &store.url(), &[add("1").as_slice(), &add("2"), &decide].concat());
    let question = "Forget 2 unknown plants at";
    assert_says(&ended, &["2 unknown plants: Fern (1), Fern (2).", question, "Removed Fern (2)", "The list is empty."]);
    assert_eq!(store.received().len(), 2);
}

#[test]
fn an_invalid_line_of_a_script_sends_nothing_and_the_rest_is_carried_out() {
    let (home, store) = (Home::new(), Served::calm());
    // The tag of the invalid plant is no command, and the answer that is none is the next command.
    let lines = ["add", "Fern", "eight", "shade", "delte 3", "delete 3", "list", "add", "Mint", "9", "kitchen"];
    let ended = at(&home, &store.base, &lines);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert_says(
        &ended,
        &[
            "Invalid: the id is not a whole number",
            "Nothing was sent.",
            "There is no command shade.",
            "There is no command delte; did you mean delete? help lists the commands.",
            "It is not in the list; somebody else may have added it.",
            "it is taken as no, and as the next command.",
            "Nothing was sent.",
            "The list is empty.",
            "Added Mint (9)",
        ],
    );
    assert_eq!(store.log().len(), 1);
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_no_part_of_it() {
    let (home, store) = (Home::new(), Served::calm());
    let ended = at(&home, &store.base, &["\u{feff}add Fern --id 7 --tag t"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(at(&home, &store.base, &["list", "\u{feff}list"]).stdout.contains("There is no command ‹U+FEFF›list"));
}

#[test]
fn the_end_of_the_input_in_a_question_sends_nothing() {
    let (home, store) = (Home::new(), Served::calm());
    for lines in [["add", "Fern", "8"].as_slice(), &["delete 7"]] {
        let ended = at(&home, &store.base, lines);
        assert_eq!(ended.code, Some(3), "{ended:?}");
        assert!(ended.stdout.ends_with("\nNothing was sent.\n"), "{ended:?}");
    }
    assert!(store.log().is_empty());
}

#[test]
fn flag_over_environment_over_file_decides_about_plain_mode() {
    let (home, lines) = (Home::new(), ["list"]);
    let plain = |run: Run| script(run, &lines).ended().stdout.contains("plain mode.");
    assert!(plain(home.plants(&["--demo", "--plain"]).env("PLANTS_PLAIN", "0")));
    assert!(plain(home.plants(&["--demo"]).env("PLANTS_PLAIN", "1")));
    assert!(!plain(home.plants(&["--demo"])));
    // A pipe is no terminal that decides by its name.
    assert!(!plain(home.plants(&["--demo"]).env("TERM", "dumb")));
    home.config("plain = true\n");
    assert!(plain(home.plants(&["--demo"])));
    assert!(!plain(home.plants(&["--demo"]).env("PLANTS_PLAIN", "0")));
    let wrong = home.plants(&["--demo"]).env("PLANTS_PLAIN", "maybe").ended().orderly(2);
    assert!(wrong.stderr.contains("PLANTS_PLAIN: write 1, true, 0 or false"), "{wrong:?}");
}

#[test]
fn plain_mode_needs_a_token_before_it_sends_and_none_to_read() {
    let home = Home::new();
    let run = home.plants(&["--plain", "--base-url", "http://127.0.0.1:9"]);
    let ended = script(run, &["list", "token", "add", "list"]).ended();
    let no_token = "no token for http://127.0.0.1:9: set PLANTS_TOKEN";
    assert_says(&ended, &["no token.", "The list is empty.", "A token is typed on a terminal only", no_token]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let gone = home.plants(&["--plain", "--base-url", "http://127.0.0.1:9", "--token-file", "gone"]);
    let ended = script(gone, &["delete 7 --yes", "list"]).ended();
    assert_says(&ended, &["No token from file gone", "permissions. Nothing was sent.", "The list is empty."]);
    assert!(!ended.stdout.contains("set PLANTS_TOKEN") && ended.code == Some(2), "{ended:?}");
    let stdin = script(home.plants_at("http://127.0.0.1:9", &["--plain", "--token-stdin"]), &["list"]).ended();
    assert!(stdin.orderly(2).stderr.contains("stdin can be only one of them"));
}

#[test]
fn old_requests_are_trimmed_in_plain_mode_alone_if_an_age_is_chosen() {
    let (home, store) = (Home::new(), Served::calm());
    home.config("trim_after = \"90d\"\n");
    at(&home, &store.base, &["add", "Fern", "8", "shade"]);
    let open = || rusqlite::Connection::open(home.data().join("journal.db")).unwrap();
    open().execute_batch("UPDATE exchange SET at = 0, started = 0").unwrap();
    // A later request shows that time has passed.
    home.plants_at(&store.base, &["add", "--id", "9", "--name", "Ivy", "--tag", "t"]).ended().orderly(0);
    let whole = "SELECT count(*) FROM exchange WHERE request IS NOT NULL AND at = 0";
    let is_whole = || open().query_row(whole, [], |found| found.get::<_, i64>(0)).unwrap() > 0;
    assert!(is_whole(), "a subcommand trims nothing");
    // It trims in the background, and stops at the end of the program.
    assert!((0..100).any(|_| at(&home, &store.base, &["list", "history"]).code == Some(0) && !is_whole()));
}

#[test]
fn a_read_only_store_is_listed_and_gets_nothing() {
    let (home, store) = (Home::new(), Served::calm());
    let run = home.plants_at(&store.base, &["--plain", "--read-only"]);
    let ended = script(run, &["add", "list"]).ended();
    assert_says(&ended, &["read-only.", "this store is read-only here", "The list is empty."]);
    assert!(store.log().is_empty());
}

#[test]
fn the_demo_store_begins_with_plants_and_a_check_of_it_passes() {
    let home = Home::new();
    let ended = script(home.plants(&["--plain"]), &["list", "check", "quit", "list"]).ended().harmless();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_says(&ended, &["This is the demo store at", "6 plants: 6 stored.", "A Plant Store: all 15 rules pass."]);
    assert_eq!(ended.stdout.matches("6 plants: 6 stored.").count(), 2, "nothing after quit: {}", ended.stdout);
    assert!(!ended.stdout.contains(is_drawn), "{}", ended.stdout);
}

#[test]
fn a_line_that_cannot_be_read_is_a_fault_of_the_script_and_no_line_is_read_without_end() {
    let (home, store) = (Home::new(), Served::calm());
    let plain = |input: Vec<u8>| home.plants_at(&store.base, &["--plain"]).stdin(input).ended().orderly(2);
    let ended = plain(b"add Pl\xe4nt --id 5 --tag t\nlist\n".to_vec());
    assert_says(&ended, &["That is not UTF-8.", "The list is empty."]);
    assert!(!ended.stdout.contains("Type quit"), "{}", ended.stdout);
    let long = vec![b'5'; 17 * 1024 * 1024];
    let ended = plain([&long[..], b"\nlist\n"].concat());
    assert_says(&ended, &["That is longer than 16 MiB: what follows is not read."]);
    assert!(ended.stdout.len() < 1000, "it is not repeated");
    let folder = home.program("sh", &["-c", "exec \"$0\" --plain --demo < .", env!("CARGO_BIN_EXE_plants")]);
    assert_says(&folder.ended().orderly(2), &["standard input cannot be read: Is a directory"]);
    for verb in [&["delete", "-", "--yes"][..], &["resolve", "-", "--stored", "--yes"]] {
        let ended = home.plants_at(&store.base, verb).stdin(&long[..]).ended().orderly(2);
        assert!(ended.stderr.contains("standard input cannot be read: it is longer than 16 MiB"), "{ended:?}");
    }
    assert!(store.log().is_empty());
}

#[test]
#[cfg(target_os = "linux")]
fn a_conversation_that_cannot_be_written_ends_and_sends_nothing() {
    let (home, store) = (Home::new(), Served::calm());
    let mut run = script(home.plants_at(&store.base, &["--plain"]), &["add Fern --id 7 --tag shade", "list"]);
    run.command.stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let ended = run.ended().orderly(3);
    assert!(ended.stderr.contains("the conversation cannot be written to stdout. Nothing more was sent."), "{ended:?}");
    assert_eq!(store.log(), [""; 0]);
}
