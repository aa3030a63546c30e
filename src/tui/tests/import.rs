//! Import and export: prompts, preview, progress, stopping, reports.

use std::path::PathBuf;

use super::frame::screen_at;
use super::*;
use crate::check::EarlierRuns;
use crate::config::{Motion, Notify};
use crate::domain::OutcomeCounts;
use crate::domain::export::Exported;
use crate::domain::file_format::FileFormat;
use crate::import::{Forecast, Order, Over, Preview, Progress, RowCounts, RowFault, Summary};
use crate::terminal::Signs;
use crate::tui::context::Attention;
use crate::tui::message::{Target, WriteFault, Written};
use crate::tui::session::Ending;

/// Returns the prompt for a file to import.
#[track_caller]
fn prompt(app: &App) -> frame::Front {
    let front = dialog(app);
    assert_eq!(front.title, "Import which file?");
    front
}

/// Returns the preview.
#[track_caller]
fn preview_of(app: &App) -> frame::Front {
    let front = dialog(app);
    assert!(front.title.starts_with("Import preview"), "{front:#?}");
    front
}

/// Returns the choices below the preview.
fn choices(app: &App) -> Vec<String> {
    let rows = preview_of(app).rows;
    let choices = rows.rsplit(String::is_empty).next().unwrap_or_default();
    choices.iter().map(|row| row.trim_start_matches(['▸', ' ']).to_owned()).collect()
}

/// Returns the first visible line of the preview, from 0, on a small terminal.
fn top(app: &App) -> usize {
    let rows = frame::front_at(app, (160, 14)).unwrap().rows;
    let position = rows.iter().find(|row| row.contains("scrolls")).unwrap().trim();
    position.trim_start_matches("lines ").split_once('-').unwrap().0.parse::<usize>().unwrap() - 1
}

/// Returns the prompt for the file of an export.
#[track_caller]
fn export_of(app: &App) -> frame::Front {
    let front = dialog(app);
    assert_eq!(front.title, "Export plants");
    front
}

fn shows_report(app: &App) -> bool {
    let title = title(app);
    title.starts_with("An import ") || title.starts_with("The import ")
}

/// Returns the forecast of a file with these numbers of missing and unknown plants.
pub(super) fn forecast(send: u64, unknown: u64) -> Forecast {
    Forecast { counts: RowCounts { send, unknown, ..RowCounts::default() }, unsent: Vec::new() }
}

/// Returns a preview with these numbers of missing, unknown and invalid plants.
pub(super) fn preview(missing: u64, unknown: u64, bad: u64) -> Preview {
    let fault = |line| RowFault { line, column: 2, field: None, reason: "no whole number".into() };
    let faults = (1..=bad).map(fault).collect();
    Preview { bad, faults, forecast: forecast(missing, unknown), ..Preview::default() }
}

fn validated(preview: Preview) -> Msg {
    Msg::Validated(Some(PathBuf::from("/home/ann/plants.csv")), Ok(Box::new(preview)))
}

/// Returns an app with an open preview.
fn in_preview(preview: Preview) -> App {
    let mut app = new_app();
    open_preview(&mut app, preview);
    app
}

pub(super) fn open_preview(app: &mut App, preview: Preview) {
    assert_eq!(press(app, "i~/plants.csv<enter>"), [Effect::Validate("~/plants.csv".into())]);
    assert_eq!(app.update(validated(preview)), []);
}

fn import() -> Effect {
    Effect::Import { renews_token: true }
}

/// Returns an app with an import of ten plants, three of them done.
fn running() -> App {
    let mut app = in_preview(preview(10, 0, 0));
    assert_eq!(press(&mut app, "<tab><enter>"), [import()]);
    let outcomes = OutcomeCounts { accepted: 3, ..OutcomeCounts::default() };
    let progress = Progress { rows: 10, outcomes, out: 2, elapsed: Duration::from_secs(1), ..Progress::default() };
    assert_eq!(app.update(importing(progress)), [], "the list is still being loaded");
    app
}

