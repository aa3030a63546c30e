//! The tour, from stop to stop: what it does, and what it says when the store does something else.

use std::collections::{BTreeSet, VecDeque};

use super::connection::known;
use super::*;
use crate::config::{ConnectionTarget, LanguageChoice};
use crate::demo::WeatherPreset::{self, Calm, LosingResponses, Slow};
use crate::domain::Language;
use crate::tui::input::Command;
use crate::tui::message::Target;
use crate::tui::ui_effect::Tab;

/// Where the captions need two lines.
const NARROW: (u16, u16) = (80, 40);

const AT_WORK: &str = "The journal is at work …";
const ON_ITS_WAY: &str = "The request is on its way …";
const OTHERWISE: &str = "This did not go as planned: the picture shows what is known.";

/// The status of a response, `None` if it was lost, and the state of the plant that the journal has then.
type End = (Option<u16>, Option<State>);

/// How the request of each stop ends, and the caption at the end of the stop.
const STOPS: [(Option<End>, &str); 10] = [
    (None, "Every plant has a pot on the shelf of its tag, at a demo store inside this program."),
    (None, "The tour has pressed a : a plant has a name, a number and a tag, and nothing is sent yet."),
    (
        Some((Some(201), Some(State::Stored))),
        "The tour made the store slow, so the seed waited in its pot, and grew when the store said yes.",
    ),
    (None, "The number is taken now, so the program warns you, and leaves it to the store to decide."),
    (Some((Some(409), Some(State::Stored))), "The store said no, so the request bounced off, and nothing has changed."),
    (
        Some((None, Some(State::Unknown))),
        "No response came back this time, so it is unknown whether the store has the orchid.",
    ),
    (None, "The tour has pressed u : you decide that yourself, as the store cannot be asked what it has."),
    (None, "The tour has answered for you: the orchid counts as stored, and nothing was sent for that."),
    (None, "The tour has pressed d to delete a plant, and the program asks you first."),
    (Some((Some(204), None)), "The store said yes, so the orchid is gone, and ? shows you every key."),
];

/// The program with a journal that answers when the test lets it.
struct Walk {
    app: App,
    rows: Vec<Row>,
    asked: VecDeque<Effect>,
    sent: Vec<Operation>,
    weather: Vec<WeatherPreset>,
    /// Whether the journal can store a resolution.
    can_store: bool,
}

impl Walk {
    fn new(mut app: App) -> Self {
        app.cx.session.info.demo = true;
        let (asked, sent, weather) = (VecDeque::new(), Vec::new(), Vec::new());
        Self { app, rows: vec![named(7, "Fern")], asked, sent, weather, can_store: true }
    }

    /// Begins the tour, where a person has typed a form and closed it unsent.
    fn begin() -> Self {
        let mut walk = Self::new(new_app());
        press(&mut walk.app, "aMine<esc>");
        walk.app.update(window(&walk.rows));
        walk.press("t");
        walk
    }

    /// Begins the tour, and goes on to a stop whose request has not ended.
    fn to(stop: usize) -> Self {
        let mut walk = Self::begin();
        for (end, _) in &STOPS[..stop - 1] {
            walk.read();
            if let Some(end) = end {
                walk.ends(*end);
            }
            walk.press(" ");
        }
        walk.read();
        walk
    }

    fn press(&mut self, keys: &str) {
        let effects = press(&mut self.app, keys);
        self.asked.extend(effects);
    }

    /// Lets the journal answer everything.
    fn read(&mut self) {
        while let Some(effect) = self.asked.pop_front() {
            if let Some(message) = self.answer(effect) {
                let effects = self.app.update(message);
                self.asked.extend(effects);
            }
        }
    }

