//! Resolving what is unknown: one plant at a time, all on a walk, and the marked ones at once.

use super::*;
use crate::domain::Unresolved;

#[test]
fn a_plant_in_doubt_is_settled_by_a_person() {
    let plant = Plant { name: "plant 7".into(), id: PlantId(7), tag: "t".into() };
    let doubt = doubt(2, Ask::Add(plant));
    let story = || Story { row: Some(row(7, State::Unknown)), in_doubt: Some(doubt.clone()), exchanges: Vec::new() };
    let word = |settlement| Act::Settle(PlantId(7), Some(doubt.operation), settlement);
    let answers = [
        ("", Act::Leave),
        ("<tab>", Act::Send(doubt.ask.clone())),
        ("<tab><tab>", Act::Send(Ask::Delete(PlantId(7)))),
        ("<tab><tab><tab>", word(Settlement::MarkStored)),
        ("<tab><tab><tab><tab>", word(Settlement::Forget)),
    ];
    for (keys, act) in answers {
        let mut model = model();
        update(&mut model, window(&[row(7, State::Unknown)]));
        update(&mut model, Msg::Story(PlantId(7), Ok(Box::new(story()))));
        press(&mut model, "u");
        press(&mut model, keys);
        assert_eq!(dialog(&model).act(), act);
    }
}

#[test]
fn a_word_that_comes_too_late_is_told_without_an_alarm_and_all_is_read_again() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Unknown)]));
    update(&mut model, told(7, State::Unknown, Some(2)));
    let late = || Msg::Settled(PlantId(7), Settlement::Forget, Err(JournalError::Overtaken));
    let effects = update(&mut model, late());
    assert!(model.happened.as_ref().unwrap().text.contains("plant 7 (7) is not resolved: it was settled or changed"));
    assert!(model.notices.is_empty());
    assert!(matches!(effects.as_slice(), [Effect::Load(_), Effect::Tell(PlantId(7))]), "{effects:?}");
    // Any other reason is one to act on.
    update(&mut model, Msg::Settled(PlantId(7), Settlement::Forget, Err(JournalError::Died)));
    assert_eq!(model.notices.len(), 1);
}

#[test]
fn a_question_about_a_doubt_that_is_over_is_withdrawn() {
    for (now, doubt) in [(State::Stored, None), (State::Unknown, Some(3))] {
        let mut model = model();
        update(&mut model, window(&[row(7, State::Unknown)]));
        update(&mut model, told(7, State::Unknown, Some(2)));
        press(&mut model, "u");
        update(&mut model, told(7, State::Unknown, Some(2)));
        assert!(dialog(&model).title.contains("still in the store"));
        update(&mut model, told(7, now, doubt));
        assert_eq!(model.overlay, None);
        assert!(model.happened.as_ref().unwrap().text.contains("plant 7 (7) was resolved or changed elsewhere"));
    }
}

#[test]
fn a_doubt_elsewhere_in_the_view_is_found() {
    let mut model = model();
    update(&mut model, window(&[row(1, State::Stored), row(7, State::Unknown)]));
    assert_eq!(press(&mut model, "u"), [Effect::FindDoubts]);
    assert_eq!(update(&mut model, doubts(&[7])), [Effect::Tell(PlantId(7))]);
    update(&mut model, told(7, State::Unknown, Some(2)));
    assert_eq!(model.table.selected, Some(PlantId(7)));
    assert!(dialog(&model).title.contains("still in the store"));
}

#[test]
fn a_doubt_that_another_program_settled_is_not_chased() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Unknown)]));
    update(&mut model, told(7, State::Stored, None));
    press(&mut model, "u");
    assert_eq!(update(&mut model, doubts(&[])), [Effect::Tell(PlantId(7))]);
    let effects = update(&mut model, told(7, State::Stored, None));
    assert!(!effects.contains(&Effect::Tell(PlantId(7))), "{effects:?}");
    assert!(model.happened.as_ref().unwrap().text.contains("no longer unknown"));
}

/// A model on a walk through 3, 5 and 8 that begins with 5, the selected one.
fn walking() -> Model {
    let mut model = model();
    update(&mut model, window(&[3, 5, 8].map(|id| row(id, State::Unknown))));
    press(&mut model, "<down>");
    assert_eq!(press(&mut model, "u"), [Effect::FindDoubts]);
    assert_eq!(update(&mut model, doubts(&[3, 5, 8])), [Effect::Tell(PlantId(5))]);
    update(&mut model, told(5, State::Unknown, Some(2)));
    assert_eq!((asked_about(&model), model.place_in_walk()), (5, Some((1, 3))));
    model
}

