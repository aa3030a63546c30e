//! Other stores: the picker, the form for a base URL, tokens, and what a switch of stores keeps.

mod profile;
mod tokens;

use super::*;
use crate::client::Token;
use crate::config::{ConnectionTarget, HeaderColor, KnownStore, OtherStore};
use crate::tui::context::MouseUser;
use crate::tui::message::{Arrival, Target};
use crate::tui::session::PendingOperation;
use crate::tui::status::Notice;
use crate::tui::ui_effect::Tab;

const ELSEWHERE: &str = "https://elsewhere.example";

pub(super) fn known() -> Vec<KnownStore> {
    let store = |target, name: &str, base_url: Option<&str>| KnownStore {
        target,
        name: name.to_owned(),
        base_url: base_url.map(str::to_owned),
        color: None,
        read_only: false,
    };
    vec![
        store(ConnectionTarget::Start, "staging", Some("http://127.0.0.1:4000/api")),
        store(ConnectionTarget::Profile("elsewhere".to_owned()), "elsewhere", Some(ELSEWHERE)),
        store(ConnectionTarget::Demo, "demo store", None),
    ]
}

/// Returns an app with several known stores and one plant.
fn new_app() -> App {
    let mut app = super::new_app();
    app.cx.session.stores.known = known();
    app.update(window(&[row(7, State::Stored)]));
    app
}

/// The placeholder in the picker's field.
const FIND: &str = "type a part of a name, or a base URL";

fn elsewhere() -> ConnectionTarget {
    ConnectionTarget::Profile("elsewhere".to_owned())
}

/// Returns the target of another base URL with its token.
fn other(url: &str, token: &str) -> ConnectionTarget {
    ConnectionTarget::BaseUrl(OtherStore { url: url.parse().unwrap(), token: Some(Token::new(token).unwrap()) })
}

fn arrival() -> Arrival {
    let info = StoreInfo { store: ELSEWHERE.parse().unwrap(), origin: 2, ..info() };
    Arrival { info, token: Some(token()), notices: vec![Notice::new("Unknown there.".to_owned())], samples: Vec::new() }
}

fn arrives(app: &mut App, arrival: Arrival) -> Vec<Effect> {
    app.update(Msg::Connected(Ok(Box::new(arrival))))
}

/// Returns the picker of stores.
#[track_caller]
fn picker(app: &App) -> frame::Front {
    let front = dialog(app);
    assert_eq!(front.title, "Stores");
    front
}

/// Returns the names of the listed stores, with the base URL for one without a name.
fn offered(app: &App) -> Vec<String> {
    let rows = picker(app).rows;
    let lines = rows.iter().map(|row| row.trim_start_matches(['▸', ' '])).rev().skip_while(|row| row.is_empty());
    let mut lines: Vec<_> = lines.take_while(|row| !row.is_empty()).map(name_in).collect();
    lines.reverse();
    lines
}

/// Returns the name in a line of the picker.
fn name_in(line: &str) -> String {
    let (name, rest) = line.split_once("  ").unwrap();
    match name {
        "used before" => rest.trim().split(' ').next().unwrap().to_owned(),
        _ => name.to_owned(),
    }
}

/// Returns the marked store.
#[track_caller]
fn marked(app: &App) -> String {
    name_in(picker(app).marked())
}

/// Returns the form for another base URL.
#[track_caller]
fn form(app: &App) -> frame::Front {
    let front = dialog(app);
    assert_eq!(front.title, "Another store");
    front
}

/// Returns the label of the field with the cursor.
#[track_caller]
fn focus(app: &App) -> String {
    form(app).marked().split(' ').next().unwrap().to_owned()
}

/// Returns the label of the invalid field, and the fault.
#[track_caller]
fn fault(app: &App) -> (String, String) {
    let form = form(app);
    let (beside, why) = form.fault().unwrap_or_else(|| panic!("no fault: {form:#?}"));
    (beside.split(' ').next().unwrap().to_owned(), why)
}

#[track_caller]
fn fault_of_picker(app: &App) -> String {
    let picker = picker(app);
    picker.fault().unwrap_or_else(|| panic!("no fault: {picker:#?}")).1
}

