//! Keeps what a store has done from being shown before the Greenhouse has drawn how the response arrives: until then the
//! messages wait, so that pots, picture, header and messages change together. The journal has everything already.
//!
//! Must not know what a message says, nor how an arrow is drawn.

use super::App;
use crate::tui::{Effect, Msg};

impl App {
    /// Handles a message, and the messages that waited until the picture has shown how a response arrives. The time alone
    /// goes on meanwhile; any other message but of what a store has done cuts the picture short. Returns the effects for
    /// the runtime, in order.
    pub fn update(&mut self, message: Msg) -> Vec<Effect> {
        if matches!(message, Msg::Now(_) | Msg::Tick | Msg::Drawn(..)) {
            let mut effects = self.handle(message);
            effects.extend(self.handle_arrived(false));
            return effects;
        }
        let cuts_short = !message.brings_state();
        self.arriving.push(message);
        self.handle_arrived(cuts_short)
    }

    /// Handles the messages that wait, unless the picture of the first one is still being drawn. Only the first has one, so
    /// that nothing waits longer than an arrow takes.
    pub(super) fn handle_arrived(&mut self, cuts_short: bool) -> Vec<Effect> {
        let greenhouse = &mut self.screens.greenhouse;
        if !cuts_short && self.arriving.first().is_some_and(|first| greenhouse.draws_arrow(first, &mut self.cx)) {
            return Vec::new();
        }
        let arrived = std::mem::take(&mut self.arriving);
        arrived.into_iter().flat_map(|message| self.handle(message)).collect()
    }
}
