//! Divides the tab between shelves and picture, and the shelves into rows.

use ratatui::layout::{Constraint, Layout, Margin, Rect};
use unicode_width::UnicodeWidthStr as _;

use super::pots::Pot;
use super::state::GreenhouseScreen;
use super::{picture, plants, sprites};
use crate::domain::language::Id;
use crate::text::wrap::wrapped;
use crate::text::{clean, clean_fit};
use crate::tui::context::{Context, TERMINALS};
use crate::tui::screen::width_of_tabs;
use crate::tui::widgets::canvas::{WIDE, cells};
use crate::tui::widgets::large;
use crate::tui::widgets::theme::Theme;

/// Columns of a pot with its gap, at least, and beside the picture.
const POT: u16 = 13;
const ROOMY_POT: u16 = 14;

/// Columns from which a sentence has room for large letters in one half.
const FOR_HALVES: u16 = 160;

/// Columns inside the border from which two pots are beside the picture.
const TWO_POTS: u16 = 56;

/// Rows of a line of a name in large letters.
const LARGE_LINE: u16 = 4;

/// Lines of a name, at most.
const NAME_LINES: usize = 3;

/// Rows of the picture below the shelves: the fewest, with sentences of some length, and the most.
const LEAST_PICTURE: u16 = 3;
const GOOD_PICTURE: u16 = 4;
const PICTURE: u16 = 9;

/// Rows of the picture from which it has a border.
const WITH_BORDERS: u16 = 9;

/// Rows of the picture with a sentence in large letters, before an audience.
const LARGE_PICTURE: u16 = 6;

/// Rows of the shelves above picture and dialog, at least: the tabs.
const TABS: u16 = 2;

/// Rows of the shelves beside a request as it was sent, or a dialog, where there is little room: the tabs and the names.
const LEAST_SHELVES: u16 = 4;

/// Pots that are on screen at twice their size where there are more, at least: with names in large letters, and without.
const AT_TWICE: [usize; 2] = [4, 3];

/// Columns of a picture with words in large letters beside a border with all tabs, at least.
const LARGE_WORDS: u16 = 66;

/// Columns of a dialog beside the picture, at least.
const DIALOG: u16 = 50;

/// Rows of a dialog below shelves, at most, besides those of the status line, which it may cover.
const DIALOG_ROWS: u16 = 12;

/// The parts of the tab.
#[derive(Debug, Clone, Copy)]
pub(super) struct Areas {
    /// The border with the tabs.
    pub frame: Rect,
    /// The shelves inside it.
    pub shelves: Rect,
    pub picture: Rect,
    /// Whether the picture has a border of its own.
    pub has_border: bool,
    /// What stands in the place of the picture.
    pub says: Option<Id>,
    /// The room of a dialog, if there is one: beside or below what stays in sight, or everything.
    pub dialog: Option<Rect>,
}

