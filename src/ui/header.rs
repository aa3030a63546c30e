//! The header: which store, over what, as whom, and how many plants are stored and in doubt.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::text::fitted;
use super::{Theme, WIDE};
use crate::app::Model;

/// Said of the demo store where there is room.
const LASTS: &str = "ends with this program";

/// Rows of the header: one where there is room, else two.
pub(super) fn height(area: Rect) -> u16 {
    if area.width >= WIDE { 1 } else { 2 }
}

pub(super) fn draw(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    let left = store(model, theme, usize::from(area.width));
    let mut right = standing(model, theme);
    let width = usize::from(area.width);
    let free = width.saturating_sub(right.width() + if area.height == 1 { left.width() } else { 0 });
    if model.facts.demo && free > LASTS.width() + 4 {
        right.extend([Span::styled(theme.mark(" · ", " | "), theme.dim), Span::styled(LASTS, theme.dim)]);
    }
    let lines = if area.height == 1 {
        let gap = width.saturating_sub(left.width() + right.width() + 1);
        let mut line = left;
        line.push_span(" ".repeat(gap));
        line.extend(right);
        vec![line]
    } else {
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
    // Where the header is one line, the counts need about half of it.
    let room = if width >= usize::from(WIDE) { room.saturating_sub(52).max(16) } else { room };
    spans.push(fitted(&facts.store.to_string(), room, theme.title));
    Line::from(spans)
}

/// `token held · 6 stored · 1 in doubt`
fn standing(model: &Model, theme: &Theme) -> Line<'static> {
    let tally = &model.table.window.tally;
    let dot = theme.mark(" · ", " | ");
    let mut spans = vec![Span::raw(" ")];
    if model.facts.read_only {
        spans.extend([Span::styled("READ-ONLY", theme.doubt), Span::styled(dot, theme.dim)]);
    }
    if !model.facts.demo && !model.facts.store.is_https() && !model.facts.store.is_loopback() {
        spans.extend([Span::styled("not encrypted", theme.bad), Span::styled(dot, theme.dim)]);
    }
    spans.push(if model.token_held {
        Span::styled("token held", theme.dim)
    } else {
        Span::styled("no token", theme.bad)
    });
    spans.extend([Span::styled(dot, theme.dim), Span::styled(format!("{} stored", tally.stored), theme.good)]);
    let moving = tally.adding + tally.deleting;
    if moving > 0 {
        spans.extend([Span::styled(dot, theme.dim), Span::styled(format!("{moving} on the way"), theme.moving)]);
    }
    spans.push(Span::styled(dot, theme.dim));
    spans.push(if tally.unknown > 0 {
        Span::styled(format!("{} {} in doubt", theme.mark("?", "?"), tally.unknown), theme.doubt)
    } else {
        Span::styled("none in doubt", theme.dim)
    });
    Line::from(spans)
}
