//! From the start of the program to its frames.

use std::time::Instant;

use vt100::Screen;

use crate::session::{Program, Session};
use crate::spread::{folder, shown};
use crate::table::{Figure, Row, Table};
use crate::turns::{Side, in_turn};
use crate::{Extent, journals, reference};

/// How much longer than the bare program it may take.
const FIGURE: Figure = Figure::AtMost(1.3);

/// Seconds from the start of a program.
struct Begun {
    /// To its first byte.
    byte: f64,
    /// To the end of the first frame with its words.
    frame: f64,
    /// To the end of the first frame that shows what people came for.
    meaningful: f64,
}

/// A program and what its frames show.
struct Shows<'a> {
    program: Program,
    /// Something of the first frame.
    frame: &'a str,
    /// All of this is in the first meaningful one.
    meaningful: &'a [&'a str],
    /// Ends it. The demo would rather ask first: its samples are still on their way.
    end: fn(Session),
}

impl Shows<'_> {
    fn begin(&self) -> Begun {
        let mut session = Session::start(&self.program);
        let mut frame: Option<Instant> = None;
        let has = |screen: &Screen, text: &str| screen.contents().contains(text);
        let first = session.until(self.frame, |screen| has(screen, self.frame));
        // It may be there already, without another frame.
        let is_all = |screen: &Screen| self.meaningful.iter().all(|text| has(screen, text));
        if is_all(session.screen()) {
            frame = Some(first);
        }
        let meaningful = frame.unwrap_or_else(|| session.until(&self.meaningful.join(", "), is_all));
        let begun = Begun {
            byte: session.to_first_byte(),
            frame: session.since_start(first),
            meaningful: session.since_start(meaningful),
        };
        (self.end)(session);
        begun
    }
}

pub(crate) fn measure(extent: &Extent, table: &mut Table) {
    let [bare_program, client] = reference::programs();
    let (empty, journal) = (folder(), journals::large(extent));
    let all = format!("{} stored", extent.plants);
    let quit: fn(Session) = Session::quit;
    let bare = |program| Shows { program, frame: "One frame", meaningful: &[], end: quit };
    let on_journal = |folder, meaningful| {
        let program = journals::interface(folder);
        Shows { program, frame: journals::STORE, meaningful, end: quit }
    };
    let large = [&all, "Monstera 1"];
    let shows = [
        bare(bare_program),
        bare(client),
        on_journal(empty.path(), &["0 stored"]),
        on_journal(&journal, &large),
        Shows { program: journals::demo(), frame: "DEMO STORE", meaningful: &[" stored"], end: drop },
    ];
    let sides = shows.iter().map(|shows| -> Side<'_, Begun> { Box::new(|| shows.begin()) }).collect();
    let measured = in_turn(extent.short / 2, sides);

    let of = |at: usize, pick: fn(&Begun) -> f64| -> Vec<f64> { measured[at].iter().map(pick).collect() };
    table.part("Start, from the start of the process");
    let mut row = |what: &str, at: usize, pick: fn(&Begun) -> f64, figure| {
        let other = Some(("bare ratatui", &of(0, pick)[..]));
        table.row(&Row { what, ours: &of(at, pick), other, figure, shown, note: "" });
    };
    row("bare ratatui + tokio + reqwest: frame", 1, |begun| begun.meaningful, None);
    let large = format!("{} plants", extent.plants);
    for (at, name, figure) in [(2, "empty journal", Some(FIGURE)), (3, &large, Some(FIGURE)), (4, "demo store", None)] {
        row(&format!("{name}: first byte"), at, |begun| begun.byte, None);
        row(&format!("{name}: first frame"), at, |begun| begun.frame, None);
        row(&format!("{name}: first meaningful frame"), at, |begun| begun.meaningful, figure);
    }
}