impl Areas {
    /// Puts the picture beside the shelves, below them, or beside them inside one border: where a shelf takes all rows, or
    /// the tabs more columns than the shelves. A dialog takes the place of the picture, unless that is about the same;
    /// where there is no room for shelves, picture and dialog, only a rejection keeps its picture, in the place of shelves.
    pub(super) fn of(screen: &GreenhouseScreen, cx: &Context, theme: &Theme, body: Rect) -> Self {
        let has_dialog = cx.display.has_dialog;
        let is_wide = body.width >= WIDE;
        let [narrow, usual] = cx.display.subject.rows.unwrap_or([DIALOG_ROWS; 2]);
        let dialog_rows = if is_wide || body.width < TERMINALS[1] { narrow } else { usual }.min(DIALOG_ROWS);
        let has_room = is_wide || body.height >= TABS + LEAST_PICTURE + dialog_rows;
        let keeps_picture = !has_dialog || picture::is_needed(screen, cx, has_room);
        let areas = Self::without_dialog(screen, cx, theme, body, has_dialog && keeps_picture);
        let Self { frame, shelves, picture, .. } = areas;
        if !has_dialog {
            return areas;
        }
        if keeps_picture && has_room && !is_wide {
            let top = whole_shelf(body.height - LEAST_PICTURE - dialog_rows, theme);
            let rows = [Constraint::Length(top), Constraint::Min(0), Constraint::Length(dialog_rows)];
            let [frame, picture, dialog] = Layout::vertical(rows).areas(body);
            let shelves = frame.inner(Margin::new(1, 1));
            return Self { frame, shelves, picture, has_border: false, dialog: Some(dialog), ..areas };
        }
        let is_beside = picture.x > frame.x && is_wide;
        if !keeps_picture && is_beside && picture.width >= DIALOG {
            let has_room = theme.enlarges && picture.height >= LARGE_PICTURE + 2 + dialog_rows;
            let says = cx.display.subject.says.filter(|_| has_room);
            let rows = if says.is_some() { LARGE_PICTURE + 2 } else { 0 };
            let [picture, dialog] = Layout::vertical([Constraint::Length(rows), Constraint::Min(0)]).areas(picture);
            return Self { picture, says, has_border: false, dialog: Some(dialog), ..areas };
        }
        let shelf = Scale::plain(theme).shelf() + 3;
        let top = match keeps_picture {
            // The shelf of its plant stays in sight above the dialog.
            true if is_beside && frame.height >= shelf + dialog_rows => shelf,
            true => return Self { dialog: Some(Rect { width: shelves.right() + 1 - frame.x, ..frame }), ..areas },
            false => whole_shelf(body.height.saturating_sub(dialog_rows).max(LEAST_SHELVES), theme),
        };
        if body.height < top + dialog_rows {
            return Self { dialog: Some(body), ..areas };
        }
        let whole = if keeps_picture { frame } else { body };
        let [frame, below] = Layout::vertical([Constraint::Length(top), Constraint::Min(0)]).areas(whole);
        let picture = if keeps_picture { picture } else { Rect::ZERO };
        Self { frame, shelves: frame.inner(Margin::new(1, 1)), picture, dialog: Some(below), ..areas }
    }

    /// `is_beside_dialog`: the dialog takes the place of shelves.
    fn without_dialog(
        screen: &GreenhouseScreen,
        cx: &Context,
        theme: &Theme,
        body: Rect,
        is_beside_dialog: bool,
    ) -> Self {
        let framed = |frame: Rect, picture: Rect, has_border| {
            let shelves = frame.inner(Margin::new(1, 1));
            Self { frame, shelves, picture, has_border, says: None, dialog: None }
        };
        let inner = body.inner(Margin::new(1, 1));
        if body.width >= WIDE {
            // Before an audience, the sentence needs more columns than the shelves, as long as there are few.
            let is_narrow = theme.enlarges && body.width < FOR_HALVES;
            let parts = if is_narrow { [2, 3] } else { [1, 1] }.map(Constraint::Fill);
            let [mut frame, mut picture] = Layout::horizontal(parts).areas(body);
            let tabs = width_of_tabs(cx);
            let least = if is_beside_dialog { DIALOG.max(tabs) } else { tabs };
            if frame.width < least && (is_beside_dialog || body.width >= least + LARGE_WORDS) {
                [frame, picture] = Layout::horizontal([Constraint::Length(least), Constraint::Min(0)]).areas(body);
            }
            if frame.width >= tabs || screen.shows_wire {
                return framed(frame, picture, true);
            }
            let [shelves, picture] = Layout::horizontal(parts).areas(inner);
            return Self { shelves, ..framed(body, picture, false) };
        }
        if !is_beside_dialog && screen.shows_wire {
            let shelves = LEAST_SHELVES.min(body.height / 2);
            let [frame, picture] = Layout::vertical([Constraint::Length(shelves), Constraint::Min(0)]).areas(body);
            return framed(frame, picture, true);
        }
        let shelf = Scale::plain(theme).shelf() + 2;
        let rest = body.height.saturating_sub(shelf);
        if !is_beside_dialog && rest < LEAST_PICTURE {
            let pots = if inner.width >= TWO_POTS { 2 } else { 1 };
            let lengths = [Constraint::Length(pots * ROOMY_POT), Constraint::Min(0)];
            let [shelves, picture] = Layout::horizontal(lengths).areas(inner);
            return Self { shelves, ..framed(body, picture, false) };
        }
        // A second row of names, where the picture does not need it.
        let rest = if rest > GOOD_PICTURE { rest - 1 } else { rest };
        let picture = Constraint::Length(rest.clamp(LEAST_PICTURE, PICTURE.max(body.height * 2 / 5)));
        let [frame, picture] = Layout::vertical([Constraint::Min(0), picture]).areas(body);
        framed(frame, picture, picture.height >= WITH_BORDERS)
    }
}

