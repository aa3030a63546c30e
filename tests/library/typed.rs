//! The inputs of a person who takes a while before each.

use std::time::Duration;

use plants::terminal::key::script;
use plants::terminal::{Key, Timing};
use plants::tui::message::Target;
use plants::tui::{App, Effect, Msg, UserInput};

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
