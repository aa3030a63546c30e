//! From a key to the end of the frame that shows what it did.
//!
//! Each key is known by what it changes on the screen, so that a frame which an import draws
//! meanwhile is not taken for the key's own. Keys follow each other about as fast as a keyboard
//! repeats them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use vt100::Screen;

use crate::rows::Rows;
use crate::session::Session;
use crate::spread::folder;
use crate::stores::{Kind, Store};
use crate::table::Table;
use crate::{Extent, PLANTS, TOKEN, journals};

/// Seconds within which 99 of 100 keys are to be answered.
const FIGURE: f64 = 0.016;

/// Between a response and the next key.
const PAUSE: Duration = Duration::from_millis(20);

/// The first id of an import, past those of every journal here.
const FIRST: u32 = 10_000_000;

/// What is typed into the filter: the name of every seventh plant, and of none that is imported.
const WORD: &str = "hoya";

const DOWN: &str = "\x1b[B";
const PAGE_DOWN: &str = "\x1b[6~";
const END: &str = "\x1b[F";
const HOME: &str = "\x1b[H";
const ESC: &str = "\x1b";

/// What is under way while keys are pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meanwhile {
    Nothing,
    /// `plants import` on the same journal.
    AnotherProcess,
    /// An import that the interface itself was asked for.
    Inside,
}

impl Meanwhile {
    fn told(self) -> &'static str {
        match self {
            Self::Nothing => "alone",
            Self::AnotherProcess => "plants import on the same journal",
            Self::Inside => "import in the same interface",
        }
    }
}

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    table.part(&format!("From a key to its finished frame, {} plants", extent.plants));
    let large = journals::large(extent);
    let mut session = Session::start(&journals::interface(&large));
    press(extent, Meanwhile::Nothing, &mut session, table, |_| true);
    session.quit();
    let files = folder();
    let rows = Rows::written(files.path(), FIRST, extent.imported);
    for meanwhile in [Meanwhile::AnotherProcess, Meanwhile::Inside] {
        let store = Store::start(Kind::Minimal);
        let copy = journals::copy_for(&large, &store.base_url);
        let mut session = Session::start(&journals::interface_to(&store.base_url, copy.path()));
        session.until("the plants", |screen| stored(screen) == Some(extent.plants));
        if meanwhile == Meanwhile::Inside {
            ask_for_import(&mut session, &rows);
            session.until("an import", |screen| stored(screen) > Some(extent.plants));
            press(extent, meanwhile, &mut session, table, is_importing);
        } else {
            let mut import = Import::start(&store, copy.path(), &rows);
            session.until("an import", |screen| stored(screen) > Some(extent.plants));
            press(extent, meanwhile, &mut session, table, |_| import.is_running());
        }
    }
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

/// `i`, the file, and the second response: the first does nothing.
fn ask_for_import(session: &mut Session, rows: &Rows) {
    session.press("i");
    session.until("the question for a file", |screen| screen.contents().contains("Import which file?"));
    session.press(&format!("{}\r", rows.path.display()));
    session.until("what the file comes to", |screen| is_marked(screen, "Do nothing"));
    session.press("\t");
    session.until("the response that sends", |screen| is_marked(screen, "Import "));
    session.press("\r");
    session.until("the import's own lines", is_importing);
}

/// Whether the pointer is at this response.
fn is_marked(screen: &Screen, response: &str) -> bool {
    let text = screen.contents();
    ["▸", ">"].iter().any(|pointer| text.contains(&format!("{pointer} {response}")))
}

/// Whether the lines of an import under way are there.
fn is_importing(screen: &Screen) -> bool {
    let text = screen.contents();
    text.lines().any(|line| line.starts_with(" import ") && line.contains(" of "))
}

