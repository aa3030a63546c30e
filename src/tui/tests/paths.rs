//! The prompts for files: completion, and the files offered again.

use super::*;
use crate::config::TokenSource;
use crate::domain::export::Exported;
use crate::domain::file_format::FileFormat;
use crate::domain::filter::{Filter, Test};
use crate::domain::report::Format;
use crate::tui::input::completion::{PathKind, PathMatches, PathQuery};
use crate::tui::message::{WriteFault, Written};

/// Returns the result of a query: the names in a folder, and what they have in common.
pub(super) fn named(query: &PathQuery, names: &[&str], common: &str) -> Msg {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    Msg::Paths(query.clone(), Ok(PathMatches { count: names.len(), names, common: common.into(), is_partial: false }))
}

/// Returns the result of a query: the one name in a folder.
fn only(query: &PathQuery, name: &str) -> Msg {
    named(query, &[name], name)
}

fn nothing(query: &PathQuery) -> Msg {
    Msg::Paths(query.clone(), Ok(PathMatches { common: query.start.clone(), ..PathMatches::default() }))
}

/// Presses Tab, and returns what it asks for.
#[track_caller]
fn tab(app: &mut App) -> PathQuery {
    let effects: [Effect; 1] = press(app, "<tab>").try_into().unwrap();
    let [Effect::FindPaths(query)] = effects else { panic!("it asks for names") };
    query
}

/// Returns the text of the field for a file.
fn file(app: &App) -> String {
    dialog(app).field("file")
}

#[test]
fn tab_completes_what_is_common_and_lists_the_matches() {
    let mut app = new_app();
    press(&mut app, "i~/ord");
    let query = tab(&mut app);
    assert_eq!(query, PathQuery { folder: "~/".into(), start: "ord".into(), kind: PathKind::Plants });
    app.update(named(&query, &["orders-1.csv", "orders-2.csv", "orders\u{1b}[2J/"], "orders"));
    assert_eq!(file(&app), "~/orders");
    assert_eq!(dialog(&app).below("file"), "orders-1.csv  orders-2.csv  orders␛[2J/");
    assert!(!dialog(&app).says("more"), "{:#?}", dialog(&app));
    // All is on screen already.
    assert_eq!(press(&mut app, "<tab>"), []);
    press(&mut app, "-1");
    assert_eq!(dialog(&app).below("file"), "");
    let query = tab(&mut app);
    app.update(only(&query, "orders-1.csv"));
    assert_eq!((file(&app).as_str(), dialog(&app).below("file")), ("~/orders-1.csv", ""));
    assert_eq!(press(&mut app, "<enter>"), [Effect::Validate("~/orders-1.csv".into())]);
}

#[test]
fn a_completed_name_is_used_as_it_is_on_disk() {
    let mut app = new_app();
    press(&mut app, "i");
    let query = tab(&mut app);
    app.update(only(&query, "a\u{202e}b\n.csv"));
    assert_eq!(file(&app), "a‹U+202E›b␊.csv");
    assert_eq!(press(&mut app, "<enter>"), [Effect::Validate("a\u{202e}b\n.csv".into())]);
}

#[test]
fn a_dropped_path_is_pasted_as_it_is_on_disk() {
    for (dropped, path) in [
        ("'/home/ann/my plants.csv' ", "/home/ann/my plants.csv"),
        ("/home/ann/my\\ plants.csv ", "/home/ann/my plants.csv"),
        ("file:///home/ann/my%20plants.csv", "/home/ann/my plants.csv"),
        ("/home/ann/my plants.csv\n", "/home/ann/my plants.csv"),
        ("plants.csv", "plants.csv"),
    ] {
        let mut app = new_app();
        press(&mut app, "i");
        app.update(pasted(dropped.into()));
        assert_eq!(file(&app), path, "{dropped:?}");
        assert_eq!(press(&mut app, "<enter>"), [Effect::Validate(path.into())]);
    }
}

#[test]
fn a_folder_is_completed_step_by_step() {
    let mut app = new_app();
    press(&mut app, "i~");
    assert_eq!(press(&mut app, "<tab>"), []);
    assert_eq!(file(&app), "~/");
    let query = tab(&mut app);
    app.update(only(&query, "data/"));
    assert_eq!(file(&app), "~/data/");
    let query = tab(&mut app);
    assert_eq!(query.folder, "~/data/");
    app.update(nothing(&query));
    assert_eq!(dialog(&app).below("file"), "no name in the folder begins like this");
    press(&mut app, "..<tab>x");
    assert_eq!(file(&app), "~/data/../x");
    let query = tab(&mut app);
    app.update(nothing(&query));
    assert_eq!(dialog(&app).below("file"), "no name in the folder begins like this");
    let query = tab(&mut app);
    app.update(Msg::Paths(query, Err("there is no such folder".into())));
    assert_eq!(dialog(&app).below("file"), "nothing to complete: there is no such folder");
}

