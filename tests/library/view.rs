//! Snapshots of every scene; and that drawing never fails at any size, and never lets text from outside control the
//! terminal.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use plants::client;
use plants::config::new_profile::{NewProfile, SaveFault};
use plants::config::{ConnectionTarget, KnownStore, TokenSource};
use plants::domain::compare::Compared;
use plants::domain::filter::{Filter, Test};
use plants::domain::{
    BodyEnd, Details, Ending, Exchange, Failure, FailureKind, Header, ListedPlant, Operation, OperationId,
    OperationKind, Outcome, Phases, Plant, PlantId, Resolution, Response, Row, Sample, State, Timestamp,
    UnknownOperation, Unlisted, UnlistedReason,
};
use plants::journal::{
    Anchor, Arrangement, HistoryColumn, HistoryLine, HistoryOrder, HistoryRequest, HistoryRow, HistoryWindow,
    PlantHistory, StoredExchange, Tally, Window, WindowRequest,
};
use plants::text::Marks;
use plants::tui::input::Keymap;
use plants::tui::message::StoreInfo;
use plants::tui::status::Notice;
use plants::tui::widgets::theme::{Depth, Palette, Theme};
use plants::tui::{App, Effect, Msg, UserInput};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Style};

use crate::typed::{APART, clicked, press};

mod check;
mod greenhouse;
mod history;
mod import;
mod languages;
mod plants_tab;

use crate::extent::{is_long, step};
use crate::paper::{end_of, response, stands, token};

const NOON: Timestamp = Timestamp(1_700_000_000_000);

/// The sizes at which every scene is drawn in turn, as on a terminal that grows; it is compared at `SIZE`.
const SIZES: [(u16, u16); 4] = [(60, 20), (80, 24), SIZE, (200, 60)];
const SIZE: (u16, u16) = (120, 36);

/// Scenes that are compared at every size: together they have every part whose layout depends on it.
const AT_EVERY_SIZE: [&str; 12] = [
    "exchanges_sorting",
    "history_runs",
    "plants",
    "add",
    "resolve",
    "exchange",
    "check_broken",
    "greenhouse",
    "greenhouse_gone_before",
    "presented_gone_before",
    "import_preview_bad",
    "connection_form",
];

fn store_info(demo: bool) -> StoreInfo {
    let profile = (!demo).then(|| "staging".to_owned());
    StoreInfo { demo, profile, ..StoreInfo::of("https://plants.staging.example/api".parse().unwrap()) }
}

fn dark() -> Theme {
    Theme::new(Palette::Dark, Depth::Many, Marks::Unicode)
}

fn row(id: i64, name: &str, tag: &str, state: State) -> Row {
    Row {
        id: PlantId(id),
        details: Some(Details { name: name.into(), tag: tag.into() }),
        state,
        changed_at: NOON,
        author: None,
    }
}

fn rows() -> Vec<Row> {
    vec![
        row(-3, "Fern", "shade", State::Deleting),
        Row { id: PlantId(2), details: None, state: State::Unknown, changed_at: NOON, author: None },
        row(7, "Monstera deliciosa", "tropical", State::Stored),
        row(8, "漢字の木", "日本", State::Unknown),
        row(9, "👨‍👩‍👧 family tree é", "emoji", State::Adding),
        row(10, "\u{1b}[2J\u{202e}evil", "\u{9b}31m", State::Stored),
        row(i64::MAX, &"a very long name ".repeat(20), &"tag ".repeat(20), State::Stored),
    ]
}

fn window(rows: Vec<Row>) -> Msg {
    stands(rows, PlantId(11))
}

fn operation(number: u32, kind: OperationKind) -> Operation {
    Operation::new(OperationId { origin: 1, number }, kind, NOON)
}

fn monstera() -> OperationKind {
    OperationKind::add(Plant { name: "Monstera deliciosa".into(), id: PlantId(7), tag: "tropical".into() })
}

fn exchange(kind: OperationKind, ending: Ending) -> Exchange {
    let request = client::request(&store_info(false).store, &kind);
    Exchange {
        operation: operation(99, kind),
        request: Some(request),
        ending,
        started: NOON,
        elapsed: Duration::from_micros(12_340),
        phases: Phases::default(),
    }
}

