//! The add form: what Enter does, the remarks beside fields, drafts.

use super::*;
use crate::domain::Language;
use crate::domain::language::Id;
use crate::domain::plant::Field;
use crate::tui::input::completion::PathMatches;
use crate::tui::session::draft::{Blame, Reasons};
use crate::tui::widgets::text_input::TextInput;

/// Returns the remark beside a field, without its mark.
fn beside(app: &App, label: &str) -> String {
    dialog(app).below(label).trim_start_matches(['!', ' ']).to_owned()
}

/// Whether the form shows a warning, after which Enter sends.
fn is_warned(app: &App) -> bool {
    dialog(app).says("once more sends it as shown:")
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
fn an_enter_before_the_warning_was_drawn_does_not_send() {
    for (keys, name) in [("aFern<enter>", "Fern"), ("a<tab><tab>t<enter>", "")] {
        let mut app = new_app();
        assert_eq!(sent(&press_at_once(&mut app, &format!("{keys}<enter><enter>"))), []);
        assert!(is_warned(&app));
        // A terminal that is too small does not show the warning.
        let layout = app.cx.display.layout;
        app.update(shown(FrameLayout { too_small: true, ..layout }));
        app.update(shown(FrameLayout { too_small: true, ..layout }));
        app.cx.display.layout.too_small = false;
        assert_eq!(sent(&press_at_once(&mut app, "<enter>")), []);
        assert_eq!(sent(&press(&mut app, "<enter>"))[0].kind.plant().unwrap().name, name);
    }
}

#[test]
fn a_second_enter_does_not_send_the_form_behind_a_closed_dialog() {
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
fn an_enter_right_after_a_dialog_over_the_form_does_not_send() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<f1>");
    assert_eq!(title(&app), "Keys and words");
    assert_eq!(sent(&press_at_once(&mut app, "<esc><enter>")), []);
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
    // A warning before it does not count any more.
    press(&mut app, "aIvy<enter>");
    assert!(is_warned(&app));
    assert_eq!(sent(&press(&mut app, "<f1><esc><enter>")), []);
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn an_id_is_not_called_invalid_while_it_can_become_valid() {
    for keys in ["a<tab><c-u>", "D"] {
        let mut app = new_app();
        press(&mut app, keys);
        assert_eq!(beside(&app, "id"), "", "{keys}");
        press(&mut app, "-");
        assert_eq!(beside(&app, "id"), "", "{keys}");
        press(&mut app, "x");
        assert!(beside(&app, "id").contains("not a whole number"), "{keys}: {:#?}", dialog(&app));
        press(&mut app, "<c-u><enter>");
        assert_eq!(beside(&app, "id"), "✗ the id is empty: type a whole number", "{keys}");
    }
}

#[test]
fn the_history_of_another_plant_leaves_the_warning_about_an_id() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "aFern<tab><c-u>7");
    app.update(history_of(8, None));
    assert_eq!(beside(&app, "id"), "7 is plant 7 (t), stored");
    app.update(history_of(7, None));
    assert_eq!(beside(&app, "id"), "");
}

#[test]
fn a_text_comes_back_with_the_cursor_in_the_name_or_in_the_id_that_was_rejected() {
    for keys in ["aIvy<tab><tab><up>", "aIvy<tab><tab>t<up>"] {
        let mut app = new_app();
        press(&mut app, keys);
        assert_eq!((draft(&app).focus, title(&app).as_str()), (Field::Id, "Add a plant"));
        press(&mut app, "<esc>a");
        assert_eq!((draft(&app).focus, title(&app).as_str()), (Field::Name, "Typed before, not sent"), "{keys}");
        // Changed, it is a plant like any other.
        press(&mut app, "x");
        assert_eq!(title(&app), "Add a plant");
    }
    // In the Greenhouse, the form of a rejected plant waits for the key.
    for (status, focus, tab, key) in [(409, Field::Id, "", ""), (422, Field::Name, "", ""), (409, Field::Id, "4", "a")]
    {
        let mut app = new_app();
        let operation = sent(&press(&mut app, &format!("{tab}aIvy<tab><tab>t<enter>"))).remove(0);
        app.update(responded(&operation, status));
        press(&mut app, key);
        assert_eq!((draft(&app).focus, draft(&app).name.text()), (focus, "Ivy"));
    }
}

