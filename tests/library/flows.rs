//! Whole flows: the real event loop, worker, journal and HTTP, with a screen in memory. A test sends keys as a string,
//! waits until the program is idle, and compares the screen.

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use color_eyre::eyre::eyre;
use plants::client::{Client, Limits, Route, Token};
use plants::config::{Clipboard, ConnectionTarget, KeySettings, KnownStore};
use plants::demo::{DemoOptions, DemoStore, Weather};
use plants::domain::filter::Filter;
use plants::domain::{
    BodyEnd, Decided, Ending, Exchange, Operation, OperationId, OperationKind, Phases, Plant, PlantId, Resolution,
    Response, StoreUrl, Timestamp,
};
use plants::journal::{Journal, Place};
use plants::runtime::event::Event;
use plants::runtime::{Connect, Connected, EventLoop, Ports, Turn, WorkerHandle};
use plants::terminal::{Input, Timing};
use plants::text::Marks;
use plants::tui::input::Keymap;
use plants::tui::message::{Arrival, StoreInfo};
use plants::tui::widgets::theme::{Depth, Palette, Theme};
use plants::tui::{App, Msg};
use plants::worker::{self, Worker};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::closed_port::ClosedPort;
use crate::script::script;
use crate::typed::APART;

mod actions;
mod burst;
mod check;
#[cfg(unix)]
mod custom_commands;
mod mouse;
#[cfg(unix)]
mod moved;
mod pasting;

thread_local! {
    /// The latest text on the clipboard, one for the thread of each test.
    static COPIED: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
    /// What has become of the terminal.
    static TERMINAL: std::cell::Cell<&'static str> = const { std::cell::Cell::new("") };
}

fn copied() -> String {
    COPIED.with_borrow(Clone::clone)
}

const TOKEN: &str = "canary-5f1c";

fn clock() -> Timestamp {
    Timestamp(1_700_000_000_000)
}

/// The program without a terminal.
struct Program {
    stage: EventLoop<TestBackend>,
    keyboard: mpsc::UnboundedSender<Event>,
    /// What the person does next, each on a frame of its own.
    typed: VecDeque<Event>,
    journal: Journal,
    worker_task: tokio::task::AbortHandle,
}

impl Program {
    async fn on(store: StoreUrl, token: Option<&str>, timeout: Duration) -> Self {
        Self::with(Place::Memory, store, token, timeout).await
    }

    async fn with(place: Place, store: StoreUrl, token: Option<&str>, timeout: Duration) -> Self {
        let first = connected(place, store, token, timeout, 7).await;
        Self::among(first, Vec::new(), Box::new(|_, _| Box::pin(async { Err(eyre!("there is no other")) }))).await
    }

    /// Starts at a store, with other known ones.
    async fn among(first: Connected, known: Vec<KnownStore>, connect: Connect) -> Self {
        Box::pin(Self::configured(first, known, connect, KeySettings::default())).await
    }

    /// Starts with what a config file says of keys.
    async fn configured(first: Connected, known: Vec<KnownStore>, connect: Connect, keys: KeySettings) -> Self {
        let Connected { arrival, handle } = first;
        let keymap = Keymap::configured(&keys, Path::new("config.toml")).unwrap();
        let mut app = App::new(arrival.info, keymap, arrival.token);
        app.cx.session.stores.known = known;
        let journal = handle.journal.clone();
        let abort = handle.worker_task.as_ref().unwrap().abort_handle();
        let (keyboard, heard) = mpsc::unbounded_channel();
        let ports = Ports {
            handle,
            connect,
            own: Box::new(|_, _, words| {
                let is_endless = words == ["team", "sync"];
                let mut program = tokio::process::Command::new(if is_endless { "sleep" } else { "echo" });
                let endless = ["1000".to_owned()];
                program.args(if is_endless { endless.as_slice() } else { words }).kill_on_drop(true);
                Ok(program)
            }),
            data_dir: journal.folder().map(Path::to_owned).unwrap_or_default(),
            config_file: journal.folder().map(|folder| folder.join("plants/config.toml")).unwrap_or_default(),
            home: None,
            clock,
            commands: keys.commands,
            suspend: || Ok(true),
            lend: || TERMINAL.set("lent"),
            clipboard: Clipboard::default(),
            copy: |text| {
                COPIED.set(text.to_owned());
                Ok(())
            },
            use_mouse: |_| Ok(()),
            show_signs: |_| Ok(()),
            ring: |_, _| Ok(()),
            query_background: || Ok(()),
            retake: || {
                TERMINAL.set("taken");
                Ok(())
            },
        };
        let screen = Terminal::new(TestBackend::new(120, 36)).unwrap();
        let mut stage =
            EventLoop::new(app, screen, Theme::new(Palette::Dark, Depth::Many, Marks::Unicode).into(), heard, ports);
        let first = stage.app.begin(Vec::new());
        let first = stage.begin(first);
        stage.open(first).await.unwrap();
        let mut app = Self { stage, keyboard, typed: VecDeque::new(), journal, worker_task: abort };
        app.resolve().await;
        app
    }

    /// Presses keys; see [`script`].
    fn press(&mut self, keys: &str) -> &mut Self {
        for key in script(keys).unwrap() {
            self.typed.push_back(Event::Input(Input::Key(key), APART));
        }
        self
    }

    /// Presses keys that all come in one read.
    fn burst(&mut self, keys: &str) -> &mut Self {
        for (at, key) in script(keys).unwrap().into_iter().enumerate() {
            let timing = if at == 0 { APART } else { Timing { quiet: Duration::ZERO, ..APART } };
            self.keyboard.send(Event::Input(Input::Key(key), timing)).unwrap();
        }
        self
    }

