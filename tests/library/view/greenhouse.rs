//! The scenes of the Greenhouse: every stage and outcome, requests in flight, the tour, presentation mode.

use plants::demo::WeatherPreset;

use super::*;

pub(super) fn add(id: i64, name: &str, tag: &str) -> OperationKind {
    OperationKind::add(Plant { name: name.into(), id: PlantId(id), tag: tag.into() })
}

pub(super) fn failed(kind: FailureKind) -> Ending {
    Ending::Failed(Failure { kind, detail: String::new() })
}

/// Requests what an exchange is about, and ends it so.
pub(super) fn reported(app: &mut App, exchange: Exchange, row: Option<Row>, unknown: Option<UnknownOperation>) {
    app.cx.session.submit(exchange.operation.kind.clone(), &mut app.cx.out);
    app.update(Msg::Now(NOON));
    let operation = app.cx.session.pending.last().unwrap().operation.clone();
    app.update(end_of(Exchange { operation, ..exchange }, row, unknown));
}

fn ended(app: &mut App, kind: OperationKind, ending: Ending) {
    reported(app, exchange(kind, ending), None, None);
}

/// The tab with the plants of [`rows`], and some of each species and size.
pub(super) fn shelves() -> App {
    let mut app = fresh(true);
    let tags = ["shade", "tropical", "desert", "kitchen", "climbing"];
    let grown =
        (20..32).zip(tags.iter().cycle()).map(|(id, tag)| row(id, &format!("Plant no. {id}"), tag, State::Stored));
    let all: Vec<Row> = rows().into_iter().chain(grown).collect();
    app.update(window(all));
    press(&mut app, "4");
    app
}

/// The same after all animations have ended.
pub(super) fn later(mut app: App) -> App {
    app.update(Msg::Now(Timestamp(NOON.0 + 5_000)));
    app
}

/// A plant for each way of leaving: deleted, rejected, not sent.
fn of_all_ends() -> App {
    let mut app = shelves();
    ended(&mut app, OperationKind::Delete(PlantId(24)), response(204, "No Content", ""));
    ended(&mut app, add(33, "Rejected rose", "kitchen"), response(422, "Unprocessable Content", ""));
    ended(&mut app, add(34, "Never sent", "kitchen"), failed(FailureKind::NotConnected));
    let rest = app.cx.session.plants.window.rows.iter().filter(|row| row.id != PlantId(24)).cloned().collect();
    app.update(window(rest));
    later(app)
}

/// After an exchange with a certain end, which opens no form.
fn after(kind: OperationKind, ending: Ending) -> App {
    let mut app = shelves();
    ended(&mut app, kind, ending);
    assert!(!app.cx.display.has_dialog);
    later(app)
}

/// An add that has been in flight for so long.
fn out(millis: i64) -> App {
    let mut app = shelves();
    press(&mut app, "aMoon cactus<tab><tab>desert<enter>");
    let id = app.cx.session.pending[0].operation.kind.plant_id();
    let adding = row(id.0, "Moon cactus", "desert", State::Adding);
    let all = app.cx.session.plants.window.rows.iter().cloned().chain([adding]).collect();
    app.update(window(all));
    app.update(Msg::Now(Timestamp(NOON.0 + millis)));
    app
}

