//! Draws an exchange as a sequence diagram between you and the store with one plain sentence, or as raw HTTP.

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::motion::WHOLE;
use super::scene::{EndedExchange, Scene, Why};
use super::state::GreenhouseScreen;
use crate::client;
use crate::domain::text::clean_fit;
use crate::domain::wrap::wrapped;
use crate::domain::{Ending, Exchange, Outcome, Request, State, plain, sentence};
use crate::tui::context::Context;
use crate::tui::render::exchange::{request_part, response_part};
use crate::tui::render::wire::Extent;
use crate::tui::session::PendingOperation;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;

/// Lines of one body of the raw exchange, at most.
const BODY_LINES: usize = 12;

/// Columns before your lifeline, and after that of the store.
const MARGIN: (usize, usize) = (2, 6);

/// Rows from which the diagram has blank lines.
const ROOMY: usize = 14;

/// Rows from which the duration has a line of its own; most sentences contain it.
const WITH_TIME: usize = 9;

/// Lines of the sentence, at most.
const SENTENCE: usize = 6;

pub(super) fn title(screen: &GreenhouseScreen, cx: &Context) -> String {
    match screen.scene(cx) {
        Scene::Nothing(_) => "You and the store".to_owned(),
        Scene::Out(pending, ..) => sentence::about(&pending.operation.kind, pending.name.as_deref()),
        Scene::Over(ended, _) => sentence::about(&ended.exchange.operation.kind, ended.name),
    }
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
        Scene::Nothing(why) => {
            let words = match why {
                Why::NothingSent => "Nothing was said yet. Add a plant, and see here how that goes.",
                Why::NotRead => "The journal is being read …",
                Why::NothingSelected => "Select a plant to see what was said of it last.",
            };
            wrapped_lines(words, 0, width, 3, theme.dim)
        }
        Scene::Out(pending, ..) if screen.shows_wire => {
            let request = client::request(&cx.session.info.store, &pending.operation.kind);
            raw(Some(&request), None, theme, width)
        }
        Scene::Over(ended, _) if screen.shows_wire => {
            raw(ended.exchange.request.as_ref(), Some(ended.exchange), theme, width)
        }
        Scene::Out(pending, waited, drawn) => in_flight(pending, waited, drawn, cx, &Diagram::of(theme, width, rows)),
        Scene::Over(ended, drawn) => over(&ended, drawn, &Diagram::of(theme, width, rows)),
    }
}

fn raw(request: Option<&Request>, exchange: Option<&Exchange>, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut page = Page::new(theme, width);
    request_part(&mut page, request, Extent::Brief(BODY_LINES));
    response_part(&mut page, exchange, Extent::Brief(BODY_LINES));
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
    let mut lines = diagram.head();
    lines.extend(
        diagram.words(&plain::describe_operation(&pending.operation.kind, pending.name.as_deref()), theme.text),
    );
    // Only a response proves that the request has arrived.
    lines.push(diagram.to_store(drawn, theme.in_progress, Arrives::Unknown));
    if drawn == WHOLE {
        let (style, mark) = theme.state(State::Adding, cx.display.turn);
        let words = match (pending.cancelled, cx.display.still) {
            (true, _) => "stopped waiting".to_owned(),
            // Without motion, a duration would soon be wrong.
            (false, true) => "no answer yet".to_owned(),
            (false, false) => format!("{mark} no answer yet, {}", sentence::span(waited)),
        };
        lines.extend(diagram.words(&words, style));
    }
    lines.push(diagram.between());
    lines
}

fn over(ended: &EndedExchange<'_>, drawn: u16, diagram: &Diagram<'_>) -> Vec<Line<'static>> {
    let EndedExchange { exchange, name, explained } = *ended;
    let theme = diagram.theme;
    let outcome = exchange.outcome();
    let (style, mark) = theme.outcome(outcome);
    let mut lines = diagram.head();
    lines.extend(diagram.words(&plain::describe_operation(&exchange.operation.kind, name), theme.text));
    match (&exchange.ending, outcome) {
        (_, Outcome::NotSent) => {
            lines.push(diagram.to_store(WHOLE, style, Arrives::Never));
            lines.extend(diagram.words("nothing left", style));
        }
        (Ending::Responded(_), _) => {
            lines.push(diagram.to_store(WHOLE, theme.in_progress, Arrives::Surely));
            lines.extend(diagram.time(exchange));
            lines.push(diagram.to_you(drawn, style));
            if drawn == WHOLE {
                let answer = match outcome {
                    Outcome::Accepted => "Yes.",
                    Outcome::Rejected => "No.",
                    Outcome::Unknown | Outcome::NotSent => "Neither yes nor no.",
                };
                lines.extend(diagram.words(&format!("{mark} {answer}"), style));
            }
        }
        (Ending::Failed(_), _) => {
            lines.push(diagram.to_store(WHOLE, theme.in_progress, Arrives::Unknown));
            lines.extend(diagram.time(exchange));
            lines.push(diagram.lost(drawn, style));
            if drawn == WHOLE {
                lines.extend(diagram.words(&format!("{mark} no answer that can be read"), style));
            }
        }
    }
    if drawn == WHOLE {
        let explained = explained.map(|explained| format!(" {explained}")).unwrap_or_default();
        let words = format!("{}{explained}", plain::describe(exchange, name));
        let sentence = wrapped_lines(&words, 0, diagram.width, SENTENCE, theme.title);
        if diagram.is_roomy {
            lines.extend([diagram.between(), Line::default()]);
        }
        if lines.len() + sentence.len() > diagram.rows {
            // The sentence is more important than the diagram.
            return sentence;
        }
        lines.extend(sentence);
    }
    lines
}