    fn paste(&mut self, text: &str) -> &mut Self {
        self.typed.push_back(Event::Input(Input::Paste(text.to_owned()), APART));
        self
    }

    /// Runs the loop until the program is idle.
    async fn resolve(&mut self) -> &mut Self {
        while !self.typed.is_empty() || !self.stage.is_idle() {
            self.turn().await;
        }
        self
    }

    /// Runs the loop until the screen shows a text.
    async fn until(&mut self, text: &str) -> &mut Self {
        while !self.screen().contains(text) {
            self.turn().await;
        }
        self
    }

    /// Runs the loop until the program ends.
    async fn until_over(&mut self) {
        while matches!(self.next_turn().await, Turn::Drawn) {}
    }

    async fn next_turn(&mut self) -> Turn {
        if let Some(next) = self.typed.pop_front() {
            self.keyboard.send(next).unwrap();
        }
        self.stage.turn().await.unwrap()
    }

    /// Runs one turn of the loop. No frame may show the token.
    async fn turn(&mut self) {
        assert!(matches!(self.next_turn().await, Turn::Drawn), "the program ended");
        let screen = self.screen();
        assert!(!screen.contains(TOKEN), "the token is on the screen:\n{screen}");
    }

    fn screen(&self) -> String {
        let buffer = self.stage.terminal().backend().buffer();
        let width = usize::from(buffer.area.width);
        let rows: Vec<String> =
            buffer.content.chunks(width).map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect()).collect();
        rows.join("\n")
    }

    #[track_caller]
    fn shows(&self, texts: &[&str]) {
        let screen = self.screen();
        for text in texts {
            assert!(screen.contains(text), "the screen does not show {text:?}:\n{screen}");
        }
    }

    #[track_caller]
    fn shows_none_of(&self, texts: &[&str]) {
        let screen = self.screen();
        for text in texts {
            assert!(!screen.contains(text), "the screen shows {text:?}:\n{screen}");
        }
    }

    /// Returns id and state of each plant in the journal.
    async fn view(&self) -> Vec<(i64, &'static str)> {
        self.journal
            .fitting(Filter::default(), None, 100)
            .await
            .unwrap()
            .iter()
            .map(|row| (row.id.0, row.state.word()))
            .collect()
    }
}

/// Opens a store, as the process with this origin.
async fn connected(place: Place, store: StoreUrl, token: Option<&str>, timeout: Duration, origin: u64) -> Connected {
    let journal = Journal::open(place, &store, origin, clock()).await.unwrap().journal;
    let token = token.map(|token| Token::new(token).unwrap());
    let info = StoreInfo { origin, ..StoreInfo::of(store.clone()) };
    let arrival = Arrival { info, token: token.clone(), notices: Vec::new(), samples: Vec::new() };
    let (sender, reports) = mpsc::unbounded_channel();
    let client = Client::new(store, Limits { timeout, ..Limits::default() }, Route::default());
    let ports = worker::Resources { client, journal: journal.clone(), token, clock, reports: sender };
    let (worker, task) = Worker::start(ports);
    let changes = journal.changes(clock);
    Connected {
        arrival,
        handle: WorkerHandle {
            journal,
            changes,
            worker,
            worker_task: Some(task),
            reports,
            renew: None,
            trim_after: None,
            demo: None,
            link: None,
        },
    }
}

async fn demo(weather: Weather) -> (DemoStore, StoreUrl) {
    let store = DemoStore::start(DemoOptions {
        address: Ipv4Addr::LOCALHOST.into(),
        port: 0,
        token: TOKEN.to_owned(),
        weather,
    })
    .await
    .unwrap();
    let url = StoreUrl::on_loopback(store.port());
    (store, url)
}

async fn app_on(url: StoreUrl) -> Program {
    Program::on(url, Some(TOKEN), Duration::from_secs(20)).await
}

/// A store that sends the next of these responses, or none; records the requests.
struct Scripted {
    url: StoreUrl,
    came: Arc<Mutex<Vec<String>>>,
    _task: tokio::task::JoinSet<()>,
}

async fn scripted(responses: &'static [&'static str]) -> Scripted {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = StoreUrl::on_loopback(listener.local_addr().unwrap().port());
    let came = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&came);
    let mut task = tokio::task::JoinSet::new();
    task.spawn(async move {
        let mut open = Vec::new();
        for response in responses {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let read = socket.read(&mut request).await.unwrap();
            request.truncate(read);
            kept.lock().unwrap().push(String::from_utf8_lossy(&request).into_owned());
            if *response == SILENCE {
                open.push(socket);
            } else {
                socket.write_all(response.as_bytes()).await.unwrap();
                socket.shutdown().await.unwrap();
            }
        }
        std::future::pending::<()>().await;
    });
    Scripted { url, came, _task: task }
}

fn accepted(operation: Operation) -> Exchange {
    let response = Response {
        status: 201,
        reason: "Created".into(),
        version: "HTTP/1.1".into(),
        headers: Arc::default(),
        body: vec![],
        body_end: BodyEnd::Complete,
    };
    let (ending, started, phases) = (Ending::Responded(response), clock(), Phases::default());
    Exchange { operation, request: None, ending, started, elapsed: Duration::ZERO, phases }
}

