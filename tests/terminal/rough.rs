//! A terminal that misbehaves: too much at once, half of it, nonsense, sizes that are none, nobody
//! who reads. The program goes on, or ends when asked, and leaves the terminal as it was.

use super::pty::peak_of;
use super::*;
use crate::support::extent::{number_in, rounds};
use crate::support::raw::Reply;

/// KiB that the program may ever have in memory, whatever comes.
const MEMORY: u64 = 400 * 1024;

/// What begins an escape sequence, a letter or a paste, and does not end it.
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

/// A program that asks for a token, to send an add with it.
fn asks_for_a_token(store: &RawStore) -> Start {
    plants(&["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--base-url", &store.url()])
}

fn accepts() -> RawStore {
    RawStore::saying("201 Created", r#"{"name":"Fern","tag":"shade"}"#)
}

#[test]
fn a_token_longer_than_a_read_is_taken_whole() {
    // Real ones have thousands of bytes, and a terminal's buffer 4096.
    for length in [1023, 1024, 1025, 2600, 4000] {
        let (store, token) = (accepts(), "t".repeat(length));
        let mut pty = asks_for_a_token(&store).open();
        pty.shows("Token: ").press(&format!("{token}\r"));
        assert_eq!(pty.end().code, 0, "{length}");
        let request = store.received().pop().unwrap();
        assert!(request.contains(&format!("authorization: Bearer {token}\r\n")), "{length}: {request}");
        assert!(!holds(&pty.raw(), b"ttt"), "the token is seen");
        assert_eq!(pty.left_behind(), [""; 0]);
    }
}

#[test]
fn keys_behind_a_flood_are_heard() {
    let floods = [
        "\x1b[<64;9;9M".repeat(10_000),
        "\x1b[<0;9;9M".repeat(300),
        "\x1b[1;1R".repeat(3000),
        "?q".repeat(600),
        // The oldest kind of mouse report, with a place that there is not.
        "\x1b[M/j\r".to_owned(),
    ];
    for (mut pty, flood) in demos::<5>().into_iter().zip(floods) {
        pty.press(&flood).press("q");
        assert_left_well(&mut pty, 0);
    }
    let mut pty = demo();
    pty.press("a").shows("Add a plant").press(&format!("{}\x03\x03", "x".repeat(1500)));
    assert_left_well(&mut pty, 0);
}

#[test]
fn half_a_sequence_holds_up_neither_a_resize_nor_the_end() {
    for (mut pty, half) in demos::<{ HALVES.len() }>().into_iter().zip(HALVES) {
        let before = pty.raw().len();
        pty.send(half).resize(100, 30);
        pty.until("it is drawn anew", |_, raw| {
            raw[before..].windows(7).any(|part| part == b"\x1b[30;1H" || part == b"\x1b[30;2H")
        });
        pty.signal(Signal::TERM);
        assert_left_well(&mut pty, 0);
    }
}

#[test]
fn sizes_that_no_screen_has_are_survived() {
    let mut pty = demo();
    for (columns, rows) in [(0, 0), (1, 1), (0, 24), (80, 0), (65_535, 1), (1, 65_535), (65_535, 65_535), (5000, 5000)]
    {
        pty.claim(columns, rows);
        pty.press("21");
    }
    for step in 0..200_u16 {
        pty.claim(50 + step % 90, 14 + step % 40);
    }
    pty.resize(120, 36).press("1").shows("Boston fern").shows("q quit");
    assert!(peak_of(pty.pid()) < MEMORY, "{} KiB", peak_of(pty.pid()));
    pty.press("q");
    assert_left_well(&mut pty, 0);
}

#[test]
fn a_terminal_that_nobody_reads_does_not_keep_a_signal_from_ending_the_program() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let pty = ready(plants(&[]).size(200, 60));
        pty.hold(true);
        // More than any terminal's buffer takes: whoever draws waits.
        pty.press(&"2413".repeat(40));
        pty.signal(signal);
        // Ended, and not because somebody read at last.
        let mut pty = pty;
        let ended = pty.end_unread();
        assert!(ended == 130 || ended == 0, "{ended}");
        assert!(!pty.is_raw(), "the terminal is not as it was");
    }
}