fn recent(app: &mut App, urls: &[&str]) {
    app.update(Msg::Stores(Ok(urls.iter().map(|url| url.parse().unwrap()).collect())));
}

#[test]
fn the_picker_marks_the_open_store_and_lists_the_others() {
    let mut app = new_app();
    assert_eq!(press(&mut app, "c"), [Effect::FindStores]);
    assert_eq!(marked(&app), "staging");
    assert_eq!(press(&mut app, "<enter>"), []);
    assert_eq!(fault_of_picker(&app), "http://127.0.0.1:4000/api is open already; T replaces its token");
    let mut seen = Vec::new();
    for _ in 0..5 {
        press(&mut app, "<tab>");
        seen.push(marked(&app));
    }
    assert_eq!(seen, ["elsewhere", "demo store", "another URL …", "new profile …", "new profile …"]);
    press(&mut app, "<up><up>");
    assert_eq!(marked(&app), "demo store");
}

#[test]
fn each_line_of_the_picker_opens_its_store() {
    for (keys, target) in [
        ("<down>", elsewhere()),
        ("<down><down>", ConnectionTarget::Demo),
        ("else", elsewhere()),
        ("DEMO", ConnectionTarget::Demo),
        ("<down><down><down><enter>http://127.0.0.1:9<tab>canary", other("http://127.0.0.1:9", "canary")),
    ] {
        let mut app = new_app();
        press(&mut app, "c");
        let effects = press(&mut app, &format!("{keys}<enter>"));
        assert_eq!(effects, [Effect::Connect(target)], "{keys}");
    }
}

#[test]
fn a_whole_name_means_this_store_and_none_that_begins_so() {
    let known = ["prod-eu", "prod"].map(|name| KnownStore {
        target: ConnectionTarget::Profile(name.to_owned()),
        name: name.to_owned(),
        base_url: Some(ELSEWHERE.to_owned()),
        color: None,
        read_only: false,
    });
    for keys in ["cprod<enter>", ":profile prod<enter>", ":profile PROD<enter>"] {
        let mut app = new_app();
        app.cx.session.stores.known = known.to_vec();
        let effects = press(&mut app, keys);
        let opened = Effect::Connect(ConnectionTarget::Profile("prod".to_owned()));
        assert!(effects.contains(&opened), "{keys}: {effects:?}");
    }
}

#[test]
fn a_base_url_typed_into_the_picker_moves_into_the_form() {
    let mut app = new_app();
    press(&mut app, "c");
    // A URL, Tab, its token, Enter, as the dialog suggests.
    let effects = press(&mut app, "http://127.0.0.1:9/api<tab>canary<enter>");
    assert_eq!(effects, [Effect::Connect(other("http://127.0.0.1:9/api", "canary"))]);
    // The open store keeps its token.
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::UseToken(_))));
    assert!(!app.debugged_dialog().contains("canary"));
}

#[test]
fn text_that_matches_no_store_moves_into_the_form() {
    for (keys, at) in [("<enter>", "url"), ("<tab>", "token"), ("<down>", "token")] {
        let mut app = new_app();
        press(&mut app, &format!("cplants.example{keys}"));
        assert_eq!((form(&app).field("url").as_str(), focus(&app).as_str()), ("plants.example", at), "{keys}");
        press(&mut app, "<esc>");
        assert_eq!((picker(&app).field("find").as_str(), marked(&app).as_str()), (FIND, "staging"));
    }
    let mut app = new_app();
    press(&mut app, "c");
    app.update(pasted("HTTPS://plants.example/api\n".to_owned()));
    assert_eq!(form(&app).field("url"), "HTTPS://plants.example/api");
}