#[test]
fn the_header_counts_no_row_of_an_import_that_waits_to_be_sent() {
    let mut app = running();
    let rows: Vec<_> = (1..=9).map(|id| row(id, State::Adding)).collect();
    app.update(window(&rows));
    assert_eq!(app.cx.session.in_flight(), 2);
    app.update(imported(Over::Stopped, OutcomeCounts::default()));
    // What another program sends.
    assert_eq!(app.cx.session.in_flight(), 9);
}

fn importing(progress: Progress) -> Msg {
    Msg::Importing(Box::new(progress))
}

pub(super) fn imported(over: Over, outcomes: OutcomeCounts) -> Msg {
    Msg::Imported(Box::new(Summary {
        progress: Progress { rows: 10, outcomes, ..Progress::default() },
        over,
        notes: Vec::new(),
    }))
}

#[test]
fn the_end_of_an_import_says_how_many_bad_rows_were_left_out() {
    for (bad, said) in [(2, true), (0, false)] {
        let mut app = in_preview(preview(10, 0, bad));
        let id = OperationId { origin: 1, number: 1 };
        let delete = OperationKind::Delete(PlantId(7));
        app.cx.session.last_accepted = vec![Operation::new(id, delete, Timestamp(0))];
        assert_eq!(press(&mut app, "y"), [import()]);
        app.update(imported(Over::Done, OutcomeCounts { accepted: 10, ..OutcomeCounts::default() }));
        assert!(app.cx.session.last_accepted.is_empty(), "to undo the delete would look like to undo the import");
        assert_eq!(status_line(&app).ends_with(" 2 bad rows were left out."), said, "{}", status_line(&app));
        let row = "line 2: left out: column 2: no whole number";
        assert_eq!(app.cx.display.has_dialog && shows_report(&app) && dialog(&app).says(row), said);
    }
}

#[test]
fn a_file_is_validated_before_the_preview_opens() {
    let mut app = new_app();
    assert_eq!(press(&mut app, "i<enter>"), []);
    assert_eq!(prompt(&app).below("file"), "✗ name a file");
    app.update(pasted("/home/ann/my plants.csv\n".into()));
    assert_eq!(prompt(&app).below("file"), "");
    assert_eq!(press(&mut app, "<enter>"), [Effect::Validate("/home/ann/my plants.csv".into())]);
    app.update(Msg::Validating { bytes: 12_000_000 });
    assert!(prompt(&app).below("file").starts_with("reading … 12 MB"), "{:#?}", prompt(&app));
    // Neither typing nor a second Enter starts another validation.
    assert_eq!(press(&mut app, "x<enter>"), []);
    assert_eq!(prompt(&app).field("file"), "/home/ann/my plants.csv");
    assert!(!app.is_moving());
    let broken = Err("line 3, column 1: a quote has no end".into());
    app.update(Msg::Validated(Some("/home/ann/my plants.csv".into()), broken));
    assert_eq!(prompt(&app).below("file"), "✗ line 3, column 1: a quote has no end");
    assert_eq!(press(&mut app, "<enter>").len(), 1);
}

#[test]
fn esc_stops_the_validation_then_closes_the_prompt() {
    for key in ["<esc>", "<c-c>"] {
        let mut app = new_app();
        press(&mut app, "ia.csv<enter>");
        assert_eq!(press(&mut app, key), [Effect::DropImport]);
        assert_eq!(prompt(&app).field("file"), "a.csv");
        assert_eq!(press(&mut app, key), []);
        assert!(!app.cx.display.has_dialog);
        // A late result is dropped.
        assert_eq!(app.update(validated(preview(1, 0, 0))), [Effect::DropImport]);
        assert!(!app.cx.display.has_dialog);
    }
}

