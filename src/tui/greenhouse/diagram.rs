//! A sequence diagram of a request and its response between two lifelines, with a sentence below it.
//!
//! An arrow is drawn as far as something is known: one that stops short was not seen to arrive, a response that was lost
//! is a broken line on its way back, a rejected request bounces.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::palette::Paints;
use super::plants::figure;
use super::sentence::{Room, Sentence};
use super::state::WHOLE;
use crate::domain::language::Id;
use crate::domain::simple_words::other_member;
use crate::domain::{Authors, Ending, Exchange, Language, Outcome};
use crate::text::clean_fit;
use crate::text::wrap::wrapped;
use crate::tui::context::Context;
use crate::tui::widgets::canvas::WIDE;
use crate::tui::widgets::theme::Theme;

/// Rows from which the diagram has blank lines.
const ROOMY: usize = 14;

/// Rows from which you and the store are drawn above their names.
const WITH_FIGURES: usize = 25;

/// Rows from which they are twice as large.
const WITH_LARGE_FIGURES: usize = 52;

/// Rows from which the duration has a line of its own; most sentences contain it.
const WITH_TIME: usize = 9;

/// Rows of the diagram without its sentence, at least.
const DIAGRAM: usize = 5;

/// Columns below which a diagram of one line takes two.
const ONE_LINE: usize = 44;

/// Rows before an audience from which there is room for the diagram above large letters.
const WITH_LARGE: usize = 22;

/// Lines of the sentence, at most.
const SENTENCE: usize = 6;

/// Whether a request has reached the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrives {
    /// Proved by a response.
    Surely,
    /// No response came.
    Unknown,
    /// It was not sent.
    Never,
}

/// The size of the diagram.
pub(super) struct Diagram<'a> {
    pub(super) theme: &'a Theme,
    pub(super) language: Language,
    width: usize,
    rows: usize,
    /// Columns before your lifeline, and after that of the store.
    margin: (usize, usize),
    /// Columns between the two lifelines.
    between: usize,
    is_roomy: bool,
    /// Whether the diagram is one line: where there is no room for more.
    pub(super) is_one_line: bool,
    is_presented: bool,
    /// The name of the other member of the team whose request it is.
    other: Option<String>,
    /// You and the store, with the same number of lines, where there is room.
    figures: Option<[Vec<Line<'static>>; 2]>,
}

impl<'a> Diagram<'a> {
    /// Returns it for the request of this author.
    pub(super) fn of_author(self, author: Option<&Authors>) -> Self {
        Self { other: other_member(author), ..self }
    }

    /// Returns the diagram for a pane, with room for a sentence below it.
    pub(super) fn of(sentence: &str, cx: &Context, theme: &'a Theme, width: usize, rows: usize) -> Self {
        let is_presented = theme.enlarges && rows >= WITH_LARGE;
        let needed = DIAGRAM + wrapped(sentence, width, SENTENCE).len();
        let is_narrow = width < ONE_LINE && rows < ROOMY;
        let is_one_line = is_narrow || rows < needed;
        let figures = Paints::of(theme).filter(|_| rows >= WITH_FIGURES);
        let scale = if rows >= WITH_LARGE_FIGURES && width >= usize::from(WIDE) { 2 } else { 1 };
        let figures = figures.map(|paints| ["you", "store"].map(|name| figure(name, paints).scaled(scale).lines()));
        // The lifelines are below the middle of each.
        let margin = if figures.is_some() { (scale * 9 / 2, scale * 7) } else { (2, 6) };
        let between = width.saturating_sub(margin.0 + margin.1 + 2).max(1);
        let language = cx.display.language();
        Self {
            theme,
            language,
            width,
            rows,
            margin,
            between,
            is_roomy: rows >= ROOMY,
            is_one_line,
            is_presented,
            other: None,
            figures,
        }
    }

    /// You and the store above the lifelines, and their names.
    pub(super) fn head(&self) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for (mut you, store) in self.figures.iter().flat_map(|[you, store]| you.iter().cloned().zip(store.clone())) {
            let gap = self.width.saturating_sub(you.width() + store.width());
            you.spans.push(Span::raw(" ".repeat(gap)));
            you.spans.extend(store.spans);
            lines.push(you);
        }
        let [you, store] = self.names();
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

    fn names(&self) -> [String; 2] {
        let left = self.other.clone().unwrap_or_else(|| self.language.label(Id::You));
        [left, self.language.label(Id::TheStore)].map(|name| format!(" {name} "))
    }

