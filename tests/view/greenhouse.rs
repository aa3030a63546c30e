//! The scenes of the Greenhouse: every stage and outcome, what is on its way, the tour, an audience.

use plants::demo::Sky;

use super::*;

fn add(id: i64, name: &str, tag: &str) -> Ask {
    Ask::Add(Plant { name: name.into(), id: PlantId(id), tag: tag.into() })
}

fn failed(kind: FailureKind) -> Ending {
    Ending::Failed(Failure { kind, detail: String::new() })
}

/// In the room, with the plants of [`rows`] and some of each species and size.
fn shelves() -> Model {
    let mut model = fresh(true);
    let tags = ["shade", "tropical", "desert", "kitchen", "climbing"];
    let grown =
        (20..32).zip(tags.iter().cycle()).map(|(id, tag)| row(id, &format!("Plant no. {id}"), tag, State::Stored));
    let all: Vec<Row> = rows().into_iter().chain(grown).collect();
    update(&mut model, window(all));
    press(&mut model, "4");
    model
}

/// Somewhat later: what grows has grown, what was said has arrived.
fn later(mut model: Model) -> Model {
    update(&mut model, Msg::Now(Timestamp(NOON.0 + 5_000)));
    model
}

/// What is left of everything that does not stay.
fn of_all_ends() -> Model {
    let mut model = shelves();
    ended(&mut model, Ask::Delete(PlantId(24)), answer(204, "No Content", ""), None);
    ended(&mut model, add(33, "Rejected rose", "kitchen"), answer(422, "Unprocessable Content", ""), None);
    press(&mut model, "<esc>");
    ended(&mut model, add(34, "Never sent", "kitchen"), failed(FailureKind::NotConnected), None);
    let rest = model.table.window.rows.iter().filter(|row| row.id != PlantId(24)).cloned().collect();
    update(&mut model, window(rest));
    later(model)
}

/// After an exchange that ended so; a form that came back is closed.
fn after(ask: Ask, ending: Ending) -> Model {
    let mut model = shelves();
    ended(&mut model, ask, ending, None);
    if model.overlay.is_some() {
        press(&mut model, "<esc>");
    }
    later(model)
}

/// An add that has been out for so long.
fn out(millis: i64) -> Model {
    let mut model = shelves();
    press(&mut model, "aMoon cactus<tab><tab>desert<enter>");
    let id = model.flights[0].operation.ask.plant_id();
    let adding = row(id.0, "Moon cactus", "desert", State::Adding);
    let all = model.table.window.rows.iter().cloned().chain([adding]).collect();
    update(&mut model, window(all));
    update(&mut model, Msg::Now(Timestamp(NOON.0 + millis)));
    model
}

