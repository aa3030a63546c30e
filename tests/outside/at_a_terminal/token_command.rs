//! A token command that asks a person on the terminal, and what becomes of the terminal and of what is typed.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, test_kill_process};

use super::pty::{Pty, Start};
use super::{PLANTS, assert_exit, plants};
use crate::support::extent::is_long;
use crate::support::raw::RawStore;

const ADD: [&str; 9] = ["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--profile", "p"];

/// A command that asks without an echo, and prints the answer.
const ASKS: &str =
    "stty -echo </dev/tty; echo Passphrase: >/dev/tty; read -r word </dev/tty; stty echo </dev/tty; echo $word";

/// Returns a time after which a command would be ended that may not ask; without the long tests, only the time to notice
/// another end.
fn longer_than_the_limit() -> Duration {
    Duration::from_secs(if is_long() { 11 } else { 1 })
}

fn store() -> RawStore {
    RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#)
}

/// A profile `p` whose token this script prints.
fn with_command(start: Start, store: &RawStore, script: &str) -> Start {
    let config = format!("[profile.p]\nbase_url = '{}'\ntoken_command = ['sh', '-c', '{script}']\n", store.url());
    start.file("config/plants/config.toml", &config)
}

/// Asserts that the command waits for a person, and that what is typed is the token.
#[track_caller]
fn assert_asks_for_the_token(start: Start) {
    let store = store();
    let mut pty = with_command(start, &store, ASKS).open();
    pty.shows("Passphrase:");
    // Longer than the limit of a command that has no terminal.
    assert!(pty.is_silent_for(longer_than_the_limit()), "{}", pty.screen().contents());
    pty.press("sesame\r");
    assert_exit(&mut pty, 0);
    assert!(store.received()[0].contains("authorization: Bearer sesame\r\n"));
}

#[test]
fn a_token_command_may_ask_a_person_for_as_long_as_it_takes() {
    assert_asks_for_the_token(plants(&ADD));
}

#[test]
fn a_token_command_may_ask_where_standard_input_is_a_pipe() {
    let script = r#"echo '[{"id":7,"name":"Fern","tag":"shade"}]' | "$0" import - --profile p"#;
    assert_asks_for_the_token(Start::script(script, PLANTS));
}

#[test]
fn the_interface_opens_after_a_token_command_has_asked() {
    let store = store();
    let mut pty = with_command(plants(&["--profile", "p"]), &store, ASKS).open();
    pty.shows("Passphrase:").press("sesame\r").shows("token set").press("q");
    assert_exit(&mut pty, 0);
}

/// Asserts that the program was interrupted, that nothing was sent, and that the process of the command is gone.
fn assert_interrupted(pty: &mut Pty, store: RawStore) {
    let ended = pty.end();
    assert_eq!((ended.code, ended.signal.as_deref()), (130, None), "{}", ended.screen);
    assert!(ended.screen.contains("Nothing was sent."), "{}", ended.screen);
    pty.assert_restored();
    let id = fs::read_to_string(pty.home().join("pid")).unwrap().trim().parse().unwrap();
    assert!(test_kill_process(Pid::from_raw(id).unwrap()).is_err(), "the command still runs");
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn an_interrupted_token_command_ends_and_the_terminal_is_restored() {
    for (begin, is_key) in [
        ("", true),
        // It neither ends nor restores anything by itself.
        ("trap : INT TERM; ", true),
        ("", false),
    ] {
        let store = store();
        let script = format!(
            "{begin}echo $$ >pid; stty -echo </dev/tty; echo Passphrase: >/dev/tty; while :; do read -r word </dev/tty; done"
        );
        let mut pty = with_command(plants(&ADD), &store, &script).open();
        pty.shows("Passphrase:");
        if is_key {
            pty.press("\x03")
        } else {
            pty.signal(Signal::TERM)
        };
        assert_interrupted(&mut pty, store);
    }
}

#[test]
fn what_was_typed_for_a_token_command_never_reaches_the_shell() {
    // It asks, and takes no answer; it takes one of two lines, and fails.
    for (script, is_signalled) in [
        ("stty -echo </dev/tty; echo Passphrase: >/dev/tty; exec sleep 600", true),
        ("stty -echo </dev/tty; echo Passphrase: >/dev/tty; read -r word </dev/tty; exit 1", false),
    ] {
        let store = store();
        let shell = r#""$0" "$@"; echo "[ended $?]"; read -r line; echo "[the shell got $line]""#;
        let mut pty = with_command(Start::script(shell, PLANTS).args(&ADD), &store, script).open();
        pty.shows("Passphrase:").press("secret-one\rsecret-two\r");
        if is_signalled {
            rustix::process::kill_process(pty.child_pid(), Signal::TERM).unwrap();
            pty.shows("[ended 130]");
        } else {
            pty.shows("[ended 2]");
        }
        pty.press("next\r").shows("[the shell got next]");
        assert_exit(&mut pty, 0);
        assert!(!pty.screen().contents().contains("secret"));
    }
}

#[test]
fn lines_that_were_typed_ahead_for_the_shell_stay_after_a_token_command_that_asked_nothing() {
    let store = store();
    let shell = r#"stty -echo; echo ready; read -r line; "$0" "$@"; read -r line; echo "[the shell got $line]""#;
    let mut pty = with_command(Start::script(shell, PLANTS).args(&ADD), &store, "echo sesame").open();
    pty.shows("ready").press("go on\rtyped-ahead\r").shows("[the shell got typed-ahead]");
    assert_eq!(pty.end().code, 0);
}
