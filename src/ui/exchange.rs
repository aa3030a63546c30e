//! An exchange: what it proves, where its time went, and both messages as they were on the wire.

use ratatui::text::{Line, Span};

use super::sheet::Sheet;
use super::table::moment;
use super::text::{hanging, wrapped_lines};
use super::wire::{Extent, answer_lines, end_lines, request_lines};
use super::{Theme, phases};
use crate::app::{Model, inspect};
use crate::domain::body::Body;
use crate::domain::text::clean_fit;
use crate::domain::{Request, sentence};
use crate::journal::Kept;

/// Lines of one body in the pane.
const PANE_BODY_LINES: usize = 8;

/// The selected exchange's title.
pub(super) fn title(model: &Model) -> String {
    match model.selected_exchange() {
        Some(kept) => inspect::about(kept),
        None => "No exchange selected".to_owned(),
    }
}

/// The selected exchange as the pane tells it.
pub(super) fn pane(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let Some(kept) = model.selected_exchange() else {
        let waits = model.log.selected.is_some();
        let words = if waits { "Reading the journal …" } else { "Select an exchange to see what was said." };
        return wrapped_lines(words, 0, width, 3, theme.dim);
    };
    let brief = Extent::Brief(PANE_BODY_LINES);
    let mut lines = summary(kept, model, theme, width);
    lines.extend(request_part(kept.exchange.request.as_ref(), theme, width, brief));
    lines.extend(answer(kept, theme, width, brief));
    lines.extend(end(kept, theme, width));
    lines
}

/// Everything there is to tell, with these two bodies.
pub(super) fn whole<'a>(kept: &Kept, bodies: &'a [Body; 2], model: &Model, theme: &Theme, width: usize) -> Sheet<'a> {
    let [of_request, of_answer] = bodies;
    Sheet::new(width)
        .rows(summary(kept, model, theme, width))
        .rows(request_part(kept.exchange.request.as_ref(), theme, width, Extent::Head))
        .body(of_request)
        .rows(answer(kept, theme, width, Extent::Head))
        .body(of_answer)
        .rows(end(kept, theme, width))
}

/// What it proves, when it was, how long it took and on what.
fn summary(kept: &Kept, model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let exchange = &kept.exchange;
    let (style, mark) = theme.outcome(exchange.outcome());
    let head = Span::styled(format!("{mark} {}  ", exchange.outcome().word()), style);
    let mut lines = hanging(head, &sentence::told(exchange, kept.name()), width, 6, theme.text);
    for difference in exchange.mismatches() {
        lines.extend(wrapped_lines(&format!("mismatch: {difference}"), 0, width, 4, theme.doubt));
    }
    let at = moment(exchange.started, model.now, &model.facts.zone);
    let mut facts = vec![format!("began {at}")];
    if !exchange.elapsed.is_zero() {
        facts.push(format!("took {}", sentence::span(exchange.elapsed)));
    }
    if let Some(answer) = exchange.answer().filter(|answer| !answer.body.is_empty()) {
        let coding = answer.coding().map(|coding| format!(", compressed with {}", clean_fit(coding, 20)));
        facts.push(format!("{} bytes of body{}", answer.body.len(), coding.unwrap_or_default()));
    }
    lines.extend(wrapped_lines(&facts.join(", "), 0, width, 2, theme.dim));
    lines.extend(phases::lines(exchange, theme, width));
    lines
}

/// The request, if one is kept, below a line that says so.
pub(super) fn request_part(
    request: Option<&Request>,
    theme: &Theme,
    width: usize,
    extent: Extent,
) -> Vec<Line<'static>> {
    let mut lines = vec![rule("Request", theme, width)];
    match request {
        Some(request) => lines.extend(request_lines(request, theme, width, extent)),
        None => lines.extend(wrapped_lines("No request is kept.", 0, width, 2, theme.dim)),
    }
    lines
}

fn answer(kept: &Kept, theme: &Theme, width: usize, extent: Extent) -> Vec<Line<'static>> {
    let mut lines = vec![rule("Answer", theme, width)];
    let (style, _) = theme.outcome(kept.exchange.outcome());
    match kept.exchange.answer() {
        Some(answer) => lines.extend(answer_lines(answer, theme, style, width, extent)),
        None => lines.extend(wrapped_lines("None came.", 0, width, 2, theme.dim)),
    }
    lines
}

fn end(kept: &Kept, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    kept.exchange.answer().map(|answer| end_lines(&answer.body_end, theme, width)).unwrap_or_default()
}

/// A line with a word in it, between two parts.
pub(super) fn rule(word: &str, theme: &Theme, width: usize) -> Line<'static> {
    let line = theme.mark("─", "-");
    let rest = width.saturating_sub(word.len() + 4);
    Line::from(vec![
        Span::styled(line.repeat(2), theme.border),
        Span::styled(format!(" {word} "), theme.title),
        Span::styled(line.repeat(rest), theme.border),
    ])
}
