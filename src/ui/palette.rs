//! The palette: every action of the rooms, with its key, and why it would do nothing now.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::list::List;
use super::text::{fitted, wrapped_lines};
use super::{Painted, Theme};
use crate::app::Model;
use crate::app::palette::{Offer, Palette};
use crate::domain::text::clean_padded;

/// Columns of a key.
const KEY: usize = 7;
/// Columns of an action's name.
const NAME: usize = 14;

pub(super) fn draw(
    model: &Model,
    palette: &Palette,
    theme: &Theme,
    frame: &mut Frame,
    area: Rect,
    painted: &mut Painted,
) {
    let offers = model.offers(palette);
    let list = List {
        title: "Every action",
        waiting: model.later.len(),
        text: &palette.text,
        hint: "a word of what you want to do",
        count: offers.len(),
        marked: palette.marked,
    };
    let one = |at: usize, width: usize| {
        offers.get(at).map(|offer| line(offer, at == palette.marked, theme, width)).unwrap_or_default()
    };
    let none = |width| wrapped_lines("No action has this in its name or sentence.", 2, width, 2, theme.dim);
    list.draw(theme, frame, area, painted, one, none);
}

/// Key, name and sentence; the reason in its place where it would do nothing.
fn line(offer: &Offer<'_>, marked: bool, theme: &Theme, width: usize) -> Line<'static> {
    let binding = offer.binding;
    let key = binding.keys.first().map(ToString::to_string).unwrap_or_default();
    let pointer = if marked { theme.mark("▸ ", "> ") } else { "  " };
    let rest = width.saturating_sub(2 + KEY + 1 + NAME + 1);
    let (style, words) = match offer.unavailable {
        None => (theme.text, binding.help.to_owned()),
        Some(reason) => (theme.dim, format!("not now: {reason}")),
    };
    Line::from(vec![
        Span::styled(pointer, theme.key),
        Span::styled(
            format!("{} ", clean_padded(&key, KEY)),
            if offer.unavailable.is_none() { theme.key } else { style },
        ),
        Span::styled(format!("{} ", clean_padded(&binding.name.replace('-', " "), NAME)), style),
        fitted(&words, rest, style),
    ])
}
