//! Going to another store: the picker of stores, and the form for another base URL with its token.
//!
//! The interface has no harmless request, so nothing is tested here: the next operation shows
//! whether a connection works. The token of the store that is open is replaced elsewhere.

use std::fmt;

use crate::client::Token;
use crate::config::{KnownStore, OtherStore, Wish};
use crate::domain::text::in_lower_case;
use crate::domain::{Plant, StoreUrl};

use super::checking::UNDER_WAY;
use super::choice;
use super::field::Field;
use super::importing;
use super::keys::{Action, InList, InRoom};
use super::message::{Drawn, Effect};
use super::model::{Facts, Model, Notice, Overlay};

/// Why no other store can be gone to now.
const IN_FLIGHT: &str = "something is in flight: wait for it, or cancel it";

/// Said beside a base URL that would carry the token in clear.
const IN_CLEAR: &str = "over plain http to another machine others can read the token: use https, or start plants with \
                        --base-url and --allow-http, or write a profile with allow_http = true";

/// A line of the picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// The store that is open, where it has no name.
    Open,
    /// The store at this place of [`Model::known`].
    Known(usize),
    /// The base URL at this place of [`Model::recent`].
    Recent(usize),
    /// Another base URL: leads to its form.
    BaseUrl,
}

/// The picker of stores while it is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StorePicker {
    /// What a store must have in its name or base URL.
    pub text: Field,
    /// Which line Enter takes.
    pub marked: usize,
    /// What did not work, and why.
    pub fault: Option<String>,
    /// Whether the tour begins at the store that is chosen.
    pub(super) tour: bool,
}

/// A field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlField {
    /// The base URL.
    Url,
    /// The token for exactly that.
    Token,
}

/// "Which base URL, with which token?"
#[derive(Clone, PartialEq, Eq)]
pub struct UrlForm {
    /// The base URL, as it is typed.
    pub url: Field,
    /// Its token. Drawn as one mark per character, never as text.
    pub secret: Field,
    /// What has the cursor.
    pub focus: UrlField,
    /// Whether a token is asked for: not where nothing that needs one may be sent.
    pub asks_for_token: bool,
    /// What did not work, and why.
    pub fault: Option<(UrlField, String)>,
}

impl UrlForm {
    fn of(url: String, focus: UrlField, asks_for_token: bool) -> Self {
        let focus = if asks_for_token { focus } else { UrlField::Url };
        Self { url: Field::holding(url), secret: Field::default(), focus, asks_for_token, fault: None }
    }

    fn next(&mut self) {
        self.focus = match self.focus {
            UrlField::Url if self.asks_for_token => UrlField::Token,
            UrlField::Url | UrlField::Token => UrlField::Url,
        };
    }

    /// The store that it names, or what is invalid.
    fn store(&self) -> Result<OtherStore, (UrlField, String)> {
        let invalid = |why: String| (UrlField::Url, why);
        let url: StoreUrl =
            self.url.text().parse().map_err(|fault: crate::domain::StoreUrlFault| invalid(fault.to_string()))?;
        if !self.asks_for_token {
            return Ok(OtherStore { url, token: None });
        }
        if !url.is_https() && !url.is_loopback() {
            return Err(invalid(IN_CLEAR.to_owned()));
        }
        let token = typed_token(&self.secret, &url.to_string()).map_err(|why| (UrlField::Token, why))?;
        Ok(OtherStore { url, token: Some(token) })
    }
}

impl fmt::Debug for UrlForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url: _, secret: _, focus, asks_for_token, fault } = self;
        f.debug_struct("UrlForm")
            .field("focus", focus)
            .field("asks_for_token", asks_for_token)
            .field("fault", fault)
            .finish_non_exhaustive()
    }
}

impl Drop for UrlForm {
    fn drop(&mut self) {
        self.secret.wipe();
    }
}

/// The token that was typed for this store, or why there is none.
pub(super) fn typed_token(secret: &Field, store: &str) -> Result<Token, String> {
    let typed = secret.text().trim();
    if typed.is_empty() {
        return Err(format!("no token is typed for {store}: it goes there and to no other store"));
    }
    if is_web_address(typed) {
        return Err(format!("that is a URL and no token for {store}"));
    }
    Token::new(typed).map_err(|fault| fault.to_string())
}

