//! The add form: what an Enter counts for, what stands beside a field, what becomes of a draft.

use super::*;
use crate::domain::plant::Field;

/// What stands beside a field of the form in front, without its mark.
fn beside(app: &App, label: &str) -> String {
    dialog(app).below(label).trim_start_matches(['!', ' ']).to_owned()
}

/// Whether Enter sends what the form in front holds, because it was warned about.
fn is_warned(app: &App) -> bool {
    dialog(app).says("once more sends it unchanged:")
}

#[test]
fn an_empty_tag_needs_a_second_enter() {
    let mut app = new_app();
    assert_eq!(sent(&press(&mut app, "aFern<enter>")), []);
    assert_eq!(beside(&app, "tag"), "the tag is empty");
    assert_eq!(draft(&app).focus, Field::Tag);
    assert_eq!(sent(&press(&mut app, "<enter>"))[0].kind.plant().unwrap().tag, "");
}

#[test]
fn an_enter_pressed_before_the_warning_was_drawn_does_not_count() {
    for (keys, name) in [("aFern<enter>", "Fern"), ("a<tab><tab>t<enter>", "")] {
        let mut app = new_app();
        assert_eq!(sent(&press_at_once(&mut app, &format!("{keys}<enter><enter>"))), []);
        assert!(is_warned(&app));
        // On a terminal that is too small, the frame did not show it.
        let drawn = app.cx.display.layout;
        app.update(Msg::Drawn(FrameLayout { too_small: true, ..drawn }));
        app.update(Msg::Drawn(FrameLayout { too_small: true, ..drawn }));
        app.cx.display.layout.too_small = false;
        assert_eq!(sent(&press_at_once(&mut app, "<enter>")), []);
        assert_eq!(sent(&press(&mut app, "<enter>"))[0].kind.plant().unwrap().name, name);
    }
}

#[test]
fn the_enter_that_closed_a_dialog_sends_no_form_that_opens_behind_it() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter><home>d<tab>"));
    app.update(responded(&operations[0], 400));
    let operations = sent(&press_at_once(&mut app, "<enter><enter><enter><enter>"));
    assert_eq!(
        operations.iter().map(|operation| &operation.kind).collect::<Vec<_>>(),
        [&OperationKind::Delete(PlantId(7))]
    );
    assert!(draft(&app).name.text() == "Fern" && !is_warned(&app));
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    assert!(is_warned(&app));
}

#[test]
fn a_warning_that_was_closed_away_is_given_anew() {
    let mut app = new_app();
    assert_eq!(sent(&press(&mut app, "aFern<enter>")), []);
    assert_eq!(sent(&press(&mut app, "<esc>a<enter>")), []);
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn an_id_in_the_list_names_the_plant_that_has_it() {
    let mut app = new_app();
    let details = Some(Details { name: "Monstera".into(), tag: "tropical".into() });
    app.update(window(&[Row { details, ..row(7, State::Stored) }]));
    press(&mut app, "aFern<tab><c-u>7");
    assert_eq!(beside(&app, "id"), "7 is Monstera (tropical), stored");
    let nameless = Row { details: None, ..row(7, State::Unknown) };
    app.update(told_of(Some(nameless)));
    assert_eq!(beside(&app, "id"), "7 is a plant whose name is not known, unknown");
}

#[test]
fn the_reason_of_a_rejection_is_not_shown_over_another_plant() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    assert!(draft(&app).reasons()[0].contains("409"));
    press(&mut app, "<tab><c-u>");
    assert!(!draft(&app).reasons().is_empty());
    press(&mut app, "2");
    assert_eq!(draft(&app).reasons(), [""; 0]);
    press(&mut app, "<esc>a");
    assert_eq!(draft(&app).reasons(), [""; 0]);
    press(&mut app, "<backspace>1");
    assert!(draft(&app).reasons()[0].contains("409"));
}

#[test]
fn a_blank_form_is_one_key_away_and_loses_nothing() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    press(&mut app, "<f2>");
    let form = draft(&app);
    assert_eq!((form.name.text(), form.id.text(), form.reasons().len()), ("", "1", 0));
    // There is none over a blank one, and the other comes back.
    press(&mut app, "<f2><esc>a");
    assert_eq!(draft(&app).name.text(), "Fern");
    // Unchanged since it was kept, it is kept all the same.
    press(&mut app, "<f2><esc>a");
    assert_eq!(draft(&app).name.text(), "Fern");
}

#[test]
fn the_form_says_whether_one_enter_sends() {
    let mut app = new_app();
    for (keys, twice) in [("a", true), ("Fern", true), ("<tab><tab>t", false), (" ", true)] {
        press(&mut app, keys);
        let words = if twice { "Enter twice sends:" } else { "Enter sends:" };
        assert!(dialog(&app).says(words), "{keys}");
    }
}
