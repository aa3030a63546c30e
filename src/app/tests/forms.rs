//! The add form: what an Enter counts for, what stands beside a field, what becomes of a draft.

use super::*;
use crate::app::form::AddForm;
use crate::domain::plant::Field;

fn beside(form: &AddForm, field: Field) -> String {
    form.beside(field).map(|beside| beside.to_string()).unwrap_or_default()
}

#[test]
fn an_empty_tag_needs_a_second_enter() {
    let mut model = model();
    assert_eq!(sent(&press(&mut model, "aFern<enter>")), []);
    assert_eq!(beside(add_form(&model), Field::Tag), "the tag is empty");
    assert_eq!(add_form(&model).focus, Field::Tag);
    assert_eq!(sent(&press(&mut model, "<enter>"))[0].ask.plant().unwrap().tag, "");
}

#[test]
fn an_enter_pressed_before_the_warning_was_drawn_does_not_count() {
    for (keys, name) in [("aFern<enter>", "Fern"), ("a<tab><tab>t<enter>", "")] {
        let mut model = model();
        assert_eq!(sent(&press_at_once(&mut model, &format!("{keys}<enter><enter>"))), []);
        assert!(add_form(&model).is_warned());
        // On a terminal that is too small, the frame did not show it.
        let drawn = model.drawn;
        update(&mut model, Msg::Drawn(Drawn { too_small: true, ..drawn }));
        update(&mut model, Msg::Drawn(Drawn { too_small: true, ..drawn }));
        model.drawn.too_small = false;
        assert_eq!(sent(&press_at_once(&mut model, "<enter>")), []);
        assert_eq!(sent(&press(&mut model, "<enter>"))[0].ask.plant().unwrap().name, name);
    }
}

#[test]
fn the_enter_that_closed_a_dialog_sends_no_form_that_opens_behind_it() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter><home>d<tab>"));
    update(&mut model, answered(&operations[0], 400));
    let operations = sent(&press_at_once(&mut model, "<enter><enter><enter><enter>"));
    assert_eq!(operations.iter().map(|operation| &operation.ask).collect::<Vec<_>>(), [&Ask::Delete(PlantId(7))]);
    assert!(add_form(&model).name.text() == "Fern" && !add_form(&model).is_warned());
    assert_eq!(sent(&press(&mut model, "<enter>")), []);
    assert!(add_form(&model).is_warned());
}

#[test]
fn a_warning_that_was_closed_away_is_given_anew() {
    let mut model = model();
    assert_eq!(sent(&press(&mut model, "aFern<enter>")), []);
    assert_eq!(sent(&press(&mut model, "<esc>a<enter>")), []);
    assert_eq!(sent(&press(&mut model, "<enter>")).len(), 1);
}

#[test]
fn an_id_in_the_list_names_the_plant_that_has_it() {
    let mut model = model();
    let details = Some(Details { name: "Monstera".into(), tag: "tropical".into() });
    update(&mut model, window(&[Row { details, ..row(7, State::Stored) }]));
    press(&mut model, "aFern<tab><c-u>7");
    assert_eq!(beside(add_form(&model), Field::Id), "7 is Monstera (tropical), stored");
    let nameless = Row { details: None, ..row(7, State::Unknown) };
    update(&mut model, told_of(Some(nameless)));
    assert_eq!(beside(add_form(&model), Field::Id), "7 is a plant whose name is not known, unknown");
}

#[test]
fn the_reason_of_a_rejection_is_not_shown_over_another_plant() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    update(&mut model, answered(&operations[0], 409));
    assert!(add_form(&model).reasons()[0].contains("409"));
    press(&mut model, "<tab><c-u>");
    assert!(!add_form(&model).reasons().is_empty());
    press(&mut model, "2");
    assert_eq!(add_form(&model).reasons(), [""; 0]);
    press(&mut model, "<esc>a");
    assert_eq!(add_form(&model).reasons(), [""; 0]);
    press(&mut model, "<backspace>1");
    assert!(add_form(&model).reasons()[0].contains("409"));
}

#[test]
fn a_blank_form_is_one_key_away_and_loses_nothing() {
    let mut model = model();
    let operations = sent(&press(&mut model, "aFern<tab><tab>t<enter>"));
    update(&mut model, answered(&operations[0], 409));
    press(&mut model, "<f2>");
    let form = add_form(&model);
    assert_eq!((form.name.text(), form.id.text(), form.reasons().len()), ("", "1", 0));
    // There is none over a blank one, and the other comes back.
    press(&mut model, "<f2><esc>a");
    assert_eq!(add_form(&model).name.text(), "Fern");
    // Unchanged since it was kept, it is kept all the same.
    press(&mut model, "<f2><esc>a");
    assert_eq!(add_form(&model).name.text(), "Fern");
}

#[test]
fn the_form_says_whether_one_enter_sends() {
    let mut model = model();
    for (keys, twice) in [("a", true), ("Fern", true), ("<tab><tab>t", false), (" ", true)] {
        press(&mut model, keys);
        let form = add_form(&model);
        assert_eq!(form.sends_on_the_second_enter(&form.plant().unwrap()), twice, "{keys}");
    }
}
