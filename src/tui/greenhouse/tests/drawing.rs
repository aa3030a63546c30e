//! Where the Greenhouse draws its parts, and what they look like.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::diagram::{Arrives, Diagram};
use super::super::layout::{Areas, Scale};
use super::super::palette::Paints;
use super::super::pots::Pot;
use super::super::sentence::Sentence;
use super::super::shelf::Shelf;
use super::super::state::WHOLE;
use super::super::{plants, sprites, view};
use super::*;
use crate::text::Marks;
use crate::tui::widgets::canvas::HitMap;
use crate::tui::widgets::theme::{Depth, Palette, Theme};

fn unicode() -> Theme {
    Theme::new(Palette::Dark, Depth::Many, Marks::Unicode)
}

/// Plants are drawn as lines.
fn ascii() -> Theme {
    Theme::new(Palette::Dark, Depth::Many, Marks::Ascii)
}

fn body(width: u16, height: u16) -> Rect {
    Rect::new(0, 0, width, height)
}

fn drawn(size: Rect, theme: &Theme, draw: impl FnOnce(&mut Canvas<'_, '_>)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(size.width, size.height)).unwrap();
    let draw = |frame: &mut ratatui::Frame<'_>| {
        draw(&mut Canvas { theme, frame, map: &mut HitMap::default(), waiting: 0 });
    };
    terminal.draw(draw).unwrap();
    terminal.backend().buffer().clone()
}

/// Returns the first columns of each row of a frame.
fn rows(buffer: &Buffer, columns: u16) -> Vec<String> {
    let row = |y| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..buffer.area.height).map(row).collect()
}

