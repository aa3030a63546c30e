//! Sorting by the number of a column, in Plants and History.

use super::tabs::{history_came, in_history, request, stored};
use super::*;
use crate::domain::LocalTime;
use crate::domain::filter::List;
use crate::journal::{Column, HistoryColumn, HistoryLine, HistoryOrder, HistoryRequest, HistoryRow, HistoryWindow};
use crate::tui::message::Target;
use crate::tui::ui_effect::Tab;

fn order(app: &App) -> (Column, bool) {
    (app.cx.session.plants.column, app.cx.session.plants.descending)
}

/// Returns the query for the first lines in this order.
fn in_order(column: HistoryColumn, descending: bool, rows: usize) -> HistoryRequest {
    let order = HistoryOrder { column, descending };
    HistoryRequest { order, rows, expanded: None, ..request(HistoryRequest::NEWEST) }
}

fn lines(numbers: impl IntoIterator<Item = i64>, older: bool) -> HistoryWindow {
    let line = |number| HistoryRow::Request(HistoryLine::from(&stored(number)));
    HistoryWindow { lines: numbers.into_iter().map(line).collect(), newer: false, older }
}

pub(super) fn footer(app: &App) -> String {
    frame::screen(app).last().unwrap().clone()
}

#[test]
fn a_number_sorts_by_its_column_and_again_reverses() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored)]));
    assert_eq!(press(&mut app, "s"), []);
    assert_eq!(app.scope(), Scope::Sorting);
    assert_eq!(
        status_line(&app).replace('\u{a0}', " "),
        "Sort by 1 id, 2 name, 3 tag, 4 state, 5 since; s the next one. Now by id, lowest first."
    );
    assert!(
        footer(&app).starts_with(" 1 id  2 name  3 tag  4 state  5 since  s next column  Esc cancel"),
        "{}",
        footer(&app)
    );
    let effects = press(&mut app, "3");
    assert!(
        matches!(&effects[..], [Effect::Load(request)] if request.arrangement.column == Column::Tag),
        "{effects:?}"
    );
    assert_eq!((order(&app), app.cx.display.tab), ((Column::Tag, false), Tab::Plants));
    assert_eq!((app.scope(), status_line(&app)), (Scope::Plants, "Sorted by tag, A to Z."));
    press(&mut app, "s3");
    assert_eq!((order(&app), status_line(&app)), ((Column::Tag, true), "Sorted by tag, Z to A."));
    // The other tabs are reached again.
    press(&mut app, "3");
    assert_eq!(app.cx.display.tab, Tab::Check);
}

#[test]
fn the_columns_are_listed_as_long_as_their_numbers_sort() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    press(&mut app, "s");
    app.update(wheeled(Target::List, true));
    assert!(status_line(&app).starts_with("Sort by ") && app.scope() == Scope::Sorting);
    app.update(clicked(Target::Plant(PlantId(2))));
    assert_eq!((app.scope(), status_line(&app)), (Scope::Plants, ""));
    press(&mut app, "2");
    assert_eq!(app.cx.display.tab, Tab::History);
    press(&mut app, "s");
    app.update(clicked(Target::List));
    assert_eq!((app.scope(), status_line(&app)), (Scope::History, ""));
}

#[test]
fn twice_the_key_sorts_by_the_next_column() {
    let mut app = new_app();
    let mut seen = Vec::new();
    for _ in 0..6 {
        press(&mut app, "ss");
        seen.push(order(&app));
    }
    let columns = [Column::Name, Column::Tag, Column::State, Column::Since, Column::Id, Column::Name];
    assert_eq!(seen, columns.map(|column| (column, false)));
}

#[test]
fn any_other_key_ends_the_wait_and_does_what_it_does() {
    let before = (Column::Id, false);
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    assert_eq!(press(&mut app, "s<esc>"), []);
    assert_eq!((app.scope(), message(&app)), (Scope::Plants, None));
    press(&mut app, "sj");
    assert_eq!((app.scope(), app.cx.session.plants.selected), (Scope::Plants, Some(PlantId(2))));
    press(&mut app, "s6");
    assert_eq!(
        (app.scope(), message(&app)),
        (Scope::Plants, Some("6 does nothing now: this list has no such column."))
    );
    press(&mut app, "s9");
    assert_eq!((app.scope(), message(&app)), (Scope::Plants, Some("This list has no column 9: the order stays.")));
    press(&mut app, "s<c-c>");
    assert_eq!((app.scope(), title(&app)), (Scope::Plants, String::new()), "Ctrl-C ends the wait alone");
    press(&mut app, "sa");
    assert_eq!(app.scope(), Scope::Form);
    press(&mut app, "<esc>s<tab>");
    assert_eq!((app.cx.display.tab, app.scope()), (Tab::History, Scope::History));
    press(&mut app, "1s");
    app.update(clicked(Target::Plant(PlantId(1))));
    assert_eq!((app.scope(), order(&app)), (Scope::Plants, before));
    press(&mut app, "s?");
    assert_eq!(app.scope(), Scope::Pager);
    press(&mut app, "<esc>");
    assert_eq!((app.scope(), order(&app)), (Scope::Plants, before));
}