    /// Adds the sentence. Where there is no room for both, it is more important.
    pub(super) fn with_sentence(
        &self,
        mut lines: Vec<Line<'static>>,
        sentence: &Sentence,
        style: Style,
    ) -> Vec<Line<'static>> {
        if self.is_roomy && !self.is_one_line {
            lines.extend([self.between(), Line::default()]);
        }
        let rows = self.rows.saturating_sub(lines.len());
        // A pane that is too low for borders is not scrolled.
        let most = if self.is_one_line { rows.clamp(1, SENTENCE) } else { SENTENCE };
        let Self { theme, width, is_presented, .. } = *self;
        let room = Room { theme, style, width, rows, most, is_presented };
        let set = sentence.lines(&room);
        if set.len() > rows && !self.is_one_line {
            return sentence.small(&room);
        }
        // A row between diagram and sentence, where there is one more than needed.
        if !self.is_roomy && !self.is_one_line && set.len() + 1 < rows {
            lines.push(Line::default());
        }
        lines.extend(set);
        lines
    }

    /// A row with text between the lifelines, `before` columns from yours.
    fn row(&self, before: usize, text: &str, style: Style) -> Line<'static> {
        self.row_between([self.lifeline(); 2], before, text, style)
    }

    fn row_between(&self, sides: [&'static str; 2], before: usize, text: &str, style: Style) -> Line<'static> {
        self.row_of(sides, [Span::raw(" ".repeat(before)), Span::styled(text.to_owned(), style)])
    }

    fn row_of(
        &self,
        [left, right]: [&'static str; 2],
        parts: impl IntoIterator<Item = Span<'static>>,
    ) -> Line<'static> {
        let mut line = Line::from(vec![Span::raw(" ".repeat(self.margin.0)), Span::styled(left, self.theme.border)]);
        line.extend(parts);
        let after = (self.margin.0 + left.width() + self.between).saturating_sub(line.width());
        line.extend([Span::raw(" ".repeat(after)), Span::styled(right, self.theme.border)]);
        line
    }

    fn lifeline(&self) -> &'static str {
        self.theme.mark("│", "|")
    }

    /// A row with the two lifelines alone.
    fn between(&self) -> Line<'static> {
        self.row(0, "", self.theme.text)
    }

    /// Rows with words between the lifelines.
    pub(super) fn words(&self, text: &str, style: Style) -> Vec<Line<'static>> {
        let lines = if self.is_roomy { 2 } else { 1 };
        let columns = self.between.saturating_sub(2);
        let row = |line: String| {
            let line = clean_fit(&line, columns);
            self.row(self.between.saturating_sub(line.width()) / 2, &line, style)
        };
        wrapped(text, columns, lines).into_iter().map(row).collect()
    }

    /// A row with the duration, where there is room.
    pub(super) fn time(&self, exchange: &Exchange) -> Vec<Line<'static>> {
        if !self.has_time(exchange) {
            return Vec::new();
        }
        self.words(&self.language.span(exchange.elapsed), self.theme.dim)
    }

    fn has_time(&self, exchange: &Exchange) -> bool {
        !exchange.elapsed.is_zero() && self.rows >= WITH_TIME
    }

    /// A line of an arrow.
    fn shaft(&self, columns: usize) -> String {
        self.theme.mark("━", "-").repeat(columns)
    }

    /// The arrow of the request; `drawn` is in thousandths. One that is not known to have arrived stops short.
    pub(super) fn to_store(&self, drawn: u16, style: Style, arrives: Arrives) -> Line<'static> {
        let (all, tip) = match arrives {
            Arrives::Surely => (self.between, self.theme.mark("▶", ">")),
            Arrives::Unknown => (self.between * 4 / 5, self.theme.mark("▶", ">")),
            Arrives::Never => (self.between / 3, self.theme.outcome(Outcome::NotSent).1),
        };
        let mut arrow = format!("{}{tip}", self.shaft(part(all, drawn) - 1));
        if arrives == Arrives::Unknown && drawn == WHOLE {
            let rest = self.between.saturating_sub(all + 1);
            let dots = || self.theme.mark("┄", ".").repeat(rest.saturating_sub(1));
            let words = Some(self.language.label(Id::Arrived)).filter(|words| words.width() <= rest);
            let words = words.unwrap_or_else(dots);
            arrow.extend([" ", &words]);
        }
        self.row_between([self.theme.mark("┝", "|"), self.lifeline()], 0, &arrow, style)
    }

    /// The arrow of the response; `drawn` is in thousandths.
    pub(super) fn to_you(&self, drawn: u16, style: Style) -> Line<'static> {
        let columns = part(self.between, drawn);
        let arrow = format!("{}{}", self.theme.mark("◀", "<"), self.shaft(columns - 1));
        self.row_between([self.lifeline(), self.theme.mark("┥", "|")], self.between - columns, &arrow, style)
    }

    /// A request that the store turns away: it arrives, and bounces off the store, with the duration at the turn.
    pub(super) fn bounce(&self, drawn: u16, exchange: &Exchange, style: Style) -> Vec<Line<'static>> {
        let (line, wall) = (self.lifeline(), self.theme.mark("▌", "#"));
        let there = format!("{}{}", self.shaft(self.between - 1), self.theme.mark("▶", ">"));
        let back = part(self.between, drawn);
        let turned = if back > 1 { self.theme.mark("┛", "'") } else { "" };
        let arrow = format!("{}{}{turned}", self.theme.mark("◀", "<"), self.shaft(back.saturating_sub(2)));
        let mut lines = vec![self.row_between([self.theme.mark("┝", "|"), wall], 0, &there, style)];
        if self.has_time(exchange) {
            let time = self.language.span(exchange.elapsed);
            let before = self.between.saturating_sub(time.width() + 1) / 2;
            let gap = self.between.saturating_sub(before + time.width() + 1);
            let [before, gap] = [before, gap].map(|columns| Span::raw(" ".repeat(columns)));
            let turn = Span::styled(self.theme.mark("┃", "|"), style);
            lines.push(self.row_of([line, wall], [before, Span::styled(time, self.theme.dim), gap, turn]));
        }
        lines.push(self.row_between([line, wall], self.between - back, &arrow, style));
        lines
    }

    /// The broken line of a response that did not come, with the words about it in its middle, or below where that is too
    /// narrow. It touches neither lifeline: whether the store sent anything is not known.
    pub(super) fn lost(&self, drawn: u16, answer: &str, style: Style) -> Vec<Line<'static>> {
        let dash = self.theme.mark("┄ ", ". ");
        let columns = part(self.between / 4, drawn) | 1;
        let dashes: String = dash.chars().cycle().take(columns).collect();
        let line = format!("{dashes}  {answer}  {dashes}");
        if line.width() + 4 > self.between {
            return [self.words(&dashes, style), self.words(answer, style)].concat();
        }
        vec![self.row((self.between - line.width()) / 2, &line, style)]
    }

    /// The whole diagram in one line, ` you ━━▶ the store ━━▶ you  Yes.`, or in two where that is too wide.
    pub(super) fn one_line(
        &self,
        drawn: u16,
        exchange: Option<&Exchange>,
        answer: &str,
        style: Style,
    ) -> Vec<Line<'static>> {
        let mark = |unicode, ascii| self.theme.mark(unicode, ascii);
        let (arrow, unseen) = (mark("━━▶", "-->"), mark("━━▶ ┄", "--> ."));
        let wall = mark("━━▶▌", "-->#");
        let back = mark("◀━━", "<--");
        // What comes back, drawn from the store to you, and from the right to the left.
        let (there, replies) = match exchange.map(|exchange| (exchange, exchange.outcome())) {
            None => (unseen, None),
            Some((_, Outcome::NotSent)) => (mark("━⊘   ", "-o   "), None),
            // The request bounces off the store's wall.
            Some((_, Outcome::Rejected)) => (wall, Some([arrow, back])),
            Some((exchange, _)) if matches!(exchange.ending, Ending::Failed(_)) => {
                (unseen, Some([mark("┄ ┄ ┄", ". . ."); 2]))
            }
            Some(_) => (arrow, Some([arrow, back])),
        };
        let is_rejected = there == wall;
        let there = if drawn == WHOLE { there } else { mark("━", "-") };
        let gap = if is_rejected { "" } else { " " };
        let [you, store] = self.names().map(|name| Span::styled(name, self.theme.active_tab));
        let in_style = |text: String| Span::styled(text, style);
        let mut line = Line::from(vec![
            you.clone(),
            Span::styled(format!(" {there}{gap}"), if is_rejected { style } else { self.theme.in_progress }),
            store,
        ]);
        if self.width < ONE_LINE {
            let mut below = Line::default();
            if let Some([_, back]) = replies {
                below.extend([you, in_style(format!(" {back} "))]);
            }
            let room = self.width.saturating_sub(below.width() + 1);
            below.extend([Span::raw(" "), in_style(clean_fit(answer, room))]);
            return vec![line, below];
        }
        if let Some([reply, _]) = replies {
            line.extend([in_style(format!(" {reply} ")), you]);
        }
        let before = "  ";
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