#[test]
fn the_preview_marks_the_safe_choice_which_sends_nothing() {
    for keys in ["<enter>", "<esc>", "<c-c>", "<tab><tab><enter>"] {
        let mut app = in_preview(preview(10, 0, 0));
        assert_eq!(preview_of(&app).marked(), "n  Do nothing");
        assert_eq!(press(&mut app, keys), [Effect::DropImport], "{keys}");
        assert_eq!(status_line(&app), "Not imported: /home/ann/plants.csv. Nothing was sent.");
        assert_eq!((!app.cx.display.has_dialog, app.cx.session.is_importing()), (true, false));
    }
}

#[test]
fn invalid_rows_are_skipped_only_by_choice() {
    let mut app = in_preview(preview(1_150, 0, 3));
    assert_eq!(choices(&app), ["n  Do nothing", "y  Import 1,150 plants  leaves 3 bad rows out"]);
    assert_eq!(press(&mut app, "<tab><enter>"), [import()]);
    assert_eq!(app.cx.session.importing().unwrap().bad, 3);
}

#[test]
fn unknown_plants_are_not_sent_again() {
    let mut app = in_preview(preview(10, 3, 0));
    assert_eq!(choices(&app), ["n  Do nothing", "y  Import 10 plants"]);
    assert!(preview_of(&app).says("3 not sent: unknown from before"), "{:#?}", preview_of(&app));
    assert_eq!(press(&mut app, "y"), [import()]);
    let mut app = in_preview(preview(0, 1, 0));
    assert_eq!(press(&mut app, "y"), []);
    assert_eq!(choices(&app), ["n  Do nothing"]);
}

#[test]
fn a_read_only_program_shows_the_preview_without_sending() {
    let read_only = StoreInfo { read_only: true, ..info() };
    let mut app = App::new(read_only, Keymap::default(), None);
    let _ = app.begin(Vec::new());
    open_preview(&mut app, preview(10, 3, 0));
    assert_eq!(choices(&app), ["n  Do nothing"]);
    assert_eq!(press(&mut app, "<tab> <enter>"), [Effect::DropImport]);
    let mut app = new_app();
    app.update(Msg::WorkerDied("boom".into()));
    open_preview(&mut app, preview(10, 0, 0));
    assert_eq!(choices(&app), ["n  Do nothing"]);
}

#[test]
fn an_import_without_a_token_prompts_for_it_and_then_begins() {
    let mut app = App::new(info(), Keymap::default(), None);
    let _ = app.begin(Vec::new());
    press(&mut app, "<esc>");
    open_preview(&mut app, preview(10, 0, 0));
    assert_eq!(press(&mut app, "<tab><enter>"), []);
    assert!(title(&app).starts_with("Token for"));
    // Closing the prompt returns to the preview.
    press(&mut app, "<esc>");
    assert!(preview_of(&app).says("send   10 plants, one request each"), "{:#?}", preview_of(&app));
    let effects = press(&mut app, "<enter>good<enter>");
    let token = crate::client::Token::new("good").unwrap();
    let typed = Effect::Import { renews_token: false };
    assert_eq!(effects, [Effect::UseToken(token), typed], "a person who typed a token wants no other");
    assert!(app.cx.session.is_importing() && !app.cx.display.has_dialog);
}

#[test]
fn the_list_is_loaded_again_during_an_import_without_ticks() {
    let mut app = running();
    // The list has changed again while the first query was pending.
    let effects = app.update(window(&[row(1, State::Adding)]));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Load(_))), "{effects:?}");
    app.update(window(&[row(1, State::Adding)]));
    let after = |millis| importing(Progress { elapsed: Duration::from_millis(millis), ..Progress::default() });
    assert_eq!(app.update(after(1_900)), [], "once per second");
    let effects = app.update(after(2_000));
    assert!(matches!(effects.as_slice(), [Effect::Load(_)]), "{effects:?}");
    assert!(!app.is_moving());
    assert_eq!(sent(&press(&mut app, "aFern<tab><tab>t<enter>")).len(), 1, "the room stays usable");
}