/// Keeps the connection open without a response.
const SILENCE: &str = "silence";
const CREATED: &str = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 29\r\n\r\n{\"name\":\"Fern\",\"tag\":\"shade\"}";

#[tokio::test]
async fn old_requests_are_trimmed_once_the_list_is_shown_if_a_person_chose_an_age() {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    for (age, kept) in [(None, vec![2, 1]), (Some(DAY), vec![2])] {
        let (_store, url) = demo(Weather::default()).await;
        let mut first = connected(Place::Memory, url.clone(), Some(TOKEN), Duration::from_secs(20), 7).await;
        for (number, at) in [(1, clock().before(2 * DAY)), (2, clock())] {
            let kind = OperationKind::add(Plant { name: "Fern".into(), id: PlantId(number.into()), tag: "t".into() });
            let operation = Operation::new(OperationId { origin: 7, number }, kind.clone(), at);
            first.handle.journal.record_intent(operation.clone()).await.unwrap();
            let request = Some(plants::client::request(&url, &kind));
            first.handle.journal.end(Exchange { request, started: at, ..accepted(operation) }, at).await.unwrap();
        }
        first.handle.trim_after = age;
        let app = Program::among(first, Vec::new(), Box::new(|_, _| Box::pin(async { Err(eyre!("no other")) }))).await;
        app.shows(&["2 stored"]);
        let stored = app.journal.exchanges(Filter::default(), None, 100).await.unwrap();
        let whole = stored.iter().filter(|stored| stored.exchange.request.is_some());
        assert_eq!(whole.map(|stored| stored.exchange.operation.id.number).collect::<Vec<_>>(), kept, "{age:?}");
    }
}

#[tokio::test]
async fn an_empty_list_names_the_key_that_adds_the_first_plant() {
    let (_store, url) = demo(Weather::default()).await;
    let app = app_on(url).await;
    app.shows(&["No plants yet. Press a to add the first one.", "token set", "0 stored"]);
}

#[tokio::test]
async fn a_plant_is_added_and_deleted() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press("aMonstera<tab><c-u>7<tab>tropical<enter>").resolve().await;
    app.shows(&[
        "Monstera",
        "tropical",
        "● stored",
        "accepted",
        "201 Created",
        r#"{"name":"Monstera","id":7,"tag":"#,
        "Bearer ********",
    ]);
    assert_eq!(app.view().await, [(7, "stored")]);
    app.press("d").resolve().await;
    app.shows(&["Delete Monstera (7)?", "http://127.0.0.1:"]);
    app.press("<tab><enter>").resolve().await;
    app.shows(&["Deleted Monstera (7)", "No plants in the list now"]);
    assert_eq!(app.view().await, []);
}

#[tokio::test]
async fn the_interface_is_usable_while_several_requests_are_in_flight() {
    let store = scripted(&[SILENCE, SILENCE, SILENCE]).await;
    let mut app = app_on(store.url.clone()).await;
    app.press("aFern<tab><tab>t<enter>aIvy<tab><tab>t<enter>aMoss<tab><tab>t<enter>").until("3 in flight").await;
    app.press("?").until("Keys and words").await;
    app.press("<esc><home>").until("adding").await;
    while store.came.lock().unwrap().len() < 3 {
        tokio::task::yield_now().await;
    }
    app.press("<c-c>").resolve().await;
    app.shows(&["3 unknown", "? unknown", "it was cancelled while it was in flight"]);
    assert_eq!(app.view().await, [(1, "unknown"), (2, "unknown"), (3, "unknown")]);
}

#[tokio::test]
async fn the_form_shows_the_very_request_that_is_sent() {
    let store = scripted(&[CREATED]).await;
    let mut app = app_on(store.url.clone()).await;
    app.press("aFern<tab><c-u>-9223372036854775808<tab>shade<f3>").until("authorization").await;
    let body = r#"{"name":"Fern","id":-9223372036854775808,"tag":"shade"}"#;
    app.shows(&["POST /plants HTTP/1.1", "authorization: Bearer ********", "content-type: application/json", body]);
    app.press("<enter>").resolve().await;
    let came = store.came.lock().unwrap().clone();
    assert_eq!(came.len(), 1);
    assert!(came[0].ends_with(&format!("\r\n\r\n{body}")), "{}", came[0]);
    assert!(came[0].contains(&format!("authorization: Bearer {TOKEN}\r\n")));
}

#[tokio::test]
async fn a_rejected_add_reopens_the_form_with_the_stores_words() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press("aFern<tab><tab>shade<enter>").resolve().await;
    // The id is in the list: the form warns, then the store rejects the add.
    app.press("aFern<tab><c-u>1<tab>sun<enter>").resolve().await;
    app.shows(&["1 is Fern (shade), stored"]);
    app.press("<enter>").resolve().await;
    app.shows(&["Not added", "409 Conflict", "sun"]);
    // With another id it is accepted.
    app.press("<c-u>2<enter>").resolve().await;
    assert_eq!(app.view().await, [(1, "stored"), (2, "stored")]);
}

#[tokio::test]
async fn a_lost_response_is_unknown_and_a_person_resolves_it() {
    let (store, url) = demo(Weather { lose_responses: 1.0, ..Weather::default() }).await;
    let mut app = app_on(url).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.shows(&["? unknown", "1 unknown", "It is unknown whether Fern (1) was added", "u resolves it"]);
    store.set_weather(Weather::default());
    app.press("u").resolve().await;
    app.shows(&[
        "Is Fern (1) in the store?",
        "Send again",
        "the store may then have it twice",
        "Mark as stored",
        "Forget the plant",
    ]);
    // Sent again, the add is rejected, with the explanation that the earlier one may have worked.
    app.press("<tab><enter>").resolve().await;
    app.shows(&["409 Conflict", "the id may be your", "u resolves it: Mark as stored"]);
    app.shows_none_of(&["Not added"]);
    assert_eq!(app.view().await, [(1, "unknown")]);
    app.press("u<tab><tab><tab><enter>").resolve().await;
    assert_eq!(app.view().await, [(1, "stored")]);
    app.shows(&["Marked as stored: Fern (1).", "marked as stored by a person", "no unknown outcomes"]);
}