#[test]
fn a_text_that_came_back_once_is_discarded_unless_it_changes() {
    for keys in ["<esc>", "<f2><esc>"] {
        let mut app = new_app();
        press(&mut app, "aIvy<esc>a");
        let words = "Esc or F2 discards it.";
        assert!(draft(&app).name.text() == "Ivy" && dialog(&app).says(words), "{:#?}", dialog(&app));
        press(&mut app, keys);
        assert_eq!((status_line(&app), app.cx.session.drafts.len()), ("Discarded.", 0), "{keys}");
    }
    let mut app = new_app();
    press(&mut app, "aIvy<esc>a league<esc>a");
    assert_eq!(draft(&app).name.text(), "Ivy league");
    // What was changed comes back after another plant was added.
    let mut app = new_app();
    assert_eq!(sent(&press(&mut app, "aDraft<esc>a, edited<f2>Fern<tab><tab>t<enter>")).len(), 1);
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Draft, edited");
}

#[test]
fn a_rejected_plant_that_is_sent_unchanged_is_warned_about() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    let words = "The store rejected the same add before. Enter once more sends it as shown:";
    assert!(dialog(&app).says(words), "{:#?}", dialog(&app));
    app.update(window(&[row(7, State::Stored)]));
    assert!(dialog(&app).says("F4 takes 8, the next free one of the list."), "{:#?}", dialog(&app));
    press(&mut app, "<f4>");
    assert!(dialog(&app).field("id") == "8" && dialog(&app).says("Enter sends:"), "{:#?}", dialog(&app));
}

#[test]
fn the_form_in_the_greenhouse_says_the_same_without_a_request() {
    let mut app = new_app();
    press(&mut app, "4aFern");
    assert!(dialog(&app).says("Enter asks the store to add this plant."), "{:#?}", dialog(&app));
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    assert!(dialog(&app).says("Enter once more asks the store all the same."), "{:#?}", dialog(&app));
}

#[test]
fn a_reopened_form_warns_again() {
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
    app.update(history_of(7, Some(nameless)));
    assert_eq!(beside(&app, "id"), "7 is a plant whose name is not known, unknown");
}

#[test]
fn the_reason_of_a_rejection_disappears_with_another_id() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    assert!(draft(&app).reasons()[0].contains("409"));
    press(&mut app, "<c-u>");
    assert!(!draft(&app).reasons().is_empty());
    press(&mut app, "2");
    assert_eq!(draft(&app).reasons(), [""; 0]);
    press(&mut app, "<esc>a");
    assert_eq!(draft(&app).reasons(), [""; 0]);
    press(&mut app, "<tab><backspace>1");
    assert!(draft(&app).reasons()[0].contains("409"));
}

#[test]
fn the_blank_form_key_keeps_the_text_as_a_draft() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    press(&mut app, "<f2>");
    let form = draft(&app);
    assert_eq!((form.name.text(), form.id.text(), form.reasons().len()), ("", "1", 0));
    // What the store rejected is in the re-add list. From a blank form the key does nothing.
    press(&mut app, "<f2><esc>a");
    assert_eq!(draft(&app).name.text(), "");
    press(&mut app, "Fern<esc>a");
    // What it kept before, it discards, unless it has changed.
    press(&mut app, " tree<f2><esc>a");
    assert_eq!(draft(&app).name.text(), "Fern tree");
    press(&mut app, "<f2><esc>a");
    assert_eq!(draft(&app).name.text(), "");
}

#[test]
fn the_form_says_whether_one_enter_sends_and_why_not() {
    let mut app = new_app();
    for (keys, words) in [
        // What is still empty is no mistake before Enter.
        ("a", "Enter sends:"),
        ("Fern", "Enter sends:"),
        ("<enter>", "! the tag is empty"),
        ("", "Enter once more sends it as shown:"),
        ("t", "Enter sends:"),
        (" ", "Enter twice sends, because the tag begins or ends with a space:"),
    ] {
        press(&mut app, keys);
        assert!(dialog(&app).says(words), "{keys}");
    }
}