#[test]
fn the_palette_sorts_in_either_direction_and_says_so() {
    let mut app = new_app();
    press(&mut app, ":sort -name<enter>");
    assert_eq!((order(&app), status_line(&app)), ((Column::Name, true), "Sorted by name, Z to A."));
    press(&mut app, ":sort -name<enter>");
    assert_eq!(order(&app), (Column::Name, true), "it names the direction");
    press(&mut app, ":sort since<enter>");
    assert_eq!((order(&app), status_line(&app)), ((Column::Since, false), "Sorted by since, oldest first."));
    press(&mut app, ":sort since<enter>");
    assert_eq!(order(&app), (Column::Since, true));
    // In History, the columns are its own.
    let effects = press(&mut app, "2:sort took<enter>");
    assert!(effects.contains(&Effect::LoadHistory(in_order(HistoryColumn::Took, true, 400))), "{effects:?}");
    assert_eq!((app.cx.display.tab, status_line(&app)), (Tab::History, "Sorted by took, slowest first."));
    let effects = press(&mut app, ":sort -took<enter>");
    assert!(effects.contains(&Effect::LoadHistory(in_order(HistoryColumn::Took, false, 400))), "{effects:?}");
    press(&mut app, ":sort tag<enter>");
    assert!(dialog(&app).says("No column is named tag: use started, what, plant, status"), "{:#?}", dialog(&app));
    assert_eq!((app.cx.display.tab, order(&app)), (Tab::History, (Column::Since, true)));
}

#[test]
fn requests_are_sorted_by_the_journal_from_the_first_line_on() {
    let mut app = in_history((1..=20).rev());
    press(&mut app, "<down>");
    let asked = in_order(HistoryColumn::Took, true, 400);
    assert_eq!(press(&mut app, "s7"), [Effect::LoadHistory(asked.clone())]);
    // A late window in the order before is ignored.
    history_came(&mut app, request(HistoryRequest::NEWEST), lines((1..=21).rev(), false));
    assert_eq!(app.screens.history.list.lines.len(), 20);
    history_came(&mut app, asked.clone(), lines([7, 3, 12], true));
    assert_eq!(app.screens.history.list.selected_request(), Some(7), "the first line");
    // The window grows at its end, and the selection stays.
    let more = in_order(HistoryColumn::Took, true, 403);
    assert_eq!(press(&mut app, "<down>")[0], Effect::LoadHistory(more.clone()));
    history_came(&mut app, more.clone(), lines([9, 7, 3, 12, 1], false));
    assert_eq!(app.screens.history.list.selected_request(), Some(3));
    // A line that has left the window leaves the selection where it was.
    app.update(Msg::JournalChanged);
    history_came(&mut app, more, lines([9, 7, 12, 1], false));
    assert_eq!(app.screens.history.list.selected_request(), Some(12));
    let effects = app.update(clicked(Target::Heading(6)));
    assert!(effects.contains(&Effect::LoadHistory(in_order(HistoryColumn::Took, false, 400))), "{effects:?}");
    // The newest first again, from the newest on, with runs of the check collapsed.
    assert_eq!(press(&mut app, "s1")[0], Effect::LoadHistory(request(HistoryRequest::NEWEST)));
}

#[test]
fn a_filter_keeps_the_order_of_the_requests() {
    let mut app = in_history((1..=3).rev());
    press(&mut app, "s4");
    let search = List::Requests.parse("f", &LocalTime::default()).0.without_unasked_checks();
    let asked = HistoryRequest { search, ..in_order(HistoryColumn::Status, false, 400) };
    assert!(press(&mut app, "/f").contains(&Effect::LoadHistory(asked)));
}
