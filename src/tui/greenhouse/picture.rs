//! Draws an exchange as a sequence diagram between you and the store with one plain sentence, or as raw HTTP.

use std::time::Duration;

use ratatui::text::Line;

use super::diagram::{Arrives, Diagram};
use super::motion::WHOLE;
use super::scene::Scene;
use super::sentence::Sentence;
use super::state::GreenhouseScreen;
use crate::domain::simple_words::Known;
use crate::domain::{Ending, Exchange, OperationKind, Outcome, Request, Resolution, State, sentence, simple_words};
use crate::text::wrap::NO_BREAK;
use crate::tui::context::{Context, Motion};
use crate::tui::render::exchange::as_sent;
use crate::tui::session::PendingOperation;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;

/// Lines of one body of the raw exchange, at most.
const BODY_LINES: usize = 12;

/// The sentence about a request without a response so far.
const OUT: &str = "The request is on its way.";

pub(super) fn title(screen: &GreenhouseScreen, cx: &Context) -> String {
    match screen.scene(cx) {
        Scene::Nothing(_) => "You and the store".to_owned(),
        Scene::Out(pending, ..) => sentence::about(&pending.operation.kind, pending.name.as_deref()),
        Scene::Over(exchange, known, _) => {
            let kind = &exchange.operation.kind;
            let name = kind.plant().map(|plant| plant.name.as_str()).or(known.name);
            match known.resolved {
                Some(Resolution::Forget) => format!("{}, forgotten", sentence::called(kind.plant_id(), name)),
                Some(Resolution::MarkStored) => format!("{}, resolved", sentence::called(kind.plant_id(), name)),
                None => sentence::about(kind, known.name),
            }
        }
    }
}

/// Whether the picture shows that the store said no.
pub(super) fn is_of_rejection(screen: &GreenhouseScreen, cx: &Context) -> bool {
    matches!(screen.scene(cx), Scene::Over(exchange, known, _)
        if exchange.outcome() == Outcome::Rejected && known.resolved.is_none())
}

/// The lines of the diagram, or of the raw exchange, for a pane of this size.
pub(super) fn pane(
    screen: &GreenhouseScreen,
    cx: &Context,
    theme: &Theme,
    width: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    match screen.scene(cx) {
        Scene::Nothing(why) => wrapped_lines(why, 0, width, 3, theme.dim),
        Scene::Out(pending, ..) if screen.shows_wire => {
            let request = cx.session.info.request(&pending.operation.kind);
            raw(Some(&request), None, theme, width)
        }
        Scene::Over(exchange, ..) if screen.shows_wire => raw(exchange.request.as_ref(), Some(exchange), theme, width),
        Scene::Out(pending, waited, drawn) => {
            in_flight(pending, waited, drawn, cx, &Diagram::of(OUT, cx, theme, width, rows))
        }
        Scene::Over(exchange, known, drawn) => {
            let sentence = simple_words::describe(exchange, known);
            over(exchange, known, drawn, &sentence, &Diagram::of(&sentence, cx, theme, width, rows))
        }
    }
}

fn raw(request: Option<&Request>, exchange: Option<&Exchange>, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    as_sent(&mut page, request, exchange, BODY_LINES);
    page.lines
}

fn in_flight(
    pending: &PendingOperation,
    waited: Duration,
    drawn: u16,
    cx: &Context,
    diagram: &Diagram<'_>,
) -> Vec<Line<'static>> {
    let theme = diagram.theme;
    let (style, mark) = theme.state(State::Adding, cx.display.turn);
    let words = match (pending.cancelled, cx.display.motion == Motion::Still) {
        (true, _) => "stopped waiting".to_owned(),
        // Without motion, a duration would soon be wrong.
        (false, true) => "no response yet".to_owned(),
        (false, false) => format!("{mark} no response yet, {}", sentence::span(waited)),
    };
    let request = request_words(&pending.operation.kind, pending.name.as_deref());
    if diagram.is_one_line {
        let lines = diagram.one_line(drawn, None, &words, style);
        return diagram.with_sentence(lines, &Sentence { shortest: OUT, short: OUT, whole: &request }, style);
    }
    let mut lines = diagram.head();
    lines.extend(diagram.words(&request, theme.text));
    // Only a response proves that the request has arrived.
    lines.push(diagram.to_store(drawn, theme.in_progress, Arrives::Unknown));
    lines.extend(diagram.words(if drawn == WHOLE { &words } else { "" }, style));
    diagram.with_sentence(lines, &Sentence { shortest: OUT, short: OUT, whole: OUT }, style)
}