    fn answer(&mut self, effect: Effect) -> Option<Msg> {
        let is_unknown = |row: &&Row| row.state == State::Unknown;
        if let Effect::Load(_) = effect {
            Some(window(&self.rows))
        } else if let Effect::LoadPlantHistory(id) = effect {
            let row = self.rows.iter().find(|row| row.id == id).cloned();
            let unknown = row.as_ref().filter(is_unknown);
            let unknown = unknown.map(|row| unknown_operation(1, OperationKind::Delete(row.id)));
            Some(Msg::PlantHistory(id, Ok(Box::new(PlantHistory { row, unknown, exchanges: Vec::new() }))))
        } else if let Effect::FindUnknown = effect {
            Some(Msg::Unknown(Ok(self.rows.iter().filter(is_unknown).cloned().collect())))
        } else if let Effect::Resolve(seen, resolution) = effect {
            let id = seen[0].id;
            if !self.can_store {
                return Some(Msg::Resolved(vec![id], resolution, Err(JournalError::Closed)));
            }
            self.becomes(id, Some(State::Stored));
            Some(Msg::Resolved(vec![id], resolution, Ok(vec![Ok(())])))
        } else if let Effect::Send(operation) = effect {
            let id = operation.kind.plant_id();
            if let Some(plant) = operation.kind.plant().filter(|_| self.rows.iter().all(|row| row.id != id)) {
                self.rows.push(Row { details: Some(Details::from(plant)), ..row(id.0, State::Adding) });
            }
            let recorded = Msg::Report(Box::new(Report::Recorded(operation.id)));
            self.sent.push(operation);
            Some(recorded)
        } else {
            if let Effect::Weather(preset) = effect {
                self.weather.push(preset);
            }
            None
        }
    }

    fn becomes(&mut self, plant: PlantId, state: Option<State>) {
        match state {
            Some(state) => self.rows.iter_mut().filter(|row| row.id == plant).for_each(|row| row.state = state),
            None => self.rows.retain(|row| row.id != plant),
        }
    }

    /// Ends the request in flight.
    fn ends(&mut self, (status, state): End) {
        let operation = self.sent.pop().expect("a request is in flight");
        self.becomes(operation.kind.plant_id(), state);
        let end = match status {
            Some(status) => responded(&operation, status),
            None => failed(&operation, FailureKind::NoResponse),
        };
        let effects = self.app.update(end);
        self.asked.extend(effects);
        self.read();
        // The arrow of the response is drawn.
        self.app.cx.out.now.0 += 1_200;
        let effects = self.app.update(Msg::Tick);
        self.asked.extend(effects);
        self.read();
    }

    /// Returns the number of the stop and its caption, as they are drawn.
    fn caption(&self) -> (usize, String) {
        let rows = frame::screen_at(&self.app, NARROW);
        let at = rows.iter().position(|row| row.contains("Tour, ")).expect("a caption is drawn");
        let number = rows[at].split_once("Tour, ").and_then(|(_, number)| number.split(' ').next()).unwrap();
        let lines = rows[at + 1..].iter().take_while(|row| row.starts_with('│'));
        let words = lines.flat_map(|row| row.trim_matches('│').split_whitespace());
        (number.parse().unwrap(), words.collect::<Vec<_>>().join(" "))
    }

    /// Returns the names of the forms that were closed unsent.
    fn drafts(&self) -> Vec<&str> {
        self.app.cx.session.drafts.iter().map(|draft| draft.name.text()).collect()
    }
}

#[test]
fn each_stop_does_what_its_caption_says() {
    let mut walk = Walk::begin();
    // No other store is configured.
    walk.app.cx.session.stores.known =
        known().into_iter().filter(|store| store.target == ConnectionTarget::Demo).collect();
    for (at, (end, caption)) in (1..).zip(STOPS) {
        if at > 1 {
            walk.press(" ");
        }
        if [1, 8].contains(&at) {
            assert_eq!(walk.caption(), (at, AT_WORK.to_owned()));
        }
        walk.read();
        if let Some(end) = end {
            assert_eq!(walk.caption(), (at, ON_ITS_WAY.to_owned()));
            // Space is too early.
            walk.press(" ");
            assert_eq!(walk.caption(), (at, ON_ITS_WAY.to_owned()));
            walk.ends(end);
        }
        assert_eq!(walk.caption(), (at, caption.to_owned()));
        assert_eq!(walk.app.cx.display.tab, Tab::Greenhouse);
    }
    assert_eq!(walk.weather, [Calm, Slow, Calm, LosingResponses, Calm]);
    walk.press(" ");
    assert_eq!((walk.app.cx.display.on_tour, status_line(&walk.app)), (false, "The tour is over."));
    assert_eq!(walk.rows.iter().filter_map(Row::name).collect::<Vec<_>>(), ["Fern", "Moon cactus"]);
    assert_eq!(walk.drafts(), ["Mine"]);
}

/// Columns and rows.
const SIZES: [(u16, u16); 3] = [(120, 36), (80, 24), (60, 20)];