#[tokio::test]
async fn many_unknown_plants_are_found_marked_and_resolved_with_one_question() {
    let (store, url) = demo(Weather { lose_responses: 1.0, ..Weather::default() }).await;
    let mut app = app_on(url).await;
    for name in ["Fern", "Ivy", "Moss"] {
        app.press(&format!("a{name}<tab><tab>t<enter>")).resolve().await;
    }
    store.set_weather(Weather::default());
    app.press("aAloe<tab><tab>t<enter>").resolve().await;
    app.press("/state:unk<enter>M").resolve().await;
    app.press("u").resolve().await;
    app.shows(&["Resolve these 3 unknown plants?", "Send again", "Mark as stored", "Forget the plants"]);
    // The store has all of them and rejects the adds: no plant is resolved, and no form opens.
    app.press("<tab><enter>").resolve().await;
    app.shows(&["Of 3 plants: 0 accepted, 3 rejected", "All 3 stay unknown", "resolves unknown ones"]);
    app.press("u").resolve().await;
    app.press("<tab><tab><tab><enter>").resolve().await;
    app.shows(&["Marked 3 plants as stored. Nothing was sent."]);
    assert_eq!(app.view().await, [(1, "stored"), (2, "stored"), (3, "stored"), (4, "stored")]);
}

#[tokio::test]
async fn one_key_resolves_all_unknown_plants_one_by_one() {
    let (store, url) = demo(Weather { lose_responses: 1.0, ..Weather::default() }).await;
    let mut app = app_on(url).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.press("aIvy<tab><tab>t<enter>").resolve().await;
    store.set_weather(Weather::default());
    app.press("<home>u").resolve().await;
    app.shows(&["1 of 2: Is Fern (1) in the store?", "Esc stop here"]);
    // "Leave it" goes to the next plant; Esc ends the queue, which names the rest.
    app.press("<enter>").resolve().await;
    app.shows(&["2 of 2: Is Ivy (2) in the store?"]);
    app.press("<esc>").resolve().await;
    app.shows(&["Still unknown: Fern (1), Ivy (2); u continues."]);
    // The queue begins at the selected plant and wraps around: Ivy is stored, Fern is deleted.
    app.press("u").resolve().await;
    app.shows(&["1 of 2: Is Ivy (2) in the store?"]);
    app.press("s").resolve().await;
    app.shows(&["2 of 2: Is Fern (1) in the store?", "Marked as stored: Ivy (2)."]);
    app.press("<tab><tab><enter>").resolve().await;
    app.shows(&["Deleted Fern (1)", "no unknown outcomes"]);
    app.shows_none_of(&["Still unknown"]);
    assert_eq!(app.view().await, [(2, "stored")]);
}

#[tokio::test]
async fn a_plant_resolved_by_another_process_is_not_resolved_again() {
    let (_store, url) = demo(Weather { lose_responses: 1.0, ..Weather::default() }).await;
    let mut app = app_on(url).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.press("u<up>").resolve().await;
    let unknown = app.journal.listed(vec![PlantId(1)]).await.unwrap();
    app.journal.resolve(Decided::listed(&unknown[0]), Resolution::MarkStored, clock()).await.unwrap();
    app.press("<enter>").resolve().await;
    app.shows(&[
        "Fern (1) is not resolved: it was resolved or changed elsewhere meanwhile",
        "● stored",
        "no unknown outcomes",
    ]);
    assert_eq!(app.view().await, [(1, "stored")]);
}

#[tokio::test]
async fn a_lost_delete_is_unknown_and_deleting_again_resolves_it() {
    let (store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    store.set_weather(Weather { lose_responses: 1.0, ..Weather::default() });
    app.press("d<tab><enter>").resolve().await;
    app.shows(&["It is unknown whether Fern (1) was deleted", "? unknown"]);
    store.set_weather(Weather::default());
    app.press("u<tab><enter>").resolve().await;
    // The store had deleted it: only a person can resolve the rejection, by forgetting the plant.
    app.shows(&["The store says it has no plant 1", "404"]);
    app.press("<tab><enter>").resolve().await;
    assert_eq!(app.view().await, []);
}

#[tokio::test]
async fn an_unsent_add_is_not_in_the_list_and_one_key_sends_it_again() {
    let closed = ClosedPort::new();
    let mut app = app_on(StoreUrl::on_loopback(closed.address().port())).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.shows(&["not sent", "no connection to the store", "r sends it again", "No plants in the list now"]);
    assert_eq!(app.view().await, []);
    app.press("r").resolve().await;
    app.shows(&["not sent"]);
}

#[tokio::test]
async fn a_rejected_token_opens_the_token_prompt() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = Program::on(url, Some("wrong"), Duration::from_secs(20)).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.shows(&["401 Unauthorized", "Token"]);
    app.press(TOKEN).resolve().await;
    app.shows(&["***********"]);
    app.press("<enter>").resolve().await;
    app.shows(&["accepted", "● stored"]);
}

#[tokio::test]
async fn a_store_without_a_response_times_out_as_unknown() {
    let store = scripted(&[SILENCE]).await;
    let mut app = Program::on(store.url.clone(), Some(TOKEN), Duration::from_millis(200)).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.shows(&["unknown", "no response within"]);
}

#[tokio::test]
async fn a_response_with_mismatches_is_accepted_and_marked() {
    let store = scripted(&["HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>"]).await;
    let mut app = app_on(store.url.clone()).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.shows(&["● stored", "accepted", "mismatch: the response", "<html>"]);
}

