//! The contract check in the room: begun, carried on, stopped, given up, compared, selected.

use std::collections::BTreeSet;

use super::rooms::kept;
use super::*;
use crate::app::Room;
use crate::app::check::{Line, Subject};
use crate::app::message::Target;
use crate::app::reader::Reading;
use crate::domain::check::{Beforehand, Conclusion, RULES, Report as CheckReport, UNDOCUMENTED, Verdict};
use crate::domain::{Credentials, Header};

/// In the Check room of a store, the demo or not, with a token.
fn in_the_room(demo: bool) -> Model {
    let mut model = Model::new(Facts { demo, ..facts() }, KeyTable::default(), true);
    let _ = model.begin(Vec::new());
    assert!(press(&mut model, "3").contains(&Effect::FindRuns));
    update(&mut model, Msg::Runs(Ok(Vec::new())));
    update(&mut model, Msg::Drawn(Drawn { page: 20, ..Drawn::default() }));
    model
}

/// The same with a run that has sent its first probe.
fn running(demo: bool) -> (Model, Vec<Effect>) {
    let mut model = in_the_room(demo);
    let keys = if demo { "r" } else { "r<tab><enter>" };
    assert_eq!(press(&mut model, keys), [Effect::LookBeforehand]);
    let effects = update(&mut model, Msg::Beforehand(7, Ok(Beforehand::default())));
    (model, effects)
}

/// A store that does as the document says, but for what it says to a missing token.
#[derive(Default)]
struct Store {
    ids: BTreeSet<String>,
    lets_anybody_in: bool,
}

impl Store {
    fn answer(&mut self, operation: &Operation) -> Msg {
        let (status, body) = self.says(operation);
        let header = Header { name: "content-type".into(), value: "application/json".into() };
        let answer = Answer {
            status,
            reason: String::new(),
            version: "HTTP/1.1".into(),
            headers: vec![header],
            body: body.into(),
            body_end: BodyEnd::Complete,
        };
        ended(operation, Ending::Answered(answer))
    }

    fn says(&mut self, operation: &Operation) -> (u16, String) {
        let probe = operation.probe.as_ref().unwrap();
        match probe.credentials {
            Credentials::Token => {}
            Credentials::None if self.lets_anybody_in => {}
            Credentials::None | Credentials::WrongToken | Credentials::OtherScheme => return (401, String::new()),
        }
        match &operation.ask {
            Ask::Delete(id) => {
                let id = probe.path_id.clone().unwrap_or_else(|| id.to_string());
                if self.ids.remove(&id) { (204, String::new()) } else { (404, String::new()) }
            }
            Ask::Add(_) if probe.body.is_some() => (400, String::new()),
            Ask::Add(plant) if self.ids.insert(plant.id.to_string()) => {
                (201, serde_json::json!({ "name": plant.name, "tag": plant.tag }).to_string())
            }
            Ask::Add(_) => (409, String::new()),
        }
    }
}

/// The end of what was sent, or of a pause.
fn answer_to(effect: &Effect, store: &mut Store) -> Option<Msg> {
    if let Effect::Pause(pause, _) = effect {
        return Some(Msg::Paused(*pause));
    }
    sent(std::slice::from_ref(effect)).first().map(|operation| store.answer(operation))
}

/// Answers everything that is sent, and lets every pause pass, until nothing comes any more.
fn goes_on(model: &mut Model, store: &mut Store, effects: Vec<Effect>) -> Vec<Effect> {
    let (mut all, mut new) = (Vec::new(), effects);
    while !new.is_empty() {
        let mut next = Vec::new();
        for effect in &new {
            let message = answer_to(effect, store);
            next.extend(message.map(|message| update(model, message)).unwrap_or_default());
        }
        all.extend(std::mem::replace(&mut new, next));
    }
    all
}

fn kept_runs(effects: &[Effect]) -> Vec<&CheckReport> {
    effects
        .iter()
        .filter_map(|effect| if let Effect::KeepRun(run) = effect { Some(run.as_ref()) } else { None })
        .collect()
}

fn said(model: &Model) -> &str {
    model.happened.as_ref().map(|happened| happened.text.as_str()).unwrap_or_default()
}

/// A run that is over, and the model that shows it.
fn over(store: &mut Store) -> (Model, CheckReport) {
    let (mut model, effects) = running(true);
    let all = goes_on(&mut model, store, effects);
    let report = kept_runs(&all)[0].clone();
    (model, report)
}

