//! The filters of the tabs: what is typed, what is queried, and what is said about it.

use super::frame::screen;
use super::*;
use crate::domain::LocalTime;
use crate::domain::filter::{Filter, List};
use crate::journal::{HistoryOrder, HistoryRequest};
use crate::tui::message::Target;

/// Returns the lower border of the list, which has the filter.
fn border(app: &App) -> String {
    let rows = screen(app);
    let row = rows.iter().find(|row| row.starts_with('╰')).expect("the list has a border");
    row.split(['╯', '─']).next().unwrap_or_default().trim_matches(['╰', ' ']).to_owned()
}

fn filtered(typed: &str) -> Effect {
    let arrangement =
        Arrangement { filter: List::Plants.parse(typed, &LocalTime::default()).0, ..Arrangement::default() };
    Effect::Load(WindowRequest { arrangement, ..around(None) })
}

fn search(typed: &str) -> Effect {
    let filter = List::Requests.parse(typed, &LocalTime::default()).0;
    let search = if filter.is_empty() { Filter::default() } else { filter.without_unasked_checks() };
    let expanded = (search == Filter::default()).then(Vec::new);
    Effect::LoadHistory(HistoryRequest {
        search,
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 400,
        expanded,
    })
}

#[test]
fn plants_are_filtered_by_fields() {
    let mut app = new_app();
    app.update(window(&[]));
    // An unfinished field queries nothing.
    assert_eq!(press(&mut app, "/state:"), ["s", "st", "sta", "stat", "state", ""].map(filtered));
    assert_eq!(press(&mut app, "u"), [filtered("state:unknown")]);
    assert_eq!(press(&mut app, "nknown "), []);
    assert_eq!(press(&mut app, "!tag:d").last(), Some(&filtered("state:unknown !tag:d")));
    assert_eq!(border(&app), "/ state:unknown !tag:d");
    assert_eq!(press(&mut app, "<esc>"), [filtered("")]);
}

#[test]
fn a_dash_before_a_word_is_explained_and_filters_by_the_text() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert!(matches!(press(&mut app, "/-shade").last(), Some(Effect::Load(_))));
    assert!(border(&app).ends_with("!shade leaves it out; -shade is text"), "{}", border(&app));
}

#[test]
fn what_the_filter_hides_of_an_operation_is_said() {
    let hidden = "The filter hides it: Esc shows all.";
    for (filter, tab, is_hidden) in [
        ("tag:x", "1", true),
        ("fern", "1", false),
        ("state:stored", "1", false),
        ("", "1", false),
        ("is:delete", "2", true),
        ("status:201 !failed", "2", false),
        ("failed", "2", true),
        ("failed", "3", false),
    ] {
        let mut app = new_app();
        let operations = sent(&press(&mut app, &format!("{tab}/{filter}<enter>aFern<tab><tab>t<enter>")));
        app.update(responded(&operations[0], 201));
        assert_eq!(status_line(&app).ends_with(hidden), is_hidden, "{tab} {filter}: {}", status_line(&app));
    }
    // A delete has the texts of its plant.
    for (filter, is_hidden) in [("plant", false), ("tag:desert", true)] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored)]));
        let operations = sent(&press(&mut app, &format!("dy2/{filter}<enter>")));
        app.update(responded(&operations[0], 204));
        assert_eq!(status_line(&app).ends_with(hidden), is_hidden, "{filter}: {}", status_line(&app));
    }
    // What was rejected is in the History alone.
    for (tab, is_hidden) in [("1", false), ("2", true)] {
        let mut app = new_app();
        let operations = sent(&press(&mut app, &format!("{tab}/tag:x<enter>aFern<tab><tab>t<enter>")));
        app.update(responded(&operations[0], 409));
        assert_eq!(status_line(&app).ends_with(hidden), is_hidden, "{tab}: {}", status_line(&app));
    }
}

#[test]
fn an_invalid_word_is_said_beside_the_filter_and_filters_nothing() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let effects = press(&mut app, "/state:foo");
    assert_eq!(effects.last(), Some(&Effect::Load(around(Some(7)))));
    assert_eq!(border(&app), "/ state:foo ✗ use stored, unknown, adding or deleting");
    press(&mut app, "<enter>");
    assert_eq!(border(&app), "/ state:foo ✗ use stored, unknown, adding or deleting");
    press(&mut app, "/<c-u>nam:x");
    assert_eq!(border(&app), "/ nam:x ✗ no field nam; quotes make it text");
    assert_eq!(
        press(&mut app, "<c-u>fern").last(),
        Some(&Effect::Load(WindowRequest {
            arrangement: Arrangement {
                filter: List::Plants.parse("fern", &LocalTime::default()).0,
                ..Arrangement::default()
            },
            ..around(Some(7))
        }))
    );
    assert_eq!(border(&app), "/ fern");
}

#[test]
fn a_query_that_a_key_writes_replaces_the_typed_one() {
    let mut app = new_app();
    app.update(window(&[]));
    press(&mut app, "2");
    assert!(press(&mut app, "/!check").contains(&search("!check")));
    let effects = press(&mut app, "<enter>o");
    assert!(effects.contains(&search("outcome:accepted")), "{effects:?}");
    let effects = press(&mut app, "/<c-u>status:5xx");
    assert!(effects.contains(&search("status:5xx")), "{effects:?}");
    press(&mut app, "a");
    assert_eq!(border(&app), "/ status:5xxa ✗ use 100 to 999, or a class like 4xx");
    // Nothing of an invalid filter is left after Esc.
    let effects = press(&mut app, "<esc>");
    assert!(effects.contains(&search("")), "{effects:?}");
    press(&mut app, "/state:x<enter>");
    assert_eq!(border(&app), "/ state:x ✗ no field state; quotes make it text");
    app.update(clicked(Target::Command(crate::tui::input::Command::Back)));
    assert_eq!(border(&app), "");
}

#[test]
fn the_empty_filter_names_the_fields_of_its_tab() {
    let mut app = new_app();
    for (keys, placeholder) in [
        ("1/", "/  text name: tag: id: state:unknown !not"),
        ("<esc>2/", "/  text name: tag: id: outcome: status:5xx !check is:failed"),
        ("<esc>3/", "/  text name: verdict:fail section: !not"),
        ("<esc>4/", "/  text name: tag: id: state:unknown !not"),
    ] {
        press(&mut app, keys);
        assert!(border(&app).starts_with(placeholder), "{keys}: {}", border(&app));
    }
}