fn text(lines: &[Line<'_>]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}

#[test]
fn the_picture_is_below_the_shelves_where_one_shelf_leaves_room_for_it() {
    let (screen, cx) = (GreenhouseScreen::default(), context(Vec::new()));
    let picture = |height| {
        let picture = Areas::of(&screen, &cx, &unicode(), body(80, height)).picture;
        (picture.y, picture.height)
    };
    assert_eq!(picture(13), (1, 11));
    assert_eq!(picture(14), (11, 3));
    assert_eq!(picture(15), (11, 4));
    assert_eq!(picture(16), (12, 4));
    // Two fifths of a high terminal.
    assert_eq!(picture(30), (18, 12));
}

#[test]
fn beside_the_picture_are_two_pots_where_there_is_room() {
    let (screen, cx) = (GreenhouseScreen::default(), context(Vec::new()));
    for (width, columns) in [(57, 14), (58, 28)] {
        let areas = Areas::of(&screen, &cx, &unicode(), body(width, 13));
        assert_eq!((areas.shelves.width, areas.picture.x), (columns, columns + 1), "{width}");
    }
}

#[test]
fn above_a_request_as_it_was_sent_the_shelves_keep_four_rows_or_half_of_few() {
    let screen = GreenhouseScreen { shows_wire: true, ..GreenhouseScreen::default() };
    let cx = context(Vec::new());
    for (height, rows) in [(6, 3), (20, 4)] {
        assert_eq!(Areas::of(&screen, &cx, &unicode(), body(80, height)).frame.height, rows, "{height}");
    }
}

#[test]
fn a_dialog_leaves_shelves_in_sight_where_both_have_room() {
    let (screen, mut cx) = (GreenhouseScreen::default(), context(Vec::new()));
    cx.display.has_dialog = true;
    let cases = [
        ((120, 40), Some((60, 40)), (60, 40)),
        // Beside the shelves, a dialog would be too narrow.
        ((84, 40), Some((84, 12)), (84, 28)),
        ((80, 19), Some((80, 14)), (80, 5)),
        ((60, 16), Some((60, 12)), (60, 4)),
        ((60, 15), Some((60, 15)), (60, 11)),
    ];
    for ((width, height), room, frame) in cases {
        let areas = Areas::of(&screen, &cx, &unicode(), body(width, height));
        let size = |area: Rect| (area.width, area.height);
        assert_eq!((areas.dialog.map(size), size(areas.frame)), (room, frame), "{width} x {height}");
    }
}

#[test]
fn before_an_audience_large_letters_above_a_dialog_say_what_it_does() {
    let mut cx = context(Vec::new());
    cx.display.has_dialog = true;
    for (says, height, rows_above) in [(Some(Id::NewPlant), 20, 8), (Some(Id::NewPlant), 19, 0), (None, 20, 0)] {
        cx.display.subject.says = says;
        let screen = GreenhouseScreen::default();
        let theme = ascii().before_audience(true);
        let dialog = Areas::of(&screen, &cx, &theme, body(120, height)).dialog.unwrap();
        assert_eq!((dialog.y, dialog.bottom()), (rows_above, height), "{says:?}");
        let shown = drawn(body(120, height), &theme, |canvas| view::draw(&screen, &cx, body(120, height), canvas));
        let is_large = rows(&shown, 120).iter().any(|row| row.contains('#'));
        assert_eq!(is_large, rows_above > 0, "{says:?} in {height} rows");
    }
}

#[test]
fn a_dialog_about_a_rejected_plant_leaves_its_picture_and_its_shelf() {
    let mut cx = context(stored(1..=3));
    cx.session.plants.select(PlantId(2));
    let mut screen = GreenhouseScreen::default();
    end(
        &mut screen,
        &mut cx,
        &operation(1, OperationKind::Delete(PlantId(2))),
        404,
        Some(row(2, "No. 2", State::Stored)),
    );
    cx.display.has_dialog = true;
    for (about, has_picture, shelves) in [(Some(2), true, 12), (None, false, 40), (Some(3), false, 40)] {
        cx.display.subject.plant = about.map(PlantId);
        let areas = Areas::of(&screen, &cx, &unicode(), body(120, 40));
        assert_eq!((!areas.picture.is_empty(), areas.frame.height), (has_picture, shelves), "{about:?}");
    }
}

#[test]
fn before_an_audience_pots_are_twice_as_large_where_four_fit_or_three_with_small_names() {
    let theme = unicode().before_audience(true);
    let scale = |width| Scale::of(&theme, body(width, 23), 9);
    assert_eq!((scale(108).pixel, scale(108).shelf()), (2, 23));
    assert_eq!((scale(81).pixel, scale(81).shelf()), (2, 16));
    assert_eq!((scale(80).pixel, scale(80).shelf()), (1, 9));
    // With names in small letters, more of them fit.
    let scale = Scale::of(&theme, body(98, 45), 9);
    assert_eq!(
        (scale.pixel, scale.has_large_names, scale.across(body(98, 45)) * scale.page(body(98, 45))),
        (2, false, 6)
    );
}

#[test]
fn pots_stay_twice_as_large_as_long_as_two_of_three_fit() {
    // Six fit at twice the size.
    for (pots, pixel) in [(6, 2), (7, 2), (9, 2), (10, 1)] {
        assert_eq!(Scale::of(&unicode(), body(98, 44), pots).pixel, pixel, "{pots}");
    }
}

fn details(name: &str) -> Details {
    Details { name: name.into(), tag: "shade".into() }
}

fn pot(details: &Details, stage: Stage) -> Pot<'_> {
    Pot {
        id: PlantId(7),
        details: Some(details),
        stage,
        is_here: true,
        is_alone: true,
        language: crate::domain::Language::En,
    }
}

/// Draws a shelf with one pot that takes all of its columns.
fn with_shelf(pot: Pot<'_>, shown: Option<Focus>, area: Rect, theme: &Theme) -> Buffer {
    let cx = context(Vec::new());
    let scale = Scale::of(theme, Rect::ZERO, 1);
    let shelf = Shelf { pots: &[pot], columns: area.width, scale, names: 1, area, shown };
    drawn(body(area.right(), area.bottom()), theme, |canvas| shelf.draw(&cx, canvas))
}

#[test]
fn a_long_tag_begins_in_the_room_that_the_one_before_leaves() {
    let tags = |first: &str, second: &str| {
        let [one, other] = [first, second].map(|tag| Details { tag: tag.into(), ..details("Fern") });
        let (cx, theme) = (context(Vec::new()), unicode());
        let (pots, scale) = ([pot(&one, Stage::Grown), pot(&other, Stage::Grown)], Scale::of(&theme, Rect::ZERO, 1));
        let shelf = Shelf { pots: &pots, columns: 13, scale, names: 1, area: body(26, 9), shown: None };
        let shown = rows(&drawn(body(26, 9), &theme, |canvas| shelf.draw(&cx, canvas)), 26);
        shown[7].trim_matches('▀').to_owned()
    };
    assert_eq!(tags("hot", "a rather long tag"), " hot ▀▀▀a rather long tag");
    assert_eq!(tags("cool and dry", "a rather long tag"), "cool and dry a rather l…");
}

#[test]
fn where_there_is_little_room_a_plant_is_cut_from_its_top() {
    let fern = details("Fern");
    let pot = pot(&fern, Stage::Grown);
    let shown = rows(&with_shelf(pot, None, Rect::new(0, 10, 13, 5), &ascii()), 13);
    let sprite = text(&sprites::drawn(&pot, &ascii()));
    let expected: Vec<_> = sprite[2..].iter().map(|row| format!(" {row}").trim_end().to_owned()).collect();
    assert_eq!(shown[..10], [""; 10]);
    assert_eq!(shown[10..13], expected);
    assert_eq!(shown[13..], ["- shade -----", "    Fern"]);
}

#[test]
fn the_word_of_a_pot_does_not_cover_the_only_row_of_its_plant() {
    let fern = details("Fern");
    let shown = |height| rows(&with_shelf(pot(&fern, Stage::Rejected), None, body(13, height), &ascii()), 13);
    assert_eq!(shown(3)[0], "   /     \\");
    assert_eq!(shown(4)[..2], ["   /     \\", "  rejected"]);
}

#[test]
fn the_pointer_is_before_every_name_that_is_selected() {
    for (name, row) in [("Twelve cols.", "▸Twelve cols."), ("Thirteen cols", " ▸Thirteen…")] {
        let details = details(name);
        let focus = Focus { id: PlantId(7), is_here: true };
        let shown = with_shelf(pot(&details, Stage::Grown), Some(focus), body(13, 9), &unicode());
        assert_eq!(rows(&shown, 13)[8], row);
    }
}

#[test]
fn between_two_names_there_is_a_column() {
    let (cx, theme, details) = (context(Vec::new()), unicode(), details("Thirteen cols"));
    let (grown, scale) = (pot(&details, Stage::Grown), Scale::of(&theme, Rect::ZERO, 1));
    let pots = [grown, Pot { id: PlantId(8), ..grown }];
    let shown = Some(Focus { id: PlantId(8), is_here: true });
    let shelf = Shelf { pots: &pots, columns: 13, scale, names: 1, area: body(30, 9), shown };
    let shown = rows(&drawn(body(30, 9), &theme, |canvas| shelf.draw(&cx, canvas)), 30);
    assert_eq!(shown[8], " Thirteen…   ▸Thirteen cols");
}

#[test]
fn of_sixteen_colours_every_name_has_the_one_that_is_readable_on_the_board() {
    let fern = details("Fern");
    let ink = |theme: &Theme| with_shelf(pot(&fern, Stage::Unknown), None, body(13, 9), theme)[(5, 8)].fg;
    assert_eq!(Some(ink(&unicode())), unicode().warning.fg);
    let sixteen = Theme::new(Palette::Dark, Depth::Sixteen, Marks::Unicode);
    assert_eq!(Some(ink(&sixteen)), Paints::of(&sixteen).unwrap().plain('J'));
}

#[test]
fn two_shelves_that_just_fit_have_no_room_between_them() {
    let cx = context(stored(1..=8));
    let screen = GreenhouseScreen::default();
    let size = body(120, 18);
    let shown = rows(&drawn(size, &ascii(), |canvas| view::draw(&screen, &cx, size, canvas)), 60);
    let edges: Vec<_> = (0..shown.len()).filter(|at| shown[*at].starts_with("|- shade -")).collect();
    assert_eq!(edges, [7, 15], "{shown:#?}");
    for id in 1..=8 {
        assert!(shown[if id <= 4 { 8 } else { 16 }].contains(&format!("No. {id}")), "{shown:#?}");
    }
}

#[test]
fn before_an_audience_the_name_of_the_shown_plant_is_large_below_the_shelves_if_it_fits() {
    let mut cx = context(vec![row(7, "Fern", State::Stored)]);
    cx.session.plants.select(PlantId(7));
    let theme = ascii().before_audience(true);
    let large = |height| {
        let size = body(120, height);
        let shown = drawn(size, &theme, |canvas| view::draw(&GreenhouseScreen::default(), &cx, size, canvas));
        rows(&shown, 48).iter().enumerate().filter(|(_, row)| row.contains('#')).map(|(at, _)| at).collect::<Vec<_>>()
    };
    // The border, a shelf of eight rows with one above it, and a blank row.
    assert_eq!(large(17), [11, 12, 13, 14, 15]);
    assert!(large(16).is_empty());
}

/// Returns a diagram with room for a short sentence.
fn diagram(cx: &Context, theme: &'static Theme, width: usize, rows: usize) -> Diagram<'static> {
    Diagram::of("Yes.", cx, theme, width, rows)
}

fn leaked(theme: Theme) -> &'static Theme {
    Box::leak(Box::new(theme))
}

#[test]
fn a_diagram_is_one_line_where_it_has_few_columns_and_few_rows() {
    let (cx, theme) = (context(Vec::new()), leaked(unicode()));
    for (width, rows, is_one_line) in [(43, 13, true), (44, 13, false), (43, 14, false), (44, 5, true), (44, 6, false)]
    {
        assert_eq!(diagram(&cx, theme, width, rows).is_one_line, is_one_line, "{width} x {rows}");
    }
}

#[test]
fn you_and_the_store_are_twice_as_large_where_columns_and_rows_allow_it() {
    let (cx, theme) = (context(Vec::new()), leaked(unicode()));
    let figure = plants::figure("you", Paints::of(theme).unwrap());
    for (width, rows, scale) in [(84, 51, 1), (83, 52, 1), (84, 52, 2)] {
        // Below them are their names and a row of the lifelines.
        let head = diagram(&cx, theme, width, rows).head();
        assert_eq!(head.len(), figure.scaled(scale).lines().len() + 2, "{width} x {rows}");
    }
}

#[test]
fn a_sentence_stands_below_its_diagram_with_a_row_between_them_where_there_is_one_more() {
    let (cx, theme) = (context(Vec::new()), leaked(unicode()));
    // It has a letter that cannot be large.
    let [large, whole] = ["漢", "漢 is stored."].map(str::to_owned);
    let sentence = Sentence { whole, parts: vec![(large.clone(), String::new())], shortest: large };
    let below = |rows, lines| {
        let lines = vec![Line::from("line"); lines];
        text(&diagram(&cx, theme, 60, rows).with_sentence(lines, &sentence, Style::new())).join("\n")
    };
    let set = |lines: usize, between: &str| format!("{}{between}漢 is stored.", "line\n".repeat(lines));
    assert_eq!(below(13, 5), set(5, "\n"));
    assert_eq!(below(13, 11), set(11, ""));
    // Without room for both, the sentence is alone.
    assert_eq!(below(13, 13), set(0, ""));
    let lifelines = format!("  │{}│", " ".repeat(50));
    assert_eq!(below(14, 5), set(5, &format!("{lifelines}\n\n")));
}

#[test]
fn an_arrow_that_is_not_known_to_arrive_ends_in_words_or_in_dots_where_they_do_not_fit() {
    let (cx, theme) = (context(Vec::new()), leaked(unicode()));
    let arrow = |width| diagram(&cx, theme, width, 10).to_store(WHOLE, Style::new(), Arrives::Unknown).to_string();
    assert_eq!(arrow(50), format!("  ┝{}▶ ┄┄┄┄┄┄ │", "━".repeat(31)));
    assert_eq!(arrow(55), format!("  ┝{}▶ arrived?│", "━".repeat(35)));
}

#[test]
fn the_duration_has_a_row_where_there_are_nine() {
    let (cx, theme) = (context(Vec::new()), leaked(unicode()));
    let accepted = exchange(operation(1, add(7, "Fern")), responded(201));
    assert_eq!([8, 9].map(|rows| diagram(&cx, theme, 60, rows).time(&accepted).len()), [0, 1]);
}

#[test]
fn the_response_to_a_rejected_request_begins_as_its_tip_alone() {
    let (cx, theme) = (context(Vec::new()), leaked(unicode()));
    let rejected = exchange(operation(1, add(7, "Fern")), responded(409));
    let back = |drawn| diagram(&cx, theme, 30, 10).bounce(drawn, &rejected, Style::new()).pop().unwrap().to_string();
    assert_eq!(back(0), format!("  │{}◀▌", " ".repeat(19)));
    assert_eq!(back(WHOLE), format!("  │◀{}┛▌", "━".repeat(18)));
}

#[test]
fn a_lost_response_is_a_broken_line_around_its_words() {
    let (cx, theme) = (context(Vec::new()), leaked(unicode()));
    let lost = diagram(&cx, theme, 54, 10).lost(WHOLE, "? no response", Style::new());
    assert_eq!(text(&lost), ["  │  ┄ ┄ ┄ ┄ ┄ ┄  ? no response  ┄ ┄ ┄ ┄ ┄ ┄   │"]);
}

#[test]
fn one_line_has_the_reply_and_as_much_of_the_answer_as_fits() {
    let (cx, theme) = (context(Vec::new()), leaked(unicode()));
    let of = |ending: fn() -> Ending, width, answer| {
        let exchange = exchange(operation(1, add(7, "Fern")), ending());
        text(&diagram(&cx, theme, width, 10).one_line(WHOLE, Some(&exchange), answer, Style::new()))
    };
    let lost = " you  ━━▶ ┄  the store  ┄ ┄ ┄  you ";
    assert_eq!(of(no_response, 50, "? no response"), [format!("{lost}  ? no response")]);
    assert_eq!(of(no_response, 49, "? no response"), [lost]);
    let accepted = || responded(201);
    assert_eq!(of(accepted, 44, "✓ Yes."), [" you  ━━▶  the store  ━━▶  you   ✓ Yes."]);
    assert_eq!(of(accepted, 43, "✓ Yes."), [" you  ━━▶  the store ", " you  ◀━━  ✓ Yes."]);
    let cut = of(accepted, 30, "abcdefghijklmnopqrst");
    assert_eq!(cut, [" you  ━━▶  the store ", " you  ◀━━  abcdefghijklmnopqr…"]);
}
