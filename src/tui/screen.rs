//! What the four screens have in common: a list with a filter, the tabs on its border, a pane beside it.
//!
//! Must not know any one screen.

pub(super) mod plant_commands;
pub(super) mod sorting;

use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Row, Table, TableState, Tabs};
use unicode_width::UnicodeWidthStr;

use super::component::{Action, Layer, Reason, action_in_text, called, does, unless};
use super::context::{Context, KeysFor};
use super::input::Command;
use super::message::Target;
use super::render::table::{Head, columns, headings};
use super::ui_effect::Tab;
use super::widgets::canvas::{Canvas, cells};
use super::widgets::filter_input::FilterInput;
use super::widgets::form::visible_part;
use super::widgets::text::fitted;
use super::widgets::theme::Theme;
use super::widgets::viewport::{Viewport, lines_of};
use crate::domain::filter::List;
use crate::text::columns::filling;

/// Columns before the first column of a table: pointer, mark, space.
pub(super) const POINTER: usize = 3;

/// Returns the blank columns before the border of a table with so many columns.
pub(super) fn before_border(room: usize) -> usize {
    usize::from(room >= 64)
}

/// Lines per step of the mouse wheel.
pub(super) const WHEEL: isize = 3;

/// A screen: a component that exists as long as the app.
pub(super) trait Screen: Layer {
    /// Moves the selection by a number of lines, down if positive.
    fn step(&mut self, lines: isize, cx: &mut Context);

    /// Selects the first line, or the last.
    fn go_to_end(&mut self, last: bool, cx: &mut Context) {
        self.step(if last { isize::MAX } else { isize::MIN }, cx);
    }

    /// Returns the number of lines that a page key moves the selection.
    fn page(&self, cx: &Context) -> isize {
        Viewport::holding(cx.display.layout.page).page_step()
    }

    /// Returns why it has no pane beside its list, if it has none.
    fn lacks_pane(&self) -> Option<Reason> {
        None
    }

    /// Whether a command would be about another line than the person asked for, or needs data that is being read.
    fn awaits(&self, command: Command, cx: &Context) -> bool {
        cx.session.awaits(command)
    }

    /// Clears the filter.
    fn show_all(&mut self, cx: &mut Context);

    /// Requests its own data again. The app reads the list of plants in every tab.
    fn refresh(&mut self, _cx: &mut Context) {}

    /// Handles one step of the mouse wheel: scrolls the pane, or moves the selection.
    fn scroll(&mut self, over: Target, down: bool, cx: &mut Context) {
        let lines = if down { WHEEL } else { -WHEEL };
        match over {
            Target::Pane => cx.screen.pane.scroll(lines),
            Target::Command(_) => {}
            _ => {
                cx.screen.pane.to_start();
                self.step(lines, cx);
            }
        }
    }

    /// Returns the part of `area` in which a dialog may be drawn, cleared where nothing should be seen around the dialog;
    /// `body` is that of the screen.
    fn room_for_dialog(&self, _cx: &Context, area: Rect, _body: Rect, _canvas: &mut Canvas<'_, '_>) -> Rect {
        area
    }

    /// Whether the screen itself has the sentence of the message, which is then not repeated below it.
    fn says_message(&self, _cx: &Context) -> bool {
        false
    }
}

/// Returns what the commands do that every list has: moving the selection, or scrolling the pane that has the keys, and
/// typing into the filter.
pub(super) fn action_in_list<S: Screen>(screen: &S, command: Command, cx: &Context) -> Action<S> {
    let is_in_pane = cx.screen.keys_for == KeysFor::Pane;
    let is_typing = cx.screen.is_typing();
    match command {
        Command::Pane => unless(screen.lacks_pane(), move |_, cx: &mut Context| {
            if is_in_pane {
                cx.screen.keys_for = KeysFor::Commands;
                cx.screen.open_panes.remove(&cx.display.tab);
            } else {
                cx.screen.keys_for = KeysFor::Pane;
                cx.screen.open_panes.insert(cx.display.tab);
            }
        }),
        Command::Filter => does(|_, cx: &mut Context| cx.screen.keys_for = KeysFor::Filter),
        Command::Choose if is_typing => called("keep it", |_, cx: &mut Context| cx.screen.keys_for = KeysFor::Commands),
        Command::Close if is_typing => called("show all", |screen: &mut S, cx: &mut Context| {
            cx.screen.keys_for = KeysFor::Commands;
            screen.show_all(cx);
        }),
        _ if is_in_pane => action_in_text(&cx.screen.pane, command, |_, cx| &mut cx.screen.pane),
        Command::Complete if is_typing => moves(|screen: &mut S, cx| screen.step(1, cx)),
        Command::StepBack if is_typing => moves(|screen: &mut S, cx| screen.step(-1, cx)),
        Command::First | Command::Last => {
            moves(move |screen: &mut S, cx| screen.go_to_end(command == Command::Last, cx))
        }
        _ => {
            lines_of(command, 1)?;
            moves(move |screen: &mut S, cx| screen.step(lines_of(command, screen.page(cx)).unwrap_or(0), cx))
        }
    }
}

