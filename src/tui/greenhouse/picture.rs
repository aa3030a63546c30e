//! An exchange as a sequence diagram between you and the store, and one plain sentence; or the same
//! as raw HTTP.

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::motion::WHOLE;
use super::scene::{Said, Scene, Why};
use super::state::GreenhouseScreen;
use crate::client;
use crate::domain::text::clean_fit;
use crate::domain::wrap::wrapped;
use crate::domain::{Ending, Exchange, Outcome, Request, State, plain, sentence};
use crate::tui::context::Context;
use crate::tui::render::exchange::request_part;
use crate::tui::render::wire::{Extent, end_lines, response_lines};
use crate::tui::session::PendingOperation;
use crate::tui::widgets::text::{rule, wrapped_lines};
use crate::tui::widgets::theme::Theme;

/// Lines of one body in the raw exchange.
const BODY_LINES: usize = 12;

/// Columns before the line of life of whoever asks, and behind that of the store.
const MARGIN: (usize, usize) = (2, 6);

/// Rows below which the diagram leaves out what only gives it air.
const ROOMY: usize = 14;

/// Rows below which the time has no line of its own: most sentences tell it.
const WITH_TIME: usize = 9;

/// Lines of a sentence.
const SENTENCE: usize = 6;

pub(super) fn title(screen: &GreenhouseScreen, cx: &Context) -> String {
    match screen.scene(cx) {
        Scene::Nothing(_) => "You and the store".to_owned(),
        Scene::Out(pending, ..) => sentence::about(&pending.operation.kind, pending.name.as_deref()),
        Scene::Over(said, _) => sentence::about(&said.exchange.operation.kind, said.name),
    }
}

/// The picture, or the raw exchange, for so many columns and rows.
pub(super) fn pane(
    screen: &GreenhouseScreen,
    cx: &Context,
    theme: &Theme,
    width: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    match screen.scene(cx) {
        Scene::Nothing(why) => {
            let words = match why {
                Why::NothingSaid => "Nothing was said yet. Add a plant, and see here how that goes.",
                Why::NotRead => "The journal is being read …",
                Why::NothingSelected => "Select a plant to see what was said of it last.",
            };
            wrapped_lines(words, 0, width, 3, theme.dim)
        }
        Scene::Out(pending, ..) if screen.shows_wire => {
            let request = client::request(&cx.session.info.store, &pending.operation.kind);
            raw(Some(&request), None, theme, width)
        }
        Scene::Over(said, _) if screen.shows_wire => {
            raw(said.exchange.request.as_ref(), Some(said.exchange), theme, width)
        }
        Scene::Out(pending, waited, drawn) => {
            on_its_way(pending, waited, drawn, cx, theme, &Diagram::of(theme, width, rows))
        }
        Scene::Over(said, drawn) => over(&said, drawn, theme, &Diagram::of(theme, width, rows)),
    }
}

fn raw(request: Option<&Request>, exchange: Option<&Exchange>, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let brief = Extent::Brief(BODY_LINES);
    let mut lines = request_part(request, theme, width, brief);
    lines.push(rule("Answer", theme, width));
    match exchange.map(|exchange| &exchange.ending) {
        None => lines.extend(wrapped_lines("It is still to come.", 0, width, 2, theme.dim)),
        Some(Ending::Failed(_)) => lines.extend(wrapped_lines("None came that can be read.", 0, width, 2, theme.dim)),
        Some(Ending::Responded(response)) => {
            let style = exchange.map_or(theme.text, |exchange| theme.outcome(exchange.outcome()).0);
            lines.extend(response_lines(response, theme, style, width, brief));
            lines.extend(end_lines(&response.body_end, theme, width));
        }
    }
    lines
}

fn on_its_way(
    pending: &PendingOperation,
    waited: Duration,
    drawn: u16,
    cx: &Context,
    theme: &Theme,
    diagram: &Diagram<'_>,
) -> Vec<Line<'static>> {
    let mut lines = diagram.head();
    lines.extend(
        diagram.words(&plain::describe_operation(&pending.operation.kind, pending.name.as_deref()), theme.text),
    );
    // Whether it has arrived, nobody knows before a response comes.
    lines.push(diagram.to_store(drawn, theme.moving, Arrives::Unknown));
    if drawn == WHOLE {
        let (style, mark) = theme.state(State::Adding, cx.display.turn);
        let words = match (pending.cancelled, cx.display.still) {
            (true, _) => "stopped waiting".to_owned(),
            // A figure that stands still would be wrong.
            (false, true) => "no answer yet".to_owned(),
            (false, false) => format!("{mark} no answer yet, {}", sentence::span(waited)),
        };
        lines.extend(diagram.words(&words, style));
    }
    lines.push(diagram.between());
    lines
}