fn wire() -> Model {
    let mut model = after(add(9, "Fern", "shade"), answer(201, "Created", r#"{"name":"Fern","tag":"shade"}"#));
    press(&mut model, "p");
    model
}

fn many() -> Model {
    let mut model = fresh(true);
    let all: Vec<Row> =
        (1..=400).map(|id| row(id, &format!("No. {id}"), &format!("tag {}", id % 37), State::Stored)).collect();
    let tally = Tally { stored: 12_345, ..Tally::default() };
    let request = WindowRequest { anchor: Anchor::Top, rows: 400, arrangement: Arrangement::default() };
    let window = Window { rows: all, first: 0, total: 12_345, tally, next_id: PlantId(12_346), late: None };
    update(&mut model, Msg::Window(Box::new(request), Ok(window)));
    press(&mut model, "4<pagedown><pagedown>");
    model
}

/// On the tour, so many steps on; what the journal is asked for arrives.
fn on_tour(steps: usize) -> Model {
    let mut model = shelves();
    press(&mut model, "t");
    for _ in 0..steps {
        let rows = model.table.window.rows.clone();
        update(&mut model, window(rows));
        press(&mut model, " ");
    }
    let rows = model.table.window.rows.clone();
    update(&mut model, window(rows));
    model
}

/// A token half typed before an audience.
fn typed_before_audience() -> Model {
    let mut model = shelves();
    press(&mut model, "<f5>Tcanary");
    model
}

fn presented() -> Model {
    let mut model = of_all_ends();
    press(&mut model, "<f5><left><right>");
    model
}

pub(super) fn scenes() -> Vec<(&'static str, Model)> {
    let fern = || add(9, "Fern", "shade");
    let mut bad_weather = shelves();
    press(&mut bad_weather, "w<down><down><enter>");
    assert_eq!(bad_weather.greenhouse.sky, Sky::LosingAnswers);
    let mut weather = shelves();
    press(&mut weather, "w");
    vec![
        ("greenhouse", later(shelves())),
        ("greenhouse_ends", of_all_ends()),
        ("greenhouse_out", out(300)),
        ("greenhouse_waits", out(1_500)),
        ("greenhouse_yes", after(fern(), answer(201, "Created", r#"{"name":"Fern","tag":"shade"}"#))),
        ("greenhouse_unlike", after(fern(), answer(200, "OK", r#"{"name":"Farn","tag":"shade"}"#))),
        ("greenhouse_no", after(fern(), answer(409, "Conflict", ""))),
        ("greenhouse_neither", after(fern(), answer(503, "Service Unavailable", ""))),
        ("greenhouse_lost", after(fern(), failed(FailureKind::TimedOut))),
        ("greenhouse_unsent", after(fern(), failed(FailureKind::NotConnected))),
        ("greenhouse_hostile", after(hostile_exchange().operation.ask, hostile_exchange().ending)),
        ("greenhouse_wire", wire()),
        ("greenhouse_many", many()),
        ("greenhouse_weather", weather),
        ("greenhouse_bad_weather", bad_weather),
        ("tour", on_tour(0)),
        ("tour_form", on_tour(1)),
        ("presented_token", typed_before_audience()),
        ("presented", presented()),
    ]
}

#[test]
fn what_moves_is_told_by_model_and_time_alone() {
    // From the seed to the plant, each frame drawn twice and in another order.
    let frame = |millis: i64| {
        let mut model = out(0);
        let operation = model.flights[0].operation.clone();
        let id = operation.ask.plant_id();
        let exchange = Exchange { operation, ..exchange(monstera(), answer(201, "Created", "")) };
        let (recorded, overtaken, row, in_doubt) = (Ok(()), false, None, None);
        let ended = Ended { exchange, recorded, overtaken, token: 0, row, in_doubt };
        update(&mut model, Msg::Report(Box::new(Report::Ended(Box::new(ended)))));
        let all = model.table.window.rows.iter().cloned();
        let stored = all.map(|row| if row.id == id { Row { state: State::Stored, ..row } } else { row });
        let stored = stored.collect();
        update(&mut model, window(stored));
        update(&mut model, Msg::Now(Timestamp(NOON.0 + millis)));
        let moves = model.is_moving();
        (text(&drawn(&mut model, &dark(), (120, 36))), moves)
    };
    let times: Vec<i64> = (0..=2_000).step_by(100).collect();
    let frames: Vec<_> = times.iter().map(|millis| frame(*millis)).collect();
    let again: Vec<_> = times.iter().rev().map(|millis| frame(*millis)).collect();
    assert_eq!(frames, again.into_iter().rev().collect::<Vec<_>>());
    let mut different: Vec<_> = frames.iter().map(|(shown, _)| shown).collect();
    different.dedup();
    assert!(different.len() >= 5, "it grows in {} steps", different.len());
    // It comes to rest, and then nothing is drawn any more.
    assert!(frames[0].1 && !frames.last().unwrap().1);
}

#[test]
fn a_clock_that_is_set_back_moves_nothing_for_ever() {
    let mut model = shelves();
    ended(&mut model, add(9, "Fern", "shade"), answer(201, "Created", ""), None);
    assert!(model.is_moving());
    update(&mut model, Msg::Now(Timestamp(NOON.0 - 3_600_000)));
    assert!(!model.is_moving());
}

#[test]
fn before_an_audience_not_even_the_length_of_a_token_shows() {
    let shown = |typed: &str| {
        let mut model = shelves();
        press(&mut model, &format!("<f5>T{typed}"));
        text(&drawn(&mut model, &dark(), (120, 36)))
    };
    assert_eq!(shown("canary"), shown("a-much-longer-canary"));
    assert_ne!(shown("canary"), shown(""));
}

#[test]
fn the_picture_goes_with_the_selection() {
    let mut model = after(add(9, "Fern", "shade"), answer(201, "Created", r#"{"name":"Fern","tag":"shade"}"#));
    let shown = |model: &mut Model| text(&drawn(model, &dark(), (120, 36)));
    assert!(shown(&mut model).contains("Fern is now plant 9."));
    update(&mut model, Msg::Clicked(plants::app::Target::Plant(PlantId(7))));
    assert!(!shown(&mut model).contains("Fern is now plant 9."));
    told(&mut model, 7, vec![exchange(monstera(), answer(409, "Conflict", ""))], None);
    assert!(shown(&mut model).contains("Monstera deliciosa was not added."));
}

#[test]
fn nothing_moves_where_nothing_may() {
    for mut model in [out(300), out(1_500)] {
        assert!(model.is_moving());
        model.still = true;
        assert!(!model.is_moving());
        let one = text(&drawn(&mut model, &dark(), (120, 36)));
        assert!(
            one.contains("on its way") && one.contains("no answer yet") && !one.contains("no answer yet, "),
            "{one}"
        );
    }
}

#[test]
fn hundreds_of_pots_can_be_reached_by_keys() {
    let mut model = many();
    drawn(&mut model, &dark(), (120, 36));
    press(&mut model, "<home>");
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..400 {
        seen.insert(model.table.selected.unwrap());
        let screen = text(&drawn(&mut model, &dark(), (120, 36)));
        assert!(screen.contains(&format!("▸No. {}", model.table.selected.unwrap())), "{screen}");
        press(&mut model, "<right>");
    }
    assert_eq!(seen.len(), 400);
    // Down and up again is where one was.
    press(&mut model, "<home><right>");
    let before = model.table.selected;
    press(&mut model, "<down><down><up><up>");
    assert_eq!(model.table.selected, before);
}
