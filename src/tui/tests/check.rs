//! The contract check in its tab: beginning, progress, stopping, comparison, selection.

mod rows;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::tabs::stored;
use super::*;
use crate::check::{Conclusion, EarlierRuns, RULES, Report as CheckReport, RowResult, UNDOCUMENTED, Verdict};
use crate::domain::{Credentials, Header};
use crate::tui::message::Target;
use crate::tui::ui_effect::Tab;

/// Returns an app in the Check tab, with a token.
fn in_the_tab(demo: bool) -> App {
    let elsewhere = || StoreInfo::of("https://plants.example/api".parse().unwrap());
    let store = if demo { StoreInfo { demo, ..info() } } else { elsewhere() };
    let mut app = App::new(store, Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    assert!(press(&mut app, "3").contains(&Effect::FindRuns));
    app.update(Msg::Runs(Ok(Vec::new())));
    app.update(shown(FrameLayout { page: 20, ..FrameLayout::default() }));
    app
}

/// Returns the same with a run that has sent its first probe.
fn running(demo: bool) -> (App, Vec<Effect>) {
    let mut app = in_the_tab(demo);
    let keys = if demo { "r" } else { "r<tab><enter>" };
    assert_eq!(press(&mut app, keys), [Effect::FindEarlierRuns]);
    let effects = app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    (app, effects)
}

/// A store that follows the document, except that its response to a missing token, or to any, can be set.
#[derive(Default)]
struct Store {
    ids: BTreeSet<String>,
    accepts_no_token: bool,
    rejects_all: bool,
}

impl Store {
    fn response(&mut self, operation: &Operation) -> Msg {
        let (status, body) = self.status_and_body(operation);
        let header = Header { name: "content-type".into(), value: "application/json".into() };
        let response = Response {
            status,
            reason: "".into(),
            version: "HTTP/1.1".into(),
            headers: [header].into(),
            body: body.into(),
            body_end: BodyEnd::Complete,
        };
        ended(operation, Ending::Responded(response))
    }

    fn status_and_body(&mut self, operation: &Operation) -> (u16, String) {
        let probe = operation.probe.as_ref().unwrap();
        match probe.credentials {
            Credentials::Token if !self.rejects_all => {}
            Credentials::None if self.accepts_no_token => {}
            _ => return (401, String::new()),
        }
        match &operation.kind {
            OperationKind::Delete(id) => {
                let id = probe.path_id.clone().unwrap_or_else(|| id.to_string());
                if self.ids.remove(&id) { (204, String::new()) } else { (404, String::new()) }
            }
            OperationKind::Add(_) if probe.body.is_some() => (400, String::new()),
            OperationKind::Add(plant) if self.ids.insert(plant.id.to_string()) => {
                (201, serde_json::json!({ "name": plant.name, "tag": plant.tag }).to_string())
            }
            OperationKind::Add(_) => (409, String::new()),
        }
    }
}

/// Returns the end of a request or of a pause.
fn end_of(effect: &Effect, store: &mut Store) -> Option<Msg> {
    if let Effect::Pause(pause, _) = effect {
        return Some(Msg::Paused(*pause));
    }
    sent(std::slice::from_ref(effect)).first().map(|operation| store.response(operation))
}

/// Ends every request and every pause until no effect follows.
fn run_to_the_end(app: &mut App, store: &mut Store, effects: Vec<Effect>) -> Vec<Effect> {
    let (mut all, mut new) = (Vec::new(), effects);
    while !new.is_empty() {
        let mut next = Vec::new();
        for effect in &new {
            let message = end_of(effect, store);
            next.extend(message.map(|message| app.update(message)).unwrap_or_default());
        }
        all.extend(std::mem::replace(&mut new, next));
    }
    all
}

fn stored_runs(effects: &[Effect]) -> Vec<&CheckReport> {
    effects
        .iter()
        .filter_map(|effect| if let Effect::KeepRun(run) = effect { Some(run.as_ref()) } else { None })
        .collect()
}

/// Returns the report on screen.
#[track_caller]
fn report_on_screen(app: &App) -> &CheckReport {
    app.screens.check.report.as_ref().expect("a run is shown")
}

/// Returns the name of the selected row.
fn selected(app: &App) -> Option<String> {
    app.screens.check.selected.clone()
}

/// Returns a finished run, and the app that shows it.
fn finished(store: &mut Store) -> (App, CheckReport) {
    let (mut app, effects) = running(true);
    let all = run_to_the_end(&mut app, store, effects);
    let report = stored_runs(&all)[0].clone();
    (app, report)
}

#[test]
fn a_check_of_the_demo_starts_at_once_and_of_any_other_store_asks_first() {
    let mut app = in_the_tab(true);
    assert_eq!(press(&mut app, "r"), [Effect::FindEarlierRuns]);
    assert!(app.cx.session.check.is_under_way() && !app.cx.display.has_dialog);
    let mut app = in_the_tab(false);
    assert_eq!(press(&mut app, "r"), []);
    let question = question(&app);
    assert!(title_of(&app).contains("https://plants.example/api") && chosen(&app) == Act::Leave, "{question:?}");
    let labels: Vec<_> = question.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Not now", "Run it all", "Only the rules"]);
    assert_eq!(press(&mut app, "<enter>"), []);
    assert!(!app.cx.session.check.is_under_way());
    assert_eq!(status_line(&app), "The check has not begun. Nothing was sent.");
    for (keys, gentle) in [("r<tab><tab><enter>", true), ("ro", true), ("ra", false), ("ry", false)] {
        let mut app = in_the_tab(false);
        assert_eq!(press(&mut app, keys), [Effect::FindEarlierRuns], "{keys}");
        app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
        assert_eq!(report_on_screen(&app).wanted.gentle, gentle, "{keys}");
        assert_eq!(app.screens.check.names().len() == RULES.len(), gentle, "{keys}");
    }
}

#[test]
fn an_unavailable_check_says_why() {
    let reason = |app: &mut App| {
        assert_eq!(press(app, "r"), []);
        assert!(!app.cx.session.check.is_under_way());
        status_line(app).to_owned()
    };
    let mut app = in_the_tab(true);
    app.cx.session.info.read_only = true;
    assert!(reason(&mut app).contains("read-only"));
    let mut app = in_the_tab(true);
    app.update(Msg::WorkerDied("boom".into()));
    press(&mut app, "<esc>");
    assert!(reason(&mut app).contains("has died"));
    let mut app = in_the_tab(true);
    press(&mut app, "aFern<tab><tab>t<enter>");
    assert!(reason(&mut app).contains("in flight"));
    let mut app = in_the_tab(true);
    press(&mut app, "r");
    assert_eq!(press(&mut app, "r"), []);
    assert!(status_line(&app).contains("a check is under way"));
}

#[test]
fn a_check_without_a_token_prompts_for_it_and_then_begins() {
    let mut app = in_the_tab(true);
    app.cx.session.token = None;
    press(&mut app, "r<esc>");
    assert!(!app.cx.session.check.is_under_way() && !app.cx.display.has_dialog);
    let effects = press(&mut app, "rsecret<enter>");
    assert!(matches!(effects.as_slice(), [Effect::UseToken(_), Effect::FindEarlierRuns]), "{effects:?}");
}

#[test]
fn one_probe_is_in_flight_at_a_time_and_each_row_shows_its_verdict_at_once() {
    let (mut app, effects) = running(true);
    let (mut store, mut new, mut decided, mut probes) = (Store::default(), effects, 0, 0);
    loop {
        let [operation] = sent(&new)[..].to_vec().try_into().unwrap_or_else(|sent| panic!("{sent:?}"));
        probes += 1;
        assert_eq!(app.cx.session.pending.len(), 1);
        new = app.update(store.response(&operation));
        let report = report_on_screen(&app);
        assert!(report.rules.len() + report.undocumented.len() >= decided);
        decided = report.rules.len() + report.undocumented.len();
        if !app.cx.session.check.is_under_way() {
            break;
        }
    }
    assert_eq!(decided, RULES.len() + UNDOCUMENTED.len());
    assert_eq!(stored_runs(&new)[0].requests, probes);
    assert_eq!(status_line(&app), "A Plant Store: all 15 rules pass. No leftovers.");
    assert_eq!(store.ids.len(), 0);
}

#[test]
fn the_end_of_a_probe_opens_no_dialog() {
    let (mut app, effects) = running(true);
    run_to_the_end(&mut app, &mut Store::default(), effects);
    assert!(!app.cx.display.has_dialog && app.behind() == 0 && app.cx.out.status.notices.is_empty());
    assert!(
        app.cx.session.unsent.is_empty() && app.cx.session.unresolved.is_empty() && app.cx.session.pending.is_empty()
    );
    assert_eq!(app.cx.session.next_id(), PlantId(1));
}

#[test]
fn the_check_pauses_between_two_requests() {
    let (mut app, effects) = running(false);
    assert_eq!(sent(&effects).len(), 1, "the first one does not wait");
    let effects = app.update(Store::default().response(&sent(&effects)[0]));
    let pauses: Vec<_> = effects.iter().filter(|effect| matches!(effect, Effect::Pause(..))).collect();
    assert_eq!(pauses, [&Effect::Pause(1, Duration::from_millis(75))]);
    assert!(sent(&effects).is_empty());
    assert_eq!(app.update(Msg::Paused(0)), [], "another pause");
    assert_eq!(sent(&app.update(Msg::Paused(1))).len(), 1);
    assert_eq!(app.update(Msg::Paused(1)), [], "it was over before");
}

#[test]
fn esc_stops_the_check_and_cleans_up() {
    for stop_after in 0..30 {
        let (mut app, mut new) = running(stop_after % 2 == 0);
        let mut store = Store::default();
        for _ in 0..stop_after {
            let message = new.iter().find_map(|effect| end_of(effect, &mut store));
            new = app.update(message.unwrap());
        }
        let held = new.iter().any(|effect| matches!(effect, Effect::Pause(..)));
        let stopped = press(&mut app, "<esc>");
        let sends_nothing =
            |effect: &Effect| matches!(effect, Effect::KeepRun(_) | Effect::FindRelated(_) | Effect::Cancel(_));
        assert!(stopped.iter().all(sends_nothing), "{stop_after}: {stopped:?}");
        let all =
            run_to_the_end(&mut app, &mut store, if held { new } else { new.into_iter().chain(stopped).collect() });
        assert!(!app.cx.session.check.is_under_way() && store.ids.is_empty(), "{stop_after}: {:?}", store.ids);
        assert!(report_on_screen(&app).cut_short.is_some());
        assert!(sent(&all).len() < 12, "{stop_after}");
        assert!(status_line(&app).contains("The check ended early (it was stopped)"), "{}", status_line(&app));
    }
}

#[test]
fn esc_cancels_the_probe_in_flight_and_a_second_one_skips_the_cleanup() {
    let (mut app, effects) = running(true);
    let first = sent(&effects)[0].clone();
    assert_eq!(press(&mut app, "<esc>"), [Effect::Cancel(first.id)]);
    assert_eq!(press(&mut app, "<esc>"), [Effect::Cancel(first.id)]);
    assert!(app.cx.session.check.is_under_way() && app.cx.session.pending[0].cancelled);
    let effects = app.update(failed(&first, FailureKind::CancelledInFlight));
    let runs = stored_runs(&effects);
    assert_eq!((runs[0].leftovers.len(), runs[0].requests), (1, 1));
    assert!(!app.cx.session.check.is_under_way() && sent(&effects).is_empty());
    assert!(status_line(&app).contains("1 leftover: "), "{}", status_line(&app));
    // In a pause, nothing is in flight.
    let (mut app, effects) = running(false);
    app.update(Store::default().response(&sent(&effects)[0]));
    press(&mut app, "<esc>");
    let effects = press(&mut app, "<esc>");
    assert_eq!(stored_runs(&effects)[0].leftovers.len(), 1);
    assert!(!app.cx.session.check.is_under_way() && app.cx.session.pending.is_empty());
    assert_eq!(app.update(Msg::Paused(1)), []);
}

#[test]
fn ctrl_c_stops_the_check_then_abandons_it_then_quits_in_every_tab() {
    let (mut app, effects) = running(true);
    let first = sent(&effects)[0].clone();
    press(&mut app, "1");
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Cancel(first.id)]);
    assert!(app.cx.session.check.run().unwrap().is_stopping());
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Cancel(first.id), Effect::CancelAll]);
    assert_eq!(press(&mut app, "<c-c>"), [Effect::Quit]);
}

