//! The Plants tab: the requests in its pane, and the words of an empty list.

use super::*;

/// The words of the pane on a wide terminal, or of the whole frame where a dialog is open.
fn shown(app: &mut App) -> String {
    let from = if app.cx.display.has_dialog { 0 } else { 66 };
    let buffer = drawn(app, &dark(), (120, 36));
    let rows = buffer.content.chunks(120).map(|row| row[from..].iter().map(Cell::symbol).collect::<String>());
    let words = rows.flat_map(|row| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    words.filter(|word| !word.contains('│')).collect::<Vec<_>>().join(" ")
}

fn ficus() -> OperationKind {
    OperationKind::add(Plant { name: "Ficus".into(), id: PlantId(7), tag: "office".into() })
}

#[test]
fn the_pane_lists_requests_of_other_plants_with_the_same_id_apart() {
    let mut app = full();
    let rejected = exchange(ficus(), response(409, "Conflict", r#"{"error":"id in use"}"#));
    let own = exchange(monstera(), response(201, "Created", r#"{"name":"Monstera deliciosa","tag":"tropical"}"#));
    history_came(&mut app, 7, vec![rejected, own], None);
    let pane = shown(&mut app);
    assert!(pane.contains("HTTP/1.1 201 Created") && pane.contains(r#""name":"Monstera deliciosa""#), "{pane}");
    assert!(!pane.contains("HTTP/1.1 409") && !pane.contains("id in use"), "{pane}");
    assert!(pane.contains("another add with this id: Ficus (7)") && pane.contains("rejected: 409"), "{pane}");
    press(&mut app, "<enter>");
    let history = shown(&mut app);
    assert!(!history.contains("HTTP/1.1 409") && history.contains("another add with this id: Ficus (7)"), "{history}");
}

#[test]
fn the_pane_shows_the_new_plant_after_its_id_was_reused() {
    let mut app = full();
    app.update(window(vec![row(7, "Ficus", "office", State::Stored)]));
    let deleted = exchange(OperationKind::Delete(PlantId(7)), response(204, "No Content", ""));
    let before = exchange(monstera(), response(201, "Created", ""));
    history_came(&mut app, 7, vec![exchange(ficus(), response(201, "Created", "")), deleted, before], None);
    let pane = shown(&mut app);
    assert!(!pane.contains("1 earlier") && !pane.contains("2 earlier"), "{pane}");
    assert!(pane.contains("another delete with this id: Monstera deliciosa (7)"), "{pane}");
    assert!(pane.contains("another add with this id: Monstera deliciosa (7)"), "{pane}");
}

/// The words of the list.
fn listed(app: &mut App) -> String {
    let buffer = drawn(app, &dark(), (120, 36));
    let rows = buffer.content.chunks(120).map(|row| row[..66].iter().map(Cell::symbol).collect::<String>());
    let words = rows.flat_map(|row| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    words.filter(|word| !word.contains('│')).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_empty_list_says_yet_only_before_the_first_request() {
    let mut app = fresh(false);
    app.update(stands(Vec::new(), PlantId(1)));
    assert!(listed(&mut app).contains("No plants yet. Press a to add the first one."));
    // The first one is in flight.
    let effects = press(&mut app, "aFern<tab><tab>t<enter>");
    assert!(listed(&mut app).contains("No plants yet."));
    let sent = effects.into_iter().find_map(|effect| if let Effect::Send(sent) = effect { Some(sent) } else { None });
    let rejected = Exchange { operation: sent.unwrap(), ..exchange(monstera(), response(400, "Bad Request", "")) };
    app.update(end_of(rejected, None, None));
    press(&mut app, "<esc>");
    // A plant was deleted, forgotten or rejected, in this session or an earlier one.
    for next_id in [1, 8] {
        let mut earlier = fresh(false);
        let app = if next_id == 1 { &mut app } else { &mut earlier };
        app.update(stands(Vec::new(), PlantId(next_id)));
        let words = listed(app);
        assert!(!words.contains("yet") && words.contains("No plants in the list now."), "{words}");
        assert!(words.contains("a adds one; b adds one again that was deleted, forgotten or rejected"), "{words}");
    }
}

#[test]
fn a_filter_without_matches_differs_from_an_empty_list() {
    let mut app = full();
    press(&mut app, "/oak<enter>");
    filtered_window(&mut app, Vec::new());
    assert!(listed(&mut app).contains("None of the 7 plants in the list matches the filter."));
    let mut empty = fresh(false);
    empty.update(stands(Vec::new(), PlantId(8)));
    press(&mut empty, "/oak<enter>");
    filtered_window(&mut empty, Vec::new());
    let words = listed(&mut empty);
    assert!(words.contains("No plants in the list now.") && !words.contains("shows all"), "{words}");
}

#[test]
fn quitting_says_that_the_journal_of_the_demo_is_not_kept() {
    for demo in [false, true] {
        let mut app = fresh(demo);
        app.update(stands(Vec::new(), PlantId(8)));
        let lost = Ending::Failed(Failure { kind: FailureKind::TimedOut, detail: String::new() });
        ended(&mut app, monstera(), lost, None);
        app.update(stands(vec![row(7, "Monstera deliciosa", "tropical", State::Unknown)], PlantId(8)));
        press(&mut app, "q");
        let words = shown(&mut app);
        assert_eq!(words.contains("The journal keeps that: resolve it at any later start."), !demo, "{words}");
        assert_eq!(words.contains("The demo's plants and history are gone once you quit."), demo, "{words}");
    }
}

#[test]
fn a_delete_by_id_promises_only_that_it_can_be_requested() {
    let mut app = full();
    press(&mut app, "D");
    let words = shown(&mut app);
    assert!(!words.contains("can be deleted"), "{words}");
    assert!(words.contains("A delete of any id can be requested, also of one that is not in the list"), "{words}");
}

#[test]
fn no_digit_of_an_id_is_cut_on_a_narrow_terminal() {
    for width in 50..=120 {
        let buffer = drawn(&mut full(), &dark(), (width, 36));
        assert!(text(&buffer).contains(" 9223372036854775807  "), "{width}:\n{}", text(&buffer));
    }
}
