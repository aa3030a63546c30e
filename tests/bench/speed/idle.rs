//! What the program does while nobody does anything.

use std::thread;
use std::time::Duration;

use crate::process::effort;
use crate::session::{Program, Session};
use crate::spread::folder;
use crate::table::{Figure, Row, Table, count};
use crate::{Extent, journals, reference};

/// Nothing comes for so long: what it had to do is done.
const QUIET: Duration = Duration::from_secs(2);

/// The key and the name of each room.
const ROOMS: [(&str, &str); 4] = [("1", "Plants"), ("2", "History"), ("3", "Check"), ("4", "Greenhouse")];

/// A program that waits for a key.
struct Waiting {
    name: String,
    session: Session,
}

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let [bare, client] = reference::programs();
    let (empty, large) = (folder(), journals::large(extent));
    let mut waiting = Vec::new();
    for (name, program) in [("bare ratatui", bare), ("bare ratatui + tokio + reqwest", client)] {
        let mut session = Session::start(&program);
        session.until("its frame", |screen| screen.contents().contains("One frame"));
        waiting.push(Waiting { name: name.to_owned(), session });
    }
    let journals = [
        ("empty journal".to_owned(), journals::interface(empty.path())),
        (format!("{} plants", extent.plants), journals::interface(&large)),
        ("demo store".to_owned(), journals::demo()),
    ];
    for (name, program) in &journals {
        waiting.extend(ROOMS.iter().filter_map(|room| enter(name, program, *room)));
    }
    // All of them wait at the same time: who does nothing disturbs nobody.
    let mut written = None;
    while written != Some(take_in(&mut waiting)) {
        written = Some(take_in(&mut waiting));
        thread::sleep(QUIET);
    }
    let before: Vec<_> =
        waiting.iter().map(|waiting| (effort(waiting.session.pid()), waiting.session.written())).collect();
    thread::sleep(Duration::from_secs(extent.idle));
    let after: Vec<_> = waiting.iter().map(|waiting| effort(waiting.session.pid())).collect();

    table.part(&format!(
        "Idle for {} s: wake-ups of all threads, processor time in 1/100 s, bytes written",
        extent.idle
    ));
    for ((waiting, (effort, written)), then) in waiting.iter_mut().zip(before).zip(after) {
        waiting.session.resolve(Duration::from_millis(1));
        let mut values = vec![as_number(waiting.session.written().abs_diff(written) as u64)];
        let mut note = "wake-ups and processor time: told by Linux alone".to_owned();
        if let (Some(effort), Some(then)) = (effort, then) {
            let (switches, ticks) = (then.switches - effort.switches, then.ticks - effort.ticks);
            note = format!("{switches} wake-ups, {ticks}/100 s, {} bytes", count(values[0]));
            values.extend([as_number(switches), as_number(ticks)]);
        }
        let figure = (!waiting.name.starts_with("bare")).then_some(Figure::Zero);
        let sum = [values.iter().sum()];
        table.row(&Row { what: &waiting.name, ours: &sum, other: None, figure, shown: count, note: &note });
    }
    for waiting in waiting {
        waiting.session.quit();
    }
}

/// Takes in what was written so far; how much that is.
fn take_in(waiting: &mut [Waiting]) -> usize {
    let taken = waiting.iter_mut().map(|waiting| {
        waiting.session.resolve(Duration::from_millis(1));
        waiting.session.written()
    });
    taken.sum()
}

/// A program in one of its rooms; `None` if it has no such room.
fn enter(journal: &str, program: &Program, (key, room): (&str, &str)) -> Option<Waiting> {
    let mut session = Session::start(program);
    session.until("the counts of the header", |screen| screen.contents().contains(" stored"));
    if !session.screen().contents().contains(room) {
        session.quit();
        return None;
    }
    session.press(key);
    Some(Waiting { name: format!("{journal}: {room}"), session })
}

fn as_number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
