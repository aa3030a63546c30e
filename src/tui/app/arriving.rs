//! Keeps what a store has done from being shown before the Greenhouse has drawn how the response arrives: until then the
//! messages wait, so that pots, picture, header and messages change together. The journal has everything already.
//!
//! Must not know what a message says, nor how an arrow is drawn.

use super::App;
use crate::tui::{Effect, Msg};

impl App {
    /// Handles a message, and the messages that waited until the picture has shown how a response arrives. The time alone
    /// goes on meanwhile; what a person does cuts the picture short. Returns the effects for the runtime, in order.
    pub fn update(&mut self, message: Msg) -> Vec<Effect> {
        if matches!(message, Msg::Now(_) | Msg::Tick | Msg::Drawn(..)) {
            let mut effects = self.handle(message);
            effects.extend(self.handle_arrived(false));
            return effects;
        }
        let cuts_short = !message.brings_state();
        self.arriving.push_back(message);
        self.handle_arrived(cuts_short)
    }

    /// Handles the messages whose picture was shown, or all of them.
    fn handle_arrived(&mut self, all: bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some(message) = self.arriving.pop_front() {
            if !all && self.screens.greenhouse.draws_arrow(&message, &mut self.cx) {
                self.arriving.push_front(message);
                break;
            }
            effects.extend(self.handle(message));
        }
        effects
    }
}
