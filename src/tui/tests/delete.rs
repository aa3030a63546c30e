//! Deletes: of the selected plant and of any id, the question, and what changes during it.

use super::*;

#[test]
fn the_delete_dialog_names_plant_and_store_and_marks_the_safe_choice() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    let text = format!("{:?}", question(&app));
    for part in ["plant 7 (7)", "http://127.0.0.1:4000/api"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(chosen(&app), Act::Leave);
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    assert_eq!(operations[0].kind, OperationKind::Delete(PlantId(7)));
    // The pane shows it while it is in flight.
    let shown = app.cx.session.selected_pending().unwrap();
    let request = app.cx.session.info.request(&shown.operation.kind);
    assert_eq!((shown.operation.id, request.method.word()), (operations[0].id, "DELETE"));
}

#[test]
fn a_delete_dialog_marks_the_safe_choice_again_only_if_its_plant_changed() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d<tab>");
    app.update(listed(&[PlantId(7)], &[row(7, State::Adding)]));
    assert_eq!(question(&app).marked, 1);
    app.update(listed(&[PlantId(7)], &[row(7, State::Unknown)]));
    assert_eq!((question(&app).marked, title_of(&app).as_str()), (0, "Delete plant 7 (7)?"));
}

#[test]
fn an_open_dialog_is_updated_when_another_process_changes_the_journal() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "aFern<tab><c-u>12");
    assert!(app.update(Msg::JournalChanged).contains(&Effect::LoadPlantHistory(PlantId(12))));
    press(&mut app, "<esc>d");
    assert!(app.update(Msg::JournalChanged).contains(&Effect::FindListed(vec![PlantId(7)])));
}

#[test]
fn a_question_says_how_many_marked_plants_the_filter_hides() {
    for (filter, hidden) in
        [("plant", None), ("7", Some("The filter hides 1 of them.")), ("fern", Some("The filter hides 2 of them."))]
    {
        for state in [State::Stored, State::Unknown] {
            let mut app = new_app();
            let rows = [row(7, state), row(8, state)];
            app.update(window(&rows));
            press(&mut app, &format!(" <down> /{filter}<enter>"));
            app.update(found(&app, &rows));
            press(&mut app, if state == State::Stored { "d" } else { "u" });
            let ids = vec![PlantId(7), PlantId(8)];
            app.update(if state == State::Stored {
                listed(&ids, &rows)
            } else {
                let unknown = |row: &Row| ListedPlant {
                    row: row.clone(),
                    unknown: Some(unknown_operation(1, OperationKind::Delete(row.id))),
                };
                Msg::Listed(ids, Ok(rows.iter().map(unknown).collect()))
            });
            let lines = lines_of(&app);
            let found = lines.iter().map(String::as_str).find(|line| line.contains("filter"));
            assert_eq!(found, hidden, "{filter} {state:?}: {lines:?}");
        }
    }
}

#[test]
fn a_question_does_not_become_one_about_another_plant() {
    let (seven, mut app) = ([PlantId(7)], new_app());
    // Another program deleted it or has added another one, or what is absent is added.
    for (keys, first, by_now) in [
        ("d", None, vec![named(7, "Precious")]),
        ("d", None, Vec::new()),
        ("d", None, vec![row(7, State::Deleting)]),
        (" d", Some(vec![row(7, State::Stored)]), vec![named(7, "Precious")]),
        (":delete 7<enter>", Some(vec![row(7, State::Stored)]), vec![named(7, "Precious")]),
        ("D7<enter>", Some(Vec::new()), vec![named(7, "Precious")]),
    ] {
        app.update(window(&[row(7, State::Stored)]));
        press(&mut app, keys);
        if let Some(first) = first {
            app.update(listed(&seven, &first));
        }
        assert!(title(&app).starts_with("Delete plant 7"), "{keys}: {}", title(&app));
        app.update(listed(&seven, &by_now));
        assert_eq!(title(&app), "", "{keys}");
        assert!(status_line(&app).contains(if keys == " d" { "as it was marked" } else { "another one by now" }));
    }
    app.update(window(&[named(7, "Precious")]));
    let operations = sent(&press(&mut app, "dy"));
    assert_eq!(operations[0].seen.as_deref(), Some(&named(7, "Precious").seen()));
    // Its journal found yet another plant: the delete is not kept to be sent again.
    app.update(window(&[named(7, "Weed")]));
    app.update(overtaken(&operations[0]));
    assert!(status_line(&app).contains("Precious"), "{}", status_line(&app));
    assert!(status_line(&app).ends_with("look again."), "{}", status_line(&app));
    assert!(app.cx.session.unsent.is_empty());

    // The delete of another plant does not close a question.
    app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
    press(&mut app, "d");
    app.update(listed(&[PlantId(8)], &[row(8, State::Deleting)]));
    assert_eq!(title(&app), "Delete plant 7 (7)?");
    press(&mut app, "<esc>");

    // Of several, a plant that is another one by now is left out, and stays so.
    press(&mut app, ":delete 7 8<enter>");
    let ids = vec![PlantId(7), PlantId(8)];
    app.update(listed(&ids, &[row(7, State::Stored)]));
    for _ in 0..2 {
        app.update(listed(&ids, &[row(7, State::Stored), named(8, "Precious")]));
        assert!(dialog(&app).says("1 plant is left out"), "{:#?}", dialog(&app));
        assert!(question(&app).by_itself && !dialog(&app).says("Precious"), "{:#?}", dialog(&app));
    }
    press(&mut app, "<esc>");

    // Those of a line that another program deletes, and this session.
    press(&mut app, ":delete 7 8<enter>");
    app.update(listed(&ids, &[row(7, State::Deleting), row(8, State::Deleting)]));
    assert_eq!(status_line(&app), "Another program's delete is already under way.");
    press(&mut app, ":delete 7 --yes<enter>");
    app.update(listed(&[PlantId(7)], &[row(7, State::Stored)]));
    press(&mut app, ":delete 7<enter>");
    app.update(listed(&[PlantId(7)], &[row(7, State::Deleting)]));
    assert_eq!(status_line(&app), "The delete is already under way.");
}

