//! Measures the time from a key press to the end of the frame that shows its effect.
//!
//! Identifies that frame by a change on the screen, because an import also draws frames. Keys follow each other about
//! as fast as a keyboard repeats them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use plants::journal::file_in;
use vt100::Screen;

use crate::cores::Core;
use crate::reference::Bare;
use crate::rows::Rows;
use crate::session::{Program, Session};
use crate::spread::folder;
use crate::store::{Head, Store};
use crate::table::Table;
use crate::{Extent, PLANTS, TOKEN, journals};

/// The most seconds to a frame: one frame of a screen with 60 Hz.
const LIMIT: f64 = 0.016;

/// The time between a frame and the next key.
const PAUSE: Duration = Duration::from_millis(20);

/// The first id of an import, greater than those of every journal.
const FIRST: u32 = 10_000_000;

/// The text of the filter: the name of every seventh plant, and of no imported one.
const WORD: &str = "hoya";

const DOWN: &str = "\x1b[B";
const PAGE_DOWN: &str = "\x1b[6~";
const END: &str = "\x1b[F";
const HOME: &str = "\x1b[H";
const ESC: &str = "\x1b";

/// What runs while keys are pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Load {
    Nothing,
    /// `plants import` on the same journal.
    AnotherProcess,
    /// An import in the interface itself.
    Inside,
}

impl Load {
    fn label(self) -> &'static str {
        match self {
            Self::Nothing => "alone",
            Self::AnotherProcess => "while plants import runs on the same journal",
            Self::Inside => "while the interface imports",
        }
    }
}

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let large = journals::large(extent);
    let mut session = Session::start(&journals::interface(&large));
    press(extent, Load::Nothing, &mut session, table, |_| true);
    session.quit("q");
    let (bare, files) = (Bare::built(), folder());
    let rows = Rows::named(files.path(), FIRST, extent.imported, |id| format!("Monstera {id}"));
    for load in [Load::AnotherProcess, Load::Inside] {
        let store = Store::start(Core::Any, Head::Short);
        let copy = journals::copy_for(&large, &store.base_url);
        let mut session = Session::start(&journals::interface_to(&store.base_url, copy.path()));
        session.until("the plants", |screen| stored(screen) == Some(extent.plants));
        if load == Load::Inside {
            start_import(&mut session, &rows);
            session.until("an import", |screen| stored(screen) > Some(extent.plants));
            press(extent, load, &mut session, table, is_importing);
        } else {
            let mut import = Import::start(&store, copy.path(), &rows);
            session.until("an import", |screen| stored(screen) > Some(extent.plants));
            press(extent, load, &mut session, table, |_| import.is_running());
            session.quit("q");
            press_bare(extent, &bare.plants(&file_in(copy.path())), load, table);
        }
    }
}

/// Presses as many keys in the bare program, which shows how long the machine alone takes beside this load.
fn press_bare(extent: &Extent, bare: &Program, load: Load, table: &mut Table) {
    let mut session = Session::start(bare);
    session.until("its first row", |screen| selected(screen).is_some());
    let down = repeat(&mut session, &[DOWN], 6 * extent.keys, selected);
    session.quit("q");
    let what = format!("key to frame, ratatui + tokio + SQLite, {}", load.label());
    table.waits(&what, &[("Down", down)], LIMIT, "");
}

/// `plants import`; killed when dropped.
struct Import(Child);

impl Import {
    fn start(store: &Store, journal: &Path, rows: &Rows) -> Self {
        let mut command = Command::new(PLANTS);
        command.arg("import").arg(&rows.path).args(["--base-url", &store.base_url]);
        command.arg("--data-dir").arg(journal).env("PLANTS_TOKEN", TOKEN);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }

