//! The connection dialog: which store this is, which others there are, and going to one of them.
//!
//! The interface has no harmless request, so nothing is tested here: the next operation shows
//! whether a connection works.

use std::fmt;

use crate::client::Token;
use crate::config::{KnownStore, OtherStore, Wish};
use crate::domain::{Plant, StoreUrl};

use super::checking::UNDER_WAY;
use super::choice;
use super::field::Field;
use super::importing;
use super::message::{Drawn, Effect};
use super::model::{Facts, Model, Notice, Overlay};

/// Why no other store can be gone to now.
const IN_FLIGHT: &str = "something is in flight: wait for it, or cancel it";

/// A line of the dialog that can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// The store at this place of [`Model::known`].
    Known(usize),
    /// Another base URL.
    BaseUrl,
    /// A new token for the store that is open.
    Token,
}

/// The dialog while it is open.
#[derive(Clone, PartialEq, Eq)]
pub struct ConnectionForm {
    /// What has the cursor.
    pub focus: Entry,
    /// Another base URL, as it is typed.
    pub base_url: Field,
    /// A new token. Drawn as one mark per character, never as text.
    pub secret: Field,
    /// What did not work, and why.
    pub fault: Option<(Entry, String)>,
    /// What is being connected to.
    pub connecting: Option<Entry>,
    /// Whether the tour begins there.
    pub(super) tour: bool,
}

impl ConnectionForm {
    fn at(focus: Entry) -> Self {
        let (base_url, secret) = (Field::default(), Field::default());
        Self { focus, base_url, secret, fault: None, connecting: None, tour: false }
    }

    /// Changes the field that has the cursor, if it is one and nobody waits for what it says.
    pub(super) fn edit(&mut self, change: impl FnOnce(&mut Field) -> bool) {
        let field = match self.focus {
            _ if self.connecting.is_some() => return,
            Entry::Known(_) => {
                self.fails(self.focus, "this line takes no text: the base URL has a line of its own below");
                return;
            }
            Entry::BaseUrl => &mut self.base_url,
            Entry::Token => &mut self.secret,
        };
        if change(field) {
            self.fault.take_if(|(entry, _)| *entry == self.focus);
        }
    }

    fn fails(&mut self, entry: Entry, why: impl Into<String>) {
        self.connecting = None;
        self.focus = entry;
        self.fault = Some((entry, why.into()));
    }
}

impl fmt::Debug for ConnectionForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { focus, base_url: _, secret: _, fault, connecting, tour: _ } = self;
        f.debug_struct("ConnectionForm")
            .field("focus", focus)
            .field("fault", fault)
            .field("connecting", connecting)
            .finish_non_exhaustive()
    }
}

impl Drop for ConnectionForm {
    fn drop(&mut self) {
        self.secret.wipe();
    }
}

/// Another store is open and can be worked with.
#[derive(Debug)]
pub struct Arrival {
    /// What does not change while it is open.
    pub facts: Facts,
    /// Whether a token is held.
    pub token_held: bool,
    /// What must be read of it.
    pub notices: Vec<Notice>,
    /// What the demo begins with.
    pub samples: Vec<Plant>,
}

/// What is let go with the store that is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LetGo {
    /// Operations that were not sent and could be.
    pub unsent: usize,
    /// Operations that wait for a token.
    pub without_token: usize,
    /// The plants of a demo store.
    pub demo_plants: usize,
}

impl Model {
    /// What the dialog offers, in order.
    pub fn connection_entries(&self) -> Vec<Entry> {
        let token = (!self.facts.read_only).then_some(Entry::Token);
        (0..self.known.len()).map(Entry::Known).chain([Entry::BaseUrl]).chain(token).collect()
    }

    /// Whether this is the store that is open.
    pub fn is_here(&self, store: &KnownStore) -> bool {
        store.wish == self.here
    }

    pub(super) fn open_connection(&mut self) -> Vec<Effect> {
        let here = self.known.iter().position(|store| self.is_here(store)).map_or(Entry::BaseUrl, Entry::Known);
        self.open(Overlay::Connection(Box::new(ConnectionForm::at(here))));
        Vec::new()
    }

