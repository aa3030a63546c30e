//! Scripts of messages against `update`, compared with the screen and the exact effects. Here is what all of them use.

mod arming;
mod audience;
mod chart;
mod check;
mod connection;
mod custom_commands;
mod delete;
mod filter;
mod forms;
mod frame;
mod greenhouse;
mod import;
mod input;
mod interleaving;
mod keys;
mod list_frame;
mod lists;
mod operations;
mod palette;
mod palette_lines;
mod palette_paths;
mod pasting;
mod paths;
mod questions;
mod quitting;
mod random;
mod re_add;
mod reading;
mod resend;
mod resolve_queue;
mod resolving;
mod results;
mod runs;
mod samples;
#[path = "../../../tests/support/script.rs"]
pub(in crate::tui) mod script;
mod sorting;
mod tabs;
mod team;
mod together;
mod token;
mod tour;
mod waiting;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use super::input::{Keymap, Scope};
use super::message::{FrameLayout, StoreInfo, Target, UserInput};
use super::session::draft::Draft;
use super::session::question::{Act, Question, Words};
use super::{App, CopyEnd, Effect, Msg};
use crate::client::Token;
use crate::domain::{
    BodyEnd, Decided, Details, Ending, Exchange, Failure, FailureKind, ListedPlant, Operation, OperationId,
    OperationKind, Outcome, Phases, Plant, PlantId, Resolution, Response, Row, State, Timestamp, UnknownOperation,
    Unlisted, UnlistedReason,
};
use crate::journal::{Anchor, Arrangement, JournalError, PlantHistory, Tally, Window, WindowRequest};
use crate::terminal::{self, Key, Timing};
use crate::worker::{Ended, Report};

use frame::{dialog, title};
use script::script;

fn info() -> StoreInfo {
    StoreInfo::of("http://127.0.0.1:4000/api".parse().unwrap())
}

/// Returns the token that operations are sent with from the start.
fn token() -> Token {
    static TOKEN: LazyLock<Token> = LazyLock::new(|| Token::new("secret").unwrap());
    TOKEN.clone()
}

fn new_app() -> App {
    let mut app = App::new(info(), Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    app
}

/// The timing of an input a while after everything else.
const APART: Timing = Timing { at: Duration::MAX, quiet: Duration::MAX };

/// The timing of an input in one read with the one before it.
const TOGETHER: Timing = Timing { at: Duration::MAX, quiet: Duration::ZERO };

fn keyed(key: Key) -> Msg {
    Msg::Input(UserInput::Key(key), APART)
}

fn pasted(text: String) -> Msg {
    Msg::Input(UserInput::Paste(text), APART)
}

fn clicked(target: Target) -> Msg {
    Msg::Input(UserInput::Click(target), APART)
}

fn wheeled(over: Target, down: bool) -> Msg {
    Msg::Input(UserInput::Wheel { over, down }, APART)
}

fn shown(layout: FrameLayout) -> Msg {
    Msg::Drawn(layout, Duration::ZERO)
}

/// Presses keys one after the other, as a person does: each on a frame, after a while.
fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in script(keys).unwrap() {
        show(app);
        effects.extend(app.update(keyed(key)));
    }
    effects
}

/// Presses keys of which the terminal sends all in one write, with a frame between two.
fn burst(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (at, key) in script(keys).unwrap().into_iter().enumerate() {
        show(app);
        effects.extend(app.update(Msg::Input(UserInput::Key(key), if at == 0 { APART } else { TOGETHER })));
    }
    effects
}

/// Presses keys one after the other, without a frame between them.
fn press_at_once(app: &mut App, keys: &str) -> Vec<Effect> {
    script(keys).unwrap().into_iter().flat_map(|key| app.update(keyed(key))).collect()
}

/// Draws a frame, if the app waits for one.
fn show(app: &mut App) {
    if app.awaits_frame() {
        let layout = app.cx.display.layout;
        app.update(shown(layout));
    }
}

fn row(id: i64, state: State) -> Row {
    let details = Some(Details { name: format!("plant {id}"), tag: "t".into() });
    Row { id: PlantId(id), details, state, changed_at: Timestamp(0), author: None }
}

/// These plants are in the list, and nothing of them is unknown.
fn listed(plants: &[PlantId], rows: &[Row]) -> Msg {
    let found = rows.iter().map(|row| ListedPlant { row: row.clone(), unknown: None });
    Msg::Listed(plants.to_vec(), Ok(found.collect()))
}

/// Returns an unknown operation of the process with this origin.
fn unknown_operation(origin: u64, kind: OperationKind) -> UnknownOperation {
    UnknownOperation {
        operation: OperationId { origin, number: 1 },
        kind,
        authors: None,
        claims: Vec::new(),
        leaves_stored: false,
    }
}

/// Returns a plant that a person decides about, unknown by this operation.
fn decided(id: i64, unknown: Option<OperationId>) -> Decided {
    let state = if unknown.is_some() { State::Unknown } else { State::Stored };
    Decided { unknown, ..Decided::stored(&row(id, state)) }
}

fn named(id: i64, name: &str) -> Row {
    Row { details: Some(Details { name: name.into(), tag: "t".into() }), ..row(id, State::Stored) }
}