/// The command moves the selection, and the pane begins with the first line about it.
fn moves<S: Screen>(run: impl FnOnce(&mut S, &mut Context) + 'static) -> Action<S> {
    does(|screen, cx: &mut Context| {
        cx.screen.pane.to_start();
        run(screen, cx);
    })
}

/// Divides the area of a screen for its list and its pane, which are beside each other from so many columns on; `None`
/// for a pane that is not open.
pub(super) fn split(cx: &Context, area: Rect, wide: u16, beside: [u16; 2]) -> (Rect, Option<Rect>) {
    if area.width >= wide {
        let [list, pane] = Layout::horizontal(beside.map(Constraint::Fill)).areas(area);
        return (list, Some(pane));
    }
    if !cx.screen.open_panes.contains(&cx.display.tab) {
        return (area, None);
    }
    let [list, pane] = Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(area);
    (list, Some(pane))
}

/// Draws the border of a screen's list: the tabs on its upper part, filter and position on the lower one. Returns the
/// area inside.
pub(super) fn draw_frame(
    filter: &FilterInput,
    position: &str,
    cx: &Context,
    area: Rect,
    canvas: &mut Canvas<'_, '_>,
) -> Rect {
    let theme = canvas.theme;
    canvas.target(area, Target::List);
    let is_in_front = !cx.display.has_dialog && cx.screen.keys_for != KeysFor::Pane;
    let border = if is_in_front { theme.focus } else { theme.border };
    let mut block = Block::bordered().border_set(theme.borders()).border_style(border);
    // Beside a fault or a hint, the room is needed.
    let is_explained = filter.fault.is_some() || filter.hint().is_some();
    let position = if is_explained { "" } else { position };
    if !position.is_empty() {
        let position = Span::styled(format!(" {position} "), theme.dim);
        block = block.title_bottom(Line::from(position).right_aligned());
    }
    let inner = block.inner(area);
    canvas.render(block, area);
    draw_tabs(cx, area, canvas);
    let below = Rect { x: area.x + 1, y: area.bottom().saturating_sub(1), width: inner.width, height: 1 };
    let room = usize::from(below.width).saturating_sub(if position.is_empty() { 0 } else { position.width() + 3 });
    draw_filter(filter, cx, room, below, canvas);
    inner
}

/// Draws the filter on the lower border, with the cursor while it is typed, and what an invalid word could be.
fn draw_filter(filter: &FilterInput, cx: &Context, columns: usize, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let (theme, is_typing) = (canvas.theme, cx.screen.is_typing());
    if !is_typing && filter.text().is_empty() {
        return;
    }
    let room = columns.saturating_sub(4);
    let typed = filter.text().width();
    let fault = filter.fault.as_ref().map(|fault| {
        let whole = format!("{} {fault} ", theme.mark("✗", "x"));
        let fits = typed + whole.width() <= room;
        if fits { whole } else { format!("{} {} ", theme.mark("✗", "x"), fault.in_short()) }
    });
    let (fault, style_of_fault) = match fault {
        Some(fault) => (Some(fault), theme.bad),
        None => (filter.hint().map(|hint| format!("{hint} ")), theme.dim),
    };
    let of_fault = fault.as_ref().map_or(0, |fault| fault.width().min(room - room / 3));
    let (text, column) = visible_part(&filter.input, room - of_fault);
    let rest = room.saturating_sub(text.width());
    let style = if is_typing { theme.title } else { theme.warning };
    let mut spans = vec![Span::styled(" / ", theme.key), Span::styled(text, style), Span::raw(" ")];
    if filter.text().is_empty() {
        spans.push(fitted(&placeholder(cx.display.tab.list(), rest.saturating_sub(1)), rest, theme.dim));
    }
    spans.extend(fault.map(|fault| fitted(&fault, rest, style_of_fault)));
    if is_typing && !cx.display.has_dialog {
        canvas.cursor(area, 3 + column);
    }
    canvas.render(Line::from(spans), area);
}

