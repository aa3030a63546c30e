//! The scenes of import and export: prompts, previews, imports under way and ended.

use plants::domain::export::Exported;
use plants::domain::file_format::FileFormat;
use plants::domain::plant::Field;
use plants::domain::{OutcomeCounts, Plant, PlantId};
use plants::import::{
    FAULTS_HELD, Forecast, Over, Preview, Progress, RowCounts, RowFault, RowNote, RowNumber, Summary,
};
use plants::tui::message::{FrameLayout, WriteFault, Written};

use super::*;

const FILE: &str = "/home/ann/orders/2023/plants \u{1b}[2J.csv";

/// The dialog with a path typed.
fn typed(path: &str) -> App {
    let mut app = full();
    press(&mut app, "i");
    app.update(Msg::Input(UserInput::Paste(path.to_owned()), APART));
    app
}

fn previewed(preview: Preview) -> App {
    let mut app = typed(FILE);
    press(&mut app, "<enter>");
    app.update(Msg::Validated(Some(FILE.into()), Ok(Box::new(preview))));
    app
}

fn clean_file() -> Preview {
    let counts = RowCounts { send: 1_203, stored: 47, ..RowCounts::default() };
    let forecast = Forecast { counts, unsent: Vec::new() };
    let plant = |name: &str, id, tag: &str| Plant { name: name.into(), id: PlantId(id), tag: tag.into() };
    let first = vec![plant("Monstera", 7, "tropical"), plant("\u{1b}[2J\u{202e}", -3, &"long ".repeat(20))];
    Preview { forecast, first, notes: vec!["the column \"state\" is not sent".into()], ..Preview::default() }
}

fn faults(count: usize) -> Vec<RowFault> {
    let kinds = [
        (2, Some(Field::Id), "\"12a\" is no whole number"),
        (1, None, "4 fields, and the header has 3: is there a comma that wants quotes around its field?"),
        (2, Some(Field::Id), "99999999999999999999 is too large: the last is 9223372036854775807"),
        (3, Some(Field::Tag), "\u{1b}[2J\u{202e} is no UTF-8"),
    ];
    let faults = (0..count).zip(kinds.into_iter().cycle());
    let fault = |(at, (column, field, reason)): (usize, (u64, Option<Field>, &str))| RowFault {
        line: 3 + 2 * at as u64,
        column,
        field,
        reason: reason.into(),
    };
    faults.map(fault).collect()
}

fn numbered(line: u64) -> RowNumber {
    RowNumber { line, element: None }
}

fn note(line: u64, sentence: &str) -> RowNote {
    RowNote { number: numbered(line), sentence: sentence.to_owned() }
}

fn bad_file(bad: u64) -> Preview {
    let held = usize::try_from(bad).unwrap().min(FAULTS_HELD);
    let counts = RowCounts { send: 1_150, differs: 1, contradicts: 1, ..RowCounts::default() };
    let unsent = vec![
        note(4, "Fern (4) is not sent: the id is in the list with another name or tag."),
        note(12, "Fern (12) is not sent: line 2 has the same id, with another name or tag."),
    ];
    let forecast = Forecast { counts, unsent };
    Preview { bad, faults: faults(held), forecast, ..Preview::default() }
}

/// An import under way with some progress.
fn importing(progress: Progress) -> App {
    let mut app = previewed(clean_file());
    press(&mut app, "<tab><enter>");
    app.update(Msg::Importing(Box::new(progress)));
    app
}

fn midway() -> Progress {
    Progress {
        rows: 1_000_000,
        outcomes: OutcomeCounts { accepted: 411_900, rejected: 12, unknown: 3, not_sent: 0 },
        unsent: RowCounts { stored: 800, ..RowCounts::default() },
        out: 8,
        elapsed: Duration::from_secs(33),
        recently: (12_345, Duration::from_secs(1)),
        ..Progress::default()
    }
}

fn ended_as(over: Over) -> App {
    let mut app = importing(midway());
    let outcomes = OutcomeCounts { accepted: 990, rejected: 3, unknown: 2, not_sent: 1 };
    let unsent =
        RowCounts { stored: 37, repeats: 3, differs: 4, contradicts: 1, unknown: 3, busy: 1, ..RowCounts::default() };
    // An import that is done leaves no row unsent.
    let rows = if over == Over::Done { 1_045 } else { 1_250 };
    let progress =
        Progress { rows, outcomes, unsent, mismatches: 4, out: 0, elapsed: Duration::from_secs(95), ..midway() };
    let notes = vec![
        note(4, "Monstera (7) is not sent: line 2 has the same id, with another name or tag."),
        note(812, "The store rejected \u{202e}Fern (8): 409 Conflict, \"id in use\"."),
    ];
    app.update(Msg::Imported(Box::new(Summary { progress, over, notes })));
    app
}

pub(super) fn scenes() -> Vec<(&'static str, App)> {
    let mut validating = typed(FILE);
    press(&mut validating, "<enter>");
    validating.update(Msg::Validating { bytes: 12_345_678 });
    let mut broken = typed("~/plants.csv");
    press(&mut broken, "<enter>");
    let why = "line 812, column 3: a quote is opened here and never closed, up to the end of the file";
    broken.update(Msg::Validated(Some("/home/ann/plants.csv".into()), Err(why.into())));
    let mut bad = previewed(bad_file(12));
    press(&mut bad, "<tab>");
    let mut unknown = previewed(Preview {
        forecast: Forecast { counts: RowCounts { send: 2, unknown: 3, ..RowCounts::default() }, unsent: Vec::new() },
        format: FileFormat::Ndjson,
        ..Preview::default()
    });
    press(&mut unknown, "<tab>");
    let mut many = previewed(bad_file(12_345));
    let layout = FrameLayout { reader_page: 9, reader_lines: 9_999, ..many.cx.display.layout };
    many.update(Msg::Drawn(layout, Duration::ZERO));
    press(&mut many, "G");
    let mut paused = importing(Progress { pause: Some(Duration::from_secs(12)), ..midway() });
    press(&mut paused, "2");
    log_arrives(&mut paused, lines());
    let mut stopping = importing(midway());
    press(&mut stopping, "<esc>");
    let mut export = full();
    press(&mut export, "e");
    let mut exists = full();
    press(&mut exists, "e<enter>");
    exists.update(Msg::Written("plants.csv".into(), Err(WriteFault::Exists)));
    let mut exported = full();
    press(&mut exported, "e<enter>");
    let written = Exported { plants: 1_203, unknown: 3, unnamed: 1, ..Exported::default() };
    exported.update(Msg::Written(FILE.into(), Ok(Written::Plants(written))));
    vec![
        ("import", typed("~/plants.csv")),
        ("import_judging", validating),
        ("import_broken", broken),
        ("import_preview", previewed(clean_file())),
        ("import_preview_bad", bad),
        ("import_preview_doubts", unknown),
        ("import_preview_many", many),
        ("importing", importing(midway())),
        ("importing_paused", paused),
        ("importing_stopping", stopping),
        ("imported", ended_as(Over::Done)),
        ("import_halted", ended_as(Over::Halted("The store refuses the token (401 Unauthorized).".into()))),
        ("export", export),
        ("export_exists", exists),
        ("exported", exported),
    ]
}