/// Returns so many rows if a shelf fits in them, else those of the tabs and of names in up to two lines: no pot is without
/// its top.
fn whole_shelf(rows: u16, theme: &Theme) -> u16 {
    if rows >= Scale::plain(theme).shelf() + 2 { rows } else { rows.min(LEAST_SHELVES + 1) }
}

/// How large the pots are drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// Columns and rows of a pixel of a plant, in pixels of the screen.
    pub pixel: usize,
    /// Columns of a pot, at least.
    columns: u16,
    pub plants: u16,
    /// The rows of the names, at least.
    names: u16,
    /// Whether the names are in large letters.
    pub has_large_names: bool,
}

/// Rows of the board's edge, with the tags.
pub(super) const EDGE: u16 = 1;

impl Scale {
    /// A line drawing leaves a row for the word of its stage.
    fn plain(theme: &Theme) -> Self {
        let has_pixels = theme.pixels().is_some();
        let plants = cells(if has_pixels { plants::SIZE.1 / 2 } else { sprites::SIZE.1 + 1 });
        Self { pixel: 1, columns: POT, plants, names: 1, has_large_names: false }
    }

    /// Returns twice the size where all pots fit in it, or two of three; before an audience where some do, with large names,
    /// or without.
    pub(super) fn of(theme: &Theme, area: Rect, pots: usize) -> Self {
        let plain = Self::plain(theme);
        let twice = Self {
            pixel: 2,
            columns: 2 * POT + 1,
            plants: 2 * plain.plants,
            names: if theme.enlarges { 2 * LARGE_LINE } else { 1 },
            has_large_names: theme.enlarges,
        };
        let with_small_names = Self { names: 1, has_large_names: false, ..twice };
        let room = |scale: &Self| usize::from(scale.across(area) * scale.page(area));
        let has_room = |(scale, least): &(Self, usize)| {
            let fit = room(scale);
            fit >= pots.min(*least) && (theme.enlarges || 2 * pots <= 3 * fit)
        };
        let scales = [twice, with_small_names].into_iter().zip(AT_TWICE).filter(|_| theme.pixels().is_some());
        scales.into_iter().find(has_room).map_or(plain, |(scale, _)| scale)
    }

    /// Returns the rows of a shelf, at least.
    pub(super) fn shelf(self) -> u16 {
        self.plants + EDGE + self.names
    }

    /// Returns the pots side by side that fit.
    pub(super) fn across(self, area: Rect) -> u16 {
        area.width / self.columns
    }

    /// Returns the shelves that fit.
    pub(super) fn page(self, area: Rect) -> u16 {
        area.height / self.shelf()
    }