#[test]
fn the_death_of_the_worker_ends_the_check_and_its_probe_is_unknown() {
    let (mut app, effects) = running(true);
    let first = sent(&effects)[0].clone();
    let effects = app.update(Msg::WorkerDied("boom".into()));
    assert!(effects.contains(&Effect::GiveUp(first)), "{effects:?}");
    let run = stored_runs(&effects)[0];
    assert_eq!((run.cut_short.as_deref(), run.leftovers.len()), (Some("the background task died"), 1));
    assert!(!app.cx.session.check.is_under_way() && app.cx.session.pending.is_empty());
    assert!(status_line(&app).contains("The background task has died (boom)"));
    let mut app = in_the_tab(true);
    press(&mut app, "r");
    app.update(Msg::WorkerDied("boom".into()));
    assert!(!app.cx.session.check.is_under_way());
    assert_eq!(app.update(Msg::EarlierRuns(1, Ok(EarlierRuns::default()))), []);
}

#[test]
fn no_check_begins_if_the_journal_cannot_be_read() {
    let mut app = in_the_tab(true);
    press(&mut app, "r");
    assert_eq!(app.update(Msg::EarlierRuns(1, Err("locked".into()))), []);
    assert!(!app.cx.session.check.is_under_way());
    assert!(app.cx.out.status.notices[0].text.contains("locked"));
}

