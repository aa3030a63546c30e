//! The scenes of the History tab with runs of the check: folded and unfolded, with a report and without one.

use plants::check::Report as CheckReport;
use plants::domain::RunId;
use plants::journal::RunLine;

use super::*;

fn run(place: i64, origin: u64, minutes: i64, counts: [usize; 4], report: Option<&CheckReport>) -> RunLine {
    RunLine {
        id: RunId { origin, started: Timestamp(NOON.0 - minutes * 60_000) },
        place,
        counts,
        diagnosis: report.map(|report| report.diagnosis.clone()),
        elapsed: Duration::from_millis(6_540),
        is_unfolded: false,
    }
}

/// Runs that fail, pass, were rejected and have no report; the second is unfolded and selected.
fn runs() -> App {
    let [failing, passing, rejected] = check::reports();
    let mut app = exchanges();
    let unfolded = RunLine { is_unfolded: true, ..run(80, 1, 20, [14, 31, 0, 0], Some(&passing)) };
    let id = unfolded.id;
    let of_run = (78..81).rev().map(|place| {
        let line = lines().remove(usize::try_from(80 - place).unwrap());
        let started = Timestamp(NOON.0 - 1_190_000 - (80 - place) * 1000);
        LogRow::Request(LogLine { place, run: Some(id), started, ..line })
    });
    let mut rows = vec![
        LogRow::Run(run(140, 1, 2, [20, 38, 0, 1], Some(&failing))),
        LogLine { place: 81, ..lines().remove(0) }.into(),
        LogRow::Run(unfolded),
    ];
    rows.extend(of_run);
    rows.push(LogRow::Run(run(36, 2, 60, [0, 1, 0, 0], Some(&rejected))));
    rows.push(LogRow::Run(run(34, 3, 3000, [12, 7, 1, 0], None)));
    rows.extend(lines().into_iter().map(LogRow::from));
    press(&mut app, "<home>");
    let first = vec![LogRow::Run(run(80, 1, 20, [14, 31, 0, 0], Some(&passing)))];
    newest(&mut app, Vec::new(), first);
    press(&mut app, "<right>");
    newest(&mut app, vec![id], rows);
    press(&mut app, "<down><down>");
    app
}

fn newest(app: &mut App, unfolded: Vec<RunId>, lines: Vec<LogRow>) {
    let request =
        LogRequest { search: Search::default(), anchor: LogAnchor::Newest, rows: 400, unfolded: Some(unfolded) };
    app.update(Msg::History(Box::new(request), Ok(LogWindow { lines, newer: false, older: false })));
}

pub(super) fn scenes() -> Vec<(&'static str, App)> {
    let mut without_report = runs();
    press(&mut without_report, "<down><down><down><down><down>");
    vec![("history_runs", runs()), ("history_run_without_report", without_report)]
}