fn unknown(kind: OperationKind) -> UnknownOperation {
    UnknownOperation {
        operation: OperationId { origin: 1, number: 99 },
        kind,
        authors: None,
        claims: Vec::new(),
        leaves_stored: false,
    }
}

fn history_came(app: &mut App, id: i64, exchanges: Vec<Exchange>, unknown: Option<UnknownOperation>) {
    let row = app.cx.session.plants.row(PlantId(id)).cloned();
    app.update(Msg::PlantHistory(PlantId(id), Ok(Box::new(PlantHistory { row, unknown, exchanges }))));
}

fn fresh(demo: bool) -> App {
    let mut app = App::new(store_info(demo), Keymap::default(), Some(token()));
    app.set_time(NOON);
    let _ = app.begin(Vec::new());
    app
}

/// A list with every state; plant 7 is selected, and its history is read.
fn full() -> App {
    let mut app = fresh(false);
    app.update(window(rows()));
    press(&mut app, "<down><down>");
    history_came(
        &mut app,
        7,
        vec![exchange(monstera(), response(201, "Created", r#"{"name":"monstera","tag":"tropical"}"#))],
        None,
    );
    app
}

fn ended(app: &mut App, kind: OperationKind, ending: Ending, unknown: Option<UnknownOperation>) {
    app.update(end_of(exchange(kind, ending), None, unknown));
}

/// Every scene by its name.
fn scenes() -> Vec<(&'static str, App)> {
    let mut scenes = vec![("empty", {
        let mut app = fresh(true);
        app.update(window(Vec::new()));
        app
    })];
    scenes.push(("plants", full()));
    let mut unlike = full();
    ended(&mut unlike, monstera(), response(200, "OK", "<html>"), None);
    unlike.cx.out.status.notices.push_back(Notice::new(
        "The program ended while these were in flight; it is unknown whether they reached the store: Fern (3), Ivy (4).",
    ));
    scenes.push(("unlike_the_document", unlike));
    let mut lost = full();
    ended(&mut lost, monstera(), Ending::Failed(Failure { kind: FailureKind::TimedOut, detail: String::new() }), None);
    scenes.push(("lost", lost));
    let mut form = full();
    press(&mut form, "aAloe 👨‍👩‍👧<tab><tab>succulent");
    scenes.push(("add", form));
    let mut wrong = full();
    press(&mut wrong, "a<tab><c-u>12a<enter>");
    scenes.push(("add_wrong_id", wrong));
    let mut slip = full();
    press(&mut slip, "a Aloe<tab><c-u>7<enter>");
    scenes.push(("add_slip", slip));
    let mut back = full();
    ended(
        &mut back,
        monstera(),
        response(409, "Conflict", r#"{"error":"there is a plant 7"}"#),
        Some(unknown(monstera())),
    );
    scenes.push(("came_back", back));
    let mut delete = full();
    press(&mut delete, "d");
    scenes.push(("delete", delete));
    let mut by_id = full();
    press(&mut by_id, "D9x");
    scenes.push(("delete_by_id", by_id));
    let mut resolve = full();
    press(&mut resolve, "<down>");
    history_came(
        &mut resolve,
        8,
        Vec::new(),
        Some(unknown(OperationKind::add(Plant { name: "漢字の木".into(), id: PlantId(8), tag: "日本".into() }))),
    );
    press(&mut resolve, "u<tab>");
    resolve.update(Msg::Unknown(Ok(rows().into_iter().filter(|row| row.id >= PlantId(8)).take(3).collect())));
    scenes.push(("resolve", resolve));
    let mut resolve_many = full();
    press(&mut resolve_many, "<home> <down> <down> <down> <down> <down> <down>u");
    let unknown = [7, 8, 9, 10, -3].map(|id| ListedPlant {
        row: Row { state: State::Unknown, ..rows().into_iter().find(|row| row.id == PlantId(id)).unwrap() },
        unknown: Some(UnknownOperation {
            operation: OperationId { origin: 1, number: 1 },
            kind: if id == 7 { monstera() } else { OperationKind::Delete(PlantId(id)) },
            authors: None,
            claims: Vec::new(),
            leaves_stored: false,
        }),
    });
    let marked = resolve_many.cx.session.plants.marked.keys().copied().collect();
    resolve_many.update(Msg::Listed(marked, Ok(unknown.to_vec())));
    scenes.push(("resolve_many", resolve_many));
    let mut filtering = full();
    press(&mut filtering, "/");
    scenes.push(("filtering", filtering));
    scenes.push(("departed", departed()));
    let mut several = departed();
    press(&mut several, "<tab><enter>");
    let row = row(7, "Monstera deliciosa", "tropical", State::Stored);
    let listed = vec![ListedPlant { row, unknown: None }];
    several.update(Msg::Listed(vec![PlantId(7), PlantId(-3)], Ok(listed)));
    scenes.push(("re_add_several", several));
    let mut token = full();
    press(&mut token, "aFern<tab><tab>t<enter>");
    ended(&mut token, monstera(), response(401, "Unauthorized", ""), None);
    press(&mut token, "canary é");
    scenes.push(("token", token));
    scenes.extend(connections());
    let mut plant_history = full();
    press(&mut plant_history, "<enter>");
    scenes.push(("story", plant_history));
    let mut help = full();
    press(&mut help, "?");
    scenes.push(("help", help));
    scenes.extend(scenes_of_several());
    scenes.extend(scenes_of_exchanges());
    scenes.extend(history::scenes());
    scenes.extend(check::scenes());
    scenes.extend(import::scenes());
    scenes.extend(greenhouse::scenes());
    scenes
}

/// Filter, order, marks, and operations on several plants.
fn scenes_of_several() -> Vec<(&'static str, App)> {
    let mut filtered = full();
    press(&mut filtered, "/monst");
    let fitting = vec![row(7, "Monstera deliciosa", "tropical", State::Stored)];
    filtered_window(&mut filtered, fitting);
    let mut none = full();
    press(&mut none, "/oak<enter>");
    filtered_window(&mut none, Vec::new());
    let mut marked = full();
    press(&mut marked, "s2S<end> <up> <up>");
    filtered_window(&mut marked, rows().into_iter().rev().collect());
    let mut sorting = full();
    press(&mut sorting, "s");
    let mut many = full();
    asked_to_delete(&mut many);
    let mut batch = full();
    asked_to_delete(&mut batch);
    press(&mut batch, "<tab><enter>");
    ended(&mut batch, OperationKind::Delete(PlantId(7)), response(204, "No Content", ""), None);
    ended(&mut batch, OperationKind::Delete(PlantId(-3)), response(404, "Not Found", ""), None);
    let mut palette = full();
    press(&mut palette, ":");
    let mut found = full();
    press(&mut found, ":send<down>");
    let mut quit = full();
    ended(&mut quit, monstera(), Ending::Failed(Failure { kind: FailureKind::TimedOut, detail: String::new() }), None);
    press(&mut quit, "q");
    vec![
        ("filtered", filtered),
        ("filtered_none", none),
        ("marked", marked),
        ("sorting", sorting),
        ("delete_many", many),
        ("batch", batch),
        ("palette", palette),
        ("palette_found", found),
        ("quit", quit),
    ]
}

/// All but the last row marked, with the question before they are deleted.
fn asked_to_delete(app: &mut App) {
    press(app, "<home> <down> <down> <down> <down> <down> <down>d");
    let plants = app.cx.session.plants.marked.keys().copied().collect();
    let stored = |mut row: Row| {
        row.state = if row.state == State::Deleting { State::Stored } else { row.state };
        ListedPlant { row, unknown: None }
    };
    app.update(Msg::Listed(plants, Ok(rows().into_iter().map(stored).collect())));
}

/// The re-add list, with its first line marked.
fn departed() -> App {
    let mut unlisted = full();
    press(&mut unlisted, "b");
    let gone = [
        ("Monstera", 7, "tropical", UnlistedReason::Deleted),
        ("漢字の木", -3, "日本", UnlistedReason::Forgotten),
        ("\u{1b}[2J\u{202e}evil", i64::MIN, "t", UnlistedReason::Rejected),
        ("Ivy", 12, "a rather long tag that does not fit", UnlistedReason::NotSent),
    ];
    let gone = gone.map(|(name, id, tag, how)| {
        let plant = Plant { name: name.into(), id: PlantId(id), tag: tag.into() };
        Unlisted { plant, how, at: NOON }
    });
    unlisted.update(Msg::Unlisted(String::new(), Ok(gone.to_vec())));
    press(&mut unlisted, "<tab>");
    unlisted
}

/// The rows that match the filter have arrived, in order.
fn filtered_window(app: &mut App, rows: Vec<Row>) {
    let Msg::Window(_, Ok(fitting)) = window(rows) else { unreachable!("it is a window") };
    let (tally, arrangement) = (app.cx.session.plants.window.tally, app.cx.session.plants.arrangement());
    let request = WindowRequest { anchor: Anchor::Index(0), rows: 400, arrangement };
    app.update(Msg::Window(Box::new(request), Ok(Window { tally, ..fitting })));
}

/// The History tab and the dialogs over it.
fn scenes_of_exchanges() -> Vec<(&'static str, App)> {
    let mut empty = fresh(false);
    press(&mut empty, "2");
    log_arrives(&mut empty, Vec::new());
    let mut outcomes = exchanges();
    press(&mut outcomes, "o");
    let accepted = Filter::default().and(Test::Outcome(Outcome::Accepted)).without_unasked_checks();
    let lines = lines().into_iter().filter(|line| line.outcome == Outcome::Accepted).collect();
    found(&mut outcomes, accepted, lines);
    press(&mut outcomes, "/ tro");
    let mut sorting = exchanges();
    press(&mut sorting, "s");
    let mut sorted = exchanges();
    press(&mut sorted, "s7");
    sorted_log_arrives(&mut sorted);
    let mut opened = exchanges();
    press(&mut opened, "<enter>");
    let mut raw = exchanges();
    press(&mut raw, "<enter>p");
    let mut looked = exchanges();
    press(&mut looked, "<enter>/TAG");
    let mut hostile = exchanges();
    press(&mut hostile, "<down><down><down>");
    inspected(&mut hostile, 6, hostile_exchange());
    press(&mut hostile, "<enter>");
    let mut compared = exchanges();
    let pair = [stored(9, added(7, 201)), stored(6, hostile_exchange())];
    let pair = pair.each_ref().map(|kept| (&kept.exchange, kept.called.as_ref()));
    compared.update(Msg::Compared(Ok(Some(Box::new(Compared::of(pair, Marks::Unicode))))));
    let mut report = exchanges();
    press(&mut report, "w");
    vec![
        ("exchanges_empty", empty),
        ("exchanges", exchanges()),
        ("exchanges_filtered", outcomes),
        ("exchanges_sorting", sorting),
        ("exchanges_sorted", sorted),
        ("exchange", opened),
        ("exchange_raw", raw),
        ("exchange_looked_through", looked),
        ("exchange_hostile", hostile),
        ("compared", compared),
        ("report", report),
    ]
}

/// The History tab with one request of each outcome, the newest one selected and read.
fn exchanges() -> App {
    let mut app = full();
    // A request, so that there is a session to report.
    press(&mut app, "aFern<tab><tab>t<enter>");
    ended(
        &mut app,
        OperationKind::add(Plant { name: "Fern".into(), id: PlantId(11), tag: String::new() }),
        response(201, "Created", ""),
        None,
    );
    press(&mut app, "2");
    log_arrives(&mut app, lines());
    inspected(&mut app, 9, added(7, 201));
    app
}

fn lines() -> Vec<HistoryLine> {
    let line = |number: i64, kind: OperationKind, outcome, status: Option<u16>, millis: u64| HistoryLine {
        number,
        called: kind.plant().map(Details::from),
        kind,
        outcome,
        status,
        size: status.map(|status| usize::from(status) * 7),
        started: Timestamp(NOON.0 - (10 - number) * 100_000),
        elapsed: Duration::from_millis(millis),
        run: None,
    };
    vec![
        line(9, monstera(), Outcome::Accepted, Some(201), 12),
        line(8, OperationKind::Delete(PlantId(i64::MIN)), Outcome::Rejected, Some(404), 3),
        line(7, monstera(), Outcome::Unknown, None, 30_000),
        line(6, hostile_exchange().operation.kind, Outcome::Rejected, Some(400), 140),
        line(5, OperationKind::Delete(PlantId(7)), Outcome::NotSent, None, 0),
    ]
}

/// All requests have been read.
fn log_arrives(app: &mut App, lines: Vec<HistoryLine>) {
    found(app, Filter::default(), lines);
}

/// The requests that match a search have been read.
fn found(app: &mut App, search: Filter, lines: Vec<HistoryLine>) {
    let samples = lines.iter().rev().map(|line| Sample {
        started: line.started,
        elapsed: line.elapsed,
        outcome: line.outcome,
        responded: line.status.is_some(),
    });
    let of_chart = search.clone().without_unasked_checks();
    let samples = Msg::Latencies(Box::new(of_chart), Ok(samples.collect()));
    let request = HistoryRequest {
        expanded: (search == Filter::default()).then(Vec::new),
        search,
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 400,
    };
    app.update(Msg::History(
        Box::new(request),
        Ok(HistoryWindow { lines: lines.into_iter().map(HistoryRow::Request).collect(), newer: false, older: false }),
    ));
    app.update(samples);
}

/// The requests have been read, the slowest first.
fn sorted_log_arrives(app: &mut App) {
    let order = HistoryOrder { column: HistoryColumn::Took, descending: true };
    let mut lines = lines();
    lines.sort_by_key(|line| std::cmp::Reverse(line.elapsed));
    let lines = lines.into_iter().map(HistoryRow::Request).collect();
    let request =
        HistoryRequest { search: Filter::default(), order, around: HistoryRequest::NEWEST, rows: 400, expanded: None };
    app.update(Msg::History(Box::new(request), Ok(HistoryWindow { lines, newer: false, older: false })));
}

fn inspected(app: &mut App, number: i64, exchange: Exchange) {
    app.update(Msg::Inspected(number, Ok(Some(Box::new(stored(number, exchange))))));
}

fn stored(number: i64, exchange: Exchange) -> StoredExchange {
    StoredExchange { number, called: exchange.operation.kind.plant().map(Details::from), exchange }
}

/// An add that took all five phases.
fn added(id: i64, status: u16) -> Exchange {
    let kind = OperationKind::add(Plant { name: "Monstera deliciosa".into(), id: PlantId(id), tag: "tropical".into() });
    let micros = |micros| Some(Duration::from_micros(micros));
    let phases = Phases {
        name: micros(400),
        connection: micros(1_100),
        tls: micros(3_900),
        waiting: micros(6_500),
        reading: micros(200),
    };
    let body = r#"{"name":"Monstera deliciosa","tag":"tropical","height_cm":1.50,"tall":true,"notes":[]}"#;
    Exchange { phases, ..exchange(kind, response(status, "Created", body)) }
}

/// A response that would do harm if the terminal interpreted it.
fn hostile_exchange() -> Exchange {
    let name = "\u{1b}[2J\u{202e}evil' $(reboot)";
    let kind = OperationKind::add(Plant { name: name.into(), id: PlantId(10), tag: "\u{9b}31m".into() });
    let Ending::Responded(response) = response(400, "Bad\u{1b}]0;owned\u{7} Request", "") else {
        unreachable!("it is a response")
    };
    let body = b"\x1b]52;c;ZXZpbA==\x07<b>\xff\xfe \x00 not json\r\n".repeat(3);
    let body_end = BodyEnd::CutOff("connection reset".into());
    exchange(kind, Ending::Responded(Response { body, body_end, ..response }))
}

/// The picker of stores and its forms: with a filter, a token half typed, an invalid base URL, while a store is being
/// opened, and a profile that is saved.
fn connections() -> Vec<(&'static str, App)> {
    let store = |target, name: &str, base_url: Option<&str>, read_only| KnownStore {
        target,
        name: name.to_owned(),
        base_url: base_url.map(str::to_owned),
        color: None,
        read_only,
    };
    let profile = || ConnectionTarget::Profile(String::new());
    let known = vec![
        store(ConnectionTarget::Start, "staging", Some("https://plants.staging.example/api"), false),
        store(profile(), "production", Some("https://plants.example"), true),
        store(profile(), "\u{1b}[2Ja rather long name 漢字", Some(&"http://h/x".repeat(20)), true),
        store(profile(), "bare", None, false),
        store(ConnectionTarget::Demo, "demo store", None, false),
    ];
    let scene = |keys| {
        let mut app = full();
        app.cx.session.stores.known.clone_from(&known);
        let recent = ["https://plants.example/old", "http://127.0.0.1:8080"].map(|url| url.parse().unwrap());
        app.update(Msg::Stores(Ok(recent.to_vec())));
        press(&mut app, keys);
        app
    };
    vec![
        ("connection", scene("c")),
        ("connection_filtered", scene("cplants.ex")),
        ("connection_form", scene("chttps://new.example/api<tab>canary é")),
        ("connection_fault", scene("chttp://plants.example<enter>")),
        ("connecting", scene("c<down><enter>")),
        ("profile", scene("Pstaging-2<tab> <tab>STAGING_TOKEN")),
        ("profile_exists", saved(scene("Pstaging<enter>"), SaveFault::Exists)),
        ("profile_by_hand", saved(scene("Pstaging<enter>"), SaveFault::Other("read-only file system".to_owned()))),
    ]
}

/// The same after the profile was not saved.
fn saved(mut app: App, fault: SaveFault) -> App {
    let (name, base_url) = ("staging".to_owned(), app.cx.session.info.store.clone());
    let profile = NewProfile { name, base_url, token: TokenSource::Prompt, read_only: false, is_default: false };
    app.update(Msg::ProfileSaved(Box::new(profile), "/c.toml".into(), Err(fault)));
    app
}

/// Draws twice, as the event loop does where the first frame has changed the app.
fn drawn(app: &mut App, theme: &Theme, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    for _ in 0..2 {
        let mut map = None;
        terminal.draw(|frame| map = Some(app.view(theme, frame))).unwrap();
        app.update(Msg::Drawn(map.unwrap().layout, Duration::ZERO));
    }
    terminal.backend().buffer().clone()
}

/// Letters for styles; pictures have many.
fn letters() -> impl Iterator<Item = char> {
    ('a'..='z').chain('A'..='Z').chain('а'..='я').chain('А'..='Я')
}

/// Returns the style of a cell; half blocks, the pixels of pictures, have one in common.
fn style_of(cell: &Cell) -> Style {
    let pixels = Style::new().fg(Color::Reset).bg(Color::Reset).italic();
    if ["▀", "▄"].contains(&cell.symbol()) { pixels } else { cell.style() }
}

/// The styles of a frame: the runs of cells of each row by a letter, then the style of each letter.
fn styles(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let mut known: Vec<Style> = Vec::new();
    let mut rows = Vec::new();
    for row in buffer.content.chunks(width) {
        let runs = row.chunk_by(|one, other| style_of(one) == style_of(other));
        let row = runs.map(|run| {
            let style = style_of(&run[0]);
            let at = known.iter().position(|known| *known == style).unwrap_or_else(|| {
                known.push(style);
                known.len() - 1
            });
            format!("{}{}", run.len(), letters().nth(at).unwrap())
        });
        rows.push(row.collect::<Vec<_>>().join(" "));
    }
    let legend = letters().zip(known).map(|(letter, style)| {
        format!("{letter}: {:?} on {:?} {:?}", style.fg.unwrap(), style.bg.unwrap(), style.add_modifier)
    });
    rows.into_iter().chain(legend).collect::<Vec<_>>().join("\n")
}

fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let rows: Vec<String> = buffer
        .content
        .chunks(width)
        .map(|row| row.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned())
        .collect();
    rows.join("\n")
}

/// The titles on the upper borders, without scroll positions.
fn titles(buffer: &Buffer) -> Vec<String> {
    let shown = text(buffer);
    let titles = shown.split('╭').skip(1).filter_map(|rest| rest.split(['─', '╮', '│']).next());
    titles.map(|title| title.chars().filter(|letter| !letter.is_ascii_digit()).collect()).collect()
}

/// Reports every scene that differs; `INSTA_UPDATE=always` writes all snapshots again.
#[test]
fn every_scene_matches_its_snapshot() {
    let (mut names, mut differ) = (BTreeSet::new(), Vec::new());
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    for (scene, mut app) in scenes() {
        for (width, height) in SIZES {
            let buffer = drawn(&mut app, &dark(), (width, height));
            let shown = text(&buffer);
            assert!(!shown.contains("canary"), "{scene} shows the token");
            if (width, height) != SIZE && !AT_EVERY_SIZE.contains(&scene) {
                continue;
            }
            let name = format!("{scene}_{width}x{height}");
            let compare = || insta::assert_snapshot!(name.as_str(), format!("{shown}\n{}", styles(&buffer)));
            if catch_unwind(AssertUnwindSafe(compare)).is_err() {
                differ.push(name.clone());
            }
            names.insert(name);
        }
    }
    assert!(differ.is_empty(), "{} of {} differ: {}", differ.len(), names.len(), differ.join(" "));
    let kept = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/snapshots")).unwrap();
    let kept = kept.map(|file| file.unwrap().file_name().into_string().unwrap());
    let of_none = kept.filter(|file| file.strip_suffix(".snap").is_some_and(|name| !names.contains(name)));
    assert_eq!(of_none.collect::<Vec<_>>(), [""; 0], "snapshots of no scene");
}

/// Draws at many sizes; with the long tests, at all combinations of their widths and heights and in both themes.
#[test]
fn drawing_at_any_size_neither_fails_nor_loses_input() {
    const WIDTHS: [u16; 13] = [0, 1, 2, 3, 10, 49, 50, 51, 66, 83, 84, 97, 130];
    const HEIGHTS: [u16; 9] = [0, 1, 2, 5, 13, 14, 15, 22, 40];
    let themes = [dark(), Theme::new(Palette::Mono, Depth::Sixteen, Marks::Ascii)];
    let all = WIDTHS.iter().flat_map(|width| HEIGHTS.iter().map(move |height| (*width, *height)));
    let some = WIDTHS.iter().copied().zip(HEIGHTS.iter().rev().copied().cycle()).chain([(51, 14), (84, 14), (84, 40)]);
    let sizes: Vec<_> = if is_long() { all.collect() } else { some.collect() };
    for (nth, (name, mut app)) in scenes().into_iter().enumerate() {
        let open = (app.scope(), titles(&drawn(&mut app, &dark(), SIZE)));
        for size in sizes.iter().skip(nth % step(4)).step_by(step(4)) {
            for theme in themes.iter().take(if is_long() { 2 } else { 1 }) {
                drawn(&mut app, theme, *size);
            }
        }
        assert_eq!((app.scope(), titles(&drawn(&mut app, &dark(), SIZE))), open, "{name} is not what it was");
    }
}

#[test]
fn a_small_terminal_shows_the_size_that_is_needed() {
    let shown = text(&drawn(&mut full(), &dark(), (40, 10)));
    assert!(shown.contains("needs 50x14") && shown.contains("has 40x10"), "{shown}");
}

#[test]
fn ascii_mode_draws_only_ascii() {
    let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Ascii);
    for (name, mut app) in scenes() {
        let shown = text(&drawn(&mut app, &theme, (120, 36)));
        assert!(shown.is_ascii(), "{name}: {:?}", shown.chars().filter(|c| !c.is_ascii()).collect::<String>());
    }
}

#[test]
fn without_colours_the_selection_is_still_visible() {
    use ratatui::style::Modifier;
    let theme = Theme::new(Palette::Mono, Depth::Many, Marks::Unicode);
    for (name, mut app) in scenes() {
        let buffer = drawn(&mut app, &theme, (120, 36));
        assert!(buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset), "{name}");
        if name == "plants" {
            assert!(
                buffer.content.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED) && cell.symbol() == "M")
            );
        }
    }
}