#[tokio::test]
async fn a_redirect_is_shown_and_not_followed() {
    let store = scripted(&["HTTP/1.1 301 Moved\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n", SILENCE]).await;
    let mut app = app_on(store.url.clone()).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.shows(&["301 Moved", "redirects are never followed"]);
    assert_eq!(store.came.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_delete_by_id_says_if_the_plant_is_not_in_the_list() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press("D12a<enter>").resolve().await;
    app.shows(&["not a whole number"]);
    app.press("<backspace><enter>").resolve().await;
    app.shows(&["Delete plant 12?", "not in the list; the store may still have it"]);
    app.press("<tab><enter>").resolve().await;
    app.shows(&["rejected", "404"]);
}

#[tokio::test]
async fn enters_before_a_warning_is_drawn_do_not_confirm_it() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.burst("aFern<enter><enter><enter>").resolve().await;
    app.shows(&["! the tag is empty", "Enter once more: send it", "0 stored"]);
    app.press("<enter>").resolve().await.shows(&["1 stored"]);
}

#[tokio::test]
async fn hostile_text_reaches_no_cell() {
    let store = scripted(&["HTTP/1.1 400 \x1b[2J\r\ncontent-length: 9\r\n\r\n\x1b]0;x\x07\u{202e}"]).await;
    let mut app = app_on(store.url.clone()).await;
    app.press("a").paste("\u{1b}[2J\u{202e}Fe\nrn\n").press("<tab><tab>t<enter>").resolve().await;
    app.press("<enter>").resolve().await;
    let screen = app.screen();
    assert!(screen.chars().all(|c| !c.is_control() || c == '\n'), "{screen:?}");
    assert!(!screen.contains('\u{202e}'));
    app.shows(&["␛[2J‹U+202E›Fe␊rn"]);
    let sent = store.came.lock().unwrap()[0].clone();
    assert!(sent.contains(r#""name":"\u001b[2J"#) && sent.contains("\u{202e}Fe\\nrn\""), "{sent}");
}

#[tokio::test]
async fn operations_on_one_id_are_sent_one_by_one() {
    let (store, url) = demo(Weather { latency: Duration::from_millis(20), ..Weather::default() }).await;
    let mut app = app_on(url).await;
    app.press("aFern<tab><tab>t<enter>").until("adding").await;
    app.press("d<tab><enter>").resolve().await;
    drop(store);
    app.shows(&["Deleted Fern (1)"]);
    assert_eq!(app.view().await, []);
}

#[tokio::test]
async fn the_interface_survives_the_death_of_the_worker_and_reports_it() {
    let store = scripted(&[SILENCE]).await;
    let mut app = app_on(store.url.clone()).await;
    app.press("aFern<tab><tab>t<enter>").until("adding").await;
    app.worker_task.abort();
    app.until("The background task has died").await;
    app.resolve().await;
    assert_eq!(app.view().await, [(1, "unknown")]);
    app.press("<esc>a").until("a does nothing now: the background task has died").await;
    app.press("?").until("Keys and words").await;
}

#[tokio::test]
async fn ten_thousand_rows_scroll_by_windows() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    let mut waiting = tokio::task::JoinSet::new();
    for number in 1..=10_000u32 {
        let journal = app.journal.clone();
        waiting.spawn(async move {
            let id = OperationId { origin: 7, number: number + 1000 };
            let plant = Plant { name: format!("plant no {number}"), id: PlantId(number.into()), tag: "t".into() };
            journal.record_intent(Operation::new(id, OperationKind::add(plant), clock())).await.unwrap();
        });
    }
    while let Some(done) = waiting.join_next().await {
        done.unwrap();
    }
    app.press("aFern<tab><c-u>0<tab>t<enter>").resolve().await;
    app.press("<end>").resolve().await;
    app.shows(&["plant no 10000", "of 10001"]);
    app.press("<pageup><pageup><home>").resolve().await;
    app.shows(&["Fern", "1-"]);
    app.press(&"<pagedown>".repeat(40)).resolve().await;
    app.shows_none_of(&["Fern  "]);
}

#[tokio::test]
async fn changes_of_another_process_appear_without_a_key() {
    let (_store, url) = demo(Weather::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let mut app = Program::with(place.clone(), url.clone(), Some(TOKEN), Duration::from_secs(20)).await;
    let other = Journal::open(place, &url, 8, clock()).await.unwrap().journal;
    let operation = |number, kind| Operation::new(OperationId { origin: 8, number }, kind, clock());
    let plant =
        |name: &str, id| OperationKind::add(Plant { name: name.to_owned(), id: PlantId(id), tag: "t".to_owned() });
    let fern = operation(1, plant("Fern", 7));
    other.record_intent(fern.clone()).await.unwrap();
    app.until("adding").await;
    other.end(accepted(fern), clock()).await.unwrap();
    app.until("● stored").await.until("201 Created").await;
    app.shows(&["Fern", "1 stored"]);

    // The form warns at once that its id is in the list.
    app.press("aIvy<tab><c-u>12").resolve().await;
    app.shows_none_of(&["12 is Moss"]);
    other.record_intent(operation(2, plant("Moss", 12))).await.unwrap();
    app.until("12 is Moss").await;

    // The dialog closes: what is deleted is never another plant of this id.
    app.press("<c-c><home>d").until("Delete Fern (7)?").await;
    app.press("<tab>").resolve().await;
    let delete = operation(3, OperationKind::Delete(PlantId(7)));
    other.record_intent(delete.clone()).await.unwrap();
    other.end(accepted(delete), clock()).await.unwrap();
    app.until("another one by now").await;
    app.shows_none_of(&["Delete Fern"]);
    assert_eq!(app.view().await, [(12, "adding")]);
}

#[tokio::test]
async fn a_delete_dialog_closes_when_another_process_uses_the_id() {
    let (_store, url) = demo(Weather::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let mut app = Program::with(place.clone(), url.clone(), Some(TOKEN), Duration::from_secs(20)).await;
    let other = Journal::open(place, &url, 8, clock()).await.unwrap().journal;
    app.press("D12<enter>").until("Delete plant 12?").await;
    let kind = OperationKind::add(Plant { name: "Moss".to_owned(), id: PlantId(12), tag: "t".to_owned() });
    other.record_intent(Operation::new(OperationId { origin: 8, number: 1 }, kind, clock())).await.unwrap();
    app.until("another one by now").await;
    app.shows_none_of(&["Delete Moss"]);
}

#[tokio::test]
async fn a_deleted_plant_is_found_and_re_added() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press("aFern<tab><tab>shade<enter>").resolve().await.shows(&["Added Fern"]);
    app.press("aIvy<tab><tab>wall<enter>").resolve().await.shows(&["Added Ivy"]);
    app.press("gd<tab><enter>").resolve().await.shows(&["Deleted Fern (1)"]);
    assert_eq!(app.view().await, [(2, "stored")]);
    app.press("b").resolve().await.shows(&["− deleted"]);
    app.press("FERN<enter>").resolve().await.shows(&["It was deleted."]);
    app.press("<enter>").resolve().await.shows(&["Added Fern"]);
    assert_eq!(app.view().await, [(1, "stored"), (2, "stored")]);
    app.press("b").resolve().await.shows(&["Nothing yet"]);
}

/// Two stores, a folder for the journal, and a gate that delays each connection.
struct Two {
    folder: tempfile::TempDir,
    gate: Arc<tokio::sync::Semaphore>,
}

impl Two {
    /// Starts at the first store. The second one is the profile `other`; any other has no token.
    async fn on(first: &StoreUrl, other: &StoreUrl) -> (Self, Program) {
        let folder = tempfile::tempdir().unwrap();
        let gate = Arc::new(tokio::sync::Semaphore::new(100));
        let (place, held) = (Place::Folder(folder.path().to_path_buf()), Arc::clone(&gate));
        let timeout = Duration::from_secs(20);
        let opened = connected(place.clone(), first.clone(), Some(TOKEN), timeout, 7).await;
        let known = |target, name: &str, url: &StoreUrl| KnownStore {
            target,
            name: name.to_owned(),
            base_url: Some(url.to_string()),
            color: None,
            read_only: false,
        };
        let target = ConnectionTarget::Profile("other".to_owned());
        let known = vec![known(ConnectionTarget::Start, "first", first), known(target, "other", other)];
        let (first, other, origins) = (first.clone(), other.clone(), std::sync::atomic::AtomicU64::new(8));
        let connect: Connect = Box::new(move |target, _| {
            let (store, token) = match target {
                ConnectionTarget::Start => (first.clone(), Some(TOKEN.to_owned())),
                ConnectionTarget::Profile(_) => (other.clone(), Some(TOKEN.to_owned())),
                ConnectionTarget::BaseUrl(other) => (other.url, other.token.map(|token| token.reveal().to_owned())),
                ConnectionTarget::Demo => return Box::pin(async { Err(eyre!("the demo store cannot start")) }),
            };
            let (place, held) = (place.clone(), Arc::clone(&held));
            let origin = origins.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Box::pin(async move {
                held.acquire().await.unwrap().forget();
                Ok(connected(place, store, token.as_deref(), timeout, origin).await)
            })
        });
        (Self { folder, gate }, Program::among(opened, known, connect).await)
    }

    /// Counts the lock files, one for each open connection.
    fn open_connections(&self) -> usize {
        let entries = std::fs::read_dir(self.folder.path().join("instances")).unwrap();
        entries
            .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|ending| ending == "lock"))
            .count()
    }

    /// Returns the names of the journal's files.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

#[tokio::test]
async fn another_store_can_be_opened_and_left_again() {
    let ((_one, first), (_two, second)) = (demo(Weather::default()).await, demo(Weather::default()).await);
    let (two, mut app) = Two::on(&first, &second).await;
    app.press("aFern<tab><tab>t<enter>").resolve().await;
    app.press("c").resolve().await;
    app.shows(&["╭ Stores", "open now", "Nothing is sent when a store is opened", "another URL …"]);
    app.press("<down><enter>").resolve().await;
    app.shows(&[&second.to_string(), "No plants yet", "Now at", "Nothing was tested", "0 stored", "token set"]);
    app.shows_none_of(&[&first.to_string(), "Fern"]);
    // The same id is another plant at this store.
    app.press("aIvy<tab><tab>t<enter>").resolve().await;
    app.shows(&["● stored", "Ivy", "201 Created", "1 stored"]);
    app.press("2").resolve().await;
    app.shows(&["Ivy"]);
    assert_eq!(two.open_connections(), 1);
    app.press("c<up><enter>").resolve().await;
    app.shows(&[&first.to_string(), "1 stored", "Fern"]);
    app.shows_none_of(&["Ivy"]);
    app.press("1d<tab><enter>").resolve().await;
    app.shows(&["204 No Content", "0 stored"]);
    let closed = app.stage.close().await;
    assert_eq!(closed.cx.session.info.store, first);
    assert_eq!((two.open_connections(), two.files()), (0, vec!["instances".to_owned(), "journal.db".to_owned()]));
}

#[tokio::test]
async fn the_open_store_works_until_the_other_one_is_open() {
    let ((_one, first), (_two, second)) = (demo(Weather::default()).await, demo(Weather::default()).await);
    let (two, mut app) = Two::on(&first, &second).await;
    two.gate.forget_permits(100);
    app.press("c<down><enter>").until("the current store stays open until then").await;
    app.shows(&["Esc stop waiting"]);
    app.press("<esc>").until("Esc close").await;
    app.press("<esc>aFern<tab><tab>t<enter>").until("● stored").await;
    app.shows(&[&first.to_string(), "1 stored"]);
    // A late connection is closed, and the store stays the same.
    two.gate.add_permits(1);
    app.resolve().await;
    app.shows(&[&first.to_string(), "Fern"]);
    assert_eq!(two.open_connections(), 1);
    // Quitting meanwhile leaves no files.
    app.press("c<down><enter>").until("the current store stays open until then").await;
    two.gate.add_permits(1);
    app.stage.close().await;
    assert_eq!((two.open_connections(), two.files()), (0, vec!["instances".to_owned(), "journal.db".to_owned()]));
}

#[tokio::test]
async fn a_store_that_cannot_be_opened_is_reported_beside_its_entry() {
    let ((_one, first), (_two, second)) = (demo(Weather::default()).await, demo(Weather::default()).await);
    let (_folder, mut app) = Two::on(&first, &second).await;
    app.stage.app.cx.session.stores.known.push(KnownStore {
        target: ConnectionTarget::Demo,
        name: "demo store".to_owned(),
        base_url: None,
        color: None,
        read_only: false,
    });
    app.press("c<down><down><enter>").resolve().await;
    app.shows(&["✗ the demo store was not opened: the demo store cannot start", &first.to_string()]);
    app.press("ftp://x<enter><enter>").resolve().await;
    app.shows(&["✗ a base URL is http or https, not ftp", "ftp://x"]);
}

/// Returns the bearer tokens that were sent to a store.
fn tokens_of(store: &Scripted) -> Vec<String> {
    let came = store.came.lock().unwrap();
    let token = |request: &String| {
        let (_, rest) = request.split_once("authorization: Bearer ").unwrap();
        rest.split_once("\r\n").unwrap().0.to_owned()
    };
    came.iter().map(token).collect()
}

#[tokio::test]
async fn a_token_typed_for_one_url_never_reaches_another() {
    let (a, b) = (scripted(&[CREATED, CREATED]).await, scripted(&[CREATED, CREATED]).await);
    let (_folder, mut app) = Two::on(&a.url, &b.url).await;
    // A URL, Tab, its token, Enter, as the dialog suggests.
    app.press("c").resolve().await;
    app.press(&format!("{}<tab>token-of-b", b.url)).resolve().await;
    app.shows(&["╭ Another store", "**********", "is sent to no other store"]);
    app.shows_none_of(&["token-of-b"]);
    app.press("<enter>").resolve().await;
    app.shows(&["Now at", &b.url.to_string(), "token set"]);
    app.press("aFern<tab><tab>t<enter>").resolve().await.shows(&["● stored", "Fern"]);
    // The open store's token is replaced; the other one keeps its own.
    app.press("T").resolve().await;
    app.shows(&[&format!("Token for {}", b.url)]);
    app.press("another-of-b<enter>").resolve().await;
    app.shows(&[&format!("Token set for {}", b.url)]);
    app.press("aIvy<tab><tab>t<enter>").resolve().await.shows(&["● stored", "Ivy"]);
    app.press("cfirst<enter>").resolve().await.shows(&["Now at", &a.url.to_string()]);
    app.press("aOak<tab><tab>t<enter>").resolve().await.shows(&["● stored", "Oak"]);
    app.press("Tanother-of-a<enter>aElm<tab><tab>t<enter>").resolve().await.shows(&["● stored", "Elm"]);
    assert_eq!(tokens_of(&b), ["token-of-b", "another-of-b"]);
    assert_eq!(tokens_of(&a), [TOKEN, "another-of-a"]);
}

#[tokio::test]
async fn a_recent_store_takes_the_token_that_was_typed_for_it_or_another() {
    let (a, b) = (scripted(&[CREATED]).await, scripted(&[CREATED, CREATED, CREATED]).await);
    let (_folder, mut app) = Two::on(&a.url, &a.url).await;
    app.press("c").resolve().await;
    app.press(&format!("{}<tab>token-of-b<enter>", b.url)).resolve().await;
    app.press("aFern<tab><tab>t<enter>").resolve().await.shows(&["● stored"]);
    for (plant, token) in [("Ivy", ""), ("Oak", "later-of-b")] {
        app.press("cfirst<enter>").resolve().await;
        app.press("c").resolve().await;
        app.shows(&["used before", &b.url.to_string()]);
        app.press("<down><down><enter>").resolve().await.shows(&["╭ Another store", "Left empty, it is the token"]);
        app.press(&format!("{token}<enter>")).resolve().await.shows(&["Now at", &b.url.to_string(), "Fern"]);
        app.press(&format!("a{plant}<tab><tab>t<enter>")).resolve().await.shows(&["● stored", plant]);
    }
    assert_eq!(tokens_of(&b), ["token-of-b", "token-of-b", "later-of-b"]);
    assert_eq!(tokens_of(&a), [""; 0]);
}

#[tokio::test]
async fn a_replaced_token_is_used_for_the_next_request() {
    let store = scripted(&[CREATED]).await;
    let mut app = Program::on(store.url.clone(), Some("old-token"), Duration::from_secs(20)).await;
    app.press(&format!("T{TOKEN}")).resolve().await;
    app.shows(&["***********"]);
    app.press("<enter>aFern<tab><tab>t<enter>").resolve().await;
    app.shows(&["● stored"]);
    assert!(store.came.lock().unwrap()[0].contains(&format!("authorization: Bearer {TOKEN}\r\n")));
}

#[tokio::test]
async fn the_open_store_is_saved_as_a_profile_without_its_token() {
    let store = scripted(&[CREATED]).await;
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let mut app = Program::with(place, store.url.clone(), Some(TOKEN), Duration::from_secs(20)).await;
    let file = folder.path().join("plants/config.toml");
    app.press("Pmine<tab> <tab>MY_TOKEN<enter>").resolve().await;
    app.shows(&["no token from $MY_TOKEN: the variable is not set", "Enter once more writes it all the same"]);
    assert!(!file.exists());
    app.press("<enter>").resolve().await.shows(&["Saved profile mine", "$MY_TOKEN", "plants opens it."]);
    let text = std::fs::read_to_string(&file).unwrap();
    let table = format!("[profile.mine]\nbase_url = \"{}\"\ntoken_env = \"MY_TOKEN\"\n", store.url);
    assert_eq!(text, format!("default = \"mine\"\n\n{table}"));
    app.press("Pmine<enter>").resolve().await.shows(&["there is such a profile already: choose another name"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    app.press("<esc>c").resolve().await.shows(&["mine"]);
}

#[tokio::test]
async fn another_theme_is_drawn_at_once_and_kept_beside_the_comments() {
    let store = scripted(&[]).await;
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Folder(folder.path().to_path_buf());
    let mut app = Program::with(place, store.url.clone(), Some(TOKEN), Duration::from_secs(20)).await;
    let file = folder.path().join("plants/config.toml");
    let colors = |app: &Program| {
        let cells = app.stage.terminal().backend().buffer().content.iter();
        cells.map(|cell| (cell.fg, cell.bg)).collect::<std::collections::HashSet<_>>()
    };
    let dark = colors(&app);
    app.press(":theme light<enter>").resolve().await.shows(&["Theme light, saved in "]);
    let light = colors(&app);
    assert_ne!(dark, light);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theme = \"light\"\n");
    std::fs::write(&file, "# At night.\ntheme = 'dark' # always\n\n[keys]\nadd = 'n'\n").unwrap();
    app.press(":theme light<enter>").resolve().await;
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "# At night.\ntheme = \"light\" # always\n\n[keys]\nadd = 'n'\n");
    // A file that cannot be changed changes nothing but this session.
    std::fs::write(&file, "theme = \n").unwrap();
    app.press(":theme dark<enter>").resolve().await;
    app.shows(&["Theme dark is not saved", "it is not TOML", "at the top of the file: theme = \"dark\""]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theme = \n");
    app.press("<esc>").resolve().await;
    assert_eq!(colors(&app), dark);
}

#[tokio::test]
async fn an_import_continues_with_the_next_token_of_the_token_command() {
    let (_store, url) = demo(Weather::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plants.csv");
    let rows: Vec<_> = (1..=20).map(|id| format!("plant {id},{id},t\n")).collect();
    std::fs::write(&file, format!("name,id,tag\n{}", rows.concat())).unwrap();
    let place = Place::Folder(folder.path().join("journal"));
    let mut first = connected(place, url, Some("stale-token"), Duration::from_secs(20), 7).await;
    let runs = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    first.handle.renew = Some(Arc::new(move |_| {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Box::pin(async { Ok(Token::new(TOKEN)?) })
    }));
    let nowhere: Connect = Box::new(|_, _| Box::pin(async { Err(eyre!("there is no other")) }));
    let mut app = Program::among(first, Vec::new(), nowhere).await;
    app.press(&format!("i<c-u>{}<enter>", file.display())).resolve().await;
    app.press("<tab><enter>").resolve().await;
    assert_eq!(app.view().await, (1..=20).map(|id| (id, "stored")).collect::<Vec<_>>());
    app.shows(&["20 accepted"]);
    app.shows_none_of(&["rejected", "Token for"]);
    assert_eq!(runs.load(std::sync::atomic::Ordering::Relaxed), 1);
    // Later operations use the new token, too.
    app.press("aFern<tab><tab>t<enter>").resolve().await.shows(&["201 Created"]);
}

#[tokio::test]
async fn a_line_without_a_screen_is_run_and_its_output_opens() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    app.press(":paths --json<enter>").resolve().await.shows(&["plants paths --json", "paths --json"]);
    // The screen is not lent.
    assert_ne!(TERMINAL.get(), "lent");
    // It is cancelled like a request.
    app.press("<esc>:team sync<enter><esc>").resolve().await.shows(&["plants team sync was cancelled."]);
}

#[tokio::test]
async fn tab_completes_the_path_of_a_file() {
    let (_store, url) = demo(Weather::default()).await;
    let mut app = app_on(url).await;
    let folder = tempfile::tempdir().unwrap();
    for name in ["orders-1.csv", "orders-2.csv", "orders.txt", ".orders.csv"] {
        std::fs::write(folder.path().join(name), "name,id,tag\nFern,7,t\n").unwrap();
    }
    std::fs::create_dir(folder.path().join("orders-old")).unwrap();
    // Not every file system has such names.
    #[cfg(unix)]
    {
        let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"orders-\xff.csv");
        let _ = std::fs::write(folder.path().join(name), "");
    }
    app.press(&format!("i{}/o<tab>", folder.path().display())).resolve().await;
    app.shows(&["/orders- ", "orders-1.csv", "orders-2.csv", "orders-old/"]);
    app.shows_none_of(&["orders.txt", ".orders"]);
    app.press("1<tab>").resolve().await.press("<enter>").resolve().await;
    app.shows(&["Import preview", "orders-1.csv, read as CSV", "Import 1 plant"]);
}
