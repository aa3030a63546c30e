//! The tour of the real program, with its own demo store.

use super::*;
use crate::support::extent::is_long;

/// Reads the step number from the title of the tour: `Tour, 3 of 14`.
fn step(text: &str) -> Option<usize> {
    text.split("Tour, ").nth(1)?.split(' ').next()?.parse().ok()
}

/// Whether the tour is at this step and the step is complete.
fn is_complete(text: &str, at: usize) -> bool {
    step(text) == Some(at) && text.contains("Space goes on")
}

#[test]
fn the_tour_runs_real_operations_to_its_end() {
    // Texts on the screen at each step.
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
            is_complete(&text, at + 1) && seen.iter().all(|words| text.contains(words))
        });
        assert!(!pty.screen().contents().contains("Bearer demo"), "the token is on the screen");
        pty.press(" ");
    }
    pty.until("the tour is over", |screen, _| screen.contents().contains("The tour is over."));
    // The user can continue with the plants of the tour.
    pty.press("a");
    pty.until("a form", |screen, _| screen.contents().contains("Add a plant"));
    pty.press("\x03");
    pty.until("no form", |screen, _| !screen.contents().contains("Add a plant"));
    pty.press("q");
    assert_clean_exit(&mut pty);
}

#[test]
fn esc_ends_the_tour_at_any_step() {
    for (mut pty, steps) in demos::<3>().into_iter().zip(0..) {
        pty.press("t");
        for at in 1..=steps {
            pty.until("the step", |screen, _| is_complete(&screen.contents(), at));
            pty.press(" ");
        }
        pty.until("the next step", |screen, _| step(&screen.contents()) == Some(steps + 1));
        // Other keys have no effect during the tour.
        pty.press("xq3");
        pty.press("\x1b");
        pty.until("the tour is left", |screen, _| {
            screen.contents().contains("You have left the tour") && step(&screen.contents()).is_none()
        });
        pty.signal(Signal::TERM);
        assert_clean_exit(&mut pty);
    }
}

#[test]
fn the_tour_reports_an_unexpected_outcome() {
    // The simulated latency of the third step is longer than this timeout.
    let mut pty = plants(&["--tour", "--timeout", "2s"]).open();
    for at in 1..=2 {
        pty.until("a step", |screen, _| is_complete(&screen.contents(), at));
        pty.press(" ");
    }
    pty.until("a report of the lost response", |screen, _| {
        let text = screen.contents();
        text.contains("This went otherwise than planned") && text.contains("did not answer within 2.0 s")
    });
    pty.press("\x1b");
    pty.until("the tour is left", |screen, _| step(&screen.contents()).is_none());
    pty.signal(Signal::TERM);
    assert_clean_exit(&mut pty);
}

#[test]
fn a_second_tour_deletes_only_its_own_plants() {
    if !is_long() {
        return;
    }
    let mut pty = demo();
    pty.press("t");
    for at in 1..=6 {
        pty.until("a step", |screen, _| is_complete(&screen.contents(), at));
        if at < 6 {
            pty.press(" ");
        }
    }
    pty.shows("? 1 unknown");
    // The first orchid stays unknown through the whole second tour.
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
            is_complete(&text, at) && text.contains(shows)
        });
        pty.press(" ");
    }
    pty.until("the tour is over", |screen, _| screen.contents().contains("The tour is over."));
    assert!(pty.screen().contents().contains("? 1 unknown"));
    pty.signal(Signal::TERM);
    assert_clean_exit(&mut pty);
}

#[test]
fn the_tour_does_not_start_in_read_only_mode() {
    let output = Command::new(PLANTS).args(["--tour", "--read-only"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let mut pty = plants(&["--demo", "--read-only"]).open();
    pty.shows("0 stored").press("t");
    pty.until("why not", |screen, _| screen.contents().contains("t does nothing now: read-only"));
    pty.press("q");
    assert_clean_exit(&mut pty);
}
