//! The scenes of the Check room: before a run, during one, after several.

use std::sync::LazyLock;

use plants::app::message::Drawn;
use plants::domain::check::{Beforehand, CleanUp, Leftover, Observation, Report as CheckReport, RuleResult};

use super::paper::Store;
use super::*;

/// The demo's Check room, nothing run yet.
fn room() -> Model {
    let mut model = fresh(true);
    update(&mut model, window(rows()));
    press(&mut model, "3");
    update(&mut model, Msg::Runs(Ok(Vec::new())));
    update(&mut model, Msg::Drawn(Drawn { page: 20, ..Drawn::default() }));
    model
}

/// Runs the check until so many probes have ended, or to its end; tells what it came to.
fn checked(model: &mut Model, store: &mut Store, probes: usize) -> Option<CheckReport> {
    press(model, "r");
    let mut effects = update(model, Msg::Beforehand(7, Ok(Beforehand::default())));
    for _ in 0..probes {
        if let Some(report) = effects.iter().find_map(kept_run) {
            return Some(report);
        }
        let operation = effects.iter().find_map(sent).unwrap();
        let probe = operation.probe.clone().unwrap();
        let ending = store.answers(&operation.ask, &probe);
        let request = Some(client::request(&model.facts.store, &operation.ask));
        let exchange = Exchange { operation, request, ..exchange(monstera(), ending) };
        let ended = Ended { exchange, recorded: Ok(()), overtaken: false, token: 0, row: None, in_doubt: None };
        effects = update(model, Msg::Report(Box::new(Report::Ended(Box::new(ended)))));
    }
    None
}

fn kept_run(effect: &Effect) -> Option<CheckReport> {
    if let Effect::KeepRun(report) = effect { Some(report.as_ref().clone()) } else { None }
}

fn sent(effect: &Effect) -> Option<Operation> {
    if let Effect::Send(operation) = effect { Some(operation.clone()) } else { None }
}

/// What two whole runs came to: at a store that asks nobody for a token, and at one that keeps all.
static REPORTS: LazyLock<[CheckReport; 2]> = LazyLock::new(|| {
    [true, false].map(|lets_anybody_in| {
        let store = &mut Store { lets_anybody_in, ..Store::default() };
        checked(&mut room(), store, 1_000).unwrap()
    })
});

/// With these runs kept, the newest of them shown.
fn showing(runs: Vec<CheckReport>) -> Model {
    let mut model = room();
    update(&mut model, Msg::JournalChanged);
    update(&mut model, Msg::Runs(Ok(runs)));
    press(&mut model, "o<enter>");
    model
}

/// The exchanges behind the selected row arrive.
fn behind(model: &mut Model) {
    let operations = model.check.selected_exchanges().to_vec();
    let kept = kept(3, exchange(monstera(), answer(201, "Created", r#"{"name":"monstera","tag":"tropical"}"#)));
    update(model, Msg::Behind(operations, Ok(vec![kept])));
}

/// One with a broken rule, and others: of another day, and of another store.
fn several() -> Vec<CheckReport> {
    let [broken, kept] = REPORTS.clone();
    let earlier = CheckReport { started: Timestamp(NOON.0 - 100_000_000), ..kept.clone() };
    let store = "https://plants.example/a/rather/long/\u{1b}[2J/path".to_owned();
    let elsewhere = CheckReport { store, started: Timestamp(NOON.0 - 3_000_000), ..kept };
    vec![broken, elsewhere, earlier]
}

/// Of a release that knew other rows; it was stopped, and has left something behind.
fn odd() -> CheckReport {
    let [mut report, _] = REPORTS.clone();
    report.rules.push(RuleResult { name: "no-such-rule".into(), ..report.rules[0].clone() });
    let value = "\u{1b}[2J\u{202e}evil".repeat(20);
    report.undocumented.push(Observation { name: "no-such-part".into(), value, ..report.undocumented[0].clone() });
    let (name, why) = ("Plants Check \u{1b}[2J".into(), "DELETE /plants/7: no answer".into());
    report.leftovers.push(Leftover { id: PlantId(7), name, why, clean_up: CleanUp::Pending });
    CheckReport { started: Timestamp(NOON.0 - 50_000_000_000), cut_short: Some("it was stopped".into()), ..report }
}

pub(super) fn scenes() -> Vec<(&'static str, Model)> {
    let mut before = room();
    update(&mut before, Msg::JournalChanged);
    update(&mut before, Msg::Runs(Ok(several())));
    let mut running = room();
    checked(&mut running, &mut Store::default(), 13);
    let mut broken = showing(several());
    behind(&mut broken);
    let mut compared = showing(several());
    press(&mut compared, "v<down><enter>/token<enter>");
    behind(&mut compared);
    let mut runs = showing(several());
    press(&mut runs, "v<down>");
    let mut left = showing(vec![odd()]);
    press(&mut left, "G");
    let mut report = showing(several());
    press(&mut report, "w<backspace><backspace><enter>");
    let mut asks = full();
    press(&mut asks, "3r<tab>");
    vec![
        ("check_before", before),
        ("checking", running),
        ("check_broken", broken),
        ("check_compared", compared),
        ("check_runs", runs),
        ("check_left_behind", left),
        ("check_report", report),
        ("check_asks", asks),
    ]
}