#[test]
fn esc_stops_an_import_and_a_second_one_cancels_its_requests() {
    let mut app = running();
    assert_eq!(press(&mut app, "<esc>"), [Effect::OrderImport(Order::Stop)]);
    assert!(status_line(&app).contains("waiting for 2 responses"), "{}", status_line(&app));
    assert_eq!(press(&mut app, "2<esc>").last(), Some(&Effect::OrderImport(Order::Cancel)));
    assert_eq!(app.cx.session.importing().unwrap().ending, Some(Ending::Cancelling));
    assert_eq!(press(&mut app, "<esc>"), []);
    app.update(imported(Over::Stopped, OutcomeCounts { accepted: 3, unknown: 2, ..OutcomeCounts::default() }));
    assert_eq!(status_line(&app), "The import was stopped: 3 accepted, 2 unknown, 5 not tried.");
    assert!(shows_report(&app) && !app.cx.session.is_importing());
}

#[test]
fn esc_clears_marks_and_filter_before_it_stops_an_import() {
    let mut app = running();
    app.update(window(&[row(7, State::Stored)]));
    press(&mut app, " /plant<enter>");
    for _ in 0..2 {
        let effects = press(&mut app, "<esc>");
        assert!(!effects.contains(&Effect::OrderImport(Order::Stop)), "{effects:?}");
    }
    assert_eq!(press(&mut app, "<esc>").first(), Some(&Effect::OrderImport(Order::Stop)));
}

#[test]
fn ctrl_c_stops_an_import_then_cancels_it_then_quits() {
    let mut app = running();
    assert_eq!(press(&mut app, "<c-c>"), [Effect::OrderImport(Order::Stop)]);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::OrderImport(Order::Cancel), Effect::CancelAll]);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn the_import_key_says_that_an_import_is_under_way() {
    let mut app = running();
    press(&mut app, "i");
    assert!(!app.cx.display.has_dialog);
    assert!(
        status_line(&app).contains("an import is under way; wait for its end, or stop it"),
        "{}",
        status_line(&app)
    );
    app.update(imported(Over::Halted("The store refuses the token.".into()), OutcomeCounts::default()));
    assert!(shows_report(&app) && app.behind() == 0);
    press(&mut app, "<esc>i");
    assert_eq!(prompt(&app).field("file"), "~/plants.csv");
    press(&mut app, "x");
    assert_eq!(prompt(&app).field("file"), "x");
}

#[test]
fn an_import_without_problems_ends_with_one_line() {
    let mut app = running();
    app.update(imported(Over::Done, OutcomeCounts { accepted: 10, ..OutcomeCounts::default() }));
    assert_eq!(status_line(&app), "The import is done: 10 accepted.");
    assert!(!app.cx.display.has_dialog);
    // Progress after the end is ignored.
    assert_eq!(app.update(importing(Progress::default())), []);
    assert_eq!(app.update(imported(Over::Stopped, OutcomeCounts::default())), []);
}

#[test]
fn the_report_of_an_import_opens_behind_an_open_form() {
    let mut app = running();
    press(&mut app, "aIvy");
    app.update(imported(Over::Done, OutcomeCounts { unknown: 1, ..OutcomeCounts::default() }));
    assert_eq!(draft(&app).name.text(), "Ivy");
    press(&mut app, "<esc>");
    assert!(shows_report(&app));
}

