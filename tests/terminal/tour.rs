//! The tour, by the real program in a real pseudo-terminal at its own demo store.

use super::*;

/// What the frame around the tour says: `Tour, 3 of 14`.
fn step(text: &str) -> Option<usize> {
    text.split("Tour, ").nth(1)?.split(' ').next()?.parse().ok()
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
        &["answers get lost", "nobody here knows", "? 1 in doubt", "Ghost orchid"],
        &["Is Ghost orchid (8) in the store?", "Mark as stored"],
        &["On a person's word", "8 stored", "none in doubt"],
        &["Delete Ghost orchid (8)?", "Keep it"],
        &["Ghost orchid is gone.", "7 stored", "deleted"],
        &["2 Exchanges", "409", "204"],
        &["promises", "kept"],
        &["in a table", "Moon cactus"],
        &["is yours"],
    ];
    let mut pty = plants(&["--tour"]).open();
    for (at, seen) in steps.iter().enumerate() {
        pty.until(&format!("step {}: {seen:?}", at + 1), |screen, _| {
            let text = screen.contents();
            step(&text) == Some(at + 1) && seen.iter().all(|words| text.contains(words))
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
    for steps in 0..3 {
        let mut pty = demo();
        pty.press("t");
        for at in 1..=steps {
            pty.until("the step", |screen, _| {
                step(&screen.contents()) == Some(at) && !screen.contents().contains("on its way …")
            });
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