#[test]
fn at_no_stop_a_text_is_cut_in_any_language() {
    for (at, (end, _)) in (1..).zip(STOPS) {
        let mut walk = Walk::to(at);
        if let Some(end) = end {
            walk.ends(end);
        }
        for (language, size) in Language::ALL.into_iter().flat_map(|language| SIZES.map(|size| (language, size))) {
            walk.app.cx.display.of_locale = language;
            for presenting in [false, true] {
                walk.app.cx.display.presenting = presenting;
                let rows = frame::screen_at(&walk.app, size);
                assert!(rows.iter().all(|row| !row.contains('…')), "{language:?} {size:?} {presenting}: {rows:#?}");
            }
        }
    }
}

/// What is the same in German: names and addresses, of keys and of what is typed.
const COMMON: [&str; 19] = [
    "Check", "Down", "Space", "Tab", "api", "was", "Demo", "Enter", "Esc", "Fern", "Ivy", "Leaf", "Name", "Plants",
    "Status", "Token", "Tour", "http", "plants",
];

/// Returns the words on screen while a person goes through the tour and then does this and that in the Greenhouse.
fn words_of_a_demo(language: LanguageChoice) -> Vec<(String, BTreeSet<String>)> {
    let mut walk = Walk::new(new_app());
    walk.app.cx.display.language = language;
    walk.app.update(window(&walk.rows));
    let mut seen = Vec::new();
    let mut see = |app: &App, what: String| {
        let rows = [(120, 36), (80, 24), (60, 20)].map(|size| frame::screen_at(app, size).join(" ")).join(" ");
        let words = rows.split(|letter: char| !letter.is_alphabetic()).filter(|word| word.len() > 2);
        seen.push((what, words.filter(|word| !COMMON.contains(word)).map(str::to_owned).collect()));
    };
    walk.press("t");
    for (at, (end, _)) in (1..).zip(STOPS) {
        see(&walk.app, format!("stop {at}, under way"));
        walk.read();
        if let Some(end) = end {
            walk.ends(end);
        }
        see(&walk.app, format!("stop {at}"));
        walk.press(" ");
    }
    // One in flight, then unknown.
    for keys in [
        "",
        "r",
        "u",
        "z",
        "<esc>",
        "%",
        "aIvy<tab>70<tab>Leaf",
        "<enter>",
        "<esc>",
        "w",
        "<esc>",
        "n",
        "b",
        "<esc>",
        "D9",
        "<esc>",
    ] {
        walk.press(keys);
        see(&walk.app, keys.to_owned());
        walk.read();
    }
    walk.ends((None, Some(State::Unknown)));
    for keys in ["", "u", "<esc>", "d", "<esc>", " ", "<esc>", "q", "<esc>", "/x", "<esc>"] {
        walk.press(keys);
        walk.read();
        see(&walk.app, format!("unknown: {keys}"));
    }
    walk.app.cx.session.info.demo = false;
    walk.press("w");
    walk.app.cx.session.info.read_only = true;
    see(&walk.app, "at an own store".to_owned());
    walk.press("d");
    see(&walk.app, "read-only".to_owned());
    seen
}

#[test]
fn a_german_audience_reads_no_word_of_english() {
    let [german, english] = [LanguageChoice::De, LanguageChoice::En].map(words_of_a_demo);
    let both = german.into_iter().zip(english).map(|((what, german), (_, english))| (what, &german & &english));
    let both: Vec<_> = both.filter(|(_, words)| !words.is_empty()).collect();
    assert!(both.is_empty(), "{both:?}");
}