    fn is_running(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for Import {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts an import with `i`, the file, and `y` in its preview.
fn start_import(session: &mut Session, rows: &Rows) {
    session.press("i");
    session.until("the prompt for a file", |screen| screen.contents().contains("Import which file?"));
    session.press(&format!("{}\r", rows.path.display()));
    session.until("the preview", |screen| screen.contents().contains("y  Import "));
    session.press("y");
    session.until("the import's own lines", is_importing);
}

/// Whether the screen shows a running import.
fn is_importing(screen: &Screen) -> bool {
    let text = screen.contents();
    text.lines().any(|line| line.starts_with(" import ") && line.contains(" of "))
}

/// Presses every kind of key and adds its lines to the table.
fn press(
    extent: &Extent,
    load: Load,
    session: &mut Session,
    table: &mut Table,
    mut is_running: impl FnMut(&Screen) -> bool,
) {
    session.until("the plants", |screen| stored(screen) >= Some(extent.plants) && selected(screen).is_some());
    session.rest(PAUSE);
    let before = (Instant::now(), stored(session.screen()));
    let count = extent.keys;
    let down = repeat(session, &[DOWN], count, selected);
    let page = repeat(session, &[PAGE_DOWN], count, selected);
    let ends = repeat(session, &[END, HOME], 2 * count, selected);
    let (end, home) = (every_other(&ends, 0), every_other(&ends, 1));
    let sort = repeat(session, &["ss"], count, sorted);
    let (letters, found) = filter(session, count.div_ceil(WORD.len()), extent.plants);

    session.rest(PAUSE);
    let seconds = before.0.elapsed().as_secs_f64();
    let added = f64::from(stored(session.screen()).zip(before.1).map_or(0, |(now, then)| now.saturating_sub(then)));
    let note = match (load, is_running(session.screen())) {
        (Load::Nothing, _) => String::new(),
        (_, true) => format!("; {:.0} plants a second were added at the same time", added / seconds),
        (_, false) => "; NOT COMPARABLE: the import ended before the last key".to_owned(),
    };
    let kinds = [
        ("Down", down),
        ("PageDown", page),
        ("End, to the last row", end),
        ("Home, to the first row", home),
        ("s, to the heading", sort),
        ("/ and letters, to the letter", letters),
    ];
    let what = |kind: &str| format!("{kind}, {} plants, {}", extent.plants, load.label());
    table.waits(&what("key to frame"), &kinds, LIMIT, &note);
    if load == Load::Nothing {
        table.waits(&what("last letter of a filter to its rows"), &[("hoya", found)], LIMIT, "");
    }
}

/// Presses these keys in turn, `count` in all. Returns the seconds from each to the end of the first frame in which
/// `value` differs.
fn repeat<T: PartialEq>(
    session: &mut Session,
    keys: &[&str],
    count: usize,
    value: impl Fn(&Screen) -> Option<T>,
) -> Vec<f64> {
    let one = |key: &&str| {
        let before = value(session.screen());
        let seconds = responded(session, key, |screen| value(screen).is_some_and(|now| Some(now) != before));
        session.rest(PAUSE);
        seconds
    };
    keys.iter().cycle().take(count).map(one).collect()
}

/// Presses a key. Returns the seconds to the end of the first frame with this condition.
fn responded(session: &mut Session, key: &str, condition: impl Fn(&Screen) -> bool) -> f64 {
    let pressed = session.press(key);
    session.until(&format!("the response to {key:?}"), condition).duration_since(pressed).as_secs_f64()
}

/// Types the filter and clears it, several times. Returns the seconds from each key to the frame that shows it, and from
/// each last letter to the rows found.
fn filter(session: &mut Session, times: usize, plants: u32) -> (Vec<f64>, Vec<f64>) {
    // The third plant is the first of them.
    let all_found = format!(" of {} ", (plants + 4) / 7);
    let has = |screen: &Screen, text: &str| screen.contents().contains(text);
    let (mut letters, mut found) = (Vec::new(), Vec::new());
    for _ in 0..times {
        letters.push(responded(session, "/", |screen| !screen.hide_cursor()));
        let mut typed = " / ".to_owned();
        let (mut last, mut shown) = (Instant::now(), Instant::now());
        for letter in WORD.chars() {
            session.rest(PAUSE);
            typed.push(letter);
            last = session.press(&letter.to_string());
            shown = session.until(&typed, |screen| has(screen, &typed));
            letters.push(shown.duration_since(last).as_secs_f64());
        }
        if !has(session.screen(), &all_found) {
            shown = session.until("the rows found", |screen| has(screen, &all_found));
        }
        found.push(shown.duration_since(last).as_secs_f64());
        responded(session, ESC, |screen| !has(screen, &typed));
        if has(session.screen(), &all_found) {
            session.until("all rows again", |screen| !has(screen, &all_found));
        }
        session.rest(PAUSE);
    }
    (letters, found)
}

/// Returns every second value, beginning at an index.
fn every_other(values: &[f64], from: usize) -> Vec<f64> {
    values.iter().skip(from).step_by(2).copied().collect()
}

/// Reads the number of stored plants from the header.
pub(crate) fn stored(screen: &Screen) -> Option<u32> {
    let text = screen.contents();
    text.split(" stored").find_map(|before| before.split_whitespace().last()?.parse().ok())
}

/// Reads the id in the selected row.
pub(crate) fn selected(screen: &Screen) -> Option<String> {
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