/// Returns as many examples of what a filter takes as fit.
fn placeholder(list: List, columns: usize) -> String {
    let mut text = String::new();
    for example in list.examples().split(' ') {
        if text.width() + example.width() + 1 > columns {
            break;
        }
        text.extend([example, " "]);
    }
    text
}

fn titles_of_tabs(cx: &Context) -> [String; 4] {
    let language = cx.display.language_of_labels();
    Tab::ALL.map(|tab| format!(" {} {} ", cx.key(Command::GoTo(tab)), language.named(tab.title())))
}

/// Returns the columns of a border with all tabs.
pub(super) fn width_of_tabs(cx: &Context) -> u16 {
    cells(titles_of_tabs(cx).iter().map(|title| title.width()).sum::<usize>() + 2)
}

/// Draws `1 Plants  2 History` on the upper border.
fn draw_tabs(cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let titles = titles_of_tabs(cx);
    let row = Rect { x: area.x + 1, height: 1, width: area.width.saturating_sub(2), ..area };
    let mut x = row.x;
    for (tab, title) in Tab::ALL.into_iter().zip(&titles) {
        let width = u16::try_from(title.width()).unwrap_or(0);
        canvas.target(Rect { x, width, ..row }.intersection(row), Target::Command(Command::GoTo(tab)));
        x = x.saturating_add(width);
    }
    let selected = Tab::ALL.iter().position(|tab| *tab == cx.display.tab);
    let width = x.saturating_sub(row.x).min(row.width);
    let tabs = Tabs::new(titles)
        .select(selected)
        .style(theme.dim)
        .highlight_style(theme.active_tab)
        .divider("")
        .padding("", "");
    canvas.render(tabs, Rect { width, ..row });
}

/// Draws the key that opens the pane of a list on the upper border, if the tabs leave room.
pub(super) fn draw_key_of_pane(cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let (key, above) = key_on_border("pane", cx, Rect { height: 1, ..area }, canvas.theme);
    if width_of_tabs(cx) + above.width <= area.width {
        canvas.render(key, above);
        canvas.target(above, Target::Command(Command::Pane));
    }
}

/// Returns the key of the pane with what it does, and its place at the right end of a row of a border.
fn key_on_border(does: &str, cx: &Context, row: Rect, theme: &Theme) -> (Span<'static>, Rect) {
    let key = Span::styled(format!(" {} {does} ", cx.key(Command::Pane)), theme.key);
    let width = cells(key.width()).min(row.width.saturating_sub(2));
    (key, Rect { x: row.right().saturating_sub(width + 1), width, ..row })
}

/// Draws the pane beside the list, scrolled to its viewport.
pub(super) fn draw_pane(
    title: &str,
    cx: &Context,
    area: Rect,
    canvas: &mut Canvas<'_, '_>,
    lines: impl FnOnce(usize) -> Vec<Line<'static>>,
) {
    let has_keys = |of: KeysFor| cx.screen.keys_for == of && !cx.display.has_dialog;
    let border = if has_keys(KeysFor::Pane) { canvas.theme.focus } else { canvas.theme.border };
    let inner = canvas.bordered(title, border, area).inner(Margin::new(1, 0));
    let lines = lines(usize::from(inner.width));
    let (count, page) = (lines.len(), usize::from(inner.height));
    // The pane of the Greenhouse has other keys.
    if count > page && has_keys(KeysFor::Commands) && cx.display.tab != Tab::Greenhouse {
        let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        let (hint, below) = key_on_border("scrolls", cx, row, canvas.theme);
        canvas.render(hint, below);
    }
    let layout = &mut canvas.map.layout;
    (layout.pane_lines, layout.pane_page) = (count, page);
    let top = cx.screen.pane.top.min(count.saturating_sub(page));
    canvas.lines(lines.into_iter().skip(top).take(page).collect(), inner);
    canvas.scrollbar(area, top, page, count);
    canvas.target(area, Target::Pane);
}