#[test]
fn the_keys_of_a_clicker_go_on_and_look_back_without_undoing_anything() {
    let mut walk = Walk::to(3);
    for (keys, stop) in [("<left>", 2), ("<pageup>", 1), ("<left>", 1), ("<pagedown>", 2)] {
        walk.press(keys);
        assert_eq!(walk.caption(), (stop, STOPS[stop - 1].1.to_owned()));
    }
    assert_eq!((walk.sent.len(), walk.rows.len()), (1, 2));
    walk.press("<right>");
    assert_eq!(walk.caption(), (3, ON_ITS_WAY.to_owned()));
    walk.ends((Some(201), Some(State::Stored)));
    walk.press("<enter>");
    walk.read();
    assert_eq!(walk.caption(), (4, STOPS[3].1.to_owned()));
    // The key that ends the tour does nothing in the Greenhouse until another is pressed.
    for key in [" ", "<enter>", "<right>"] {
        let mut walk = Walk::to(10);
        walk.ends((Some(204), None));
        let state = |walk: &Walk| {
            let (plants, display) = (&walk.app.cx.session.plants, &walk.app.cx.display);
            (plants.marked.len(), plants.selected, display.has_dialog, display.tab, display.on_tour)
        };
        walk.press(key);
        let ended = state(&walk);
        walk.press(key);
        assert!(state(&walk) == ended && !ended.4, "{key}");
        walk.press(&format!("<home>{key}"));
        assert!(state(&walk) != ended, "{key}");
    }
    // What went otherwise than planned is read again as it was.
    let mut walk = Walk::to(3);
    walk.ends((Some(409), None));
    walk.press(" <left>");
    assert_eq!(walk.caption(), (3, OTHERWISE.to_owned()));
}

#[test]
fn before_an_audience_the_tour_shows_the_keys_that_it_presses() {
    let mut walk = Walk::begin();
    walk.press("<f5>");
    walk.read();
    walk.press("<right>");
    let shown = frame::screen_at(&walk.app, (120, 36));
    assert!(shown[0].ends_with("  a") && !shown[0].contains("Right"), "{}", shown[0]);
}

#[test]
fn presentation_mode_begins_and_ends_in_every_stop() {
    for stop in 1..=10 {
        let mut walk = Walk::to(stop);
        let caption = walk.caption();
        walk.press("<f5>");
        assert!(walk.app.cx.display.presenting, "stop {stop}");
        walk.press("<f5>");
        assert!(!walk.app.cx.display.presenting && walk.caption() == caption, "stop {stop}");
    }
}

#[test]
fn who_stays_at_a_store_instead_of_going_to_the_tour_is_where_they_were() {
    for keys in ["<enter>", "<esc>"] {
        let mut app = new_app();
        app.cx.session.stores.known = known();
        press(&mut app, "t");
        assert!(title(&app).starts_with("Leave "), "{}", title(&app));
        press(&mut app, keys);
        assert!(!app.cx.display.has_dialog, "{keys}");
    }
}

#[test]
fn the_tour_fills_in_the_form_and_marks_the_choices_that_it_takes() {
    let walk = Walk::to(2);
    let cactus = Plant { name: "Moon cactus".into(), id: PlantId(8), tag: "desert".into() };
    assert_eq!(draft(&walk.app).plant(), Some(cactus));
    let orchid = PlantId(9);
    let walk = Walk::to(7);
    assert!(matches!(chosen(&walk.app), Act::Resolve(seen, Resolution::MarkStored) if seen[0].id == orchid));
    assert_eq!(chosen(&Walk::to(9).app), Act::Send(OperationKind::Delete(orchid)));
}

#[test]
fn a_stop_that_went_otherwise_says_so() {
    for (stop, end) in [
        (3, (Some(409), None)),
        (5, (Some(201), Some(State::Stored))),
        (6, (Some(201), Some(State::Stored))),
        // Another process has added the plant again.
        (10, (Some(204), Some(State::Stored))),
    ] {
        let mut walk = Walk::to(stop);
        walk.ends(end);
        assert_eq!(walk.caption(), (stop, OTHERWISE.to_owned()));
    }
    // Nothing is there to resolve.
    let mut walk = Walk::to(6);
    walk.ends((Some(201), Some(State::Stored)));
    walk.press(" ");
    walk.read();
    assert_eq!(walk.caption(), (7, OTHERWISE.to_owned()));
    // The journal cannot store what was decided.
    let mut walk = Walk::to(7);
    walk.can_store = false;
    walk.press(" ");
    walk.read();
    assert_eq!(walk.caption(), (8, OTHERWISE.to_owned()));
    // No form opens.
    let mut walk = Walk::to(1);
    walk.app.update(Msg::WorkerDied("boom".into()));
    walk.press(" ");
    walk.read();
    assert_eq!(walk.caption(), (2, OTHERWISE.to_owned()));
}

#[test]
fn the_tour_presses_no_key_in_a_prompt_that_opened_by_itself() {
    let mut walk = Walk::to(3);
    walk.ends((Some(401), None));
    assert_eq!(walk.caption(), (3, OTHERWISE.to_owned()));
    walk.press(" ");
    walk.read();
    assert_eq!(walk.caption(), (4, OTHERWISE.to_owned()));
    assert!(title(&walk.app).starts_with("Token for"), "{}", title(&walk.app));
    assert_eq!(dialog(&walk.app).fault(), None);
}

