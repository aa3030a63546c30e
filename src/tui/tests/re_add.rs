//! Several plants of the re-add list, marked and added after one question.

use super::*;

fn unlisted(name: &str, id: i64) -> Unlisted {
    let plant = Plant { name: name.into(), id: PlantId(id), tag: "t".into() };
    Unlisted { plant, how: UnlistedReason::Deleted, at: Timestamp(0) }
}

/// Returns an app with Fern (7), Ivy (8) and Oak (9) in the open re-add list.
fn listing() -> App {
    let mut app = new_app();
    app.update(window(&[]));
    press(&mut app, "b");
    came(&mut app, "", vec![unlisted("Fern", 7), unlisted("Ivy", 8), unlisted("Oak", 9)]);
    app
}

fn came(app: &mut App, text: &str, found: Vec<Unlisted>) {
    app.update(Msg::Unlisted(text.into(), Ok(found)));
}

fn listed(app: &mut App, ids: &[i64], rows: &[Row]) {
    app.update(super::listed(&ids.iter().copied().map(PlantId).collect::<Vec<_>>(), rows));
}

fn find_listed(ids: &[i64]) -> Effect {
    Effect::FindListed(ids.iter().map(|id| PlantId(*id)).collect())
}

/// Returns the marked lines of the list.
fn marked(app: &App) -> Vec<String> {
    let rows = dialog(app).rows;
    rows.iter().filter_map(|row| row.split_once('◆')).map(|(_, row)| row.trim().to_owned()).collect()
}

#[test]
fn a_list_that_is_being_read_says_so_until_it_has_come() {
    for keys in ["b<enter>", "b<down>"] {
        let mut app = new_app();
        burst(&mut app, keys);
        assert!(status_line(&app).ends_with("does nothing now: the list is being read."), "{}", status_line(&app));
        came(&mut app, "", vec![unlisted("Fern", 7)]);
        assert_eq!(message(&app), None, "{keys}");
    }
}

#[test]
fn the_mark_stays_on_its_plant_when_others_come_before_it() {
    let mut app = listing();
    press(&mut app, "<down>");
    app.update(Msg::JournalChanged);
    came(&mut app, "", vec![unlisted("Elm", 3), unlisted("Fern", 7), unlisted("Ivy", 8)]);
    press(&mut app, "<enter>");
    assert_eq!(draft(&app).name.text(), "Ivy");
    let mut app = listing();
    press(&mut app, "<down>");
    app.update(Msg::JournalChanged);
    came(&mut app, "", vec![unlisted("Fern", 7), unlisted("Oak", 9)]);
    press(&mut app, "<enter>");
    assert!(status_line(&app).contains("the marked line is gone"), "{}", status_line(&app));
}

#[test]
fn marked_plants_are_added_in_order_after_one_question() {
    let mut app = listing();
    assert!(!dialog(&app).says("marked"));
    // Tab marks and goes on; the plant that was marked first is added first.
    press(&mut app, "<down><tab><up><up><tab>");
    assert_eq!(marked(&app).len(), 2);
    assert!(dialog(&app).says("2 marked: Enter adds all marked plants after one question."));
    assert_eq!(press(&mut app, "<enter>"), [find_listed(&[8, 7])]);
    assert_eq!(press(&mut app, "<enter>"), [], "the question is on its way");
    listed(&mut app, &[8, 7], &[]);
    assert_eq!(title_of(&app), "Re-add these 2 plants?");
    assert_eq!(listed_of(&app), ["Ivy (8)", "Fern (7)"]);
    assert_eq!(chosen(&app), Act::Leave, "the safe choice is marked");
    let operations = sent(&press(&mut app, "y"));
    let names = operations.iter().map(|operation| operation.kind.plant().unwrap().name.clone());
    assert_eq!(names.collect::<Vec<_>>(), ["Ivy", "Fern"]);
    assert!(!app.cx.display.has_dialog, "the list is closed, too");
    app.update(responded(&operations[0], 201));
    assert_eq!(message(&app), Some("Sending 2 plants: 1 accepted, 0 rejected, 0 unknown, 0 not sent, 1 to go."));
    app.update(responded(&operations[1], 409));
    let text = "Of 2 plants: 1 accepted, 1 rejected, 0 unknown, 0 not sent. b finds the rejected ones.";
    assert_eq!(message(&app), Some(text));
    assert!(!app.cx.display.has_dialog, "no form opens for one of several");
}

#[test]
fn a_declined_question_leaves_the_marks() {
    let mut app = listing();
    press(&mut app, "<tab><tab><enter>");
    listed(&mut app, &[7, 8], &[]);
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    assert_eq!((dialog(&app).title.as_str(), marked(&app).len()), ("Re-add a plant", 2));
    // Shift-Tab takes the last mark back.
    press(&mut app, "<shift-tab>");
    let marks = marked(&app);
    assert!(matches!(marks.as_slice(), [one] if one.contains("Fern")), "{marks:?}");
    press(&mut app, "<shift-tab>");
    assert!(marked(&app).is_empty());
    // Without marks, Enter opens the form.
    press(&mut app, "<enter>");
    assert_eq!(draft(&app).name.text(), "Fern");
}

#[test]
fn no_question_opens_over_what_is_typed_after_enter() {
    let mut app = listing();
    press(&mut app, "<tab><enter>o");
    listed(&mut app, &[7], &[]);
    assert_eq!(dialog(&app).title, "Re-add a plant");
    press(&mut app, "<enter>");
    listed(&mut app, &[7], &[]);
    assert_ne!(dialog(&app).title, "Re-add a plant");
}

