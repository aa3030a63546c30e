//! The lists of the tabs as they are drawn: panes, positions, headings, the wheel, and the lines around them.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::{Position, Rect};

use super::tabs::{history_came, in_history, line, log, request, stored};
use super::*;
use crate::check::EarlierRuns;
use crate::domain::filter::List;
use crate::domain::{Header, LocalTime, OutcomeCounts, RunId};
use crate::import::{Progress, RowCounts};
use crate::journal::{HistoryRequest, HistoryRow, HistoryWindow, RunLine, StoredExchange};
use crate::text::Marks;
use crate::tui::input::{Command, Tab};
use crate::tui::message::Target;
use crate::tui::widgets::theme::{Depth, Palette, Theme};

/// A frame: its rows, and what the mouse can hit.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) rows: Vec<String>,
    targets: Vec<(Rect, Target)>,
}

impl Drawn {
    fn hit(&self, x: usize, y: usize) -> Option<Target> {
        let at = Position { x: u16::try_from(x).unwrap(), y: u16::try_from(y).unwrap() };
        self.targets.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, target)| *target)
    }

    /// Returns the row index of the first row with these words.
    #[track_caller]
    fn row(&self, words: &str) -> usize {
        self.rows.iter().position(|row| row.contains(words)).unwrap_or_else(|| panic!("no {words:?}: {self:#?}"))
    }
}

/// Returns the column of the first of these words.
fn column(row: &str, words: &str) -> Option<usize> {
    row.split_once(words).map(|(before, _)| before.chars().count())
}

/// Draws twice, as the event loop does where the first frame has changed the app.
pub(super) fn drawn(app: &mut App, (width, height): (u16, u16)) -> Drawn {
    let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let mut targets = Vec::new();
    for _ in 0..2 {
        let mut map = None;
        terminal.draw(|frame| map = Some(app.view(&theme, frame))).unwrap();
        let map = map.unwrap();
        app.update(shown(map.layout));
        targets = map.targets;
    }
    let buffer = terminal.backend().buffer();
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    Drawn { rows: (0..height).map(row).collect(), targets }
}

/// Returns an accepted add of the plant that [`row`] returns, whose response has so many headers.
fn added(id: i64, headers: usize) -> Exchange {
    let plant = Plant { name: format!("plant {id}"), id: PlantId(id), tag: "t".into() };
    let operation = Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::add(plant), Timestamp(0));
    let headers = (0..headers).map(|at| Header { name: format!("x-{at}"), value: "y".into() });
    let response = Response {
        status: 201,
        reason: "Created".into(),
        version: "HTTP/1.1".into(),
        headers: headers.collect(),
        body: Vec::new(),
        body_end: BodyEnd::Complete,
    };
    let failed = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
    Exchange { ending: Ending::Responded(response), ..failed }
}

/// The history of the plant that [`row`] returns has arrived, with so many adds of it.
fn adds_came(app: &mut App, id: i64, count: usize, headers: usize) {
    let history =
        PlantHistory { row: Some(row(id, State::Stored)), unknown: None, exchanges: vec![added(id, headers); count] };
    app.update(Msg::PlantHistory(PlantId(id), Ok(Box::new(history))));
}

/// Returns an app in the Check tab, with a run that has begun.
fn checking() -> App {
    let mut app = in_history(0..0);
    press(&mut app, "3r<tab><enter>");
    app.update(Msg::EarlierRuns(7, Ok(EarlierRuns::default())));
    app
}

/// Returns an app in the Plants tab, with plants of the ids from 1 on.
fn with_plants(count: i64) -> App {
    let mut app = new_app();
    app.update(window(&(1..=count).map(|id| row(id, State::Stored)).collect::<Vec<_>>()));
    app
}

fn wheel(app: &mut App, over: Target, down: bool) -> Vec<Effect> {
    app.update(wheeled(over, down))
}