/// Whether a text begins as a base URL does.
fn is_web_address(text: &str) -> bool {
    let text = text.trim_start();
    ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
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
    /// The lines of the picker for what is typed, in order; the last always leads to the form.
    pub fn offered_stores(&self, picker: &StorePicker) -> Vec<Entry> {
        let words: Vec<_> = picker.text.text().split_whitespace().map(in_lower_case).collect();
        let fits = |told: String| {
            let told = in_lower_case(&told);
            words.iter().all(|word| told.contains(word))
        };
        let known = |of_demo: bool| {
            let stores = self.known.iter().enumerate().filter(move |(_, store)| (store.wish == Wish::Demo) == of_demo);
            let found = stores
                .filter(|(_, store)| fits(format!("{} {}", store.name, store.base_url.as_deref().unwrap_or_default())));
            found.map(|(place, _)| Entry::Known(place)).collect::<Vec<_>>()
        };
        let open = (!self.known.iter().any(|store| self.is_here(store)) && fits(self.facts.store.to_string()))
            .then_some(Entry::Open);
        let recent = self.recent.iter().enumerate().filter(|(_, url)| !self.has_a_line(url) && fits(url.to_string()));
        let recent: Vec<_> = recent.map(|(place, _)| Entry::Recent(place)).collect();
        open.into_iter().chain(known(false)).chain(recent).chain(known(true)).chain([Entry::BaseUrl]).collect()
    }

    /// Whether a base URL is that of a named store, or of the one that is open.
    fn has_a_line(&self, url: &StoreUrl) -> bool {
        let named = |store: &KnownStore| {
            store.base_url.as_ref().is_some_and(|named| named.parse::<StoreUrl>().is_ok_and(|named| named == *url))
        };
        (*url == self.facts.store && !self.facts.demo) || self.known.iter().any(named)
    }

    /// Whether this is the store that is open.
    pub fn is_here(&self, store: &KnownStore) -> bool {
        store.wish == self.here
    }

    fn is_open_entry(&self, entry: Entry) -> bool {
        match entry {
            Entry::Open => true,
            Entry::Known(place) => self.known.get(place).is_some_and(|store| self.is_here(store)),
            Entry::Recent(_) | Entry::BaseUrl => false,
        }
    }

    /// The line of the store that is open; the first one where it is not among those on offer.
    fn line_of_open(&self, picker: &StorePicker) -> usize {
        self.offered_stores(picker).iter().position(|entry| self.is_open_entry(*entry)).unwrap_or(0)
    }

    pub(super) fn open_stores(&mut self) -> Vec<Effect> {
        self.open_picker();
        vec![Effect::FindStores]
    }

    fn open_picker(&mut self) {
        let mut picker = StorePicker::default();
        picker.marked = self.line_of_open(&picker);
        self.open(Overlay::Stores(picker));
    }

    /// The base URLs that the journal knows, newest first; the marked line stays the one it was.
    pub(super) fn stores_found(&mut self, found: Result<Vec<StoreUrl>, String>) {
        let marked = self.marked_entry();
        match found {
            Ok(recent) => self.recent = recent,
            Err(why) => self.cannot_read(&why),
        }
        // It may be another one's place by now.
        let Some(marked) = marked.filter(|entry| !matches!(entry, Entry::Recent(_))) else { return };
        let Some(Overlay::Stores(picker)) = &self.overlay else { return };
        let place = self.offered_stores(picker).iter().position(|entry| *entry == marked);
        if let Some(place) = place {
            self.mark_line(place);
        }
    }

    fn marked_entry(&self) -> Option<Entry> {
        let Some(Overlay::Stores(picker)) = &self.overlay else { return None };
        self.offered_stores(picker).get(picker.marked).copied()
    }

    /// Types into the picker: it shows the stores that have this. A base URL goes into its form.
    pub(super) fn edit_picker(&mut self, change: impl FnOnce(&mut Field) -> bool) {
        if self.connecting.is_some() {
            return;
        }
        let Some(Overlay::Stores(picker)) = &mut self.overlay else { return };
        if !change(&mut picker.text) {
            return;
        }
        picker.fault = None;
        if is_web_address(picker.text.text()) {
            let typed = std::mem::take(&mut picker.text);
            self.open_url_form(typed.text().to_owned(), UrlField::Url);
        }
        let Some(picker) = self.picker() else { return };
        let marked = if picker.text.text().is_empty() { self.line_of_open(picker) } else { 0 };
        if let Some(picker) = self.picker_mut() {
            picker.marked = marked;
        }
    }

    /// The picker, open or behind its form.
    fn picker(&self) -> Option<&StorePicker> {
        let mut all = self.overlay.iter().chain(&self.later);
        all.find_map(|overlay| if let Overlay::Stores(picker) = overlay { Some(picker) } else { None })
    }

    fn picker_mut(&mut self) -> Option<&mut StorePicker> {
        let mut all = self.overlay.iter_mut().chain(&mut self.later);
        all.find_map(|overlay| if let Overlay::Stores(picker) = overlay { Some(picker) } else { None })
    }

    /// The form for a base URL and its token, over the picker.
    fn open_url_form(&mut self, url: String, focus: UrlField) {
        // `--read-only` alone makes the demo store read-only, and with it every store.
        let nothing_is_sent = self.known.iter().any(|store| store.wish == Wish::Demo && store.read_only);
        self.open_over(Overlay::BaseUrl(Box::new(UrlForm::of(url, focus, !nothing_is_sent))));
    }

    pub(super) fn act_in_stores(&mut self, action: InList) -> Vec<Effect> {
        if action == InList::Close {
            return self.leave_overlay();
        }
        if self.connecting.is_some() {
            return Vec::new();
        }
        let page = self.page_of_reader();
        let Some(Overlay::Stores(picker)) = &mut self.overlay else { return Vec::new() };
        picker.fault = None;
        let (marked, typed) = (picker.marked, picker.text.text().to_owned());
        let Some(Overlay::Stores(picker)) = &self.overlay else { return Vec::new() };
        let offered = self.offered_stores(picker);
        if let ([Entry::BaseUrl], false) = (offered.as_slice(), typed.is_empty()) {
            // No store has what is typed: it is meant for the form.
            let focus = if action == InList::Choose { UrlField::Url } else { UrlField::Token };
            self.take_typed();
            self.open_url_form(typed, focus);
            return Vec::new();
        }
        if let Some(place) = action.moves(marked, offered.len(), page) {
            self.mark_line(place);
            return Vec::new();
        }
        match offered.get(marked) {
            Some(entry) => self.choose_store(*entry),
            None => Vec::new(),
        }
    }

    /// Empties the filter: what was in it stands in the form.
    fn take_typed(&mut self) {
        let Some(Overlay::Stores(picker)) = &mut self.overlay else { return };
        picker.text = Field::default();
        let Some(Overlay::Stores(picker)) = &self.overlay else { return };
        let marked = self.line_of_open(picker);
        self.mark_line(marked);
    }

    fn choose_store(&mut self, entry: Entry) -> Vec<Effect> {
        if let Some(Overlay::Stores(picker)) = &mut self.overlay {
            picker.tour = false;
        }
        let wish = match entry {
            Entry::Open => self.here.clone(),
            Entry::Known(place) => match self.known.get(place) {
                Some(store) => store.wish.clone(),
                None => return Vec::new(),
            },
            Entry::Recent(place) => {
                if let Some(url) = self.recent.get(place) {
                    self.open_url_form(url.to_string(), UrlField::Token);
                }
                return Vec::new();
            }
            Entry::BaseUrl => {
                self.open_url_form(String::new(), UrlField::Url);
                return Vec::new();
            }
        };
        self.submit_wish(wish)
    }

    /// Goes to the demo store, and there on the tour.
    pub(super) fn go_on_tour(&mut self) -> Vec<Effect> {
        self.open_picker();
        let Some(Overlay::Stores(picker)) = &self.overlay else { return Vec::new() };
        let demo = self.known.iter().position(|store| store.wish == Wish::Demo).map(Entry::Known);
        let place = self.offered_stores(picker).iter().position(|entry| Some(*entry) == demo);
        let Some(place) = place else { return Vec::new() };
        if let Some(Overlay::Stores(picker)) = &mut self.overlay {
            (picker.marked, picker.tour) = (place, true);
        }
        self.submit_wish(Wish::Demo)
    }

    /// Changes the field that has the cursor, unless what it says is being opened.
    pub(super) fn edit_url_form(&mut self, change: impl FnOnce(&mut Field) -> bool) {
        if self.connecting.is_some() {
            return;
        }
        let Some(Overlay::BaseUrl(form)) = &mut self.overlay else { return };
        let focus = form.focus;
        let field = match focus {
            UrlField::Url => &mut form.url,
            UrlField::Token => &mut form.secret,
        };
        if change(field) {
            form.fault.take_if(|(place, _)| *place == focus);
        }
    }

    pub(super) fn next_url_field(&mut self) {
        if let (Some(Overlay::BaseUrl(form)), None) = (&mut self.overlay, &self.connecting) {
            form.next();
        }
    }

    pub(super) fn clicked_url_field(&mut self, field: UrlField) {
        if let (Some(Overlay::BaseUrl(form)), None) = (&mut self.overlay, &self.connecting) {
            form.focus = field;
        }
    }

    /// Opens the store of the form with the token beside it.
    pub(super) fn submit_url_form(&mut self, mut form: Box<UrlForm>) -> Vec<Effect> {
        let store = if self.connecting.is_some() { None } else { Some(form.store()) };
        form.fault = None;
        let store = match store {
            Some(Err((field, why))) => {
                form.focus = field;
                form.fault = Some((field, why));
                None
            }
            Some(Ok(store)) => Some(store),
            None => None,
        };
        self.overlay = Some(Overlay::BaseUrl(form));
        store.map(|store| self.submit_wish(Wish::BaseUrl(store))).unwrap_or_default()
    }

    /// Goes to a store, unless it is open; asks first where something is let go.
    fn submit_wish(&mut self, wish: Wish) -> Vec<Effect> {
        // What has died comes to life again with a connection made anew.
        let is_open = wish == self.here && self.courier_alive;
        let (stays, let_go) = (self.stays_here(), self.let_go());
        let tour = self.picker().is_some_and(|picker| picker.tour);
        if is_open {
            let key = self.keys.shown(Action::Room(InRoom::ReplaceToken));
            let why = format!("{} is open already; {key} replaces its token", self.store_in_words());
            self.cannot_go(why);
        } else if let Some(why) = stays {
            self.cannot_go(why.to_owned());
        } else if let_go == LetGo::default() && !tour {
            return self.connect(wish);
        } else {
            let to = self.wish_in_words(&wish);
            let mut question = choice::leave(&self.facts.store, let_go, &to, wish);
            if tour {
                question.lines.insert(0, "The tour is at the demo store; this one stays as it is.".to_owned());
            }
            self.open_over(Overlay::Choice(question));
        }
        Vec::new()
    }

    /// Begins to open another store; the one that is open stays so until that is done.
    pub(super) fn connect(&mut self, wish: Wish) -> Vec<Effect> {
        match &mut self.overlay {
            Some(Overlay::Stores(picker)) => picker.fault = None,
            Some(Overlay::BaseUrl(form)) => form.fault = None,
            Some(_) | None => return Vec::new(),
        }
        self.connecting = Some(wish.clone());
        vec![Effect::Connect(wish)]
    }

    /// Says in the dialog why the store was not opened.
    fn cannot_go(&mut self, why: String) {
        match &mut self.overlay {
            Some(Overlay::Stores(picker)) => picker.fault = Some(why),
            Some(Overlay::BaseUrl(form)) => form.fault = Some((UrlField::Url, why)),
            Some(_) | None => self.says(&why),
        }
    }

    /// Gives up waiting for another store. Whether there was one.
    pub(super) fn stop_connecting(&mut self) -> bool {
        self.connecting.take().is_some()
    }

    /// What the open store is called in a sentence.
    pub fn store_in_words(&self) -> String {
        if self.facts.demo { "the demo store".to_owned() } else { self.facts.store.to_string() }
    }

    /// What another store is called in a sentence: its name and its base URL.
    pub fn wish_in_words(&self, wish: &Wish) -> String {
        let known = self.known.iter().find(|store| store.wish == *wish);
        match (wish, known) {
            (Wish::Demo, _) => "the demo store".to_owned(),
            (Wish::BaseUrl(other), _) => other.url.to_string(),
            (_, Some(KnownStore { name, base_url: Some(url), .. })) => format!("{name} ({url})"),
            (_, Some(KnownStore { name, base_url: None, .. })) | (Wish::Profile(name), None) => name.clone(),
            (Wish::Start, None) => "the store of the start".to_owned(),
        }
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
        let Some(wish) = self.connecting.take() else { return Vec::new() };
        match (result, self.stays_here()) {
            (Ok(_), Some(why)) => self.cannot_go(why.to_owned()),
            (Ok(arrival), None) => return self.switch(*arrival, wish),
            (Err(why), _) => {
                let store = self.wish_in_words(&wish);
                self.cannot_go(format!("{store} was not opened: {why}"));
            }
        }
        Vec::new()
    }

    /// Starts anew for another store. What is the person's own stays: where they are, what they
    /// typed, what they have still to read.
    fn switch(&mut self, arrival: Arrival, wish: Wish) -> Vec<Effect> {
        let tour = self.picker().is_some_and(|picker| picker.tour);
        let Arrival { facts, token_held, notices, samples } = arrival;
        let anew = Self::new(facts, self.keys.clone(), token_held);
        let before = std::mem::replace(self, anew);
        self.here = wish;
        (self.known, self.recent) = (before.known, before.recent);
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
        let store = self.store_in_words();
        self.says(&format!("Now at {store}. Nothing was tested: the next operation shows whether it works."));
        let mut effects = vec![Effect::Switch];
        effects.extend(self.begin(samples));
        if tour {
            effects.extend(self.start_tour());
        }
        effects
    }
}