#[test]
fn marks_stay_while_the_text_changes() {
    let mut app = listing();
    press(&mut app, "<tab>oak");
    came(&mut app, "oak", vec![unlisted("Oak", 9)]);
    assert!(marked(&app).is_empty() && dialog(&app).says("1 marked"));
    press(&mut app, "<tab>");
    assert_eq!(press(&mut app, "<enter>"), [find_listed(&[7, 9])]);
}

#[test]
fn the_question_names_ids_that_are_in_the_list_or_marked_twice() {
    let mut app = listing();
    came(&mut app, "", vec![unlisted("Fern", 7), unlisted("Moss", 7), unlisted("Oak", 9)]);
    press(&mut app, "<tab><tab><tab><enter>");
    listed(&mut app, &[7, 7, 9], &[row(9, State::Unknown)]);
    let lines = lines_of(&app).join("\n");
    assert_eq!(listed_of(&app), ["Fern (7)", "Moss (7)", "Oak (9); the list has plant 9 (9), unknown"]);
    assert!(lines.contains("The list has a plant with one of these ids."), "{lines}");
    assert!(lines.contains("Some of them have the same id."), "{lines}");
    let operations = sent(&press(&mut app, "y"));
    assert_eq!(operations.len(), 3);
    for operation in &operations {
        app.update(responded(operation, 201));
    }
    assert_eq!(message(&app), Some("Of 3 plants: 3 accepted, 0 rejected, 0 unknown, 0 not sent."));
}

#[test]
fn an_open_question_says_what_the_list_has_by_now() {
    let mut app = listing();
    press(&mut app, "<tab><enter>");
    listed(&mut app, &[7], &[]);
    assert!(app.update(Msg::JournalChanged).contains(&find_listed(&[7])));
    listed(&mut app, &[7], &[named(7, "Moss")]);
    assert_eq!(listed_of(&app), ["Fern (7); the list has Moss (7), stored"]);
    assert!(question(&app).by_itself);
}

#[test]
fn marks_that_changed_meanwhile_are_not_asked_about() {
    let mut app = listing();
    assert_eq!(press(&mut app, "<tab><enter>"), [find_listed(&[7])]);
    press(&mut app, "<tab>");
    listed(&mut app, &[7], &[]);
    assert_eq!(title(&app), "Re-add a plant");
    assert_eq!(press(&mut app, "<enter>"), [find_listed(&[7, 8])]);
    listed(&mut app, &[7, 8], &[]);
    assert_eq!(title_of(&app), "Re-add these 2 plants?");
}

#[test]
fn an_empty_list_says_whether_there_is_none_or_none_is_found() {
    let mut app = listing();
    came(&mut app, "", vec![]);
    assert!(dialog(&app).says("Nothing yet."), "{:#?}", dialog(&app));
    press(&mut app, "x");
    came(&mut app, "x", vec![]);
    assert!(dialog(&app).says("None has this in its name, tag or id."), "{:#?}", dialog(&app));
}

#[test]
fn what_others_write_is_found_at_once() {
    let mut app = listing();
    assert!(app.update(Msg::JournalChanged).contains(&Effect::FindUnlisted(String::new())));
}

#[test]
fn a_journal_that_cannot_be_read_asks_nothing() {
    let mut app = listing();
    press(&mut app, "<tab><enter>");
    app.update(Msg::Listed(vec![PlantId(7)], Err("locked".into())));
    assert!(app.question().is_none() && !app.cx.out.status.notices.is_empty());
    assert_eq!(press(&mut app, "<enter>"), [find_listed(&[7])], "Enter tries again");
}

#[test]
fn a_plant_that_left_the_list_can_be_found_and_re_added() {
    let mut app = new_app();
    let unlisted = |name: &str, id: i64, how| Unlisted {
        plant: Plant { name: name.into(), id: PlantId(id), tag: "t".into() },
        how,
        at: Timestamp(0),
    };
    let fern = unlisted("Fern", 7, UnlistedReason::Deleted);
    assert!(press(&mut app, "b").contains(&Effect::FindUnlisted(String::new())));
    // There is nothing to choose yet, and one search runs at a time.
    assert_eq!(press(&mut app, "<enter>fe"), []);
    // The result of an earlier search is ignored.
    let ivy = unlisted("Ivy", 1, UnlistedReason::Rejected);
    assert_eq!(app.update(Msg::Unlisted(String::new(), Ok(vec![ivy]))), [Effect::FindUnlisted("fe".into())]);
    assert_eq!(press(&mut app, "<enter>"), []);
    let found = vec![unlisted("Coffee", 2, UnlistedReason::NotSent), fern.clone()];
    assert_eq!(app.update(Msg::Unlisted("fe".into(), Ok(found))), []);
    press(&mut app, "<down><down><down><enter>");
    assert_eq!(draft(&app).plant(), Some(fern.plant.clone()));
    // An unchanged form leaves no draft.
    press(&mut app, "<esc>");
    assert!(!app.cx.display.has_dialog && app.cx.session.drafts.is_empty());

    press(&mut app, "b");
    app.update(Msg::Unlisted(String::new(), Ok(vec![fern.clone()])));
    press(&mut app, "<enter>");
    let effects = press(&mut app, "<enter>");
    assert_eq!(sent(&effects)[0].kind, OperationKind::add(fern.plant));
}
