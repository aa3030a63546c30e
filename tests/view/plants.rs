//! The Plants tab: whose requests the pane shows, and what is said where there is nothing to list.

use super::*;

/// What is drawn at the size of a wide terminal: the words of the pane, or of what is open over it.
fn shown(model: &mut Model) -> String {
    let from = if model.overlay.is_none() { 66 } else { 0 };
    let buffer = drawn(model, &dark(), (120, 36));
    let rows = buffer.content.chunks(120).map(|row| row[from..].iter().map(Cell::symbol).collect::<String>());
    let words = rows.flat_map(|row| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    words.filter(|word| !word.contains('│')).collect::<Vec<_>>().join(" ")
}

fn ficus() -> Ask {
    Ask::Add(Plant { name: "Ficus".into(), id: PlantId(7), tag: "office".into() })
}

#[test]
fn the_pane_does_not_show_the_request_of_another_plant_as_the_plants_own() {
    let mut model = full();
    let rejected = exchange(ficus(), answer(409, "Conflict", r#"{"error":"id in use"}"#));
    let own = exchange(monstera(), answer(201, "Created", r#"{"name":"Monstera deliciosa","tag":"tropical"}"#));
    told(&mut model, 7, vec![rejected, own], None);
    let pane = shown(&mut model);
    assert!(pane.contains("HTTP/1.1 201 Created") && pane.contains(r#""name":"Monstera deliciosa""#), "{pane}");
    assert!(!pane.contains("HTTP/1.1 409") && !pane.contains("id in use"), "{pane}");
    assert!(pane.contains("another add with this id: Ficus (7)") && pane.contains("rejected: 409"), "{pane}");
    press(&mut model, "<enter>");
    let history = shown(&mut model);
    assert!(!history.contains("HTTP/1.1 409") && history.contains("another add with this id: Ficus (7)"), "{history}");
}

#[test]
fn after_a_delete_and_an_add_under_another_name_the_pane_is_about_the_new_plant() {
    let mut model = full();
    update(&mut model, window(vec![row(7, "Ficus", "office", State::Stored)]));
    let deleted = exchange(Ask::Delete(PlantId(7)), answer(204, "No Content", ""));
    let before = exchange(monstera(), answer(201, "Created", ""));
    told(&mut model, 7, vec![exchange(ficus(), answer(201, "Created", "")), deleted, before], None);
    let pane = shown(&mut model);
    assert!(!pane.contains("1 earlier") && !pane.contains("2 earlier"), "{pane}");
    assert!(pane.contains("another delete with this id: Monstera deliciosa (7)"), "{pane}");
    assert!(pane.contains("another add with this id: Monstera deliciosa (7)"), "{pane}");
}
