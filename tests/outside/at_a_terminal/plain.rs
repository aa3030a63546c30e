//! Plain mode on a terminal: its prompts, the keys that leave it, and what never reaches the screen.

use super::pty::{Pty, Start, contains};
use super::{PLANTS, plants};
use crate::support::Home;
use crate::support::raw::{RawStore, Reply};
use rustix::process::Signal;

const COMMAND: &str = "Command (help lists them, quit ends):";

/// Waits until so many prompts for a command were printed.
fn prompts(pty: &Pty, count: usize) {
    pty.until("a prompt", |screen, _| screen.contents().matches(COMMAND).count() == count);
}

/// Every byte that the program wrote, without the marks of prompts.
fn without_marks(raw: &[u8]) -> String {
    let mut text = String::from_utf8(raw.to_vec()).unwrap();
    for mark in ["A", "B", "C", "D;0", "D;2", "D;3", "D;4"] {
        text = text.replace(&format!("\x1b]133;{mark}\x1b\\"), "");
    }
    text
}

fn at(base: &str) -> Start {
    plants(&["--plain", "--base-url", base])
}

#[test]
fn nothing_but_lines_and_marks_of_prompts_is_written_and_the_scrollback_keeps_them() {
    let mut pty = plants(&["--plain", "--demo"]).open();
    prompts(&pty, 1);
    pty.press("add\r").shows("Name (default: empty").press("Fern\r").shows("Id (default: 7").press("\r");
    pty.shows("Tag (default: empty").press("shade\r").shows("Added Fern (7): 201 Created");
    prompts(&pty, 2);
    pty.press("list state:stored\r").shows("Fern (7), tag shade: stored.");
    prompts(&pty, 3);
    pty.press("quit\r").shows("Quit?").press("yes\r");
    assert_eq!(pty.end().code, 0);
    pty.assert_restored();
    let raw = pty.raw();
    assert!(contains(&raw, b"\x1b]133;A\x1b\\Command") && contains(&raw, b"\x1b]133;D;0\x1b\\"));
    let text = without_marks(&raw);
    assert!(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\r'), "{text:?}");
}

#[test]
fn ascii_writes_only_ascii_and_a_question_takes_no_answer_typed_before_it() {
    let mut pty = plants(&["--plain", "--demo"]).env("LC_ALL", "C").open();
    prompts(&pty, 1);
    pty.press("add \u{11b}2J --id 50 --tag t\r").shows("Added e2J (50)");
    prompts(&pty, 2);
    pty.press("delete 50\ry\r").shows("Delete e2J (50)").press("n\r").shows("Nothing was sent.");
    prompts(&pty, 3);
    pty.press("quit\r").shows("Quit?").press("yes\r");
    assert_eq!(pty.end().code, 0);
    // The terminal echoes what is typed.
    let raw = without_marks(&pty.raw()).replace('\u{11b}', "");
    assert!(raw.is_ascii(), "{raw:?}");
}

#[test]
fn a_terminal_without_escape_sequences_opens_plain_mode_without_marks() {
    let mut pty = plants(&["--demo"]).env("TERM", "dumb").open();
    prompts(&pty, 1);
    pty.press("quit\r");
    assert_eq!(pty.end().code, 0);
    assert!(!contains(&pty.raw(), b"\x1b"));
}

#[test]
fn a_typed_token_is_not_shown_and_a_question_that_is_left_sends_nothing() {
    let store = RawStore::saying("201 Created", "{}");
    let mut pty = at(&store.url()).open();
    pty.shows("Token:").press("two words\r").shows("unbroken word");
    pty.until("another prompt", |screen, _| screen.contents().matches("Token:").count() == 2);
    pty.press("canary-token\r").shows("The token is set.");
    pty.press("add\r").shows("Name (default").press("\x03").shows("Nothing was sent.");
    prompts(&pty, 2);
    pty.press("add\r").until("the name again", |screen, _| screen.contents().matches("Name (default").count() == 2);
    pty.press("Fern\r").shows("Id (default: 1").press("one\r").shows("Invalid: the id is not a whole number");
    pty.press("1\r").shows("Tag (default").press("\r").shows("Send Fern (1), no tag, to").press("y\r");
    pty.shows("Added Fern (1)");
    prompts(&pty, 3);
    pty.press("\x04");
    assert_eq!(pty.end().code, 0);
    let [request] = store.received().try_into().unwrap();
    assert!(request.contains("canary-token") && !contains(&pty.raw(), b"canary-token"), "{request}");
}

#[test]
fn ctrl_c_cancels_a_request_and_twice_at_the_prompt_ends_the_program() {
    let store = RawStore::replying(vec![Reply::Nothing]);
    let mut pty = at(&store.url()).env("PLANTS_TOKEN", "t").open();
    prompts(&pty, 1);
    pty.press("add\r").shows("Name (default").press("Fern\r").shows("Id (default").press("\r");
    pty.shows("Tag (default").press("shade\r");
    store.next_request();
    pty.shows("No response yet to 1 request").press("\x03").shows("cancelled while it was in flight");
    prompts(&pty, 2);
    pty.press("\x03").shows("Type quit to end the program");
    prompts(&pty, 3);
    pty.press("\x03");
    assert_eq!(pty.end().code, 130);
    pty.assert_restored();
}

/// Begins in a terminal that hands on more than a line at once, as that of a shell that edits its line.
const AFTER_A_SHELL: &str = r#"stty -icanon; echo ready; dd bs=1 count=1 >/dev/null 2>&1; stty icanon; exec "$0" "$@""#;

#[test]
fn an_answer_that_was_read_together_with_its_command_is_no_answer() {
    let mut pty = Start::script(AFTER_A_SHELL, PLANTS).args(&["--plain", "--demo"]).open();
    pty.shows("ready").press("xlist id:3\rdelete 3\ry\r").shows("Delete").press("n\r").shows("Nothing was sent.");
    prompts(&pty, 3);
    pty.press("quit\r");
    assert_eq!(pty.end().code, 0);
}

/// Runs `"$0"` as a job that is stopped and continued once, as shells do: they show what is typed again.
const JOB: &str =
    r#"set -m; "$0" "$@"; echo "[stopped $?]"; stty echo; read -r line; fg >/dev/null; echo "[ended $?]""#;

#[test]
fn a_token_is_not_shown_after_a_suspend_either() {
    let mut pty = Start::script(JOB, PLANTS).args(&["--plain", "--base-url", "http://127.0.0.1:9"]).open();
    let asked = |count| pty.until("the question", |screen, _| screen.contents().matches("Token:").count() == count);
    asked(1);
    pty.press("\x1a").shows("[stopped 147]").press("go on\r");
    asked(2);
    pty.answer("canary-token\r").shows("The token is set.").press("quit\r").shows("[ended 0]");
    assert_eq!(pty.end().code, 0);
    assert!(!contains(&pty.raw(), b"canary-token"));
}

#[test]
fn a_question_is_printed_again_after_a_suspend_and_takes_no_answer_typed_before() {
    let mut pty = Start::script(JOB, PLANTS).args(&["--plain", "--demo"]).open();
    prompts(&pty, 1);
    let asked = |count| pty.until("the question", |screen, _| screen.contents().matches("yes or no").count() == count);
    pty.press("delete 1\r");
    asked(1);
    pty.press("\x1a").shows("[stopped 147]").press("go on\ry\r");
    asked(2);
    pty.answer("n\r").shows("Nothing was sent.");
    prompts(&pty, 2);
    pty.press("quit\r").shows("[ended 0]");
    assert_eq!(pty.end().code, 0);
}

#[test]
fn a_signal_ends_the_program_and_restores_the_echo() {
    let mut pty = at("http://127.0.0.1:9").open();
    pty.shows("it is not shown and not stored").signal(Signal::TERM);
    assert_eq!(pty.end().code, 130);
    pty.assert_restored();
}

#[test]
fn a_long_list_waits_after_each_screenful() {
    let rows: Vec<_> = (1..=45).map(|id| format!("Fern,{id},shade\n")).collect();
    let home = Home::new();
    let file = home.write("plants.csv", format!("name,id,tag\n{}", rows.concat()));
    let mut pty = plants(&["--plain", "--demo"]).size(100, 80).open();
    prompts(&pty, 1);
    pty.press(&format!("import {}\r", file.display())).shows("Send 39 rows").press("yes\r").shows("39 accepted");
    prompts(&pty, 2);
    pty.press("list\r").shows("25 more follow. Go on?").press("\r").shows("\n5 more follow. Go on?").press("no\r");
    prompts(&pty, 3);
    assert!(!pty.screen().contents().contains("Fern (41)"));
    pty.press("quit\r").shows("Quit?").press("yes\r");
    assert_eq!(pty.end().code, 0);
}