#[test]
fn the_pane_is_beside_the_list_from_a_width_on() {
    let has_two_titles = |row: &String| row.matches('╭').count() == 2;
    for (mut app, wide) in [(with_plants(1), 84), (in_history(0..3), 110), (checking(), 110)] {
        for (width, beside) in [(wide - 1, false), (wide, true)] {
            let rows = drawn(&mut app, (width, 24)).rows;
            assert_eq!(rows.iter().any(has_two_titles), beside, "{width}: {rows:#?}");
        }
    }
}

#[test]
fn the_position_is_on_the_border_if_not_all_plants_are_on_screen() {
    let size = (100, 20);
    let mut app = with_plants(40);
    let page =
        drawn(&mut app, size).rows.iter().filter(|row| row.contains("● stored") && row.contains("plant")).count();
    let shows = |app: &mut App, words: &str| drawn(app, size).rows.iter().any(|row| row.contains(words));
    assert!(shows(&mut app, &format!(" 1-{page} of 40 ")));
    press(&mut app, "<end>");
    assert!(shows(&mut app, &format!(" {}-40 of 40 ", 41 - page)));
    let page = i64::try_from(page).unwrap();
    assert!(!shows(&mut with_plants(page), " of "));
    assert!(shows(&mut with_plants(page + 1), &format!(" 1-{page} of {} ", page + 1)));
}

#[test]
fn page_keys_move_by_the_rows_on_screen() {
    let mut app = with_plants(60);
    app.update(shown(FrameLayout { page: 11, ..FrameLayout::default() }));
    press(&mut app, "<pagedown>");
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(11)));
    let mut app = in_history((0..60).rev());
    press(&mut app, "<pagedown>");
    assert_eq!(app.screens.history.list.selected_request(), Some(50));
}

#[test]
fn a_list_that_was_not_read_says_why_it_is_empty() {
    let mut app = new_app();
    assert!(frame::screen(&app).join("\n").contains("Reading the journal …"));
    app.update(Msg::Window(Box::new(around(None)), Err(JournalError::Panicked)));
    let screen = frame::screen(&app).join("\n");
    assert!(screen.contains("  The journal could not be read.") && !screen.contains("Reading"), "{screen}");
}

/// Asserts that these headings can be clicked, and no others, each over the whole width of its column.
#[track_caller]
fn headings_are_targets(drawn: &Drawn, y: usize, headings: &[(&str, Target)]) {
    let is_heading = |target: &Target| matches!(target, Target::Heading(_));
    let targets: Vec<_> = drawn.targets.iter().copied().filter(|(_, target)| is_heading(target)).collect();
    assert!(targets.iter().map(|(_, target)| target).eq(headings.iter().map(|(_, target)| target)), "{drawn:#?}");
    for ((area, _), (heading, target)) in targets.iter().zip(headings) {
        assert!(area.height == 1 && area.width > 0, "{heading}: {area:?}");
        if let Some(x) = column(&drawn.rows[y], heading) {
            assert_eq!(drawn.hit(x, y), Some(*target), "{heading}");
            assert_eq!(drawn.hit(x + heading.len() - 1, y), Some(*target), "{heading}");
        }
    }
    let gaps: Vec<_> = targets.windows(2).map(|pair| i32::from(pair[1].0.x) - i32::from(pair[0].0.right())).collect();
    assert!(gaps.iter().all(|gap| *gap == gaps[0] && *gap > 0), "{gaps:?} {targets:?}");
}