#[test]
fn the_demo_is_checked_at_once_and_everything_else_is_asked_about() {
    let mut model = in_the_room(true);
    assert_eq!(press(&mut model, "r"), [Effect::LookBeforehand]);
    assert!(model.check.is_under_way() && model.overlay.is_none());
    let mut model = in_the_room(false);
    assert_eq!(press(&mut model, "r"), []);
    let question = dialog(&model);
    assert!(question.title.contains("http://127.0.0.1:4000/api") && question.act() == Act::Leave, "{question:?}");
    let labels: Vec<_> = question.answers.iter().map(|answer| answer.label).collect();
    assert_eq!(labels, ["Not now", "Run it all", "The rules alone"]);
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(!model.check.is_under_way());
    assert_eq!(press(&mut model, "r<tab><tab><enter>"), [Effect::LookBeforehand]);
    update(&mut model, Msg::Beforehand(7, Ok(Beforehand::default())));
    assert!(model.check.report.as_ref().unwrap().wanted.gentle);
    assert_eq!(model.check.lines().iter().filter(|line| matches!(line, Line::Row(_))).count(), RULES.len());
}

#[test]
fn a_check_that_cannot_begin_says_why() {
    let reason = |model: &mut Model| {
        assert_eq!(press(model, "r"), []);
        assert!(!model.check.is_under_way());
        said(model).to_owned()
    };
    let mut model = in_the_room(true);
    model.facts.read_only = true;
    assert!(reason(&mut model).contains("read-only"));
    let mut model = in_the_room(true);
    update(&mut model, Msg::CourierDied("boom".into()));
    press(&mut model, "<esc>");
    assert!(reason(&mut model).contains("has died"));
    let mut model = in_the_room(true);
    press(&mut model, "aFern<tab><tab>t<enter>");
    assert!(reason(&mut model).contains("in flight"));
    let mut model = in_the_room(true);
    press(&mut model, "r");
    assert_eq!(press(&mut model, "r"), []);
    assert!(said(&model).contains("a check is under way"));
}

#[test]
fn without_a_token_it_is_asked_for_and_the_check_goes_on_from_there() {
    let mut model = in_the_room(true);
    model.token_held = false;
    press(&mut model, "r<esc>");
    assert!(!model.check.is_under_way() && model.overlay.is_none());
    let effects = press(&mut model, "rsecret<enter>");
    assert!(matches!(effects.as_slice(), [Effect::UseToken(_), Effect::LookBeforehand]), "{effects:?}");
}

#[test]
fn one_probe_is_out_at_a_time_and_its_row_is_told_as_soon_as_it_is_decided() {
    let (mut model, effects) = running(true);
    let (mut store, mut new, mut decided, mut probes) = (Store::default(), effects, 0, 0);
    loop {
        let [operation] = sent(&new)[..].to_vec().try_into().unwrap_or_else(|sent| panic!("{sent:?}"));
        probes += 1;
        assert_eq!(model.flights.len(), 1);
        new = update(&mut model, store.answer(&operation));
        let report = model.check.report.as_ref().unwrap();
        assert!(report.rules.len() + report.undocumented.len() >= decided);
        decided = report.rules.len() + report.undocumented.len();
        if !model.check.is_under_way() {
            break;
        }
    }
    assert_eq!(decided, RULES.len() + UNDOCUMENTED.len());
    assert_eq!(kept_runs(&new)[0].requests, probes);
    assert_eq!(said(&model), "A Plant Store: all 15 rules pass. No leftovers.");
    assert_eq!(store.ids.len(), 0);
}

#[test]
fn the_end_of_a_probe_asks_nobody_anything() {
    let (mut model, effects) = running(true);
    goes_on(&mut model, &mut Store::default(), effects);
    assert!(model.overlay.is_none() && model.later.is_empty() && model.notices.is_empty());
    assert!(model.unsent.is_empty() && model.unsettled.is_empty() && model.flights.is_empty());
    assert_eq!(model.next_id(), PlantId(1));
}