/// Presses every kind of key and adds its lines to the table.
fn press(
    extent: &Extent,
    meanwhile: Meanwhile,
    session: &mut Session,
    table: &mut Table,
    mut is_under_way: impl FnMut(&Screen) -> bool,
) {
    session.until("the plants", |screen| stored(screen) >= Some(extent.plants) && selected(screen).is_some());
    session.rest(PAUSE);
    let before = (Instant::now(), stored(session.screen()));
    let count = extent.keys;
    let down = repeat(session, &[DOWN], count, selected);
    let page = repeat(session, &[PAGE_DOWN], count, selected);
    let ends = repeat(session, &[END, HOME], 2 * count, selected);
    let (end, home) = (every_other(&ends, 0), every_other(&ends, 1));
    let sort = repeat(session, &["s"], count, sorted);
    let (letters, found) = filter(session, count.div_ceil(WORD.len()), extent.plants);

    session.rest(PAUSE);
    let seconds = before.0.elapsed().as_secs_f64();
    let added = f64::from(stored(session.screen()).zip(before.1).map_or(0, |(now, then)| now.saturating_sub(then)));
    let mut note = match (meanwhile, is_under_way(session.screen())) {
        (Meanwhile::Nothing, _) => String::new(),
        (_, true) => format!("it added {:.0} plants a second meanwhile", added / seconds),
        (_, false) => "NOT COMPARABLE: the import ended before the last key".to_owned(),
    };
    for (what, seconds, figure) in [
        ("Down", down, Some(FIGURE)),
        ("PageDown", page, Some(FIGURE)),
        ("End, to the last row", end, Some(FIGURE)),
        ("Home, to the first row", home, Some(FIGURE)),
        ("s, to the heading", sort, Some(FIGURE)),
        ("/ and letters, to the letter", letters, Some(FIGURE)),
        ("the last letter, to the rows found", found, None),
    ] {
        table.waits(&format!("{what}: {}", meanwhile.told()), &seconds, figure, &std::mem::take(&mut note));
    }
}

/// Presses these keys in turn, so many in all; seconds from each to the end of the first frame
/// that shows something else in this place.
fn repeat<T: PartialEq>(
    session: &mut Session,
    keys: &[&str],
    count: usize,
    place: impl Fn(&Screen) -> Option<T>,
) -> Vec<f64> {
    let one = |key: &&str| {
        let before = place(session.screen());
        let seconds = responded(session, key, |screen| place(screen).is_some_and(|now| Some(now) != before));
        session.rest(PAUSE);
        seconds
    };
    keys.iter().cycle().take(count).map(one).collect()
}

/// Seconds from a key to the end of the first frame after which this holds.
fn responded(session: &mut Session, key: &str, holds: impl Fn(&Screen) -> bool) -> f64 {
    let pressed = session.press(key);
    session.until(&format!("the response to {key:?}"), holds).duration_since(pressed).as_secs_f64()
}

/// Types the word so many times and takes it away again. Seconds from each key to the frame that
/// shows it, and from each last letter to the rows that have the word.
fn filter(session: &mut Session, times: usize, plants: u32) -> (Vec<f64>, Vec<f64>) {
    // The first plant has another name, and the others take theirs in turn.
    let all_found = format!(" of {} ", (plants + 3) / 7);
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

/// Every other value, from this one on.
fn every_other(values: &[f64], from: usize) -> Vec<f64> {
    values.iter().skip(from).step_by(2).copied().collect()
}

/// How many plants are stored, as the header says.
fn stored(screen: &Screen) -> Option<u32> {
    let text = screen.contents();
    text.split(" stored").find_map(|before| before.split_whitespace().last()?.parse().ok())
}

/// The id in the row that the pointer is at.
fn selected(screen: &Screen) -> Option<String> {
    let text = screen.contents();
    let row = text.lines().find_map(|line| {
        let mut characters = line.chars();
        let _border = characters.next();
        matches!(characters.next(), Some('▸' | '>')).then(|| characters.as_str())
    })?;
    row.split_whitespace().next().map(str::to_owned)
}

/// The heading with the arrow of the column that rows are sorted by.
fn sorted(screen: &Screen) -> Option<String> {
    let text = screen.contents();
    let heading = text.lines().find(|line| line.contains("NAME") && line.contains("TAG"))?;
    heading.split_whitespace().find(|word| word.contains(['▲', '▼', '^'])).map(str::to_owned)
}