#[test]
fn ten_megabytes_are_pasted_and_keys_still_heard() {
    let paste = |megabytes: usize| "paste ".repeat((megabytes << 20) / 6);
    let mut pty = demo();
    pty.paste(&paste(10)).press("?").shows("Keys and words").press("q");
    // A field is drawn with the request that it makes: fast, but not as this is compiled.
    pty.press("a").shows("Add a plant").paste(&paste(1)).shows("paste paste").press("\x1b");
    pty.until("the form is closed", |screen, _| !screen.contents().contains("Add a plant"));
    assert!(peak_of(pty.pid()) < MEMORY, "{} KiB", peak_of(pty.pid()));
    pty.signal(Signal::TERM);
    assert_left_well(&mut pty, 0);
}

#[test]
fn keys_are_heard_whatever_a_store_does() {
    let created = b"HTTP/1.1 201 Created\r\n";
    for (reply, then) in [
        (Reply::Nothing, "1 unknown"),
        (Reply::Floods([created, &b"content-length: 99999999999\r\n\r\n"[..]].concat()), "1 stored"),
        (Reply::Floods([created, &b"x: "[..]].concat()), "1 unknown"),
        (Reply::Floods(b"HTTP/1.1 ".to_vec()), "1 unknown"),
    ] {
        let store = RawStore::replying(vec![reply]);
        let mut pty = plants(&["--base-url", &store.url()]).env("PLANTS_TOKEN", "demo").open();
        pty.shows("No plants yet").press("a").shows("Add a plant").press("Fern\t\tt\r");
        // It is heard, and drawn, before the store is done with, or while it goes on for ever.
        pty.press("2").shows("Latency").press("?").shows("Keys and words").press("q").press("1");
        pty.until("the response is what it is, or is awaited", |screen, _| {
            let text = screen.contents();
            text.contains("1 in flight") || text.contains(then)
        });
        if !pty.screen().contents().contains(then) {
            pty.press("\x03").shows(then);
        }
        pty.signal(Signal::TERM);
        assert_eq!((pty.end().signal, pty.left_behind()), (None, Vec::new()));
    }
}

