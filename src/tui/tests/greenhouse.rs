//! Keys in the Greenhouse.

use super::*;

#[test]
fn the_filter_is_typed_there_and_escape_shows_all_plants_again() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    press(&mut app, "4/plant");
    assert_eq!(app.cx.session.plants.filter.text(), "plant");
    press(&mut app, "<enter>");
    assert_eq!(app.cx.session.plants.filter.text(), "plant");
    press(&mut app, "/ 2<esc>");
    assert_eq!(app.cx.session.plants.filter.text(), "");
}

#[test]
fn a_request_in_flight_is_shown_as_it_was_sent() {
    let mut app = new_app();
    press(&mut app, "4aFern<tab><tab>shade<enter>");
    let says = |app: &App, words: &str| frame::screen(app).iter().any(|row| row.contains(words));
    assert!(says(&app, " the store ") && !says(&app, "POST "));
    press(&mut app, "p");
    assert!(says(&app, "POST ") && !says(&app, " the store "), "{:#?}", frame::screen(&app));
}

#[test]
fn a_message_about_a_plant_goes_as_another_one_is_selected() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    press(&mut app, "4<home>");
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    app.update(responded(&operations[0], 409));
    press(&mut app, "<home>");
    assert!(app.cx.out.status.message.is_some(), "its plant is still selected");
    press(&mut app, "<right>");
    assert_eq!(app.cx.out.status.message, None);
}

#[test]
fn the_first_and_the_last_pot_are_those_of_the_whole_list() {
    let rows = |ids: std::ops::Range<i64>| ids.map(|id| row(id, State::Stored)).collect::<Vec<_>>();
    let part = |first: usize, rows: Vec<Row>| {
        let Msg::Window(request, Ok(window)) = window(&rows) else { panic!("a window") };
        Msg::Window(request, Ok(Window { first, total: 1000, ..window }))
    };
    let mut app = new_app();
    app.cx.session.plants.select(PlantId(300));
    app.update(part(100, rows(100..500)));
    press(&mut app, "4");
    app.update(part(100, rows(100..500)));
    let asked = |anchor| Effect::Load(WindowRequest { anchor, ..around(None) });
    assert_eq!(press(&mut app, "<end>"), [asked(Anchor::Index(799))]);
    app.update(part(600, rows(600..1000)));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(999)));
    let says = |app: &App, words: &str| frame::screen(app).iter().any(|row| row.contains(words));
    assert!(says(&app, "-1,000 of 1,000 ╯"), "{:#?}", frame::screen(&app));
    assert_eq!(press(&mut app, "<home>"), [asked(Anchor::Index(0))]);
    app.update(part(0, rows(0..400)));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(0)));
    // A rejected plant has a pot too.
    let operations = sent(&press(&mut app, "aFern<tab><tab>shade<enter>"));
    app.update(responded(&operations[0], 400));
    app.update(Msg::Now(Timestamp(app.cx.now().0 + 1_000)));
    assert!(says(&app, " of 1,001 ╯"), "{:#?}", frame::screen(&app));
}