#[test]
fn a_click_on_a_heading_sorts_and_one_below_it_selects() {
    let of_plants = [
        ("ID", Target::Heading(0)),
        ("NAME", Target::Heading(1)),
        ("TAG", Target::Heading(2)),
        ("STATE", Target::Heading(3)),
        ("SINCE", Target::Heading(4)),
    ];
    let of_history = [
        ("STARTED", Target::Heading(0)),
        ("WHAT", Target::Heading(1)),
        ("PLANT", Target::Heading(2)),
        ("STATUS", Target::Heading(3)),
        ("OUTCOME", Target::Heading(4)),
        ("SIZE", Target::Heading(5)),
        ("TOOK", Target::Heading(6)),
    ];
    let mut left_out = Vec::new();
    for width in [50, 54, 60, 83, 100, 160] {
        let mut app = new_app();
        app.update(window(&[named(7, &"long name ".repeat(9))]));
        let plants = drawn(&mut app, (width, 24));
        let y = plants.row("STATE");
        let is_drawn = |heading: &str| column(&plants.rows[y], heading).is_some();
        left_out.extend(["SINCE"].into_iter().filter(|heading| !is_drawn(heading)));
        let shown: Vec<_> = of_plants.into_iter().filter(|(heading, _)| is_drawn(heading)).collect();
        headings_are_targets(&plants, y, &shown);
        assert_eq!(plants.hit(5, y + 1), Some(Target::Plant(PlantId(7))), "{plants:#?}");
        let history = drawn(&mut in_history((3..6).rev()), (width, 24));
        let y = history.row("PLANT");
        // Where a plant would be cut for it, the status has no heading.
        let is_drawn = |heading: &str| heading == "STATUS" || column(&history.rows[y], heading).is_some();
        left_out.extend(["SIZE"].into_iter().filter(|heading| !is_drawn(heading)));
        let shown: Vec<_> = of_history.into_iter().filter(|(heading, _)| is_drawn(heading)).collect();
        headings_are_targets(&history, y, &shown);
        assert_eq!(history.hit(5, y + 1), Some(Target::Exchange(5)), "{history:#?}");
        assert_eq!(history.hit(5, y + 2), Some(Target::Exchange(4)), "{history:#?}");
    }
    assert!(left_out.contains(&"SINCE") && left_out.contains(&"SIZE"), "{left_out:?}");
}

#[test]
fn the_keys_in_the_last_row_are_targets_side_by_side() {
    let drawn = drawn(&mut with_plants(3), (160, 24));
    let keys: Vec<_> = drawn.targets.iter().filter(|(area, _)| area.y == 23).collect();
    assert!(keys.len() > 5, "{keys:?}");
    assert!(keys.windows(2).all(|pair| pair[0].0.right() == pair[1].0.x), "{keys:?}");
    let end = drawn.rows[23].chars().count();
    assert_eq!((drawn.hit(end - 1, 23).is_some(), drawn.hit(end + 3, 23)), (true, None), "{keys:?}");
}

#[test]
fn the_wheel_moves_the_selection_of_the_history_or_scrolls_its_pane() {
    let mut app = in_history((0..20).rev());
    for (over, down, selected) in [
        (Target::Exchange(3), true, 16),
        (Target::List, true, 13),
        (Target::Heading(6), true, 10),
        (Target::Run(RunId { origin: 1, started: Timestamp(1) }), false, 13),
    ] {
        wheel(&mut app, over, down);
        assert_eq!(app.screens.history.list.selected_request(), Some(selected));
    }
    let long = StoredExchange { exchange: added(13, 60), ..stored(13) };
    app.update(Msg::Inspected(13, Ok(Some(Box::new(long)))));
    let shows_first_header = |app: &mut App| drawn(app, (160, 30)).rows.iter().any(|row| row.contains("x-0: y"));
    assert!(shows_first_header(&mut app));
    for _ in 0..8 {
        wheel(&mut app, Target::Pane, true);
    }
    assert!(!shows_first_header(&mut app));
    assert_eq!(app.screens.history.list.selected_request(), Some(13));
    for _ in 0..8 {
        wheel(&mut app, Target::Pane, false);
    }
    assert!(shows_first_header(&mut app));
}

#[test]
fn the_wheel_scrolls_the_pane_of_the_plants_and_another_plant_begins_at_its_first_line() {
    let mut app = new_app();
    app.update(window(&[row(1, State::Stored), row(2, State::Stored)]));
    let shows_name = |app: &mut App| drawn(app, (160, 30)).rows.iter().any(|row| row.contains("name  plant"));
    adds_came(&mut app, 1, 1, 60);
    assert!(shows_name(&mut app));
    wheel(&mut app, Target::Pane, true);
    assert!(!shows_name(&mut app));
    assert_eq!(app.cx.session.plants.selected, Some(PlantId(1)));
    press(&mut app, "<down>");
    adds_came(&mut app, 2, 1, 60);
    assert!(shows_name(&mut app));
    wheel(&mut app, Target::Pane, true);
    assert!(!shows_name(&mut app));
    press(&mut app, "21");
    assert!(shows_name(&mut app), "after another tab");
}

