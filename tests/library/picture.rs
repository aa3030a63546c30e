//! The README's pictures are screens of the program: drawn by `App::view`, written as SVG.
//!
//! `PLANTS_DRAW=1 cargo test --test library -- readme picture` writes them to assets/; without the variable, the
//! tests fail when a picture is stale. Keys, responses and times are fixed, so the pictures are the same everywhere.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use plants::check::EarlierRuns;
use plants::client;
use plants::domain::filter::{Filter, List};
use plants::domain::{
    Details, Ending, Exchange, Failure, FailureKind, LocalTime, Operation, OperationId, OperationKind, Outcome, Phases,
    Plant, PlantId, Row, Sample, State, StoreUrl, Timestamp,
};
use plants::journal::{
    HistoryLine, HistoryOrder, HistoryRequest, HistoryRow, HistoryWindow, PlantHistory, StoredExchange,
};
use plants::terminal::Key;
use plants::text::Marks;
use plants::tui::input::Keymap;
use plants::tui::message::{StoreInfo, Target};
use plants::tui::widgets::theme::{Depth, Palette, Theme};
use plants::tui::{App, Effect, Msg};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier, Style};
use unicode_width::UnicodeWidthStr as _;

use crate::typed::{clicked, keyed, press};

use crate::extent::is_set;
use crate::paper;

use paper::{Store, response, stands};

const SIZE: (u16, u16) = (112, 27);
/// Of the pictures of the Greenhouse.
const LARGE: (u16, u16) = (120, 36);
/// Pixels of a cell.
const CELL: (usize, usize) = (9, 19);
const NOON: Timestamp = Timestamp(1_790_000_000_000);

fn store() -> StoreUrl {
    "http://127.0.0.1:40213".parse().unwrap()
}

/// Returns the plants that the demo store starts with.
fn samples() -> Vec<Plant> {
    serde_json::from_str(include_str!("../../assets/samples.json")).unwrap()
}

/// The demo store with one unknown plant, and one that is being added.
fn plants_tab() -> App {
    let info = StoreInfo { demo: true, ..StoreInfo::of(store()) };
    let mut app = App::new(info, Keymap::default(), Some(paper::token()));
    app.set_time(NOON);
    let _ = app.begin(Vec::new());
    let samples = samples();
    let row = |plant: &Plant, state| Row {
        id: plant.id,
        details: Some(Details::from(plant)),
        state,
        changed_at: NOON,
        author: None,
    };
    let mut rows: Vec<Row> = samples.iter().map(|plant| row(plant, State::Stored)).collect();
    let lost = Plant { name: "Swiss cheese vine".into(), id: PlantId(7), tag: "tropical".into() };
    let out = Plant { name: "Aloe vera".into(), id: PlantId(8), tag: "desert".into() };
    rows.extend([row(&lost, State::Unknown), row(&out, State::Adding)]);
    app.update(stands(rows, PlantId(9)));
    let exchange = first_add();
    let first = exchange.operation.kind.plant_id();
    let row = app.cx.session.plants.row(first).cloned();
    let plant_history = PlantHistory { row, unknown: None, exchanges: vec![exchange.clone()] };
    app.update(Msg::PlantHistory(first, Ok(Box::new(plant_history))));
    end(&mut app, exchange);
    app
}