#[test]
fn a_duplicate_has_name_and_tag_of_the_selected_plant_and_the_next_free_id() {
    for (tab, id) in [("1", "id"), ("4", "number")] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored), row(9, State::Unknown)]));
        assert_eq!(sent(&press(&mut app, &format!("{tab}<home>A"))), []);
        let form = dialog(&app);
        assert!(form.title == "Duplicate" && form.says("A copy of plant 7 (7)."), "{form:?}");
        assert_eq!(["name", id, "tag"].map(|label| form.field(label).trim().to_owned()), ["plant 7", "10", "t"]);
        // The id is a suggestion, which typing replaces; the remark stays.
        press(&mut app, "<tab>12");
        assert!(dialog(&app).field(id).trim() == "12" && dialog(&app).title == "Duplicate");
        let operations = sent(&press(&mut app, "<enter>"));
        let copy = Plant { name: "plant 7".into(), id: PlantId(12), tag: "t".into() };
        assert_eq!(operations[0].kind, OperationKind::add(copy));
    }
}

#[test]
fn a_duplicate_needs_a_name_and_leaves_drafts_alone() {
    let mut app = new_app();
    app.update(window(&[Row { details: None, ..row(7, State::Unknown) }, row(8, State::Stored)]));
    press(&mut app, "<home>A");
    assert!(!app.cx.display.has_dialog && status_line(&app).contains("its name is not known"), "{}", status_line(&app));
    press(&mut app, "aFern<esc><down>A<esc>");
    assert!(!app.cx.display.has_dialog, "a duplicate that was not changed is discarded");
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Fern");
    // The palette knows other words for it.
    press(&mut app, "<esc>:copy plant");
    assert!(dialog(&app).marked().starts_with("A "), "{}", dialog(&app).marked());
    press(&mut app, "<c-u>clone<enter>");
    assert_eq!(draft(&app).name.text(), "plant 8");
}

#[test]
fn a_form_that_moves_to_another_store_keeps_only_its_text() {
    let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: "t".into() };
    let reasons = Reasons { words: vec!["id in use".to_owned()], simple: vec![Id::SaidNo.into()] };
    let mut draft = Draft::rejected(&plant, reasons, Blame::Plant);
    assert_eq!((draft.purpose(), draft.is_as_rejected()), (Id::FormNotAdded, true));
    assert_eq!(draft.simple_reasons(Language::En).unwrap(), "The store said no.");
    let [here, there] = ["https://a.example", "https://b.example"].map(|url| url.parse().unwrap());
    draft.move_to_another_store(&here, &there);
    assert_eq!((draft.purpose(), draft.is_as_rejected(), draft.plant()), (Id::FormAdd, false, Some(plant)));
    assert_eq!(draft.reasons(), ["This text was typed at another store. Typing replaces it, Tab keeps it."]);
    let german = "Das wurde bei einem anderen Laden eingegeben. Tippen ersetzt es, Tab behält es.";
    assert_eq!(draft.simple_reasons(Language::De).unwrap(), german);
    // Back where it was typed, it is a form that was closed there; unless it was changed meanwhile.
    let mut changed = draft.clone();
    draft.move_to_another_store(&there, &here);
    assert_eq!((draft.purpose(), draft.reasons()), (Id::FormUnsent, &[] as &[String]));
    changed.name = TextInput::holding("Ivy");
    changed.move_to_another_store(&there, &here);
    assert!(changed.reasons()[0].contains("typed at another store"));
}