#[test]
fn recent_stores_are_listed_newest_first_and_open_the_form() {
    let mut app = new_app();
    press(&mut app, "c<down>");
    recent(&mut app, &["https://new.example", ELSEWHERE, "http://127.0.0.1:4000/api/", "https://old.example"]);
    let all = [
        "staging",
        "elsewhere",
        "https://new.example",
        "https://old.example",
        "demo store",
        "another URL …",
        "new profile …",
    ];
    assert_eq!(offered(&app), all, "those with a name stand there once");
    assert_eq!(marked(&app), "elsewhere", "what was marked stays so");
    press(&mut app, "<down><enter>");
    assert_eq!((form(&app).field("url").as_str(), focus(&app).as_str()), ("https://new.example", "token"));
    assert_eq!(press(&mut app, "<enter>"), []);
    let (field, why) = fault(&app);
    assert!(field == "token" && why.contains("type the token of https://new.example"), "{why}");
    let effects = press(&mut app, "canary<enter>");
    assert_eq!(effects, [Effect::Connect(other("https://new.example", "canary"))]);
}

#[test]
fn an_invalid_base_url_is_reported_beside_its_field_and_keeps_the_text() {
    for (typed, words) in [
        ("plants.example", "write https://plants.example"),
        ("ftp://plants.example", "http or https"),
        ("https://u:p@plants.example", "user name or password"),
        ("https://plants.example?x", "remove the ?query"),
        ("https://plants.example#x", "remove the #fragment"),
        ("http://10.0.0.2", "--allow-http"),
        ("", "not a base URL"),
    ] {
        let mut app = new_app();
        let keys = format!("c<down><down><down><enter>{typed}<tab>canary<enter>");
        assert_eq!(press(&mut app, &keys).len(), 1, "{typed}: only the picker's own question");
        let (field, why) = fault(&app);
        assert!(field == "url" && why.contains(words), "{typed}: {why}");
        assert_eq!((form(&app).field("url"), form(&app).field("token")), (typed.to_owned(), "******".to_owned()));
    }
    let mut app = new_app();
    press(&mut app, "chttp://x y<enter><backspace>");
    assert_eq!(form(&app).fault(), None, "mended, it is no fault any more");
}

#[test]
fn an_invalid_token_is_reported_beside_its_field_with_the_store() {
    for (typed, words) in [
        ("", "type the token of https://new.example"),
        ("two words", "space"),
        ("https://other.example", "that is a URL and no token for https://new.example"),
    ] {
        let mut app = new_app();
        press(&mut app, &format!("chttps://new.example<tab>{typed}<enter>"));
        let (field, why) = fault(&app);
        assert!(field == "token" && why.contains(words), "{typed}: {why}");
        assert_eq!(app.cx.session.stores.connecting, None);
    }
}

#[test]
fn a_read_only_start_prompts_for_no_token_at_any_store() {
    let mut app = new_app();
    for store in &mut app.cx.session.stores.known {
        store.read_only = true;
    }
    let target = ConnectionTarget::BaseUrl(OtherStore { url: "http://10.0.0.2".parse().unwrap(), token: None });
    press(&mut app, "c");
    assert_eq!(press(&mut app, "http://10.0.0.2<tab><enter>"), [Effect::Connect(target)]);
}

#[test]
fn a_store_opened_by_its_url_is_listed_as_the_open_one() {
    let mut app = new_app();
    press(&mut app, "chttps://elsewhere.example/x<tab>canary<enter>");
    let info = StoreInfo { store: "https://elsewhere.example/x".parse().unwrap(), ..arrival().info };
    let _ = arrives(&mut app, Arrival { info, ..arrival() });
    press(&mut app, "c");
    assert_eq!(marked(&app), "this store");
    press(&mut app, "<enter>");
    assert!(fault_of_picker(&app).starts_with("https://elsewhere.example/x is open already"));
    // A new connection uses the current token.
    press(&mut app, "<esc>Tanother<enter>");
    app.update(Msg::WorkerDied("boom".to_owned()));
    let again = press(&mut app, "c<enter>");
    assert_eq!(again, [Effect::FindStores, Effect::Connect(other("https://elsewhere.example/x", "another"))]);
}

