//! Import and export in the rooms: asked for, looked at, begun, stopped, told of.

use std::path::PathBuf;

use super::*;
use crate::app::export::{ExportFault, Exported};
use crate::app::import::{ImportPrompt, PreviewAnswer, PreviewDialog};
use crate::app::importing::Ending;
use crate::app::message::Target;
use crate::app::reader::Reading;
use crate::domain::check::Beforehand;
use crate::domain::import::{Format, Outcomes, Over, Preview, Progress, RowFault, Standing, Summary};

fn prompt(model: &Model) -> &ImportPrompt {
    match &model.overlay {
        Some(Overlay::Import(prompt)) => prompt,
        other => panic!("no prompt is open, but {other:?}"),
    }
}

fn preview_of(model: &Model) -> &PreviewDialog {
    match &model.overlay {
        Some(Overlay::Preview(dialog)) => dialog,
        other => panic!("no preview is open, but {other:?}"),
    }
}

fn export_of(model: &Model) -> &crate::app::export::ExportPrompt {
    match &model.overlay {
        Some(Overlay::Export(prompt)) => prompt,
        other => panic!("no prompt is open, but {other:?}"),
    }
}

fn is_told(model: &Model) -> bool {
    matches!(&model.overlay, Some(Overlay::Reader(reader)) if reader.reading == Reading::Import)
}

fn said(model: &Model) -> &str {
    model.happened.as_ref().map_or("", |happened| happened.text.as_str())
}

/// So many missing, unknown, and bad.
fn comes_to(missing: u64, unknown: u64, bad: u64) -> Preview {
    let fault = |line| RowFault { line, column: 2, field: None, reason: "no whole number".into() };
    let faults = (1..=bad).map(fault).collect();
    let forecast = Standing { send: missing, unknown, ..Standing::default() }.into();
    Preview { bad, faults, forecast, ..Preview::default() }
}

fn judged(preview: Preview) -> Msg {
    Msg::Judged(PathBuf::from("/home/ann/plants.csv"), Ok(Box::new(preview)))
}

/// A file is looked at.
fn looking_at(preview: Preview) -> Model {
    let mut model = model();
    looks_at(&mut model, preview);
    model
}

fn looks_at(model: &mut Model, preview: Preview) {
    assert_eq!(press(model, "i~/plants.csv<enter>"), [Effect::Judge("~/plants.csv".into())]);
    assert_eq!(update(model, judged(preview)), []);
}

fn import(skip_bad: bool, resend_unknown: bool) -> Effect {
    Effect::Import { skip_bad, resend_unknown }
}

/// An import of ten plants, three of them done.
fn running() -> Model {
    let mut model = looking_at(comes_to(10, 0, 0));
    assert_eq!(press(&mut model, "<tab><enter>"), [import(false, false)]);
    let outcomes = Outcomes { accepted: 3, ..Outcomes::default() };
    let effects = update(&mut model, Msg::Importing(Progress { rows: 10, outcomes, out: 2, ..Progress::default() }));
    assert_eq!(effects, [], "the view is still being read");
    model
}

fn over(over: Over, outcomes: Outcomes) -> Msg {
    Msg::Imported(Box::new(Summary { progress: Progress { rows: 10, outcomes, ..Progress::default() }, over }))
}

#[test]
fn a_file_is_judged_before_anything_is_asked() {
    let mut model = model();
    assert_eq!(press(&mut model, "i<enter>"), []);
    assert_eq!(prompt(&model).fault.as_deref(), Some("name a file"));
    update(&mut model, Msg::Paste("/home/ann/my plants.csv\n".into()));
    assert_eq!(prompt(&model).fault, None);
    assert_eq!(press(&mut model, "<enter>"), [Effect::Judge("/home/ann/my plants.csv".into())]);
    update(&mut model, Msg::Judging { bytes: 12_000_000 });
    assert_eq!(prompt(&model).judging, Some(12_000_000));
    // Neither typing nor a second Enter changes what is asked for.
    assert_eq!(press(&mut model, "x<enter>"), []);
    assert_eq!(prompt(&model).path.text(), "/home/ann/my plants.csv");
    assert!(!model.is_moving());
    let broken = Err("line 3, column 1: a quote has no end".to_owned());
    update(&mut model, Msg::Judged("/home/ann/my plants.csv".into(), broken));
    assert_eq!(prompt(&model).fault.as_deref(), Some("line 3, column 1: a quote has no end"));
    assert_eq!(press(&mut model, "<enter>").len(), 1);
}