#[test]
fn others_are_given_time_between_two_requests() {
    let (mut model, effects) = running(false);
    assert_eq!(sent(&effects).len(), 1, "the first one does not wait");
    let effects = update(&mut model, Store::default().answer(&sent(&effects)[0]));
    let pauses: Vec<_> = effects.iter().filter(|effect| matches!(effect, Effect::Pause(..))).collect();
    assert_eq!(pauses, [&Effect::Pause(1, Duration::from_millis(100))]);
    assert!(sent(&effects).is_empty());
    assert_eq!(update(&mut model, Msg::Paused(0)), [], "another pause");
    assert_eq!(sent(&update(&mut model, Msg::Paused(1))).len(), 1);
    assert_eq!(update(&mut model, Msg::Paused(1)), [], "it was over before");
}

#[test]
fn esc_tries_nothing_more_and_cleans_up() {
    for stop_after in 0..30 {
        let (mut model, mut new) = running(stop_after % 2 == 0);
        let mut store = Store::default();
        for _ in 0..stop_after {
            let message = new.iter().find_map(|effect| answer_to(effect, &mut store));
            new = update(&mut model, message.unwrap());
        }
        let held = new.iter().any(|effect| matches!(effect, Effect::Pause(..)));
        let stopped = press(&mut model, "<esc>");
        let sends_nothing =
            |effect: &Effect| matches!(effect, Effect::KeepRun(_) | Effect::LookBehind(_) | Effect::Cancel(_));
        assert!(stopped.iter().all(sends_nothing), "{stop_after}: {stopped:?}");
        let all = goes_on(&mut model, &mut store, if held { new } else { new.into_iter().chain(stopped).collect() });
        assert!(!model.check.is_under_way() && store.ids.is_empty(), "{stop_after}: {:?}", store.ids);
        assert!(model.check.report.as_ref().unwrap().cut_short.is_some());
        assert!(sent(&all).len() < 12, "{stop_after}");
        assert!(said(&model).contains("the check ended early (it was stopped)"), "{}", said(&model));
    }
}

#[test]
fn esc_does_not_wait_for_what_is_out_and_a_second_one_leaves_the_rest() {
    let (mut model, effects) = running(true);
    let first = sent(&effects)[0].clone();
    assert_eq!(press(&mut model, "<esc>"), [Effect::Cancel(first.id)]);
    assert_eq!(press(&mut model, "<esc>"), [Effect::Cancel(first.id)]);
    assert!(model.check.is_under_way() && model.flights[0].cancelled);
    let effects = update(&mut model, failed(&first, FailureKind::CancelledInFlight));
    let runs = kept_runs(&effects);
    assert_eq!((runs[0].leftovers.len(), runs[0].requests), (1, 1));
    assert!(!model.check.is_under_way() && sent(&effects).is_empty());
    assert!(said(&model).contains("1 leftover: "), "{}", said(&model));
    // In a pause nothing is out.
    let (mut model, effects) = running(false);
    update(&mut model, Store::default().answer(&sent(&effects)[0]));
    press(&mut model, "<esc>");
    let effects = press(&mut model, "<esc>");
    assert_eq!(kept_runs(&effects)[0].leftovers.len(), 1);
    assert!(!model.check.is_under_way() && model.flights.is_empty());
    assert_eq!(update(&mut model, Msg::Paused(1)), []);
}

#[test]
fn ctrl_c_stops_then_gives_up_then_quits_wherever_one_is() {
    let (mut model, effects) = running(true);
    let first = sent(&effects)[0].clone();
    press(&mut model, "1");
    assert_eq!(press(&mut model, "<c-c>"), [Effect::Cancel(first.id)]);
    assert!(model.check.run().unwrap().is_stopping());
    assert_eq!(press(&mut model, "<c-c>"), [Effect::Cancel(first.id), Effect::CancelAll]);
    assert_eq!(press(&mut model, "<c-c>"), [Effect::Quit]);
}

#[test]
fn the_death_of_the_courier_ends_it_and_what_was_out_is_unknown() {
    let (mut model, effects) = running(true);
    let first = sent(&effects)[0].clone();
    let effects = update(&mut model, Msg::CourierDied("boom".into()));
    assert!(effects.contains(&Effect::GiveUp(first)), "{effects:?}");
    let run = kept_runs(&effects)[0];
    assert_eq!((run.cut_short.as_deref(), run.leftovers.len()), (Some("the background task died"), 1));
    assert!(!model.check.is_under_way() && model.flights.is_empty());
    assert!(said(&model).contains("The background task has died (boom)"));
    let mut model = in_the_room(true);
    press(&mut model, "r");
    update(&mut model, Msg::CourierDied("boom".into()));
    assert!(!model.check.is_under_way());
    assert_eq!(update(&mut model, Msg::Beforehand(1, Ok(Beforehand::default()))), []);
}

