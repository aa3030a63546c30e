//! The picker of stores: named ones, base URLs used before, the demo store, another base URL, a new profile.
//!
//! No connection is tested here, since the interface has no harmless request: the next operation shows whether it
//! works. The token of the open store is replaced by another dialog.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::list::{ListDialog, action_in_list};
use super::stop_connecting;
use crate::config::{ConnectionTarget, HeaderColor, KnownStore};
use crate::domain::StoreUrl;
use crate::text::caseless::caseless;
use crate::text::columns::{Column, fitting, longest};
use crate::text::{clean_fit, clean_fit_middle, columns_of};
use crate::tui::component::{Action, called};
use crate::tui::context::Context;
use crate::tui::dialogs::typed_token::is_web_address;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::session::Session;
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::theme::Theme;

/// Columns of a store's name, usually.
const NAME: usize = 18;
/// Columns of a location before the words behind it are cut.
const LOCATION: usize = 40;
/// Columns between a name and its location.
const GAP: usize = 2;
/// Columns before it.
const POINTER: usize = 2;
/// Columns up to which a text is measured: more than a line has.
const MEASURED: usize = 400;

const OPEN_NOW: &str = "open now";

const NEW_PROFILE: &str = "new profile …";

#[derive(Debug, Default)]
pub(crate) struct StorePicker {
    picker: Picker,
    /// Why the chosen store was not opened.
    pub fault: Option<String>,
    /// Whether the tour begins once the chosen store is open.
    pub tour: bool,
}

/// A line of the picker: `staging   https://plants.staging.example/api · read-only · open now`.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    color: Option<HeaderColor>,
    location: String,
    marks: Vec<&'static str>,
    /// The store, or the form of a base URL or of a new profile.
    opens: Open,
}

impl Entry {
    fn new(name: &str, location: String, marks: Vec<&'static str>, opens: Open) -> Self {
        Self { name: name.to_owned(), color: None, location, marks, opens }
    }

    fn known(store: &KnownStore, session: &Session) -> Self {
        let location = match (&store.base_url, &store.target) {
            (Some(url), _) => url.clone(),
            (None, ConnectionTarget::Demo) => "inside this program, and ends with it".to_owned(),
            (None, _) => "the profile names no base URL".to_owned(),
        };
        let open_now = session.stores.is_here(store).then_some(OPEN_NOW);
        let marks = store.read_only.then_some("read-only").into_iter().chain(open_now).collect();
        Self { color: store.color, ..Self::new(&store.name, location, marks, Open::Stores(Some(store.target.clone()))) }
    }

    fn recent(url: &StoreUrl, session: &Session) -> Self {
        let needs_token = session.stores.typed_token(url).is_none();
        let marks = needs_token.then_some("needs its token").into_iter().collect();
        Self::new("used before", url.to_string(), marks, Open::BaseUrl { url: url.to_string(), at_token: true })
    }

    /// The words behind the location.
    fn words(&self, theme: &Theme) -> String {
        let dot = theme.mark(" · ", " | ");
        self.marks.iter().flat_map(|word| [dot, *word]).collect()
    }

    /// Returns the widths of its texts: the name, and the location with the words behind it.
    fn widths(&self, theme: &Theme) -> [usize; 2] {
        let badge = if self.color.is_some() { 2 } else { 0 };
        [columns_of(&self.name, MEASURED) + badge, columns_of(&self.location, MEASURED) + self.words(theme).width()]
    }

