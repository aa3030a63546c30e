//! The border of a list: tabs, filters, position, and the columns of a table.

use ratatui::layout::{Constraint, Position};

use super::*;
use crate::domain::LocalTime;
use crate::domain::filter::List;
use crate::text::columns::Column;
use crate::tui::context::{Context, KeysFor};
use crate::tui::message::Target;
use crate::tui::render::table::Head;
use crate::tui::screen::{TableColumns, draw_frame};
use crate::tui::widgets::filter_input::FilterInput;
use crate::tui::widgets::testing::{Drawn, drawn};
use crate::tui::widgets::text_input::Typed;

fn typed(text: &str) -> FilterInput {
    let mut filter = FilterInput::default();
    filter.take(Typed::Paste(text), List::Plants, &LocalTime::default());
    filter
}

struct Frame<'a> {
    position: &'a str,
    filter: &'a FilterInput,
    is_typing: bool,
}

/// Returns a frame whose filter has the cursor.
fn frame(filter: &FilterInput) -> Frame<'_> {
    Frame { position: "", filter, is_typing: true }
}

fn context() -> Context {
    Context::new(info(), Keymap::default(), Some(token()))
}

fn show(frame: &Frame<'_>, mut cx: Context, width: u16) -> Drawn {
    cx.screen.keys_for = if frame.is_typing { KeysFor::Filter } else { KeysFor::Commands };
    drawn((width, 3), |area, canvas| {
        draw_frame(frame.filter, frame.position, &cx, area, canvas);
    })
}

#[test]
fn a_long_filter_leaves_room_for_the_position() {
    let filter = typed(&"abcdefghij".repeat(3));
    let drawn = show(&Frame { position: "1 of 9", ..frame(&filter) }, context(), 40);
    assert_eq!(drawn.rows[2], "╰ / ghijabcdefghijabcdefghij ── 1 of 9 ╯");
    assert_eq!(drawn.cursor, Some(Position { x: 28, y: 2 }));
}

#[test]
fn the_filter_has_the_cursor_while_it_is_typed_and_no_dialog_is_open() {
    let filter = typed("x");
    for (is_typing, has_dialog, has_cursor) in [(true, false, true), (false, false, false), (true, true, false)] {
        let mut cx = context();
        cx.display.has_dialog = has_dialog;
        let drawn = show(&Frame { is_typing, ..frame(&filter) }, cx, 40);
        assert_eq!(drawn.cursor.is_some(), has_cursor, "{is_typing} {has_dialog}");
        assert_eq!(drawn.rows[2], "╰ / x ─────────────────────────────────╯");
    }
}

#[test]
fn an_explanation_takes_two_thirds_of_the_border_and_the_place_of_the_position() {
    let filter = typed("-plantsofthegreenwood");
    let drawn = show(&Frame { position: "1 of 9", ..frame(&filter) }, context(), 40);
    assert_eq!(drawn.rows[2], "╰ / egreenwood !plantsofthegreenwood l…╯");
    let filter = typed("state:foo");
    let drawn = show(&Frame { position: "1 of 9", ..frame(&filter) }, context(), 70);
    assert_eq!(drawn.rows[2], "╰ / state:foo ✗ use stored, unknown, adding or deleting ─────────────╯");
}

#[test]
fn an_empty_filter_names_as_many_fields_as_fit() {
    let filter = typed("");
    for (width, row) in [
        (11, "╰ /  ─────╯"),
        (12, "╰ /  text ─╯"),
        (17, "╰ /  text ──────╯"),
        (18, "╰ /  text name: ─╯"),
        (23, "╰ /  text name: tag: ─╯"),
    ] {
        assert_eq!(show(&frame(&filter), context(), width).rows[2], row);
    }
}

#[test]
fn tabs_end_at_the_corner_and_are_clicked_where_they_are() {
    let filter = typed("");
    let top = |width| show(&frame(&filter), context(), width).rows[0].clone();
    assert_eq!(top(60), "╭ 1 Plants  2 History  3 Check  4 Greenhouse ──────────────╮");
    assert_eq!(top(30), "╭ 1 Plants  2 History  3 Chec╮");
    let map = show(&frame(&filter), context(), 60).map;
    let is_tab = |target: &Target| matches!(target, Target::Command(_));
    let tabs = map.targets.iter().filter(|(_, target)| is_tab(target)).map(|(area, _)| *area);
    let places: Vec<_> = tabs.map(|area| (area.x, area.y, area.width, area.height)).collect();
    assert_eq!(places, [(1, 0, 10, 1), (11, 0, 11, 1), (22, 0, 9, 1), (31, 0, 14, 1)]);
}

#[test]
fn the_last_columns_of_a_table_are_cut() {
    // The first one is behind pointer and mark.
    const HEADS: [Head; 4] = [Head::left("", Column::whole(0, 0)); 4];
    let columns = TableColumns { heads: &HEADS, widths: [1, 2, 3, 4], gap: 2 };
    assert_eq!(columns.constraints(10), [4, 4, 2, 0].map(Constraint::Length));
    assert_eq!(columns.constraints(20), [4, 4, 5, 6].map(Constraint::Length));
}