#[test]
fn states_and_outcomes_differ_without_colour() {
    let theme = Theme::new(Palette::Mono, Depth::Many, Marks::Ascii);
    let marks: std::collections::BTreeSet<_> =
        plants::domain::Outcome::ALL.iter().map(|outcome| theme.outcome(*outcome).1).collect();
    assert_eq!(marks.len(), 4);
}

/// Red, green and blue of one of the 240 fixed colours that a terminal has beside its sixteen.
fn rgb(color: Color) -> [u8; 3] {
    let Color::Indexed(index) = color else { unreachable!("{color} depends on the terminal") };
    match index {
        232.. => [8 + (index - 232) * 10; 3],
        16.. => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(|step| match step {
            0 => 0,
            step => 55 + step * 40,
        }),
        ..16 => unreachable!("the sixteen colours depend on the terminal"),
    }
}

/// The contrast ratio of two colours, from 1 to 21 (WCAG 2.2).
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let luminance = |color: [u8; 3]| {
        let [red, green, blue] = color.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

/// On a black terminal with white text, and on a white one with black text.
#[test]
fn every_pair_of_colours_has_enough_contrast() {
    for (palette, ground, ink) in [(Palette::Dark, [0; 3], [255; 3]), (Palette::Light, [255; 3], [0; 3])] {
        let theme = Theme::new(palette, Depth::Many, Marks::Unicode);
        let mut pairs = std::collections::BTreeSet::new();
        // Presentation mode uses the sixteen colours.
        for (_, mut app) in scenes().into_iter().filter(|(_, app)| !app.cx.display.presenting) {
            let buffer = drawn(&mut app, &theme, (120, 36));
            // Half blocks are pixels of a picture, whose shades are near each other.
            let shown = buffer.content.iter().filter(|cell| ![" ", "▀", "▄"].contains(&cell.symbol()));
            let seen = |color: Color, own| if color == Color::Reset { own } else { rgb(color) };
            pairs.extend(shown.map(|cell| [seen(cell.fg, ink), seen(cell.bg, ground)]));
        }
        assert!(pairs.len() > 8, "{pairs:?}");
        for [ink, ground] in pairs {
            let ratio = contrast(ink, ground);
            assert!(ratio >= 4.5, "{palette:?}: {ink:?} on {ground:?} is {ratio:.2}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// No cell contains a control character, whatever text a store sends or a person types.
    #[test]
    fn no_text_controls_the_terminal(name in any::<String>(), tag in "[\\x00-\\x1f\\x7f-\\x9f\\u{200b}-\\u{202e}a漢é\u{301}]{0,40}", body in any::<Vec<u8>>(), reason in any::<String>()) {
        let mut app = fresh(false);
        app.update(window(vec![row(7, &name, &tag, State::Unknown)]));
        let kind = OperationKind::add(Plant { name: name.clone(), id: PlantId(7), tag: tag.clone() });
        let ending = Ending::Responded(Response {
            status: 400,
            reason: reason.clone().into(),
            version: "HTTP/1.1".into(),
            headers: [Header { name: "x".into(), value: name.clone() }].into(),
            body,
            body_end: BodyEnd::CutOff(reason),
        });
        history_came(&mut app, 7, vec![exchange(kind.clone(), ending.clone())], None);
        ended(&mut app, kind.clone(), ending, Some(unknown(kind)));
        for keys in ["", "<esc><enter>", "<esc>d"] {
            press(&mut app, keys);
            let buffer = drawn(&mut app, &dark(), (100, 30));
            for cell in &buffer.content {
                prop_assert_eq!(plants::text::clean(cell.symbol()), cell.symbol());
            }
        }
    }
}
