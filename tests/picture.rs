//! The README's pictures are the program's own screens: drawn by `ui::view`, written as SVG.
//!
//! `PLANTS_DRAW=1 cargo test --test picture` draws it anew; without that, the test fails when
//! one of them is stale.

#![expect(clippy::unwrap_used, reason = "a picture that cannot be drawn has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use plants::app::key::Key;
use plants::app::keys::KeyTable;
use plants::app::{Facts, Model, Msg, update};
use plants::client;
use plants::courier::{Ended, Report};
use plants::domain::{
    Answer, Ask, BodyEnd, Details, Ending, Exchange, Header, Operation, OperationId, Outcome, Phases, Plant, PlantId,
    Row, Sample, State, Timestamp,
};
use plants::journal::{
    Anchor, Arrangement, Kept, LogAnchor, LogLine, LogRequest, LogWindow, Search, Story, Tally, Window, WindowRequest,
};
use plants::ui::{Depth, Marks, Palette, Theme, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr as _;

const SIZE: (u16, u16) = (112, 27);
/// Pixels of a cell.
const CELL: (usize, usize) = (9, 19);
const NOON: Timestamp = Timestamp(1_790_000_000_000);

/// The demo a moment after somebody lost an answer and sent another plant.
fn scene() -> Model {
    let facts = Facts {
        store: "http://127.0.0.1:40213".parse().unwrap(),
        demo: true,
        profile: None,
        header_color: None,
        read_only: false,
        timeout: Duration::from_secs(30),
        zone: TimeZone::UTC,
        origin: 1,
    };
    let mut model = Model::new(facts, KeyTable::default(), true);
    model.now = NOON;
    let _ = model.begin(Vec::new());
    let samples: Vec<Plant> = serde_json::from_str(include_str!("../assets/samples.json")).unwrap();
    let row = |plant: &Plant, state| Row { id: plant.id, details: Some(Details::from(plant)), state, changed_at: NOON };
    let mut rows: Vec<Row> = samples.iter().map(|plant| row(plant, State::Stored)).collect();
    let lost = Plant { name: "Swiss cheese vine".into(), id: PlantId(7), tag: "tropical".into() };
    let out = Plant { name: "Aloe vera".into(), id: PlantId(8), tag: "desert".into() };
    rows.extend([row(&lost, State::Unknown), row(&out, State::Adding)]);
    let tally = Tally { stored: samples.len(), unknown: 1, adding: 1, deleting: 0 };
    let total = rows.len();
    let request = WindowRequest { anchor: Anchor::Top, rows: 400, arrangement: Arrangement::default() };
    let window = Window { rows, first: 0, total, tally, next_id: PlantId(9), late: None };
    update(&mut model, Msg::Window(Box::new(request), Ok(window)));
    let first = samples[0].clone();
    let answer = Answer {
        status: 201,
        reason: "Created".into(),
        version: "HTTP/1.1".into(),
        headers: vec![Header { name: "content-type".into(), value: "application/json".into() }],
        body: br#"{"name":"Monstera deliciosa","tag":"tropical"}"#.to_vec(),
        body_end: BodyEnd::Complete,
    };
    let ask = Ask::Add(first.clone());
    let exchange = Exchange {
        request: Some(client::request(&model.facts.store, &ask)),
        operation: Operation::new(OperationId { origin: 1, number: 1 }, ask, NOON),
        ending: Ending::Answered(answer),
        started: NOON,
        elapsed: Duration::from_millis(12),
        phases: Phases {
            name: None,
            connection: Some(Duration::from_micros(700)),
            tls: None,
            waiting: Some(Duration::from_micros(10_900)),
            reading: Some(Duration::from_micros(300)),
        },
    };
    let story = Story { row: model.table.row(first.id).cloned(), in_doubt: None, exchanges: vec![exchange.clone()] };
    update(&mut model, Msg::Story(first.id, Ok(Box::new(story))));
    let report = Report::Ended(Box::new(Ended {
        exchange,
        recorded: Ok(()),
        overtaken: false,
        token: 0,
        row: None,
        in_doubt: None,
    }));
    update(&mut model, Msg::Report(Box::new(report)));
    model
}

/// A morning's exchanges: a store that takes its time now and then, and loses an answer.
fn exchanges() -> Model {
    let mut model = scene();
    update(&mut model, Msg::Key(Key::Char('2')));
    let samples: Vec<Plant> = serde_json::from_str(include_str!("../assets/samples.json")).unwrap();
    let lines: Vec<LogLine> = (1..=44).rev().map(|place| logged(place, &samples)).collect();
    let pulse = lines.iter().rev().map(|line| Sample {
        started: line.started,
        elapsed: line.elapsed,
        outcome: line.outcome,
        answered: line.status.is_some(),
    });
    let pulse = Msg::Pulse(Box::default(), Ok(pulse.collect()));
    let request = LogRequest { search: Search::default(), anchor: LogAnchor::Newest, rows: 400 };
    let (_, story) = model.story.clone().unwrap();
    let exchange = Exchange { started: lines[0].started, ..story.exchanges[0].clone() };
    let kept = Kept { place: lines[0].place, called: lines[0].called.clone(), exchange };
    update(&mut model, Msg::Log(Box::new(request), Ok(LogWindow { lines, newer: false, older: false })));
    update(&mut model, pulse);
    update(&mut model, Msg::Inspected(kept.place, Ok(Some(Box::new(kept)))));
    model
}

/// One of them; the last is that of the first scene.
fn logged(place: i64, samples: &[Plant]) -> LogLine {
    let at = usize::try_from(place).unwrap();
    let plant = samples[(at + 4) % samples.len()].clone();
    let (outcome, status) = match place % 17 {
        9 => (Outcome::Refused, Some(if place % 5 == 3 { 404 } else { 409 })),
        13 => (Outcome::Unknown, None),
        _ => (Outcome::Accepted, Some(if place % 5 == 3 { 204 } else { 201 })),
    };
    let called = Some(Details::from(&plant));
    let (ask, size) = if place % 5 == 3 { (Ask::Delete(plant.id), 0) } else { (Ask::Add(plant), 40 + at * 7 % 23) };
    let millis = if status.is_none() {
        2_000
    } else if place == 44 {
        12
    } else {
        9 + u64::try_from(at * at * 31 % 37 + at % 11 * 5).unwrap()
    };
    let started = Timestamp(NOON.0 - (44 - place) * 17_000);
    let size = status.map(|_| size);
    LogLine { place, ask, called, outcome, status, size, started, elapsed: Duration::from_millis(millis) }
}

fn drawn(mut model: Model, palette: Palette) -> Buffer {
    let theme = Theme::new(palette, Depth::Many, Marks::Unicode);
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
    for _ in 0..2 {
        let mut painted = None;
        terminal.draw(|frame| painted = Some(view(&model, &theme, frame))).unwrap();
        update(&mut model, Msg::Drawn(painted.unwrap().drawn));
    }
    terminal.backend().buffer().clone()
}

/// The 256 colours as terminals have them.
fn rgb(color: Color, otherwise: &str) -> String {
    let Color::Indexed(index) = color else { return otherwise.to_owned() };
    match index {
        16..=231 => {
            let (index, level) = (usize::from(index) - 16, |part: usize| if part == 0 { 0 } else { 55 + part * 40 });
            format!("#{:02x}{:02x}{:02x}", level(index / 36), level(index / 6 % 6), level(index % 6))
        }
        232.. => {
            let gray = 8 + (usize::from(index) - 232) * 10;
            format!("#{gray:02x}{gray:02x}{gray:02x}")
        }
        0..16 => otherwise.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// One `<text>` for each run of cells of one style, pinned to its columns.
fn svg(buffer: &Buffer, title: &str, background: &str, foreground: &str) -> String {
    let (width, height) = (usize::from(SIZE.0) * CELL.0, usize::from(SIZE.1) * CELL.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-12 -12 {} {}\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace\" font-size=\"15\">\n<title>plants: {title}</title>\n<rect x=\"-12\" y=\"-12\" width=\"100%\" height=\"100%\" rx=\"10\" fill=\"{background}\"/>\n",
        width + 24,
        height + 24
    );
    for (row, cells) in buffer.content.chunks(usize::from(SIZE.0)).enumerate() {
        let mut column = 0;
        while column < cells.len() {
            let style = cells[column].style();
            let end = (column..cells.len()).find(|at| cells[*at].style() != style).unwrap_or(cells.len());
            let text: String = cells[column..end].iter().map(Cell::symbol).collect();
            run(&mut out, &text, style, (column, row), foreground);
            column = end;
        }
    }
    out.push_str("</svg>\n");
    out
}

fn run(out: &mut String, text: &str, style: ratatui::style::Style, (column, row): (usize, usize), foreground: &str) {
    let (x, y, columns) = (column * CELL.0, row * CELL.1, text.width());
    if let Some(color) = style.bg.filter(|color| *color != Color::Reset) {
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
            columns * CELL.0,
            CELL.1,
            rgb(color, foreground)
        );
    }
    let shown = text.trim_end();
    if shown.trim_start().is_empty() {
        return;
    }
    let indent = shown.width() - shown.trim_start().width();
    let bold = if style.add_modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let fill = rgb(style.fg.unwrap_or(Color::Reset), foreground);
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"{fill}\"{bold}>{}</text>",
        x + indent * CELL.0,
        y + 14,
        (shown.width() - indent) * CELL.0,
        escaped(shown.trim_start())
    );
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the one way to ask a test to draw anew")]
fn the_readmes_pictures_are_fresh() {
    let scenes = [
        ("screen", scene as fn() -> Model, "the table, a plant's story, and what just happened"),
        ("exchanges", exchanges, "everything sent, how the store answers, and an exchange as it was on the wire"),
    ];
    let looks = [(Palette::Dark, "dark", "#15181a", "#e4e4e4"), (Palette::Light, "light", "#fbfbf8", "#1c1c1c")];
    for ((scene, model, title), (palette, look, background, foreground)) in
        scenes.into_iter().flat_map(|scene| looks.map(|look| (scene, look)))
    {
        let name = format!("{scene}-{look}.svg");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(&name);
        let fresh = svg(&drawn(model(), palette), title, background, foreground);
        if std::env::var_os("PLANTS_DRAW").is_some() {
            fs::write(&path, &fresh).unwrap();
        }
        assert_eq!(
            fs::read_to_string(&path).unwrap_or_default(),
            fresh,
            "{name} is stale: PLANTS_DRAW=1 cargo test --test picture"
        );
    }
}