#[test]
fn leaving_the_tour_closes_its_form_and_keeps_what_a_person_typed() {
    let mut walk = Walk::to(2);
    walk.app.cx.session.stores.known = known();
    walk.press("<esc> ");
    assert_eq!(walk.caption().0, 3, "it asks first");
    let mut walk = Walk::to(2);
    walk.app.cx.session.stores.known = known();
    walk.press("<esc><esc>");
    let left = "You have left the tour. This is the demo store: c goes to yours.";
    assert_eq!((!walk.app.cx.display.has_dialog, status_line(&walk.app)), (true, left));
    assert_eq!(walk.drafts(), ["Mine"]);
    let mut walk = Walk::to(2);
    walk.app.cx.display.language = LanguageChoice::De;
    assert!(
        frame::screen(&walk.app)[..2].iter().any(|row| row.contains("im Laden: ")),
        "{:#?}",
        frame::screen(&walk.app)
    );
    walk.press("<esc><esc>");
    assert_eq!(status_line(&walk.app), "Du hast die Tour verlassen.");
    let mut walk = Walk::to(3);
    walk.press("<esc><esc>");
    assert!(status_line(&walk.app).starts_with("You have left the tour. What it added stays."));
    // A question closes, too: no key answers it.
    for stop in [7, 9] {
        let mut walk = Walk::to(stop);
        walk.press("<esc><esc>");
        walk.read();
        assert!(status_line(&walk.app).starts_with("You have left the tour."), "{}", status_line(&walk.app));
        assert!(!walk.app.cx.display.has_dialog, "stop {stop}");
    }
    // A plant that the store rejected before the tour stays, too.
    let mut walk = Walk::new(new_app());
    let operations = sent(&press(&mut walk.app, "4aIvy<tab><tab>t<enter>"));
    walk.app.update(responded(&operations[0], 409));
    walk.press("t<esc><esc>");
    assert_eq!(walk.drafts(), ["Ivy"]);
}

#[test]
fn after_the_tour_the_weather_is_the_one_before_it() {
    let mut walk = Walk::new(new_app());
    walk.app.update(window(&walk.rows));
    walk.press(":weather slow<enter>t");
    assert_eq!(walk.app.cx.session.weather, Calm);
    walk.press("<esc><esc>");
    assert_eq!(walk.app.cx.session.weather, Slow);
    assert!(status_line(&walk.app).ends_with("The weather is as it was before."), "{}", status_line(&walk.app));
}

#[test]
fn mouse_and_paste_change_nothing_on_the_tour() {
    let mut walk = Walk::to(2);
    let typed = draft(&walk.app).plant();
    walk.app.update(pasted("x".into()));
    walk.app.update(clicked(Target::Command(Command::Close)));
    assert_eq!((draft(&walk.app).plant(), walk.app.cx.display.tab), (typed, Tab::Greenhouse));
}

#[test]
fn the_tour_can_begin_with_the_program() {
    let sample = |id| Plant { name: format!("sample {id}"), id: PlantId(id), tag: "t".into() };
    let mut app = App::new(StoreInfo { demo: true, ..info() }, Keymap::default(), Some(token()));
    let _ = app.begin(vec![sample(1), sample(2)]);
    assert!(app.begin_tour().contains(&Effect::Weather(Calm)));
    assert_eq!(Walk::new(app).caption(), (1, "The first plants are being added …".to_owned()));
    let mut app = App::new(StoreInfo { demo: true, read_only: true, ..info() }, Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    assert_eq!(app.begin_tour(), []);
    assert!(status_line(&app).starts_with("There is no tour now: read-only"), "{}", status_line(&app));
}

#[test]
fn the_tour_begins_without_filter_and_marks() {
    let mut walk = Walk::new(new_app());
    walk.app.update(window(&walk.rows));
    walk.press(" /fern<enter>t");
    assert_eq!(walk.app.cx.session.plants.filter.text(), "");
    assert!(walk.app.cx.session.plants.marked.is_empty());
    assert!(
        walk.asked
            .iter()
            .any(|effect| matches!(effect, Effect::Load(asked) if asked.arrangement == Arrangement::default()))
    );
}
