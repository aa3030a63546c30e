//! Tables and reports of the subcommands on a terminal: columns, marks, colours, and the pager.

use std::path::Path;

use super::plants;
use super::pty::{Ended, Start, control_sequences};
use crate::support::Home;
use crate::support::leave_out;
use crate::support::raw::{RawStore, Reply};
use crate::support::served::Served;

/// A home directory whose journal has plants of a store.
struct Filled {
    home: Home,
    base: String,
}

impl Filled {
    /// Three plants, the last one unknown, and a rejected delete.
    fn with_every_outcome() -> Self {
        let home = Home::new();
        let accepted = Reply::of("201 Created", r#"{"name":"Fern","tag":"shade"}"#);
        let rejected = Reply::of("404 Not Found", "");
        let store = RawStore::replying(vec![accepted.clone(), accepted, Reply::Says(Vec::new()), rejected]);
        let base = store.url();
        for (id, name) in [("7", "Fern"), ("8", "漢字の木"), ("9", "\u{1b}[2Jevil\u{202e}")] {
            home.plants_at(&base, &["add", "--id", id, "--name", name, "--tag", "shade"]).ended();
        }
        home.plants_at(&base, &["delete", "12", "--yes"]).ended().orderly(1);
        Self { home, base }
    }

    /// So many plants with names of one length, and a longer one at the end.
    fn with_many(count: usize) -> Self {
        let (home, store) = (Home::new(), Served::calm());
        let rows: Vec<_> = (1..count).map(|id| format!("{id},Fern,shade\n")).collect();
        let rows = rows.concat();
        let file = home.write("plants.csv", format!("id,name,tag\n{rows}{count},Monstera deliciosa,tropical\n"));
        home.plants_at(&store.base, &["import", file.to_str().unwrap()]).ended().orderly(0);
        Self { home, base: store.base.clone() }
    }

    fn start(&self, arguments: &[&str]) -> Start {
        let data = self.home.data();
        plants(&[arguments, &["--base-url", &self.base, "--data-dir", data.to_str().unwrap()]].concat())
    }

    /// Runs a subcommand to its end. Returns its end, and every byte that it wrote.
    fn run(start: Start) -> (Ended, String) {
        let mut pty = start.open();
        let ended = pty.end();
        let changes = pty.changes();
        assert!(changes.is_empty(), "{changes:?}");
        (ended, String::from_utf8(pty.raw()).unwrap())
    }

    /// The lines on the screen after a subcommand that succeeded.
    fn lines(start: Start) -> Vec<String> {
        let (ended, _) = Self::run(start);
        assert_eq!(ended.code, 0, "{}", ended.screen);
        ended.screen.lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// Removes the times of a table.
fn without_times(line: &str) -> String {
    let is_time = |word: &&str| word.split(':').count() == 3;
    line.split_whitespace().filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_message_breaks_at_words() {
    let ended = super::plants(&["serve", "--port", "abc"]).size(36, 10).open().end();
    let lines: Vec<_> = ended.screen.lines().map(str::trim_end).take(3).collect();
    let broken = ["plants: invalid value 'abc' for", "'--port <PORT>': write a whole", "number from 0 to 65535."];
    assert_eq!((ended.code, lines), (2, broken.to_vec()));
}

#[test]
fn the_list_has_the_columns_of_the_tab() {
    let filled = Filled::with_every_outcome();
    let lines = Filled::lines(filled.start(&["list"]));
    assert_eq!(lines[0], "  ID  NAME              TAG    STATE       SINCE");
    assert!(lines[1].starts_with("   7  Fern              shade  ● stored"), "{lines:?}");
    assert!(lines[2].starts_with("   8  漢字の木          shade  ● stored"), "{lines:?}");
    let rows: Vec<_> = lines[1..].iter().map(|line| without_times(line)).collect();
    assert_eq!(rows, ["7 Fern shade ● stored", "8 漢字の木 shade ● stored", "9 ␛[2Jevil‹U+202E› shade ? unknown"]);
}

#[test]
fn the_history_has_the_columns_of_the_tab_and_the_numbers_of_the_entries() {
    let filled = Filled::with_every_outcome();
    let lines = Filled::lines(filled.start(&["history"]));
    assert_eq!(
        lines[0].split_whitespace().collect::<Vec<_>>(),
        ["ENTRY", "STARTED", "WHAT", "PLANT", "STATUS", "OUTCOME", "SIZE", "TOOK"]
    );
    for (line, expected) in lines[1..].iter().zip([
        "#4 delete plant 12 404 ✗ rejected",
        "#3 add ␛[2Jevil‹U+202E› (9) ? unknown",
        "#2 add 漢字の木 (8) 201 ✓ accepted",
        "#1 add Fern (7) 201 ✓ accepted",
    ]) {
        assert!(without_times(line).starts_with(expected), "{line}");
    }
}

#[test]
fn colours_are_the_only_sequences_and_can_be_turned_off() {
    let filled = Filled::with_every_outcome();
    for table in ["list", "history"] {
        let (ended, raw) = Filled::run(filled.start(&[table]));
        let sequences = control_sequences(raw.as_bytes());
        assert!(!sequences.is_empty() && sequences.iter().all(|(_, last)| *last == 'm'), "{raw:?}");
        assert_eq!(raw.matches('\u{1b}').count(), sequences.len(), "{raw:?}");
        assert!(!raw.contains("evil\u{202e}") && raw.contains("evil‹U+202E›"), "{raw:?}");
        for plain in [
            filled.start(&[table]).env("NO_COLOR", "1"),
            filled.start(&[table, "--no-color"]),
            filled.start(&[table]).env("TERM", "dumb"),
        ] {
            let (same, raw) = Filled::run(plain);
            assert!(!raw.contains('\u{1b}'), "{raw:?}");
            assert_eq!(same.screen, ended.screen);
        }
        let (_, ascii) = Filled::run(filled.start(&[table, "--ascii"]));
        assert!(ascii.is_ascii() && ascii.contains("_[2Jevil_U+202E_"), "{ascii:?}");
    }
    // Not only in tables, but not where another program may read it.
    let of = |words: &[&str]| Filled::run(filled.start(words).args(&["--ascii"])).1;
    let [entry, json] = [of(&["history", "2"]), of(&["list", "--json"])];
    assert!(entry.is_ascii() && json.contains("漢字の木"), "{entry:?} {json:?}");
}

#[test]
fn no_text_is_cut_where_there_is_room_and_none_is_lost_where_there_is_not() {
    let filled = Filled::with_many(5);
    let lines = |columns| Filled::lines(filled.start(&["list"]).size(columns, 36));
    assert!(lines(60)[5].starts_with("   5  Monstera deliciosa  tropical  ● stored"), "{:?}", lines(60));
    // The time goes first.
    let narrow = lines(46);
    assert!(narrow[0].ends_with("STATE") && narrow[5].contains("Monstera deliciosa  tropical"), "{narrow:?}");
    assert!(lines(40)[5].contains('…'));
}

#[test]
fn a_later_page_with_longer_texts_widens_the_columns() {
    let filled = Filled::with_many(1001);
    let start = filled.start(&["list"]).env("PAGER", "sed -n '1,2p;1001p;1002p'");
    let lines = Filled::lines(start);
    let names: Vec<_> = lines.iter().map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(names, ["NAME", "Fern", "Fern", "Monstera"]);
    assert!(
        lines[2].starts_with("1000  Fern  shade") && lines[3].starts_with("1001  Monstera deliciosa  tropical"),
        "{lines:?}"
    );
}

#[test]
fn a_pager_shows_what_is_longer_than_the_terminal_and_nothing_else() {
    let filled = Filled::with_many(40);
    let paged = |start: Start| {
        let (ended, raw) = Filled::run(start.env("PAGER", "sh -c 'echo paged; cat'"));
        assert!(ended.code == 0 && raw.contains("Monstera deliciosa"), "{raw:?}");
        raw.starts_with("paged")
    };
    assert!(paged(filled.start(&["list"])));
    assert!(paged(filled.start(&["history"])));
    // The heading, 40 rows and the prompt.
    assert!(paged(filled.start(&["list"]).size(120, 41)));
    assert!(!paged(filled.start(&["list"]).size(120, 42)));
    assert!(!paged(filled.start(&["list", "--no-pager"])));
    assert!(!paged(filled.start(&["list", "--json"])));
    assert!(!paged(filled.start(&["history", "--as", "curl"])));
    assert!(!paged(filled.start(&["list"]).env("PLANTS_PAGER", "")));
    let (ended, _) = Filled::run(filled.start(&["list"]).env("PAGER", "false").env("PLANTS_PAGER", "cat"));
    assert!(ended.screen.contains("Monstera deliciosa"), "{}", ended.screen);
}

#[test]
fn the_pager_gets_its_options_and_no_secret() {
    let filled = Filled::with_many(40);
    let profiles = "[profile.a]\ntoken_env = 'STAGING_TOKEN'\n[profile.b.headers]\nX-Key = { env = 'GATEWAY_KEY' }\n";
    let config = filled.home.config(profiles);
    let seen = |less: Option<&str>| {
        let start = filled.start(&["list", "--config", config.to_str().unwrap()]);
        let secrets = ["PLANTS_TOKEN", "PLANTS_HEADER_X_KEY", "STAGING_TOKEN", "GATEWAY_KEY"];
        let start = secrets.into_iter().fold(start, |start, name| start.env(name, "sesame"));
        let pager =
            r#"sh -c 'echo "<$LESS$LV$PLANTS_TOKEN$PLANTS_HEADER_X_KEY$STAGING_TOKEN$GATEWAY_KEY>"; cat > all'"#;
        let start = start.env("PAGER", pager);
        Filled::lines(less.into_iter().fold(start, |start, less| start.env("LESS", less)))
    };
    assert_eq!((seen(None), seen(Some("-S"))), (vec!["<FRX-c>".to_owned()], vec!["<-R -S-c>".to_owned()]));
}

#[test]
fn quitting_the_pager_early_is_a_success() {
    let filled = Filled::with_many(3_000);
    let (ended, raw) = Filled::run(filled.start(&["list"]).env("PAGER", "head -n 2"));
    assert_eq!((ended.code, raw.lines().count()), (0, 2), "{raw:?}");
    // Ctrl-C is the pager's own key.
    let mut pty = filled
        .start(&["list"])
        .env(
            "PAGER",
            "sh -c 'trap \"echo again\" INT; read -r _; echo ready; read -r _ < /dev/tty || read -r _ < /dev/tty'",
        )
        .open();
    pty.shows("ready").press("\x03").shows("again").press("\r");
    assert_eq!(pty.end().code, 0);
}

#[test]
fn less_is_the_pager_if_it_is_there() {
    let filled = Filled::with_many(100);
    if !["/usr/bin/less", "/bin/less"].iter().any(|path| Path::new(path).exists()) {
        return leave_out("less is not installed: apt install less");
    }
    let mut pty = filled.start(&["list"]).open();
    pty.shows("  34  Fern").press("G").shows("Monstera deliciosa").press("q");
    let ended = pty.end();
    assert_eq!(ended.code, 0);
    assert!(ended.screen.contains("Monstera deliciosa"), "{}", ended.screen);
    pty.assert_restored();
}

#[test]
fn without_a_pager_the_table_is_printed() {
    let filled = Filled::with_many(40);
    let (ended, raw) = Filled::run(filled.start(&["list"]).env("PATH", "/nowhere"));
    assert_eq!((ended.code, raw.lines().count()), (0, 41), "{raw:?}");
    let (ended, raw) = Filled::run(filled.start(&["list"]).env("PAGER", "no-such-pager -x"));
    assert_eq!(ended.code, 0);
    assert!(raw.starts_with("Printed without a pager: no-such-pager cannot be started (No such file"), "{raw:?}");
    assert_eq!(raw.lines().count(), 42, "{raw:?}");
    // A pager that fails is named.
    let (ended, raw) = Filled::run(filled.start(&["list"]).env("PAGER", "sh -c 'exit 3'"));
    assert!(
        ended.code == 0 && raw.contains("The pager failed (exit code 3), so that lines may be missing; --no-pager"),
        "{raw:?}"
    );
}

#[test]
fn the_check_has_the_marks_and_colours_of_the_tab() {
    let check = ["check", "--demo", "--only", "create-accepted", "--only", "delete-accepted"];
    let (ended, raw) = Filled::run(plants(&check));
    assert_eq!(ended.code, 0, "{}", ended.screen);
    assert!(ended.screen.contains("A Plant Store: all 2 rules pass."), "{}", ended.screen);
    assert!(ended.screen.contains("  4.1  ✓ "), "{}", ended.screen);
    assert!(raw.contains("m✓ ") && raw.contains("mA Plant Store"), "{raw:?}");
    let (ended, raw) = Filled::run(plants(&check).env("NO_COLOR", "1").args(&["--ascii"]));
    assert!(raw.is_ascii() && ended.screen.contains("  4.1  + "), "{}", ended.screen);
}
