//! The scenes of the Check tab: before a run, during one, after several.

use std::sync::LazyLock;

use plants::check::{CleanUp, EarlierRuns, Leftover, Report as CheckReport, RowResult};
use plants::tui::message::FrameLayout;

use super::*;
use crate::paper::Store;

/// The tab at the demo store before the first run.
fn tab() -> App {
    let mut app = fresh(true);
    app.update(window(rows()));
    press(&mut app, "3");
    app.update(Msg::Runs(Ok(Vec::new())));
    app.update(Msg::Drawn(FrameLayout { page: 20, ..FrameLayout::default() }, Duration::ZERO));
    app
}

/// Runs the check until so many requests have ended, or to its end: then returns its report.
fn checked(app: &mut App, store: &mut Store, probes: usize) -> Option<CheckReport> {
    press(app, "r");
    let mut effects = app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    for _ in 0..probes {
        if let Some(report) = effects.iter().find_map(stored_run) {
            return Some(report);
        }
        while let Some(pause) = effects.iter().find_map(paused) {
            effects = app.update(Msg::Paused(pause));
        }
        let operation = effects.iter().find_map(sent).unwrap();
        let probe = operation.probe.clone().unwrap();
        let ending = store.responses(&operation.kind, &probe);
        let request = Some(client::request(&app.cx.session.info.store, &operation.kind));
        let exchange = Exchange { operation, request, ..exchange(monstera(), ending) };
        effects = app.update(end_of(exchange, None, None));
    }
    None
}

fn paused(effect: &Effect) -> Option<u32> {
    if let Effect::Pause(pause, _) = effect { Some(*pause) } else { None }
}

fn stored_run(effect: &Effect) -> Option<CheckReport> {
    if let Effect::KeepRun(report) = effect { Some(report.as_ref().clone()) } else { None }
}

fn sent(effect: &Effect) -> Option<Operation> {
    if let Effect::Send(operation) = effect { Some(operation.clone()) } else { None }
}

/// The reports of two whole runs: of a store that needs no token, and of one that passes all rules.
static REPORTS: LazyLock<[CheckReport; 2]> = LazyLock::new(|| {
    [true, false].map(|accepts_any_token| {
        let store = &mut Store { accepts_any_token, ..Store::default() };
        checked(&mut tab(), store, 1_000).unwrap()
    })
});

/// Reports of stores that fail, pass, and reject the token.
pub(super) fn reports() -> [CheckReport; 3] {
    let [failing, passing] = REPORTS.clone();
    let mut app = tab();
    press(&mut app, "r");
    let effects = app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    let operation = effects.iter().find_map(sent).unwrap();
    let ended =
        Exchange { operation, ..exchange(monstera(), response(401, "Unauthorized", r#"{"error":"bad token"}"#)) };
    let effects = app.update(end_of(ended, None, None));
    [failing, passing, effects.iter().find_map(stored_run).unwrap()]
}

/// The tab with some runs stored, the newest one shown, after some keys; `with_exchanges` lets the exchanges of the
/// selected row arrive.
fn showing(runs: Vec<CheckReport>, keys: &str, with_exchanges: bool) -> App {
    let mut app = tab();
    app.update(Msg::JournalChanged);
    let mut effects = app.update(Msg::Runs(Ok(runs)));
    effects.extend(press(&mut app, &format!("o<enter>{keys}")));
    if with_exchanges {
        let operations = effects.into_iter().filter_map(related).next_back().unwrap();
        let found =
            stored(3, exchange(monstera(), response(201, "Created", r#"{"name":"monstera","tag":"tropical"}"#)));
        app.update(Msg::Related(operations, Ok(vec![found])));
    }
    app
}

fn related(effect: Effect) -> Option<Vec<OperationId>> {
    if let Effect::FindRelated(operations) = effect { Some(operations) } else { None }
}

/// A run with a rule that fails, one of another store, and one of another day.
fn several() -> Vec<CheckReport> {
    let [failing, passing] = REPORTS.clone();
    let earlier = CheckReport { started: Timestamp(NOON.0 - 100_000_000), ..passing.clone() };
    let store = "https://plants.example/a/rather/long/\u{1b}[2J/path".to_owned();
    let elsewhere = CheckReport { store, started: Timestamp(NOON.0 - 3_000_000), ..passing };
    vec![failing, elsewhere, earlier]
}

/// A stopped run of a release with other rows, with a leftover.
fn odd() -> CheckReport {
    let [mut report, _] = REPORTS.clone();
    report.rules.push(RowResult { name: "no-such-rule".into(), ..report.rules[0].clone() });
    let value = "\u{1b}[2J\u{202e}evil".repeat(20);
    report.undocumented.push(RowResult { name: "no-such-part".into(), value, ..report.undocumented[0].clone() });
    let (name, why) = ("Plants Check \u{1b}[2J".into(), "DELETE /plants/7: no response".into());
    report.leftovers.push(Leftover { id: PlantId(7), sent_id: None, name, why, clean_up: CleanUp::Pending });
    CheckReport { started: Timestamp(NOON.0 - 50_000_000_000), cut_short: Some("it was stopped".into()), ..report }
}

pub(super) fn scenes() -> Vec<(&'static str, App)> {
    let mut before = tab();
    before.update(Msg::JournalChanged);
    before.update(Msg::Runs(Ok(several())));
    let mut running = tab();
    checked(&mut running, &mut Store::default(), 13);
    let mut asks = full();
    press(&mut asks, "3r<tab>");
    vec![
        ("check_before", before),
        ("checking", running),
        ("check_broken", showing(several(), "", true)),
        ("check_compared", showing(several(), "v<enter>/token<enter>", true)),
        ("check_runs", showing(several(), "v<down>", false)),
        ("check_left_behind", showing(vec![odd()], "G", false)),
        ("check_report", showing(several(), "w<backspace><backspace><enter>", false)),
        ("check_asks", asks),
    ]
}
