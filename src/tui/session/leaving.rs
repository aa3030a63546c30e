//! Leaves the open store for another one, and saves it as a profile.

use std::path::Path;

use super::state::Session;
use crate::config::TokenSource;
use crate::config::new_profile::NewProfile;
use crate::config::{ConnectionTarget, KnownStore};
use crate::text::shown_path;
use crate::tui::input::Command;
use crate::tui::outbox::Outbox;
use crate::tui::session::question::{self, Act};
use crate::tui::ui_effect::{Open, UiEffect};

impl Session {
    /// Opens another store; asks first if something would be lost. Returns why that is impossible.
    pub fn leave_for(&self, target: ConnectionTarget, for_tour: bool, out: &mut Outbox) -> Option<String> {
        // A new connection to the same store replaces a dead worker, or takes the profile as it was saved since.
        let is_saved = self.stores.saved.as_ref().is_some_and(|(saved, _)| *saved == target);
        if target == self.stores.here && self.worker_alive && !is_saved {
            let key = out.key(Command::ReplaceToken);
            return Some(format!("{} is open already; {key} replaces its token", self.store_name()));
        }
        if let Some(why) = self.stays_here() {
            return Some(why.to_owned());
        }
        let (unsent, own_plants) = (self.unsent.len() + self.waiting_for_token.len(), self.own_plants());
        if unsent + own_plants == 0 && !for_tour {
            out.ui_effect(UiEffect::Do(Act::Connect(target)));
            return None;
        }
        let to = self.stores.name(&target);
        let question = question::leave(&self.info.store, unsent, own_plants, &to, target, for_tour);
        out.ui_effect(UiEffect::OpenOver(Open::Confirm(Box::new(question))));
        None
    }

    /// Whether a profile is known, also the one that is open.
    pub fn has_profiles(&self) -> bool {
        let is_profile = |store: &KnownStore| matches!(store.target, ConnectionTarget::Profile(_));
        self.info.profile.is_some() || self.stores.known.iter().any(is_profile)
    }

    /// Adds a saved profile to the known stores, and names the open store after it if that was opened by its URL.
    pub fn profile_saved(&mut self, profile: NewProfile, file: &Path, out: &mut Outbox) {
        let NewProfile { name, base_url, token, read_only, is_default } = profile;
        let target = ConnectionTarget::Profile(name.clone());
        let new = KnownStore {
            target: target.clone(),
            name: name.clone(),
            base_url: Some(base_url.to_string()),
            color: None,
            read_only,
        };
        let known = &mut self.stores.known;
        // One that was removed from the file since the start.
        known.retain(|store| store.target != target);
        let before_demo = known.iter().position(|store| store.target == ConnectionTarget::Demo);
        known.insert(before_demo.unwrap_or(known.len()), new);
        if token != TokenSource::Prompt {
            // Opened again, it takes the token of its source.
            self.stores.forget_token(&base_url);
        }
        let file = shown_path(file);
        self.stores.saved = Some((target.clone(), format!("Saved as profile {name} in {file}.")));
        if matches!(self.stores.here, ConnectionTarget::BaseUrl(_)) && self.info.store == base_url {
            (self.stores.here, self.info.profile) = (target, Some(name.clone()));
        }
        let from = match token {
            TokenSource::Prompt => "it prompts for its token each time".to_owned(),
            source => format!("its token comes from {}", source.origin()),
        };
        let opens = if is_default { "plants".to_owned() } else { format!("plants --profile {name}") };
        let key = out.key(Command::Connection);
        out.say(format!("Saved profile {name} ({base_url}) in {file}; {from}. {opens} opens it. Here, {key} does."));
    }
}