#[test]
fn a_store_that_cannot_be_opened_changes_nothing() {
    let mut app = new_app();
    press(&mut app, "chttp://127.0.0.1:9<tab>canary<enter>");
    assert!(app.cx.session.stores.connecting.is_some());
    // Nothing changes meanwhile, and the fault is found behind the help.
    assert_eq!(press(&mut app, "x<tab><enter><f1>"), []);
    let _ = app.update(Msg::Connected(Err("the disk is full".into())));
    press(&mut app, "<esc>");
    assert_eq!(fault(&app), ("url".to_owned(), "http://127.0.0.1:9 was not opened: the disk is full".to_owned()));
    assert_eq!(
        (app.cx.session.stores.connecting.is_some(), form(&app).field("url").as_str()),
        (false, "http://127.0.0.1:9")
    );
    assert_eq!((app.cx.session.plants.window.total, app.cx.session.info.origin), (1, 1));
}

#[test]
fn esc_stops_waiting_and_a_late_connection_is_ignored() {
    for key in ["<esc>", "<c-c>"] {
        let mut app = new_app();
        press(&mut app, "c<down><enter>");
        assert_eq!(press(&mut app, key), [Effect::StopConnecting]);
        assert_eq!((app.cx.session.stores.connecting.is_some(), marked(&app).as_str()), (false, "elsewhere"));
        assert_eq!(arrives(&mut app, arrival()), []);
        assert_eq!((press(&mut app, "<esc>"), !app.cx.display.has_dialog), (Vec::new(), true));
        assert_eq!(arrives(&mut app, arrival()), []);
        assert_eq!(app.cx.session.info.origin, 1);
    }
}

#[test]
fn no_other_store_can_be_opened_while_something_is_in_flight() {
    let mut app = new_app();
    let fern = sent(&press(&mut app, "aFern<tab><tab>t<enter>")).remove(0);
    press(&mut app, "c");
    assert!(!app.cx.display.has_dialog);
    let words = "c does nothing now: something is in flight; wait for it, or cancel it.";
    assert_eq!(message(&app), Some(words));
    app.update(responded(&fern, 201));
    press(&mut app, "c<down><enter>");
    // An operation that was submitted meanwhile blocks it, too.
    app.cx.session.pending.push(PendingOperation {
        operation: fern,
        name: None,
        cancelled: false,
        is_sample: false,
        of_unknown: false,
    });
    assert_eq!(arrives(&mut app, arrival()), []);
    assert_eq!(fault_of_picker(&app), "something is in flight; wait for it, or cancel it");
    assert_eq!(app.cx.session.info.origin, 1);
}

#[test]
fn leaving_a_store_asks_about_losses_with_the_safe_choice_first() {
    let mut app = new_app();
    let fern = sent(&press(&mut app, "aFern<tab><tab>t<enter>")).remove(0);
    app.update(failed(&fern, FailureKind::NotConnected));
    assert_eq!(press(&mut app, "c<down><enter>"), [Effect::FindStores]);
    assert_eq!(lines_of(&app), ["1 operation was not sent and would be dropped."]);
    assert_eq!(chosen(&app), Act::Leave);
    // After "Stay", the dialog is unchanged.
    assert_eq!(press(&mut app, "<enter>"), []);
    assert_eq!((marked(&app).as_str(), &app.cx.session.stores.connecting), ("elsewhere", &None));
    press(&mut app, "<enter>");
    assert!(question(&app).choices[1].hint.contains("elsewhere (https://elsewhere.example)"), "it says which one");
    assert_eq!(press(&mut app, "<tab><enter>"), [Effect::Connect(elsewhere())]);
    assert_eq!(app.cx.session.stores.connecting, Some(elsewhere()));
    let _ = arrives(&mut app, arrival());
    assert_eq!((app.cx.session.unsent.len(), app.cx.session.info.origin), (0, 2));
}