#[test]
fn a_journal_that_cannot_be_read_begins_no_check() {
    let mut model = in_the_room(true);
    press(&mut model, "r");
    assert_eq!(update(&mut model, Msg::Beforehand(1, Err("locked".into()))), []);
    assert!(!model.check.is_under_way());
    assert!(model.notices[0].text.contains("locked"));
}

#[test]
fn leaving_the_room_changes_nothing_and_leaving_the_program_asks() {
    let (mut model, effects) = running(true);
    press(&mut model, "1");
    assert_eq!(press(&mut model, "c"), []);
    assert!(said(&model).contains("a check is under way"));
    press(&mut model, "q");
    assert!(dialog(&model).lines[0].starts_with("1 check is under way"), "{:?}", dialog(&model).lines);
    press(&mut model, "<enter>");
    goes_on(&mut model, &mut Store::default(), effects);
    assert_eq!(said(&model), "A Plant Store: all 15 rules pass. No leftovers.");
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
}

#[test]
fn what_the_run_wants_forgotten_is_forgotten_without_a_word() {
    let (mut model, effects) = running(true);
    goes_on(&mut model, &mut Store::default(), effects);
    let before = model.happened.clone();
    model.check.forgotten.insert(PlantId(7));
    update(&mut model, Msg::Settled(PlantId(7), Settlement::Forget, Err(JournalError::Overtaken)));
    assert_eq!((&model.happened, model.notices.len(), model.check.forgotten.len()), (&before, 0, 0));
    update(&mut model, Msg::Settled(PlantId(7), Settlement::Forget, Ok(())));
    assert!(said(&model).contains("Forgotten here"), "a person's own word is told of");
}

#[test]
fn the_selection_follows_what_is_decided_until_a_person_takes_it() {
    let (mut model, effects) = running(true);
    let mut store = Store::default();
    let mut new = effects;
    for _ in 0..3 {
        new = update(&mut model, store.answer(&sent(&new)[0]));
    }
    let followed = model.check.selected.clone();
    assert!(model.check.selected_line().is_some_and(|line| matches!(line, Line::Row(row) if row.found.is_some())));
    press(&mut model, "<home>");
    assert_ne!(model.check.selected, followed);
    assert_eq!(model.check.selected, Some(Subject::Row(RULES[0].name.to_owned())));
    goes_on(&mut model, &mut store, new);
    assert_eq!(model.check.selected, Some(Subject::Row(RULES[0].name.to_owned())));
    press(&mut model, "<end>");
    assert_eq!(model.check.selected, Some(Subject::Row(UNDOCUMENTED[UNDOCUMENTED.len() - 1].name.to_owned())));
    update(&mut model, Msg::Clicked(Target::Judged(2)));
    assert_eq!(model.check.selected, Some(Subject::Row(RULES[1].name.to_owned())));
    update(&mut model, Msg::Clicked(Target::Judged(0)));
    assert_eq!(model.check.selected, Some(Subject::Row(RULES[1].name.to_owned())), "a heading is none");
}

#[test]
fn whoever_only_watches_finds_what_is_broken_selected() {
    let (model, report) = over(&mut Store { lets_anybody_in: true, ..Store::default() });
    assert_eq!((report.diagnosis.conclusion(), report.count(Verdict::Fail)), (Conclusion::Fail, 2));
    assert_eq!(model.check.selected, Some(Subject::Row("create-without-token".to_owned())));
}

#[test]
fn rows_are_found_by_their_words() {
    let (mut model, _) = over(&mut Store { lets_anybody_in: true, ..Store::default() });
    press(&mut model, "/fail token");
    let names: Vec<_> = model.check.lines().iter().filter_map(Line::subject).collect();
    let rows = ["create-without-token", "delete-without-token"].map(|name| Subject::Row(name.to_owned()));
    assert_eq!(names, rows);
    press(&mut model, "<down><enter>");
    assert_eq!(model.check.selected, Some(rows[1].clone()));
    press(&mut model, "/<c-u>nothing has this");
    assert!(model.check.lines().is_empty() && model.check.selected.is_none());
    press(&mut model, "<esc>");
    assert_eq!(
        model.check.lines().iter().filter(|line| line.subject().is_some()).count(),
        RULES.len() + UNDOCUMENTED.len()
    );
}