#[test]
fn another_tab_does_not_stop_the_check_and_quitting_asks() {
    let (mut app, effects) = running(true);
    press(&mut app, "1");
    assert_eq!(press(&mut app, "c"), []);
    assert!(status_line(&app).contains("a check is under way"));
    press(&mut app, "q");
    assert!(lines_of(&app)[0].starts_with("1 check is under way"), "{:?}", lines_of(&app));
    press(&mut app, "<enter>");
    run_to_the_end(&mut app, &mut Store::default(), effects);
    assert_eq!(status_line(&app), "A Plant Store: all 15 rules pass. No leftovers.");
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);
}

#[test]
fn the_selection_follows_the_check_until_a_person_moves_it() {
    let (mut app, effects) = running(true);
    let mut store = Store::default();
    let mut new = effects;
    for _ in 0..3 {
        new = app.update(store.response(&sent(&new)[0]));
    }
    let followed = selected(&app);
    assert!(followed.as_ref().is_some_and(|name| report_on_screen(&app).row(name).is_some()), "{followed:?}");
    press(&mut app, "<home>");
    assert_ne!(selected(&app), followed);
    assert_eq!(selected(&app).as_deref(), Some(RULES[0].name));
    run_to_the_end(&mut app, &mut store, new);
    assert_eq!(selected(&app).as_deref(), Some(RULES[0].name));
    press(&mut app, "<end>");
    assert_eq!(selected(&app).as_deref(), Some(UNDOCUMENTED[UNDOCUMENTED.len() - 1].name));
    app.update(clicked(Target::Line(2)));
    assert_eq!(selected(&app).as_deref(), Some(RULES[1].name));
    app.update(clicked(Target::Line(0)));
    assert_eq!(selected(&app).as_deref(), Some(RULES[1].name), "a heading is none");
}