#[test]
fn leaving_the_demo_asks_only_about_plants_of_ones_own() {
    let mut app = App::new(StoreInfo { demo: true, ..info() }, Keymap::default(), Some(token()));
    app.cx.session.stores.known = known();
    let sample = Plant { name: "Monstera".into(), id: PlantId(1), tag: "t".into() };
    for operation in sent(&app.begin(vec![sample])) {
        app.update(responded(&operation, 201));
    }
    app.update(window(&[row(1, State::Stored)]));
    press(&mut app, "c");
    assert_eq!(marked(&app), "demo store");
    assert_eq!(press(&mut app, "<up><enter>"), [Effect::Connect(elsewhere())]);
    press(&mut app, "<esc><esc>");
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);

    let fern = sent(&press(&mut app, "aFern<tab><tab>t<enter>")).remove(0);
    app.update(responded(&fern, 201));
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    press(&mut app, "c<up><enter>");
    assert_eq!(title(&app), "Lose your 1 plant in the demo?");
    assert_eq!(chosen(&app), Act::Leave);
    press(&mut app, "<enter><esc>");
    assert_eq!(press(&mut app, "q"), []);
    let lines = ["1 plant was added by you.", "The demo's plants and history are gone once you quit."];
    assert_eq!(lines_of(&app), lines);
    // Once it is deleted, nothing is lost.
    press(&mut app, "<enter>D2<enter>");
    app.update(listed(&[PlantId(2)], &[row(2, State::Stored)]));
    let delete = sent(&press(&mut app, "y")).remove(0);
    app.update(responded(&delete, 204));
    app.update(window(&[row(1, State::Stored)]));
    assert_eq!(press(&mut app, "q"), [Effect::Quit]);
}

#[test]
fn another_store_resets_the_session_and_keeps_tab_drafts_and_notices() {
    let mut app = new_app();
    let fern = sent(&press(&mut app, "aFern<tab><tab>t<enter>")).remove(0);
    app.update(responded(&fern, 201));
    app.update(window(&[row(1, State::Stored)]));
    press(&mut app, " m2aIvy<esc>");
    app.cx.out.status.notices.push_back(Notice::new("Read me.".to_owned()));
    app.cx.session.unresolved.insert(PlantId(3));
    app.update(shown(FrameLayout { page: 20, ..FrameLayout::default() }));
    press(&mut app, "c<down><enter>");
    let effects = arrives(&mut app, arrival());
    assert!(
        matches!(effects.as_slice(), [Effect::Switch, Effect::Load(_), Effect::LoadHistory(_), Effect::Latencies(_)]),
        "{effects:?}"
    );
    assert_eq!(
        (app.cx.session.info.store.to_string().as_str(), app.cx.session.info.origin, &app.cx.session.stores.here),
        (ELSEWHERE, 2, &elsewhere())
    );
    assert_eq!(
        (app.cx.display.tab, app.cx.display.mouse, app.cx.session.drafts.len(), app.cx.session.stores.known.len()),
        (Tab::History, MouseUser::Terminal, 1, 3)
    );
    let notices: Vec<_> = app.cx.out.status.notices.iter().map(|notice| notice.text.as_str()).collect();
    assert_eq!(notices, ["Read me.", "Unknown there."]);
    assert!(
        app.cx.session.plants.window.rows.is_empty()
            && !app.cx.session.plants.is_read
            && app.cx.session.plants.marked.is_empty()
    );
    assert!(
        app.cx.session.selected_history().is_none()
            && app.cx.session.unresolved.is_empty()
            && app.screens.history.list.lines.is_empty()
    );
    assert_eq!((!app.cx.display.has_dialog, app.cx.display.layout), (true, FrameLayout::default()));
    // The next operation has another origin.
    let next = sent(&press(&mut app, "a<enter><enter>"));
    assert_eq!(next.iter().map(|operation| operation.id).collect::<Vec<_>>(), [OperationId { origin: 2, number: 1 }]);
    assert_eq!(next[0].kind.plant().map(|plant| plant.name.as_str()), Some("Ivy"), "the draft");
}