    /// A line of `width` columns, for texts of which the longest are `needed` wide.
    fn line(&self, marked: bool, (needed, width): ([usize; 2], usize), theme: &Theme) -> Line<'static> {
        let [name, location] = needed;
        let names = if name > NAME { Column::flexible(name, NAME, 1) } else { Column::whole(name, NAME) };
        let columns = [names, Column::flexible(location, 0, 2)];
        let [at_name, at_location] = fitting(columns, GAP, width.saturating_sub(POINTER));
        let style = if marked { theme.title } else { theme.dim };
        let name = match self.color {
            Some(color) => fitted(&format!(" {} ", self.name), at_name, theme.badge_for(Some(color))),
            None => fitted(&self.name, at_name, if marked { theme.key } else { theme.text }),
        };
        let gap = " ".repeat((at_name + GAP).saturating_sub(name.width()));
        let words = self.words(theme);
        // The location tells it from others.
        let room = at_location.checked_sub(words.width()).filter(|room| *room >= LOCATION).unwrap_or(at_location);
        let cut = if self.location.contains("://") { clean_fit_middle } else { clean_fit };
        let location = Span::styled(cut(&self.location, room), style);
        let words = fitted(&words, at_location.saturating_sub(location.width()), style);
        Line::from(vec![theme.pointer(marked), name, Span::raw(gap), location, words])
    }
}

impl StorePicker {
    pub(crate) fn open(cx: &mut Context) -> Self {
        let mut picker = Self::default();
        picker.mark_the_open_one(&cx.session);
        cx.out.effect(Effect::FindStores);
        picker
    }

    /// Opens a store at once, without a search for others; with `tour`, the tour begins there.
    pub(crate) fn leave_for(target: &ConnectionTarget, tour: bool, cx: &mut Context) -> Self {
        let mut picker = Self::default();
        picker.mark_the_open_one(&cx.session);
        let is_it = |entry: &Entry| matches!(&entry.opens, Open::Stores(Some(store)) if store == target);
        if let Some(at) = picker.entries(&cx.session).iter().position(is_it) {
            picker.picker.mark(at);
            picker.tour = tour;
            picker.fault = cx.session.leave_for(target.clone(), tour, &mut cx.out);
        }
        picker
    }

    /// Whether a person has stayed instead of going to the tour, for which alone it was opened.
    pub(crate) fn is_left(&self, session: &Session) -> bool {
        self.tour && self.fault.is_none() && session.stores.connecting.is_none()
    }

    /// The lines that match what is typed; the form for another URL is always one of them.
    fn entries(&self, session: &Session) -> Vec<Entry> {
        let stores = &session.stores;
        let matches = self.picker.matcher();
        let without_name = KnownStore {
            target: stores.here.clone(),
            name: "this store".to_owned(),
            base_url: Some(session.info.store.to_string()),
            color: None,
            read_only: session.info.read_only,
        };
        let without_name = Some(without_name).filter(|_| !stores.known.iter().any(|store| stores.is_here(store)));
        let text = |store: &KnownStore| format!("{} {}", store.name, store.base_url.as_deref().unwrap_or_default());
        let named = without_name.iter().chain(&stores.known).filter(|store| matches(&text(store)));
        let (demo, named): (Vec<_>, Vec<_>) = named.partition(|store| store.target == ConnectionTarget::Demo);
        let known = |store: &KnownStore| Entry::known(store, session);
        let recent = stores.recent.iter().filter(|url| !has_a_line(url, session) && matches(&url.to_string()));
        let form = |name, location: &str, form| Entry::new(name, location.to_owned(), Vec::new(), form);
        let base_url = Open::BaseUrl { url: String::new(), at_token: false };
        let mut forms = vec![form("another URL …", "a base URL and its token", base_url)];
        if matches(NEW_PROFILE) {
            let location = "a base URL with a name, kept in the config file";
            forms.push(form(NEW_PROFILE, location, Open::Profile { is_new: true }));
        }
        if !self.picker.text.text().is_empty() {
            // The line that matches what is typed comes first.
            forms.reverse();
        }
        let others = recent.map(|url| Entry::recent(url, session));
        named.into_iter().map(known).chain(others).chain(demo.into_iter().map(known)).chain(forms).collect()
    }

    /// Marks the line of the open store, or the first one where what is typed does not match it.
    fn mark_the_open_one(&mut self, session: &Session) {
        let open = self.entries(session).iter().position(|entry| entry.marks.contains(&OPEN_NOW));
        self.picker.mark(open.unwrap_or(0));
    }

