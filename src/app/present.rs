//! Before an audience: large title, strong contrast, the keys that are pressed, slower motion.

use super::key::Key;
use super::keys::{Action, InRoom};
use super::message::Effect;
use super::model::{Model, Overlay};

/// Keys that are shown at most.
const SHOWN: usize = 4;

impl Model {
    pub(super) fn toggle_presenting(&mut self) -> Vec<Effect> {
        self.presenting = !self.presenting;
        self.pressed.clear();
        let key = self.keys.shown(Action::Room(InRoom::Present));
        self.says(&if self.presenting {
            format!("For an audience: the keys you press are shown. {key} ends it.")
        } else {
            "As before.".to_owned()
        });
        Vec::new()
    }

    /// Keeps a key to be shown. What is typed into a field stands there already; and of a token not
    /// even its length is shown.
    pub(super) fn show_key(&mut self, key: Key, is_typed: bool) {
        let hides = matches!(self.overlay, Some(Overlay::Token(_) | Overlay::Stores(_) | Overlay::BaseUrl(_)));
        if !self.presenting || is_typed || hides {
            return;
        }
        if self.pressed.len() == SHOWN {
            self.pressed.pop_front();
        }
        self.pressed.push_back(key);
    }
}