#[test]
fn an_import_and_a_check_exclude_each_other() {
    let mut app = running();
    assert_eq!(press(&mut app, "3r").iter().filter(|effect| **effect == Effect::FindEarlierRuns).count(), 0);
    assert!(status_line(&app).contains("an import is under way"), "{}", status_line(&app));
    let demo = StoreInfo { demo: true, ..info() };
    let mut app = App::new(demo, Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    press(&mut app, "3r");
    app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    assert_eq!(press(&mut app, "i"), []);
    assert!(!app.cx.display.has_dialog);
    assert!(status_line(&app).contains("a check is under way"), "{}", status_line(&app));
}

#[test]
fn an_import_blocks_other_stores_and_quitting_asks() {
    let mut app = running();
    press(&mut app, "c");
    assert!(!app.cx.display.has_dialog);
    assert!(status_line(&app).contains("an import is under way"), "{}", status_line(&app));
    press(&mut app, "q");
    assert!(dialog(&app).says("1 import is under way"));
    assert_eq!(press(&mut app, "<tab><enter>"), [Effect::Quit]);
}

#[test]
fn one_click_marks_a_choice_of_the_preview_and_a_second_one_takes_it() {
    let mut app = in_preview(preview(10, 1, 60));
    app.update(shown(FrameLayout { reader_page: 10, reader_lines: 70, ..FrameLayout::default() }));
    app.update(wheeled(Target::Text, true));
    assert_eq!(top(&app), 3);
    press(&mut app, "<pagedown>");
    assert_eq!(top(&app), 12);
    press(&mut app, "G");
    assert_eq!(top(&app), 60);
    app.update(shown(FrameLayout { reader_page: 30, reader_lines: 70, ..FrameLayout::default() }));
    assert_eq!(top(&app), 40);
    assert_eq!(app.update(clicked(Target::Choice(9))), []);
    assert_eq!(app.update(clicked(Target::Choice(1))), []);
    assert_eq!(app.update(clicked(Target::Choice(1))), [import()]);
}

#[test]
fn the_wheel_scrolls_the_text_of_the_preview_or_marks_its_choices() {
    let mut app = in_preview(preview(10, 1, 60));
    app.update(shown(FrameLayout { reader_page: 10, reader_lines: 70, ..FrameLayout::default() }));
    let mut wheel = |over, down| {
        app.update(wheeled(over, down));
        (top(&app), preview_of(&app).marked().chars().next().unwrap())
    };
    assert_eq!([true, true, false].map(|down| wheel(Target::Text, down)), [(3, 'n'), (6, 'n'), (3, 'n')]);
    assert_eq!([true, false].map(|down| wheel(Target::Choice(0), down)), [(3, 'y'), (3, 'n')]);
}

#[test]
fn shift_tab_and_k_mark_the_choice_before() {
    for key in ["<shift-tab>", "k"] {
        let mut app = in_preview(preview(10, 0, 0));
        press(&mut app, key);
        assert_eq!(preview_of(&app).marked(), "y  Import 10 plants", "{key}");
        press(&mut app, key);
        assert_eq!(preview_of(&app).marked(), "n  Do nothing", "{key}");
    }
}

#[test]
fn the_report_of_an_import_is_as_high_as_its_text_and_says_if_there_is_more() {
    let mut app = running();
    app.update(imported(Over::Stopped, OutcomeCounts::default()));
    let all = dialog(&app).rows.len();
    let is_whole = |height| {
        let front = frame::front_at(&app, (160, height)).unwrap();
        assert_eq!(front.title.ends_with("(more below)"), front.rows.len() < all, "{height}: {front:#?}");
        front.rows.len() == all
    };
    let whole = (14..40).filter(|height| is_whole(*height)).count();
    assert!((1..26).contains(&whole), "{whole}");
    // A search has a row of its own.
    press(&mut app, "/");
    assert_eq!(dialog(&app).rows.len(), all + 1);
}

#[test]
fn help_opens_over_the_report_of_an_import() {
    let mut app = running();
    app.update(imported(Over::Stopped, OutcomeCounts::default()));
    press(&mut app, "?");
    assert_eq!(title(&app), "Keys and words");
    press(&mut app, "?");
    assert!(shows_report(&app));
}

fn export(path: &str, format: FileFormat, replace: bool) -> Effect {
    Effect::Export { path: path.into(), format, replace }
}

#[test]
fn the_ending_of_the_file_decides_the_export_format() {
    let mut app = new_app();
    app.set_time(Timestamp(1_700_000_000_000));
    press(&mut app, "e");
    assert_eq!(export_of(&app).field("file"), "plants-2023-11-14-221320.csv");
    assert_eq!(press(&mut app, "<c-u><enter>"), []);
    assert_eq!(export_of(&app).below("file"), "✗ name a file");
    assert_eq!(press(&mut app, "x.txt<enter>"), []);
    assert!(export_of(&app).below("file").contains(".csv, .json or .ndjson"));
    assert_eq!(press(&mut app, "<c-u>x.json<enter>"), [export("x.json", FileFormat::Json, false)]);
    let none = Err(WriteFault::Other("no room".into()));
    app.update(Msg::Written("x.json".into(), none));
    assert_eq!(export_of(&app).below("file"), "✗ no room");
    assert_eq!(press(&mut app, "<c-u>~/x.csv<enter>"), [export("~/x.csv", FileFormat::Csv, false)]);
    assert_eq!(press(&mut app, "<enter>y"), []);
    let exported = Exported { plants: 1_203, unknown: 3, ..Exported::default() };
    app.update(Msg::Written("/home/ann/x.csv".into(), Ok(Written::Plants(exported))));
    assert!(!app.cx.display.has_dialog);
    assert_eq!(status_line(&app), "Wrote 1,203 plants to /home/ann/x.csv; 3 of them unknown.");
}

#[test]
fn only_a_second_enter_with_the_same_name_overwrites_a_file() {
    let mut app = new_app();
    press(&mut app, "e<c-u>x.csv<enter>");
    app.update(Msg::Written("x.csv".into(), Err(WriteFault::Exists)));
    assert!(export_of(&app).below("file").contains("once more overwrites it"), "{:#?}", export_of(&app));
    assert_eq!(press(&mut app, "<home>y<enter>"), [export("yx.csv", FileFormat::Csv, false)]);
    app.update(Msg::Written("yx.csv".into(), Err(WriteFault::Exists)));
    assert_eq!(press(&mut app, "<enter>"), [export("yx.csv", FileFormat::Csv, true)]);
    // After the prompt is closed, the fault is a message.
    press(&mut app, "<esc>");
    app.update(Msg::Written("yx.csv".into(), Err(WriteFault::Other("no room".into()))));
    assert_eq!(status_line(&app), "yx.csv was not written: no room.");
}

#[test]
fn the_prompt_of_an_export_stays_as_it_is_written() {
    let mut app = new_app();
    press(&mut app, "e<c-u>a.csv<enter>xy");
    assert_eq!((export_of(&app).field("file").as_str(), export_of(&app).below("file")), ("a.csv", "writing …"));
}

#[test]
fn the_result_of_an_export_does_not_change_the_prompt_of_the_next_one() {
    let mut app = new_app();
    press(&mut app, "e<c-u>a.csv<enter><esc>e");
    app.update(Msg::Written("a.csv".into(), Err(WriteFault::Other("no room".into()))));
    assert_eq!(status_line(&app), "a.csv was not written: no room.");
    assert_eq!(export_of(&app).below("file"), "the file used last; what you type replaces it");
    app.update(Msg::Written("a.csv".into(), Ok(Written::Plants(Exported::default()))));
    assert_eq!(export_of(&app).field("file"), "a.csv");
}

#[test]
fn the_preview_shows_the_first_rows_unless_a_row_is_bad() {
    let plant = |id: i64| Plant { name: format!("Fern {id}"), id: PlantId(id), tag: "shade".into() };
    let first: Vec<_> = (1..=2).map(plant).collect();
    let app = in_preview(Preview { first: first.clone(), ..preview(9, 0, 0) });
    for line in ["first  Fern 1 (1), shade", "Fern 2 (2), shade", "and 7 rows more"] {
        assert!(preview_of(&app).says(line), "{:#?}", preview_of(&app));
    }
    let app = in_preview(Preview { first: first.clone(), ..preview(2, 0, 0) });
    assert!(preview_of(&app).says("Fern 2 (2), shade") && !preview_of(&app).says(" more"), "{:#?}", preview_of(&app));
    let app = in_preview(Preview { first, ..preview(9, 0, 1) });
    assert!(!preview_of(&app).says("Fern 1"), "{:#?}", preview_of(&app));
}

#[test]
fn send_again_points_to_the_import_whose_rows_are_missing() {
    for (over, is_said) in [(Over::Halted("no".into()), true), (Over::Done, false)] {
        let mut app = running();
        let Msg::Imported(mut summary) = imported(over, OutcomeCounts::default()) else { unreachable!("it is over") };
        summary.progress.rows = summary.progress.done() + u64::from(is_said);
        app.update(Msg::Imported(summary));
        press(&mut app, "<esc>r");
        let text = status_line(&app);
        assert_eq!(text.contains("i imports the file again, and sends its missing rows."), is_said, "{text}");
    }
}

#[test]
fn an_import_that_brakes_asks_whether_to_go_on() {
    for (keys, effect) in [
        ("<tab><enter>", Effect::OrderImport(Order::GoOn)),
        ("<enter>", Effect::OrderImport(Order::Halt)),
        ("n", Effect::OrderImport(Order::Halt)),
        ("<esc>", Effect::OrderImport(Order::Halt)),
        ("<c-c>", Effect::OrderImport(Order::Halt)),
    ] {
        let mut app = running();
        app.update(Msg::ImportBraked(10, crate::worker::BrakeCause::Unknown));
        assert_eq!(title(&app), "Go on with the import?");
        assert!(dialog(&app).says("10 rows are not sent yet."));
        assert!(press(&mut app, keys).contains(&effect), "{keys}");
        assert!(!app.cx.display.has_dialog && app.cx.session.is_importing());
    }
    // An import that ends otherwise has no question.
    let mut app = running();
    app.update(Msg::ImportBraked(10, crate::worker::BrakeCause::Unknown));
    app.update(imported(Over::Stopped, OutcomeCounts::default()));
    press(&mut app, "<esc>");
    assert!(!app.cx.display.has_dialog && !app.cx.session.is_importing());
}

#[test]
fn the_end_of_long_work_rings_for_a_person_who_is_elsewhere() {
    let rings = |attention, seconds: i64, notify| {
        let mut app = running();
        (app.cx.display.attention, app.cx.display.notify) = (attention, notify);
        app.update(Msg::Now(Timestamp(app.cx.now().0 + seconds * 1000)));
        let ended = app.update(imported(Over::Done, OutcomeCounts::default()));
        ended.into_iter().find_map(|effect| if let Effect::Ring(bell, _) = effect { Some(bell) } else { None })
    };
    assert_eq!(rings(Attention::Elsewhere, 60, Notify::Bell), Some(Notify::Bell));
    assert_eq!(rings(Attention::Elsewhere, 60, Notify::Desktop), Some(Notify::Desktop));
    assert_eq!(rings(Attention::Elsewhere, 60, Notify::Off), None);
    assert_eq!(rings(Attention::Elsewhere, 2, Notify::Bell), None);
    assert_eq!(rings(Attention::Here, 60, Notify::Bell), None);
}

#[test]
fn the_title_has_own_words_and_numbers_alone() {
    let mut app = new_app();
    let titled = |app: &mut App, profile: &str| {
        app.cx.session.info.profile = Some(profile.to_owned());
        app.signs().title
    };
    assert_eq!(titled(&mut app, "staging"), "plants: staging");
    assert_eq!(titled(&mut app, "\u{1b}]0;x"), "plants");
    app.update(window(&[row(7, State::Unknown), row(8, State::Unknown)]));
    assert_eq!(titled(&mut app, "staging"), "plants: staging, 2 unknown");
    assert_eq!(titled(&mut app, "Ann's"), "plants: 2 unknown");
    app.cx.display.motion = Motion::Still;
    assert_eq!(app.signs(), Signs::default());
}

#[test]
fn below_a_preview_of_any_length_a_key_that_does_nothing_says_so() {
    let mut app = new_app();
    open_preview(&mut app, preview(10, 0, 30));
    press(&mut app, "e");
    let rows = screen_at(&app, (80, 24));
    assert!(rows.iter().any(|row| row.contains("e does nothing here")), "{rows:#?}");
}