#[test]
fn another_store_in_a_terminal_that_is_too_small_takes_no_keys_either() {
    let mut app = new_app();
    press(&mut app, "c<down><enter>");
    app.update(shown(FrameLayout { too_small: true, ..FrameLayout::default() }));
    assert!(arrives(&mut app, arrival()).contains(&Effect::Switch));
    press_at_once(&mut app, "a");
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn the_demo_adds_its_samples_one_by_one() {
    let mut app = new_app();
    press(&mut app, "c<down><down><enter>");
    let sample = |id| Plant { name: "sample".into(), id: PlantId(id), tag: String::new() };
    let info = StoreInfo { demo: true, ..arrival().info };
    let effects = arrives(&mut app, Arrival { info, samples: vec![sample(1), sample(2)], ..arrival() });
    assert_eq!(sent(&effects).iter().map(|operation| operation.kind.plant_id().0).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_new_connection_replaces_a_dead_worker() {
    let mut app = new_app();
    app.update(Msg::WorkerDied("boom".to_owned()));
    assert_eq!(press(&mut app, "c<enter>"), [Effect::FindStores, Effect::Connect(ConnectionTarget::Start)]);
    let _ = arrives(&mut app, arrival());
    assert!(app.cx.session.worker_alive);
}

#[test]
fn one_click_marks_a_store_and_a_second_one_opens_it() {
    let mut app = new_app();
    press(&mut app, "c");
    let click = |app: &mut App, target| app.update(clicked(target));
    assert_eq!(click(&mut app, Target::Line(1)), []);
    assert_eq!(marked(&app), "elsewhere");
    assert_eq!(click(&mut app, Target::Line(1)), [Effect::Connect(elsewhere())]);
    assert_eq!(click(&mut app, Target::Line(2)), []);
    press(&mut app, "<esc>https://x<enter>");
    click(&mut app, Target::Field(0));
    assert_eq!(focus(&app), "url");
}

#[test]
fn the_wheel_marks_another_store_or_goes_to_another_field() {
    let mut app = new_app();
    let wheel = |app: &mut App, over, down| app.update(wheeled(over, down));
    press(&mut app, "c");
    wheel(&mut app, Target::Line(0), true);
    assert_eq!(marked(&app), "elsewhere");
    wheel(&mut app, Target::Line(0), false);
    assert_eq!(marked(&app), "staging");
    // Not while a store is being opened.
    press(&mut app, "<down><enter>");
    wheel(&mut app, Target::Line(0), true);
    assert_eq!(marked(&app), "elsewhere");
    press(&mut app, "<esc>https://x");
    assert_eq!(focus(&app), "url");
    wheel(&mut app, Target::Field(0), true);
    assert_eq!(focus(&app), "token");
}

#[test]
fn esc_stops_waiting_for_a_store_that_was_opened_by_its_url() {
    let mut app = new_app();
    press(&mut app, "chttp://127.0.0.1:9<tab>canary<enter>");
    assert_eq!(press(&mut app, "<esc>"), [Effect::StopConnecting]);
    assert_eq!((form(&app).field("url").as_str(), &app.cx.session.stores.connecting), ("http://127.0.0.1:9", &None));
    press(&mut app, "<esc>");
    assert_eq!(marked(&app), "staging");
}

#[test]
fn a_read_only_start_has_no_field_for_a_token() {
    let mut app = new_app();
    for store in &mut app.cx.session.stores.known {
        store.read_only = true;
    }
    press(&mut app, "chttp://10.0.0.2<tab>/api");
    assert_eq!((form(&app).field("url").as_str(), focus(&app).as_str()), ("http://10.0.0.2/api", "url"));
}

#[test]
fn the_mark_stays_on_its_store_and_the_open_one_is_listed_once() {
    let mut app = new_app();
    press(&mut app, "c<down><down>");
    recent(&mut app, &["https://new.example"]);
    assert_eq!(marked(&app), "demo store");
    let mut app = new_app();
    app.cx.session.stores.known.clear();
    press(&mut app, "c");
    recent(&mut app, &["http://127.0.0.1:4000/api", "https://old.example"]);
    assert_eq!(offered(&app), ["this store", "https://old.example", "another URL …", "new profile …"]);
}

#[test]
fn a_name_with_a_color_has_room_for_its_badge() {
    let mut app = new_app();
    let store = &mut app.cx.session.stores.known[1];
    (store.name, store.color) = ("elsewhere-with-a-long-name".to_owned(), Some(HeaderColor::Red));
    press(&mut app, "c");
    // Just wide enough for the longest name beside the longest text.
    let rows = frame::front_at(&app, (85, 30)).unwrap().rows;
    let row = rows.iter().find(|row| row.contains(ELSEWHERE)).unwrap();
    assert_eq!(row, "   elsewhere-with-a-long-name   https://elsewhere.example");
}
