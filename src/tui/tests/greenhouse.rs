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
