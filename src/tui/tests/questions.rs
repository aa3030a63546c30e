//! Questions that `y` and `n` answer.

use super::import::{open_preview, preview};
use super::*;

/// Returns the keys and labels of the choices, as they are drawn.
fn choices(app: &App) -> Vec<String> {
    let labels: Vec<_> = question(app).choices.iter().map(|choice| choice.label).collect();
    let rows = dialog(app).rows;
    let choice = |label: &&str| {
        let row = rows.iter().find(|row| row.contains(&format!("{label}  ")));
        let before = row.unwrap_or_else(|| panic!("{label} in {rows:#?}")).split(label).next().unwrap();
        format!("{} {label}", before.trim_matches(['▸', ' '])).trim_start().to_owned()
    };
    labels.iter().map(choice).collect()
}

#[test]
fn y_deletes_and_n_keeps() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    assert_eq!(choices(&app), ["n Keep it", "y Delete it"]);
    assert_eq!(press(&mut app, "n"), []);
    assert!(app.cx.display.is_plain);
    let operations = sent(&press(&mut app, "dy"));
    assert_eq!(operations[0].kind, OperationKind::Delete(PlantId(7)));
    assert!(app.cx.display.is_plain);
}

#[test]
fn y_before_the_question_was_drawn_does_nothing() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(press_at_once(&mut app, "dyyy"), []);
    assert_eq!(chosen(&app), Act::Leave);
    assert_eq!(sent(&press(&mut app, "y")).len(), 1);
}

#[test]
fn y_says_that_there_are_several_choices_and_n_leaves_them() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Unknown)]));
    app.update(history(7, State::Unknown, Some(2)));
    press(&mut app, "u");
    assert_eq!(choices(&app), ["n Leave it", "Send again", "Mark as stored", "Forget the plant"]);
    assert_eq!(press(&mut app, "<tab>y"), []);
    assert_eq!(status_line(&app), "y does nothing now: several choices do something: mark one, and take it.");
    assert!(matches!(chosen(&app), Act::Send(_)));
    assert_eq!(sent(&press(&mut app, "n")), []);
    assert!(app.cx.display.is_plain);
}

#[test]
fn n_closes_a_question_without_a_choice_that_changes_nothing() {
    let mut app = new_app();
    app.cx.session.info.demo = true;
    press(&mut app, "4w");
    assert!(choices(&app).iter().all(|choice| !choice.starts_with("y ") && !choice.starts_with("n ")));
    assert_eq!(press(&mut app, "yn"), []);
    assert!(app.cx.display.is_plain);
}

#[test]
fn y_marks_the_choice_of_a_question_that_opened_by_itself() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "dy"));
    app.update(not_found(&operations[0], row(7, State::Stored)));
    assert!(!dialog(&app).says("press y again"));
    assert_eq!(press(&mut app, "y"), []);
    assert!(dialog(&app).says("press y again, or Enter"));
    let forget = Act::Resolve(PlantId(7), None, Resolution::Forget);
    assert_eq!(chosen(&app), forget);
    assert_eq!(press(&mut app, "y"), [Effect::Resolve(PlantId(7), None, Resolution::Forget)]);
}

#[test]
fn y_marks_the_choice_of_a_question_that_changed_by_itself() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    show(&mut app);
    app.update(history_of(7, Some(row(7, State::Unknown))));
    assert!(dialog(&app).says("It is unknown whether the store has it"));
    assert_eq!(sent(&press(&mut app, "y")), []);
    assert_eq!(chosen(&app), Act::Send(OperationKind::Delete(PlantId(7))));
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn y_quits_and_asks_again_if_more_would_be_lost() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>aIvy<tab><tab>t<esc>");
    press(&mut app, "q");
    let pending = app.cx.session.pending[0].operation.clone();
    app.update(failed(&pending, FailureKind::NotConnected));
    assert_eq!(press(&mut app, "y"), []);
    assert!(dialog(&app).says("1 operation was not sent"));
    assert_eq!(press(&mut app, "y"), []);
    assert_eq!(press(&mut app, "y"), [Effect::Quit]);
}

#[test]
fn remapped_keys_are_shown_before_the_choices() {
    let remap =
        |action: &str, key: &str| crate::config::Remap { action: action.into(), keys: vec![key.to_owned()], line: 1 };
    let remaps = [remap("yes", "F2"), remap("no", "x")];
    let keys = Keymap::remapped(&remaps, std::path::Path::new("c.toml")).unwrap();
    let mut app = App::new(info(), keys, true);
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, "d");
    assert_eq!(choices(&app), ["x Keep it", "F2 Delete it"]);
    assert_eq!(sent(&press(&mut app, "y")), []);
    assert_eq!(sent(&press(&mut app, "<f2>")).len(), 1);
}

#[test]
fn y_begins_the_import_of_a_preview_and_n_drops_it() {
    let mut app = new_app();
    open_preview(&mut app, preview(10, 1, 0));
    assert_eq!(press(&mut app, "n"), [Effect::DropImport]);
    assert!(app.cx.display.is_plain);
    open_preview(&mut app, preview(10, 1, 0));
    assert_eq!(press_at_once(&mut app, "y"), []);
    assert_eq!(press(&mut app, "y"), [Effect::Import { skip_bad: false, resend_unknown: false }]);
    assert!(app.cx.display.is_plain);
}

#[test]
fn y_says_why_a_preview_imports_nothing() {
    let mut app = new_app();
    open_preview(&mut app, preview(0, 1, 0));
    assert_eq!(press(&mut app, "y"), []);
    assert_eq!(status_line(&app), "y does nothing now: no row would be sent.");
}
