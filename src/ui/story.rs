//! The selected plant's story: where it stands, and its last requests and answers.

use ratatui::Frame;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use super::Theme;
use super::table::moment;
use super::text::{fitted, hanging, wrapped_lines};
use crate::app::Model;
use crate::app::keys::{Action, InPlants};
use crate::domain::text::{clean_fit, clean_lines};
use crate::domain::{Answer, BodyEnd, Exchange, Header, Outcome, Request, Row, State, sentence, wire};

/// Lines of one body in the pane; the whole story has room for more.
const PANE_BODY_LINES: usize = 8;

/// Exchanges told in the whole story.
const TOLD: usize = 20;

/// Bytes of a body that are laid out; the rest is counted.
const BODY_BYTES: usize = 16 * 1024;

/// Columns of an answer's first line: its reason phrase may be of any length.
const ANSWER_LINE: usize = 53;

pub(super) fn draw_pane(model: &Model, theme: &Theme, frame: &mut Frame, area: Rect) {
    let title = title(model);
    let title = fitted(&format!(" {title} "), usize::from(area.width.saturating_sub(4)), theme.title);
    let block = Block::bordered().border_set(theme.borders()).border_style(theme.border).title(title);
    let inner = block.inner(area).inner(Margin { horizontal: 1, vertical: 0 });
    frame.render_widget(block, area);
    let lines = lines(model, theme, usize::from(inner.width), 1, PANE_BODY_LINES);
    frame.render_widget(Paragraph::new(lines), inner);
}

/// The selected plant's name and id.
pub(super) fn title(model: &Model) -> String {
    match model.table.selected_row() {
        Some(row) => sentence::row_called(row),
        None => "No plant selected".to_owned(),
    }
}

/// Everything there is to tell, in lines of `width` columns.
pub(super) fn whole(model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    lines(model, theme, width, TOLD, usize::MAX)
}

fn lines(model: &Model, theme: &Theme, width: usize, exchanges: usize, body_lines: usize) -> Vec<Line<'static>> {
    let Some(row) = model.table.selected_row() else {
        return wrapped_lines("Select a plant to see its last request and the store's answer.", 0, width, 3, theme.dim);
    };
    let mut lines = standing(row, model, theme, width);
    lines.extend(in_flight(model, theme, width, body_lines));
    let Some(story) = model.selected_story() else { return lines };
    for exchange in story.exchanges.iter().take(exchanges) {
        lines.push(Line::default());
        lines.extend(told(exchange, model, theme, width, body_lines));
    }
    let more = story.exchanges.len().saturating_sub(exchanges);
    if more > 0 {
        lines.push(Line::default());
        let key = model.keys.shown(Action::Plants(InPlants::Open));
        lines.push(Line::from(Span::styled(format!("{more} earlier; {key} shows them"), theme.dim)));
    }
    lines
}

fn standing(row: &Row, model: &Model, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let (style, mark) = theme.state(row.state, model.turn);
    // Only a person can have settled what the last exchange that changed anything left open.
    let told = model.selected_story().map(|story| story.exchanges.as_slice()).unwrap_or_default();
    let counts = |outcome: &Outcome| matches!(outcome, Outcome::Accepted | Outcome::Unknown);
    let by_hand = told.iter().map(Exchange::outcome).find(counts) == Some(Outcome::Unknown);
    let meaning = match row.state {
        State::Stored if by_hand => "marked as stored by a person",
        State::Stored => "the store has it, as far as is known",
        State::Unknown => "nobody knows whether the store has it",
        State::Adding => "its add is in flight",
        State::Deleting => "its delete is in flight",
    };
    let mut lines = headed(&format!("{mark} {}", row.state.word()), style, meaning, theme, width);
    if let Some(details) = &row.details {
        lines.extend(wrapped_lines(&format!("name  {}", details.name), 0, width, 3, theme.text));
        lines.extend(wrapped_lines(&format!("tag   {}", details.tag), 0, width, 2, theme.text));
    }
    lines
}