#[test]
fn the_reasons_of_a_form_are_about_one_plant() {
    let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: "t".into() };
    let mut draft = Draft::adding_again(&Unlisted { plant, how: UnlistedReason::Deleted, at: Timestamp(0) });
    let was = draft.simple_reasons(Language::De).unwrap();
    assert_eq!(
        (draft.purpose(), draft.reasons(), was.as_str()),
        (Id::FormReAdd, &["It was deleted.".to_owned()][..], "Sie wurde gelöscht.")
    );
    draft.id = TextInput::holding("8");
    assert_eq!((draft.purpose(), draft.simple_reasons(Language::En)), (Id::FormAdd, None));
}

#[test]
fn only_a_suggested_id_is_suggested_again() {
    let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: "t".into() };
    let again = |draft: Draft| draft.suggesting_again(PlantId(9)).id();
    assert_eq!(again(Draft::suggesting(PlantId(7))), Ok(PlantId(9)));
    assert_eq!(again(Draft::back_with(&plant, Reasons::default())), Ok(PlantId(7)));
    assert_eq!(again(Draft::rejected(&plant, Reasons::default(), Blame::Plant).offering_rejected()), Ok(PlantId(7)));
}

#[test]
fn an_add_form_sends_its_text_unchanged_and_closes_at_once() {
    let mut app = new_app();
    let effects = press(&mut app, "aMonstera<tab><tab>tropical<enter>");
    let operations = sent(&effects);
    let expected = Plant { name: "Monstera".into(), id: PlantId(1), tag: "tropical".into() };
    assert_eq!(operations.iter().map(|operation| &operation.kind).collect::<Vec<_>>(), [&OperationKind::add(expected)]);
    assert!(!app.cx.display.has_dialog);
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(1)));
    assert_eq!(app.cx.session.pending.len(), 1);
}

#[test]
fn an_invalid_id_is_reported_beside_its_field() {
    let mut app = new_app();
    let effects = press(&mut app, "aFern<tab><c-u>12a<tab>t<enter>");
    assert_eq!(sent(&effects), []);
    assert_eq!(draft(&app).id.text(), "12a");
    assert!(dialog(&app).below("id").contains("not a whole number"), "{:#?}", dialog(&app));
    assert_eq!(sent(&press(&mut app, "<backspace><enter>")).len(), 1);
}

#[test]
fn a_probable_slip_is_warned_about_and_a_second_enter_sends_it() {
    let mut app = new_app();
    assert_eq!(sent(&press(&mut app, "a<enter>")), []);
    assert!(dialog(&app).says("once more sends it as shown"), "{:#?}", dialog(&app));
    // After a change, the form warns again.
    assert_eq!(sent(&press(&mut app, " <enter>")), []);
    let operations = sent(&press(&mut app, "<enter>"));
    assert_eq!(operations[0].kind.plant().unwrap().name, " ");
}

#[test]
fn an_id_already_in_the_list_is_warned_about() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(sent(&press(&mut app, "aFern<tab><c-u>7<tab>t<enter>")), []);
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn a_rejected_add_keeps_the_form_text() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>shade<enter>"));
    app.update(responded(&operations[0], 409));
    let form = draft(&app);
    assert_eq!((form.name.text(), form.id.text(), form.tag.text()), ("Fern", "1", "shade"));
    assert!(form.reasons().iter().any(|line| line.contains("409")));
    assert!(form.reasons().iter().all(|line| !line.contains('\u{1b}')));
    assert_eq!(app.cx.out.status.message.as_ref().unwrap().outcome, Some(Outcome::Rejected));
}

#[test]
fn a_reopened_form_waits_behind_an_open_one() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    press(&mut app, "aIvy");
    app.update(responded(&operations[0], 400));
    assert_eq!(draft(&app).name.text(), "Ivy");
    press(&mut app, "<esc>");
    assert_eq!(draft(&app).name.text(), "Fern");
    // What the store rejected is in the re-add list: the next form is not that one.
    press(&mut app, "<esc>");
    assert_eq!(status_line(&app), "Discarded; b adds Fern (1) again.");
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Ivy");
    assert!(dialog(&app).says("Esc or F2 discards it."), "{:#?}", dialog(&app));
    // A form that is closed unchanged is discarded.
    press(&mut app, "<esc>a");
    assert_eq!(draft(&app).name.text(), "");
}