#[test]
fn escape_gives_up_the_judging_then_closes() {
    for key in ["<esc>", "<c-c>"] {
        let mut model = model();
        press(&mut model, "ia.csv<enter>");
        assert_eq!(press(&mut model, key), [Effect::StopJudging]);
        assert_eq!(prompt(&model).path.text(), "a.csv");
        assert_eq!(press(&mut model, key), []);
        assert_eq!(model.overlay, None);
        // What comes late is not kept.
        assert_eq!(update(&mut model, judged(comes_to(1, 0, 0))), [Effect::DropImport]);
        assert_eq!(model.overlay, None);
    }
}

#[test]
fn the_safe_answer_is_marked_and_sends_nothing() {
    for keys in ["<enter>", "<esc>", "<c-c>", "<tab><tab><enter>"] {
        let mut model = looking_at(comes_to(10, 0, 0));
        assert_eq!(preview_of(&model).marked, PreviewAnswer::Leave);
        assert_eq!(press(&mut model, keys), [Effect::DropImport], "{keys}");
        assert_eq!((model.overlay.is_none(), model.is_importing()), (true, false));
    }
}

#[test]
fn bad_rows_are_skipped_on_a_persons_word_alone() {
    let mut model = looking_at(comes_to(1_150, 0, 3));
    let dialog = preview_of(&model);
    let labels: Vec<_> = model.preview_answers(dialog).into_iter().map(|answer| dialog.label(answer)).collect();
    assert_eq!(labels, ["Do nothing", "Skip 3 bad rows and import 1,150 plants"]);
    assert_eq!(press(&mut model, "<tab><enter>"), [import(true, false)]);
    assert_eq!(model.importing().unwrap().skipped, 3);
}

#[test]
fn what_is_in_doubt_is_sent_again_only_if_that_is_switched_on() {
    let mut model = looking_at(comes_to(10, 3, 0));
    press(&mut model, " ");
    let dialog = preview_of(&model);
    assert_eq!((dialog.resend_unknown, dialog.to_send(), dialog.marked), (true, 13, PreviewAnswer::Leave));
    press(&mut model, "<tab><tab><enter>");
    assert_eq!((preview_of(&model).resend_unknown, preview_of(&model).to_send()), (false, 10));
    press(&mut model, "<enter><tab><tab>");
    assert_eq!(press(&mut model, "<enter>"), [import(false, true)]);
    // Where nothing else would be sent, what was marked stays what is marked.
    let mut model = looking_at(comes_to(0, 1, 0));
    press(&mut model, "<tab><enter>");
    assert_eq!(preview_of(&model).marked, PreviewAnswer::Resend);
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(!preview_of(&model).resend_unknown);
}

#[test]
fn what_cannot_be_sent_can_still_be_looked_at() {
    let read_only = Facts { read_only: true, ..facts() };
    let mut model = Model::new(read_only, KeyTable::default(), false);
    let _ = model.begin(Vec::new());
    looks_at(&mut model, comes_to(10, 3, 0));
    assert_eq!(model.preview_answers(preview_of(&model)), [PreviewAnswer::Leave]);
    assert_eq!(press(&mut model, "<tab> <enter>"), [Effect::DropImport]);
    let mut model = self::model();
    update(&mut model, Msg::CourierDied("boom".into()));
    looks_at(&mut model, comes_to(10, 0, 0));
    assert_eq!(model.preview_answers(preview_of(&model)), [PreviewAnswer::Leave]);
}

#[test]
fn without_a_token_that_is_asked_for_and_the_import_begins_with_it() {
    let mut model = Model::new(facts(), KeyTable::default(), false);
    let _ = model.begin(Vec::new());
    press(&mut model, "<esc>");
    looks_at(&mut model, comes_to(10, 0, 0));
    assert_eq!(press(&mut model, "<tab><enter>"), []);
    assert!(matches!(model.overlay, Some(Overlay::Token(_))));
    // Giving none goes back to the preview.
    press(&mut model, "<esc>");
    assert_eq!(preview_of(&model).to_send(), 10);
    let effects = press(&mut model, "<enter>good<enter>");
    let token = crate::client::Token::new("good").unwrap();
    assert_eq!(effects, [Effect::UseToken(token), import(false, false)]);
    assert!(model.is_importing() && model.overlay.is_none());
}

