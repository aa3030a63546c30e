//! Leads from the open store to another one.

use super::App;
use super::dialog::Dialog;
use super::recent_input::Waiting;
use super::screens::Screens;
use crate::config::ConnectionTarget;
use crate::tui::context::ScreenState;
use crate::tui::effect::Effect;
use crate::tui::message::{Arrival, Cause, FrameLayout};
use crate::tui::session::Session;

impl App {
    /// Shows a fault in the dialog that leads to another store, or clears it. Returns whether such a dialog is open.
    fn set_connection_fault(&mut self, fault: Option<&String>) -> bool {
        self.dialogs.iter_mut().any(|dialog| {
            match dialog {
                Dialog::Stores(picker) => picker.fault = fault.cloned(),
                Dialog::BaseUrl(form) => form.set_fault(fault.cloned()),
                _ => return false,
            }
            true
        })
    }

    /// Opens another store in the background; the current one stays open until then.
    pub(super) fn connect(&mut self, target: ConnectionTarget) {
        if !self.set_connection_fault(None) {
            return;
        }
        self.cx.session.stores.connecting = Some(target.clone());
        self.cx.out.effect(Effect::Connect(target));
    }

    /// Switches to the store that was opened, or says why not. Without [`Effect::Switch`] the runtime closes it again.
    pub(super) fn connected(&mut self, result: Result<Box<Arrival>, Cause>) {
        let Some(target) = self.cx.session.stores.connecting.take() else { return };
        let why = match (result, self.cx.session.stays_here()) {
            (Ok(arrival), None) => return self.switch(*arrival, target),
            (Ok(_), Some(why)) => why.to_owned(),
            (Err(why), _) => format!("{} was not opened: {why}", self.cx.session.stores.name(&target)),
        };
        if !self.set_connection_fault(Some(&why)) {
            self.cx.out.say(why);
        }
    }

    /// Replaces the session by one at another store. The active tab, drafts and unread notices stay.
    fn switch(&mut self, arrival: Arrival, target: ConnectionTarget) {
        let starts_tour = self.dialogs.has(|dialog| matches!(dialog, Dialog::Stores(picker) if picker.tour));
        let Arrival { info, token, notices, samples } = arrival;
        let drafts: Vec<_> = self.unsaved_forms().collect();
        let before = std::mem::replace(&mut self.cx.session, Session::new(info, token));
        let session = &mut self.cx.session;
        (session.stores, session.last_files) = (before.stores, before.last_files);
        (session.stores.here, session.stores.connecting) = (target, None);
        session.drafts = before.drafts;
        session.drafts.extend(drafts);
        for draft in &mut session.drafts {
            draft.move_to_another_store(&before.info.store, &session.info.store);
        }
        // A person has chosen the store.
        self.dialogs.by_itself = false;
        self.dialogs.clear();
        (*self.screens, self.cx.screen) = (Screens::default(), ScreenState::default());
        self.waiting = Waiting::default();
        (self.resolve_queue, self.given, self.tour, self.recent.interrupts) = (None, None, None, 0);
        let too_small = self.cx.display.layout.too_small;
        // The next frame brings the rest of the layout.
        self.cx.display.layout = FrameLayout { too_small, ..FrameLayout::default() };
        self.cx.out.status.notices.extend(notices);
        let store = self.cx.session.store_name();
        self.cx.out.say(format!("Now at {store}. Nothing was tested: the next operation shows whether it works."));
        let saved = self.cx.session.stores.saved.take().filter(|(target, _)| *target == self.cx.session.stores.here);
        if let Some((_, words)) = saved {
            self.cx.out.say_also(&words);
        }
        self.cx.out.effect(Effect::Switch);
        self.cx.session.use_typed_token(&mut self.cx.out);
        let effects = self.begin(samples);
        self.cx.out.effects.extend(effects);
        if starts_tour {
            self.start_tour();
        }
    }
}
