//! The scenes of the Check room: before a run, during one, after several.

use std::sync::LazyLock;

use plants::check::{CleanUp, EarlierRuns, Leftover, Observation, Report as CheckReport, RuleResult};
use plants::tui::message::FrameLayout;

use super::*;
use crate::paper::Store;

/// The demo's Check room, nothing run yet.
fn room() -> App {
    let mut app = fresh(true);
    app.update(window(rows()));
    press(&mut app, "3");
    app.update(Msg::Runs(Ok(Vec::new())));
    app.update(Msg::Drawn(FrameLayout { page: 20, ..FrameLayout::default() }));
    app
}

/// Runs the check until so many probes have ended, or to its end; tells what it came to.
fn checked(app: &mut App, store: &mut Store, probes: usize) -> Option<CheckReport> {
    press(app, "r");
    let mut effects = app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    for _ in 0..probes {
        if let Some(report) = effects.iter().find_map(kept_run) {
            return Some(report);
        }
        let operation = effects.iter().find_map(sent).unwrap();
        let probe = operation.probe.clone().unwrap();
        let ending = store.responses(&operation.kind, &probe);
        let request = Some(client::request(&app.cx.session.info.store, &operation.kind));
        let exchange = Exchange { operation, request, ..exchange(monstera(), ending) };
        let ended = Ended { exchange, recorded: Ok(()), token: 0, row: None, unknown: None };
        effects = app.update(Msg::Report(Box::new(Report::Ended(Box::new(ended)))));
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
    [true, false].map(|accepts_any_token| {
        let store = &mut Store { accepts_any_token, ..Store::default() };
        checked(&mut room(), store, 1_000).unwrap()
    })
});

/// With these runs kept, the newest of them shown, and these keys pressed; the exchanges behind what is
/// selected arrive if it says so.
fn showing(runs: Vec<CheckReport>, keys: &str, with_exchanges: bool) -> App {
    let mut app = room();
    app.update(Msg::JournalChanged);
    let mut effects = app.update(Msg::Runs(Ok(runs)));
    effects.extend(press(&mut app, &format!("o<enter>{keys}")));
    if with_exchanges {
        let operations = effects.into_iter().filter_map(looked_behind).next_back().unwrap();
        let kept = kept(3, exchange(monstera(), response(201, "Created", r#"{"name":"monstera","tag":"tropical"}"#)));
        app.update(Msg::Related(operations, Ok(vec![kept])));
    }
    app
}

fn looked_behind(effect: Effect) -> Option<Vec<OperationId>> {
    if let Effect::FindRelated(operations) = effect { Some(operations) } else { None }
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
    let (name, why) = ("Plants Check \u{1b}[2J".into(), "DELETE /plants/7: no response".into());
    report.leftovers.push(Leftover { id: PlantId(7), name, why, clean_up: CleanUp::Pending });
    CheckReport { started: Timestamp(NOON.0 - 50_000_000_000), cut_short: Some("it was stopped".into()), ..report }
}

pub(super) fn scenes() -> Vec<(&'static str, App)> {
    let mut before = room();
    before.update(Msg::JournalChanged);
    before.update(Msg::Runs(Ok(several())));
    let mut running = room();
    checked(&mut running, &mut Store::default(), 13);
    let mut asks = full();
    press(&mut asks, "3r<tab>");
    vec![
        ("check_before", before),
        ("checking", running),
        ("check_broken", showing(several(), "", true)),
        ("check_compared", showing(several(), "v<down><enter>/token<enter>", true)),
        ("check_runs", showing(several(), "v<down>", false)),
        ("check_left_behind", showing(vec![odd()], "G", false)),
        ("check_report", showing(several(), "w<backspace><backspace><enter>", false)),
        ("check_asks", asks),
    ]
}
