//! The tour, by the real program in a real pseudo-terminal at its own demo store.

use super::*;
use crate::support::extent::is_long;

/// What the frame around the tour says: `Tour, 3 of 14`.
fn step(text: &str) -> Option<usize> {
    text.split("Tour, ").nth(1)?.split(' ').next()?.parse().ok()
}

/// Whether the tour is at this step, and can go on.
fn is_over(text: &str, at: usize) -> bool {
    step(text) == Some(at) && text.contains("Space goes on")
}

#[test]
fn the_tour_shows_the_real_thing_from_end_to_end() {
    // What must be seen at each step, however the words of the caption run.
    let steps: [&[&str]; 14] = [
        &["DEMO STORE", "4 Greenhouse", "nothing here is played"],
        &["Add a plant", "Moon cactus", "POST /plants", "********"],
        &["The store said yes in", "Moon cactus is now plant 7.", "7 stored"],
        &["Add a plant", "one more Enter sends it"],
        &["The store said no", "409 Conflict", "7 stored"],
        &["answers get lost", "nobody here knows", "? 1 unknown", "Ghost orchid"],
        &["Is Ghost orchid (8) in the store?", "Mark as stored"],
        &["On a person's word", "8 stored", "none unknown"],
        &["Delete Ghost orchid (8)?", "Keep it"],
        &["Ghost orchid is gone.", "7 stored", "deleted"],
        &["2 History", "409", "204"],
        &["promises", "15 pass"],
        &["in a table", "Moon cactus"],
        &["is yours"],
    ];
    let mut pty = plants(&["--tour"]).open();
    for (at, seen) in steps.iter().enumerate() {
        pty.until(&format!("step {}: {seen:?}", at + 1), |screen, _| {
            let text = screen.contents();
            is_over(&text, at + 1) && seen.iter().all(|words| text.contains(words))
        });
        assert!(!pty.screen().contents().contains("Bearer demo"), "the token is on the screen");
        pty.press(" ");
    }
    pty.until("the tour is over", |screen, _| screen.contents().contains("The tour is over."));
    // All of it stays, and is the person's.
    pty.press("a");
    pty.until("a form", |screen, _| screen.contents().contains("Add a plant"));
    pty.press("\x03");
    pty.until("no form", |screen, _| !screen.contents().contains("Add a plant"));
    pty.press("q");
    assert_left_well(&mut pty, 0);
}

#[test]
fn the_tour_can_be_left_at_any_time() {
    for (mut pty, steps) in demos::<3>().into_iter().zip(0..) {
        pty.press("t");
        for at in 1..=steps {
            pty.until("the step", |screen, _| is_over(&screen.contents(), at));
            pty.press(" ");
        }
        pty.until("the next step", |screen, _| step(&screen.contents()) == Some(steps + 1));
        // Other keys do nothing here.
        pty.press("xq3");
        pty.press("\x1b");
        pty.until("the tour is left", |screen, _| {
            screen.contents().contains("You have left the tour") && step(&screen.contents()).is_none()
        });
        pty.signal(Signal::TERM);
        assert_left_well(&mut pty, 0);
    }
}

#[test]
fn the_tour_tells_what_went_otherwise() {
    // The slow weather of its third step is slower than this patience.
    let mut pty = plants(&["--tour", "--timeout", "2s"]).open();
    for at in 1..=2 {
        pty.until("a step", |screen, _| is_over(&screen.contents(), at));
        pty.press(" ");
    }
    pty.until("a loss that is told", |screen, _| {
        let text = screen.contents();
        text.contains("This went otherwise than planned") && text.contains("did not answer within 2.0 s")
    });
    pty.press("\x1b");
    pty.until("the tour is left", |screen, _| step(&screen.contents()).is_none());
    pty.signal(Signal::TERM);
    assert_left_well(&mut pty, 0);
}

#[test]
fn a_tour_that_is_begun_again_deletes_nothing_but_its_own() {
    if !is_long() {
        return;
    }
    let mut pty = demo();
    pty.press("t");
    for at in 1..=6 {
        pty.until("a step", |screen, _| is_over(&screen.contents(), at));
        if at < 6 {
            pty.press(" ");
        }
    }
    pty.shows("? 1 unknown");
    // The first orchid stays unknown, and so it does through the whole of a second tour.
    pty.press("\x1b");
    pty.until("the tour is left", |screen, _| step(&screen.contents()).is_none());
    pty.press("t");
    for at in 1..=14 {
        let shows = match at {
            3 | 5 => "The store said",
            6 => "? 2 unknown",
            7 => "Is Ghost orchid (10) in the store?",
            8 => "? 1 unknown",
            9 => "Delete Ghost orchid (10)?",
            10 => "Ghost orchid is gone.",
            12 => "It touched only plants of its own",
            _ => "Tour, ",
        };
        pty.until(&format!("step {at}: {shows}"), |screen, _| {
            let text = screen.contents();
            is_over(&text, at) && text.contains(shows)
        });
        pty.press(" ");
    }
    pty.until("the tour is over", |screen, _| screen.contents().contains("The tour is over."));
    assert!(pty.screen().contents().contains("? 1 unknown"));
    pty.signal(Signal::TERM);
    assert_left_well(&mut pty, 0);
}

#[test]
fn there_is_no_tour_where_nothing_may_be_written() {
    let refused = Command::new(PLANTS).args(["--tour", "--read-only"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let mut pty = settled_empty(plants(&["--demo", "--read-only"]));
    pty.press("t");
    pty.until("why not", |screen, _| screen.contents().contains("t does nothing now: read-only"));
    pty.press("q");
    assert_left_well(&mut pty, 0);
}

fn settled_empty(start: Start) -> Pty {
    let pty = start.open();
    pty.until("an empty store", |screen, _| screen.contents().contains("0 stored"));
    pty
}
