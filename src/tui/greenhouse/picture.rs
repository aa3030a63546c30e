//! Draws an exchange as a sequence diagram between you and the store with one plain sentence, or as raw HTTP.
//!
//! An arrow is drawn as far as something is known: one that stops short was not seen to arrive, a lost response breaks on
//! its way back, a rejected request bounces.

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::motion::WHOLE;
use super::palette::Paints;
use super::plants::figure;
use super::scene::{EndedExchange, Scene, Why};
use super::state::GreenhouseScreen;
use crate::domain::text::{clean, clean_fit};
use crate::domain::wrap::{NO_BREAK, wrapped};
use crate::domain::{Ending, Exchange, OperationKind, Outcome, Request, Resolution, State, plain, sentence};
use crate::tui::context::Context;
use crate::tui::render::exchange::{request_part, response_part};
use crate::tui::render::wire::Extent;
use crate::tui::session::PendingOperation;
use crate::tui::widgets::canvas::WIDE;
use crate::tui::widgets::large;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::text::wrapped_lines;
use crate::tui::widgets::theme::Theme;

/// Lines of one body of the raw exchange, at most.
const BODY_LINES: usize = 12;

/// Rows from which the diagram has blank lines.
const ROOMY: usize = 14;

/// Rows from which you and the store are drawn above their names.
const WITH_FIGURES: usize = 26;

/// Rows from which the duration has a line of its own; most sentences contain it.
const WITH_TIME: usize = 9;

/// Rows of the diagram without its sentence, at least.
const DIAGRAM: usize = 5;

/// Columns below which a diagram of one line takes two.
const ONE_LINE: usize = 44;

/// Rows before an audience from which there is room for the whole diagram above large letters.
const WITH_LARGE: usize = 22;

/// The sentence about a request without a response so far.
const OUT: &str = "The request is on its way.";

/// What stands behind the arrow of a request that is not known to have arrived.
const ARRIVED: &str = "arrived?";

/// Lines of the sentence, at most.
const SENTENCE: usize = 6;