fn asked_about(model: &Model) -> i64 {
    dialog(model).about.unwrap().0
}

/// What the activity line says.
fn line(model: &Model) -> &str {
    model.happened.as_ref().map_or("", |happened| happened.text.as_str())
}

#[test]
fn a_walk_goes_through_all_that_is_in_doubt_and_says_what_is_left() {
    let mut model = walking();
    // Settled: the next is asked about as soon as its story has come.
    let effects = press(&mut model, "<up><enter>");
    let word = Effect::Settle(PlantId(5), Some(OperationId { origin: 2, number: 1 }), Settlement::Forget);
    assert_eq!(effects, [word, Effect::Tell(PlantId(8))]);
    update(&mut model, Msg::Settled(PlantId(5), Settlement::Forget, Ok(())));
    update(&mut model, told(8, State::Unknown, Some(2)));
    assert_eq!((asked_about(&model), model.place_in_walk(), model.table.selected), (8, Some((2, 3)), Some(PlantId(8))));
    // Sent again: it goes out, and the walk goes on, around.
    let effects = press(&mut model, "<tab><enter>");
    assert_eq!(sent(&effects).iter().map(|sent| sent.ask.clone()).collect::<Vec<_>>(), [Ask::Delete(PlantId(8))]);
    assert!(effects.contains(&Effect::Tell(PlantId(3))));
    update(&mut model, told(3, State::Unknown, Some(2)));
    assert_eq!((asked_about(&model), model.place_in_walk()), (3, Some((3, 3))));
    // Left: at the end the journal tells what is left.
    assert_eq!(press(&mut model, "<enter>"), [Effect::FindDoubts]);
    assert_eq!((&model.overlay, &model.walk), (&None, &None));
    update(&mut model, doubts(&[3]));
    assert_eq!(line(&model), "Still unknown: plant 3 (3); u goes on.");
    // The same again: the journal is asked anew.
    assert_eq!(press(&mut model, "u"), [Effect::FindDoubts]);
    assert_eq!(asked_about(&model), 3);
}

#[test]
fn a_walk_that_leaves_nothing_in_doubt_says_no_more_than_what_was_done() {
    let mut model = model();
    update(&mut model, window(&[row(7, State::Unknown)]));
    update(&mut model, told(7, State::Unknown, Some(2)));
    press(&mut model, "u");
    assert_eq!(model.place_in_walk(), None, "it is the only one as far as is known");
    // Answered before the journal has told whether there are others.
    assert_eq!(press(&mut model, "<up><enter>").len(), 1);
    update(&mut model, Msg::Settled(PlantId(7), Settlement::Forget, Ok(())));
    assert_eq!(update(&mut model, doubts(&[7])), [Effect::FindDoubts]);
    update(&mut model, doubts(&[]));
    assert_eq!(line(&model), "Forgotten here: plant 7 (7). Nothing was sent.");
    // What was done is not hidden by what is left.
    update(&mut model, doubts(&[1, 2, 3, 4]));
    assert!(line(&model).starts_with("Forgotten here: plant 7 (7). Nothing was sent. Still unknown: plant 1 (1), "));
    assert!(line(&model).ends_with("plant 3 (3) and more; u goes on."));
}

#[test]
fn escape_ends_a_walk() {
    let mut model = walking();
    assert_eq!(press(&mut model, "<esc>"), [Effect::FindDoubts]);
    update(&mut model, doubts(&[3, 5, 8]));
    assert_eq!(line(&model), "Still unknown: plant 3 (3), plant 5 (5), plant 8 (8); u goes on.");
    assert_eq!(update(&mut model, told(8, State::Unknown, Some(2))), []);
    assert_eq!((&model.overlay, &model.walk), (&None, &None));
    // So does Ctrl-C, and whoever does something else while the next story is still to come.
    let mut model = walking();
    assert_eq!(press(&mut model, "<c-c>"), []);
    assert_eq!((&model.overlay, &model.walk), (&None, &None));
    let mut model = walking();
    press(&mut model, "<enter>aFern");
    update(&mut model, told(8, State::Unknown, Some(2)));
    assert_eq!((add_form(&model).name.text(), &model.walk), ("Fern", &None));
}

#[test]
fn a_walk_passes_by_what_was_settled_elsewhere_meanwhile() {
    let mut model = walking();
    // The one it asks about: the question is withdrawn.
    assert!(update(&mut model, told(5, State::Stored, None)).contains(&Effect::Tell(PlantId(8))));
    assert!(line(&model).contains("plant 5 (5) was resolved or changed elsewhere"));
    // The next one, and one whose story cannot be read.
    assert!(update(&mut model, told(8, State::Adding, Some(2))).contains(&Effect::Tell(PlantId(3))));
    assert_eq!(line(&model), "plant 8 (8) is no longer unknown.");
    assert!(update(&mut model, Msg::Story(PlantId(3), Err("damaged".into()))).contains(&Effect::FindDoubts));
    assert_eq!(model.walk, None);
}

