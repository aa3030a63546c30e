//! The picker of stores: named ones, base URLs used before, another base URL, the demo store.
//!
//! The interface has no harmless request, so nothing is tested here: the next operation shows whether a
//! connection works. The token of the store that is open is replaced elsewhere.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::config::{ConnectionTarget, HeaderColor, KnownStore};
use crate::domain::StoreUrl;
use crate::domain::text::in_lower_case;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{FrameLayout, Msg, Target};
use crate::tui::session::Session;
use crate::tui::typed_token::is_web_address;
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::{fitted, wrapped_lines};
use crate::tui::widgets::theme::Theme;

/// Columns of a store's name.
const NAME: usize = 18;
/// Columns before it.
const POINTER: usize = 2;

#[derive(Debug, Default)]
pub(crate) struct StorePicker {
    picker: Picker,
    /// What did not work, and why.
    pub fault: Option<String>,
    /// Whether the tour begins at the store that is chosen.
    pub tour: bool,
}

/// A line of the picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// The store that is open, where it has no name.
    Open,
    /// The store at this place of the known ones.
    Known(usize),
    /// The base URL at this place of the recent ones.
    Recent(usize),
    /// Another base URL: leads to its form.
    BaseUrl,
}

impl StorePicker {
    pub(crate) fn open(cx: &mut Context) -> Self {
        let mut picker = Self::default();
        picker.mark_the_open_one(&cx.session);
        cx.out.effect(Effect::FindStores);
        picker
    }

    /// Goes to the demo store, and there on the tour: no other store is looked for.
    pub(crate) fn leave_for_tour(cx: &mut Context) -> Self {
        let mut picker = Self::default();
        picker.mark_the_open_one(&cx.session);
        let demo =
            cx.session.stores.known.iter().position(|store| store.target == ConnectionTarget::Demo).map(Entry::Known);
        let place = picker.entries(&cx.session).iter().position(|entry| Some(*entry) == demo);
        if let Some(place) = place {
            (picker.picker.marked, picker.tour) = (place, true);
            picker.fault = cx.session.leave_for(ConnectionTarget::Demo, true, &mut cx.out);
        }
        picker
    }

    /// The lines for what is typed, in order; the last always leads to the form.
    fn entries(&self, session: &Session) -> Vec<Entry> {
        let stores = &session.stores;
        let words = self.picker.words();
        let fits = |text: &str| {
            let text = in_lower_case(text);
            words.iter().all(|word| text.contains(word))
        };
        let known = |of_demo: bool| {
            let named = stores
                .known
                .iter()
                .enumerate()
                .filter(move |(_, store)| (store.target == ConnectionTarget::Demo) == of_demo);
            let text = |store: &KnownStore| format!("{} {}", store.name, store.base_url.as_deref().unwrap_or_default());
            named.filter(|(_, store)| fits(&text(store))).map(|(place, _)| Entry::Known(place)).collect::<Vec<_>>()
        };
        let has_no_name = !stores.known.iter().any(|store| stores.is_here(store));
        let open = (has_no_name && fits(&session.info.store.to_string())).then_some(Entry::Open);
        let recent = stores.recent.iter().enumerate();
        let recent = recent.filter(|(_, url)| !has_a_line(url, session) && fits(&url.to_string()));
        let recent: Vec<_> = recent.map(|(place, _)| Entry::Recent(place)).collect();
        open.into_iter().chain(known(false)).chain(recent).chain(known(true)).chain([Entry::BaseUrl]).collect()
    }

    /// Marks the line of the store that is open; the first one where that is not among those on offer.
    fn mark_the_open_one(&mut self, session: &Session) {
        let is_open = |entry: &Entry| match entry {
            Entry::Open => true,
            Entry::Known(place) => session.stores.known.get(*place).is_some_and(|store| session.stores.is_here(store)),
            Entry::Recent(_) | Entry::BaseUrl => false,
        };
        self.picker.marked = self.entries(session).iter().position(is_open).unwrap_or(0);
    }

    /// What is typed is meant for the form, where no store has it.
    fn take_to_the_form(&mut self, at_token: bool, cx: &mut Context) {
        let url = std::mem::take(&mut self.picker.text).text().to_owned();
        self.mark_the_open_one(&cx.session);
        cx.out.ui_effect(UiEffect::OpenOver(Open::BaseUrl { url, at_token }));
    }

