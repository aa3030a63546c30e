//! A terminal that misbehaves: floods, incomplete sequences, garbage, impossible sizes, output that is not read. The
//! program continues or ends on request, and restores the terminal.

use super::pty::peak_memory;
use super::*;
use crate::support::extent::{number_in, rounds};
use crate::support::raw::Reply;

/// The largest allowed peak memory, in KiB.
const MEMORY_LIMIT: u64 = 400 * 1024;

/// Incomplete escape sequences, characters and pastes.
const HALVES: [&[u8]; 12] = [
    b"\x1b[",
    b"\x1bO",
    b"\x1b[1",
    b"\x1b[1;",
    b"\x1b[<",
    b"\x1b[<0;1;1",
    b"\x1b[?",
    b"\x1b[M",
    b"\x1b[200~",
    b"\x1b[200~half",
    b"\xc3",
    b"\xf0\x9f",
];

/// Prepares an add that prompts for a token.
fn add_with_prompt(store: &RawStore) -> Start {
    plants(&["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--base-url", &store.url()])
}

fn accepting_store() -> RawStore {
    RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#)
}

#[test]
fn a_token_longer_than_a_read_is_read_whole() {
    // Real tokens have thousands of bytes; a terminal's buffer has 4096.
    for length in [1023, 1024, 1025, 2600, 4000] {
        let (store, token) = (accepting_store(), "t".repeat(length));
        let mut pty = add_with_prompt(&store).open();
        pty.shows("Token: ").press(&format!("{token}\r"));
        assert_eq!(pty.end().code, 0, "{length}");
        let request = store.received().pop().unwrap();
        assert!(request.contains(&format!("authorization: Bearer {token}\r\n")), "{length}: {request}");
        assert!(!contains(&pty.raw(), b"ttt"), "the token is shown");
        pty.assert_restored();
    }
}

#[test]
fn keys_after_a_flood_are_read() {
    let floods = [
        "\x1b[<64;9;9M".repeat(10_000),
        "\x1b[<0;9;20M".repeat(300),
        "\x1b[1;1R".repeat(3000),
        "?q".repeat(600),
        // The oldest kind of mouse report, with an impossible position.
        "\x1b[M/j\r".to_owned(),
    ];
    for (mut pty, flood) in demos::<5>().into_iter().zip(floods) {
        pty.press(&flood).press("q");
        assert_clean_exit(&mut pty);
    }
    let mut pty = demo();
    pty.press("a").shows("Add a plant").press(&"x".repeat(1500)).until_read().interrupt();
    assert_clean_exit(&mut pty);
}

#[test]
fn an_incomplete_sequence_delays_neither_a_resize_nor_the_end() {
    for (mut pty, half) in demos::<{ HALVES.len() }>().into_iter().zip(HALVES) {
        let before = pty.raw().len();
        pty.send(half).resize(100, 30);
        pty.until("a new frame", |_, raw| {
            raw[before..].windows(7).any(|part| part == b"\x1b[30;1H" || part == b"\x1b[30;2H")
        });
        pty.signal(Signal::TERM);
        assert_clean_exit(&mut pty);
    }
}

#[test]
fn impossible_terminal_sizes_are_survived() {
    let mut pty = demo();
    for (columns, rows) in [(0, 0), (1, 1), (0, 24), (80, 0), (65_535, 1), (1, 65_535), (65_535, 65_535), (5000, 5000)]
    {
        pty.report_size(columns, rows);
        pty.press("21");
    }
    for step in 0..200_u16 {
        pty.report_size(50 + step % 90, 14 + step % 40);
    }
    pty.resize(120, 36).press("1").shows("Boston fern").shows("q quit");
    assert!(peak_memory(pty.pid()) < MEMORY_LIMIT, "{} KiB", peak_memory(pty.pid()));
    // While the last frame was too small, other keys do nothing.
    pty.interrupt();
    assert_clean_exit(&mut pty);
}

#[test]
fn a_signal_ends_the_program_while_its_output_is_not_read() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let pty = ready(plants(&[]).size(200, 60));
        pty.pause(true);
        // More than the terminal's buffer has room for: drawing blocks.
        pty.press(&"2413".repeat(40));
        pty.signal(signal);
        let mut pty = pty;
        let ended = pty.end_paused();
        assert!(ended == 130 || ended == 0, "{ended}");
        assert!(!pty.is_raw(), "the terminal is not restored");
    }
}