#[test]
fn the_first_failed_rule_is_selected_at_the_end() {
    let (app, report) = finished(&mut Store { accepts_no_token: true, ..Store::default() });
    assert_eq!((report.diagnosis.conclusion(), report.count(Verdict::Fail)), (Conclusion::Fail, 2));
    assert_eq!(selected(&app).as_deref(), Some("create-without-token"));
}

#[test]
fn inconclusive_rules_come_first_where_none_fails_and_are_folded_where_the_diagnosis_explains_them() {
    let show = |store: &mut Store, verdict: fn(&mut RowResult)| {
        let (mut app, mut report) = finished(store);
        report.rules.iter_mut().for_each(verdict);
        app.update(Msg::RunKept(Ok(())));
        app.update(Msg::Runs(Ok(vec![report])));
        press(&mut app, "o<enter>");
        app
    };
    let only = |rule: &mut RowResult| {
        if rule.name == "delete-no-body" {
            rule.verdict = Some(Verdict::Inconclusive);
        }
    };
    let app = show(&mut Store::default(), only);
    assert_eq!(selected(&app).as_deref(), Some("delete-no-body"));
    assert_eq!(app.screens.check.names().len(), RULES.len() + UNDOCUMENTED.len());
    let app = show(&mut Store { rejects_all: true, ..Store::default() }, |_| {});
    assert_eq!(app.screens.check.names(), [RULES[0].name]);
    let rows = frame::screen(&app).join("\n");
    assert!(rows.contains("15 inconclusive") && rows.contains("first inconclusive rule: the others follow"), "{rows}");
}