    pub(super) fn next_entry(&mut self, back: bool) {
        let entries = self.connection_entries();
        let Some(Overlay::Connection(form)) = &mut self.overlay else { return };
        if form.connecting.is_some() {
            return;
        }
        let at = entries.iter().position(|entry| *entry == form.focus).unwrap_or(0);
        let step = if back { entries.len().saturating_sub(1) } else { 1 };
        form.focus = entries.into_iter().cycle().nth(at + step).unwrap_or(form.focus);
    }

    /// The first click goes to an entry; the second takes it, unless it is a field.
    pub(super) fn clicked_entry(&mut self, entry: Entry) -> Vec<Effect> {
        let exists = self.connection_entries().contains(&entry);
        match &mut self.overlay {
            Some(Overlay::Connection(form)) if exists && form.connecting.is_none() => {
                if form.focus == entry && matches!(entry, Entry::Known(_)) {
                    return self.submit_connection();
                }
                form.focus = entry;
            }
            Some(_) | None => {}
        }
        Vec::new()
    }

    /// Takes the entry that has the cursor.
    pub(super) fn submit_connection(&mut self) -> Vec<Effect> {
        let Some(Overlay::Connection(form)) = &mut self.overlay else { return Vec::new() };
        if form.connecting.is_some() {
            return Vec::new();
        }
        (form.fault, form.tour) = (None, false);
        let entry = form.focus;
        match entry {
            Entry::Token => self.submit_new_token(),
            Entry::Known(place) => {
                let wish = self.known.get(place).map(|store| store.wish.clone());
                wish.map(|wish| self.submit_wish(entry, wish)).unwrap_or_default()
            }
            Entry::BaseUrl => {
                let typed = form.base_url.text().to_owned();
                match typed.parse::<StoreUrl>() {
                    Ok(url) => self.submit_wish(entry, Wish::BaseUrl(OtherStore { url, token: None })),
                    Err(fault) => {
                        form.fails(entry, fault.to_string());
                        Vec::new()
                    }
                }
            }
        }
    }

    /// Goes to the demo store, and there on the tour.
    pub(super) fn go_on_tour(&mut self) -> Vec<Effect> {
        let effects = self.open_connection();
        let Some(place) = self.known.iter().position(|store| store.wish == Wish::Demo) else { return effects };
        let entry = Entry::Known(place);
        if let Some(Overlay::Connection(form)) = &mut self.overlay {
            (form.focus, form.tour) = (entry, true);
        }
        self.submit_wish(entry, Wish::Demo)
    }

    fn submit_new_token(&mut self) -> Vec<Effect> {
        let Some(Overlay::Connection(form)) = &mut self.overlay else { return Vec::new() };
        if ["http://", "https://"].iter().any(|scheme| form.secret.text().trim_start().starts_with(scheme)) {
            form.fails(Entry::Token, "that is a URL and no token: it has a line of its own above");
            return Vec::new();
        }
        match Token::new(form.secret.text()) {
            Ok(token) => {
                self.close();
                self.use_token(token, Vec::new())
            }
            Err(fault) => {
                form.fails(Entry::Token, fault.to_string());
                Vec::new()
            }
        }
    }

    /// Goes to a store, unless it is open; asks first where something is let go.
    fn submit_wish(&mut self, entry: Entry, wish: Wish) -> Vec<Effect> {
        // What has died comes to life again with a connection made anew.
        let is_open = wish == self.here && self.courier_alive;
        let (stays, let_go) = (self.stays_here(), self.let_go());
        let Some(Overlay::Connection(form)) = &mut self.overlay else { return Vec::new() };
        if is_open {
            form.fails(entry, "this store is open already");
        } else if let Some(why) = stays {
            form.fails(entry, why);
        } else if let_go == LetGo::default() && !form.tour {
            form.connecting = Some(entry);
            return vec![Effect::Connect(wish)];
        } else {
            let mut question = choice::leave(&self.facts.store, let_go, wish);
            if form.tour {
                question.lines.insert(0, "The tour is at the demo store; this one stays as it is.".to_owned());
            }
            self.open_over(Overlay::Choice(question));
        }
        Vec::new()
    }