/// The columns of a list that can be sorted, with their widths.
pub(super) struct TableColumns<const N: usize> {
    pub heads: &'static [Head; N],
    pub widths: [usize; N],
    /// Columns between two columns.
    pub gap: usize,
}

impl<const N: usize> TableColumns<N> {
    /// Divides a room, with the pointer, among columns whose texts have these widths; where there is room, no text
    /// touches the border.
    pub(super) fn filling(heads: &'static [Head; N], needed: [usize; N], gap: usize, room: usize) -> Self {
        let around = POINTER + before_border(room);
        Self { heads, widths: filling(columns(heads, needed), gap, room.saturating_sub(around)), gap }
    }

    /// Puts the cells of a row behind its pointer.
    pub(super) fn row(&self, pointer: [Span<'static>; 2], mut cells: [Line<'static>; N]) -> Row<'static> {
        let mut before = Vec::from(pointer);
        Row::new(self.shown().map(|(at, ..)| {
            let mut spans = std::mem::replace(&mut before, vec![Span::raw(" ".repeat(self.gap))]);
            spans.extend(cells.get_mut(at).map(std::mem::take).unwrap_or_default());
            Line::from(spans)
        }))
    }

    /// Returns the row of the headings.
    fn headings(&self, sorted: Option<(usize, bool)>, theme: &Theme) -> Row<'static> {
        let arrow = |descending| if descending { theme.mark("▼", "v") } else { theme.mark("▲", "^") };
        let sorted = sorted.map(|(at, descending)| (at, arrow(descending)));
        let pointer = [Span::raw(" ".repeat(POINTER)), Span::default()];
        self.row(pointer, headings(self.heads, self.widths, sorted, [theme.dim, theme.title]).map(Line::from))
    }

    /// Returns each column that is not left out: its index, the free columns before it, and its width.
    fn shown(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let before = [POINTER].into_iter().chain(std::iter::repeat(self.gap));
        let all = self.heads.iter().zip(self.widths).zip(before).enumerate();
        let shown = all.filter(|(_, ((head, own), _))| *own > 0 || !head.column.is_optional);
        shown.map(|(at, ((_, own), before))| (at, before, own))
    }

    /// Cuts the last columns if not all fit. Ratatui would cut the first one, and an id without its last digits is another
    /// id.
    pub(super) fn constraints(&self, mut room: u16) -> Vec<Constraint> {
        let cut = |(_, before, own)| {
            let width = cells(before + own).min(room);
            room -= width;
            Constraint::Length(width)
        };
        self.shown().map(cut).collect()
    }

    /// Draws the rows, with the selected one highlighted, below the headings, each of which is a target of the mouse.
    pub(super) fn draw<'a>(
        &self,
        sorted: Option<(usize, bool)>,
        rows: impl IntoIterator<Item = Row<'a>>,
        selected: Option<usize>,
        area: Rect,
        canvas: &mut Canvas<'_, '_>,
    ) {
        let theme = canvas.theme;
        let table = Table::new(rows, self.constraints(area.width)).header(self.headings(sorted, theme));
        let table = table.column_spacing(0).row_highlight_style(theme.selected);
        canvas.frame.render_stateful_widget(table, area, &mut TableState::default().with_selected(selected));
        let (mut x, heading) = (area.x, Rect { height: 1, ..area });
        for (at, before, own) in self.shown() {
            let [before, width] = [before, own].map(cells);
            x = x.saturating_add(before);
            canvas.target(Rect { x, width, ..heading }.intersection(heading), Target::Heading(at));
            x = x.saturating_add(width);
        }
    }
}

/// Returns `1-20 of 400`, unless all lines fit on a page.
pub(super) fn position(top: usize, page: usize, lines: usize) -> Option<String> {
    (lines > page).then(|| format!("{}-{} of {lines}", top + 1, (top + page).min(lines)))
}

/// Returns the pointer at the selected line and the mark of a marked one, three columns wide.
pub(super) fn pointer(selected: bool, marked: bool, theme: &Theme) -> [Span<'static>; 2] {
    let pointer = if selected { theme.mark("▸", ">") } else { " " };
    let mark = if marked { theme.mark("◆ ", "* ") } else { "  " };
    [Span::styled(pointer, theme.key), Span::styled(mark, theme.warning)]
}
