//! What pasted text does in a tab and in a form: it opens and fills in, and sends nothing.

use super::import::preview;
use super::*;
use crate::tui::ui_effect::Tab;

const CURL: &str = "curl 'https://h/plants' \\\r  -H 'authorization: Bearer canary-5f1c' \\\r  --data-raw \
                    '{\"name\":\"Fern\",\"id\":7,\"tag\":\"shade\"}'\r";

fn texts(app: &App) -> [String; 3] {
    let draft = draft(app);
    [&draft.name, &draft.id, &draft.tag].map(|field| field.text().to_owned())
}

#[test]
fn two_lines_in_a_tab_open_the_preview_of_their_import() {
    for tab in ["1", "2", "3", "4"] {
        let mut app = new_app();
        press(&mut app, tab);
        let effects = app.update(pasted("name,id,tag\rFern,7,shade\r\n".into()));
        assert_eq!(effects, [Effect::ValidateText("name,id,tag\nFern,7,shade\n".into())]);
        app.update(Msg::Validated(None, Ok(Box::new(preview(1, 0, 0)))));
        assert!(dialog(&app).says("the pasted text, read as CSV"), "{:#?}", dialog(&app));
        // The safe choice is marked.
        assert_eq!(press(&mut app, "<enter>"), [Effect::DropImport]);
        assert_eq!(message(&app), Some("Not imported: the pasted text. Nothing was sent."));
        // Another one begins without this message, and takes nothing while it is read.
        app.update(pasted("name,id,tag\rMoss,8,shade\r".into()));
        assert_eq!(message(&app), None);
        assert_eq!(app.update(pasted("name,id,tag\rIvy,9,shade\r".into())), []);
        assert_eq!(message(&app), Some("What was typed meanwhile was dropped."));
    }
}

#[test]
fn a_paste_that_cannot_be_imported_says_why_and_where() {
    let mut app = new_app();
    app.update(pasted("two\nlines".into()));
    app.update(Msg::Validated(None, Err("line 1: there is no column name".into())));
    assert!(dialog(&app).says("the pasted text cannot be imported: line 1: there is no column name"));
    // A path can be typed instead.
    assert_eq!(press(&mut app, "x.csv<enter>"), [Effect::Validate("x.csv".into())]);
}

#[test]
fn a_base_url_in_a_tab_fills_the_connection_dialog() {
    let mut app = new_app();
    assert_eq!(app.update(pasted(" https://plants.example/api\r".into())), []);
    assert_eq!(app.typed(), Some(vec!["https://plants.example/api".to_owned(), String::new()]));
    // The cursor is in the field of the token.
    press(&mut app, "t");
    assert_eq!(app.typed().unwrap()[1], "t");
    press(&mut app, "<esc>aFern<tab><tab>t<enter>");
    app.update(pasted("https://plants.example/api".into()));
    assert!(status_line(&app).starts_with("Pasting does nothing now: something is in flight"), "{}", status_line(&app));
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn a_curl_command_fills_the_form_and_its_token_is_nowhere() {
    let mut app = new_app();
    press(&mut app, "a");
    assert_eq!(app.update(pasted(CURL.into())), [Effect::LoadPlantHistory(PlantId(7))]);
    assert_eq!(texts(&app), ["Fern", "7", "shade"]);
    assert!(!app.debugged_dialog().contains("canary"), "{}", app.debugged_dialog());
    assert!(status_line(&app).ends_with("its token is not kept."));
    // What was typed before comes back once.
    press(&mut app, "<esc>aMoss");
    app.update(pasted(CURL.into()));
    press(&mut app, "<esc>");
    // In a tab, a command opens the form.
    let mut app = new_app();
    press(&mut app, "2");
    app.update(pasted(CURL.into()));
    assert_eq!(texts(&app), ["Fern", "7", "shade"]);
    let operations = sent(&press(&mut app, "<enter>"));
    assert_eq!(operations.len(), 1, "a person has sent it");
}

#[test]
fn a_curl_command_that_deletes_opens_the_form_for_its_id() {
    for keys in ["1", "a", "D"] {
        let mut app = new_app();
        press(&mut app, keys);
        assert_eq!(app.update(pasted("curl -X DELETE https://h/plants/42".into())), []);
        assert_eq!(title(&app), "Delete by id", "{keys}");
        assert!(dialog(&app).says("42"), "{keys}");
        assert_eq!(message(&app), Some("Filled in; nothing was sent, and its token is not kept."));
    }
}

#[test]
fn a_command_that_is_no_operation_fills_in_nothing() {
    let mut app = new_app();
    press(&mut app, "a");
    app.update(pasted("curl https://h/plants -H 'authorization: Bearer canary'".into()));
    assert_eq!(draft(&app).name.text(), "");
    assert_eq!(
        message(&app),
        Some(
            "The curl command was not read: it is not one request that deletes a plant, or that adds one with a JSON body in the command."
        )
    );
    app.update(pasted("curl up".into()));
    assert_eq!(draft(&app).name.text(), "curl up");
}

#[test]
fn other_pastes_do_nothing_in_a_tab_and_in_a_question() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(app.update(pasted("q".into())), []);
    assert!(status_line(&app).contains("two lines or more are imported"));
    press(&mut app, "d<tab>");
    assert_eq!(app.update(pasted("y\ny\n".into())), []);
    assert!(title(&app).starts_with("Delete"));
    assert_eq!(app.cx.display.tab, Tab::Plants);
}