/// Says what you ask for; the number of the plant does not begin a line.
fn request_words(kind: &OperationKind, name: Option<&str>) -> String {
    simple_words::describe_operation(kind, name).replace("plant ", &format!("plant{NO_BREAK}"))
}

fn over(
    exchange: &Exchange,
    known: Known<'_>,
    drawn: u16,
    sentence: &str,
    diagram: &Diagram<'_>,
) -> Vec<Line<'static>> {
    let theme = diagram.theme;
    let outcome = exchange.outcome();
    if let Some(resolution) = known.resolved {
        return decided(resolution, sentence, diagram);
    }
    let (style, mark) = theme.outcome(outcome);
    let (answer, short) = match (&exchange.ending, outcome) {
        (_, Outcome::NotSent) => ("nothing was sent", "Nothing was sent."),
        (Ending::Failed(_), _) => ("no response", "No response came."),
        (_, Outcome::Accepted) => ("Yes.", "The store said yes."),
        (_, Outcome::Rejected) => ("No.", "The store said no."),
        (_, Outcome::Unknown) => ("Neither yes nor no.", "The store said neither yes nor no."),
    };
    let shortest = match outcome {
        Outcome::Accepted | Outcome::Rejected => answer,
        Outcome::Unknown => "?",
        Outcome::NotSent => "Not sent.",
    };
    let sentence = &Sentence { shortest, short, whole: sentence };
    let answer = if drawn == WHOLE { format!("{mark} {answer}") } else { String::new() };
    if diagram.is_one_line {
        return diagram.with_sentence(diagram.one_line(WHOLE, Some(exchange), &answer, style), sentence, style);
    }
    let mut lines = diagram.head();
    lines.extend(diagram.words(&request_words(&exchange.operation.kind, known.name), theme.text));
    match (&exchange.ending, outcome) {
        (_, Outcome::NotSent) => {
            lines.push(diagram.to_store(WHOLE, style, Arrives::Never));
            lines.extend(diagram.words(&answer, style));
        }
        (_, Outcome::Rejected) => {
            lines.extend(diagram.bounce(drawn, exchange, style));
            lines.extend(diagram.words(&answer, style));
        }
        (Ending::Responded(_), _) => {
            lines.push(diagram.to_store(WHOLE, theme.in_progress, Arrives::Surely));
            lines.extend(diagram.time(exchange));
            lines.push(diagram.to_you(drawn, style));
            lines.extend(diagram.words(&answer, style));
        }
        (Ending::Failed(_), _) => {
            lines.push(diagram.to_store(WHOLE, theme.in_progress, Arrives::Unknown));
            lines.extend(diagram.time(exchange));
            lines.extend(diagram.lost(drawn, &answer, style));
        }
    }
    if drawn < WHOLE { lines } else { diagram.with_sentence(lines, sentence, style) }
}

/// Shows what a person has decided about an unknown plant: no message has brought that about, so there is no arrow.
fn decided(resolution: Resolution, sentence: &str, diagram: &Diagram<'_>) -> Vec<Line<'static>> {
    let theme = diagram.theme;
    let (shortest, short, what, style) = match resolution {
        Resolution::MarkStored => ("Stored.", "You decided.", "You decided: it is stored.", theme.good),
        Resolution::Forget => ("Forgotten.", "You decided.", "You decided: it leaves the list.", theme.title),
    };
    let mut lines = Vec::new();
    if !diagram.is_one_line {
        lines.extend(diagram.head());
        lines.extend(diagram.words(what, style));
        lines.extend(diagram.words("Nothing was sent for that.", theme.dim));
    }
    diagram.with_sentence(lines, &Sentence { shortest, short, whole: sentence }, style)
}
