//! The tour of the real program, with its own demo store.

use super::*;
use crate::support::extent::is_long;

/// Reads the step number from the title of the tour: `Tour, 3 of 10`.
fn step(text: &str) -> Option<usize> {
    text.split("Tour, ").nth(1)?.split(' ').next()?.parse().ok()
}

/// Whether the tour is at this step and the step is complete.
fn is_complete(text: &str, at: usize) -> bool {
    step(text) == Some(at) && (text.contains("Space goes on") || text.contains("Space ends the tour"))
}

#[test]
fn the_tour_runs_real_operations_to_its_end() {
    // Texts on the screen at each step.
    let steps: [&[&str]; 10] = [
        &["DEMO STORE", "4 Greenhouse", "on the shelf of its tag"],
        &["Add a plant", "Moon cactus", "a name, a number and a tag"],
        &["✓ Yes.", "grew when the store said yes", "7 stored"],
        &["Add a plant", "leaves it to the store"],
        &["✗ No.", "bounced off", "7 stored", "a second time"],
        &["No response came back this time", "? 1 unknown", "Ghost orchid"],
        &["Is Ghost orchid (8) in the store?", "▸ s  Mark as stored"],
        &["The tour has answered", "8 stored", "no unknown outcomes"],
        &["Delete Ghost orchid (8)?", "▸ y  Delete it", "can only be added again"],
        &["✓ Yes.", "the orchid is gone", "7 stored", "deleted"],
    ];
    let mut pty = plants(&["--tour"]).open();
    for (at, seen) in steps.iter().enumerate() {
        pty.until(&format!("step {}: {seen:?}", at + 1), |screen, _| {
            let text = screen.contents();
            is_complete(&text, at + 1) && seen.iter().all(|words| text.contains(words))
        });
        let text = pty.screen().contents();
        assert!(!text.contains("Bearer") && !text.contains("HTTP/1.1"), "headers are on the screen: {text}");
        pty.press(" ");
    }
    pty.until("the tour is over", |screen, _| screen.contents().contains("The tour is over."));
    // The user can continue with the plants of the tour.
    pty.press("a");
    pty.until("a form", |screen, _| screen.contents().contains("Add a plant"));
    pty.press("\x03");
    pty.until("no form", |screen, _| !screen.contents().contains("Add a plant"));
    pty.press("q").shows("Quit now?").answer("y");
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
        pty.until("the tour asks", |screen, _| screen.contents().contains("Esc again leaves"));
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
        text.contains("This did not go as planned") && text.contains("? no response")
    });
    pty.press("\x1b");
    pty.until("the tour asks", |screen, _| screen.contents().contains("Esc again leaves"));
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
    // The first orchid stays unknown through the whole second tour, which adds other plants.
    pty.press("\x1b");
    pty.until("the tour asks", |screen, _| screen.contents().contains("Esc again leaves"));
    pty.press("\x1b");
    pty.until("the tour is left", |screen, _| step(&screen.contents()).is_none());
    pty.press("t");
    for at in 1..=10 {
        let shows = match at {
            2 => "Star cactus",
            3 => "✓ Yes.",
            5 => "✗ No.",
            6 => "? 2 unknown",
            7 => "Is Moth orchid (10) in the store?",
            8 => "? 1 unknown",
            9 => "Delete Moth orchid (10)?",
            10 => "the orchid is gone",
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
