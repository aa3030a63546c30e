//! An exchange as a sequence diagram between you and the store, and one plain sentence; or the same
//! as raw HTTP.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::Theme;
use super::exchange::rule;
use super::text::wrapped_lines;
use super::wire::{Extent, answer_lines, end_lines, request_lines};
use crate::app::greenhouse::Scene;
use crate::app::{Flight, Model};
use crate::client;
use crate::domain::text::clean_fit;
use crate::domain::wrap::wrapped;
use crate::domain::{Ending, Exchange, Outcome, Request, State, plain, sentence};

/// Lines of one body in the raw exchange.
const BODY_LINES: usize = 12;

/// Columns before the line of life of whoever asks, and behind that of the store.
const MARGIN: (usize, usize) = (2, 6);

/// Rows below which the diagram leaves out what only gives it air.
const ROOMY: usize = 14;

/// Rows below which there is room for the sentence alone.
const TIGHT: usize = 6;

/// Lines of a sentence.
const SENTENCE: usize = 6;

/// All of a way, in thousandths.
const WHOLE: u16 = 1_000;

pub(super) fn title(model: &Model) -> String {
    match model.scene() {
        Scene::Nothing => "You and the store".to_owned(),
        Scene::Out(flight, _) => about(&flight.operation.ask, flight.name.as_deref()),
        Scene::Over(exchange, name, _) => about(&exchange.operation.ask, name),
    }
}

fn about(ask: &crate::domain::Ask, name: Option<&str>) -> String {
    format!("{} {}", ask.word(), sentence::subject(ask, name))
}

/// The picture, or the raw exchange, for so many columns and rows.
pub(super) fn pane(model: &Model, theme: &Theme, width: usize, rows: usize) -> Vec<Line<'static>> {
    match model.scene() {
        Scene::Nothing => {
            wrapped_lines("Nothing was said yet. Add a plant, and see here how that goes.", 0, width, 3, theme.dim)
        }
        Scene::Out(flight, _) if model.greenhouse.wire => {
            let request = client::request(&model.facts.store, &flight.operation.ask);
            raw(Some(&request), None, theme, width)
        }
        Scene::Over(exchange, ..) if model.greenhouse.wire => {
            raw(exchange.request.as_ref(), Some(exchange), theme, width)
        }
        Scene::Out(flight, millis) => on_its_way(flight, millis, model, theme, &Canvas::of(theme, width, rows)),
        Scene::Over(exchange, name, drawn) => over(exchange, name, drawn, theme, &Canvas::of(theme, width, rows)),
    }
}

fn raw(request: Option<&Request>, exchange: Option<&Exchange>, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let brief = Extent::Brief(BODY_LINES);
    let mut lines = vec![rule("Request", theme, width)];
    match request {
        Some(request) => lines.extend(request_lines(request, theme, width, brief)),
        None => lines.extend(wrapped_lines("No request is kept.", 0, width, 2, theme.dim)),
    }
    lines.push(rule("Answer", theme, width));
    match exchange.map(|exchange| &exchange.ending) {
        None => lines.extend(wrapped_lines("It is still to come.", 0, width, 2, theme.dim)),
        Some(Ending::Failed(_)) => lines.extend(wrapped_lines("None came.", 0, width, 2, theme.dim)),
        Some(Ending::Answered(answer)) => {
            let style = exchange.map_or(theme.text, |exchange| theme.outcome(exchange.outcome()).0);
            lines.extend(answer_lines(answer, theme, style, width, brief));
            lines.extend(end_lines(&answer.body_end, theme, width));
        }
    }
    lines
}

