//! The demo's samples beside what a person does meanwhile.

use super::*;
use crate::app::greenhouse::Scene;

fn sample(id: i64) -> Plant {
    Plant { name: format!("sample {id}"), id: PlantId(id), tag: "t".into() }
}

/// A demo whose first sample is out, and that sample's operation.
fn demo() -> (Model, Operation) {
    let mut model = Model::new(Facts { demo: true, ..facts() }, KeyTable::default(), true);
    let effects = model.begin(vec![sample(1), sample(2)]);
    let first = sent(&effects)[0].clone();
    (model, first)
}

fn said(model: &Model) -> &str {
    &model.happened.as_ref().unwrap().text
}

/// The id that the picture is about.
fn pictured(model: &Model) -> i64 {
    match model.scene() {
        Scene::Out(flight, ..) => flight.operation.ask.plant_id().0,
        Scene::Over(said, _) => said.exchange.operation.ask.plant_id().0,
        Scene::Nothing(why) => panic!("no picture: {why:?}"),
    }
}

#[test]
fn a_sample_takes_neither_picture_nor_words_from_what_a_person_did() {
    let (mut model, first) = demo();
    assert_eq!(pictured(&model), 1);
    let own = sent(&press(&mut model, "aFern<tab><tab>t<enter>"))[0].clone();
    assert_eq!((pictured(&model), own.ask.plant_id().0), (3, 3));
    let second = sent(&update(&mut model, answered(&first, 201)))[0].clone();
    assert_eq!((pictured(&model), model.table.selected), (3, Some(PlantId(3))));
    assert!(said(&model).contains("Adding Fern (3)"), "{}", said(&model));
    update(&mut model, answered(&own, 201));
    let words = said(&model).to_owned();
    assert!(words.contains("Fern (3)"), "{words}");
    assert_eq!((pictured(&model), model.greenhouse.focus().map(|focus| focus.id)), (3, Some(PlantId(3))));
    update(&mut model, answered(&second, 201));
    assert_eq!((pictured(&model), said(&model)), (3, words.as_str()));
    assert_eq!(model.greenhouse.focus().map(|focus| focus.id), Some(PlantId(3)));
}

#[test]
fn until_a_person_does_something_the_samples_are_what_there_is_to_see() {
    let (mut model, first) = demo();
    update(&mut model, answered(&first, 201));
    assert_eq!(pictured(&model), 2);
    assert!(said(&model).contains("sample 1"));
}

#[test]
fn rows_read_before_a_plant_came_do_not_take_its_selection() {
    let (mut model, _) = demo();
    // Asked for while the rows of the start are still out: what comes first is older than the add.
    let own = sent(&press(&mut model, "aFern<tab><tab>t<enter>"))[0].clone();
    update(&mut model, answered(&own, 201));
    update(&mut model, window(&[row(1, State::Stored)]));
    assert_eq!(model.table.selected, Some(PlantId(3)));
    update(&mut model, window(&[row(1, State::Stored), row(3, State::Stored)]));
    assert_eq!(model.table.selected, Some(PlantId(3)));
}
