//! The connection dialog: where one is, where one can go, and a new token.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::form::{FORM, Sheet, masked};
use super::text::{fitted, wrapped_lines};
use super::{Painted, Theme};
use crate::app::connection::{ConnectionForm, Entry};
use crate::app::keys::{Action, InForm};
use crate::app::{Model, Target};
use crate::config::{KnownStore, Wish};

/// Columns of a store's name.
const NAME: usize = 18;
/// Columns before it.
const POINTER: usize = 2;

pub(super) fn draw(
    model: &Model,
    form: &ConnectionForm,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let width = usize::from(FORM.min(area.width)).saturating_sub(4);
    let mut sheet = Sheet::default();
    sheet.lines.push(Line::from(fitted(&model.facts.store.to_string(), width, theme.title)));
    sheet.lines.extend(wrapped_lines(&standing(model, theme), 0, width, 2, theme.text));
    sheet.lines.extend(wrapped_lines(
        "The interface has no harmless request, so nothing is tested here: the next operation shows whether it works.",
        0,
        width,
        3,
        theme.dim,
    ));
    sheet.blank();
    for entry in model.connection_entries() {
        match entry {
            Entry::Known(place) => {
                let Some(store) = model.known.get(place) else { continue };
                sheet.targets.push((sheet.lines.len(), Target::Entry(entry)));
                if form.focus == entry {
                    sheet.cursor = Some((sheet.lines.len(), POINTER));
                }
                sheet.lines.push(known(model, store, form.focus == entry, width, theme));
            }
            Entry::BaseUrl => {
                sheet.blank();
                let words = "Another base URL; its token is asked for:";
                sheet.lines.extend(wrapped_lines(words, 0, width, 1, theme.dim));
                sheet.targets.push((sheet.lines.len(), Target::Entry(entry)));
                sheet.field("url", &form.base_url, form.focus == entry, width, theme);
            }
            Entry::Token => {
                sheet.blank();
                let words = "A new token for the store that is open; never shown and never written down:";
                sheet.lines.extend(wrapped_lines(words, 0, width, 2, theme.dim));
                sheet.targets.push((sheet.lines.len(), Target::Entry(entry)));
                sheet.field("token", &masked(&form.secret, model), form.focus == entry, width, theme);
            }
        }
        if form.connecting == Some(entry) {
            let stop = model.keys.shown(Action::Form(InForm::Close));
            let words = format!("Connecting; until that is done everything stays as it is. {stop} stops waiting.");
            sheet.note(&words, theme.moving, width);
        }
        if let Some((_, why)) = form.fault.as_ref().filter(|(place, _)| *place == entry) {
            sheet.note(&format!("{} {why}", theme.mark("✗", "x")), theme.bad, width);
        }
    }
    // Where a fault of the last one has its place, so that nothing jumps.
    if form.fault.as_ref().is_none_or(|(place, _)| *place != Entry::Token) {
        sheet.blank();
    }
    painted.targets.extend(sheet.draw("Connection", model.later.len(), theme, frame, area));
}

/// `encrypted · profile staging · token held`
fn standing(model: &Model, theme: &Theme) -> String {
    let facts = &model.facts;
    let over = if facts.store.is_https() {
        "encrypted"
    } else if facts.store.is_loopback() {
        "plain http, on this machine only"
    } else {
        "not encrypted: others can read the token"
    };
    let whose = match &facts.profile {
        _ if facts.demo => "the demo store".to_owned(),
        Some(profile) => format!("profile {profile}"),
        None => "no profile".to_owned(),
    };
    let token = match (facts.read_only, model.token_held) {
        (true, _) => "read-only",
        (false, true) => "token held",
        (false, false) => "no token",
    };
    [over, whose.as_str(), token].join(theme.mark(" · ", " | "))
}

/// `▸ staging   https://plants.staging.example/api · read-only · open now`
fn known(model: &Model, store: &KnownStore, focused: bool, width: usize, theme: &Theme) -> Line<'static> {
    let style = if focused { theme.title } else { theme.dim };
    let pointer = if focused { theme.mark("▸ ", "> ") } else { "  " };
    let name = match store.color {
        Some(color) => fitted(&format!(" {} ", store.name), NAME, theme.badge_for(Some(color))),
        None => fitted(&store.name, NAME, if focused { theme.key } else { theme.text }),
    };
    let gap = " ".repeat((NAME + 2).saturating_sub(name.content.width()));
    let (read_only, open) = (store.read_only.then_some("read-only"), model.is_here(store).then_some("open now"));
    let dot = theme.mark(" · ", " | ");
    let words: String = read_only.into_iter().chain(open).flat_map(|word| [dot, word]).collect();
    let place = match (&store.base_url, &store.wish) {
        (Some(url), _) => url.as_str(),
        (None, Wish::Demo) => "inside this program, and ends with it",
        (None, Wish::Start | Wish::Profile(_) | Wish::BaseUrl(_)) => "the profile names no base URL",
    };
    let place = fitted(place, width.saturating_sub(POINTER + NAME + 2 + words.width()), style);
    Line::from(vec![Span::styled(pointer, theme.key), name, Span::raw(gap), place, Span::styled(words, style)])
}
