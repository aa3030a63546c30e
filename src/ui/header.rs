//! The header: which store, over what, as whom, and how many plants are stored and unknown.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::Theme;
use super::text::fitted;
use crate::app::Model;
use crate::demo::Sky;

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

/// `token set · 6 stored · 1 unknown`
fn standing(model: &Model, theme: &Theme) -> Line<'static> {
    let tally = &model.table.window.tally;
    let mut parts: Vec<(String, Style)> = Vec::new();
    let mut say = |text: String, style| parts.push((text, style));
    if model.facts.read_only {
        say("READ-ONLY".to_owned(), theme.doubt);
    } else if !model.token_held {
        say("no token".to_owned(), theme.bad);
    } else {
        say("token set".to_owned(), theme.dim);
    }
    if !model.facts.demo && !model.facts.store.is_https() && !model.facts.store.is_loopback() {
        say("not encrypted".to_owned(), theme.bad);
    }
    if let Some(run) = model.check.run() {
        let (done, planned) = run.progress();
        let told = if run.is_stopping() { "ending the check".into() } else { format!("checking {done} of {planned}") };
        say(told, theme.moving);
    }
    if model.table.is_read {
        if !model.unsent.is_empty() {
            say(format!("{} not sent", model.unsent.len()), theme.bad);
        }
        say(format!("{} stored", tally.stored), theme.good);
        let in_flight = tally.adding + tally.deleting;
        if in_flight > 0 {
            say(format!("{in_flight} in flight"), theme.moving);
        }
        if tally.unknown > 0 {
            say(format!("? {} unknown", tally.unknown), theme.doubt);
        } else {
            say("none unknown".to_owned(), theme.dim);
        }
    }
    let sky = model.greenhouse.sky;
    if model.facts.demo && sky != Sky::default() {
        say(format!("weather: {}", sky.words()), theme.doubt);
    }
    let dot = theme.mark(" · ", " | ");
    let mut spans = Vec::new();
    for (at, (text, style)) in parts.into_iter().enumerate() {
        if at > 0 {
            spans.push(Span::styled(dot, theme.dim));
        }
        spans.push(Span::styled(text, style));
    }
    Line::from(spans)
}
