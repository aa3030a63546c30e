//! Draws an exchange as a sequence diagram between you and the store with one plain sentence, or as raw HTTP.

use std::time::Duration;

use ratatui::text::Line;

use super::diagram::{Arrives, Diagram};
use super::scene::Scene;
use super::sentence::{Room, Sentence};
use super::state::{GreenhouseScreen, WHOLE};
use crate::domain::language::Id;
use crate::domain::simple_words::{Known, of_plant, title_of};
use crate::domain::{Ending, Exchange, Message, Outcome, Request, Resolution, State, simple_words};
use crate::tui::context::{Context, Motion};
use crate::tui::render::exchange::as_sent;
use crate::tui::session::PendingOperation;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;

/// Lines of one body of the raw exchange, at most.
const BODY_LINES: usize = 12;

pub(super) fn title(screen: &GreenhouseScreen, cx: &Context) -> String {
    let language = cx.display.language();
    let title = |id, kind, name| language.say(&of_plant(id, kind, name));
    match screen.scene(cx) {
        Scene::Nothing(_) | Scene::Together(_) => language.label(Id::YouAndTheStore),
        Scene::Out(pending, ..) => {
            title(title_of(&pending.operation.kind), &pending.operation.kind, pending.name.as_deref())
        }
        Scene::Over(exchange, known, _) => {
            let kind = &exchange.operation.kind;
            let id = match known.resolved {
                Some(Resolution::Forget) => Id::TitleForgotten,
                Some(Resolution::MarkStored) => Id::TitleResolved,
                None => title_of(kind),
            };
            title(id, kind, known.name)
        }
    }
}

/// Whether the picture shows what the dialog in front is about: a request of the same plant that did not succeed; without
/// room, one that was rejected.
pub(super) fn is_needed(screen: &GreenhouseScreen, cx: &Context, has_room: bool) -> bool {
    let Scene::Over(exchange, known, _) = screen.scene(cx) else { return false };
    let is_open = exchange.outcome() != Outcome::Accepted && known.resolved.is_none();
    let is_rejected = exchange.outcome() == Outcome::Rejected;
    let plant = exchange.operation.kind.plant_id();
    is_open && (has_room || is_rejected) && cx.display.subject.plant == Some(plant)
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
        // What is read in a moment is not worth large letters.
        Scene::Nothing(why) if theme.enlarges && why != Id::Reading => alone(&why.into(), cx, theme, width, rows),
        Scene::Nothing(why) => wrapped_lines(&cx.display.language().label(why), 0, width, 3, theme.dim),
        Scene::Together(together) => {
            let (sentences, language) = (together.sentences(), cx.display.language());
            let diagram = Diagram::of(&language.render(&sentences), cx, theme, width, rows);
            let head = if diagram.is_one_line { Vec::new() } else { diagram.head() };
            let style = together.outcome().map_or(theme.title, |outcome| theme.outcome(outcome).0);
            diagram.with_sentence(head, &Sentence::of(&sentences, String::new(), language), style)
        }
        Scene::Out(pending, ..) if screen.shows_wire => {
            let request = cx.session.info.request(&pending.operation.kind);
            raw(Some(&request), None, cx, theme, width)
        }
        Scene::Over(exchange, ..) if screen.shows_wire => {
            raw(exchange.request.as_ref(), Some(exchange), cx, theme, width)
        }
        Scene::Out(pending, waited, drawn) => {
            let sentence = Sentence::of(&[Id::OnItsWay.into()], String::new(), cx.display.language());
            let diagram = Diagram::of(&sentence.whole, cx, theme, width, rows);
            in_flight(pending, waited, drawn, cx, sentence, &diagram)
        }
        Scene::Over(exchange, known, drawn) => {
            let sentences = simple_words::describe(exchange, known);
            over(
                exchange,
                known,
                drawn,
                &sentences,
                &Diagram::of(&cx.display.language().render(&sentences), cx, theme, width, rows)
                    .of_author(exchange.operation.author.as_ref()),
            )
        }
    }
}

/// The lines of a sentence without a picture, for an audience.
pub(super) fn alone(message: &Message, cx: &Context, theme: &Theme, width: usize, rows: usize) -> Vec<Line<'static>> {
    let sentence = Sentence::of(std::slice::from_ref(message), String::new(), cx.display.language());
    sentence.lines(&Room { theme, style: theme.title, width, rows, most: rows, is_presented: true })
}