#[test]
fn only_what_stands_before_the_cursor_is_completed() {
    let mut app = new_app();
    press(&mut app, "idat/plants.csv<home><right><right><right>");
    let query = tab(&mut app);
    assert_eq!((query.folder.as_str(), query.start.as_str()), ("", "dat"));
    app.update(only(&query, "data"));
    assert_eq!(file(&app), "data/plants.csv");
}

#[test]
fn a_late_result_does_not_change_what_was_typed_since() {
    let mut app = new_app();
    press(&mut app, "io");
    let query = tab(&mut app);
    assert_eq!(press(&mut app, "<tab>"), []);
    assert_eq!(dialog(&app).below("file"), "still reading the folder …");
    press(&mut app, "x");
    app.update(only(&query, "orders.csv"));
    assert_eq!(file(&app), "ox");
    let query = tab(&mut app);
    press(&mut app, "<enter>");
    app.update(only(&query, "oxlip.csv"));
    assert_eq!(file(&app), "ox");
}

#[test]
fn many_matches_are_counted() {
    let mut app = new_app();
    press(&mut app, "i");
    let query = tab(&mut app);
    let names: Vec<_> = (0..150).map(|number| format!("plants-{number:03}.csv")).collect();
    let found = PathMatches { count: 1_200, names, common: "plants-".into(), is_partial: false };
    app.update(Msg::Paths(query.clone(), Ok(found.clone())));
    let front = dialog(&app);
    assert!(
        front.says("plants-000.csv  plants-001.csv") && front.says("plants-019.csv and 1,180 names more"),
        "{front:#?}"
    );
    press(&mut app, "<c-u>");
    let query = tab(&mut app);
    app.update(Msg::Paths(query, Ok(PathMatches { common: String::new(), is_partial: true, ..found })));
    assert_eq!(file(&app), "");
    assert!(dialog(&app).says("and more: the folder is too large to read all of it"));
}

#[test]
fn tab_does_nothing_where_there_is_nothing_to_complete() {
    let mut app = new_app();
    press(&mut app, "e");
    // The suggested name is a whole one.
    assert_eq!(press(&mut app, "<tab>"), []);
    press(&mut app, "<c-u>pla");
    let query = tab(&mut app);
    app.update(named(&query, &["plants.csv", "plants.json"], "plants."));
    assert_eq!(file(&app), "plants.");
    // All names are on screen.
    assert_eq!(press(&mut app, "<tab>"), []);
    assert!(dialog(&app).says("plants.csv   plants.json"));
}

#[test]
fn the_file_of_a_token_is_completed_beside_the_config_file() {
    let mut app = new_app();
    press(&mut app, "Pnew<tab><right><right>");
    press(&mut app, "<tab>");
    let query = tab(&mut app);
    assert_eq!(query, PathQuery { folder: String::new(), start: String::new(), kind: PathKind::BesideConfig });
    app.update(only(&query, "staging.token"));
    assert_eq!(file(&app), "staging.token");
    // With nothing left to complete, the cursor moves on.
    let query = tab(&mut app);
    app.update(only(&query, "staging.token"));
    assert!(dialog(&app).marked().starts_with("default"));
    let effects: [Effect; 1] = press(&mut app, "<enter>").try_into().unwrap();
    let [Effect::SaveProfile { new: profile, .. }] = effects else { panic!("it is saved") };
    assert_eq!(profile.token, TokenSource::File("staging.token".into()));
    // Of a command nothing is completed.
    let mut app = new_app();
    press(&mut app, "Pnew<tab><left><tab>pass");
    assert_eq!(press(&mut app, "<tab>"), []);
    assert!(dialog(&app).marked().starts_with("default"));
}

#[test]
fn the_names_for_the_file_of_a_token_take_the_place_of_its_hint() {
    let mut app = new_app();
    press(&mut app, "Pnew<tab><right><right><tab>");
    assert!(dialog(&app).says("others are beside the config file"));
    let query = tab(&mut app);
    assert_eq!(dialog(&app).marked(), "file");
    app.update(Msg::JournalChanged);
    assert_eq!(dialog(&app).marked(), "file");
    app.update(named(&query, &["a.token", "b.token"], ""));
    assert_eq!(dialog(&app).below("file"), "a.token  b.token");
    assert!(!dialog(&app).says("others are beside the config file"), "{:#?}", dialog(&app));
    assert_eq!(press(&mut app, "<tab>"), []);
    assert!(dialog(&app).marked().starts_with("default"));
}

