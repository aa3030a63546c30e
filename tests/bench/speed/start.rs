//! Measures the start of the program in a pseudo-terminal, its memory after that, and its end.

use std::fs;
use std::path::Path;
use std::time::Duration;

use plants::journal::file_in;
use vt100::Screen;

use crate::keys::{selected, stored};
use crate::process::{Memory, memory};
use crate::reference::{Bare, is_installed};
use crate::session::{Program, Session};
use crate::spread::{folder, shown};
use crate::table::{Other, Row, Table, megabytes};
use crate::turns::{Side, in_turn};
use crate::{Extent, journals, rows};

/// A program that writes nothing for this long has started.
const QUIET: Duration = Duration::from_millis(250);

/// Rows of plants that the reference programs show.
const SCREEN: u32 = 32;

struct Subject {
    program: Program,
    /// Whether the screen shows what the program starts with.
    is_shown: Box<dyn Fn(&Screen) -> bool>,
    /// The keys that end the program. The demo would ask first while its samples are in flight.
    quit: Option<&'static str>,
}

struct Visit {
    /// Seconds from the start of the process to its first whole screen.
    first: f64,
    /// Seconds from the start of the process to the last byte that it writes by itself.
    last: f64,
    /// `None` where the system does not tell.
    memory: Option<Memory>,
    /// Seconds from the key to the end of the process.
    quit: Option<f64>,
}

impl Subject {
    fn visit(&self) -> Visit {
        let mut session = Session::start(&self.program);
        let first = session.until_shown("the first screen", &self.is_shown);
        session.until_quiet(QUIET);
        Visit {
            first: session.since_start(first),
            last: session.since_start(session.last_byte()),
            memory: memory(session.pid()),
            quit: self.quit.map(|keys| session.quit(keys).unwrap()),
        }
    }
}

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let bare = Bare::built();
    let (empty, large) = (folder(), journals::large(extent));
    let text = empty.path().join("plants.txt");
    fs::write(&text, (1..=SCREEN).map(|id| rows::name(id) + "\n").collect::<String>()).unwrap();
    let plants = extent.plants;
    let mut subjects = vec![
        subject(journals::interface(&large), move |screen| is_whole(screen, plants) && has_plant(screen, 1)),
        subject(journals::interface(empty.path()), |screen| is_whole(screen, 0)),
        Subject { quit: None, ..subject(journals::demo(), |screen| selected(screen).is_some()) },
        subject(bare.plants(&file_in(&large)), |screen| has_plant(screen, 1) && has_plant(screen, SCREEN)),
        subject(bare.frame(), |screen| screen.contents().contains("One frame")),
    ];
    if is_installed("vim") {
        subjects.push(vim(&text));
    }
    let sides = subjects.iter().map(|subject| -> Side<'_, Visit> { Box::new(|| subject.visit()) }).collect();
    let measured = in_turn(extent.visits, sides);

    let of = |at: usize, pick: fn(&Visit) -> Option<f64>| -> Vec<f64> {
        measured.get(at).map(|visits| visits.iter().filter_map(pick).collect()).unwrap_or_default()
    };
    let others: Vec<_> = [(3, "ratatui + tokio + SQLite"), (4, "ratatui"), (5, "vim")]
        .into_iter()
        .filter(|(at, _)| *at < measured.len())
        .collect();
    let mut rows = |what: &str, ours: usize, others: &[(usize, &str)], shown, pick: fn(&Visit) -> Option<f64>| {
        for (at, name) in others {
            let other = Other::Program(name, &of(*at, pick));
            table.row(&Row { what, ours: &of(ours, pick), other, shown });
        }
    };
    let first = &others[..1];
    rows(&format!("first frame, {plants} plants"), 0, &others, shown, |visit| Some(visit.first));
    rows("first frame, empty journal", 1, first, shown, |visit| Some(visit.first));
    rows(&format!("last byte of the start, {plants} plants"), 0, first, shown, |visit| Some(visit.last));
    rows("first frame with a plant, demo store", 2, first, shown, |visit| Some(visit.first));
    rows("quit, from the key to the end of the process", 0, &others, shown, |visit| visit.quit);
    rows("resident memory after the start", 0, &others, megabytes, |visit| visit.memory.map(|memory| memory.resident));
    rows("of that anonymous", 0, &others, megabytes, |visit| visit.memory.map(|memory| memory.anonymous));
}

fn subject(program: Program, is_shown: impl Fn(&Screen) -> bool + 'static) -> Subject {
    Subject { program, is_shown: Box::new(is_shown), quit: Some("q") }
}

fn vim(text: &Path) -> Subject {
    let program = Program { words: vec!["vim".into(), text.into()], environment: Vec::new() };
    let is_shown = |screen: &Screen| has_plant(screen, 1) && has_plant(screen, SCREEN);
    Subject { quit: Some(":q\r"), ..subject(program, is_shown) }
}

/// Whether header and footer, the first and the last that a frame draws, are there.
fn is_whole(screen: &Screen, plants: u32) -> bool {
    stored(screen) == Some(plants) && screen.contents().contains("q quit")
}

fn has_plant(screen: &Screen, id: u32) -> bool {
    let (text, name) = (screen.contents(), rows::name(id));
    text.lines().any(|line| line.split(&name).skip(1).any(|rest| !rest.starts_with(|next: char| next.is_ascii_digit())))
}