#[test]
fn the_filter_finds_rows_by_their_text() {
    let (mut app, _) = finished(&mut Store { accepts_no_token: true, ..Store::default() });
    press(&mut app, "/fail token");
    assert_eq!(app.screens.check.names(), ["create-without-token", "delete-without-token"]);
    press(&mut app, "<down><enter>");
    assert_eq!(selected(&app).as_deref(), Some("delete-without-token"));
    press(&mut app, "/<c-u>verdict:fail !name:delete");
    assert_eq!(app.screens.check.names(), ["create-without-token"]);
    press(&mut app, "<c-u>section:5 verdict:fail name:delete");
    assert_eq!(app.screens.check.names(), ["delete-without-token"]);
    press(&mut app, "<c-u>nothing has this");
    assert!(app.screens.check.names().is_empty() && selected(&app).is_none());
    press(&mut app, "<esc>");
    assert_eq!(app.screens.check.names().len(), RULES.len() + UNDOCUMENTED.len());
}

#[test]
fn the_requests_of_a_row_are_loaded_once_and_shown_one_by_one() {
    let (mut app, report) = finished(&mut Store::default());
    let asked: Vec<_> = report.rules[6].exchanges.clone();
    assert!(asked.len() > 1);
    let effects = press(&mut app, "<home><down><down><down><down><down><down>");
    assert_eq!(effects.last(), Some(&Effect::FindRelated(asked.clone())));
    assert_eq!(press(&mut app, "<enter>"), []);
    assert!(!app.cx.display.has_dialog, "it opens as soon as it is there");
    app.update(Msg::Related(asked, Ok(vec![stored(4), stored(9)])));
    assert_eq!(title(&app), "1 of 2: #4 delete plant 4");
    press(&mut app, "<left>");
    assert_eq!(title(&app), "2 of 2: #9 delete plant 9");
    press(&mut app, "<left>");
    assert_eq!(title(&app), "1 of 2: #4 delete plant 4");
    press(&mut app, "<esc>");
    assert_eq!(press(&mut app, "Y"), [], "it has no response to copy");
    let copied = press(&mut app, "I");
    assert!(matches!(&copied[..], [Effect::Copy(clip)] if clip.text == "4"), "{copied:?}");
}

