//! The demo's samples while a person uses the program.

use super::*;

fn sample(id: i64) -> Plant {
    Plant { name: format!("sample {id}"), id: PlantId(id), tag: "t".into() }
}

/// Returns a demo with its first sample in flight, in the Greenhouse, and that operation.
fn demo() -> (App, Operation) {
    let mut app = App::new(StoreInfo { demo: true, ..info() }, Keymap::default(), Some(token()));
    let effects = app.begin(vec![sample(1), sample(2)]);
    let first = sent(&effects)[0].clone();
    press(&mut app, "4");
    (app, first)
}

/// Returns the id of the plant in the picture of the Greenhouse.
fn pictured(app: &mut App) -> i64 {
    let screen = frame::screen(app);
    let (_, title) = screen[1].rsplit_once("╭ ").unwrap();
    let id =
        title.split_once('(').and_then(|(_, id)| id.split_once(')')).unwrap_or_else(|| panic!("no picture: {title}"));
    id.0.parse().unwrap()
}

/// Returns the focused plant of the Greenhouse.
fn focus(app: &App) -> Option<i64> {
    app.screens.greenhouse.focus().map(|id| id.0)
}

#[test]
fn a_sample_replaces_neither_picture_nor_message_of_a_persons_operation() {
    let (mut app, first) = demo();
    assert_eq!(pictured(&mut app), 1);
    let own = sent(&press(&mut app, "aFern<tab><tab>t<enter>"))[0].clone();
    assert_eq!((pictured(&mut app), own.kind.plant_id().0), (3, 3));
    let second = sent(&app.update(responded(&first, 201)))[0].clone();
    assert_eq!((pictured(&mut app), app.cx.session.plants.selected), (3, Some(PlantId(3))));
    assert!(status_line(&app).contains("Adding Fern (3)"), "{}", status_line(&app));
    app.update(responded(&own, 201));
    let words = status_line(&app).to_owned();
    assert!(words.contains("Fern (3)"), "{words}");
    assert_eq!((pictured(&mut app), focus(&app)), (3, Some(3)));
    app.update(responded(&second, 201));
    assert_eq!((pictured(&mut app), status_line(&app)), (3, words.as_str()));
    assert_eq!(focus(&app), Some(3));
}

#[test]
fn before_a_persons_first_operation_the_samples_are_shown() {
    let (mut app, first) = demo();
    app.update(responded(&first, 201));
    assert_eq!(pictured(&mut app), 2);
    assert!(status_line(&app).contains("sample 1"));
}

#[test]
fn older_rows_do_not_deselect_a_new_plant() {
    let (mut app, _) = demo();
    // The first rows were queried before the add.
    let own = sent(&press(&mut app, "aFern<tab><tab>t<enter>"))[0].clone();
    app.update(responded(&own, 201));
    app.update(window(&[row(1, State::Stored)]));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(3)));
    app.update(window(&[row(1, State::Stored), row(3, State::Stored)]));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(3)));
}

#[test]
fn picture_and_message_are_of_one_plant_when_the_greenhouse_opens() {
    let rows = [1, 2, 3].map(|id| row(id, State::Stored));
    let opened = |keys: &str| {
        let mut app = App::new(StoreInfo { demo: true, ..info() }, Keymap::default(), Some(token()));
        let first = sent(&app.begin(vec![sample(1), sample(2)]))[0].clone();
        let second = sent(&app.update(responded(&first, 201)))[0].clone();
        app.update(responded(&second, 201));
        app.update(window(&rows));
        app.cx.session.plants.select(PlantId(1));
        press(&mut app, keys);
        app
    };
    let mut app = opened("4");
    assert_eq!((pictured(&mut app), status_line(&app).contains("sample 2")), (2, true));
    // A plant that a person has selected stays.
    let app = opened("<down><down>4");
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(3)));
}