    /// A person said yes to leaving the store that is open.
    pub(super) fn connect(&mut self, wish: Wish) -> Vec<Effect> {
        let Some(Overlay::Connection(form)) = &mut self.overlay else { return Vec::new() };
        form.connecting = Some(form.focus);
        vec![Effect::Connect(wish)]
    }

    /// Gives up waiting for another store. Whether there was one.
    pub(super) fn stop_connecting(&mut self) -> bool {
        let Some(Overlay::Connection(form)) = &mut self.overlay else { return false };
        form.connecting.take().is_some()
    }

    /// Why no other store can be gone to now.
    pub(super) fn stays_here(&self) -> Option<&'static str> {
        self.busy().or_else(|| self.in_flight())
    }

    /// What of this store takes its time.
    pub(super) fn busy(&self) -> Option<&'static str> {
        if self.is_importing() { Some(importing::UNDER_WAY) } else { self.check.is_under_way().then_some(UNDER_WAY) }
    }

    pub(super) fn in_flight(&self) -> Option<&'static str> {
        (!self.flights.is_empty()).then_some(IN_FLIGHT)
    }

    fn let_go(&self) -> LetGo {
        LetGo {
            unsent: self.unsent.len(),
            without_token: self.without_token().count(),
            demo_plants: if self.facts.demo { self.table.window.tally.total() } else { 0 },
        }
    }

    /// Another store is open, or why not. Without [`Effect::Switch`] it is not wanted any more.
    pub(super) fn connected(&mut self, result: Result<Box<Arrival>, String>) -> Vec<Effect> {
        let stays = self.stays_here();
        let Some(Overlay::Connection(form)) = &mut self.overlay else { return Vec::new() };
        let Some(entry) = form.connecting else { return Vec::new() };
        let wish = match entry {
            Entry::Known(place) => self.known.get(place).map(|store| store.wish.clone()),
            Entry::BaseUrl => {
                form.base_url.text().parse().ok().map(|url| Wish::BaseUrl(OtherStore { url, token: None }))
            }
            Entry::Token => None,
        };
        match (result, wish, stays) {
            (Ok(_), _, Some(why)) => form.fails(entry, why),
            (Ok(arrival), Some(wish), None) => return self.switch(*arrival, wish),
            (Ok(_), None, None) => form.connecting = None,
            (Err(why), _, _) => form.fails(entry, why),
        }
        Vec::new()
    }

    /// Starts anew for another store. What is the person's own stays: where they are, what they
    /// typed, what they have still to read.
    fn switch(&mut self, arrival: Arrival, wish: Wish) -> Vec<Effect> {
        let Arrival { facts, token_held, notices, samples } = arrival;
        let anew = Self::new(facts, self.keys.clone(), token_held);
        let before = std::mem::replace(self, anew);
        self.here = wish;
        self.known = before.known;
        (self.now, self.turn, self.room, self.mouse) = (before.now, before.turn, before.room, before.mouse);
        (self.still, self.presenting, self.pressed) = (before.still, before.presenting, before.pressed);
        // The next frame tells anew how much fits.
        self.drawn = Drawn { too_small: before.drawn.too_small, ..Drawn::default() };
        self.notices = before.notices;
        self.notices.extend(notices);
        self.drafts = before.drafts;
        for overlay in before.later {
            if let Overlay::Add(form) = overlay
                && form.is_worth_keeping()
            {
                self.drafts.push(form);
            }
        }
        for draft in &mut self.drafts {
            draft.is_for_another_store();
        }
        let store = if self.facts.demo { "the demo store".to_owned() } else { self.facts.store.to_string() };
        self.says(&format!("Now at {store}. Nothing was tested: the next operation shows whether it works."));
        let mut effects = vec![Effect::Switch];
        effects.extend(self.begin(samples));
        if matches!(&before.overlay, Some(Overlay::Connection(form)) if form.tour) {
            effects.extend(self.start_tour());
        }
        effects
    }
}
