//! The header: which store, over what, as whom, and how many plants are stored and in doubt.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::Theme;
use super::text::fitted;
use crate::app::Model;

/// Columns between the two halves at least.
const GAP: usize = 2;

/// Said of the demo store where there is room.
const LASTS: &str = "ends with this program";

/// Columns kept for the right half, so that the header does not jump when counts come and go.
const STANDING: usize = 54;

/// Rows of the header: one where all of it fits, else two.
pub(super) fn height(model: &Model, theme: &Theme, area: Rect) -> u16 {
    let columns = store(model, theme, usize::MAX).width() + GAP + standing(model, theme).width().max(STANDING);
    if columns <= usize::from(area.width) { 1 } else { 2 }
}

pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    let width = usize::from(area.width);
    let mut left = store(model, theme, width);
    let mut right = standing(model, theme);
    let free = width.saturating_sub(right.width() + if area.height == 1 { left.width() + GAP } else { 0 });
    if model.facts.demo && free >= LASTS.width() + 3 {
        right.extend([Span::styled(theme.mark(" · ", " | "), theme.dim), Span::styled(LASTS, theme.dim)]);
    }
    let lines = if area.height == 1 {
        let gap = width.saturating_sub(left.width() + right.width());
        left.push_span(" ".repeat(gap));
        left.extend(right);
        vec![left]
    } else {
        right.spans.insert(0, Span::raw(" "));
        vec![left, right]
    };
    frame.render_widget(Paragraph::new(lines), area);
}

/// `DEMO STORE  http://127.0.0.1:4000`
fn store(model: &Model, theme: &Theme, width: usize) -> Line<'static> {
    let facts = &model.facts;
    let (badge, style) = match &facts.profile {
        _ if facts.demo => (" DEMO STORE ".to_owned(), theme.demo_badge),
        Some(profile) => (format!(" {profile} "), theme.badge_for(facts.header_color)),
        None => (" plants ".to_owned(), theme.badge),
    };
    let mut spans = vec![fitted(&badge, 24, style), Span::raw("  ")];
    let room = width.saturating_sub(spans.iter().map(|span| span.content.width()).sum::<usize>());
    spans.push(fitted(&facts.store.to_string(), room, theme.title));
    Line::from(spans)
}

/// `token held · 6 stored · 1 in doubt`
fn standing(model: &Model, theme: &Theme) -> Line<'static> {
    let tally = &model.table.window.tally;
    let dot = theme.mark(" · ", " | ");
    let mut spans = Vec::new();
    if model.facts.read_only {
        spans.extend([Span::styled("READ-ONLY", theme.doubt), Span::styled(dot, theme.dim)]);
    }
    if !model.facts.demo && !model.facts.store.is_https() && !model.facts.store.is_loopback() {
        spans.extend([Span::styled("not encrypted", theme.bad), Span::styled(dot, theme.dim)]);
    }
    if model.token_held {
        spans.push(Span::styled("token held", theme.dim));
    } else if !model.facts.read_only {
        spans.push(Span::styled("no token", theme.bad));
    }
    if !model.table.is_read {
        return Line::from(spans);
    }
    let mut say = |text: String, style| spans.extend([Span::styled(dot, theme.dim), Span::styled(text, style)]);
    say(format!("{} stored", tally.stored), theme.good);
    let in_flight = tally.adding + tally.deleting;
    if in_flight > 0 {
        say(format!("{in_flight} in flight"), theme.moving);
    }
    if !model.unsent.is_empty() {
        say(format!("{} not sent", model.unsent.len()), theme.bad);
    }
    if tally.unknown > 0 {
        say(format!("? {} in doubt", tally.unknown), theme.doubt);
    } else {
        say("none in doubt".to_owned(), theme.dim);
    }
    Line::from(spans)
}
