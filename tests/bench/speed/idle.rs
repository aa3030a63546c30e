//! Measures wake-ups, processor time and output of an idle program.

use std::thread;
use std::time::Duration;

use plants::journal::file_in;

use crate::process::{Effort, effort};
use crate::reference::Bare;
use crate::session::{Program, Session};
use crate::spread::folder;
use crate::table::{Other, Row, Table};
use crate::{Extent, journals};

/// A program that writes nothing for this long is idle.
const QUIET: Duration = Duration::from_secs(2);

/// The key and the name of each tab.
const TABS: [(&str, &str); 4] = [("1", "Plants"), ("2", "History"), ("3", "Check"), ("4", "Greenhouse")];

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let (empty, large) = (folder(), journals::large(extent));
    let mut bare = Session::start(&Bare::built().plants(&file_in(&large)));
    bare.until("its frame", |screen| screen.contents().contains("NAME"));
    let mut waiting = vec![bare];
    for program in [journals::interface(empty.path()), journals::interface(&large), journals::demo()] {
        waiting.extend(TABS.iter().filter_map(|tab| enter(&program, *tab)));
    }
    // All of them wait at the same time, because idle programs do not disturb each other.
    let mut written = None;
    while written != Some(take_in(&mut waiting)) {
        written = Some(take_in(&mut waiting));
        thread::sleep(QUIET);
    }
    let bytes: Vec<_> = waiting.iter().map(Session::written).collect();
    let efforts: Vec<_> = waiting.iter().map(|session| effort(session.pid())).collect();
    thread::sleep(Duration::from_secs(extent.idle));
    let later: Vec<_> = waiting.iter().map(|session| effort(session.pid())).collect();
    take_in(&mut waiting);
    let bytes: Vec<_> = waiting
        .iter()
        .zip(bytes)
        .map(|(session, before)| as_number(session.written().abs_diff(before) as u64))
        .collect();
    let of = |pick: fn(&Effort) -> u64| -> Vec<f64> {
        let both = efforts.iter().zip(&later).filter_map(|(before, after)| before.as_ref().zip(after.as_ref()));
        both.map(|(before, after)| as_number(pick(after) - pick(before))).collect()
    };
    for (what, values) in [
        ("wake-ups", of(|effort| effort.switches)),
        ("1/100 s of processor time", of(|effort| effort.ticks)),
        ("bytes written", bytes),
    ] {
        let what = format!("idle for {} s, the sum of all tabs: {what}", extent.idle);
        let (bare, ours) = values.split_at(values.len().min(1));
        let sum: Vec<_> = if ours.is_empty() { Vec::new() } else { vec![ours.iter().sum()] };
        let other = Other::Program("ratatui + tokio + SQLite", bare);
        table.row(&Row { what: &what, ours: &sum, other, shown: |count| format!("{count:.0}") });
    }
    for session in waiting {
        session.quit("q");
    }
}

/// Reads what the programs have written; returns the number of bytes.
fn take_in(waiting: &mut [Session]) -> usize {
    let taken = waiting.iter_mut().map(|session| {
        session.until_quiet(Duration::from_millis(1));
        session.written()
    });
    taken.sum()
}

/// Starts a program and goes to a tab; `None` if there is no such tab.
fn enter(program: &Program, (key, tab): (&str, &str)) -> Option<Session> {
    let mut session = Session::start(program);
    session.until("the counts of the header", |screen| screen.contents().contains(" stored"));
    if !session.screen().contents().contains(tab) {
        session.quit("q");
        return None;
    }
    session.press(key);
    Some(session)
}

fn as_number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