/// Returns the exchange that added the first sample.
fn first_add() -> Exchange {
    let kind = OperationKind::add(samples()[0].clone());
    Exchange {
        request: Some(client::request(&store(), &kind)),
        operation: Operation::new(OperationId { origin: 1, number: 1 }, kind, NOON),
        ending: response(201, "Created", r#"{"name":"Monstera deliciosa","tag":"tropical"}"#),
        started: NOON,
        elapsed: Duration::from_millis(12),
        phases: Phases {
            name: None,
            connection: Some(Duration::from_micros(700)),
            tls: None,
            waiting: Some(Duration::from_micros(10_900)),
            reading: Some(Duration::from_micros(300)),
        },
    }
}

/// The History tab with 44 requests, some of them slow, rejected or unknown.
fn history() -> App {
    let mut app = plants_tab();
    app.update(keyed(Key::Char('2')));
    let samples = samples();
    let lines: Vec<HistoryLine> = (1..=44).rev().map(|number| log_line(number, &samples)).collect();
    let latencies = lines.iter().rev().map(|line| Sample {
        started: line.started,
        elapsed: line.elapsed,
        outcome: line.outcome,
        responded: line.status.is_some(),
    });
    let of_chart = List::Requests.parse("!is:check", &LocalTime::default()).0;
    let latencies = Msg::Latencies(Box::new(of_chart), Ok(latencies.collect()));
    let request = HistoryRequest {
        search: Filter::default(),
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 400,
        expanded: Some(Vec::new()),
    };
    let exchange = Exchange { started: lines[0].started, ..first_add() };
    let kept = StoredExchange { number: lines[0].number, called: lines[0].called.clone(), exchange };
    app.update(Msg::History(
        Box::new(request),
        Ok(HistoryWindow { lines: lines.into_iter().map(HistoryRow::Request).collect(), newer: false, older: false }),
    ));
    app.update(latencies);
    app.update(Msg::Inspected(kept.number, Ok(Some(Box::new(kept)))));
    app
}

/// Returns the line of one entry; the last entry is the request of the Plants tab.
fn log_line(number: i64, samples: &[Plant]) -> HistoryLine {
    let at = usize::try_from(number).unwrap();
    let plant = samples[(at + 4) % samples.len()].clone();
    let (outcome, status) = match number % 17 {
        9 => (Outcome::Rejected, Some(if number % 5 == 3 { 404 } else { 409 })),
        13 => (Outcome::Unknown, None),
        _ => (Outcome::Accepted, Some(if number % 5 == 3 { 204 } else { 201 })),
    };
    let called = Some(Details::from(&plant));
    let (kind, size) = if number % 5 == 3 {
        (OperationKind::Delete(plant.id), 0)
    } else {
        (OperationKind::add(plant), 40 + at * 7 % 23)
    };
    let millis = if status.is_none() {
        2_000
    } else if number == 44 {
        12
    } else {
        9 + u64::try_from(at * at * 31 % 37 + at % 11 * 5).unwrap()
    };
    let started = Timestamp(NOON.0 - (44 - number) * 17_000);
    let size = status.map(|_| size);
    HistoryLine {
        number,
        kind,
        called,
        outcome,
        status,
        size,
        started,
        elapsed: Duration::from_millis(millis),
        run: None,
    }
}

/// The Check tab after a run at a store that accepts every token, with a failed rule selected.
fn check() -> App {
    let mut app = plants_tab();
    press(&mut app, "3");
    app.update(Msg::Runs(Ok(Vec::new())));
    press(&mut app, "r");
    let mut store = Store { accepts_any_token: true, ..Store::default() };
    let mut effects = app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    while let Some(operation) = effects.iter().find_map(sent) {
        let probe = operation.probe.clone().unwrap();
        let ending = store.responses(&operation.kind, &probe);
        let request = Some(client::request(&app.cx.session.info.store, &operation.kind));
        let exchange = Exchange { operation, request, ending, ..first_add() };
        effects = end(&mut app, exchange);
    }
    press(&mut app, "<home>");
    let found = (0..40).find(|_| {
        press(&mut app, "<down>");
        let shown = text(&drawn(&mut app, Palette::Dark, SIZE));
        shown.lines().any(|line| line.contains('▸') && line.contains("✗ fail"))
    });
    assert!(found.is_some(), "no rule fails");
    app
}

/// Returns the operation that an effect sends.
fn sent(effect: &Effect) -> Option<Operation> {
    if let Effect::Send(operation) = effect { Some(operation.clone()) } else { None }
}

/// Gives the app the end of an operation.
fn end(app: &mut App, exchange: Exchange) -> Vec<Effect> {
    app.update(paper::end_of(exchange, None, None))
}

/// Returns the frames of an add in the Greenhouse, each with the milliseconds for which it is shown.
fn add_frames(palette: Palette) -> Vec<(Buffer, u32)> {
    let mut app = plants_tab();
    let rows: Vec<Row> =
        app.cx.session.plants.window.rows.iter().filter(|row| row.state != State::Adding).cloned().collect();
    app.update(stands(rows.clone(), PlantId(8)));
    press(&mut app, "4");
    let mut frames = Vec::new();
    let at = |app: &mut App, millis: i64| drop(app.update(Msg::Now(Timestamp(NOON.0 + millis))));
    at(&mut app, 60_000);
    let mut shot = |app: &mut App, millis| frames.push((drawn(app, palette, LARGE), millis));
    shot(&mut app, 1_600);
    press(&mut app, "a");
    shot(&mut app, 500);
    for letter in "Moon cactus".chars() {
        app.update(keyed(Key::Char(letter)));
        shot(&mut app, 110);
    }
    press(&mut app, "<tab><tab>");
    for letter in "desert".chars() {
        app.update(keyed(Key::Char(letter)));
        shot(&mut app, 110);
    }
    shot(&mut app, 900);
    let operation = press(&mut app, "<enter>").iter().find_map(sent).unwrap();
    let (id, details) = (operation.kind.plant_id(), operation.kind.plant().map(Details::from));
    let new = |state| Row { id, details: details.clone(), state, changed_at: NOON, author: None };
    app.update(stands(rows.iter().cloned().chain([new(State::Adding)]).collect(), PlantId(9)));
    app.update(clicked(Target::Plant(id)));
    for millis in (0..=1_200).step_by(120) {
        at(&mut app, 60_000 + millis);
        app.update(Msg::Tick);
        shot(&mut app, 120);
    }
    let request = Some(client::request(&app.cx.session.info.store, &operation.kind));
    let ending = response(201, "Created", r#"{"name":"Moon cactus","tag":"desert"}"#);
    let elapsed = Duration::from_millis(1_204);
    end(&mut app, Exchange { operation, request, ending, elapsed, ..first_add() });
    app.update(stands(rows.iter().cloned().chain([new(State::Stored)]).collect(), PlantId(9)));
    for millis in (0..=1_800).step_by(120) {
        at(&mut app, 61_200 + millis);
        shot(&mut app, 120);
    }
    shot(&mut app, 4_000);
    frames
}

/// The Greenhouse after a rejected add and one whose response was lost.
fn greenhouse() -> App {
    let mut app = plants_tab();
    press(&mut app, "4");
    let plant = |id, name: &str, tag: &str| Plant { name: name.into(), id: PlantId(id), tag: tag.into() };
    let exchange = |kind: OperationKind, ending| Exchange {
        operation: Operation::new(OperationId { origin: 1, number: 9 }, kind.clone(), NOON),
        request: Some(client::request(&store(), &kind)),
        ending,
        ..first_add()
    };
    let end_of = |app: &mut App, kind: OperationKind, ending| {
        app.cx.session.submit(kind.clone(), &mut app.cx.out);
        app.update(Msg::Now(NOON));
        let operation = app.cx.session.pending.last().unwrap().operation.clone();
        end(app, Exchange { operation, ..exchange(kind, ending) });
        app.update(Msg::Now(Timestamp(NOON.0 + 9_000)));
    };
    let rejected = response(409, "Conflict", r#"{"error":"there is a plant 2 already"}"#);
    end_of(&mut app, OperationKind::add(plant(2, "Thai basil", "kitchen")), rejected);
    let lost = Ending::Failed(Failure { kind: FailureKind::NoResponse, detail: String::new() });
    end_of(&mut app, OperationKind::add(plant(7, "Swiss cheese vine", "tropical")), lost);
    app
}

fn drawn(app: &mut App, palette: Palette, size: (u16, u16)) -> Buffer {
    let theme = Theme::new(palette, Depth::True, Marks::Unicode);
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    for _ in 0..2 {
        let mut map = None;
        terminal.draw(|frame| map = Some(app.view(&theme, frame))).unwrap();
        app.update(Msg::Drawn(map.unwrap().layout, Duration::ZERO));
    }
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let rows = buffer.content.chunks(usize::from(buffer.area.width));
    rows.map(|row| row.iter().map(Cell::symbol).collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// Returns a colour in the notation of SVG; one that depends on the terminal is `otherwise`.
fn rgb(color: Color, otherwise: &str) -> String {
    if let Color::Rgb(red, green, blue) = color {
        return format!("#{red:02x}{green:02x}{blue:02x}");
    }
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

/// Puts the frame of every picture around its rows.
fn framed(title: &str, look: &Look, size: (u16, u16), style: &str, rows: &str) -> String {
    let (width, height) = (usize::from(size.0) * CELL.0, usize::from(size.1) * CELL.1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-12 -12 {} {}\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace\" font-size=\"15\">\n<title>plants: {title}</title>\n{style}<rect x=\"-12\" y=\"-12\" width=\"100%\" height=\"100%\" rx=\"10\" fill=\"{}\"/>\n{rows}</svg>\n",
        width + 24,
        height + 24,
        look.background,
    )
}

/// Renders each row of cells: one `<text>` for each run of cells with the same style, as wide as its columns.
fn rows(buffer: &Buffer, look: &Look) -> Vec<String> {
    let has_pixels = buffer.content.iter().any(|cell| cell.symbol() == "▀");
    let row = |(row, cells): (usize, &[Cell])| {
        let (mut out, mut column) = (String::new(), 0);
        while column < cells.len() {
            let style = cells[column].style();
            let end = (column..cells.len()).find(|at| cells[*at].style() != style).unwrap_or(cells.len());
            let text: String = cells[column..end].iter().map(Cell::symbol).collect();
            run(&mut out, &text, style, (column, row), look, has_pixels);
            column = end;
        }
        out
    };
    buffer.content.chunks(usize::from(buffer.area.width)).enumerate().map(row).collect()
}

fn still(buffer: &Buffer, title: &str, look: &Look) -> String {
    framed(title, look, (buffer.area.width, buffer.area.height), "", &rows(buffer, look).concat())
}

/// Renders the frames one after another, without end. A row that does not change is written once. With reduced
/// motion the last frame is shown.
fn moving(frames: &[(Buffer, u32)], title: &str, look: &Look) -> String {
    let whole: u32 = frames.iter().map(|(_, millis)| millis).sum();
    let drawn: Vec<Vec<String>> = frames.iter().map(|(buffer, _)| rows(buffer, look)).collect();
    let begins: Vec<u32> = frames.iter().scan(0, |at, (_, millis)| Some(std::mem::replace(at, *at + millis))).collect();
    let percent = |millis: u32| format!("{:.3}%", f64::from(millis) * 100.0 / f64::from(whole));
    let (mut style, mut out, mut count) = (String::new(), String::new(), 0);
    for row in 0..usize::from(LARGE.1) {
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
    framed(title, look, LARGE, &style, &out)
}

/// Renders a run of cells; `has_pixels` tells whether blocks are parts of pictures, not of a chart.
fn run(out: &mut String, text: &str, style: Style, (column, row): (usize, usize), look: &Look, has_pixels: bool) {
    let (x, y, columns) = (column * CELL.0, row * CELL.1, text.width());
    let foreground = look.foreground;
    let is_reversed = style.add_modifier.contains(Modifier::REVERSED);
    let ground = if is_reversed { style.fg } else { style.bg.filter(|color| *color != Color::Reset) };
    if let Some(color) = ground {
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
            columns * CELL.0,
            CELL.1,
            rgb(color, foreground)
        );
    }
    let is_block = |symbol| symbol == ' ' || parts(symbol).is_some();
    if has_pixels && !text.trim().is_empty() && text.chars().all(is_block) {
        return pixels(out, text, &rgb(style.fg.unwrap_or(Color::Reset), foreground), (column, row));
    }
    let shown = text.trim_end();
    if shown.trim_start().is_empty() {
        return;
    }
    let indent = shown.width() - shown.trim_start().width();
    let bold = if style.add_modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let ink = if is_reversed { style.bg } else { style.fg }.unwrap_or(Color::Reset);
    let fill = rgb(ink, if is_reversed { look.background } else { foreground });
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"{fill}\"{bold}>{}</text>",
        x + indent * CELL.0,
        y + 14,
        (shown.width() - indent) * CELL.0,
        escaped(shown.trim_start())
    );
}

/// Returns the parts of a cell that a block fills: upper left, upper right, lower left, lower right; `None` for text.
fn parts(symbol: char) -> Option<[bool; 4]> {
    let bits = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".chars().skip(1).position(|block| block == symbol)? + 1;
    Some([0, 1, 2, 3].map(|bit| bits >> bit & 1 == 1))
}

/// Returns a number of halves in decimal notation.
fn halves(count: usize) -> String {
    if count.is_multiple_of(2) { (count / 2).to_string() } else { format!("{}.5", count / 2) }
}

/// Renders blocks as rectangles, so that neighbours touch in every font.
fn pixels(out: &mut String, text: &str, fill: &str, (column, row): (usize, usize)) {
    for lower in [0, 1] {
        let part = |symbol: char| parts(symbol).map_or([false; 2], |parts| [parts[2 * lower], parts[2 * lower + 1]]);
        let filled: Vec<bool> = text.chars().flat_map(part).collect();
        let mut at = 2 * column;
        for same in filled.chunk_by(|one, other| one == other) {
            if same[0] {
                let [x, y] = [at * CELL.0, (2 * row + lower) * CELL.1].map(halves);
                let [width, height] = [same.len() * CELL.0, CELL.1].map(halves);
                let _ =
                    writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>");
            }
            at += same.len();
        }
    }
}

/// One of the two colour schemes of a web page.
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

/// Compares a picture with its file in assets/, or writes that file.
fn assert_is_fresh(scene: &str, look: &Look, fresh: &str) {
    let name = format!("{scene}-{}.svg", look.name);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(&name);
    if is_set("PLANTS_DRAW") {
        fs::write(&path, fresh).unwrap();
    }
    let is_fresh = fs::read_to_string(&path).unwrap_or_default() == fresh;
    assert!(is_fresh, "{name} is stale: PLANTS_DRAW=1 cargo test --test library -- readme picture");
}

#[test]
fn the_pictures_of_the_readme_are_fresh() {
    let scenes: [(_, fn() -> App, _, _); 4] = [
        ("plants", plants_tab, SIZE, "the list of plants, and the last request of the selected one"),
        ("history", history, SIZE, "every request, the response times, and one request with its response"),
        ("check", check, SIZE, "the contract check: a verdict for each rule, and the evidence"),
        ("greenhouse", greenhouse, LARGE, "every plant a pot, every request a picture"),
    ];
    for (scene, app, size, title) in scenes {
        for look in &LOOKS {
            assert_is_fresh(scene, look, &still(&drawn(&mut app(), look.palette, size), title, look));
        }
    }
}

#[test]
fn the_animation_of_the_readme_is_fresh() {
    for look in &LOOKS {
        assert_is_fresh("add", look, &moving(&add_frames(look.palette), "adding a plant in the Greenhouse", look));
    }
}
