//! Going to another store: the picker of stores, and the form for another base URL.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::form::{FORM, Sheet, masked};
use super::list::List;
use super::text::{fitted, wrapped_lines};
use super::{Painted, Theme};
use crate::app::connection::{Entry, StorePicker, UrlField, UrlForm};
use crate::app::keys::{Action, InForm, InList};
use crate::app::{Model, Target};
use crate::config::{HeaderColor, Wish};
use crate::domain::StoreUrl;

/// Columns of a store's name.
const NAME: usize = 18;
/// Columns before it.
const POINTER: usize = 2;

pub(super) fn draw_picker(
    model: &Model,
    picker: &StorePicker,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let offered = model.offered_stores(picker);
    let list = List {
        title: "Stores",
        waiting: model.later.len(),
        text: &picker.text,
        hint: "type a part of a name, or a base URL",
        count: offered.len(),
        marked: picker.marked,
    };
    let note = |width: usize| {
        if let Some(wish) = &model.connecting {
            let stop = model.keys.shown(Action::List(InList::Close));
            wrapped_lines(&opening(model, wish, &stop), 2, width, 3, theme.moving)
        } else if let Some(why) = &picker.fault {
            wrapped_lines(&format!("{} {why}", theme.mark("✗", "x")), 2, width, 3, theme.bad)
        } else {
            let words = "Nothing is sent when a store is opened: the next operation shows whether it works.";
            wrapped_lines(words, 2, width, 2, theme.dim)
        }
    };
    let one = |at: usize, width: usize| {
        offered.get(at).map(|entry| line(model, *entry, at == picker.marked, width, theme)).unwrap_or_default()
    };
    list.draw_with_note(theme, frame, area, painted, note, one, |_| Vec::new());
}

fn opening(model: &Model, wish: &Wish, stop: &str) -> String {
    let store = model.wish_in_words(wish);
    format!("Opening {store}; until that is done everything stays as it is. {stop} stops waiting.")
}

/// `▸ staging   https://plants.staging.example/api · read-only · open now`
fn line(model: &Model, entry: Entry, marked: bool, width: usize, theme: &Theme) -> Line<'static> {
    let (name, color, place, mut marks) = match entry {
        Entry::Open => ("this store".to_owned(), None, model.facts.store.to_string(), vec!["open now"]),
        Entry::Recent(at) => {
            let url = model.recent.get(at).map(StoreUrl::to_string).unwrap_or_default();
            ("used before".to_owned(), None, url, vec!["asks for its token"])
        }
        Entry::BaseUrl => ("another URL …".to_owned(), None, "a base URL and its token".to_owned(), Vec::new()),
        Entry::Known(at) => {
            let Some(store) = model.known.get(at) else { return Line::default() };
            let place = match (&store.base_url, &store.wish) {
                (Some(url), _) => url.clone(),
                (None, Wish::Demo) => "inside this program, and ends with it".to_owned(),
                (None, Wish::Start | Wish::Profile(_) | Wish::BaseUrl(_)) => "the profile names no base URL".to_owned(),
            };
            let marks = store.read_only.then_some("read-only").into_iter();
            let marks = marks.chain(model.is_here(store).then_some("open now")).collect();
            (store.name.clone(), store.color, place, marks)
        }
    };
    if entry == Entry::Open && model.facts.read_only {
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

pub(super) fn draw_url_form(
    model: &Model,
    form: &UrlForm,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    sheet.blank();
    let words = if form.asks_for_token {
        "A base URL and its token belong together: the token goes to exactly this store. It is never shown and never \
         written down."
    } else {
        "Started read-only: nothing that needs a token is sent, here or there."
    };
    sheet.lines.extend(wrapped_lines(words, 0, width, 3, theme.dim));
    sheet.blank();
    let beside = |sheet: &mut Sheet, field: UrlField| match form.fault.as_ref().filter(|(place, _)| *place == field) {
        Some((_, why)) => sheet.note(&format!("{} {why}", theme.mark("✗", "x")), theme.bad, width),
        None => sheet.blank(),
    };
    sheet.targets.push((sheet.lines.len(), Target::UrlField(UrlField::Url)));
    sheet.field("url", &form.url, form.focus == UrlField::Url, width, theme);
    beside(&mut sheet, UrlField::Url);
    if form.asks_for_token {
        sheet.targets.push((sheet.lines.len(), Target::UrlField(UrlField::Token)));
        sheet.field("token", &masked(&form.secret, model), form.focus == UrlField::Token, width, theme);
        beside(&mut sheet, UrlField::Token);
    }
    match &model.connecting {
        Some(wish) => {
            let stop = model.keys.shown(Action::Form(InForm::Close));
            sheet.lines.extend(wrapped_lines(&opening(model, wish, &stop), 0, width, 3, theme.moving));
        }
        None => {
            let enter = model.keys.shown(Action::Form(InForm::Submit));
            sheet.lines.extend(wrapped_lines(&ready(form, &enter), 0, width, 3, theme.dim));
        }
    }
    painted.targets.extend(sheet.draw("Another store", model.later.len(), theme, frame, area));
}

/// What Enter would do, for what is typed.
fn ready(form: &UrlForm, enter: &str) -> String {
    let Ok(url) = form.url.text().parse::<StoreUrl>() else {
        return format!("{enter} opens the store once the base URL is one, like https://plants.example/api.");
    };
    if url.is_https() {
        format!("{enter} opens {url} (encrypted).")
    } else if url.is_loopback() {
        format!("{enter} opens {url} (plain http, on this machine only).")
    } else {
        format!("{url} is reached over plain http: others can read what is sent.")
    }
}
