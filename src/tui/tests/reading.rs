//! The reader: scrolling a text, and searching in it.

use super::frame::{front_at, lay_out};
use super::*;
use crate::tui::message::Target;

/// A terminal that is lower than the help.
const SMALL: (u16, u16) = (160, 24);

/// Returns an app with the help in front, on a small terminal.
fn reading() -> App {
    let mut app = new_app();
    press_at_once(&mut app, "?");
    lay_out(&mut app, SMALL);
    app
}

/// Presses a key, and returns the lines on screen.
fn lines_after(app: &mut App, key: &str) -> Vec<String> {
    press_at_once(app, key);
    lines(app)
}

/// Returns the lines of the text on screen.
fn lines(app: &mut App) -> Vec<String> {
    lay_out(app, SMALL);
    front_at(app, SMALL).unwrap().rows
}

#[test]
fn keys_and_wheel_scroll_down_and_up_again() {
    let mut app = reading();
    let top = lines(&mut app);
    let below = lines_after(&mut app, "<down>");
    assert_eq!(below[0], top[1]);
    assert_eq!(lines_after(&mut app, "<up>"), top);
    let below = lines_after(&mut app, "<pagedown>");
    assert_eq!(Some(&below[0]), top.last());
    let last = lines_after(&mut app, "<pagedown>");
    assert_eq!(lines_after(&mut app, "<pageup>"), below);
    assert_eq!(lines_after(&mut app, "<pageup>"), top);
    assert_ne!(last, below);
    let mut wheeled = |down| {
        app.update(wheeled(Target::Text, down));
        lines(&mut app)
    };
    let [once, _, up] = [true, true, false].map(&mut wheeled);
    assert_eq!((&once[0], &up), (&top[3], &once));
}

#[test]
fn a_search_awaits_the_frame_that_finds_its_lines_and_goes_from_match_to_match() {
    let mut app = reading();
    press_at_once(&mut app, "/");
    assert!(!app.awaits_frame());
    press_at_once(&mut app, "plant");
    assert!(app.awaits_frame());
    lay_out(&mut app, SMALL);
    assert!(!app.awaits_frame());
    let mut found = |key| {
        let rows = lines_after(&mut app, key);
        let (_, place) = rows.last().unwrap().split_once(" line ").unwrap_or_else(|| panic!("{rows:#?}"));
        let (nth, of) = place.split_once(" of ").unwrap();
        [nth, of].map(|number| number.trim().parse::<usize>().unwrap())
    };
    let [_, count] = found("");
    assert!(count > 2);
    let places = ["", "<down>", "<tab>", "<up>", "<shift-tab>", "<up>"].map(|key| found(key)[0]);
    assert_eq!(places, [1, 2, 3, 2, 1, count]);
}
