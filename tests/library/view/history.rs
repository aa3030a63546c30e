//! The scenes of the History tab with runs of the check: folded and expanded, with a report and without one.

use plants::check::Report as CheckReport;
use plants::domain::RunId;
use plants::journal::RunLine;

use super::*;

fn run(number: i64, origin: u64, minutes: i64, counts: [usize; 4], report: Option<&CheckReport>) -> RunLine {
    RunLine {
        id: RunId { origin, started: Timestamp(NOON.0 - minutes * 60_000) },
        number,
        counts,
        diagnosis: report.map(|report| report.diagnosis.clone()),
        elapsed: Duration::from_millis(6_540),
    }
}

/// Runs that fail, pass, were rejected and have no report; the second is expanded and selected.
fn runs() -> App {
    let [failing, passing, rejected] = check::reports();
    let mut app = exchanges();
    let expanded = run(80, 1, 20, [14, 31, 0, 0], Some(&passing));
    let id = expanded.id;
    let of_run = (78..81).rev().map(|number| {
        let line = lines().remove(usize::try_from(80 - number).unwrap());
        let started = Timestamp(NOON.0 - 1_190_000 - (80 - number) * 1000);
        HistoryRow::Request(HistoryLine { number, run: Some(id), started, ..line })
    });
    let mut rows = vec![
        HistoryRow::Run(run(140, 1, 2, [20, 38, 0, 1], Some(&failing))),
        HistoryRow::Request(HistoryLine { number: 81, ..lines().remove(0) }),
        HistoryRow::Run(expanded),
    ];
    rows.extend(of_run);
    rows.push(HistoryRow::Run(run(36, 2, 60, [0, 1, 0, 0], Some(&rejected))));
    rows.push(HistoryRow::Run(run(34, 3, 3000, [12, 7, 1, 0], None)));
    rows.extend(lines().into_iter().map(HistoryRow::Request));
    press(&mut app, "<home>");
    let first = vec![HistoryRow::Run(run(80, 1, 20, [14, 31, 0, 0], Some(&passing)))];
    newest(&mut app, Vec::new(), first);
    press(&mut app, "<right>");
    newest(&mut app, vec![id], rows);
    press(&mut app, "<down><down>");
    app
}

fn newest(app: &mut App, expanded: Vec<RunId>, lines: Vec<HistoryRow>) {
    let request = HistoryRequest {
        search: Filter::default(),
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 400,
        expanded: Some(expanded),
    };
    app.update(Msg::History(Box::new(request), Ok(HistoryWindow { lines, newer: false, older: false })));
}

pub(super) fn scenes() -> Vec<(&'static str, App)> {
    let mut without_report = runs();
    press(&mut without_report, "<down><down><down><down><down>");
    vec![("history_runs", runs()), ("history_run_without_report", without_report)]
}
