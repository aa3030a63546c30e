//! The real program in a pseudo-terminal: its screen, and the state of the terminal after every way to end.

mod attack;
mod brake;
mod bytes;
mod clipboard;
mod custom_command;
mod plain;
mod pty;
mod rough;
mod tables;
mod token_command;
mod tour;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::extent::is_set;
use crate::support::raw::RawStore;
use crate::support::served::Served;
use crate::support::{Home, files_below};
use plants::runtime::hooks::install_panic_hook;
use plants::terminal::Guard;
use pty::{CpuTime, Pty, Start, contains, control_sequences, is_stopped, voluntary_switches};
use rustix::process::{Signal, kill_process};

const PLANTS: &str = env!("CARGO_BIN_EXE_plants");

/// Set when a test runs itself inside a pseudo-terminal.
const INSIDE: &str = "PLANTS_TEST_INSIDE_A_TERMINAL";

fn plants(args: &[&str]) -> Start {
    Start::program(PLANTS).args(args)
}

/// Starts the demo and waits until its samples are stored.
fn demo() -> Pty {
    ready(plants(&[]))
}

fn ready(start: Start) -> Pty {
    let [pty] = all_ready([start]);
    pty
}

/// Starts several programs in parallel.
fn all_ready<const COUNT: usize>(starts: [Start; COUNT]) -> [Pty; COUNT] {
    starts.map(Start::open).map(|pty| {
        pty.until("six samples are stored", |screen, _| {
            let text = screen.contents();
            text.contains("6 stored") && text.contains("no unknown outcomes") && !text.contains("on the way")
        });
        pty
    })
}

fn demos<const COUNT: usize>() -> [Pty; COUNT] {
    all_ready(std::array::from_fn(|_| plants(&[])))
}

/// Asserts that the program exits with 0 and restores the screen and the terminal.
#[track_caller]
fn assert_clean_exit(pty: &mut Pty) {
    let ended = pty.end();
    assert_eq!((ended.code, ended.signal.as_deref(), ended.screen.trim()), (0, None, ""));
    pty.assert_restored();
}

/// Asserts the exit code, and that the terminal is restored.
#[track_caller]
fn assert_exit(pty: &mut Pty, code: u32) {
    let ended = pty.end();
    assert_eq!(ended.code, code, "{}", ended.screen);
    pty.assert_restored();
}

#[test]
fn the_first_start_shows_the_demo_store_with_plants() {
    let pty = demo();
    let text = pty.screen().contents();
    assert!(text.contains("DEMO STORE") && text.contains("http://127.0.0.1:"), "{text}");
    let rows = text.lines().filter(|line| line.contains("● stored ")).count();
    assert!(rows >= 6, "{text}");
    for name in ["Monstera deliciosa", "Café au lait dahlia", "English lavender"] {
        assert!(text.contains(name), "{name} is not in\n{text}");
    }
    assert!(pty.is_raw() && pty.screen().alternate_screen() && pty.screen().bracketed_paste());
}

#[test]
fn keys_that_quit_restore_the_terminal() {
    for (mut pty, keys) in demos::<5>().into_iter().zip(["q", "?qq", "", "a", "ahalf typed\x1b[Z"]) {
        pty.press(keys);
        if !keys.ends_with('q') {
            pty.until_read().interrupt();
        }
        assert_clean_exit(&mut pty);
    }
}

/// Signals that end a program without a handler.
const SIGNALS: [Signal; 11] = [
    Signal::HUP,
    Signal::INT,
    Signal::QUIT,
    Signal::TERM,
    Signal::XCPU,
    Signal::USR1,
    Signal::USR2,
    Signal::ALARM,
    Signal::VTALARM,
    Signal::PROF,
    Signal::POWER,
];

#[test]
fn signals_that_end_the_program_restore_the_terminal() {
    for (mut pty, signal) in demos::<{ SIGNALS.len() }>().into_iter().zip(SIGNALS) {
        pty.press("ahalf typed").shows("half typed");
        pty.signal(signal);
        assert_clean_exit(&mut pty);
    }
}

#[test]
fn a_signal_at_the_start_restores_the_terminal() {
    for _ in 0..5 {
        let mut pty = plants(&[]).open();
        pty.writes(b"\x1b[?1049h").signal(Signal::TERM);
        assert_clean_exit(&mut pty);
    }
}

/// Prepares the program without a background colour in the environment, so that it queries the terminal.
fn without_background() -> Start {
    plants(&[]).env("COLORFGBG", "")
}

/// The beginning of the query for the background colour.
const QUERY: &[u8] = b"\x1b]11;?";

#[test]
fn a_signal_during_the_background_query_restores_the_terminal() {
    let mut pty = without_background().open();
    pty.writes(QUERY).signal(Signal::TERM);
    assert_clean_exit(&mut pty);
}