fn wire() -> App {
    let mut app = after(add(9, "Fern", "shade"), response(201, "Created", r#"{"name":"Fern","tag":"shade"}"#));
    press(&mut app, "p");
    app
}

fn many() -> App {
    let mut app = fresh(true);
    let all: Vec<Row> =
        (1..=400).map(|id| row(id, &format!("No. {id}"), &format!("tag {}", id % 37), State::Stored)).collect();
    let tally = Tally { stored: 12_345, ..Tally::default() };
    let request = WindowRequest { anchor: Anchor::Index(0), rows: 400, arrangement: Arrangement::default() };
    let window = Window {
        rows: all,
        first: 0,
        total: 12_345,
        tally,
        next_id: PlantId(12_346),
        unknown_deletes: Vec::new(),
        late: None,
    };
    app.update(Msg::Window(Box::new(request), Ok(window)));
    press(&mut app, "4<pagedown><pagedown>");
    app
}

/// On the tour after so many steps; the journal's responses arrive.
fn on_tour(steps: usize) -> App {
    let mut app = shelves();
    press(&mut app, "t");
    for _ in 0..steps {
        let rows = app.cx.session.plants.window.rows.clone();
        app.update(window(rows));
        press(&mut app, " ");
    }
    let rows = app.cx.session.plants.window.rows.clone();
    app.update(window(rows));
    app
}

/// A token half typed in presentation mode.
fn typed_before_audience() -> App {
    let mut app = shelves();
    press(&mut app, "<f5>Tcanary");
    app
}

/// A delete that the store rejects with 404, after one without a response.
fn gone_before() -> App {
    let mut app = shelves();
    let (delete, kept) = (OperationKind::Delete(PlantId(7)), row(7, "Monstera deliciosa", "tropical", State::Unknown));
    let unknown = UnknownOperation {
        kind: delete.clone(),
        operation: OperationId { origin: 1, number: 1 },
        authors: None,
        claims: Vec::new(),
        leaves_stored: false,
    };
    let exchange = exchange(delete, response(404, "Not Found", r#"{"error":"there is no plant with the id 7"}"#));
    reported(&mut app, exchange, Some(kept), Some(unknown));
    later(app)
}

/// A lost response before an audience, after a person has resolved the plant.
fn resolved(resolution: Resolution) -> App {
    let mut app = shelves();
    press(&mut app, "<f5>");
    ended(&mut app, OperationKind::Delete(PlantId(7)), failed(FailureKind::NoResponse));
    app.update(Msg::Resolved(vec![PlantId(7)], resolution, Ok(vec![Ok(())])));
    if resolution == Resolution::Forget {
        let rest = app.cx.session.plants.window.rows.iter().filter(|row| row.id != PlantId(7)).cloned().collect();
        app.update(window(rest));
    }
    later(app)
}

fn by_weather() -> App {
    let mut app = fresh(true);
    app.cx.session.info.demo = true;
    app.update(window(rows()));
    press(&mut app, "4");
    let body = r#"{"error":"the simulated weather rejects this request; nothing was done"}"#;
    ended(&mut app, add(9, "Fern", "shade"), response(422, "Unprocessable Content", body));
    later(app)
}

fn presented() -> App {
    let mut app = of_all_ends();
    app.update(clicked(plants::tui::message::Target::Plant(PlantId(29))));
    press(&mut app, "<f5><left><right>");
    app
}

pub(super) fn scenes() -> Vec<(&'static str, App)> {
    let fern = || add(9, "Fern", "shade");
    let mut bad_weather = shelves();
    press(&mut bad_weather, "w<down><down><enter>");
    assert_eq!(bad_weather.cx.session.weather, WeatherPreset::LosingResponses);
    let mut weather = shelves();
    press(&mut weather, "w");
    vec![
        ("greenhouse", later(shelves())),
        ("greenhouse_ends", of_all_ends()),
        ("greenhouse_out", out(300)),
        ("greenhouse_waits", out(1_500)),
        ("greenhouse_yes", after(fern(), response(201, "Created", r#"{"name":"Fern","tag":"shade"}"#))),
        ("greenhouse_unlike", after(fern(), response(200, "OK", r#"{"name":"Farn","tag":"shade"}"#))),
        ("greenhouse_no", after(fern(), response(409, "Conflict", ""))),
        ("greenhouse_neither", after(fern(), response(503, "Service Unavailable", ""))),
        ("greenhouse_lost", after(fern(), failed(FailureKind::TimedOut))),
        ("greenhouse_unsent", after(fern(), failed(FailureKind::NotConnected))),
        ("greenhouse_hostile", after(hostile_exchange().operation.kind, hostile_exchange().ending)),
        ("greenhouse_wire", wire()),
        ("greenhouse_many", many()),
        ("greenhouse_weather", weather),
        ("greenhouse_bad_weather", bad_weather),
        ("tour", on_tour(0)),
        ("tour_form", on_tour(1)),
        ("presented_token", typed_before_audience()),
        ("presented", presented()),
        ("greenhouse_gone_before", gone_before()),
        ("presented_gone_before", {
            let mut app = gone_before();
            press(&mut app, "n<f5>");
            app
        }),
        ("presented_marked", resolved(Resolution::MarkStored)),
        ("presented_forgotten", resolved(Resolution::Forget)),
        ("greenhouse_rejected_by_weather", by_weather()),
    ]
}

#[test]
fn animations_depend_on_state_and_time_alone() {
    // From the seed to the plant, each frame drawn twice and in another order.
    let frame = |millis: i64| {
        let mut app = out(0);
        let operation = app.cx.session.pending[0].operation.clone();
        let id = operation.kind.plant_id();
        let exchange = Exchange { operation, ..exchange(monstera(), response(201, "Created", "")) };
        app.update(end_of(exchange, None, None));
        let all = app.cx.session.plants.window.rows.iter().cloned();
        let stored = all.map(|row| if row.id == id { Row { state: State::Stored, ..row } } else { row });
        let stored = stored.collect();
        app.update(window(stored));
        for passed in (0..=millis).step_by(100) {
            app.update(Msg::Now(Timestamp(NOON.0 + passed)));
        }
        let moves = app.is_moving();
        (text(&drawn(&mut app, &dark(), (120, 36))), moves)
    };
    let times: Vec<i64> = (0..=2_600).step_by(100).collect();
    let frames: Vec<_> = times.iter().map(|millis| frame(*millis)).collect();
    let again: Vec<_> = times.iter().rev().map(|millis| frame(*millis)).collect();
    assert_eq!(frames, again.into_iter().rev().collect::<Vec<_>>());
    let mut different: Vec<_> = frames.iter().map(|(shown, _)| shown).collect();
    different.dedup();
    assert!(different.len() >= 5, "it grows in {} steps", different.len());
    // It comes to rest, and nothing more is drawn.
    assert!(frames[0].1 && !frames.last().unwrap().1);
}

#[test]
fn pot_picture_and_what_is_in_flight_change_together_when_the_arrow_has_arrived_or_a_key_is_pressed() {
    let shown = |change: fn(&mut App)| {
        let mut app = out(0);
        let operation = app.cx.session.pending[0].operation.clone();
        app.update(end_of(Exchange { operation, ..exchange(monstera(), response(422, "", "")) }, None, None));
        let rest = app.cx.session.plants.window.rows.iter().filter(|row| row.name() != Some("Moon cactus"));
        app.update(window(rest.cloned().collect()));
        change(&mut app);
        let shown = text(&drawn(&mut app, &dark(), (120, 36)));
        ([" rejected", "✗ No."].map(|words| shown.contains(words)), app.cx.session.pending.len())
    };
    assert_eq!(shown(|_| {}), ([false; 2], 1));
    assert_eq!(shown(|app| drop(app.update(Msg::Now(Timestamp(NOON.0 + 599))))), ([false; 2], 1));
    assert_eq!(shown(|app| drop(app.update(Msg::Now(Timestamp(NOON.0 + 600))))), ([true; 2], 0));
    assert_eq!(shown(|app| drop(press(app, "%"))), ([true; 2], 0));
}

#[test]
fn a_clock_that_is_set_back_does_not_animate_for_ever() {
    let mut app = shelves();
    ended(&mut app, add(9, "Fern", "shade"), response(201, "Created", ""));
    assert_eq!(app.cx.session.pending.len(), 1);
    for hours in [1, 2] {
        assert!(app.is_moving());
        app.update(Msg::Now(Timestamp(NOON.0 - hours * 3_600_000)));
        assert!(app.cx.session.pending.is_empty());
    }
    assert!(!app.is_moving());
}

#[test]
fn presentation_mode_hides_the_length_of_a_token() {
    let shown = |typed: &str| {
        let mut app = shelves();
        press(&mut app, &format!("<f5>T{typed}"));
        text(&drawn(&mut app, &dark(), (120, 36)))
    };
    assert_eq!(shown("canary"), shown("a-much-longer-canary"));
    assert_ne!(shown("canary"), shown(""));
}

#[test]
fn the_picture_goes_with_the_selection() {
    let mut app = after(add(9, "Fern", "shade"), response(201, "Created", r#"{"name":"Fern","tag":"shade"}"#));
    // At this size, no letters are large.
    let shown = |app: &mut App| text(&drawn(app, &dark(), (80, 24)));
    assert!(shown(&mut app).contains("✓ Yes."));
    app.update(clicked(plants::tui::message::Target::Plant(PlantId(7))));
    assert!(!shown(&mut app).contains("✓ Yes."));
    history_came(&mut app, 7, vec![exchange(monstera(), response(409, "Conflict", ""))], None);
    let words = shown(&mut app);
    assert!(words.contains("It seems to have a plant 7 already") && words.contains("plant 7 is as it was"), "{words}");
}

#[test]
fn the_picture_stays_at_a_plant_that_was_resolved() {
    let mut app = shelves();
    app.update(clicked(plants::tui::message::Target::Plant(PlantId(7))));
    history_came(&mut app, 7, vec![exchange(monstera(), failed(FailureKind::TimedOut))], None);
    app.update(Msg::Resolved(vec![PlantId(7)], Resolution::Forget, Ok(vec![Ok(())])));
    let rest = app.cx.session.plants.window.rows.iter().filter(|row| row.id != PlantId(7)).cloned().collect();
    app.update(window(rest));
    let shown = |app: &mut App| text(&drawn(app, &dark(), (80, 24)));
    let words = shown(&mut app);
    assert!(words.contains(" Forgotten. ") && words.contains("Decided. Monstera deliciosa"), "{words}");
    press(&mut app, "<left>");
    assert!(!shown(&mut app).contains("Decided. Monstera"));
}

#[test]
fn the_status_line_has_no_jargon_in_the_greenhouse_alone() {
    let mut app = gone_before();
    press(&mut app, "n");
    let shown = |app: &mut App| text(&drawn(app, &dark(), (120, 36)));
    assert!(!shown(&mut app).contains("404"));
    press(&mut app, "1");
    assert!(shown(&mut app).contains("404 Not Found"));
}

#[test]
fn the_keys_of_the_demo_are_visible_at_every_size() {
    let mut app = shelves();
    let rows = app.cx.session.plants.window.rows.iter().filter(|row| row.state == State::Stored).cloned().collect();
    app.update(window(rows));
    for size in [(60, 20), (80, 24), (120, 36)] {
        let shown = text(&drawn(&mut app, &dark(), size));
        assert!(shown.contains("w weather") && shown.contains("t tour"), "{size:?}\n{shown}");
    }
}

/// A dialog that a rejection opens leaves its picture visible.
#[test]
fn no_dialog_covers_the_picture_of_a_rejection() {
    let delete = OperationKind::Delete(PlantId(7));
    for (kind, status) in [(add(9, "Fern", "shade"), 409), (add(9, "Fern", "shade"), 401), (delete, 404)] {
        let mut app = shelves();
        let kept = row(7, "Monstera deliciosa", "tropical", State::Stored);
        let exchange = exchange(kind.clone(), response(status, "", ""));
        reported(&mut app, exchange, Some(kept), None);
        let mut app = later(app);
        for keys in ["", "a"] {
            press(&mut app, keys);
            for size in [(60, 20), (80, 24), (84, 24), (92, 18), (100, 30), (120, 36), (200, 60)] {
                let shown = text(&drawn(&mut app, &dark(), size));
                for words in [" the store", "✗ No."] {
                    assert!(shown.contains(words), "{status} {keys:?} {size:?}\n{shown}");
                }
            }
            // The sentence in large letters takes the place of its words.
            app.cx.display.presenting = true;
            for size in [(80, 24), (85, 30), (100, 30), (118, 36), (120, 36), (200, 60)] {
                let shown = text(&drawn(&mut app, &dark(), size));
                assert!(shown.contains("the store"), "{status} {keys:?} {size:?}\n{shown}");
            }
            app.cx.display.presenting = false;
        }
    }
}

#[test]
fn at_every_common_size_plants_are_visible() {
    for (size, least) in [((60, 20), 4), ((80, 24), 5), ((120, 36), 12), ((200, 60), 35)] {
        let mut app = later(many());
        let shown = text(&drawn(&mut app, &dark(), size));
        let names = shown.matches("No. ").count();
        assert!(names >= least, "{size:?}: {names}\n{shown}");
    }
}

#[test]
fn nothing_moves_without_motion() {
    for mut app in [out(300), out(1_500)] {
        assert!(app.is_moving());
        app.cx.display.motion = plants::tui::context::Motion::Still;
        assert!(!app.is_moving());
        let one = text(&drawn(&mut app, &dark(), (120, 36)));
        assert!(
            one.contains("on its way") && one.contains("no response yet") && !one.contains("no response yet, "),
            "{one}"
        );
    }
}

#[test]
fn hundreds_of_pots_can_be_reached_by_keys() {
    let mut app = many();
    drawn(&mut app, &dark(), (120, 36));
    press(&mut app, "<home>");
    let mut seen = std::collections::BTreeSet::new();
    for step in 0..400 {
        seen.insert(app.cx.session.plants.selected.unwrap());
        if is_long() || step % 8 == 0 {
            let screen = text(&drawn(&mut app, &dark(), (120, 36)));
            assert!(screen.contains(&format!("▸No. {}", app.cx.session.plants.selected.unwrap())), "{screen}");
        }
        press(&mut app, "<right>");
    }
    assert_eq!(seen.len(), 400);
    // Down and up again selects the same pot.
    press(&mut app, "<home><right>");
    let before = app.cx.session.plants.selected;
    press(&mut app, "<down><down><up><up>");
    assert_eq!(app.cx.session.plants.selected, before);
}

/// The end of an add of a plant that is in the list, unknown.
fn rejected_again() -> App {
    let mut app = shelves();
    let kept = row(8, "漢字の木", "日本", State::Unknown);
    let kind = add(8, "漢字の木", "日本");
    let unknown = Some(unknown(kind.clone()));
    reported(&mut app, exchange(kind, response(409, "Conflict", "")), Some(kept), unknown);
    later(app)
}

#[test]
fn a_plant_that_is_sent_again_has_one_pot_and_no_form_but_the_key_that_resolves() {
    let mut app = rejected_again();
    let shown = text(&drawn(&mut app, &dark(), (200, 60)));
    let shelves: Vec<_> = shown.lines().filter(|line| line.starts_with('│')).collect();
    let has = |word: &str| shelves.iter().any(|line| line.contains(word));
    assert!(has(" unknown ") && !has(" rejected "), "{shown}");
    assert!(shown.contains("u resolves it: Mark as stored") && !shown.contains("opens the form"), "{shown}");
    press(&mut app, "a");
    assert!(text(&drawn(&mut app, &dark(), (200, 60))).contains("Add a plant"));
}

#[test]
fn a_resolution_stays_after_a_rejection_and_after_another_pot() {
    let mut app = rejected_again();
    let shown = |app: &mut App| text(&drawn(app, &dark(), (200, 60)));
    assert!(shown(&mut app).contains("No."));
    app.update(Msg::Resolved(vec![PlantId(8)], Resolution::MarkStored, Ok(vec![Ok(())])));
    let mut rows = app.cx.session.plants.window.rows.clone();
    for row in rows.iter_mut().filter(|row| row.id == PlantId(8)) {
        row.state = State::Stored;
    }
    app.update(window(rows));
    let words = shown(&mut app);
    assert!(words.contains("(8), resolved") && !words.contains("✗ No."), "{words}");
    app.update(clicked(plants::tui::message::Target::Plant(PlantId(7))));
    app.update(clicked(plants::tui::message::Target::Plant(PlantId(8))));
    let kind = add(8, "漢字の木", "日本");
    let rejected = exchange(kind.clone(), response(409, "Conflict", ""));
    history_came(&mut app, 8, vec![rejected, exchange(kind, failed(FailureKind::NoResponse))], None);
    let words = shown(&mut app);
    assert!(words.contains("(8), resolved") && words.contains("counts as stored."), "{words}");
    assert!(!words.contains("✗ No.") && !words.contains("was not added"), "{words}");
}

#[test]
fn page_keys_scroll_a_request_that_is_longer_than_its_pane() {
    for size in [(80, 22), (60, 20)] {
        let mut app = wire();
        let words = text(&drawn(&mut app, &dark(), size));
        assert!(words.contains("PageDown scroll") && words.contains("p picture"), "{words}");
        assert!(words.contains("HTTP/1.1 201 Created") && !words.contains(r#""id":9"#), "{words}");
        for _ in 0..4 {
            press(&mut app, "<pagedown>");
        }
        let words = text(&drawn(&mut app, &dark(), size));
        assert!(words.contains(r#""id":9"#), "{words}");
        press(&mut app, "<pageup><pageup><pageup><pageup>p");
        let words = text(&drawn(&mut app, &dark(), size));
        assert!(words.contains("p as sent") && !words.contains("PageDown"), "{words}");
    }
}

#[test]
fn in_one_line_a_rejected_request_touches_the_store_and_a_response_comes_back() {
    let mut app = after(add(33, "Fern", "shade"), response(422, "", ""));
    for (marks, words) in [(Marks::Unicode, "you  ━━▶▌ the store  ━━▶  you   ✗ No."), (Marks::Ascii, "you  -->#")]
    {
        let theme = Theme::new(Palette::Dark, Depth::Many, marks);
        let shown = text(&drawn(&mut app, &theme, (60, 20)));
        assert!(shown.contains(words), "{shown}");
    }
}

#[test]
fn a_form_that_is_discarded_says_how_to_add_the_plant_again() {
    let mut app = after(add(33, "Fern", "shade"), response(422, "", ""));
    press(&mut app, "a");
    press(&mut app, "<esc>");
    let shown = text(&drawn(&mut app, &dark(), SIZE));
    assert!(shown.contains("Discarded; b adds Fern (33) again."), "{shown}");
}

#[test]
fn an_unknown_plant_counts_as_unknown_while_it_is_sent_again() {
    let mut app = fresh(true);
    app.update(window(vec![row(8, "Fern", "t", State::Unknown)]));
    press(&mut app, "4");
    press(&mut app, "aFern<tab><c-u>8<tab>t<enter>");
    drawn(&mut app, &dark(), SIZE);
    press(&mut app, "<enter>");
    assert_eq!(app.cx.session.pending.len(), 1);
    for state in [State::Unknown, State::Adding] {
        app.update(window(vec![row(8, "Fern", "t", state)]));
        let shown = text(&drawn(&mut app, &dark(), SIZE));
        assert!(shown.contains("? 1 unknown"), "{shown}");
    }
}

/// Returns the names of the plant in the title of the picture and of the one that is marked on the shelves.
fn pictured_and_marked(app: &mut App) -> [String; 2] {
    let shown = text(&drawn(app, &dark(), SIZE));
    let title = shown.lines().find_map(|line| Some(line.split_once("╭ add ")?.1.split_once(" (")?.0.to_owned()));
    let marked = shown.lines().find_map(|line| Some(line.split_once('▸')?.1.split_once("  ")?.0.trim().to_owned()));
    [title, marked].map(|name| name.expect(&shown))
}

#[test]
fn picture_and_selection_are_of_one_plant_whatever_the_order_of_the_responses() {
    let mut app = fresh(true);
    app.update(window(Vec::new()));
    press(&mut app, "4aIvy<tab><tab>t<enter>aOak<tab><tab>t<enter>");
    let sent: Vec<Operation> = app.cx.session.pending.iter().map(|pending| pending.operation.clone()).collect();
    let both = |states: [State; 2]| {
        let names = ["Ivy", "Oak"].into_iter().zip(states).zip(&sent);
        window(names.map(|((name, state), sent)| row(sent.kind.plant_id().0, name, "t", state)).collect())
    };
    app.update(both([State::Adding; 2]));
    assert_eq!(pictured_and_marked(&mut app), ["Oak", "Oak"]);
    let end = |app: &mut App, at: usize| {
        let exchange = Exchange { operation: sent[at].clone(), ..exchange(monstera(), response(201, "Created", "")) };
        app.update(end_of(exchange, None, None));
    };
    end(&mut app, 1);
    app.update(both([State::Adding, State::Stored]));
    assert_eq!(pictured_and_marked(&mut app), ["Oak", "Oak"]);
    end(&mut app, 0);
    app.update(both([State::Stored; 2]));
    // What came during the arrow of the first needs none.
    for (millis, name, pending) in [(0, "Oak", 2), (1_000, "Ivy", 0)] {
        app.update(Msg::Now(Timestamp(NOON.0 + millis)));
        assert_eq!(pictured_and_marked(&mut app), [name, name]);
        assert_eq!(app.cx.session.pending.len(), pending, "{name}");
    }
}

#[test]
fn a_plant_that_was_not_added_is_marked_and_no_key_acts_on_another_one() {
    let mut app = shelves();
    press(&mut app, "aIvy<tab><tab>t<enter>");
    let operation = app.cx.session.pending[0].operation.clone();
    let exchange = Exchange { operation, ..exchange(monstera(), response(422, "", "")) };
    app.update(end_of(exchange, None, None));
    let rows = app.cx.session.plants.window.rows.clone();
    // The list is read again after the end.
    app.update(window(rows.clone()));
    app.update(window(rows));
    let mut app = later(app);
    assert_eq!(pictured_and_marked(&mut app), ["Ivy", "Ivy"]);
    press(&mut app, "d");
    let shown = text(&drawn(&mut app, &dark(), SIZE));
    assert!(shown.contains("was never stored; b adds it again.") && !app.cx.display.has_dialog, "{shown}");
}

#[test]
fn in_one_line_the_reply_points_back_at_you() {
    let mut app = after(add(9, "Fern", "shade"), response(201, "Created", r#"{"name":"Fern","tag":"shade"}"#));
    for (marks, words) in
        [(Marks::Unicode, "you  ━━▶  the store  ━━▶  you"), (Marks::Ascii, "you  -->  the store  -->  you")]
    {
        let theme = Theme::new(Palette::Dark, Depth::Many, marks);
        assert!(text(&drawn(&mut app, &theme, (60, 20))).contains(words));
    }
}

#[test]
fn the_form_shows_no_request_in_the_greenhouse() {
    let mut app = shelves();
    press(&mut app, "aFern<tab><tab>shade");
    let shown = text(&drawn(&mut app, &dark(), SIZE));
    assert!(shown.contains("Enter asks the store to add this plant.") && !shown.contains("HTTP"), "{shown}");
}

#[test]
fn a_tour_adds_plants_that_are_not_there() {
    let mut app = fresh(true);
    app.update(window(vec![row(1, "Moon cactus", "desert", State::Stored)]));
    press(&mut app, "4t");
    app.update(window(app.cx.session.plants.window.rows.clone()));
    press(&mut app, " ");
    let shown = text(&drawn(&mut app, &dark(), SIZE));
    assert!(shown.contains("name    Star cactus"), "{shown}");
}

#[test]
fn the_word_of_a_pot_is_on_the_board_that_has_its_name() {
    let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Ascii);
    let shown = text(&drawn(&mut of_all_ends(), &theme, SIZE));
    let lines: Vec<&str> = shown.lines().collect();
    let words: Vec<usize> =
        (4..lines.len()).filter(|at| lines[*at].starts_with('|') && lines[*at].contains(" rejected ")).collect();
    assert_eq!(words.len(), 1, "{shown}");
    assert!(lines[words[0] + 1].starts_with("|- ") && lines[words[0] + 2].contains("Rejected rose"), "{shown}");
    // In colour, the names are on the board.
    let pixels = drawn(&mut of_all_ends(), &dark(), SIZE);
    let name = pixels.content.iter().position(|cell| cell.symbol() == "▸").unwrap();
    let shelf = &pixels.content[name / usize::from(SIZE.0) * usize::from(SIZE.0)..];
    assert_ne!(shelf[1].bg, Color::Reset);
}

#[test]
fn the_sentence_of_the_picture_is_not_repeated() {
    let mut app = after(add(9, "Fern", "shade"), response(201, "Created", r#"{"name":"Fern","tag":"shade"}"#));
    for size in [(60, 20), (80, 24)] {
        let shown = text(&drawn(&mut app, &dark(), size));
        assert_eq!(shown.matches("The store said yes").count(), 1, "{size:?}\n{shown}");
    }
    // Where another plant's picture is shown, nothing is said of it.
    app.update(clicked(plants::tui::message::Target::Plant(PlantId(7))));
    assert!(!text(&drawn(&mut app, &dark(), (60, 20))).contains("Added Fern (9)"));
}

#[test]
fn no_question_covers_the_sentence_where_there_is_room() {
    let mut app = shelves();
    app.update(clicked(plants::tui::message::Target::Plant(PlantId(8))));
    let kind = add(8, "漢字の木", "日本");
    history_came(&mut app, 8, vec![exchange(kind.clone(), failed(FailureKind::TimedOut))], Some(unknown(kind)));
    press(&mut app, "d");
    assert!(app.cx.display.has_dialog);
    for (size, shows_arrow) in [((60, 20), false), ((80, 24), true), (SIZE, true), ((200, 60), true)] {
        let shown = text(&drawn(&mut app, &dark(), size));
        assert!(shown.contains("? no response") && shown.contains("▸漢 字 の 木"), "{size:?}\n{shown}");
        assert_eq!(shown.contains("arrived?"), shows_arrow, "{size:?}\n{shown}");
    }
    // Where there is no room for both, the shelves stay in sight.
    let shown = text(&drawn(&mut app, &dark(), (60, 16)));
    assert!(!shown.contains("? no response") && shown.contains("▸漢 字 の 木"), "{shown}");
}

#[test]
fn a_forgotten_plant_leaves_the_shelf_and_can_be_added_again() {
    let mut app = shelves();
    app.update(clicked(plants::tui::message::Target::Plant(PlantId(7))));
    app.update(Msg::Resolved(vec![PlantId(7)], Resolution::Forget, Ok(vec![Ok(())])));
    let rest = app.cx.session.plants.window.rows.iter().filter(|row| row.id != PlantId(7)).cloned().collect();
    app.update(window(rest));
    let shown = text(&drawn(&mut app, &dark(), (200, 60)));
    assert!(!shown.contains("▸") && !shown.contains("not stored"), "{shown}");
    press(&mut app, "d");
    assert!(text(&drawn(&mut app, &dark(), (200, 60))).contains("was forgotten; b adds it again."));
}

#[test]
fn the_only_shelf_is_full() {
    let mut app = fresh(true);
    app.update(window((1..=8).map(|id| row(id, &format!("No. {id}"), "t", State::Stored)).collect()));
    press(&mut app, "4<end>");
    let shown = text(&drawn(&mut app, &dark(), (80, 24)));
    assert!(shown.contains("pots 3-8 of 8") && shown.matches("No. ").count() == 6, "{shown}");
    assert!(shown.contains("▸No. 8"), "{shown}");
}

#[test]
fn no_shelf_of_three_cuts_a_name() {
    let mut app = fresh(true);
    let names = ["Golden barrel cactus", "Café au lait dahlia", "Monstera deliciosa"];
    let rows = (1..=12).zip(names.iter().cycle()).map(|(id, name)| row(id, name, "t", State::Stored));
    app.update(window(rows.collect()));
    press(&mut app, "4");
    let shown = text(&drawn(&mut app, &dark(), SIZE));
    for end in ["cactus", "dahlia", "deliciosa"] {
        assert_eq!(shown.matches(end).count(), 4, "{shown}");
    }
}

#[test]
fn the_tabs_are_whole_at_every_width() {
    for keys in ["", "<f5>"] {
        let mut app = after(add(33, "Fern", "shade"), response(422, "", ""));
        press(&mut app, keys);
        for width in (60..130).step_by(7) {
            for height in [20, 24, 36] {
                let shown = text(&drawn(&mut app, &dark(), (width, height)));
                assert!(shown.contains(" 4 Greenhouse ") && shown.contains(" the store"), "{width}\n{shown}");
            }
        }
    }
}

#[test]
fn the_caption_of_the_tour_has_the_same_rows_at_every_stop() {
    for size in [(60, 20), (80, 24), SIZE] {
        let top = |steps: usize| {
            let shown = text(&drawn(&mut on_tour(steps), &dark(), size));
            shown.lines().position(|line| line.starts_with("╭ Tour,"))
        };
        let tops: BTreeSet<_> = (0..3).map(top).collect();
        assert!(tops.len() == 1 && !tops.contains(&None), "{size:?}: {tops:?}");
    }
}

#[test]
fn presentation_mode_enlarges_the_sentence_of_a_wide_terminal_and_keeps_the_picture_of_another() {
    let mut app = after(add(9, "Fern", "shade"), response(201, "Created", r#"{"name":"Fern","tag":"shade"}"#));
    // Only large letters have quarters of a cell, or whole ones.
    let is_large = |shown: &str| shown.contains(['▛', '▜', '▙', '▟', '█']);
    let themes = [dark(), Theme::new(Palette::Dark, Depth::Many, Marks::Ascii)];
    // The picture, without the message about presentation mode.
    let picture = |app: &mut App, theme: &Theme, size: (u16, u16)| {
        let shown = text(&drawn(app, theme, size));
        let rows = shown.lines().filter(|line| !line.contains("F5")).skip(2);
        rows.take(usize::from(size.1) - 5).collect::<Vec<_>>().join("\n")
    };
    let small =
        |app: &mut App| [(60, 20), (80, 24)].map(|size| themes.each_ref().map(|theme| picture(app, theme, size)));
    let before = small(&mut app);
    press(&mut app, "<f5>");
    assert_eq!(small(&mut app), before);
    for size in [SIZE, (200, 60)] {
        assert!(is_large(&picture(&mut app, &themes[0], size)), "{size:?}");
        assert!(picture(&mut app, &themes[1], size).contains("#   # ####"), "{size:?}");
    }
    app.cx.display.language = plants::config::LanguageChoice::Ja;
    assert!(!is_large(&picture(&mut app, &themes[0], SIZE)), "Japanese has no large letters");
}

#[test]
fn a_long_name_takes_two_lines_where_there_is_room() {
    let mut app = fresh(true);
    app.update(window(vec![row(1, "Monstera deliciosa", "tropical", State::Stored)]));
    press(&mut app, "4");
    let shown = text(&drawn(&mut app, &dark(), SIZE));
    assert!(shown.contains("▸Monstera ") && shown.contains("deliciosa"), "{shown}");
    assert!(!shown.contains("Monstera de…"), "{shown}");
}