    /// Returns the rows of the names of each shelf: more than the least where a name needs them, as long as there is room.
    pub(super) fn names(self, shelves: &[&[Pot<'_>]], columns: u16, rows: u16, theme: &Theme) -> Vec<u16> {
        // Without room for plants, the rows are those of the names.
        let least = if rows < self.plants { EDGE + self.names } else { self.shelf() };
        let mut left = rows.saturating_sub(least.saturating_mul(cells(shelves.len())));
        let needed = |pot: &Pot<'_>| self.name_rows(pot, columns, theme);
        let mut rows_of = |pots: &&[Pot<'_>]| {
            let wanted = pots.iter().map(needed).max().unwrap_or(self.names);
            let more = wanted.saturating_sub(self.names).min(left);
            left -= more;
            self.names + more
        };
        shelves.iter().map(&mut rows_of).collect()
    }

    fn name_rows(self, pot: &Pot<'_>, columns: u16, theme: &Theme) -> u16 {
        if self.has_large_names {
            let most = NAME_LINES * usize::from(LARGE_LINE);
            let lines = large::lines(&pot.name(), usize::from(columns), most, theme, theme.text);
            return lines.map_or(self.names, |lines| cells(lines.len() + 1));
        }
        cells(name_lines(pot, columns, NAME_LINES).len())
    }
}

/// Breaks the name of a plant into lines with a gap to the next pot, or without one where it would be cut. Rather than the
/// number that tells it from another of its name, the name is cut.
pub(super) fn name_lines(pot: &Pot<'_>, columns: u16, rows: usize) -> Vec<String> {
    let (name, columns) = (pot.name(), usize::from(columns));
    let [apart, close] = [1, 0].map(|gap| wrapped(&name, columns.saturating_sub(gap), rows));
    let is_cut = |lines: &[String]| lines.last().is_some_and(|line| line.ends_with('…'));
    if !is_cut(&apart) || !is_cut(&close) {
        return if is_cut(&apart) { close } else { hyphenated(&clean(&name), apart) };
    }
    let Some((name, number)) = pot.named_and_number() else { return apart };
    let end = || {
        let cut = number.len().saturating_sub(columns.saturating_sub(1));
        format!("…{}", number.chars().skip(cut).collect::<String>())
    };
    let before = columns.saturating_sub(number.len() + 1);
    match rows {
        0 | 1 if before > 1 => vec![format!("{} {number}", clean_fit(name, before))],
        0 | 1 => vec![end()],
        _ => {
            let lines = wrapped(&number, columns, rows - 1);
            let lines = if is_cut(&lines) { vec![end()] } else { lines };
            [wrapped(name, columns, rows - lines.len()), lines].concat()
        }
    }
}

/// Ends a line inside a word with a hyphen, in the gap to the next pot; not beside wide letters, which any line divides.
fn hyphenated(mut name: &str, lines: Vec<String>) -> Vec<String> {
    let ended = |line: String| {
        name = name.trim_start().strip_prefix(&line).unwrap_or_default();
        let is_inside = line.ends_with(char::is_alphabetic) && name.starts_with(char::is_alphabetic);
        if is_inside && line.width() == line.chars().count() { format!("{line}-") } else { line }
    };
    lines.into_iter().map(ended).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Details, Language, PlantId};
    use crate::tui::greenhouse::pots::Stage;

    #[test]
    fn a_name_is_divided_inside_a_word_with_a_hyphen() {
        for (name, lines) in [
            ("Goldkugelkaktus", ["Goldkugelkak-", "tus"]),
            ("Moon cactus, grey", ["Moon cactus,", "grey"]),
            ("月のサボテンの木", ["月のサボ", "テンの木"]),
        ] {
            let details = Details { name: name.to_owned(), tag: String::new() };
            let (id, details) = (PlantId(1), Some(&details));
            let pot = Pot { id, details, stage: Stage::Grown, is_here: true, is_alone: true, language: Language::En };
            assert_eq!(name_lines(&pot, 13, 3), lines);
        }
    }

    #[test]
    fn a_name_is_cut_rather_than_the_number_that_tells_it_from_another() {
        let details = Details { name: "Ghost orchid of the swamp".to_owned(), tag: String::new() };
        let lines = |id, rows| {
            let (id, details) = (PlantId(id), Some(&details));
            let pot = Pot { id, details, stage: Stage::Grown, is_here: true, is_alone: false, language: Language::En };
            name_lines(&pot, 13, rows)
        };
        assert_eq!(lines(12, 3), ["Ghost orchid", "of the swamp", "(12)"]);
        assert_eq!(lines(12, 2), ["Ghost orchid…", "(12)"]);
        assert_eq!(lines(12, 1), ["Ghost o… (12)"]);
        let long = 5_535_022_290_000_000_017;
        assert_eq!(lines(long, 3), ["Ghost orchid…", "(553502229000", "0000017)"]);
        assert_eq!(lines(long, 2), ["Ghost orchid…", "…90000000017)"]);
        assert_eq!(lines(long, 1), ["…90000000017)"]);
    }
}