#[test]
fn the_view_is_read_anew_as_the_import_goes_on_and_nothing_ticks() {
    let mut model = running();
    // It was asked for while the first one was still to come.
    let effects = update(&mut model, window(&[row(1, State::Adding)]));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Load(_))), "{effects:?}");
    update(&mut model, window(&[row(1, State::Adding)]));
    let effects = update(&mut model, Msg::Importing(Progress { rows: 10, ..Progress::default() }));
    assert!(matches!(effects.as_slice(), [Effect::Load(_)]), "{effects:?}");
    assert!(!model.is_moving());
    assert_eq!(sent(&press(&mut model, "aFern<tab><tab>t<enter>")).len(), 1, "the room stays usable");
}

#[test]
fn escape_stops_an_import_and_the_next_one_cancels_what_is_out() {
    let mut model = running();
    assert_eq!(press(&mut model, "<esc>"), [Effect::StopImport]);
    assert!(said(&model).contains("waiting for 2 answers"), "{}", said(&model));
    assert_eq!(press(&mut model, "2<esc>").last(), Some(&Effect::CancelImport));
    assert_eq!(model.importing().unwrap().ending, Some(Ending::Cancelling));
    assert_eq!(press(&mut model, "<esc>"), []);
    update(&mut model, over(Over::Stopped, Outcomes { accepted: 3, unknown: 2, ..Outcomes::default() }));
    assert_eq!(said(&model), "The import was stopped: 3 accepted, 2 unknown, 5 left unsent.");
    assert!(is_told(&model) && !model.is_importing());
}

#[test]
fn escape_takes_marks_and_filter_away_before_it_stops_an_import() {
    let mut model = running();
    update(&mut model, window(&[row(7, State::Stored)]));
    press(&mut model, " /plant<enter>");
    for _ in 0..2 {
        let effects = press(&mut model, "<esc>");
        assert!(!effects.contains(&Effect::StopImport), "{effects:?}");
    }
    assert_eq!(press(&mut model, "<esc>").first(), Some(&Effect::StopImport));
}

#[test]
fn ctrl_c_stops_then_cancels_then_quits() {
    let mut model = running();
    assert_eq!(press(&mut model, "<c-c>"), [Effect::StopImport]);
    assert_eq!(press(&mut model, "<c-c>"), [Effect::CancelImport, Effect::CancelAll]);
    assert_eq!(press(&mut model, "<c-c>"), [Effect::Quit]);
}

#[test]
fn an_import_under_way_is_told_and_no_second_one_begins() {
    let mut model = running();
    press(&mut model, "i");
    assert!(is_told(&model));
    // Its end is told in the same place.
    update(&mut model, over(Over::Halted("The store refuses the token.".into()), Outcomes::default()));
    assert!(is_told(&model) && model.later.is_empty());
    press(&mut model, "<esc>i");
    assert_eq!((prompt(&model).path.text(), prompt(&model).suggested), ("/home/ann/plants.csv", true));
    press(&mut model, "x");
    assert_eq!(prompt(&model).path.text(), "x");
}

#[test]
fn what_is_all_accepted_is_told_in_a_line() {
    let mut model = running();
    update(&mut model, over(Over::Done, Outcomes { accepted: 10, ..Outcomes::default() }));
    assert_eq!(said(&model), "The import is done: 10 accepted.");
    assert_eq!(model.overlay, None);
    // What comes after the end is of no import.
    assert_eq!(update(&mut model, Msg::Importing(Progress::default())), []);
    assert_eq!(update(&mut model, over(Over::Stopped, Outcomes::default())), []);
}

#[test]
fn its_end_disturbs_nobody_who_types() {
    let mut model = running();
    press(&mut model, "aIvy");
    update(&mut model, over(Over::Done, Outcomes { unknown: 1, ..Outcomes::default() }));
    assert_eq!(add_form(&model).name.text(), "Ivy");
    press(&mut model, "<esc>");
    assert!(is_told(&model));
}

#[test]
fn an_import_and_a_check_keep_apart() {
    let mut model = running();
    assert_eq!(press(&mut model, "3r").iter().filter(|effect| **effect == Effect::LookBeforehand).count(), 0);
    assert!(said(&model).contains("an import is under way"), "{}", said(&model));
    let demo = Facts { demo: true, ..facts() };
    let mut model = Model::new(demo, KeyTable::default(), true);
    let _ = model.begin(Vec::new());
    press(&mut model, "3r");
    update(&mut model, Msg::Beforehand(7, Ok(Beforehand::default())));
    assert_eq!(press(&mut model, "i"), []);
    assert_eq!(model.overlay, None);
    assert!(said(&model).contains("a check is under way"), "{}", said(&model));
}

