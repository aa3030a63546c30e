//! Frames on a model of a terminal whose idea of widths is not this program's.

mod model;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};

use super::*;
use model::{Model, Widths};

const SIZE: (u16, u16) = (24, 4);

/// Graphemes that every terminal draws in the same columns.
const CERTAIN: [&str; 12] = ["a", "W", "7", " ", " ", "é", "e\u{301}", "Я", "─", "漢", "க", "●"];

const UNCERTAIN: [&str; 17] = [
    "❤\u{fe0f}",
    "நி",
    "ক্ষ",
    "കോ",
    "ខ្មែ",
    "කා",
    "ကြီး",
    "ာ",
    "🫨",
    "🪾",
    "👩\u{200d}🌾",
    "👨\u{200d}👩\u{200d}👧\u{200d}👦",
    "🇩🇪",
    "🇩",
    "👍🏽",
    "1\u{fe0f}\u{20e3}",
    "☰",
];

/// Where a test reads what a screen has written.
#[derive(Debug, Clone, Default)]
struct Output(Rc<RefCell<Vec<u8>>>);

impl Output {
    fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn screen(out: &Output) -> Screen<Output> {
    Screen { reported: || Ok(SIZE), ..Screen::new(out.clone(), (0, 0)) }
}

/// A row of a frame: graphemes, a background, and the columns of its borders.
#[derive(Debug, Clone)]
struct Row {
    text: Vec<&'static str>,
    is_selected: bool,
}

impl Row {
    fn draw(&self, y: u16, buffer: &mut Buffer) {
        let style = if self.is_selected { Style::new().bg(Color::Blue) } else { Style::new() };
        let (text, right) = (self.text.concat(), SIZE.0 - 6);
        buffer.set_stringn(0, y, "│", 1, Style::new());
        buffer.set_stringn(1, y, text, usize::from(right - 1), style);
        buffer.set_stringn(right, y, "│ok│", 4, Style::new());
    }
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let grapheme = prop_oneof![3 => prop::sample::select(&CERTAIN[..]), 1 => prop::sample::select(&UNCERTAIN[..])];
    let row = (prop::collection::vec(grapheme, 0..16), any::<bool>());
    let row = row.prop_map(|(text, is_selected)| Row { text, is_selected });
    prop::collection::vec(row, 5)
}

/// Frames whose rows are often those of the frame before, or of another row.
fn frames() -> impl Strategy<Value = Vec<Vec<Row>>> {
    (rows(), prop::collection::vec(prop::collection::vec(0_usize..5, usize::from(SIZE.1)), 1..6)).prop_map(
        |(rows, frames)| {
            frames.into_iter().map(|frame| frame.into_iter().map(|at| rows[at].clone()).collect()).collect()
        },
    )
}

/// Compares each cell of certain width with what the model shows in its columns.
fn assert_shows(model: &Model, frame: &Buffer) {
    for y in 0..frame.area.height {
        let mut x = 0;
        while x < frame.area.width {
            let symbol = frame[(x, y)].symbol();
            let width = frame[(x, y)].cell_width().max(1);
            if !UNCERTAIN.contains(&symbol) {
                assert_eq!(model.at(x, y), Some((symbol, width)), "column {x} of row {y}:\n{model}");
            }
            x += width;
        }
    }
}

proptest! {
    #[test]
    fn cells_of_certain_width_stand_in_their_columns_on_every_terminal(
        frames in frames(), widths in prop::sample::select(&Widths::ALL[..])
    ) {
        let out = Output::default();
        let (mut terminal, mut model) = (Terminal::new(screen(&out)).unwrap(), Model::new(SIZE, widths, &UNCERTAIN));
        for rows in frames {
            let drawn = terminal.draw(|frame| {
                (0..).zip(&rows).for_each(|(y, row)| row.draw(y, frame.buffer_mut()));
            }).unwrap().buffer.clone();
            model.write(&out.take());
            assert_shows(&model, &drawn);
        }
    }
}

#[test]
fn a_wide_character_that_covers_the_beginning_of_an_uncertain_one_leaves_nothing_of_it() {
    let out = Output::default();
    let (mut terminal, mut model) =
        (Terminal::new(screen(&out)).unwrap(), Model::new(SIZE, Widths::Spacing, &UNCERTAIN));
    for row in ["a❤\u{fe0f}", "漢"] {
        let frame = terminal.draw(|frame| frame.render_widget(row, frame.area())).unwrap().buffer.clone();
        model.write(&out.take());
        assert_shows(&model, &frame);
    }
}

#[test]
fn a_row_of_certain_widths_costs_nothing() {
    let write = |draw: &dyn Fn(&mut Buffer)| {
        let (ours, plain) = (Output::default(), Output::default());
        queue!(plain.clone(), BeginSynchronizedUpdate).unwrap();
        let area = ratatui::layout::Rect::from((Position::ORIGIN, Size::from(SIZE)));
        let mut after = Buffer::empty(area);
        draw(&mut after);
        let changes = Buffer::empty(area).diff(&after);
        screen(&ours).draw(changes.iter().copied()).unwrap();
        CrosstermBackend::new(plain.clone()).draw(changes.into_iter()).unwrap();
        (ours.take(), plain.take())
    };
    let (ours, plain) = write(&|buffer| {
        buffer.set_string(0, 0, "│ 7 Monstera ● é 漢字│", Style::new().bg(Color::Blue));
        buffer.set_string(0, 1, "│ 8 Fern│", Style::new());
    });
    assert_eq!(ours, plain);
    let (ours, plain) = write(&|buffer| {
        buffer.set_string(0, 0, "│❤\u{fe0f}│", Style::new());
    });
    assert_ne!(ours, plain, "a row of uncertain widths is written in another way");
}

#[test]
fn an_unchanged_frame_writes_nothing_of_its_rows() {
    let out = Output::default();
    let mut terminal = Terminal::new(screen(&out)).unwrap();
    let mut draw = || {
        let row = "│❤\u{fe0f} நி│";
        terminal.draw(|frame| frame.render_widget(row, frame.area())).unwrap();
        String::from_utf8(out.take()).unwrap()
    };
    let first = draw();
    assert!(first.starts_with("\u{1b}[?2026h") && first.contains('❤') && first.ends_with("\u{1b}[?2026l"), "{first:?}");
    let again = draw();
    assert!(!again.contains("2026") && !again.contains('│') && !again.contains("\u{1b}[K"), "{again:?}");
}

#[test]
fn a_cleared_terminal_is_blank() {
    let out = Output::default();
    let mut terminal = Terminal::new(screen(&out)).unwrap();
    let mut model = Model::new(SIZE, Widths::Narrow, &UNCERTAIN);
    terminal.draw(|frame| frame.render_widget("❤\u{fe0f} Rose", frame.area())).unwrap();
    model.write(&out.take());
    model.write(b"\x1b[1;1Hwritten by another program");
    terminal.backend_mut().clear().unwrap();
    model.write(&out.take());
    let blank = Buffer::empty(ratatui::layout::Rect::from((Position::ORIGIN, Size::from(SIZE))));
    assert_shows(&model, &blank);
    assert!(terminal.backend().written.0.is_empty());
}

#[test]
fn a_terminal_that_says_no_size_has_the_assumed_one() {
    let sized = |reported| {
        let screen = Screen { reported, ..Screen::new(Output::default(), (100, 30)) };
        let Size { width, height } = screen.size().unwrap();
        (width, height)
    };
    assert_eq!(sized(|| Ok((0, 0))), (100, 30));
    assert_eq!(sized(|| Ok((120, 0))), (120, 30));
    assert_eq!(sized(|| Ok((0, 40))), (100, 40));
    assert_eq!(sized(|| Ok((120, 36))), (120, 36));
}

#[test]
fn only_sizes_beyond_any_screen_are_reduced() {
    for (width, height) in [(1, 65_535), (80, 24), (960, 540), (1024, 1024)] {
        assert_eq!(bounded(Size { width, height }), Size { width, height });
    }
    for (width, height) in [(65_535, 65_535), (65_535, 1), (5000, 5000)] {
        let Size { width, height } = bounded(Size { width, height });
        assert!(height > 0 && u32::from(width) * u32::from(height) <= CELLS, "{width}x{height}");
    }
}
