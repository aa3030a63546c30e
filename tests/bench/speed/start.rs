//! Measures the time from the start of the program to its first frames.

use std::time::Instant;

use vt100::Screen;

use crate::session::{Program, Session};
use crate::spread::{folder, shown};
use crate::table::{Figure, Row, Table};
use crate::turns::{Side, in_turn};
use crate::{Extent, journals, reference};

/// The largest allowed ratio to the bare program.
const FIGURE: Figure = Figure::AtMost(1.3);

/// Seconds from the start of a program.
struct Times {
    /// To its first byte.
    byte: f64,
    /// To the end of its first frame.
    frame: f64,
    /// To the end of the first frame with the plants.
    meaningful: f64,
}

/// A program and texts of its frames.
struct Subject<'a> {
    program: Program,
    /// A text of the first frame.
    frame: &'a str,
    /// Texts of the first meaningful frame.
    meaningful: &'a [&'a str],
    /// Ends the program. The demo would ask first, because its samples are in flight.
    end: fn(Session),
}

impl Subject<'_> {
    fn measure(&self) -> Times {
        let mut session = Session::start(&self.program);
        let mut frame: Option<Instant> = None;
        let has = |screen: &Screen, text: &str| screen.contents().contains(text);
        let first = session.until(self.frame, |screen| has(screen, self.frame));
        // The first frame may be meaningful already.
        let is_all = |screen: &Screen| self.meaningful.iter().all(|text| has(screen, text));
        if is_all(session.screen()) {
            frame = Some(first);
        }
        let meaningful = frame.unwrap_or_else(|| session.until(&self.meaningful.join(", "), is_all));
        let times = Times {
            byte: session.to_first_byte(),
            frame: session.since_start(first),
            meaningful: session.since_start(meaningful),
        };
        (self.end)(session);
        times
    }
}

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let [bare_program, client] = reference::programs();
    let (empty, journal) = (folder(), journals::large(extent));
    let all = format!("{} stored", extent.plants);
    let quit: fn(Session) = Session::quit;
    let bare = |program| Subject { program, frame: "One frame", meaningful: &[], end: quit };
    let on_journal = |folder, meaningful| {
        let program = journals::interface(folder);
        Subject { program, frame: journals::STORE, meaningful, end: quit }
    };
    let large = [&all, "Monstera 1"];
    let subjects = [
        bare(bare_program),
        bare(client),
        on_journal(empty.path(), &["0 stored"]),
        on_journal(&journal, &large),
        Subject { program: journals::demo(), frame: "DEMO STORE", meaningful: &[" stored"], end: drop },
    ];
    let sides = subjects.iter().map(|subject| -> Side<'_, Times> { Box::new(|| subject.measure()) }).collect();
    let measured = in_turn(extent.short / 2, sides);

    let of = |at: usize, pick: fn(&Times) -> f64| -> Vec<f64> { measured[at].iter().map(pick).collect() };
    table.part("Start, from the start of the process");
    let mut row = |what: &str, at: usize, pick: fn(&Times) -> f64, figure| {
        let other = Some(("bare ratatui", &of(0, pick)[..]));
        table.row(&Row { what, ours: &of(at, pick), other, figure, shown, note: "" });
    };
    row("bare ratatui + tokio + reqwest: frame", 1, |times| times.meaningful, None);
    let large = format!("{} plants", extent.plants);
    for (at, name, figure) in [(2, "empty journal", Some(FIGURE)), (3, &large, Some(FIGURE)), (4, "demo store", None)] {
        row(&format!("{name}: first byte"), at, |times| times.byte, None);
        row(&format!("{name}: first frame"), at, |times| times.frame, None);
        row(&format!("{name}: first meaningful frame"), at, |times| times.meaningful, figure);
    }
}