fn over(said: &Said<'_>, drawn: u16, theme: &Theme, diagram: &Diagram<'_>) -> Vec<Line<'static>> {
    let Said { exchange, name, explained } = *said;
    let outcome = exchange.outcome();
    let (style, mark) = theme.outcome(outcome);
    let sentence = || {
        let words: Vec<_> =
            std::iter::once(plain::describe(exchange, name)).chain(explained.map(str::to_owned)).collect();
        wrapped_lines(&words.join(" "), 0, diagram.width, SENTENCE, theme.title)
    };
    let mut lines = diagram.head();
    lines.extend(diagram.words(&plain::describe_operation(&exchange.operation.kind, name), theme.text));
    match (&exchange.ending, outcome) {
        (_, Outcome::NotSent) => {
            lines.push(diagram.to_store(WHOLE, style, Arrives::Never));
            lines.extend(diagram.words("nothing left", style));
        }
        (Ending::Responded(response), _) => {
            lines.push(diagram.to_store(WHOLE, theme.moving, Arrives::Surely));
            lines.extend(diagram.time(exchange));
            lines.push(diagram.to_you(drawn, style));
            if drawn == WHOLE {
                let said = match outcome {
                    Outcome::Accepted => "Yes.",
                    Outcome::Rejected => "No.",
                    Outcome::Unknown | Outcome::NotSent => "Neither yes nor no.",
                };
                let status = sentence::status_line(response.status, &response.reason);
                lines.extend(diagram.words(&format!("{mark} {said} ({status})"), style));
            }
        }
        (Ending::Failed(_), _) => {
            lines.push(diagram.to_store(WHOLE, theme.moving, Arrives::Unknown));
            lines.extend(diagram.time(exchange));
            lines.push(diagram.lost(drawn, style));
            if drawn == WHOLE {
                lines.extend(diagram.words(&format!("{mark} no answer that can be read"), style));
            }
        }
    }
    if drawn == WHOLE {
        let sentence = sentence();
        lines.extend(diagram.air());
        if lines.len() + sentence.len() > diagram.rows {
            // The sentence comes first.
            return sentence;
        }
        lines.extend(sentence);
    }
    lines
}

/// Whether a request has reached the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrives {
    /// A response came.
    Surely,
    /// None did.
    Unknown,
    /// It has not left.
    Never,
}

/// Columns that an arrow ends before its end, where nobody knows whether it gets there.
const SHORT: usize = 3;

/// Where the diagram is drawn.
struct Diagram<'a> {
    theme: &'a Theme,
    width: usize,
    /// Columns between the two lines of life.
    between: usize,
    is_roomy: bool,
    rows: usize,
}

impl<'a> Diagram<'a> {
    fn of(theme: &'a Theme, width: usize, rows: usize) -> Self {
        let between = width.saturating_sub(MARGIN.0 + MARGIN.1 + 2).max(1);
        Self { theme, width, between, is_roomy: rows >= ROOMY, rows }
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
        let rows = wrapped(text, columns, lines);
        let row = |line: String| {
            let line = clean_fit(&line, columns);
            let free = self.between - line.width().min(self.between);
            let (before, after) = (free / 2, free - free / 2);
            let spans = vec![Span::raw(" ".repeat(before)), Span::styled(line, style), Span::raw(" ".repeat(after))];
            self.row(self.life(), spans, self.life())
        };
        rows.into_iter().map(row).collect()
    }

    /// How long it took, where there is room for it.
    fn time(&self, exchange: &Exchange) -> Vec<Line<'static>> {
        if exchange.elapsed.is_zero() || self.rows < WITH_TIME {
            return Vec::new();
        }
        self.words(&sentence::span(exchange.elapsed), self.theme.dim)
    }

    /// The request, drawn so far.
    fn to_store(&self, drawn: u16, style: Style, arrives: Arrives) -> Line<'static> {
        let (all, tip) = match arrives {
            Arrives::Surely => (self.between, self.theme.mark("▶", ">")),
            Arrives::Unknown => (self.between.saturating_sub(SHORT).max(1), self.theme.mark("▶", ">")),
            Arrives::Never => (self.between / 3, self.theme.mark("✗", "x")),
        };
        let columns = part(all, drawn);
        let arrow = format!("{}{tip}", self.theme.mark("─", "-").repeat(columns - 1));
        let rest = " ".repeat(self.between - columns);
        self.row(self.theme.mark("├", "|"), vec![Span::styled(arrow, style), Span::raw(rest)], self.life())
    }

    /// The response, drawn so far.
    fn to_you(&self, drawn: u16, style: Style) -> Line<'static> {
        let columns = part(self.between, drawn);
        let arrow = format!("{}{}", self.theme.mark("◀", "<"), self.theme.mark("─", "-").repeat(columns - 1));
        let rest = " ".repeat(self.between - columns);
        self.row(self.life(), vec![Span::raw(rest), Span::styled(arrow, style)], self.theme.mark("┤", "|"))
    }

    /// The response that did not come: nobody knows how far either of the two has got.
    fn lost(&self, drawn: u16, style: Style) -> Line<'static> {
        let columns = part(self.between.saturating_sub(2 * SHORT).max(1), drawn);
        let dots: String = self.theme.mark("╌", "- ").chars().cycle().take(columns - 1).collect();
        let around = self.between - columns;
        let (before, after) = (around - around / 2, around / 2);
        let spans =
            vec![Span::raw(" ".repeat(before)), Span::styled(format!("?{dots}"), style), Span::raw(" ".repeat(after))];
        self.row(self.life(), spans, self.life())
    }
}

/// So many thousandths of a way, at least one column.
fn part(columns: usize, thousandths: u16) -> usize {
    (columns * usize::from(thousandths) / usize::from(WHOLE)).clamp(1, columns.max(1))
}