    fn is_for_the_form(&self, session: &Session) -> bool {
        !self.picker.text.text().is_empty() && self.entries(session) == [Entry::BaseUrl]
    }

    fn go(&mut self, command: Command, cx: &mut Context) {
        self.fault = None;
        if self.is_for_the_form(&cx.session) {
            self.take_to_the_form(true, cx);
        } else {
            self.picker.go(command, self.entries(&cx.session).len());
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        (self.fault, self.tour) = (None, false);
        if self.is_for_the_form(&cx.session) {
            return self.take_to_the_form(false, cx);
        }
        let stores = &cx.session.stores;
        let target = match self.entries(&cx.session).get(self.picker.marked) {
            Some(Entry::Open) => stores.here.clone(),
            Some(Entry::Known(place)) => match stores.known.get(*place) {
                Some(store) => store.target.clone(),
                None => return,
            },
            Some(Entry::Recent(place)) => {
                let url = stores.recent.get(*place).map(StoreUrl::to_string).unwrap_or_default();
                return cx.out.ui_effect(UiEffect::OpenOver(Open::BaseUrl { url, at_token: true }));
            }
            Some(Entry::BaseUrl) => {
                let form = Open::BaseUrl { url: String::new(), at_token: false };
                return cx.out.ui_effect(UiEffect::OpenOver(form));
            }
            None => return,
        };
        self.fault = cx.session.leave_for(target, false, &mut cx.out);
    }
}

/// Whether a base URL is that of a named store, or of the one that is open.
fn has_a_line(url: &StoreUrl, session: &Session) -> bool {
    let named = |store: &KnownStore| {
        store.base_url.as_ref().is_some_and(|named| named.parse::<StoreUrl>().is_ok_and(|named| named == *url))
    };
    (*url == session.info.store && !session.info.demo) || session.stores.known.iter().any(named)
}

impl Component for StorePicker {
    fn scope(&self) -> Scope {
        Scope::Picker
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        let is_connecting = cx.session.stores.connecting.is_some();
        match command {
            Command::Close if is_connecting => called("stop waiting", |_, cx| {
                cx.session.stores.connecting = None;
                cx.out.effect(Effect::StopConnecting);
            }),
            Command::Close => does(|_, cx| cx.out.close()),
            _ if is_connecting => None,
            Command::Choose => called("open it", Self::choose),
            Command::Up => does(|picker, cx| picker.go(Command::Up, cx)),
            Command::Down => does(|picker, cx| picker.go(Command::Down, cx)),
            Command::PageUp => does(|picker, cx| picker.go(Command::PageUp, cx)),
            Command::PageDown => does(|picker, cx| picker.go(Command::PageDown, cx)),
            _ => None,
        }
    }

    /// Shows the stores that have what is typed. A base URL goes into its form.
    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        if cx.session.stores.connecting.is_some() || !self.picker.text.take(typed) {
            return;
        }
        self.fault = None;
        if is_web_address(self.picker.text.text()) {
            return self.take_to_the_form(false, cx);
        }
        if self.picker.text.text().is_empty() {
            self.mark_the_open_one(&cx.session);
        } else {
            self.picker.marked = 0;
        }
    }

    /// The base URLs that the journal knows: the marked line stays the one it was.
    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        let Msg::Stores(Ok(recent)) = message else { return };
        let marked = self.entries(&cx.session).get(self.picker.marked).copied();
        cx.session.stores.recent.clone_from(recent);
        // A recent one may have another place by now.
        let Some(marked) = marked.filter(|entry| !matches!(entry, Entry::Recent(_))) else { return };
        if let Some(place) = self.entries(&cx.session).iter().position(|entry| *entry == marked) {
            self.picker.marked = place;
        }
    }

    fn drawn(&mut self, layout: &FrameLayout) {
        self.picker.fits(layout.reader_page);
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        if cx.session.stores.connecting.is_none()
            && let Target::Line(line) = target
            && self.picker.click(line, self.entries(&cx.session).len())
        {
            self.choose(cx);
        }
    }

    fn wheel(&mut self, over: Target, down: bool, cx: &mut Context) {
        if cx.session.stores.connecting.is_none()
            && let Target::Line(_) = over
        {
            self.go(if down { Command::Down } else { Command::Up }, cx);
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let entries = self.entries(&cx.session);
        let shown = Shown {
            title: "Stores",
            hint: "type a part of a name, or a base URL",
            note: &|width| self.note(cx, theme, width),
            count: entries.len(),
            instead: &|_| Vec::new(),
        };
        self.picker.draw(&shown, area, canvas, |at, width| {
            entries.get(at).map(|entry| line(cx, *entry, at == self.picker.marked, width, theme)).unwrap_or_default()
        });
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.picker.text.text().to_owned()])
    }

    #[cfg(test)]
    fn marked_line(&self, cx: &Context) -> Option<(usize, usize)> {
        Some((self.picker.marked, self.entries(&cx.session).len()))
    }
}