fn raw(
    request: Option<&Request>,
    exchange: Option<&Exchange>,
    cx: &Context,
    theme: &Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    as_sent(&mut page, request, exchange, BODY_LINES, cx.display.language());
    page.lines
}

fn in_flight(
    pending: &PendingOperation,
    waited: Duration,
    drawn: u16,
    cx: &Context,
    sentence: Sentence,
    diagram: &Diagram<'_>,
) -> Vec<Line<'static>> {
    let (theme, language) = (diagram.theme, diagram.language);
    let (style, mark) = theme.state(State::Adding, cx.display.turn);
    let words = match (pending.cancelled, cx.display.motion == Motion::Still) {
        (true, _) => language.label(Id::StoppedWaiting),
        // Without motion, a duration would soon be wrong.
        (false, true) => language.label(Id::NoResponseYet),
        (false, false) => {
            format!("{mark} {}", language.say(&Message::from(Id::NoResponseFor).in_time(waited)))
        }
    };
    let request = language.say(&simple_words::describe_operation(&pending.operation.kind, pending.name.as_deref()));
    if diagram.is_one_line {
        let lines = diagram.one_line(drawn, None, &words, style);
        let parts = vec![(request.clone(), String::new()), (sentence.whole, request.clone())];
        let sentence = Sentence { whole: request, parts, ..sentence };
        return diagram.with_sentence(lines, &sentence, style);
    }
    let mut lines = diagram.head();
    lines.extend(diagram.words(&request, theme.text));
    // Only a response proves that the request has arrived.
    lines.push(diagram.to_store(drawn, theme.in_progress, Arrives::Unknown));
    lines.extend(diagram.words(if drawn == WHOLE { &words } else { "" }, style));
    diagram.with_sentence(lines, &sentence, style)
}

fn over(
    exchange: &Exchange,
    known: Known<'_>,
    drawn: u16,
    sentences: &[Message],
    diagram: &Diagram<'_>,
) -> Vec<Line<'static>> {
    let (theme, language) = (diagram.theme, diagram.language);
    let outcome = exchange.outcome();
    if let Some(resolution) = known.resolved {
        return decided(resolution, sentences, diagram);
    }
    let (style, mark) = theme.outcome(outcome);
    let answer = language.label(match (&exchange.ending, outcome) {
        (_, Outcome::NotSent) => Id::NotSent,
        (Ending::Failed(failure), _) if failure.is_not_http() => Id::NoReadableResponse,
        (Ending::Failed(_), _) => Id::AnswerNone,
        (_, Outcome::Accepted) => Id::AnswerYes,
        (_, Outcome::Rejected) => Id::AnswerNo,
        (_, Outcome::Unknown) => Id::AnswerNeither,
    });
    let sentence = &Sentence::of(sentences, answer.clone(), language);
    let is_drawn = drawn == WHOLE;
    let answer = if is_drawn { format!("{mark} {answer}") } else { String::new() };
    if diagram.is_one_line {
        // Until the response has come, as the request was in flight.
        let lines = diagram.one_line(WHOLE, is_drawn.then_some(exchange), &answer, style);
        return if is_drawn { diagram.with_sentence(lines, sentence, style) } else { lines };
    }
    let request = language.say(&simple_words::describe_operation(&exchange.operation.kind, known.name));
    let mut lines = diagram.head();
    lines.extend(diagram.words(&request, theme.text));
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
    if is_drawn { diagram.with_sentence(lines, sentence, style) } else { lines }
}

/// Shows what a person has decided about an unknown plant: no message has brought that about, so there is no arrow.
fn decided(resolution: Resolution, sentences: &[Message], diagram: &Diagram<'_>) -> Vec<Line<'static>> {
    let (theme, language) = (diagram.theme, diagram.language);
    let (shortest, style) = match resolution {
        Resolution::MarkStored => (language.label(Id::Stored), theme.good),
        Resolution::Forget => (language.label(Id::Forgotten), theme.title),
    };
    let mut lines = Vec::new();
    if !diagram.is_one_line {
        lines.extend(diagram.head());
        lines.extend(diagram.words(&shortest, style));
        lines.extend(diagram.words(&language.label(Id::NothingSentForThat), theme.dim));
    }
    diagram.with_sentence(lines, &Sentence::of(sentences, shortest, language), style)
}