/// Whether a request has reached the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrives {
    /// Proved by a response.
    Surely,
    /// No response came.
    Unknown,
    /// It was not sent.
    Never,
}

/// Columns that an arrow ends before the store, where its arrival is unknown.
const SHORT: usize = 3;

/// The size of the diagram.
struct Diagram<'a> {
    theme: &'a Theme,
    width: usize,
    /// Columns between the two lifelines.
    between: usize,
    is_roomy: bool,
    rows: usize,
}

impl<'a> Diagram<'a> {
    fn of(theme: &'a Theme, width: usize, rows: usize) -> Self {
        let between = width.saturating_sub(MARGIN.0 + MARGIN.1 + 2).max(1);
        Self { theme, width, between, is_roomy: rows >= ROOMY, rows }
    }

    /// The names above the lifelines.
    fn head(&self) -> Vec<Line<'static>> {
        let (you, store) = (" you ", " the store ");
        let gap = self.width.saturating_sub(you.width() + store.width());
        let names = Line::from(vec![
            Span::styled(you, self.theme.active_tab),
            Span::raw(" ".repeat(gap)),
            Span::styled(store, self.theme.active_tab),
        ]);
        std::iter::once(names).chain(self.is_roomy.then(|| self.between())).collect()
    }

    /// A row with text between the lifelines, `before` columns from yours.
    fn row(&self, before: usize, text: &str, style: Style) -> Line<'static> {
        self.row_between([self.lifeline(); 2], before, text, style)
    }

    fn row_between(&self, [left, right]: [&'static str; 2], before: usize, text: &str, style: Style) -> Line<'static> {
        let after = self.between.saturating_sub(before + text.width());
        Line::from(vec![
            Span::raw(" ".repeat(MARGIN.0)),
            Span::styled(left, self.theme.border),
            Span::raw(" ".repeat(before)),
            Span::styled(text.to_owned(), style),
            Span::raw(" ".repeat(after)),
            Span::styled(right, self.theme.border),
        ])
    }

    fn lifeline(&self) -> &'static str {
        self.theme.mark("│", "|")
    }

    /// A row with the two lifelines alone.
    fn between(&self) -> Line<'static> {
        self.row(0, "", self.theme.text)
    }

    /// Rows with words between the lifelines.
    fn words(&self, text: &str, style: Style) -> Vec<Line<'static>> {
        let lines = if self.is_roomy { 2 } else { 1 };
        let columns = self.between.saturating_sub(2);
        let row = |line: String| {
            let line = clean_fit(&line, columns);
            self.row(self.between.saturating_sub(line.width()) / 2, &line, style)
        };
        wrapped(text, columns, lines).into_iter().map(row).collect()
    }

    /// A row with the duration, where there is room.
    fn time(&self, exchange: &Exchange) -> Vec<Line<'static>> {
        if exchange.elapsed.is_zero() || self.rows < WITH_TIME {
            return Vec::new();
        }
        self.words(&sentence::span(exchange.elapsed), self.theme.dim)
    }

    /// The arrow of the request; `drawn` is in thousandths.
    fn to_store(&self, drawn: u16, style: Style, arrives: Arrives) -> Line<'static> {
        let (all, tip) = match arrives {
            Arrives::Surely => (self.between, self.theme.mark("▶", ">")),
            Arrives::Unknown => (self.between.saturating_sub(SHORT).max(1), self.theme.mark("▶", ">")),
            Arrives::Never => (self.between / 3, self.theme.mark("✗", "x")),
        };
        let arrow = format!("{}{tip}", self.theme.mark("─", "-").repeat(part(all, drawn) - 1));
        self.row_between([self.theme.mark("├", "|"), self.lifeline()], 0, &arrow, style)
    }

    /// The arrow of the response; `drawn` is in thousandths.
    fn to_you(&self, drawn: u16, style: Style) -> Line<'static> {
        let columns = part(self.between, drawn);
        let arrow = format!("{}{}", self.theme.mark("◀", "<"), self.theme.mark("─", "-").repeat(columns - 1));
        self.row_between([self.lifeline(), self.theme.mark("┤", "|")], self.between - columns, &arrow, style)
    }

    /// The dotted line of a response that did not come.
    fn lost(&self, drawn: u16, style: Style) -> Line<'static> {
        let columns = part(self.between.saturating_sub(2 * SHORT).max(1), drawn);
        let dots: String = self.theme.mark("╌", "- ").chars().cycle().take(columns - 1).collect();
        self.row((self.between - columns).div_ceil(2), &format!("?{dots}"), style)
    }
}

/// Returns thousandths of a number of columns, at least one column.
fn part(columns: usize, thousandths: u16) -> usize {
    (columns * usize::from(thousandths) / usize::from(WHOLE)).clamp(1, columns.max(1))
}