#[test]
fn a_walk_waits_while_something_else_is_open() {
    let mut model = walking();
    let first = sent(&press(&mut model, "<tab><enter>"));
    // A refusal comes while the next story is on its way: its question opens over nothing.
    update(&mut model, answered(&first[0], 401));
    assert!(matches!(model.overlay, Some(Overlay::Token(_))));
    update(&mut model, told(8, State::Unknown, Some(2)));
    assert!(matches!(model.overlay, Some(Overlay::Token(_))) && model.later.is_empty());
    let effects = press(&mut model, "good<enter>");
    assert!(effects.contains(&Effect::Tell(PlantId(8))) && sent(&effects).len() == 1, "{effects:?}");
    update(&mut model, told(8, State::Unknown, Some(2)));
    assert_eq!((asked_about(&model), model.place_in_walk()), (8, Some((2, 3))));
}

#[test]
fn a_walk_goes_to_plants_far_outside_the_window() {
    let mut model = model();
    update(&mut model, window(&[row(1, State::Stored), row(2, State::Unknown)]));
    press(&mut model, "u");
    update(&mut model, doubts(&[900_000]));
    let effects = update(&mut model, told(900_000, State::Unknown, Some(2)));
    assert!(effects.contains(&Effect::Load(around(Some(900_000)))), "{effects:?}");
    // A window that was asked for before it came there does not take the selection away.
    update(&mut model, window(&[row(1, State::Stored)]));
    assert_eq!((model.table.selected, asked_about(&model)), (Some(PlantId(900_000)), 900_000));
}

#[test]
fn where_nothing_can_be_sent_a_walk_offers_only_words() {
    let words = |model: &Model| dialog(model).answers.iter().map(|answer| answer.label).collect::<Vec<_>>();
    let mut model = walking();
    update(&mut model, Msg::CourierDied("boom".into()));
    press(&mut model, "<enter>");
    update(&mut model, told(8, State::Unknown, Some(2)));
    assert_eq!(words(&model), ["Leave it", "Mark as stored", "Forget it"]);
    let mut model = Model::new(Facts { read_only: true, ..facts() }, KeyTable::default(), false);
    let _ = model.begin(Vec::new());
    update(&mut model, window(&[row(7, State::Unknown)]));
    update(&mut model, told(7, State::Unknown, Some(2)));
    press(&mut model, "u");
    assert_eq!(words(&model), ["Leave it", "Mark as stored", "Forget it"]);
}

/// What the journal knows of an unknown plant: an add of it if its id is odd, else a delete.
fn unresolved(id: i64) -> Unresolved {
    let row = row(id, State::Unknown);
    let Details { name, tag } = row.details.clone().unwrap();
    let add = Ask::Add(Plant { name, id: PlantId(id), tag });
    Unresolved { row, doubt: doubt(2, if id % 2 == 1 { add } else { Ask::Delete(PlantId(id)) }) }
}

/// Marks all of these and presses `u`; the journal tells which of them are unknown.
fn asked_to_resolve(model: &mut Model, rows: &[Row], unknown: &[i64]) {
    update(model, window(rows));
    press(model, &" ".repeat(rows.len()));
    let marked: Vec<_> = rows.iter().map(|row| row.id).collect();
    assert_eq!(press(model, "u"), [Effect::FindToResolve(marked.clone())]);
    update(model, Msg::ToResolve(marked, Ok(unknown.iter().copied().map(unresolved).collect())));
}

/// Four plants, three of them unknown.
fn mixed() -> [Row; 4] {
    [row(3, State::Unknown), row(4, State::Unknown), row(5, State::Stored), row(7, State::Unknown)]
}

