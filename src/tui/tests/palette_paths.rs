//! Paths of files behind a command of the palette.

use super::palette::{lines, new_app};
use super::paths::named;
use super::*;
use crate::config::Environment;
use crate::tui::input::completion::{PathKind, PathMatches, PathQuery};

/// Returns the last folder that was asked for.
#[track_caller]
pub(super) fn asked(effects: &[Effect]) -> PathQuery {
    let query = |effect: &Effect| if let Effect::FindPaths(query) = effect { Some(query.clone()) } else { None };
    effects.iter().filter_map(query).next_back().unwrap()
}

#[test]
fn import_takes_a_path_and_completes_it() {
    let mut app = new_app();
    let query = asked(&press(&mut app, ":import da"));
    assert_eq!(query, PathQuery::new("da", PathKind::Plants));
    app.update(named(&query, &["data/"], "data/"));
    let query = asked(&press(&mut app, "<tab>"));
    assert_eq!((app.typed().unwrap(), query.folder.as_str()), (vec!["import data/".to_owned()], "data/"));
    app.update(named(&query, &["may.csv", "mayor.csv", "old/"], ""));
    assert!(lines(&app)[1].contains("import data/may.csv"), "{:#?}", lines(&app));
    // As far as all agree, then the marked one.
    let query = asked(&press(&mut app, "m"));
    app.update(named(&query, &["may.csv", "mayor.csv"], "may"));
    let query = asked(&press(&mut app, "<tab>"));
    assert_eq!(app.typed().unwrap(), ["import data/may"]);
    app.update(named(&query, &["may.csv", "mayor.csv"], "may"));
    press(&mut app, "<down><tab>");
    assert_eq!(app.typed().unwrap(), ["import data/mayor.csv"]);
    assert_eq!(press(&mut app, "<enter>"), [Effect::Validate("data/mayor.csv".into())]);
    assert_eq!(title(&app), "Import which file?");
}

#[test]
fn a_path_is_read_from_home_and_a_folder_is_gone_into() {
    let mut app = new_app();
    let query = asked(&press(&mut app, ":import ~"));
    assert_eq!((query.folder.as_str(), query.start.as_str()), ("~/", ""));
    app.update(named(&query, &["plants/"], "plants/"));
    let query = asked(&press(&mut app, "<enter>"));
    assert_eq!((app.typed().unwrap(), query.folder.as_str()), (vec!["import ~/plants/".to_owned()], "~/plants/"));
    app.update(Msg::Paths(query, Err("it cannot be read".into())));
    assert!(dialog(&app).says("nothing to complete: it cannot be read"), "{:#?}", dialog(&app));
    // Nothing is found, and what is typed is taken.
    let home = Environment::read().home.unwrap();
    assert_eq!(press(&mut app, "x.csv<enter>").last(), Some(&Effect::Validate(home.join("plants/x.csv"))));
}

#[test]
fn export_takes_the_path_of_a_new_file() {
    use crate::domain::file_format::FileFormat;
    let mut app = new_app();
    let query = asked(&press(&mut app, ":export all.json"));
    app.update(named(&query, &["all.json.bak.csv"], "all.json.bak.csv"));
    let path = "all.json".into();
    let export = Effect::Export { path, format: FileFormat::Json, replace: false };
    assert_eq!(press(&mut app, "<enter>"), [export]);
}

#[test]
fn the_enter_that_completes_a_file_writes_and_runs_nothing() {
    for line in ["export ", "import --dry-run "] {
        let mut app = new_app();
        let query = asked(&press(&mut app, &format!(":{line}pl")));
        app.update(named(&query, &["plants.csv"], "plants.csv"));
        let effects = press(&mut app, "<enter>");
        assert!(effects.iter().all(|effect| matches!(effect, Effect::FindPaths(_))), "{line}: {effects:?}");
        assert_eq!(app.typed().unwrap(), [format!("{line}plants.csv")]);
    }
}

#[test]
fn more_files_than_are_listed_are_mentioned() {
    for (count, is_partial, is_said) in [(1, false, false), (2, false, true), (1, true, true), (2, true, true)] {
        let mut app = new_app();
        let query = asked(&press(&mut app, ":import da"));
        let found = PathMatches { names: vec!["data/".into()], count, common: "data/".into(), is_partial };
        app.update(Msg::Paths(query, Ok(found)));
        assert_eq!(dialog(&app).says("; only the first names are listed."), is_said, "{count}, {is_partial}");
    }
}

#[test]
fn a_whole_file_name_stands_once_and_before_those_that_begin_like_it() {
    let mut app = new_app();
    let query = asked(&press(&mut app, ":export all.json"));
    app.update(named(&query, &["all.json", "all.json.bak.csv"], "all.json"));
    let files = lines(&app)[1..].to_vec();
    assert!(files[0].contains("export all.json  "), "{files:#?}");
    assert!(files.len() == 2 && files[1].contains("export all.json.bak.csv  "), "{files:#?}");
    // Tab does not turn it into the other one.
    let mut app = new_app();
    let query = asked(&press(&mut app, ":export all.json"));
    app.update(named(&query, &["all.json.bak.csv"], "all.json.bak.csv"));
    press(&mut app, "<tab>");
    assert_eq!((app.typed().unwrap(), app.marked_line()), (vec!["export all.json".to_owned()], Some((1, 2))));
}

#[test]
fn tab_takes_the_marked_file_once_all_that_is_common_is_typed() {
    let mut app = new_app();
    let query = asked(&press(&mut app, ":import da"));
    app.update(named(&query, &["data/", "dates.csv"], "da"));
    press(&mut app, "<tab>");
    assert_eq!(app.typed().unwrap(), ["import data/"]);
}

#[test]
fn a_verb_behind_another_one_is_found_with_its_path_and_no_file_is_marked_for_it() {
    let mut app = new_app();
    let query = asked(&press(&mut app, ":backup "));
    app.update(named(&query, &["old.db"], "old.db"));
    assert!(lines(&app)[1].contains("journal backup old.db"), "{:#?}", lines(&app));
    assert_eq!(press(&mut app, "<enter>"), []);
    assert!(status_line(&app).contains("Nothing is marked yet"), "{}", status_line(&app));
    let effects = press(&mut app, "new.db<enter>");
    let runs =
        |effect: &Effect| matches!(effect, Effect::RunLine(words, ..) if words.join(" ") == "journal backup new.db");
    assert!(effects.iter().any(runs), "{effects:?}");
}