/// What is in flight for the plant: for how long, and its request.
fn in_flight(model: &Model, theme: &Theme, width: usize, body_lines: usize) -> Vec<Line<'static>> {
    let Some((flight, request)) = model.request_in_flight() else { return Vec::new() };
    let seconds = model.now.0.saturating_sub(flight.operation.asked_at.0).max(0) / 1000;
    let words = if flight.cancelled {
        "cancelling …".to_owned()
    } else {
        format!("for {seconds} s; given up after {}", sentence::span(model.facts.timeout))
    };
    let (style, mark) = theme.state(State::Adding, model.turn);
    let mut lines = vec![Line::default()];
    lines.extend(headed(&format!("{mark} in flight"), style, &words, theme, width));
    lines.extend(request_lines(&request, theme, width, body_lines));
    lines
}

/// A word with its mark, and what it means.
fn headed(head: &str, style: Style, meaning: &str, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    hanging(Span::styled(format!("{head}  "), style), meaning, width, 3, theme.dim)
}

fn told(exchange: &Exchange, model: &Model, theme: &Theme, width: usize, body_lines: usize) -> Vec<Line<'static>> {
    let (style, mark) = theme.outcome(exchange.outcome());
    let at = moment(exchange.started, model.now, &model.facts.zone);
    let asked = exchange.operation.ask.word();
    let what = if exchange.elapsed.is_zero() {
        format!("{asked} at {at}")
    } else {
        format!("{asked} at {at}, took {}", sentence::span(exchange.elapsed))
    };
    let mut lines = headed(&format!("{mark} {}", exchange.outcome().word()), style, &what, theme, width);
    for difference in exchange.unlike_document() {
        lines.extend(wrapped_lines(&format!("unlike the document: {difference}"), 0, width, 4, theme.doubt));
    }
    if let Some(request) = &exchange.request {
        lines.extend(request_lines(request, theme, width, body_lines));
    }
    let name = model.table.selected_row().and_then(Row::name);
    match exchange.answer() {
        Some(answer) => {
            lines.push(Line::default());
            lines.extend(answer_lines(answer, theme, style, width, body_lines));
        }
        None => lines.extend(wrapped_lines(&sentence::told(exchange, name), 0, width, 6, style)),
    }
    lines
}

/// A request as it is on the wire, token masked.
pub(super) fn request_lines(request: &Request, theme: &Theme, width: usize, body_lines: usize) -> Vec<Line<'static>> {
    let mut lines = wrapped_lines(&wire::request_line(request), 0, width, 3, theme.title);
    lines.extend(header_lines(&request.headers, theme, width));
    if let Some(body) = request.body.as_deref().filter(|body| !body.is_empty()) {
        lines.push(Line::default());
        lines.extend(wrapped_lines(body, 0, width, body_lines, theme.text));
    }
    lines
}

fn answer_lines(answer: &Answer, theme: &Theme, style: Style, width: usize, body_lines: usize) -> Vec<Line<'static>> {
    let first = clean_fit(&wire::answer_line(answer), ANSWER_LINE);
    let mut lines = wrapped_lines(&first, 0, width, 2, style);
    lines.extend(header_lines(&answer.headers, theme, width));
    if !answer.body.is_empty() {
        let laid_out = answer.body.get(..BODY_BYTES).unwrap_or(&answer.body);
        lines.push(Line::default());
        lines.extend(wrapped_lines(&clean_lines(laid_out), 0, width, body_lines, theme.text));
        if laid_out.len() < answer.body.len() {
            lines.push(Line::from(Span::styled(format!("… {} bytes in all", answer.body.len()), theme.dim)));
        }
    }
    match &answer.body_end {
        BodyEnd::Complete => {}
        BodyEnd::Trimmed => {
            lines.extend(wrapped_lines("request and answer are not kept any more", 0, width, 2, theme.dim));
        }
        BodyEnd::Capped(cap) => {
            lines.extend(wrapped_lines(&format!("cut: only the first {cap} bytes are kept"), 0, width, 2, theme.doubt));
        }
        BodyEnd::CutOff(why) => {
            lines.extend(wrapped_lines(&format!("the answer breaks off here: {why}"), 0, width, 3, theme.doubt));
        }
    }
    lines
}

fn header_lines(headers: &[Header], theme: &Theme, width: usize) -> Vec<Line<'static>> {
    headers.iter().flat_map(|header| wrapped_lines(&wire::header_line(header), 0, width, 3, theme.dim)).collect()
}