#[test]
fn a_line_that_is_slower_than_the_keys_gets_few_frames() {
    let mut pty = demo();
    let before = pty.raw().len();
    pty.pause(true);
    // Each would draw most of the screen; the last opens Plants.
    pty.press(&"2413".repeat(100)).press("1j");
    pty.pause(false).shows("Boston fern").shows("q quit");
    let frame = 120 * 36 * 4;
    let written = pty.raw().len() - before;
    assert!(written < 20 * frame, "{written} bytes for 400 changes of the screen");
    pty.press("q");
    assert_clean_exit(&mut pty);
}

#[test]
fn keys_are_read_after_a_paste_of_ten_megabytes() {
    let paste = |megabytes: usize| "paste ".repeat((megabytes << 20) / 6);
    let mut pty = demo();
    pty.paste(&paste(10)).press("?").shows("Keys and words").press("q");
    // Less, because drawing the request of such a form is slow in a debug build.
    pty.press("a").shows("Add a plant").paste(&paste(1)).shows("paste paste").press("\x1b");
    pty.until("the form is closed", |screen, _| !screen.contents().contains("Add a plant"));
    assert!(peak_memory(pty.pid()) < MEMORY_LIMIT, "{} KiB", peak_memory(pty.pid()));
    pty.signal(Signal::TERM);
    assert_clean_exit(&mut pty);
}

#[test]
fn keys_are_read_whatever_the_store_responds() {
    let created = b"HTTP/1.1 201 Created\r\n";
    for (reply, then) in [
        (Reply::Nothing, "1 unknown"),
        (Reply::Floods([created, &b"content-length: 99999999999\r\n\r\n"[..]].concat()), "1 stored"),
        (Reply::Floods([created, &b"x: "[..]].concat()), "1 unknown"),
        (Reply::Floods(b"HTTP/1.1 ".to_vec()), "1 unknown"),
    ] {
        let never_ends = matches!(reply, Reply::Nothing);
        let store = RawStore::replying(vec![reply]);
        let mut pty = plants(&["--base-url", &store.url()]).env("PLANTS_TOKEN", "demo").open();
        pty.shows("No plants yet").press("a").shows("Add a plant").press("Fern\t\tt\r");
        // Keys work while the store responds.
        pty.press("2").shows("Latency").press("?").shows("Keys and words").press("q").press("1");
        if never_ends {
            pty.shows("1 in flight").press("\x03");
        }
        // The limits of head and body end each of the others.
        pty.shows(then);
        pty.signal(Signal::TERM);
        assert_eq!(pty.end().signal, None);
        pty.assert_restored();
    }
}