#[test]
fn the_store_is_not_left_and_quitting_asks() {
    let mut model = running();
    press(&mut model, "c");
    assert_eq!(model.overlay, None);
    assert!(said(&model).contains("an import is under way"), "{}", said(&model));
    press(&mut model, "q");
    assert!(format!("{:?}", dialog(&model)).contains("1 import is under way"));
    assert_eq!(press(&mut model, "<tab><enter>"), [Effect::Quit]);
}

#[test]
fn the_mouse_marks_an_answer_and_takes_it_with_the_second_click() {
    let mut model = looking_at(comes_to(10, 1, 60));
    update(&mut model, Msg::Drawn(Drawn { reader_page: 10, reader_lines: 70, ..Drawn::default() }));
    update(&mut model, Msg::Wheeled { over: Target::Reader, down: true });
    assert_eq!(preview_of(&model).top, 3);
    press(&mut model, "<pagedown>");
    assert_eq!(preview_of(&model).top, 12);
    press(&mut model, "G");
    assert_eq!(preview_of(&model).top, 60);
    update(&mut model, Msg::Drawn(Drawn { reader_page: 30, reader_lines: 70, ..Drawn::default() }));
    assert_eq!(preview_of(&model).top, 40);
    assert_eq!(update(&mut model, Msg::Clicked(Target::Answer(9))), []);
    assert_eq!(update(&mut model, Msg::Clicked(Target::Answer(1))), []);
    assert_eq!(update(&mut model, Msg::Clicked(Target::Answer(1))), [import(true, false)]);
}

fn export(path: &str, format: Format, spreadsheet: bool, replace: bool) -> Effect {
    Effect::Export { path: path.into(), format, spreadsheet, replace }
}

#[test]
fn an_export_is_what_its_ending_says() {
    let mut model = model();
    model.now = Timestamp(1_700_000_000_000);
    press(&mut model, "e");
    assert_eq!(export_of(&model).path.text(), "plants-2023-11-14-221320.csv");
    assert_eq!(press(&mut model, "<c-u><enter>"), []);
    assert_eq!(export_of(&model).fault.as_deref(), Some("name a file"));
    assert_eq!(press(&mut model, "x.txt<enter>"), []);
    assert!(export_of(&model).fault.as_deref().unwrap().contains(".csv, .json or .ndjson"));
    // Safe for spreadsheets, which matters for one format alone.
    assert_eq!(press(&mut model, "<c-u>x.json<tab> x<enter>"), [export("x.json", Format::Json, false, false)]);
    let none = Err(ExportFault::Other("no room".into()));
    update(&mut model, Msg::Exported("x.json".into(), none));
    assert_eq!((export_of(&model).fault.as_deref(), export_of(&model).writing), (Some("no room"), false));
    assert_eq!(press(&mut model, "<c-u>~/x.csv<enter>"), [export("~/x.csv", Format::Csv, true, false)]);
    assert_eq!(press(&mut model, "<enter>y"), []);
    let exported = Exported { plants: 1_203, in_doubt: 3, ..Exported::default() };
    update(&mut model, Msg::Exported("/home/ann/x.csv".into(), Ok(exported)));
    assert_eq!(model.overlay, None);
    assert_eq!(said(&model), "Wrote 1,203 plants to /home/ann/x.csv; 3 of them unknown.");
}

#[test]
fn a_file_that_is_there_is_overwritten_by_a_second_enter_on_the_same_name_only() {
    let mut model = model();
    press(&mut model, "e<c-u>x.csv<enter>");
    update(&mut model, Msg::Exported("x.csv".into(), Err(ExportFault::Exists)));
    assert_eq!(export_of(&model).exists.as_deref(), Some("x.csv"));
    assert_eq!(press(&mut model, "<home>y<enter>"), [export("yx.csv", Format::Csv, false, false)]);
    update(&mut model, Msg::Exported("yx.csv".into(), Err(ExportFault::Exists)));
    assert_eq!(press(&mut model, "<enter>"), [export("yx.csv", Format::Csv, false, true)]);
    // Whoever has closed the prompt is told all the same.
    press(&mut model, "<esc>");
    update(&mut model, Msg::Exported("yx.csv".into(), Err(ExportFault::Other("no room".into()))));
    assert_eq!(said(&model), "yx.csv was not written: no room.");
}