#[test]
fn a_double_enter_does_not_send_a_reopened_form() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    press(&mut app, "aIvy<tab><tab>t");
    app.update(responded(&operations[0], 400));
    // The second Enter comes to the form behind the first one.
    assert_eq!(sent(&press(&mut app, "<enter><enter>")).len(), 1);
    assert_eq!(draft(&app).name.text(), "Fern");
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn a_rejected_form_that_waits_outlives_the_add_of_another_plant() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "4aIvy<tab><tab>t<enter>aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 409));
    app.update(responded(&operations[1], 201));
    let waiting: Vec<_> = app.cx.session.drafts.iter().map(|draft| draft.name.text()).collect();
    assert_eq!(waiting, ["Ivy"]);
    // Typing replaces its text, and once another plant is sent, the form opens empty.
    let operations = sent(&press(&mut app, "a<f2>Elm<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 422));
    press(&mut app, "aOak");
    assert_eq!(draft(&app).name.text(), "Oak");
    press(&mut app, "<c-u>Yew<enter>a");
    assert_eq!(draft(&app).name.text(), "");
}

#[test]
fn a_paste_presses_no_keys_and_is_typed_unchanged() {
    let mut app = new_app();
    assert_eq!(app.update(pasted("q\n".into())), []);
    assert!(!app.cx.display.has_dialog);
    press(&mut app, "a");
    // Everything except the final line ending.
    app.update(pasted("\u{1b}[2J\nx \r\n".into()));
    assert_eq!(draft(&app).name.text(), "\u{1b}[2J\nx ");
}

#[test]
fn a_form_that_was_open_as_the_worker_died_is_kept() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t");
    app.update(Msg::WorkerDied("boom".into()));
    assert_eq!(sent(&press(&mut app, "<enter>")), []);
    assert_eq!((draft(&app).name.text(), app.cx.session.pending.len()), ("Fern", 0));
    assert!(draft(&app).reasons()[0].contains("has died"));
}

#[test]
fn tab_completes_a_tag_and_then_goes_to_the_next_field() {
    let matches = |names: &[&str], common: &str| PathMatches {
        names: names.iter().copied().map(str::to_owned).collect(),
        count: names.len(),
        common: common.into(),
        is_partial: false,
    };
    let found = |start: &str, tag: &str| Msg::TagCompleted(start.into(), Ok(matches(&[tag], tag)));
    let mut app = new_app();
    assert_eq!(press(&mut app, "aFern<tab><tab>de<tab>").pop(), Some(Effect::CompleteTag("de".into())));
    app.update(found("d", "dry"));
    app.update(found("de", "desert"));
    assert_eq!((draft(&app).tag.text(), draft(&app).focus), ("desert", Field::Tag));
    assert_eq!(press(&mut app, "<tab>"), []);
    assert_eq!(draft(&app).focus, Field::Name);
    // Where there is no such tag, the first Tab goes on, too.
    press(&mut app, "<tab><tab>x<tab>");
    app.update(Msg::TagCompleted("desertx".into(), Ok(matches(&[], ""))));
    assert_eq!((draft(&app).tag.text(), draft(&app).focus), ("desertx", Field::Name));
    // Several are listed, until the tag changes or the next Tab goes on.
    press(&mut app, "<tab><tab><c-u>h<tab>");
    app.update(Msg::TagCompleted("h".into(), Ok(matches(&["hedge", "herb"], "he"))));
    assert_eq!((draft(&app).tag.text(), draft(&app).focus), ("he", Field::Tag));
    assert!(dialog(&app).says("hedge  herb"), "{:#?}", dialog(&app));
    press(&mut app, "r");
    assert!(!dialog(&app).says("hedge"), "{:#?}", dialog(&app));
    press(&mut app, "<backspace>");
    assert!(dialog(&app).says("hedge  herb"), "{:#?}", dialog(&app));
    assert_eq!(press(&mut app, "<tab>"), []);
    assert_eq!((draft(&app).tag.text(), draft(&app).focus), ("he", Field::Name));
}