fn on_its_way(flight: &Flight, millis: i64, model: &Model, theme: &Theme, canvas: &Canvas<'_>) -> Vec<Line<'static>> {
    let drawn = model.drawn_of_request(millis);
    let mut lines = canvas.head();
    lines.extend(canvas.words(&plain::asking(&flight.operation.ask, flight.name.as_deref()), theme.text));
    lines.push(canvas.to_store(drawn, theme.moving, true));
    if drawn == WHOLE {
        let waited = sentence::span(std::time::Duration::from_millis(millis.unsigned_abs()));
        let (style, mark) = theme.state(State::Adding, model.turn);
        let words = if flight.cancelled { "stopped waiting".to_owned() } else { format!("{mark} waiting, {waited}") };
        lines.extend(canvas.words(&words, style));
    }
    lines.push(canvas.between());
    lines
}

fn over(exchange: &Exchange, name: Option<&str>, drawn: u16, theme: &Theme, canvas: &Canvas<'_>) -> Vec<Line<'static>> {
    let outcome = exchange.outcome();
    let (style, mark) = theme.outcome(outcome);
    let told = || wrapped_lines(&plain::told(exchange, name), 0, canvas.width, SENTENCE, theme.title);
    if canvas.is_tight {
        return told();
    }
    let mut lines = canvas.head();
    lines.extend(canvas.words(&plain::asking(&exchange.operation.ask, name), theme.text));
    lines.push(canvas.to_store(
        WHOLE,
        if outcome == Outcome::NotSent { style } else { theme.moving },
        outcome != Outcome::NotSent,
    ));
    match (&exchange.ending, outcome) {
        (_, Outcome::NotSent) => lines.extend(canvas.words("nothing left", style)),
        (ending, _) => {
            let took = sentence::span(exchange.elapsed);
            if !exchange.elapsed.is_zero() {
                lines.extend(canvas.words(&took, theme.dim));
            }
            let words = match ending {
                Ending::Answered(answer) => {
                    let said = match outcome {
                        Outcome::Accepted => "Yes.",
                        Outcome::Refused => "No.",
                        Outcome::Unknown | Outcome::NotSent => "Neither yes nor no.",
                    };
                    format!("{mark} {said} ({})", sentence::status_line(answer.status, &answer.reason))
                }
                Ending::Failed(_) => format!("{mark} no answer"),
            };
            lines.push(canvas.to_you(drawn, style, matches!(ending, Ending::Answered(_))));
            if drawn == WHOLE {
                lines.extend(canvas.words(&words, style));
            }
        }
    }
    if drawn == WHOLE {
        lines.extend(canvas.air());
        lines.extend(told());
    }
    lines
}

/// Where the diagram is drawn.
struct Canvas<'a> {
    theme: &'a Theme,
    width: usize,
    /// Columns between the two lines of life.
    between: usize,
    is_roomy: bool,
    is_tight: bool,
}

impl<'a> Canvas<'a> {
    fn of(theme: &'a Theme, width: usize, rows: usize) -> Self {
        let between = width.saturating_sub(MARGIN.0 + MARGIN.1 + 2).max(1);
        Self { theme, width, between, is_roomy: rows >= ROOMY, is_tight: rows < TIGHT }
    }

    /// Who speaks.
    fn head(&self) -> Vec<Line<'static>> {
        let (you, store) = (" you ", " the store ");
        let gap = self.width.saturating_sub(you.width() + store.width());
        let names = Line::from(vec![
            Span::styled(you, self.theme.here),
            Span::raw(" ".repeat(gap)),
            Span::styled(store, self.theme.here),
        ]);
        std::iter::once(names).chain(self.air_between()).collect()
    }

    fn row(&self, left: &'static str, spans: Vec<Span<'static>>, right: &'static str) -> Line<'static> {
        let mut all = vec![Span::raw(" ".repeat(MARGIN.0)), Span::styled(left, self.theme.border)];
        all.extend(spans);
        all.push(Span::styled(right, self.theme.border));
        Line::from(all)
    }

    fn life(&self) -> &'static str {
        self.theme.mark("│", "|")
    }

    /// The two lines of life alone.
    fn between(&self) -> Line<'static> {
        self.row(self.life(), vec![Span::raw(" ".repeat(self.between))], self.life())
    }

    /// The same where there is room.
    fn air_between(&self) -> Option<Line<'static>> {
        self.is_roomy.then(|| self.between())
    }

    /// An empty line where there is room.
    fn air(&self) -> Vec<Line<'static>> {
        if self.is_roomy { vec![self.between(), Line::default()] } else { Vec::new() }
    }

    /// Words between the lines of life.
    fn words(&self, text: &str, style: Style) -> Vec<Line<'static>> {
        let lines = if self.is_roomy { 2 } else { 1 };
        let columns = self.between.saturating_sub(2);
        let told = wrapped(text, columns, lines);
        let row = |line: String| {
            let line = clean_fit(&line, columns);
            let free = self.between - line.width().min(self.between);
            let (before, after) = (free / 2, free - free / 2);
            let spans = vec![Span::raw(" ".repeat(before)), Span::styled(line, style), Span::raw(" ".repeat(after))];
            self.row(self.life(), spans, self.life())
        };
        told.into_iter().map(row).collect()
    }

    /// The request, drawn so far; one that never arrives ends on its way.
    fn to_store(&self, drawn: u16, style: Style, arrives: bool) -> Line<'static> {
        let all = if arrives { self.between } else { self.between / 3 };
        let columns = part(all, drawn);
        let (line, tip) = if arrives {
            (self.theme.mark("─", "-"), self.theme.mark("▶", ">"))
        } else {
            (self.theme.mark("─", "-"), self.theme.mark("✗", "x"))
        };
        let arrow = format!("{}{tip}", line.repeat(columns - 1));
        let rest = " ".repeat(self.between - columns);
        self.row(self.theme.mark("├", "|"), vec![Span::styled(arrow, style), Span::raw(rest)], self.life())
    }

    /// The answer, drawn so far; one that is lost ends on its way.
    fn to_you(&self, drawn: u16, style: Style, arrives: bool) -> Line<'static> {
        let all = if arrives { self.between } else { self.between / 2 };
        let columns = part(all, drawn);
        let (line, tip) = if arrives {
            (self.theme.mark("─", "-").repeat(columns - 1), self.theme.mark("◀", "<"))
        } else {
            (self.theme.mark("╌", "- ").chars().cycle().take(columns - 1).collect(), "?")
        };
        let arrow = format!("{tip}{line}");
        let rest = " ".repeat(self.between - columns);
        self.row(self.life(), vec![Span::raw(rest), Span::styled(arrow, style)], self.theme.mark("┤", "|"))
    }
}

/// So many thousandths of a way, at least one column.
fn part(columns: usize, thousandths: u16) -> usize {
    (columns * usize::from(thousandths) / usize::from(WHOLE)).clamp(1, columns.max(1))
}