    /// Opens the form with what is typed, which matches no store.
    fn take_to_the_form(&mut self, at_token: bool, cx: &mut Context) {
        let url = std::mem::take(&mut self.picker.text).text().to_owned();
        self.mark_the_open_one(&cx.session);
        cx.out.ui_effect(UiEffect::OpenOver(Open::BaseUrl { url, at_token }));
    }

    fn is_for_the_form(&self, session: &Session) -> bool {
        !self.picker.text.text().is_empty() && self.entries(session).len() == 1
    }
}

/// Whether a base URL is that of a named store, or of the open one.
fn has_a_line(url: &StoreUrl, session: &Session) -> bool {
    let named = |store: &KnownStore| {
        store.base_url.as_ref().is_some_and(|named| named.parse::<StoreUrl>().is_ok_and(|named| named == *url))
    };
    (*url == session.info.store && !session.info.demo) || session.stores.known.iter().any(named)
}

impl ListDialog for StorePicker {
    fn picker(&self) -> &Picker {
        &self.picker
    }

    fn picker_mut(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn names(&self, cx: &Context) -> Vec<String> {
        self.entries(&cx.session).into_iter().map(|entry| format!("{} {}", entry.name, entry.location)).collect()
    }

    fn shown<'a>(&'a self, cx: &'a Context, theme: &'a Theme) -> Shown<'a> {
        let entries = self.entries(&cx.session);
        let needed = longest(entries.iter().map(|entry| entry.widths(theme)));
        let note = if let Some(target) = &cx.session.stores.connecting {
            let stop = cx.out.keys.shown_in(Scope::Picker, Command::Close);
            (cx.session.stores.opening(target, &stop), theme.in_progress)
        } else if let Some(why) = &self.fault {
            (format!("{} {why}", theme.mark("✗", "x")), theme.bad)
        } else {
            let words = "Nothing is sent when a store is opened: the next operation shows whether it works.";
            (words.to_owned(), theme.dim)
        };
        Shown {
            title: "Stores".into(),
            find: "find".into(),
            hint: "type a part of a name, or a base URL".into(),
            note: Some(note),
            count: entries.len(),
            empty: "".into(),
            line: Box::new(move |at, is_marked, width| Some(entries.get(at)?.line(is_marked, (needed, width), theme))),
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        (self.fault, self.tour) = (None, false);
        if self.is_for_the_form(&cx.session) {
            return self.take_to_the_form(false, cx);
        }
        let entry = self.picker.marked().and_then(|at| self.entries(&cx.session).into_iter().nth(at));
        match entry.map(|entry| entry.opens) {
            Some(Open::Stores(Some(target))) => self.fault = cx.session.leave_for(target, false, &mut cx.out),
            Some(form) => cx.out.ui_effect(UiEffect::OpenOver(form)),
            None => {}
        }
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::Close if self.is_locked(cx) => called("stop waiting", |_, cx| stop_connecting(cx)),
            _ if self.is_locked(cx) => None,
            Command::Choose => called("open it", Self::choose),
            _ => action_in_list(command),
        }
    }

    fn go(&mut self, command: Command, cx: &mut Context) {
        self.fault = None;
        if self.is_for_the_form(&cx.session) {
            self.take_to_the_form(true, cx);
        } else {
            let count = self.count(cx);
            self.picker.go(command, count);
        }
    }

    /// Opens the form as soon as a base URL is typed.
    fn filter_changed(&mut self, cx: &mut Context) {
        self.fault = None;
        if is_web_address(self.picker.text.text()) {
            self.take_to_the_form(false, cx);
        } else if self.picker.text.text().is_empty() {
            self.mark_the_open_one(&cx.session);
        } else {
            // A whole name means this store, and never one that begins so.
            let typed = caseless(self.picker.text.text().trim());
            let whole = self.entries(&cx.session).iter().position(|entry| caseless(&entry.name) == typed);
            self.picker.mark(whole.unwrap_or(0));
        }
    }

    /// While a store is being opened, Esc alone works.
    fn is_locked(&self, cx: &Context) -> bool {
        cx.session.stores.connecting.is_some()
    }
}