#[test]
fn an_earlier_run_can_be_compared_and_shown() {
    let (mut app, shown_run) = finished(&mut Store::default());
    let (_, mut other) = finished(&mut Store { accepts_no_token: true, ..Store::default() });
    other.started = Timestamp(1000);
    let elsewhere = CheckReport { store: "http://elsewhere.example".to_owned(), ..other.clone() };
    app.update(Msg::RunKept(Ok(())));
    app.update(Msg::Runs(Ok(vec![elsewhere, shown_run, other.clone()])));
    press(&mut app, "v");
    let list = dialog(&app);
    let runs: Vec<_> = list.rows.iter().filter(|row| row.contains("2 fail")).collect();
    // Not the one that is shown, and those of other stores below.
    let [first, second] = runs.as_slice() else { panic!("{list:#?}") };
    assert!(first.contains("2 fail") && second.contains("elsewhere"), "{list:#?}");
    press(&mut app, "<enter>");
    assert!(!app.cx.display.has_dialog);
    assert_eq!(app.screens.check.compared.as_ref(), Some(&other));
    let changed = ["create-without-token", "delete-without-token", "without-token"];
    assert_eq!(app.screens.check.changed_names(), changed);
    for typed in ["/differ<enter>", "/<c-u>≠<enter>"] {
        press(&mut app, typed);
        assert_eq!(app.screens.check.names(), changed, "{typed}");
    }
    press(&mut app, "/<c-u><enter><esc>");
    assert_eq!(app.screens.check.compared.as_ref(), None);
    press(&mut app, "v<enter>v1");
    assert!(app.cx.display.has_dialog, "the choice of another one, which takes what is typed");
    press(&mut app, "<esc><esc>");
    assert_eq!(app.screens.check.compared.as_ref(), None);
    press(&mut app, "ofail<enter>");
    assert_eq!(app.screens.check.report.as_ref(), Some(&other));
    assert_eq!(selected(&app).as_deref(), Some("create-without-token"));
}

#[test]
fn a_run_that_ends_elsewhere_appears_in_the_open_list() {
    let (mut app, run) = finished(&mut Store::default());
    let mut other = run.clone();
    other.started = Timestamp(1000);
    app.update(Msg::RunKept(Ok(())));
    app.update(Msg::Runs(Ok(vec![run.clone()])));
    press(&mut app, "o");
    assert_eq!(app.marked_line(), Some((0, 1)));
    app.update(Msg::Runs(Ok(vec![other, run.clone()])));
    press(&mut app, "<down>");
    assert_eq!(app.marked_line(), Some((1, 2)));
    app.update(Msg::Runs(Ok(vec![run])));
    assert_eq!(app.marked_line(), Some((0, 1)));
    // It is found by what its line shows.
    for (typed, count) in [("15 pass", 1), ("leftovers", 0), ("of 15", 0)] {
        press(&mut app, &format!("<c-u>{typed}"));
        assert_eq!(app.marked_line().map(|(_, count)| count), Some(count), "{typed}");
    }
}

#[test]
fn a_run_of_another_store_has_no_requests_here() {
    let (mut app, mut other) = finished(&mut Store::default());
    other.store = "http://elsewhere.example".to_owned();
    app.update(Msg::RunKept(Ok(())));
    app.update(Msg::Runs(Ok(vec![other])));
    assert_eq!(press(&mut app, "o<enter><down>"), []);
    assert_eq!(press(&mut app, "<enter>"), []);
    assert!(status_line(&app).contains("in another store's history"), "{}", status_line(&app));
}

#[test]
fn a_run_that_cannot_be_stored_is_reported() {
    let (mut app, _) = finished(&mut Store::default());
    let effects = app.update(Msg::RunKept(Err("the disk is full".into())));
    assert!(effects.contains(&Effect::FindRuns));
    assert!(app.cx.out.status.notices[0].text.contains("the disk is full"));
    assert_eq!(app.cx.display.tab, Tab::Check);
}

#[test]
fn a_rejected_token_is_reported_in_one_row() {
    let (mut app, effects) = running(true);
    let (headers, body) = (Arc::default(), Vec::new());
    let (reason, version) = ("Unauthorized".into(), "HTTP/1.1".into());
    let response = Response { status: 401, reason, version, headers, body, body_end: BodyEnd::Complete };
    app.update(ended(&sent(&effects)[0], Ending::Responded(response)));
    assert_eq!(app.screens.check.names(), ["create-accepted"]);
    assert_eq!(status_line(&app), "The token was rejected (401 Unauthorized). No leftovers.");
}

#[test]
fn the_history_selects_the_run_that_begins() {
    use super::tabs::{history_came, in_history, log, request};
    use crate::journal::HistoryRequest;
    let mut app = in_history((0..5).rev());
    press(&mut app, "<down><down>3r<tab><enter>");
    let _ = app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    press(&mut app, "2");
    history_came(&mut app, request(HistoryRequest::NEWEST), log((0..7).rev(), false, false));
    assert_eq!(app.screens.history.list.selected_request(), Some(6));
}