#[test]
fn a_token_prompt_ends_with_its_terminal() {
    let store = accepts();
    let script = format!(r#"trap "" HUP; "$0" add --id 7 --name Fern --tag shade --base-url {}; exit 0"#, store.url());
    for ends in [script.replace("trap \"\" HUP; ", ""), script] {
        let pty = Start::script(&ends, PLANTS).open();
        pty.shows("Token: ");
        let took = pty.vanish();
        assert!(took.0 < 100, "{ends}: {took:?}");
    }
    assert_eq!(store.received(), [""; 0]);
}

#[test]
fn a_token_prompt_that_was_stopped_is_still_secret() {
    let store = accepts();
    let mut pty = asks_for_a_token(&store).open();
    pty.shows("Token: ");
    pty.stop();
    // As a shell does when its job stops.
    pty.cook();
    pty.signal(Signal::CONT).until_raw();
    pty.press(&format!("{CANARY}\r"));
    assert_eq!(pty.end().code, 0);
    assert!(!holds(&pty.raw(), CANARY.as_bytes()), "the token is seen");
    assert_eq!(pty.left_behind(), [""; 0]);
    assert!(store.received()[0].contains(CANARY));
}

#[test]
fn a_token_command_leaves_the_terminal_as_it_was() {
    // Ended while it runs, in the interface.
    let config = "[profile.balcony]\nbase_url = 'http://127.0.0.1:1'\ntoken_command = ['sleep', '600']\n";
    let mut pty = ready(plants(&[]).file("config/plants/config.toml", config));
    pty.press("c").shows("Stores").shows("balcony").press("\x1b[Z\r");
    pty.shows("6 plants are in the demo store").press("\t\r").shows("token from the command sleep");
    pty.signal(Signal::TERM);
    assert_left_well(&mut pty, 0);
    // It turns the echo off and not on again.
    let store = accepts();
    let config = format!(
        "[profile.balcony]\nbase_url = '{}'\ntoken_command = ['sh', '-c', 'stty -echo </dev/tty; echo demo']\n",
        store.url()
    );
    let add = ["add", "--id", "7", "--name", "Fern", "--tag", "shade", "--profile", "balcony"];
    let mut pty = plants(&add).file("config/plants/config.toml", &config).open();
    assert_eq!((pty.end().code, pty.left_behind()), (0, Vec::new()));
    // In the background of a shell nobody sets the terminal: whoever does is stopped.
    let script = r#"set -m; "$0" add --id 8 --name Fern --tag shade --profile balcony & wait $!; echo "[ended $?]""#;
    let config = config.replace("stty -echo </dev/tty; ", "");
    let mut pty = Start::script(script, PLANTS).file("config/plants/config.toml", &config).open();
    pty.shows("[ended 0]");
    assert_eq!(pty.end().code, 0);
    assert_eq!(store.received().len(), 2);
}

#[test]
fn who_was_told_to_ignore_a_hang_up_does() {
    // As `nohup` does it.
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
fn without_a_way_to_hear_keys_it_ends() {
    let mut says_why = false;
    for files in [8, 10, 12, 14, 15, 16, 17, 18, 19, 20, 22, 24] {
        let mut pty = Start::script(&format!("ulimit -n {files}; exec \"$0\""), PLANTS).open();
        let says_why_not = |line: &str| line.starts_with("plants:");
        let has_ended = |screen: &str, raw: &[u8]| screen.lines().any(says_why_not) || holds(raw, b"\x1b[?1049l");
        pty.until("it draws, or has ended", |screen, raw| {
            screen.contents().contains("q quit") || has_ended(&screen.contents(), raw)
        });
        // Something may be in flight, or be lost, so that it asks.
        pty.press("q").until("it hears the key, or has ended", |screen, raw| {
            screen.contents().contains("Quit now?") || has_ended(&screen.contents(), raw)
        });
        if pty.screen().contents().contains("Quit now?") {
            pty.signal(Signal::TERM);
        }
        let ended = pty.end();
        says_why |= ended.screen.contains("its keys cannot be read");
        assert!(ended.signal.is_none() && [0, 2, 3].contains(&ended.code), "{files}: {ended:?}");
        assert_eq!(pty.left_behind(), [""; 0], "{files}");
    }
    assert!(says_why, "of so few descriptors none are too few to hear keys");
}

/// How often, and from which seed: `PLANTS_GARBAGE=1000 cargo test --test terminal garbage`.
#[test]
fn garbage_is_survived() {
    let seed = number_in("PLANTS_GARBAGE_SEED").unwrap_or(1);
    let mut random = fastrand::Rng::with_seed(seed);
    for round in 0..rounds("PLANTS_GARBAGE", 3, 50) {
        let mut pty = demo();
        // Nothing that ends or stops it: what is left can type anything else, and click anywhere.
        let mut garbage = vec![0; random.usize(1..4000)];
        random.fill(&mut garbage);
        for _ in 0..garbage.len() / 40 {
            let at = random.usize(..garbage.len());
            let half = HALVES[random.usize(..HALVES.len())];
            garbage.splice(at..at, half.iter().copied());
        }
        garbage.retain(|byte| ![0x03, 0x1a, b'q'].contains(byte));
        pty.send(&garbage);
        // It is heard, and drawn, for all that: whatever is open, a new size is.
        let before = pty.raw().len();
        pty.resize(118, 35).until("it is drawn anew", |_, raw| raw.len() > before);
        pty.signal(Signal::TERM);
        let ended = pty.end();
        let how = format!("PLANTS_GARBAGE_SEED={seed}, round {round}");
        assert_eq!((ended.code, ended.signal.as_deref()), (0, None), "{how}: {}", ended.screen);
        assert_eq!(pty.left_behind(), [""; 0], "{how}");
        assert!(!ended.screen.contains("panicked"), "{how}: {}", ended.screen);
    }
}

/// Waits without a word on the screen: for the settings of the terminal.
impl Pty {
    pub(super) fn until_raw(&self) -> &Self {
        for _ in 0..30_000 {
            if self.is_raw() {
                return self;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        unreachable!("the terminal is not raw");
    }
}