#[test]
fn the_names_of_files_take_the_place_of_a_fault() {
    let mut app = new_app();
    press(&mut app, "i<enter>");
    assert_eq!(dialog(&app).below("file"), "✗ name a file");
    let query = tab(&mut app);
    app.update(named(&query, &["a.csv", "b.csv"], ""));
    assert_eq!(dialog(&app).below("file"), "a.csv  b.csv");
    assert!(!dialog(&app).says("name a file"), "{:#?}", dialog(&app));
}

#[test]
fn a_report_of_this_session_is_written_once() {
    let mut app = new_app();
    let keys = "aFern<tab><tab>t<enter>2w<c-u>/tmp/r.md<enter>";
    let search = Filter::default().and(Test::Origin(1));
    let written = |path: &str, format| Some(Effect::WriteReport(path.into(), format, search.clone()));
    assert_eq!(press(&mut app, keys).pop(), written("/tmp/r.md", Format::Markdown));
    assert_eq!(press(&mut app, "<enter><tab>"), []);
    app.update(Msg::Written("/tmp/r.md".into(), Ok(Written::Requests(1))));
    press(&mut app, ":har<enter>");
    assert_eq!(press(&mut app, "<c-u>/tmp/r.HAR<enter>").pop(), written("/tmp/r.HAR", Format::Har));
    app.update(Msg::Written("/tmp/r.HAR".into(), Ok(Written::Requests(1))));
    assert_eq!(press(&mut app, "w<c-u>/tmp/r.csv<enter>"), []);
    assert_eq!(dialog(&app).below("file"), "✗ use the extension .md or .har");
    // With a filter, what it finds is written, of any session.
    let found = press(&mut app, "<esc>/fern<enter>w<c-u>/tmp/r.md<enter>").pop();
    let of_filter = |wanted: &Filter| !wanted.is_empty() && *wanted != search.clone();
    assert!(matches!(&found, Some(Effect::WriteReport(_, _, wanted)) if of_filter(wanted)), "{found:?}");
}

#[test]
fn the_file_of_a_report_is_completed() {
    let mut app = new_app();
    press(&mut app, "aFern<tab><tab>t<enter>2w<c-u>/tmp/");
    let query = tab(&mut app);
    assert_eq!(query, PathQuery { folder: "/tmp/".into(), start: String::new(), kind: PathKind::Any });
    app.update(only(&query, "reports/"));
    assert_eq!(file(&app), "/tmp/reports/");
}

#[test]
fn the_last_imported_file_is_offered_and_typing_replaces_it() {
    let mut app = new_app();
    press(&mut app, "i~/plants.csv<enter>");
    app.update(Msg::Validated(Some("/home/ann/plants.csv".into()), Err("line 1: a quote has no end".into())));
    press(&mut app, "<esc>i");
    assert_eq!(
        (file(&app).as_str(), dialog(&app).below("file")),
        ("~/plants.csv", "the file used last; what you type replaces it")
    );
    assert_eq!(press(&mut app, "<enter>"), [Effect::Validate("~/plants.csv".into())]);
    press(&mut app, "<esc><esc>i<backspace>");
    assert_eq!(file(&app), "~/plants.cs");
    press(&mut app, "<esc>ix");
    assert_eq!((file(&app).as_str(), dialog(&app).below("file")), ("x", ""));
}

#[test]
fn the_last_exported_file_is_offered_unless_its_name_was_suggested() {
    let mut app = new_app();
    app.set_time(Timestamp(1_700_000_000_000));
    press(&mut app, "e<enter>");
    app.update(Msg::Written("plants.csv".into(), Ok(Written::Plants(Exported::default()))));
    app.set_time(Timestamp(1_700_000_001_000));
    press(&mut app, "e");
    assert_eq!(file(&app), "plants-2023-11-14-221321.csv");
    press(&mut app, "<c-u>~/all.json<enter>");
    app.update(Msg::Written("/home/ann/all.json".into(), Ok(Written::Plants(Exported::default()))));
    press(&mut app, "e");
    assert_eq!(file(&app), "~/all.json");
    let path = "~/all.json".into();
    let export = Effect::Export { path, format: FileFormat::Json, replace: false };
    assert_eq!(press(&mut app, "<enter>"), [export]);
    app.update(Msg::Written("/home/ann/all.json".into(), Err(WriteFault::Exists)));
    assert!(dialog(&app).below("file").contains("once more overwrites it"));
}

#[test]
fn the_cursor_stays_behind_a_name_that_was_completed() {
    let mut app = new_app();
    press(&mut app, "e<c-u>pla");
    let query = tab(&mut app);
    app.update(only(&query, "plants.csv"));
    assert_eq!(dialog(&app).marked(), "file  plants.csv");
}