#[test]
fn the_pane_says_how_many_earlier_requests_a_plant_has() {
    for (count, says) in [(1, None), (2, Some("1 earlier; Enter shows it")), (3, Some("2 earlier; Enter shows them"))] {
        let mut app = with_plants(1);
        adds_came(&mut app, 1, count, 2);
        let screen = frame::screen(&app).join("\n");
        assert_eq!(screen.contains("earlier"), says.is_some(), "{screen}");
        assert!(says.is_none_or(|says| screen.contains(says)), "{screen}");
    }
}

#[test]
fn the_pane_says_since_when_the_operation_of_a_plant_is_in_flight() {
    let mut app = new_app();
    app.update(window(&[]));
    app.update(Msg::Now(Timestamp(1_000)));
    press(&mut app, "aFern<tab><tab>t<enter>");
    app.update(window(&[Row { state: State::Adding, ..named(1, "Fern") }]));
    app.update(Msg::Now(Timestamp(6_900)));
    let screen = frame::screen(&app).join("\n");
    assert!(screen.contains(" in flight  for 5 s; times out after 30 s"), "{screen}");
    assert!(screen.contains("POST /api/plants"), "{screen}");
}

#[test]
fn another_tab_begins_with_the_keys_of_its_list_and_the_start_of_its_pane() {
    for tab in ["1", "2", "3"] {
        let mut app = new_app();
        app.update(window(&[]));
        press(&mut app, &format!("{tab}/fe"));
        assert_eq!(app.scope(), Scope::Picker);
        app.cx.screen.pane.fits(40, 10);
        app.cx.screen.pane.scroll(5);
        app.update(clicked(Target::Command(Command::GoTo(Tab::Greenhouse))));
        assert_eq!((app.scope(), app.cx.screen.pane.top), (Scope::Greenhouse, 0), "{tab}");
    }
}