pub(super) fn title(screen: &GreenhouseScreen, cx: &Context) -> String {
    match screen.scene(cx) {
        Scene::Nothing(_) => "You and the store".to_owned(),
        Scene::Out(pending, ..) => sentence::about(&pending.operation.kind, pending.name.as_deref()),
        Scene::Over(EndedExchange { exchange, known }, _) => {
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
    matches!(screen.scene(cx), Scene::Over(ended, _)
        if ended.exchange.outcome() == Outcome::Rejected && ended.known.resolved.is_none())
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
            let request = cx.session.info.request(&pending.operation.kind);
            raw(Some(&request), None, theme, width)
        }
        Scene::Over(ended, _) if screen.shows_wire => {
            raw(ended.exchange.request.as_ref(), Some(ended.exchange), theme, width)
        }
        Scene::Out(pending, waited, drawn) => {
            in_flight(pending, waited, drawn, cx, &Diagram::of(OUT, cx, theme, width, rows))
        }
        Scene::Over(ended, drawn) => {
            let sentence = plain::describe(ended.exchange, ended.known);
            over(&ended, drawn, &sentence, &Diagram::of(&sentence, cx, theme, width, rows))
        }
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
    let (style, mark) = theme.state(State::Adding, cx.display.turn);
    let words = match (pending.cancelled, cx.display.still) {
        (true, _) => "stopped waiting".to_owned(),
        // Without motion, a duration would soon be wrong.
        (false, true) => "no response yet".to_owned(),
        (false, false) => format!("{mark} no response yet, {}", sentence::span(waited)),
    };
    let request = request_words(&pending.operation.kind, pending.name.as_deref());
    if diagram.is_one_line {
        let lines = diagram.one_line(drawn, None, &words, style);
        return diagram.with_sentence(lines, [OUT, OUT, &request], style);
    }
    let mut lines = diagram.head();
    lines.extend(diagram.words(&request, theme.text));
    // Only a response proves that the request has arrived.
    lines.push(diagram.to_store(drawn, theme.in_progress, Arrives::Unknown));
    lines.extend(diagram.words(if drawn == WHOLE { &words } else { "" }, style));
    diagram.with_sentence(lines, [OUT, OUT, OUT], style)
}

/// Says what you ask for; the number of the plant does not begin a line.
fn request_words(kind: &OperationKind, name: Option<&str>) -> String {
    plain::describe_operation(kind, name).replace("plant ", &format!("plant{NO_BREAK}"))
}

fn over(ended: &EndedExchange<'_>, drawn: u16, sentence: &str, diagram: &Diagram<'_>) -> Vec<Line<'static>> {
    let EndedExchange { exchange, known } = *ended;
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
    let sentences = [shortest, short, sentence];
    let answer = if drawn == WHOLE { format!("{mark} {answer}") } else { String::new() };
    if diagram.is_one_line {
        return diagram.with_sentence(diagram.one_line(WHOLE, Some(exchange), &answer, style), sentences, style);
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
    if drawn < WHOLE { lines } else { diagram.with_sentence(lines, sentences, style) }
}

/// Shows what a person has decided about an unknown plant: no message has brought that about, so there is no arrow.
fn decided(resolution: Resolution, sentence: &str, diagram: &Diagram<'_>) -> Vec<Line<'static>> {
    let theme = diagram.theme;
    let (shortest, short, what, style) = match resolution {
        Resolution::MarkStored => ("Stored.", "Resolved: stored.", "You decided: it is stored.", theme.good),
        Resolution::Forget => {
            ("Forgotten.", "Resolved: no longer in the list.", "You decided: it leaves the list.", theme.title)
        }
    };
    let mut lines = Vec::new();
    if !diagram.is_one_line {
        lines.extend(diagram.head());
        lines.extend(diagram.words(what, style));
        lines.extend(diagram.words("Nothing was sent for that.", theme.dim));
    }
    diagram.with_sentence(lines, [shortest, short, sentence], style)
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

/// The size of the diagram.
struct Diagram<'a> {
    theme: &'a Theme,
    width: usize,
    rows: usize,
    /// Columns before your lifeline, and after that of the store.
    margin: (usize, usize),
    /// Columns between the two lifelines.
    between: usize,
    is_roomy: bool,
    /// Whether the diagram is one line: where there is no room for more, or before an audience, whose sentence is large.
    is_one_line: bool,
    is_presented: bool,
    /// You and the store, with the same number of lines, where there is room.
    figures: Option<[Vec<Line<'static>>; 2]>,
}

impl<'a> Diagram<'a> {
    /// Returns the diagram for a pane, with room for a sentence below it.
    fn of(sentence: &str, cx: &Context, theme: &'a Theme, width: usize, rows: usize) -> Self {
        let is_presented = cx.display.presenting;
        let needed = DIAGRAM + wrapped(sentence, width, SENTENCE).len();
        let is_narrow = width < ONE_LINE && rows < ROOMY;
        let is_one_line = is_narrow || rows < if is_presented { WITH_LARGE } else { needed };
        let figures = Paints::of(theme).filter(|_| rows >= WITH_FIGURES);
        let scale = if rows >= 2 * WITH_FIGURES && width >= usize::from(WIDE) { 2 } else { 1 };
        let figures = figures.map(|paints| ["you", "store"].map(|name| figure(name, paints).scaled(scale).lines()));
        // The lifelines are below the middle of each.
        let margin = if figures.is_some() { (scale * 9 / 2, scale * 7) } else { (2, 6) };
        let between = width.saturating_sub(margin.0 + margin.1 + 2).max(1);
        Self { theme, width, rows, margin, between, is_roomy: rows >= ROOMY, is_one_line, is_presented, figures }
    }

    /// You and the store above the lifelines, and their names.
    fn head(&self) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for (mut you, store) in self.figures.iter().flat_map(|[you, store]| you.iter().cloned().zip(store.clone())) {
            let gap = self.width.saturating_sub(you.width() + store.width());
            you.spans.push(Span::raw(" ".repeat(gap)));
            you.spans.extend(store.spans);
            lines.push(you);
        }
        let (you, store) = (" you ", " the store ");
        let before = self.margin.0.saturating_sub(you.width() / 2);
        let after = (self.margin.1 + 1).saturating_sub(store.width().div_ceil(2));
        let gap = self.width.saturating_sub(before + you.width() + store.width() + after);
        lines.push(Line::from(vec![
            Span::raw(" ".repeat(before)),
            Span::styled(you, self.theme.active_tab),
            Span::raw(" ".repeat(gap)),
            Span::styled(store, self.theme.active_tab),
        ]));
        lines.extend(self.is_roomy.then(|| self.between()));
        lines
    }

    /// Adds the sentence in large letters where there is room, else its first part, else a shorter one above it. Where there
    /// is no room for sentence and diagram, the sentence is more important.
    fn with_sentence(
        &self,
        mut lines: Vec<Line<'static>>,
        [shortest, short, words]: [&str; 3],
        style: Style,
    ) -> Vec<Line<'static>> {
        if self.is_roomy && !self.is_one_line {
            lines.extend([self.between(), Line::default()]);
        }
        let (words, rows) = (clean(words), self.rows.saturating_sub(lines.len()));
        // A pane that is too low for borders is not scrolled.
        let most = if self.is_one_line { rows.clamp(1, SENTENCE) } else { SENTENCE };
        let bold = |words: &str, width| wrapped_lines(words, 0, width, most, self.theme.title);
        let large = |words: &str, rows| large::lines(words, self.width, rows, self.theme, style);
        let whole = large(&words, rows);
        let above = |first: &str, rest: &str| {
            let rest = bold(rest, self.width);
            let first = large(first, rows.checked_sub(rest.len() + 1)?)?;
            Some([first, vec![Line::default()], rest].concat())
        };
        let first_part = || {
            let (first, rest) = words.split_once(". ")?;
            above(&format!("{first}."), rest)
        };
        // Before an audience, some of it is large in any case: the short one, or the shortest with the rest beside it.
        let short_alone = || {
            let first = large(short, rows).filter(|_| self.is_presented)?;
            let left = rows - first.len();
            let rest = wrapped_lines(&words, 0, self.width, left, self.theme.title);
            (left >= bold(&words, self.width).len()).then(|| [first, rest].concat())
        };
        let shortest_above = || above(shortest, &words).filter(|_| self.is_presented);
        let beside = || {
            let first =
                large::lines(shortest, self.width / 2, rows, self.theme, style).filter(|_| self.is_presented)?;
            let indent = first.iter().map(Line::width).max()? + 2;
            let rest = bold(&words, self.width.checked_sub(indent)?);
            let rows = (0..first.len().max(rest.len())).map(|row| {
                let mut line = first.get(row).cloned().unwrap_or_default();
                line.push_span(" ".repeat(indent.saturating_sub(line.width())));
                line.extend(rest.get(row).cloned().unwrap_or_default().spans);
                line
            });
            Some(rows.collect())
        };
        let sentence = whole.or_else(first_part).or_else(|| above(short, &words)).or_else(short_alone);
        let sentence = sentence.or_else(shortest_above).or_else(beside);
        let sentence = sentence.unwrap_or_else(|| bold(&words, self.width));
        if sentence.len() > rows && !self.is_one_line {
            return bold(&words, self.width);
        }
        // A row between diagram and sentence, where there is one more than needed.
        if !self.is_roomy && !self.is_one_line && sentence.len() + 1 < rows {
            lines.push(Line::default());
        }
        lines.extend(sentence);
        lines
    }

    /// A row with text between the lifelines, `before` columns from yours.
    fn row(&self, before: usize, text: &str, style: Style) -> Line<'static> {
        self.row_between([self.lifeline(); 2], before, text, style)
    }

    fn row_between(&self, [left, right]: [&'static str; 2], before: usize, text: &str, style: Style) -> Line<'static> {
        let after = self.between.saturating_sub(before + text.width());
        Line::from(vec![
            Span::raw(" ".repeat(self.margin.0)),
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

    /// A line of an arrow.
    fn shaft(&self, columns: usize) -> String {
        self.theme.mark("━", "-").repeat(columns)
    }

    /// The arrow of the request; `drawn` is in thousandths. One that is not known to have arrived stops short.
    fn to_store(&self, drawn: u16, style: Style, arrives: Arrives) -> Line<'static> {
        let (all, tip) = match arrives {
            Arrives::Surely => (self.between, self.theme.mark("▶", ">")),
            Arrives::Unknown => (self.between * 4 / 5, self.theme.mark("▶", ">")),
            Arrives::Never => (self.between / 3, self.theme.outcome(Outcome::NotSent).1),
        };
        let mut arrow = format!("{}{tip}", self.shaft(part(all, drawn) - 1));
        if arrives == Arrives::Unknown && drawn == WHOLE {
            let rest = self.between.saturating_sub(all + 1);
            let dots = || self.theme.mark("┄", ".").repeat(rest.saturating_sub(1));
            let words = if rest < ARRIVED.len() { dots() } else { ARRIVED.to_owned() };
            arrow.extend([" ", &words]);
        }
        self.row_between([self.theme.mark("┝", "|"), self.lifeline()], 0, &arrow, style)
    }

    /// The arrow of the response; `drawn` is in thousandths.
    fn to_you(&self, drawn: u16, style: Style) -> Line<'static> {
        let columns = part(self.between, drawn);
        let arrow = format!("{}{}", self.theme.mark("◀", "<"), self.shaft(columns - 1));
        self.row_between([self.lifeline(), self.theme.mark("┥", "|")], self.between - columns, &arrow, style)
    }

    /// A request that the store turns away: it arrives, and bounces off the store, with the duration at the turn.
    fn bounce(&self, drawn: u16, exchange: &Exchange, style: Style) -> Vec<Line<'static>> {
        let (line, wall) = (self.lifeline(), self.theme.mark("▌", "#"));
        let there = format!("{}{}", self.shaft(self.between - 1), self.theme.mark("▶", ">"));
        let back = part(self.between, drawn);
        let turned = if back > 1 { self.theme.mark("┛", "'") } else { "" };
        let arrow = format!("{}{}{turned}", self.theme.mark("◀", "<"), self.shaft(back.saturating_sub(2)));
        let turn = self.theme.mark("┃", "|");
        let time = self.time(exchange).is_empty().then(String::new);
        let time = time.unwrap_or_else(|| sentence::span(exchange.elapsed));
        let before = self.between.saturating_sub(time.width() + 1) / 2;
        let gap = self.between.saturating_sub(before + time.width() + 1);
        let at_turn = Line::from(vec![
            Span::raw(" ".repeat(self.margin.0)),
            Span::styled(line, self.theme.border),
            Span::raw(" ".repeat(before)),
            Span::styled(time.clone(), self.theme.dim),
            Span::raw(" ".repeat(gap)),
            Span::styled(turn, style),
            Span::styled(wall, self.theme.border),
        ]);
        let mut lines = vec![
            self.row_between([self.theme.mark("┝", "|"), wall], 0, &there, style),
            at_turn,
            self.row_between([line, wall], self.between - back, &arrow, style),
        ];
        if time.is_empty() {
            lines.remove(1);
        }
        lines
    }

    /// The broken line of a response that did not come, with the words about it in its gap, or below where that is too
    /// narrow.
    fn lost(&self, drawn: u16, answer: &str, style: Style) -> Vec<Line<'static>> {
        let tip = self.theme.mark("┄", ".");
        let columns = part((self.between * 3 / 5).max(1), drawn);
        let gap = self.between.saturating_sub(columns);
        let dashes: String = self.theme.mark(" ━", " -").chars().cycle().take(columns - 1).collect();
        let line = format!("{tip}{dashes}");
        if answer.width() + 2 > gap {
            return [vec![self.row(gap, &line, style)], self.words(answer, style)].concat();
        }
        let before = (gap - answer.width()) / 2;
        let after = " ".repeat(gap - answer.width() - before);
        vec![self.row(before, &format!("{answer}{after}{line}"), style)]
    }

    /// The whole diagram in one line, ` you ━━▶ the store ━━▶ you  Yes.`, or in two where that is too wide.
    fn one_line(&self, drawn: u16, exchange: Option<&Exchange>, answer: &str, style: Style) -> Vec<Line<'static>> {
        let mark = |unicode, ascii| self.theme.mark(unicode, ascii);
        let (arrow, unseen) = (mark("━━▶", "-->"), mark("━━▶ ┄", "--> ."));
        let wall = mark("━━▶▌", "-->#");
        let back = mark("◀━━", "<--");
        // What comes back, drawn from the store to you, and from the right to the left.
        let (there, replies) = match exchange.map(|exchange| (exchange, exchange.outcome())) {
            None => (unseen, None),
            Some((_, Outcome::NotSent)) => (mark("━⊘   ", "-o   "), None),
            // The request touches the store's wall, and comes back to you.
            Some((_, Outcome::Rejected)) => (wall, Some(["", back])),
            Some((exchange, _)) if matches!(exchange.ending, Ending::Failed(_)) => {
                (unseen, Some([mark("━ ━ ┄", "- - ."), mark("┄ ━ ━", ". - -")]))
            }
            Some(_) => (arrow, Some([arrow, back])),
        };
        let is_wall = there == wall;
        let there = if drawn == WHOLE { there } else { mark("━", "-") };
        let gap = if there == wall { "" } else { " " };
        let you = || Span::styled(" you ", self.theme.active_tab);
        let in_style = |text: String| Span::styled(text, style);
        let mut line = Line::from(vec![
            you(),
            Span::styled(format!(" {there}{gap}"), self.theme.in_progress),
            Span::styled(" the store ", self.theme.active_tab),
        ]);
        if self.width < ONE_LINE {
            let mut below = Line::default();
            if let Some([_, back]) = replies {
                below.extend([you(), in_style(format!(" {back} "))]);
            }
            let room = self.width.saturating_sub(below.width() + 1);
            below.extend([Span::raw(" "), in_style(clean_fit(answer, room))]);
            return vec![line, below];
        }
        match replies {
            Some([_, back]) if is_wall => line.extend([Span::raw("  "), you(), in_style(format!(" {back}"))]),
            Some([reply, _]) => line.extend([in_style(format!(" {reply} ")), you()]),
            None => {}
        }
        let before = if gap.is_empty() { " " } else { "  " };
        let room = self.width.saturating_sub(line.width() + before.len());
        if answer.width() <= room || exchange.is_none() {
            line.extend([Span::raw(before), in_style(clean_fit(answer, room))]);
        }
        vec![line]
    }
}

/// Returns thousandths of a number of columns, at least one column.
fn part(columns: usize, thousandths: u16) -> usize {
    (columns * usize::from(thousandths) / usize::from(WHOLE)).clamp(1, columns.max(1))
}
