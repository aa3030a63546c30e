//! Measures the terminal interface: its start and end, an idle one, and the time from a key to its frame.

use std::ffi::OsString;
use std::thread;
use std::time::Duration;

use plants::journal::file_in;
use vt100::Screen;

use crate::programs::{self, STORE, folder};
use crate::session::Session;
use crate::store::Store;
use crate::{Extent, Row, compare, megabytes, milliseconds, number, percentile, print_row};

/// The name of the reference.
const BARE: &str = "ratatui + tokio + SQLite";

/// A program that writes nothing for this long has started.
const QUIET: Duration = Duration::from_millis(250);

/// The time in which an idle program is watched.
const IDLE: Duration = Duration::from_secs(10);

/// The time between a frame and the next key.
const PAUSE: Duration = Duration::from_millis(20);

/// Compares the first frame, the end, and the memory in between.
pub(crate) fn starts(extent: &Extent) {
    let (bare, empty, large) = (programs::bare(), folder(), programs::large(extent));
    let bare = || visit(&[bare.clone(), file_in(&large).into()], |screen| has_plant(screen, 1));
    for (journal, plants) in [(&*large, extent.plants), (empty.path(), 0)] {
        let is_whole = |screen: &Screen| {
            stored(screen) == Some(plants)
                && screen.contents().contains("q quit")
                && (plants == 0 || has_plant(screen, 1))
        };
        let what = |what: &str| format!("{what}, {plants} plants");
        let rows = [what("first frame"), what("resident memory after the start"), what("quit")];
        let [first, memory, quit] = rows.each_ref().map(String::as_str);
        let rows: [Row<'_>; 3] =
            [(first, milliseconds, "≤ 2"), (memory, megabytes, "≤ 2.5"), (quit, milliseconds, "≤ 5 ms")];
        compare(extent.starts, rows, || visit(&programs::interface(STORE, journal), is_whole), (BARE, bare));
    }
}

/// Returns the seconds to the first screen with this condition, the bytes of memory, and the seconds to quit.
fn visit(words: &[OsString], is_shown: impl Fn(&Screen) -> bool) -> [f64; 3] {
    let mut session = Session::start(words.to_vec());
    let first = session.until("the first screen", is_shown);
    session.until_quiet(QUIET);
    [session.since_start(first), session.memory(), session.quit()]
}

/// Measures what every tab does while nothing happens, all at the same time.
pub(crate) fn idle(extent: &Extent) {
    let (bare, empty, large) = (programs::bare(), folder(), programs::large(extent));
    let mut sessions = vec![Session::start(vec![bare, file_in(&large).into()])];
    for journal in [&*large, empty.path()] {
        for tab in ["1", "2", "3", "4"] {
            let mut session = Session::start(programs::interface(STORE, journal));
            session.until("the counts of the header", |screen| stored(screen).is_some());
            session.press(tab);
            sessions.push(session);
        }
    }
    let read = |sessions: &mut [Session]| sessions.iter_mut().for_each(|session| session.until_quiet(QUIET));
    read(&mut sessions);
    let before: Vec<_> = sessions.iter().map(|session| (session.effort(), session.written())).collect();
    thread::sleep(IDLE);
    let after: Vec<_> = sessions.iter().map(Session::effort).collect();
    read(&mut sessions);
    let each = sessions.iter().zip(before).zip(after);
    let each = each.map(|((session, (effort, written)), later)| {
        let written = u32::try_from(session.written() - written).map_or(f64::INFINITY, f64::from);
        [later[0] - effort[0], later[1] - effort[1], written]
    });
    let each: Vec<_> = each.collect();
    for (at, what) in ["wake-ups", "1/100 s of processor time", "bytes written"].into_iter().enumerate() {
        let (what, sum) = (format!("idle for 10 s, all tabs: {what}"), each[1..].iter().map(|one| one[at]).sum());
        print_row((&what, number, "0"), sum, Some((BARE, each[0][at])));
    }
}

/// Measures keys alone, and beside an import into the same journal.
pub(crate) fn keys(extent: &Extent) {
    let (large, files, store) = (programs::large(extent), folder(), Store::start());
    let what = format!("keys, {} plants, 99th percentile", extent.plants);
    let alone = press_all(extent.keys, extent.plants, programs::interface(STORE, &large));
    print_row((&what, milliseconds, "< 16 ms"), alone, None);
    // Ids after those of the journal.
    let rows = programs::rows(files.path(), 10_000_000, extent.endless);
    let journal = programs::copy_for(&large, &store.base_url);
    let mut import = programs::import(&rows, 8, &store.base_url, journal.path()).spawn().unwrap();
    thread::sleep(QUIET);
    let beside = press_all(extent.keys, extent.plants, programs::interface(&store.base_url, journal.path()));
    let mut bare = Session::start(vec![programs::bare(), file_in(journal.path()).into()]);
    let bare = percentile(repeat(&mut bare, &["\x1b[B"], extent.keys, selected), 99);
    assert!(import.try_wait().unwrap().is_none(), "the import ended before the last key");
    import.kill().unwrap();
    import.wait().unwrap();
    print_row(("the same beside `plants import`", milliseconds, "< 16 ms"), beside, Some((BARE, bare)));
}

/// Presses every kind of key in a program that shows so many plants; returns the 99th percentile of the seconds to a
/// frame that shows the effect.
pub(crate) fn press_all(keys: usize, plants: u32, program: Vec<OsString>) -> f64 {
    const WORD: &str = "hoya";
    let (down, page_down, end, home) = ("\x1b[B", "\x1b[6~", "\x1b[F", "\x1b[H");
    let mut session = Session::start(program);
    session.until("the plants", |screen| stored(screen) >= Some(plants) && selected(screen).is_some());
    session.rest(PAUSE);
    let mut seconds = repeat(&mut session, &[down], keys, selected);
    seconds.extend(repeat(&mut session, &[page_down], keys, selected));
    seconds.extend(repeat(&mut session, &[end, home], 2 * keys, selected));
    seconds.extend(repeat(&mut session, &["ss"], keys, sorted));
    for _ in 0..keys.div_ceil(WORD.len()) {
        session.press("/");
        session.until("the field", |screen| !screen.hide_cursor());
        let mut typed = " / ".to_owned();
        for letter in WORD.chars() {
            session.rest(PAUSE);
            typed.push(letter);
            let pressed = session.press(&letter.to_string());
            let shown = session.until(&typed, |screen| screen.contents().contains(&typed));
            seconds.push(shown.duration_since(pressed).as_secs_f64());
        }
        session.press("\x1b");
        session.until("no filter", |screen| !screen.contents().contains(" / h"));
        session.rest(PAUSE);
    }
    percentile(seconds, 99)
}

/// Presses these keys in turn, `count` in all. Returns the seconds from each to the first screen in which `value`
/// differs.
fn repeat<T: PartialEq>(
    session: &mut Session,
    keys: &[&str],
    count: usize,
    value: impl Fn(&Screen) -> Option<T>,
) -> Vec<f64> {
    session.until("a value", |screen| value(screen).is_some());
    let one = |key: &&str| {
        let before = value(session.screen());
        let pressed = session.press(key);
        let shown = session.until(key, |screen| value(screen).is_some_and(|now| Some(now) != before));
        session.rest(PAUSE);
        shown.duration_since(pressed).as_secs_f64()
    };
    keys.iter().cycle().take(count).map(one).collect()
}

/// Reads the number of stored plants from the header.
fn stored(screen: &Screen) -> Option<u32> {
    let text = screen.contents();
    text.split(" stored").find_map(|before| before.split_whitespace().last()?.parse().ok())
}

/// Reads the id in the selected row.
fn selected(screen: &Screen) -> Option<String> {
    let text = screen.contents();
    let row = text.lines().find_map(|line| {
        let mut characters = line.chars();
        let _border = characters.next();
        matches!(characters.next(), Some('▸' | '>')).then(|| characters.as_str())
    })?;
    row.split_whitespace().next().map(str::to_owned)
}

/// Reads the heading with the sort arrow.
fn sorted(screen: &Screen) -> Option<String> {
    let text = screen.contents();
    let heading = text.lines().find(|line| line.contains("NAME") && line.contains("TAG"))?;
    heading.split_whitespace().find(|word| word.contains(['▲', '▼', '^'])).map(str::to_owned)
}

fn has_plant(screen: &Screen, id: u32) -> bool {
    screen.contents().contains(&format!("{} ", programs::name(id)))
}