#[test]
fn one_question_resolves_all_marked_plants_that_are_unknown() {
    let seen = [3, 4, 7].map(|id| (PlantId(id), OperationId { origin: 2, number: 1 })).to_vec();
    let asks: Vec<_> = [3, 4, 7].map(|id| unresolved(id).doubt.ask).to_vec();
    for (keys, act) in [
        ("", Act::Leave),
        ("<tab>", Act::ResendAll(asks)),
        ("<tab><tab>", Act::DeleteAll([3, 4, 7].map(PlantId).to_vec())),
        ("<tab><tab><tab>", Act::SettleAll(seen.clone(), Settlement::MarkStored)),
        ("<up>", Act::SettleAll(seen.clone(), Settlement::Forget)),
    ] {
        let mut model = model();
        asked_to_resolve(&mut model, &mixed(), &[3, 4, 7]);
        assert_eq!(dialog(&model).title, "Resolve these 3 unknown plants?");
        assert!(dialog(&model).lines.iter().any(|line| line == "1 marked plant is left out: not unknown."));
        press(&mut model, keys);
        assert_eq!(dialog(&model).act(), act);
    }
    // A word: one write, and one sentence for it; what is not marked any more is not asked about again.
    let mut model = model();
    asked_to_resolve(&mut model, &mixed(), &[3, 4, 7]);
    assert_eq!(press(&mut model, "<up><enter>"), [Effect::SettleAll(seen, Settlement::Forget)]);
    let plants = [3, 4, 7].map(PlantId).to_vec();
    let written = Ok(vec![Ok(()), Err(JournalError::Overtaken), Ok(())]);
    update(&mut model, Msg::SettledAll(plants, Settlement::Forget, written));
    assert!(
        line(&model).starts_with("On your word: 2 plants are forgotten. Nothing was sent. 1 plant is not resolved: ")
    );
    assert_eq!(model.table.marked.keys().copied().collect::<Vec<_>>(), [4, 5].map(PlantId));
}

#[test]
fn what_is_sent_again_together_is_told_in_one_line_and_opens_no_form() {
    let mut model = model();
    asked_to_resolve(&mut model, &mixed(), &[3, 4, 7]);
    let asked = sent(&press(&mut model, "<tab><enter>"));
    let asks: Vec<_> = asked.iter().map(|operation| operation.ask.clone()).collect();
    assert_eq!(asks, [3, 4, 7].map(|id| unresolved(id).doubt.ask));
    assert_eq!(line(&model), "Sending 3 plants: 0 accepted, 0 rejected, 0 unknown, 0 not sent, 3 to go.");
    for (operation, status) in asked.iter().zip([409, 204, 201]) {
        update(&mut model, answered(operation, status));
    }
    assert_eq!(line(&model), "Of 3 plants: 2 accepted, 1 rejected, 0 unknown, 0 not sent. u resolves what is unknown.");
    assert!(model.overlay.is_none() && model.later.is_empty() && model.batch.is_none());
}

#[test]
fn marks_that_leave_nothing_to_resolve_say_so_and_one_alone_is_asked_about_as_ever() {
    let mut model = model();
    asked_to_resolve(&mut model, &mixed(), &[]);
    assert_eq!(
        (&model.overlay, line(&model)),
        (&None, "None of the marked plants is unknown. Esc takes the marks away.")
    );
    // Of deletes alone, sending again is deleting.
    let mut model = super::model();
    let deletes = [row(2, State::Unknown), row(4, State::Unknown)];
    asked_to_resolve(&mut model, &deletes, &[2, 4]);
    let labels: Vec<_> = dialog(&model).answers.iter().map(|answer| answer.label).collect();
    assert_eq!(labels, ["Leave them", "Send again", "Mark as stored", "Forget them"]);
    let mut model = super::model();
    asked_to_resolve(&mut model, &mixed(), &[4]);
    assert!(dialog(&model).title.contains("still in the store"));
    // Where nothing can be sent, words are left.
    let mut model = super::model();
    update(&mut model, Msg::CourierDied("boom".into()));
    press(&mut model, "<esc>");
    asked_to_resolve(&mut model, &mixed(), &[3, 4]);
    let labels: Vec<_> = dialog(&model).answers.iter().map(|answer| answer.label).collect();
    assert_eq!(labels, ["Leave them", "Mark as stored", "Forget them"]);
}

#[test]
fn an_open_question_about_many_learns_what_was_resolved_elsewhere() {
    let mut model = model();
    asked_to_resolve(&mut model, &mixed(), &[3, 4, 7]);
    press(&mut model, "<tab>");
    let plants = [3, 4, 7].map(PlantId).to_vec();
    assert!(update(&mut model, Msg::JournalChanged).contains(&Effect::FindToResolve(plants.clone())));
    update(&mut model, Msg::ToResolve(plants.clone(), Ok([3, 4, 7].map(unresolved).to_vec())));
    assert_eq!(dialog(&model).marked, 1, "nothing has changed");
    update(&mut model, Msg::ToResolve(plants, Ok([3, 7].map(unresolved).to_vec())));
    assert_eq!((dialog(&model).title.as_str(), dialog(&model).marked), ("Resolve these 2 unknown plants?", 0));
}