#[test]
fn an_id_outside_the_list_can_be_deleted() {
    let mut app = new_app();
    let effects = press(&mut app, "D-9<enter>");
    assert!(effects.contains(&Effect::FindListed(vec![PlantId(-9)])));
    app.update(listed(&[PlantId(-9)], &[]));
    assert!(dialog(&app).says("not in the list"));
    assert_eq!(sent(&press(&mut app, "<tab><enter>"))[0].kind, OperationKind::Delete(PlantId(-9)));
}

#[test]
fn the_delete_by_id_prompt_waits_for_enter() {
    let mut app = new_app();
    press(&mut app, "D7");
    app.update(listed(&[PlantId(7)], &[]));
    assert_eq!(title(&app), "Delete by id");
    press(&mut app, "5<enter>");
    app.update(listed(&[PlantId(7)], &[]));
    assert!(!app.cx.display.has_dialog);
    app.update(listed(&[PlantId(75)], &[]));
    assert_eq!(title(&app), "Delete plant 75?");
}

#[test]
fn a_plant_to_delete_that_cannot_be_read_is_not_asked_about() {
    let mut app = new_app();
    assert_eq!(press(&mut app, "D12<enter>"), [Effect::FindListed(vec![PlantId(12)])]);
    app.update(Msg::Listed(vec![PlantId(12)], Err("locked".into())));
    assert!(!app.cx.display.has_dialog && !app.cx.out.status.notices.is_empty());
}

#[test]
fn a_delete_with_404_offers_to_forget_and_quotes_the_store() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    app.update(not_found(&operations[0], row(7, State::Stored)));
    assert!(dialog(&app).says("The store rejected the delete of plant 7 (7): 404"), "{:#?}", dialog(&app));
    assert!(!dialog(&app).says("URL"));
    let effects = press(&mut app, "<tab><enter>");
    assert!(effects.contains(&Effect::Resolve(vec![decided(7, None)], Resolution::Forget)));
}

#[test]
fn an_operation_that_becomes_unsent_during_the_question_is_kept() {
    for response in ["y", "x"] {
        let mut app = new_app();
        let mut last = Vec::new();
        for name in ["Fern", "Ivy", "Moss"] {
            last = sent(&press(&mut app, &format!("a{name}<tab><tab>t<enter>")));
            if name != "Moss" {
                app.update(failed(&last[0], FailureKind::NotConnected));
            }
        }
        press(&mut app, "r");
        app.update(failed(&last[0], FailureKind::NotConnected));
        press(&mut app, response);
        assert_eq!(app.cx.session.unsent, [last[0].kind.clone()]);
    }
}

#[test]
fn a_new_operation_withdraws_the_question_about_its_plant() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    press(&mut app, "aFern<tab><c-u>7");
    app.update(not_found(&operations[0], row(7, State::Stored)));
    assert_eq!(app.behind(), 1);
    press(&mut app, "<enter><enter>");
    assert!(!app.cx.display.has_dialog);
}