#[test]
fn the_exchanges_behind_a_row_are_read_once_and_opened_one_after_another() {
    let (mut model, report) = over(&mut Store::default());
    let asked: Vec<_> = report.rules[6].exchanges.clone();
    assert!(asked.len() > 1);
    let effects = press(&mut model, "<home><down><down><down><down><down><down>");
    assert_eq!(effects.last(), Some(&Effect::LookBehind(asked.clone())));
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(model.overlay.is_none(), "it opens as soon as it is there");
    update(&mut model, Msg::Behind(asked, Ok(vec![kept(4), kept(9)])));
    let open = |model: &Model| {
        let Some(Overlay::Reader(reader)) = &model.overlay else { return None };
        let Reading::Exchange { kept, .. } = &reader.reading else { return None };
        Some((kept.place, model.place_behind()))
    };
    assert_eq!(open(&model), Some((9, Some((2, 2)))));
    press(&mut model, "<left>");
    assert_eq!(open(&model), Some((4, Some((1, 2)))));
    press(&mut model, "<left>");
    assert_eq!(open(&model), Some((9, Some((2, 2)))));
    press(&mut model, "<esc>");
    assert_eq!(press(&mut model, "Y"), [], "it has no answer to copy");
    assert_eq!(press(&mut model, "I"), [Effect::Copy("9".to_owned())]);
}

#[test]
fn another_run_is_compared_row_by_row_and_shown_itself() {
    let (mut model, shown) = over(&mut Store::default());
    let (_, mut other) = over(&mut Store { lets_anybody_in: true, ..Store::default() });
    other.started = Timestamp(1000);
    update(&mut model, Msg::RunKept(Ok(())));
    update(&mut model, Msg::Runs(Ok(vec![shown, other.clone()])));
    press(&mut model, "v");
    let Some(Overlay::Runs(list)) = &model.overlay else { unreachable!("a list is open") };
    assert_eq!(model.offered_runs(list), [&other], "not the one that is shown");
    press(&mut model, "<enter>");
    assert!(model.overlay.is_none());
    assert_eq!(model.check.compared, Some(other.clone()));
    let changed = |line: &Line| {
        let Line::Row(row) = line else { return None };
        row.is_changed().then(|| row.name.to_owned())
    };
    let changed: Vec<_> = model.check.lines().iter().filter_map(changed).collect();
    assert_eq!(changed, ["create-without-token", "delete-without-token", "without-token"]);
    press(&mut model, "<esc>");
    assert_eq!(model.check.compared, None);
    press(&mut model, "v<enter>v");
    assert_eq!(model.check.compared, None);
    press(&mut model, "ofail<enter>");
    assert_eq!(model.check.report, Some(other));
    assert_eq!(model.check.selected, Some(Subject::Row("create-without-token".to_owned())));
}

#[test]
fn a_run_of_another_store_has_its_exchanges_there() {
    let (mut model, mut other) = over(&mut Store::default());
    other.store = "http://elsewhere.example".to_owned();
    update(&mut model, Msg::RunKept(Ok(())));
    update(&mut model, Msg::Runs(Ok(vec![other])));
    assert_eq!(press(&mut model, "o<enter><down>"), []);
    assert_eq!(press(&mut model, "<enter>"), []);
    assert!(said(&model).contains("in another store's history"), "{}", said(&model));
}

#[test]
fn a_run_that_cannot_be_kept_is_told_of() {
    let (mut model, _) = over(&mut Store::default());
    let effects = update(&mut model, Msg::RunKept(Err("the disk is full".into())));
    assert!(effects.contains(&Effect::FindRuns));
    assert!(model.notices[0].text.contains("the disk is full"));
    assert_eq!(model.room, Room::Check);
}

#[test]
fn a_rejected_token_takes_one_row() {
    let (mut model, effects) = running(true);
    let (headers, body) = (Vec::new(), Vec::new());
    let (reason, version) = ("Unauthorized".to_owned(), "HTTP/1.1".to_owned());
    let answer = Answer { status: 401, reason, version, headers, body, body_end: BodyEnd::Complete };
    update(&mut model, ended(&sent(&effects)[0], Ending::Answered(answer)));
    let subjects: Vec<_> = model.check.lines().iter().filter_map(Line::subject).collect();
    assert_eq!(subjects, [Subject::Row("create-accepted".to_owned())]);
    assert_eq!(said(&model), "The token was rejected (401 Unauthorized). No leftovers.");
}