impl StorePicker {
    fn note(&self, cx: &Context, theme: &Theme, width: usize) -> Vec<Line<'static>> {
        if let Some(target) = &cx.session.stores.connecting {
            let stop = cx.out.keys.shown_in(Scope::Picker, Command::Close);
            wrapped_lines(&cx.session.stores.opening(target, &stop), 2, width, 3, theme.moving)
        } else if let Some(why) = &self.fault {
            wrapped_lines(&format!("{} {why}", theme.mark("✗", "x")), 2, width, 3, theme.bad)
        } else {
            let words = "Nothing is sent when a store is opened: the next operation shows whether it works.";
            wrapped_lines(words, 2, width, 2, theme.dim)
        }
    }
}

/// `▸ staging   https://plants.staging.example/api · read-only · open now`
fn line(cx: &Context, entry: Entry, marked: bool, width: usize, theme: &Theme) -> Line<'static> {
    let (info, stores) = (&cx.session.info, &cx.session.stores);
    let (name, color, place, mut marks) = match entry {
        Entry::Open => ("this store".to_owned(), None, info.store.to_string(), vec!["open now"]),
        Entry::Recent(at) => {
            let url = stores.recent.get(at).map(StoreUrl::to_string).unwrap_or_default();
            ("used before".to_owned(), None, url, vec!["asks for its token"])
        }
        Entry::BaseUrl => ("another URL …".to_owned(), None, "a base URL and its token".to_owned(), Vec::new()),
        Entry::Known(at) => {
            let Some(store) = stores.known.get(at) else { return Line::default() };
            let place = match (&store.base_url, &store.target) {
                (Some(url), _) => url.clone(),
                (None, ConnectionTarget::Demo) => "inside this program, and ends with it".to_owned(),
                (None, ConnectionTarget::Start | ConnectionTarget::Profile(_) | ConnectionTarget::BaseUrl(_)) => {
                    "the profile names no base URL".to_owned()
                }
            };
            let marks = store.read_only.then_some("read-only").into_iter();
            let marks = marks.chain(stores.is_here(store).then_some("open now")).collect();
            (store.name.clone(), store.color, place, marks)
        }
    };
    if entry == Entry::Open && info.read_only {
        marks.insert(0, "read-only");
    }
    row(&Row { name, color, place, marks }, marked, width, theme)
}

/// What stands in a line.
struct Row {
    name: String,
    color: Option<HeaderColor>,
    place: String,
    marks: Vec<&'static str>,
}

fn row(row: &Row, marked: bool, width: usize, theme: &Theme) -> Line<'static> {
    let style = if marked { theme.title } else { theme.dim };
    let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
    let name = match row.color {
        Some(color) => fitted(&format!(" {} ", row.name), NAME, theme.badge_for(Some(color))),
        None => fitted(&row.name, NAME, if marked { theme.key } else { theme.text }),
    };
    let gap = " ".repeat((NAME + 2).saturating_sub(name.content.width()));
    let dot = theme.mark(" · ", " | ");
    let words: String = row.marks.iter().flat_map(|word| [dot, *word]).collect();
    let place = fitted(&row.place, width.saturating_sub(POINTER + NAME + 2 + words.width()), style);
    Line::from(vec![Span::styled(pointer, theme.key), name, Span::raw(gap), place, Span::styled(words, style)])
}