#[test]
fn a_response_to_the_background_query_is_no_key_presses() {
    let colours = ["rgb:aaaa/dddd/aaaa", "rgb:AA/DD/AA", "rgba:dada/dada/dada/ffff"];
    let responses = colours.map(|colour| ["\x07", "\x1b\\"].map(|end| format!("\x1b]11;{colour}{end}\x1b[?62;22c")));
    let responded = responses.as_flattened().iter().map(|response| {
        let pty = without_background().open();
        pty.writes(QUERY).press(response);
        (pty, response)
    });
    for (mut pty, response) in responded.collect::<Vec<_>>() {
        pty.shows("6 stored").press(response).press("?").shows("Keys and words").press(response);
        // The footer is drawn last.
        let is_closed = |text: &str| !text.contains("Keys and words") && text.contains("q quit");
        pty.press("q").until("help is closed", |screen, _| is_closed(&screen.contents()));
        let text = pty.screen().contents();
        assert!(!text.contains("Add a plant") && !text.contains("Delete "), "{text}");
        pty.press("a").shows("Add a plant").press(response).press("x").shows("▸ name  x ");
        pty.interrupt();
        assert_clean_exit(&mut pty);
    }
}

#[test]
fn closing_the_terminal_ends_the_program_at_once() {
    // With SIGHUP, with SIGHUP ignored, and without SIGHUP, which goes to the script as the session leader.
    let scripts = [r#"exec "$0""#, r#"trap "" HUP; exec "$0""#, r#"trap "" HUP; "$0"; exit 0"#];
    for script in scripts {
        let presses = ["", "?", "ahalf typed"];
        for (pty, keys) in all_ready(presses.map(|_| Start::script(script, PLANTS))).into_iter().zip(presses) {
            let pid = if script.contains("exec") { pty.pid() } else { pty.child_pid() };
            let before = CpuTime::of(pid);
            pty.press(keys);
            let after = pty.vanish();
            assert!(after.0 - before.0 < 50, "{script} {keys:?}: took {before:?}, then {after:?}");
        }
    }
}

#[test]
fn suspending_restores_the_terminal_and_continuing_takes_it() {
    let script = r#"set -m; "$0"; echo "[stopped $?]"; read -r line; fg >/dev/null; echo "[ended $?]""#;
    let mut pty = ready(Start::script(script, PLANTS));
    let pid = pty.child_pid();
    pty.press("ahalf typed").shows("half typed");
    pty.press("\x1a").shows("[stopped 147]");
    assert!(is_stopped(pid));
    pty.assert_restored();
    assert!(!pty.screen().contents().contains("DEMO STORE"));

    pty.press("go on\r").shows("half typed").shows("DEMO STORE").shows("Boston fern");
    assert!(pty.is_raw() && pty.screen().alternate_screen() && pty.screen().bracketed_paste());
    pty.press(" still").shows("half typed still");
    pty.press("\x1b").until("the form is closed", |screen, _| !screen.contents().contains("half typed"));
    // A form that a person closed is nothing to ask about.
    pty.press("q").shows("[ended 0]");
    assert_exit(&mut pty, 0);
}

/// Runs `"$0"` as a job, reports how it stops or ends, and continues it twice, after a line of input each.
const JOB: &str = r#"set -m; "$0" "$@"; echo "[first $?]"
    for time in second third; do read -r line; fg >/dev/null; echo "[$time $?]"; done"#;

#[test]
fn sigtstp_restores_the_terminal_before_the_stop() {
    let mut pty = ready(Start::script(JOB, PLANTS));
    let pid = pty.child_pid();
    pty.press("ahalf typed").shows("half typed");
    for stopped in ["[first 147]", "[second 147]"] {
        kill_process(pid, Signal::TSTP).unwrap();
        pty.shows(stopped);
        assert!(is_stopped(pid));
        pty.assert_restored();
        pty.press("go on\r").shows("half typed").shows("DEMO STORE").shows("Boston fern");
        assert!(pty.is_raw() && pty.screen().alternate_screen() && pty.screen().bracketed_paste());
    }
    kill_process(pid, Signal::TERM).unwrap();
    pty.shows("[third 0]");
    assert_exit(&mut pty, 0);
}

#[test]
fn a_suspended_import_does_not_lock_the_journal() {
    let store = Served::calm();
    let rows: Vec<_> = (1..=20_000).map(|id| format!("{id},Fern,shade")).collect();
    let import = ["import", "plants.csv", "--base-url", &store.base];
    let start = Start::script(JOB, PLANTS).args(&import).env("PLANTS_TOKEN", "demo");
    let mut pty = start.file("plants.csv", &format!("id,name,tag\n{}", rows.join("\n"))).open();
    let pid = pty.shows("of 20,000").child_pid();
    let journal = pty.home().join("data/plants/journal.db");
    for stopped in ["[first 147]", "[second 147]"] {
        pty.press("\x1a").shows(stopped);
        assert!(is_stopped(pid));
        let other = rusqlite::Connection::open(&journal).unwrap();
        other.busy_timeout(Duration::ZERO).unwrap();
        other.execute_batch("BEGIN IMMEDIATE; ROLLBACK").unwrap();
        pty.press("go on\r").until("the import goes on", |_, _| !is_stopped(pid));
    }
    kill_process(pid, Signal::TERM).unwrap();
    pty.shows("[third 130]");
    assert_exit(&mut pty, 0);
}

#[test]
fn sigtstp_during_a_token_prompt_restores_the_terminal_before_the_stop() {
    let add = ["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--base-url", NOWHERE];
    let mut pty = Start::script(JOB, PLANTS).args(&add).open();
    pty.shows("Token:");
    let pid = pty.child_pid();
    pty.press("abc").shows("***");
    kill_process(pid, Signal::TSTP).unwrap();
    pty.shows("[first 147]");
    assert!(is_stopped(pid));
    pty.assert_restored();
    pty.press("go on\r").until_raw().press("d\r").shows("[second 3]").press("\r");
    assert_exit(&mut pty, 0);
}

#[test]
fn suspending_without_a_shell_to_continue_it_has_no_effect() {
    // The kernel drops SIGTSTP for an orphaned process group.
    let mut pty = demo();
    let taken =
        |raw: &[u8]| control_sequences(raw).iter().filter(|(mode, last)| mode == "?1049" && *last == 'h').count();
    pty.press("\x1a").until("the terminal is taken again", |_, raw| taken(raw) == 2);
    pty.shows("DEMO STORE").shows("English lavender").shows("no shell could resume the program");
    assert!(pty.is_raw());
    pty.press("?").shows("Keys and words").press("qq");
    assert_clean_exit(&mut pty);
}

#[test]
fn continuing_after_sigstop_redraws_the_whole_screen() {
    let mut pty = demo();
    pty.press("ahalf typed").shows("half typed");
    pty.stop();
    // Like a shell whose job stops, and a program that it runs then.
    pty.restore_settings();
    pty.write_to_terminal("\x1b[?2004l\x1b[?1049l\x1b[?25hsomething else").shows("something else");
    pty.signal(Signal::CONT);
    pty.shows("DEMO STORE").shows("half typed").shows("Boston fern");
    assert!(pty.is_raw() && pty.screen().alternate_screen() && pty.screen().bracketed_paste());
    pty.interrupt();
    assert_exit(&mut pty, 0);
}

#[test]
fn ctrl_l_draws_over_what_another_program_wrote_also_over_a_form() {
    let mut pty = demo();
    for (keys, shown) in [("", "Boston fern"), ("ahalf typed", "half typed")] {
        pty.press(keys).shows(shown);
        pty.write_to_terminal("\x1b[2J\x1b[5;5Hsomething else\x1b[?2004l").shows("something else");
        pty.press("\x0c").until("it is gone", |screen, _| !screen.contents().contains("something else"));
        pty.shows("DEMO STORE").shows(shown);
        assert!(pty.screen().bracketed_paste());
    }
    pty.interrupt();
    assert_clean_exit(&mut pty);
}

#[test]
fn a_terminal_of_no_size_has_that_of_its_variables_or_80_by_24() {
    for (variables, last_row) in [(&[][..], 24), (&[("COLUMNS", "100"), ("LINES", "30")], 30)] {
        let mut start = plants(&[]).size(0, 0);
        for (name, value) in variables {
            start = start.env(name, value);
        }
        let mut pty = start.open();
        pty.writes(b"DEMO STORE").writes(format!("\x1b[{last_row};").as_bytes());
        assert!(!contains(&pty.raw(), format!("\x1b[{};", last_row + 1).as_bytes()));
        pty.interrupt();
        assert_clean_exit(&mut pty);
    }
}

#[test]
fn the_form_text_survives_every_terminal_size() {
    let mut pty = demo();
    pty.press("a").shows("Add a plant");
    pty.press("Half-typed").shows("Half-typed");
    for (columns, rows) in
        [(80, 24), (60, 20), (200, 60), (50, 14), (49, 14), (50, 13), (1, 1), (0, 0), (2, 50), (300, 2)]
    {
        pty.resize(columns, rows);
    }
    pty.resize(40, 10).shows("needs 50x14").shows("has 40x10");
    pty.resize(0, 0).resize(120, 36).shows("Half-typed").shows("DEMO STORE").shows("Boston fern");
    pty.press(" twice").shows("Half-typed twice");
    for _ in 0..20 {
        // So fast that the program may read only the size that it has already.
        pty.resize(40, 10).resize(120, 36).shows("Half-typed twice").shows("DEMO STORE").shows("Boston fern");
    }
    pty.interrupt();
    assert_clean_exit(&mut pty);
}

#[test]
fn the_program_starts_and_quits_at_any_terminal_size() {
    for (columns, rows) in [(0, 0), (1, 1), (3, 200), (500, 3), (50, 14), (49, 14)] {
        let mut pty = plants(&[]).size(columns, rows).open();
        pty.writes(b"\x1b[?1049h");
        pty.press("?q").until_read().interrupt();
        assert_clean_exit(&mut pty);
    }
}

#[test]
fn pasted_text_is_no_key_presses() {
    let mut pty = demo();
    pty.paste("q").shows("Pasted text goes into a field");
    pty.paste("a\nd\r\x03q\t?").shows("the pasted text cannot be imported").press("\x1b").shows("q quit");
    pty.paste("ad\x03q\t?").press("?").shows("Keys and words");
    pty.paste("q").press("q").until("help is closed", |screen, _| !screen.contents().contains("Keys and words"));
    assert!(!pty.screen().contents().contains("Add a plant"));
    pty.press("q");
    assert_clean_exit(&mut pty);
}

#[test]
fn pasted_text_is_inserted_into_a_field_unchanged() {
    let mut pty = demo();
    pty.press("a").shows("Add a plant");
    pty.paste("two\nlines q").shows("two␊lines q").shows(r#""name":"two\nlines q""#);
    assert!(pty.screen().contents().contains("6 stored"), "a paste sent something");
    pty.press("\r").shows("once more").answer("\r").shows("7 stored");
    pty.press("q").shows("1 plant was added by you").interrupt();
    assert_clean_exit(&mut pty);
}

#[test]
fn pasted_control_sequences_are_never_written_to_the_terminal() {
    let mut pty = demo();
    let title = "\x1b]0;owned\x07";
    let attack = format!("x{title}\x1b[2J\x1b[6n\u{9b}31m\x1b]52;c;b3duZWQ=\x1b\\\u{202e}y");
    pty.press("a").shows("Add a plant");
    pty.paste(&attack).shows("x␛]0;owned␇␛[2J␛[6n‹U+009B›31m␛]52;c;b3duZWQ=␛\\‹U+202E›y");
    pty.press("\r").shows("once more").answer("\r").shows("7 stored");
    // The table, the pane, the plant's history, and the delete dialog.
    pty.press("\x1b[F").shows("name  x␛]0;owned").press("\r").shows("Esc close").press("q");
    pty.press("d").shows("Delete").press("\x03").interrupt();
    assert_clean_exit(&mut pty);
    // The title has words of the program alone.
    let raw = String::from_utf8_lossy(&pty.raw()).replace("\x1b]2;plants: demo\x07", "").into_bytes();
    for sequence in [title.as_bytes(), b"\x1b]", b"\x07", b"\x1b[6n", "\u{9b}".as_bytes(), "\u{202e}".as_bytes()] {
        assert!(!contains(&raw, sequence), "{} was written", sequence.escape_ascii());
    }
}

#[test]
fn an_idle_program_never_wakes() {
    assert_idle(&demo());
}

#[test]
fn an_idle_program_with_a_shared_journal_never_wakes() {
    let (home, store) = (Home::new(), Served::calm());
    let pty = interface_on(&home, &store);
    home.plants_at(&store.base, &["add", "--id", "7", "--name", "Fern", "--tag", "shade"]).ended().orderly(0);
    pty.shows("1 stored");
    assert_idle(&pty);
}

/// Starts the interface on the journal of this home directory.
fn interface_on(home: &Home, store: &Served) -> Pty {
    let data = home.data();
    let place = ["--base-url", &store.base, "--data-dir", data.to_str().unwrap()];
    let pty = plants(&place).env("PLANTS_TOKEN", "demo").open();
    pty.shows("No plants yet");
    pty
}

#[test]
fn changes_by_other_programs_are_shown_at_once() {
    let (home, store) = (Home::new(), Served::calm());
    let mut pty = interface_on(&home, &store);
    home.plants_at(&store.base, &["add", "--id", "7", "--name", "Fern", "--tag", "shade"]).ended().orderly(0);
    pty.shows("● stored").shows("Fern").shows("201 Created");
    home.plants_at(&store.base, &["delete", "7", "--yes"]).ended().orderly(0);
    pty.shows("No plants in the list now");
    pty.press("q");
    assert_clean_exit(&mut pty);
}

#[test]
fn operations_of_a_killed_program_become_unknown_at_once() {
    let (home, store) = (Home::new(), Served::with(&["--latency", "1h"]));
    let mut pty = interface_on(&home, &store);
    let add = |id: &str| home.plants_at(&store.base, &["add", "--id", id, "--name", "Fern", "--tag", "shade"]).begun();
    let (mut killed, mut living) = (add("7"), add("8"));
    pty.shows("2 in flight");
    killed.kill().unwrap();
    killed.wait().unwrap();
    pty.shows("? unknown").shows("1 unknown").shows("1 in flight");
    living.kill().unwrap();
    living.wait().unwrap();
    pty.shows("2 unknown").press("q");
    let ended = pty.end();
    assert_eq!(ended.code, 0, "{}", ended.screen);
}

#[test]
fn copying_writes_osc_52_without_the_token() {
    let (home, store) = (Home::new(), Served::calm());
    let mut pty = interface_on(&home, &store);
    home.plants_at(&store.base, &["add", "--id", "7", "--name", "Fern", "--tag", "shade"]).ended().orderly(0);
    pty.shows("201 Created").press("Y");
    // The response's body: {"name":"Fern","tag":"shade"}
    pty.writes(b"\x1b]52;c;eyJuYW1lIjoiRmVybiIsInRhZyI6InNoYWRlIn0=")
        .shows("The response about Fern (7) went to the terminal");
    pty.press("y").shows("The curl command for the add of Fern (7)");
    // Begins with `curl -q --http1.1 `.
    pty.writes(b"\x1b]52;c;Y3VybCAtcSAtLWh0dHAxLjEg");
    pty.press("q");
    assert_clean_exit(&mut pty);
}

#[test]
fn mouse_reports_leave_out_movements_and_a_key_turns_them_off() {
    let mut pty = demo();
    pty.writes(b"\x1b[?1000h\x1b[?1006h");
    let every_movement = control_sequences(&pty.raw()).iter().any(|(parameters, _)| parameters.contains("1003"));
    assert!(!every_movement, "every movement would wake the program");
    // A click in the fifth row from the top, then on the second tab, with the wheel between.
    pty.press("\x1b[<0;10;5M\x1b[<0;10;5m").shows("▸     2");
    pty.press("\x1b[<65;10;5M").shows("▸     5").press("\x1b[<64;10;5M").shows("▸     2");
    pty.press("\x1b[<0;18;2M\x1b[<0;18;2m").shows("OUTCOME");
    pty.press("m").shows("The terminal has the mouse").writes(b"\x1b[?1006l\x1b[?1000l");
    pty.press("m").shows("gives it back").press("q");
    assert_clean_exit(&mut pty);
}

/// Asserts that the program becomes idle, and for ten seconds writes nothing and hardly wakes.
#[track_caller]
fn assert_idle(pty: &Pty) {
    let is_idle = (0..30).any(|_| pty.is_silent_for(Duration::from_secs(1)));
    assert!(is_idle, "the program never stops writing");
    let (time, switches) = (CpuTime::of(pty.pid()), voluntary_switches(pty.pid()));
    assert!(pty.is_silent_for(Duration::from_secs(10)), "something was written: {}", pty.raw().escape_ascii());
    let ticks = CpuTime::of(pty.pid()).0 - time.0;
    assert!(ticks <= 2, "ten idle seconds took {ticks} hundredths of a second");
    let switches = voluntary_switches(pty.pid()) - switches;
    assert!(switches <= 4, "woken {switches} times in ten idle seconds");
}

#[test]
fn an_operation_in_flight_at_the_end_is_unknown_in_the_journal() {
    // Accepts connections and never responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let store = format!("http://{}", silent.local_addr().unwrap());
    for end in ["signal", "vanish", "interrupt"] {
        let data = tempfile::tempdir().unwrap();
        let place = ["--base-url", &store, "--data-dir", data.path().to_str().unwrap()];
        let mut pty = plants(&place).env("PLANTS_TOKEN", "t").open();
        pty.press("a").shows("Add a plant").press("Fern\t\tshade\r").shows("1 in flight");
        // With its first byte, the request is in flight; with a connection alone, it could still be cancelled.
        let (held, _) = silent.accept().unwrap();
        held.peek(&mut [0]).unwrap();
        match end {
            "signal" => {
                pty.signal(Signal::TERM);
                assert_eq!(pty.end().code, 0);
            }
            "interrupt" => {
                pty.interrupt();
                assert_eq!(pty.end().code, 0);
            }
            _ => {
                pty.vanish();
            }
        }
        let mut list = Command::new(PLANTS);
        list.env_clear().env("HOME", data.path()).args(["list", "--json"]).args(place);
        let listed = list.output().unwrap();
        let (rows, words) = (String::from_utf8(listed.stdout).unwrap(), String::from_utf8(listed.stderr).unwrap());
        assert!(rows.contains(r#""state":"unknown""#), "{end}: {rows}{words}");
        assert!(!words.contains("ended while"), "{end}: the result was not written: {words}");
    }
}

/// Runs a test of this file in a pseudo-terminal.
fn this_test(name: &str) -> Start {
    let own = std::env::current_exe().expect("this program has a path");
    Start::program(own).args(&["--ignored", "--exact", name, "--nocapture", "--test-threads=1"]).env(INSIDE, "1")
}

fn is_inside() -> bool {
    is_set(INSIDE)
}

#[test]
fn a_panic_on_the_drawing_thread_restores_the_terminal_before_its_message() {
    let mut pty = this_test("at_a_terminal::inside_panics_on_the_drawing_thread").open();
    pty.writes(b"\x1b[?1049h");
    let ended = pty.end();
    assert_ne!(ended.code, 0);
    pty.assert_restored();
    assert!(ended.screen.contains("the canvas tore"), "{}", ended.screen);
    let raw = pty.raw();
    let position = |bytes: &[u8]| raw.windows(bytes.len()).position(|window| window == bytes).unwrap();
    assert!(position(b"\x1b[?1049l") < position(b"the canvas tore"), "printed before the terminal was restored");
}

#[test]
#[ignore = "takes over the terminal; run by the test above in one of its own"]
fn inside_panics_on_the_drawing_thread() {
    if is_inside() {
        install_panic_hook().unwrap();
        let _guard = Guard::take().unwrap();
        panic!("the canvas tore");
    }
}

#[test]
fn a_panic_on_another_thread_is_not_printed() {
    let mut pty = this_test("at_a_terminal::inside_panics_on_another_thread").open();
    pty.shows("still drawing");
    assert!(pty.is_raw() && pty.screen().alternate_screen());
    assert_eq!(pty.screen().contents().trim(), "still drawing");
    pty.press("x");
    assert_exit(&mut pty, 0);
    assert!(!contains(&pty.raw(), b"the pump broke"));
}

#[test]
#[ignore = "takes over the terminal; run by the test above in one of its own"]
fn inside_panics_on_another_thread() {
    if is_inside() {
        install_panic_hook().unwrap();
        let guard = Guard::take().unwrap();
        let thread = std::thread::Builder::new().spawn(|| panic!("the pump broke")).unwrap();
        assert!(thread.join().is_err());
        let mut out = std::io::stdout();
        out.write_all(b"still drawing").and_then(|()| out.flush()).unwrap();
        // A read does not block.
        while std::io::stdin().read(&mut [0]).unwrap() == 0 {}
        drop(guard);
    }
}

#[test]
fn invalid_arguments_are_named_without_touching_the_terminal() {
    let cases: [(&[&str], &str); 4] = [
        (&["--base-url", "ftp://x"], "ftp"),
        (&["--profile", "nowhere"], "nowhere"),
        (&["--timeout", "soon"], "soon"),
        (&["--json"], "subcommand"),
    ];
    for (args, named) in cases {
        let mut pty = plants(args).open();
        let ended = pty.end();
        assert_eq!(ended.code, 2, "{}", ended.screen);
        assert!(ended.screen.contains(named), "{}", ended.screen);
        assert!(!contains(&pty.raw(), b"\x1b"), "{}", pty.raw().escape_ascii());
        pty.assert_restored();
    }
}

#[test]
fn without_a_terminal_the_program_lists_its_subcommands() {
    let assert_named = |words: &str| {
        for subcommand in ["plants add", "plants delete", "plants list", "plants serve", "--help"] {
            assert!(words.contains(subcommand), "{subcommand} is not in {words:?}");
        }
    };
    let home = tempfile::tempdir().unwrap();
    let mut neither = Command::new(PLANTS);
    neither.env_clear().env("HOME", home.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = neither.output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert_named(&String::from_utf8(output.stderr).unwrap());

    for script in [r#""$0" </dev/null; echo "[ended $?]""#, r#"{ "$0"; echo "[ended $?]" >&2; } | cat"#] {
        let mut pty = Start::script(script, PLANTS).size(400, 10).open();
        let ended = pty.end();
        assert!(ended.screen.contains("[ended 2]"), "{}", ended.screen);
        assert_named(&ended.screen);
        assert!(!contains(&pty.raw(), b"\x1b"), "{}", pty.raw().escape_ascii());
    }
}

#[test]
fn switching_to_a_profile_and_back_leaves_no_lock_files() {
    let store = Served::calm();
    let config = format!("[profile.balcony]\nbase_url = '{}'\ntoken_file = 'token'\n", store.base);
    let config = |start: Start| start.file("config/plants/config.toml", &config).file("config/plants/token", "demo\n");
    let mut pty = ready(config(plants(&[])));
    pty.press("c").shows("Stores").shows("balcony").shows("open now");
    pty.press("\x1b[Z\r");
    pty.shows(&store.base).shows("No plants yet").shows("Nothing was tested");
    pty.press("a").shows("Add a plant").press("Fern\t\tshade\r").shows("201 Created").shows("1 stored");
    pty.press("c").shows("Stores").shows("open now").press("\t\r");
    pty.until("six samples are stored", |screen, _| {
        let text = screen.contents();
        text.contains("DEMO STORE") && text.contains("6 stored") && !text.contains("on the way")
    });
    pty.press("q");
    assert_clean_exit(&mut pty);
    let names: Vec<_> = files_below(&pty.home().join("data")).into_iter().map(|(path, _)| path).collect();
    assert!(names.iter().any(|name| name.ends_with("journal.db")), "{names:?}");
    let left = |name: &String| ["lock", "-wal", "-shm"].iter().any(|ending| name.ends_with(ending));
    assert!(!names.iter().any(left), "{names:?}");
    assert_eq!(store.log(), ["POST /plants  201"]);
}

#[test]
fn the_final_message_is_about_the_store_that_is_open() {
    // Reads the request and never responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let other = format!("http://{}", silent.local_addr().unwrap());
    let mut pty = plants(&["--base-url", NOWHERE]).env("PLANTS_TOKEN", CANARY).open();
    pty.shows("No plants yet").press("a").shows("Add a plant").press("Ivy\t\tt\r").shows("r send again");
    pty.press("c").shows("as started").press(&other).shows(&other).press("\tanother-token\r");
    pty.shows("1 operation was not sent and would be dropped").answer("\t\r").shows("Now at");
    pty.press("a").shows("Add a plant").press("Fern\t\tt\r").shows("1 in flight");
    let (mut held, _) = silent.accept().unwrap();
    held.peek(&mut [0]).unwrap();
    pty.press("\x03").shows("1 unknown").press("q").shows("Quit now?").answer("\t\r");
    let ended = pty.end();
    assert_eq!(ended.code, 0);
    let words = format!("1 plant is unknown at {other}. To resolve: plants resolve, or start plants again.");
    assert_eq!(ended.screen.split_whitespace().collect::<Vec<_>>().join(" "), words);
    // The token of the previous store is not sent.
    let mut request = String::new();
    held.read_to_string(&mut request).unwrap();
    assert!(request.contains("authorization: Bearer another-token\r\n"), "{request}");
    assert!(!request.contains(CANARY), "{request}");
    assert_canary_is_nowhere(&pty);
}

const CANARY: &str = "canary-token-9";

/// A base URL without a store.
const NOWHERE: &str = "http://127.0.0.1:1";

/// Asserts that the canary token is neither written to the terminal nor to any file.
fn assert_canary_is_nowhere(pty: &Pty) {
    assert!(!contains(&pty.raw(), CANARY.as_bytes()), "the token was written to the terminal");
    for copied in copied(pty) {
        assert!(!contains(&copied, CANARY.as_bytes()), "the token went to the clipboard");
    }
    let files = files_below(pty.home());
    for (path, bytes) in &files {
        assert!(!contains(bytes, CANARY.as_bytes()), "the token is in {path}");
    }
}

#[test]
fn a_typed_token_is_never_shown_or_stored() {
    let mut pty = plants(&["--base-url", NOWHERE]).open();
    pty.shows("asks for a bearer token");
    pty.press(CANARY).shows(&"*".repeat(CANARY.len()));
    pty.press("\r").shows("token set");
    pty.press("a").shows("Add a plant");
    pty.press("Fern\t\tt\r").shows("not sent");
    assert_canary_is_nowhere(&pty);
    assert!(!files_below(pty.home()).is_empty(), "there is a journal");
    pty.interrupt();
    assert_exit(&mut pty, 0);
    assert_canary_is_nowhere(&pty);
}

/// Returns the copied texts, oldest first.
fn copied(pty: &Pty) -> Vec<Vec<u8>> {
    let raw = String::from_utf8_lossy(&pty.raw()).into_owned();
    let letters = raw.split("\x1b]52;c;").skip(1).map(|rest| rest.split(['\x1b', '\x07']).next().unwrap_or_default());
    letters.map(from_base64).collect()
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        bits = bits << 6 | u32::from(value(letter));
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap());
        }
    }
    bytes
}

#[test]
fn a_token_echoed_by_the_store_is_masked_in_every_output() {
    let store = RawStore::saying("400 No", format!(r#"{{"you said":"authorization: Bearer {CANARY}"}}"#));
    let mut pty = plants(&["--base-url", &store.url()]).env("PLANTS_TOKEN", CANARY).open();
    pty.shows("No plants yet").press("a").shows("Add a plant");
    pty.press("Fern\t\tt\r").shows("Not added").press("\x03").shows("q quit");
    pty.press("2").shows("OUTCOME").press("\r").shows("as sent").press("yYI").shows("The id 1");
    pty.press("p").shows(", as sent").press("q").shows("q quit");
    pty.press("w").shows("Report of this session").press("\x15report.md\r").shows("Wrote 1 request to");
    assert!(!files_below(pty.home()).is_empty(), "there is a journal");
    let clipboard = copied(&pty);
    assert!(clipboard.len() == 3 && contains(&clipboard[1], b"you said"), "{clipboard:?}");
    assert_canary_is_nowhere(&pty);
    let report = fs::read_to_string(pty.home().join("report.md")).unwrap();
    assert!(report.contains("you said") && !report.contains(CANARY), "{report}");
    // The journal has the rejected plant: nothing would be lost.
    pty.answer("q");
    assert_eq!(pty.end().code, 0);
    assert_canary_is_nowhere(&pty);
}

#[test]
fn the_token_prompt_of_a_subcommand_never_shows_or_stores_the_token() {
    let add = ["add", "--base-url", NOWHERE, "--id", "7", "--name", "Fern", "--tag", "shade"];
    for (keys, code) in [(format!("{CANARY}\r"), 3), (format!("{CANARY}\x03"), 130), (format!("{CANARY}\x1b"), 130)] {
        let mut pty = plants(&add).open();
        pty.shows("Token:").until("keys are taken unseen", |_, _| true);
        pty.press(CANARY).shows(&"*".repeat(CANARY.len()));
        pty.press(keys.trim_start_matches(CANARY));
        assert_exit(&mut pty, code);
        assert_canary_is_nowhere(&pty);
    }
}

#[test]
fn text_typed_before_the_token_prompt_is_ignored() {
    let store = RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#);
    let add = ["add", "--base-url", &store.url(), "--id", "7", "--name", "Fern", "--tag", "shade"];
    // The shell reads the first line; the second one is left in the buffer.
    let script = r#"stty -echo; echo ready; read -r line; exec "$0" "$@""#;
    let mut pty = Start::script(script, PLANTS).args(&add).open();
    pty.shows("ready").press("go on\rtyped-ahead\r").shows("Token:").press(&format!("{CANARY}\r"));
    assert_eq!(pty.end().code, 0, "{}", pty.screen().contents());
    // The same for the token form of the interface.
    let script = r#"stty -echo; echo ready; read -r line; exec "$0" --base-url "$1""#;
    let mut pty = Start::script(script, PLANTS).args(&[&store.url()]).open();
    pty.shows("ready").press("go on\rtyped-ahead\r").shows("asks for a bearer token");
    pty.press(&format!("{CANARY}\r")).shows("token set").press("a").shows("Add a plant").press("Ivy\t\tt\r");
    pty.shows("201 Created").press("q");
    assert_eq!(pty.end().code, 0);
    let received = store.received();
    assert_eq!(received.len(), 2);
    assert!(received.iter().all(|request| request.contains(&format!("authorization: Bearer {CANARY}\r\n"))));
}

#[test]
fn lines_after_an_invalid_token_are_ignored() {
    let store = RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#);
    let add = ["add", "--base-url", &store.url(), "--id", "7", "--name", "Fern", "--tag", "shade"];
    let mut pty = plants(&add).open();
    pty.shows("Token:").press("two words\rpasted-with-it\r").shows("one unbroken word");
    pty.until("a second prompt", |screen, _| screen.contents().matches("Token:").count() == 2);
    pty.press(&format!("{CANARY}\r"));
    assert_eq!(pty.end().code, 0, "{}", pty.screen().contents());
    assert!(store.received()[0].contains(CANARY));
}

#[test]
fn a_config_file_that_others_can_change_causes_a_notice() {
    let start = plants(&[]).file("config/plants/config.toml", "theme = 'dark'\n");
    let path = start.home().join("config/plants/config.toml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o646)).unwrap();
    let mut pty = ready(start);
    pty.shows("Other users can change the config file").shows("chmod").press("\x1b");
    pty.until("the notice is closed", |screen, _| !screen.contents().contains("Other users")).press("q");
    assert_clean_exit(&mut pty);
}

#[test]
fn a_signal_during_a_prompt_of_a_subcommand_restores_the_terminal() {
    for signal in SIGNALS {
        let mut pty = plants(&["delete", "7", "--base-url", NOWHERE]).open();
        pty.shows("Token:");
        pty.press("abc").shows("***").signal(signal);
        assert_stopped_unsent(&mut pty);

        let mut pty = plants(&["delete", "7", "--base-url", NOWHERE]).open();
        pty.shows("Token:");
        pty.press("abc\r").shows("[y/N]").signal(signal);
        assert_stopped_unsent(&mut pty);
    }
}

#[track_caller]
fn assert_stopped_unsent(pty: &mut Pty) {
    let ended = pty.end();
    assert_eq!((ended.code, ended.signal), (130, None), "{}", ended.screen);
    assert!(ended.screen.to_lowercase().contains("nothing was sent") || ended.screen.contains("nothing sent"));
    pty.assert_restored();
}

/// Opens help, history, form and dialogs once.
fn look_around(pty: &Pty) {
    pty.press("?").shows("Keys and words").press("q");
    pty.press("\r").press("q").press("a").shows("Add a plant");
    pty.press("\t\x15x").shows("id");
    pty.press("\x03").press("d").shows("Delete").press("\x03");
    pty.press("q");
}

#[test]
fn with_reduced_motion_nothing_is_drawn_during_a_request() {
    let by_config = plants(&[]).file("config/plants/config.toml", "reduced_motion = true\n");
    for mut pty in all_ready([plants(&[]).env("NO_MOTION", "1"), by_config]) {
        pty.press("4w").shows("The weather at the demo store").answer("\x1b[B\r");
        pty.shows("weather: slow");
        pty.press("aRose\t\tt\r");
        pty.shows("no response yet");
        // An animation would draw eight frames a second.
        assert!((0..20).any(|_| pty.is_silent_for(Duration::from_millis(700))));
        pty.shows("✓ Yes.");
        pty.interrupt();
        assert_clean_exit(&mut pty);
    }
}

#[test]
fn no_color_writes_no_colour() {
    let starts = [
        plants(&[]).env("NO_COLOR", "1"),
        plants(&["--no-color"]),
        plants(&["--no-color"]).env("COLORTERM", "truecolor"),
        plants(&[]).env("TERM", "dumb").env("PLANTS_PLAIN", "0"),
    ];
    for mut pty in all_ready(starts) {
        look_around(&pty);
        assert_clean_exit(&mut pty);
        for (parameters, _) in control_sequences(&pty.raw()).iter().filter(|(_, last)| *last == 'm') {
            let colours = parameters.split([';', ':']).filter_map(|number| number.parse::<u8>().ok());
            let colour = colours.into_iter().find(|n| matches!(n, 30..=38 | 40..=48 | 90..=97 | 100..=107));
            assert_eq!(colour, None, "ESC[{parameters}m");
        }
    }
}

#[test]
fn ascii_writes_only_ascii() {
    let mut pty = ready(plants(&[]).env("LC_ALL", "C"));
    pty.shows("Cafe au lait");
    look_around(&pty);
    assert_clean_exit(&mut pty);
    let beyond = pty.raw().iter().position(|byte| !byte.is_ascii());
    assert_eq!(beyond, None, "{}", pty.raw().escape_ascii());
}
