//! The inputs of a person who takes a while before each.

use std::time::Duration;

use plants::terminal::{AltKey, Key, Timing};
use plants::tui::message::Target;
use plants::tui::{App, Effect, Msg, UserInput};

use crate::script::script;

/// Long after everything else.
pub(crate) const APART: Timing = Timing { at: Duration::MAX, quiet: Duration::MAX };

pub(crate) fn keyed(key: Key) -> Msg {
    Msg::Input(UserInput::Key(key), APART)
}

/// Presses keys, on a frame wherever the app waits for one.
pub(crate) fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in script(keys).unwrap() {
        if app.awaits_frame() {
            let layout = app.cx.display.layout;
            effects.extend(app.update(Msg::Drawn(layout, Duration::ZERO)));
        }
        effects.extend(app.update(keyed(key)));
    }
    effects
}

pub(crate) fn clicked(target: Target) -> Msg {
    Msg::Input(UserInput::Click(target), APART)
}

#[test]
fn a_script_is_parsed_into_keys() {
    assert_eq!(script("a<tab><c-c><lt>").unwrap(), [Key::Char('a'), Key::Tab, Key::Ctrl('c'), Key::Char('<')]);
    let alt = [AltKey::Char('b'), AltKey::Backspace, AltKey::Left].map(Key::Alt);
    assert_eq!(script("<a-b><a-backspace><a-left>").unwrap(), alt);
    assert_eq!(alt.map(|key| key.to_string()), ["Alt-B", "Alt-Backspace", "Alt-Left"]);
    assert!(script("<nokey>").is_none());
}