#[test]
fn the_latest_three_operations_in_flight_are_above_the_history() {
    let in_flight = |count: usize| {
        let mut app = in_history(0..0);
        for name in ["a", "b", "c", "d", "e"].into_iter().take(count) {
            press(&mut app, &format!("a{name}<tab><tab>t<enter>"));
        }
        let rows = frame::screen(&app);
        let listed = rows.iter().filter_map(|row| row.split_once("in flight: ")?.1.split('│').next());
        listed.map(|row| row.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(in_flight(0), [""; 0]);
    assert_eq!(in_flight(2), ["add b (2)", "add a (1)"]);
    assert_eq!(in_flight(3), ["add c (3)", "add b (2)", "add a (1)"]);
    assert_eq!(in_flight(5), ["add e (5)", "add d (4)", "add c (3), and 2 more"]);
}

#[test]
fn a_filter_of_the_history_says_how_many_requests_match() {
    let mut app = in_history((0..60).rev());
    press(&mut app, "o");
    let search = List::Requests.parse("outcome:accepted", &LocalTime::default()).0.without_unasked_checks();
    let mut came = |count: i64, newer, older| {
        let asked = HistoryRequest { search: search.clone(), expanded: None, ..request(HistoryRequest::NEWEST) };
        history_came(&mut app, asked, log((0..count).rev(), newer, older));
        let drawn = drawn(&mut app, (100, 20));
        let border = drawn.rows.iter().find(|row| row.starts_with('╰')).unwrap_or_else(|| panic!("{drawn:#?}")).clone();
        let page = app.screens.history.list.view.page;
        (border.trim_start_matches("╰ / outcome:accepted ").trim_matches(['─', '╯', ' ']).to_owned(), page)
    };
    assert_eq!(came(1, false, false).0, "1 request matches");
    assert_eq!(came(2, false, false).0, "2 requests match");
    let (border, page) = came(60, false, false);
    assert_eq!(border, format!("1-{page} of 60 requests"));
    assert_eq!(came(i64::try_from(page).unwrap(), false, false).0, format!("{page} requests match"));
    assert_eq!(came(60, false, true).0, format!("1-{page} of 60+ requests"));
    assert_eq!(came(60, true, true).0, "newer and older ones not loaded");
    assert_eq!(came(2, true, false).0, "newer and older ones not loaded");
    assert_eq!(came(2, false, true).0, "");
}

#[test]
fn the_outcomes_are_filtered_by_in_turn() {
    let mut app = in_history((0..5).rev());
    let queries =
        ["outcome:accepted", "outcome:rejected", "outcome:unknown", "outcome:not_sent", "", "outcome:accepted"];
    for query in queries {
        press(&mut app, "o");
        let filter = &app.screens.history.list.filter;
        assert_eq!((filter.text(), filter.fault.is_none()), (query, true));
    }
    let mut app = in_history((0..5).rev());
    press(&mut app, "p");
    assert_eq!(app.screens.history.list.filter.text(), "id:4");
    press(&mut app, "o");
    assert_eq!(app.screens.history.list.filter.text(), "outcome:accepted");
}

#[test]
fn esc_goes_back_only_from_the_requests_of_the_plant_that_were_opened() {
    let mut app = in_history((0..5).rev());
    press(&mut app, "p");
    assert!(sorting::footer(&app).contains("Esc show all"), "{}", sorting::footer(&app));
    let mut app = with_plants(1);
    let effects = press(&mut app, "x");
    assert!(sorting::footer(&app).contains("Esc back"), "{}", sorting::footer(&app));
    for effect in effects {
        if let Effect::LoadHistory(request) = effect {
            app.update(Msg::History(Box::new(request), Ok(log(0..0, false, false))));
        }
    }
    press(&mut app, "p");
    assert!(!sorting::footer(&app).contains("Esc"), "{}", sorting::footer(&app));
    press(&mut app, "<esc>");
    assert_eq!(app.cx.display.tab, Tab::History);
}

#[test]
fn esc_dismisses_the_message_in_the_history() {
    let mut app = in_history((0..5).rev());
    app.cx.out.say("The plants are written.");
    press(&mut app, "<esc>");
    assert_eq!(message(&app), None);
}

#[test]
fn a_history_that_could_not_be_read_is_read_again_with_the_next_change() {
    let reads = |effects: &[Effect]| effects.iter().filter(|effect| matches!(effect, Effect::LoadHistory(_))).count();
    let mut app = in_history((0..5).rev());
    assert_eq!(reads(&app.update(Msg::JournalChanged)), 1);
    assert_eq!(reads(&app.update(Msg::JournalChanged)), 0);
    app.update(Msg::History(Box::new(request(HistoryRequest::NEWEST)), Err(JournalError::Panicked)));
    assert_eq!(reads(&app.update(Msg::JournalChanged)), 1);
}

#[test]
fn newer_requests_are_loaded_once_the_selection_is_near_the_first_one() {
    let mut app = in_history(0..0);
    history_came(&mut app, request(HistoryRequest::NEWEST), log((800..1200).rev(), true, false));
    for (index, loads) in [(350, false), (100, false), (99, true)] {
        let effects = app.update(clicked(Target::Exchange(1199 - index)));
        assert_eq!(app.screens.history.list.selected_request(), Some(1199 - index));
        assert_eq!(
            effects.iter().any(|effect| matches!(effect, Effect::LoadHistory(_))),
            loads,
            "{index}: {effects:?}"
        );
    }
}

#[test]
fn the_end_of_a_history_that_is_loaded_is_selected_at_once() {
    let mut app = in_history((0..5).rev());
    assert_eq!(press(&mut app, "<end>"), [Effect::Inspect(0)]);
    assert_eq!(app.screens.history.list.selected_request(), Some(0));
    assert_eq!(press(&mut app, "<home>"), [Effect::Inspect(4)]);
}

#[test]
fn a_request_is_not_compared_with_itself() {
    let mut app = in_history((0..5).rev());
    assert_eq!(press(&mut app, " v"), []);
    assert!(status_line(&app).contains("mark one request and select another"), "{}", status_line(&app));
    assert_eq!(press(&mut app, "<down>v").last(), Some(&Effect::Compare(3, 4, Marks::Unicode)));
}

#[test]
fn a_request_that_is_being_read_is_not_read_again_when_another_one_arrives() {
    let mut app = in_history((0..5).rev());
    press(&mut app, "<down>");
    assert_eq!(app.update(Msg::Inspected(4, Ok(Some(Box::new(stored(4)))))), []);
}

#[test]
fn a_run_in_the_history_says_as_much_as_fits() {
    let run = RunLine {
        id: RunId { origin: 1, started: Timestamp(5) },
        number: 8,
        counts: [0, 4, 0, 0],
        diagnosis: None,
        elapsed: Duration::from_millis(20),
    };
    let whole = "+ 4 requests: ✗ 4";
    let mut app = in_history(0..0);
    let lines = vec![HistoryRow::Run(run), HistoryRow::Request(line(4, Outcome::Accepted))];
    history_came(&mut app, request(HistoryRequest::NEWEST), HistoryWindow { lines, newer: false, older: false });
    let mut rooms = Vec::new();
    for width in 50..=109 {
        let drawn = drawn(&mut app, (width, 18));
        let heading = &drawn.rows[drawn.row("PLANT")];
        let room = column(heading, "OUTCOME").unwrap() - column(heading, "PLANT").unwrap() - 1;
        let is_whole = drawn.rows.iter().any(|row| row.contains(whole));
        assert_eq!(is_whole, room >= whole.chars().count(), "{width}: {room} {drawn:#?}");
        rooms.push(room);
    }
    assert!(rooms.contains(&whole.chars().count()), "{rooms:?}");
}

#[test]
fn the_header_has_one_row_if_all_fits() {
    let mut app = with_plants(6);
    for (width, row) in [(91, 0), (90, 1)] {
        let drawn = drawn(&mut app, (width, 24));
        assert_eq!(drawn.row("http://127.0.0.1:4000/api"), 0);
        assert_eq!(drawn.row("token set · 6 stored"), row, "{drawn:#?}");
    }
}

#[test]
fn the_header_leaves_out_first_that_a_token_is_set() {
    let standing = |read_only, width| {
        let info = StoreInfo { store: "http://plants.example".parse().unwrap(), read_only, ..info() };
        let mut app = App::new(info, Keymap::default(), Some(token()));
        let _ = app.begin(Vec::new());
        app.update(window(&[]));
        drawn(&mut app, (width, 24)).rows[1].trim().to_owned()
    };
    let rest = "not encrypted · 0 stored · no unknown outcomes";
    assert_eq!(standing(false, 59), format!("token set · {rest}"));
    assert_eq!(standing(false, 58), rest);
    assert_eq!(standing(false, 50), rest);
    assert!(standing(true, 50).starts_with("READ-ONLY · not encrypted · "), "{}", standing(true, 50));
}

/// Returns an app with a running import.
fn importing(progress: Progress) -> App {
    let mut app = new_app();
    app.update(window(&[]));
    import::open_preview(&mut app, import::preview(10, 0, 0));
    press(&mut app, "<tab><enter>");
    app.update(Msg::Importing(Box::new(progress)));
    app
}

#[test]
fn the_words_of_an_import_are_whole_beside_its_bar_and_cut_without_one() {
    let outcomes = OutcomeCounts { accepted: 3, ..OutcomeCounts::default() };
    let mut app = importing(Progress { rows: 10, outcomes, out: 2, ..Progress::default() });
    for width in 50..=120 {
        let drawn = drawn(&mut app, (width, 24));
        let strip = &drawn.rows[drawn.row(" import ")];
        assert!(strip.contains('█') && strip.ends_with("  3 of 10  2 in flight"), "{width}: {strip}");
    }
    let outcomes = OutcomeCounts { accepted: 12_345, ..OutcomeCounts::default() };
    let pause = Some(Duration::from_secs(30));
    let mut app = importing(Progress { rows: 1_000_000, outcomes, pause, ..Progress::default() });
    let drawn = drawn(&mut app, (50, 24));
    let strip = &drawn.rows[drawn.row(" import ")];
    assert!(strip.starts_with(" import  12,345 of 1,000,000  the store asks") && strip.ends_with('…'), "{strip}");
}

#[test]
fn skipped_rows_of_an_import_are_counted_if_there_are_any() {
    for (stored, says) in [(0, "not sent"), (3, "3 skipped")] {
        let unsent = RowCounts { stored, ..RowCounts::default() };
        let mut app = importing(Progress { rows: 10, unsent, out: 2, ..Progress::default() });
        let drawn = drawn(&mut app, (100, 24));
        let below = &drawn.rows[drawn.row(" import ") + 1];
        assert!(below.trim_end().ends_with(says), "{below}");
    }
}

#[test]
fn nothing_opens_while_the_terminal_is_too_small() {
    let mut app = with_plants(1);
    let drawn_small = drawn(&mut app, (40, 10));
    assert!(drawn_small.rows[0].contains("needs 50x14"), "{drawn_small:#?}");
    press_at_once(&mut app, "a");
    assert!(!app.cx.display.has_dialog);
    drawn(&mut app, (50, 14));
    press_at_once(&mut app, "a");
    assert!(app.cx.display.has_dialog);
}

#[test]
fn the_pressed_keys_hide_nothing_in_the_second_row_of_the_header() {
    let mut app = with_plants(6);
    press(&mut app, "<f5>");
    let before = drawn(&mut app, (50, 24)).rows;
    press(&mut app, "<down><down><down><down><down>");
    let rows = drawn(&mut app, (50, 24)).rows;
    assert!(rows[0].contains(" Down "), "{rows:#?}");
    assert_eq!(rows[1], before[1]);
    assert!(rows[1].ends_with("no unknown outcomes"), "{rows:#?}");
}

#[test]
fn a_name_that_is_cut_in_the_list_is_whole_in_the_pane_and_in_the_opened_plant_on_stage_too() {
    let name = format!("{}end of the name", "long ".repeat(60));
    let shows_end = |app: &mut App| drawn(app, (120, 40)).rows.iter().any(|row| row.contains("end of the name"));
    let mut app = new_app();
    app.update(window(&[named(7, &name)]));
    assert!(shows_end(&mut app));
    for keys in ["<enter>", "<esc><f5><enter>", "<esc>4<enter>"] {
        press(&mut app, keys);
        assert!(app.cx.display.has_dialog && shows_end(&mut app), "{keys}");
    }
}

#[test]
fn the_pane_takes_the_keys_and_opens_below_a_narrow_list() {
    for (size, is_narrow) in [((120, 20), false), ((80, 24), true)] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
        let pane = |app: &mut App| drawn(app, size).rows.iter().any(|row| row.contains("tag   t"));
        assert_eq!(pane(&mut app), !is_narrow);
        press(&mut app, "f");
        assert!(pane(&mut app));
        let selected = app.cx.session.plants.selected;
        press(&mut app, "<down>");
        assert_eq!(app.cx.session.plants.selected, selected);
        // Esc leaves it open below the list; the key closes it.
        press(&mut app, "<esc><down>");
        assert!(app.cx.session.plants.selected != selected && pane(&mut app));
        press(&mut app, "ff");
        assert_eq!(pane(&mut app), !is_narrow);
        // Other keys do what they do beside it.
        press(&mut app, "fd");
        assert_eq!(title(&app), "Delete plant 8 (8)?");
        press(&mut app, "<esc>3");
        assert_eq!(app.cx.display.tab, Tab::Check);
    }
}

#[test]
fn two_clicks_on_a_plant_open_it() {
    let mut app = with_plants(3);
    let click = |quiet| Msg::Input(UserInput::Click(Target::Plant(PlantId(2))), Timing { quiet, ..APART });
    app.update(click(Duration::MAX));
    assert_eq!((app.cx.session.plants.selected, app.cx.display.has_dialog), (Some(PlantId(2)), false));
    // Much later, it is selected again.
    app.update(click(Duration::from_secs(2)));
    assert!(!app.cx.display.has_dialog);
    app.update(click(Duration::from_millis(100)));
    assert!(app.cx.display.has_dialog);
}
