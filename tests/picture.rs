//! The README's pictures are the program's own screens: drawn by `ui::view`, written as SVG.
//!
//! `PLANTS_DRAW=1 cargo test --test picture` draws them anew; without that, the test fails when
//! one of them is stale. Keys, answers and time are a script, so they come out the same anywhere.

#![expect(clippy::unwrap_used, reason = "a picture that cannot be drawn has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use plants::app::key::{Key, script};
use plants::app::keys::KeyTable;
use plants::app::{Effect, Facts, Model, Msg, update};
use plants::client;
use plants::courier::{Ended, Report};
use plants::domain::check::Beforehand;
use plants::domain::{
    Ask, Details, Ending, Exchange, Failure, FailureKind, Operation, OperationId, Outcome, Phases, Plant, PlantId, Row,
    Sample, State, Timestamp,
};
use plants::journal::{Kept, LogAnchor, LogLine, LogRequest, LogWindow, Search, Story};
use plants::ui::{Depth, Marks, Palette, Theme, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr as _;

#[path = "support/paper.rs"]
mod paper;

use paper::{Store, answer, stands};

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
    update(&mut model, stands(rows, PlantId(9)));
    let first = samples[0].clone();
    let ask = Ask::Add(first.clone());
    let exchange = Exchange {
        request: Some(client::request(&model.facts.store, &ask)),
        operation: Operation::new(OperationId { origin: 1, number: 1 }, ask, NOON),
        ending: answer(201, "Created", r#"{"name":"Monstera deliciosa","tag":"tropical"}"#),
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
    ended(&mut model, exchange);
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
        9 => (Outcome::Rejected, Some(if place % 5 == 3 { 404 } else { 409 })),
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

/// What the check comes to at a store that lets anybody in.
fn check() -> Model {
    let mut model = scene();
    press(&mut model, "3");
    update(&mut model, Msg::Runs(Ok(Vec::new())));
    press(&mut model, "r");
    let mut store = Store { lets_anybody_in: true, ..Store::default() };
    let mut effects = update(&mut model, Msg::Beforehand(7, Ok(Beforehand::default())));
    while let Some(operation) = effects.iter().find_map(sent) {
        let probe = operation.probe.clone().unwrap();
        let ending = store.answers(&operation.ask, &probe);
        let request = Some(client::request(&model.facts.store, &operation.ask));
        let (_, told) = model.story.clone().unwrap();
        let exchange = Exchange { operation, request, ending, ..told.exchanges[0].clone() };
        effects = ended(&mut model, exchange);
    }
    press(&mut model, "<home>");
    let judged = (0..40).find(|_| {
        press(&mut model, "<down>");
        let shown = text(&drawn(&mut model, Palette::Dark));
        shown.lines().any(|line| line.contains('▸') && line.contains("✗ fail"))
    });
    assert!(judged.is_some(), "no rule fails");
    model
}

fn sent(effect: &Effect) -> Option<Operation> {
    if let Effect::Send(operation) = effect { Some(operation.clone()) } else { None }
}

fn ended(model: &mut Model, exchange: Exchange) -> Vec<Effect> {
    let (recorded, overtaken, row, in_doubt) = (Ok(()), false, None, None);
    let ended = Ended { exchange, recorded, overtaken, token: 0, row, in_doubt };
    update(model, Msg::Report(Box::new(Report::Ended(Box::new(ended)))))
}

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    script(keys).unwrap().into_iter().flat_map(|key| update(model, Msg::Key(key))).collect()
}

/// An add in the Greenhouse, frame by frame, each with the milliseconds that it stands.
fn an_add(palette: Palette) -> Vec<(Buffer, u32)> {
    let mut model = scene();
    let rows: Vec<Row> = model.table.window.rows.iter().filter(|row| row.state != State::Adding).cloned().collect();
    update(&mut model, stands(rows.clone(), PlantId(8)));
    press(&mut model, "4");
    let mut frames = Vec::new();
    let at = |model: &mut Model, millis: i64| drop(update(model, Msg::Now(Timestamp(NOON.0 + millis))));
    at(&mut model, 60_000);
    let mut shot = |model: &mut Model, millis| frames.push((drawn(model, palette), millis));
    shot(&mut model, 1_600);
    press(&mut model, "a");
    shot(&mut model, 500);
    for letter in "Moon cactus".chars() {
        update(&mut model, Msg::Key(Key::Char(letter)));
        shot(&mut model, 110);
    }
    press(&mut model, "<tab><tab>");
    for letter in "desert".chars() {
        update(&mut model, Msg::Key(Key::Char(letter)));
        shot(&mut model, 110);
    }
    shot(&mut model, 900);
    let operation = press(&mut model, "<enter>").iter().find_map(sent).unwrap();
    let (id, details) = (operation.ask.plant_id(), operation.ask.plant().map(Details::from));
    let new = |state| Row { id, details: details.clone(), state, changed_at: NOON };
    update(&mut model, stands(rows.iter().cloned().chain([new(State::Adding)]).collect(), PlantId(9)));
    model.table.select(id);
    for millis in (0..=1_200).step_by(120) {
        at(&mut model, 60_000 + millis);
        update(&mut model, Msg::Tick);
        shot(&mut model, 120);
    }
    let request = Some(client::request(&model.facts.store, &operation.ask));
    let ending = answer(201, "Created", r#"{"name":"Moon cactus","tag":"desert"}"#);
    let elapsed = Duration::from_millis(1_204);
    let (_, story) = model.story.clone().unwrap();
    ended(&mut model, Exchange { operation, request, ending, elapsed, ..story.exchanges[0].clone() });
    update(&mut model, stands(rows.iter().cloned().chain([new(State::Stored)]).collect(), PlantId(9)));
    for millis in (0..=1_800).step_by(120) {
        at(&mut model, 61_200 + millis);
        shot(&mut model, 120);
    }
    shot(&mut model, 4_000);
    frames
}

/// The Greenhouse after the same, with a refusal and a loss.
fn greenhouse() -> Model {
    let mut model = scene();
    press(&mut model, "4");
    let (_, story) = model.story.clone().unwrap();
    let plant = |id, name: &str, tag: &str| Plant { name: name.into(), id: PlantId(id), tag: tag.into() };
    let told = |ask: Ask, ending| Exchange {
        operation: Operation::new(OperationId { origin: 1, number: 9 }, ask.clone(), NOON),
        request: Some(client::request(&"http://127.0.0.1:40213".parse().unwrap(), &ask)),
        ending,
        ..story.exchanges[0].clone()
    };
    let refused = answer(409, "Conflict", r#"{"error":"there is a plant 2 already"}"#);
    ended(&mut model, told(Ask::Add(plant(2, "Thai basil", "kitchen")), refused));
    press(&mut model, "<esc>");
    model.drafts.clear();
    let lost = Ending::Failed(Failure { kind: FailureKind::NoAnswer, detail: String::new() });
    ended(&mut model, told(Ask::Add(plant(7, "Swiss cheese vine", "tropical")), lost));
    model.flights.clear();
    update(&mut model, Msg::Now(Timestamp(NOON.0 + 9_000)));
    model
}

fn drawn(model: &mut Model, palette: Palette) -> Buffer {
    let theme = Theme::new(palette, Depth::Many, Marks::Unicode);
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
    for _ in 0..2 {
        let mut painted = None;
        terminal.draw(|frame| painted = Some(view(model, &theme, frame))).unwrap();
        update(model, Msg::Drawn(painted.unwrap().drawn));
    }
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let rows = buffer.content.chunks(usize::from(SIZE.0));
    rows.map(|row| row.iter().map(Cell::symbol).collect::<String>()).collect::<Vec<_>>().join("\n")
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

/// What is the same in each picture, around its rows.
fn framed(title: &str, look: &Look, style: &str, rows: &str) -> String {
    let (width, height) = (usize::from(SIZE.0) * CELL.0, usize::from(SIZE.1) * CELL.1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-12 -12 {} {}\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace\" font-size=\"15\">\n<title>plants: {title}</title>\n{style}<rect x=\"-12\" y=\"-12\" width=\"100%\" height=\"100%\" rx=\"10\" fill=\"{}\"/>\n{rows}</svg>\n",
        width + 24,
        height + 24,
        look.background,
    )
}

/// Each row of cells as SVG: one `<text>` for each run of one style, pinned to its columns.
fn rows(buffer: &Buffer, look: &Look) -> Vec<String> {
    let row = |(row, cells): (usize, &[Cell])| {
        let (mut out, mut column) = (String::new(), 0);
        while column < cells.len() {
            let style = cells[column].style();
            let end = (column..cells.len()).find(|at| cells[*at].style() != style).unwrap_or(cells.len());
            let text: String = cells[column..end].iter().map(Cell::symbol).collect();
            run(&mut out, &text, style, (column, row), look.foreground);
            column = end;
        }
        out
    };
    buffer.content.chunks(usize::from(SIZE.0)).enumerate().map(row).collect()
}

fn still(buffer: &Buffer, title: &str, look: &Look) -> String {
    framed(title, look, "", &rows(buffer, look).concat())
}

/// The frames one after another, for ever. A row is there once for as long as it stays the same.
/// Whoever wants less motion sees the last frame.
fn moving(frames: &[(Buffer, u32)], title: &str, look: &Look) -> String {
    let whole: u32 = frames.iter().map(|(_, millis)| millis).sum();
    let drawn: Vec<Vec<String>> = frames.iter().map(|(buffer, _)| rows(buffer, look)).collect();
    let begins: Vec<u32> = frames.iter().scan(0, |at, (_, millis)| Some(std::mem::replace(at, *at + millis))).collect();
    let percent = |millis: u32| format!("{:.3}%", f64::from(millis) * 100.0 / f64::from(whole));
    let (mut style, mut out, mut count) = (String::new(), String::new(), 0);
    for row in 0..usize::from(SIZE.1) {
        let versions: Vec<&String> = drawn.iter().map(|rows| &rows[row]).collect();
        let mut from = 0;
        for same in versions.chunk_by(|one, other| one == other) {
            let (to, svg) = (from + same.len(), same[0]);
            if same.len() == frames.len() {
                out.push_str(svg);
            } else if !svg.is_empty() {
                let hides =
                    begins.get(to).map(|end| format!("{}{{visibility:hidden}}", percent(*end))).unwrap_or_default();
                let waits = if from == 0 { "" } else { "0%{visibility:hidden}" };
                let shows = percent(begins[from]);
                let _ = writeln!(style, "@keyframes k{count}{{{waits}{shows}{{visibility:visible}}{hides}}}");
                let _ = writeln!(style, "#g{count}{{animation-name:k{count}}}");
                let at_rest = if to == frames.len() { "visible" } else { "hidden" };
                let _ = write!(out, "<g id=\"g{count}\" class=\"f\" visibility=\"{at_rest}\">\n{svg}</g>\n");
                count += 1;
            }
            from = to;
        }
    }
    let style = format!(
        "<style>\n@media (prefers-reduced-motion: no-preference){{\n.f{{animation-duration:{whole}ms;animation-timing-function:step-end;animation-iteration-count:infinite}}\n{style}}}\n</style>\n"
    );
    framed(title, look, &style, &out)
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

/// A background that READMEs have.
struct Look {
    name: &'static str,
    palette: Palette,
    background: &'static str,
    foreground: &'static str,
}

const LOOKS: [Look; 2] = [
    Look { name: "dark", palette: Palette::Dark, background: "#15181a", foreground: "#e4e4e4" },
    Look { name: "light", palette: Palette::Light, background: "#fbfbf8", foreground: "#1c1c1c" },
];

/// Compares a picture with the one that is kept, or keeps it.
#[expect(clippy::disallowed_methods, reason = "the one way to ask a test to draw anew")]
fn kept(scene: &str, look: &Look, fresh: &str) {
    let name = format!("{scene}-{}.svg", look.name);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(&name);
    if std::env::var_os("PLANTS_DRAW").is_some() {
        fs::write(&path, fresh).unwrap();
    }
    let is_fresh = fs::read_to_string(&path).unwrap_or_default() == fresh;
    assert!(is_fresh, "{name} is stale: PLANTS_DRAW=1 cargo test --test picture");
}

#[test]
fn the_readmes_pictures_are_fresh() {
    let scenes: [(_, fn() -> Model, _); 4] = [
        ("plants", scene, "the table, a plant's story, and what just happened"),
        ("exchanges", exchanges, "everything sent, how the store answers, and an exchange as it was on the wire"),
        ("check", check, "the contract check: clause by clause, and the evidence"),
        ("greenhouse", greenhouse, "every plant a pot, every exchange a picture"),
    ];
    for (scene, model, title) in scenes {
        for look in &LOOKS {
            kept(scene, look, &still(&drawn(&mut model(), look.palette), title, look));
        }
    }
}

#[test]
fn the_readmes_moving_picture_is_fresh() {
    for look in &LOOKS {
        kept("add", look, &moving(&an_add(look.palette), "an add in the Greenhouse", look));
    }
}