#[test]
fn closing_the_terminal_ends_a_token_prompt() {
    let store = accepting_store();
    let script = format!(r#"trap "" HUP; "$0" add --id 7 --name Fern --tag shade --base-url {}; exit 0"#, store.url());
    for script in [script.replace("trap \"\" HUP; ", ""), script] {
        let pty = Start::script(&script, PLANTS).open();
        pty.shows("Token: ");
        let took = pty.vanish();
        assert!(took.0 < 100, "{script}: {took:?}");
    }
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn a_token_prompt_hides_the_token_also_after_a_stop() {
    let store = accepting_store();
    let mut pty = add_with_prompt(&store).open();
    pty.shows("Token: ");
    pty.stop();
    // Like a shell whose job stops.
    pty.restore_settings();
    pty.signal(Signal::CONT).until_raw();
    pty.press(&format!("{CANARY}\r"));
    assert_eq!(pty.end().code, 0);
    assert!(!contains(&pty.raw(), CANARY.as_bytes()), "the token is shown");
    pty.assert_restored();
    assert!(store.received()[0].contains(CANARY));
}

#[test]
fn the_terminal_is_restored_after_a_token_command() {
    // A signal ends the interface while the command runs.
    let config = "[profile.balcony]\nbase_url = 'http://127.0.0.1:1'\ntoken_command = ['sleep', '600']\n";
    let mut pty = ready(plants(&[]).file("config/plants/config.toml", config));
    pty.press("c").shows("Stores").shows("balcony").press("\x1b[Z\r");
    pty.shows("Opening balcony");
    pty.signal(Signal::TERM);
    assert_clean_exit(&mut pty);
    // The command turns the echo off and not on again.
    let store = accepting_store();
    let config = format!(
        "[profile.balcony]\nbase_url = '{}'\ntoken_command = ['sh', '-c', 'stty -echo </dev/tty; echo demo']\n",
        store.url()
    );
    let add = ["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--profile", "balcony"];
    let mut pty = plants(&add).file("config/plants/config.toml", &config).open();
    assert_exit(&mut pty, 0);
    // In the background, the kernel would stop a program that changes the settings.
    let script = r#"set -m; "$0" add --id 8 --name Fern --tag shade --profile balcony & wait $!; echo "[ended $?]""#;
    let config = config.replace("stty -echo </dev/tty; ", "");
    let mut pty = Start::script(script, PLANTS).file("config/plants/config.toml", &config).open();
    pty.shows("[ended 0]");
    assert_eq!(pty.end().code, 0);
    assert_eq!(store.received().len(), 2);
}

#[test]
fn a_hang_up_that_was_ignored_at_the_start_stays_ignored() {
    // Like `nohup`.
    let mut pty = Start::script(r#"trap "" HUP; exec "$0" serve --port 0"#, PLANTS).open();
    pty.shows("http://127.0.0.1:").signal(Signal::HUP);
    let text = pty.screen().contents();
    let base = text.split_whitespace().find(|word| word.starts_with("http://127.0.0.1:")).unwrap().to_owned();
    let base = base.trim_end_matches(|c: char| !c.is_ascii_digit()).to_owned();
    let home = Home::new();
    home.plants_at(&base, &["add", "--id", "7", "--name", "Fern", "--tag", "shade"]).ended().orderly(0);
    pty.signal(Signal::TERM);
    assert_eq!(pty.end().signal, None);
}

#[test]
fn without_file_descriptors_for_the_keyboard_the_program_ends() {
    for files in [8, 10, 12, 14, 15, 16, 17, 18, 19, 20, 22, 24] {
        let mut pty = Start::script(&format!("ulimit -n {files}; exec \"$0\""), PLANTS).open();
        let is_error = |line: &str| line.starts_with("plants:");
        let has_ended = |screen: &str, raw: &[u8]| screen.lines().any(is_error) || contains(raw, b"\x1b[?1049l");
        pty.until("a frame, or the end", |screen, raw| {
            screen.contents().contains("q quit") || has_ended(&screen.contents(), raw)
        });
        // The program may ask first, because an operation is in flight or unknown.
        pty.press("q").until("a response to the key, or the end", |screen, raw| {
            screen.contents().contains("Quit now?") || has_ended(&screen.contents(), raw)
        });
        if pty.screen().contents().contains("Quit now?") {
            pty.signal(Signal::TERM);
        }
        let ended = pty.end();
        assert!(ended.signal.is_none() && [0, 2, 3].contains(&ended.code), "{files}: {ended:?}");
        assert_eq!(pty.changes(), [""; 0], "{files}");
    }
}

/// For more rounds or another seed: `PLANTS_GARBAGE=1000 PLANTS_GARBAGE_SEED=7 cargo test --test outside garbage`.
#[test]
fn garbage_input_is_survived() {
    let seed = number_in("PLANTS_GARBAGE_SEED").unwrap_or(1);
    let mut random = fastrand::Rng::with_seed(seed);
    for round in 0..rounds("PLANTS_GARBAGE", 3, 50) {
        let mut pty = demo();
        // Any bytes except the keys that end or stop the program.
        let mut garbage = vec![0; random.usize(1..4000)];
        random.fill(&mut garbage);
        for _ in 0..garbage.len() / 40 {
            let at = random.usize(..garbage.len());
            let half = HALVES[random.usize(..HALVES.len())];
            garbage.splice(at..at, half.iter().copied());
        }
        garbage.retain(|byte| ![0x03, 0x1a, b'q'].contains(byte));
        pty.send(&garbage);
        // A resize causes a new frame, whatever dialog is open.
        let before = pty.raw().len();
        pty.resize(118, 35).until("a new frame", |_, raw| raw.len() > before);
        pty.signal(Signal::TERM);
        let ended = pty.end();
        let how = format!("PLANTS_GARBAGE_SEED={seed}, round {round}");
        // 130 where what the bytes began takes longer than the program waits for it.
        assert!([0, 130].contains(&ended.code) && ended.signal.is_none(), "{how}: {ended:?}");
        assert_eq!(pty.changes(), [""; 0], "{how}");
        assert!(!ended.screen.contains("panicked"), "{how}: {}", ended.screen);
    }
}