/// Returns a plant's history; with an origin, a delete by that process is unknown.
fn history(id: i64, state: State, origin: Option<u64>) -> Msg {
    let unknown = origin.map(|origin| unknown_operation(origin, OperationKind::Delete(PlantId(id))));
    Msg::PlantHistory(
        PlantId(id),
        Ok(Box::new(PlantHistory { row: Some(row(id, state)), unknown, exchanges: Vec::new() })),
    )
}

/// Returns the history of a plant without an unknown operation.
fn history_of(id: i64, row: Option<Row>) -> Msg {
    Msg::PlantHistory(PlantId(id), Ok(Box::new(PlantHistory { row, unknown: None, exchanges: Vec::new() })))
}

fn unknown(ids: &[i64]) -> Msg {
    Msg::Unknown(Ok(ids.iter().map(|id| row(*id, State::Unknown)).collect()))
}

fn window(rows: &[Row]) -> Msg {
    let mut tally = Tally::default();
    for row in rows {
        match row.state {
            State::Stored => tally.stored += 1,
            State::Unknown => tally.unknown += 1,
            State::Adding => tally.adding += 1,
            State::Deleting => tally.deleting += 1,
        }
    }
    let next_id = PlantId(rows.iter().map(|row| row.id.0).max().unwrap_or(0) + 1);
    let window = Window {
        rows: rows.to_vec(),
        first: 0,
        total: rows.len(),
        tally,
        next_id,
        unknown_deletes: Vec::new(),
        late: None,
    };
    Msg::Window(Box::new(around(None)), Ok(window))
}

/// Returns the same rows as what the current filter and order of the list find.
fn found(app: &App, rows: &[Row]) -> Msg {
    let Msg::Window(request, found) = window(rows) else { unreachable!("it is a window") };
    Msg::Window(Box::new(WindowRequest { arrangement: app.cx.session.plants.arrangement(), ..*request }), found)
}

/// Returns the query for the rows around a plant, or for the first ones.
fn around(plant: Option<i64>) -> WindowRequest {
    let anchor = plant.map_or(Anchor::Index(0), |id| Anchor::Around(PlantId(id)));
    WindowRequest { anchor, rows: 400, arrangement: Arrangement::default() }
}

fn sent(effects: &[Effect]) -> Vec<Operation> {
    let operation = |effect: &Effect| if let Effect::Send(operation) = effect { Some(operation.clone()) } else { None };
    effects.iter().filter_map(operation).collect()
}

fn responded(operation: &Operation, status: u16) -> Msg {
    let response = Response {
        status,
        reason: "".into(),
        version: "HTTP/1.1".into(),
        headers: Arc::default(),
        body: b"no \x1b[2J".to_vec(),
        body_end: BodyEnd::Complete,
    };
    ended(operation, Ending::Responded(response))
}

/// Returns a 404 for the delete of a plant that is in the list.
fn not_found(operation: &Operation, row: Row) -> Msg {
    let Msg::Report(mut report) = responded(operation, 404) else { unreachable!("it is a report") };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    ended.row = Some(row);
    Msg::Report(report)
}

/// Returns the end of an operation that was not sent because its plant is another one now.
fn overtaken(operation: &Operation) -> Msg {
    let Msg::Report(mut report) = failed(operation, FailureKind::Overtaken) else { unreachable!("it is a report") };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    ended.recorded = Err(JournalError::Overtaken);
    Msg::Report(report)
}

fn failed(operation: &Operation, kind: FailureKind) -> Msg {
    ended(operation, Ending::Failed(Failure { kind, detail: String::new() }))
}

fn ended(operation: &Operation, ending: Ending) -> Msg {
    let exchange = Arc::new(Exchange {
        operation: operation.clone(),
        request: None,
        ending,
        started: Timestamp(0),
        elapsed: Duration::ZERO,
        phases: Phases::default(),
    });
    Msg::Report(Box::new(Report::Ended(Box::new(Ended {
        exchange,
        recorded: Ok(()),
        has_intent: true,
        token: Some(token()),
        row: None,
        unknown: None,
        is_proven: false,
    }))))
}

/// Returns the text of the add form in front.
#[track_caller]
fn draft(app: &App) -> &Draft {
    app.draft().expect("an add form is in front")
}

/// Returns the question in front.
#[track_caller]
fn question(app: &App) -> &Question {
    app.question().expect("a question is in front")
}

/// Returns what the question in front asks.
#[track_caller]
fn title_of(app: &App) -> String {
    said(&[question(app).title.clone()]).concat()
}

/// Returns the lines of the question in front.
#[track_caller]
fn lines_of(app: &App) -> Vec<String> {
    said(&question(app).lines)
}

/// Returns the plants that the question in front lists.
#[track_caller]
fn listed_of(app: &App) -> Vec<String> {
    said(&question(app).listed)
}

fn said(words: &[Words]) -> Vec<String> {
    words.iter().filter_map(|words| words.say(None)).collect()
}

/// Returns what Enter does in the question in front.
#[track_caller]
fn chosen(app: &App) -> Act {
    let Question { choices: responses, marked, .. } = question(app);
    responses[*marked].act.clone()
}

/// Returns the status message, if there is one.
fn message(app: &App) -> Option<&str> {
    app.cx.out.status.message.as_ref().map(|message| message.text.as_str())
}

/// Returns the text of the status message; empty if there is none.
fn status_line(app: &App) -> &str {
    message(app).unwrap_or_default()
}
