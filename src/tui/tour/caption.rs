//! The tour's caption, below everything else.

use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};

use crate::domain::language::Id;
use crate::text::clean_fit;
use crate::text::wrap::wrapped;
use crate::tui::tour::{Observed, Pressed, Tour};
use crate::tui::widgets::canvas::{Canvas, cells};
use crate::tui::widgets::large;
use crate::tui::widgets::theme::Theme;

/// Lines of a caption in small letters, at most.
const LINES: usize = 6;

/// Rows of the terminal from which a blank row is above and below a caption in small letters.
const ROOMY: u16 = 30;

/// The part of the rows that large letters take, at most.
const PART: u16 = 3;

type OnTour<'a> = Option<(&'a Tour, &'a Observed<'a>)>;

/// Returns the rows of the caption with its border; none without a tour. They are the same at every stop, so that nothing
/// moves; in small letters on a low terminal, those that the stop needs.
/// In presentation mode it is in large letters, where those of every stop fit.
pub(in crate::tui) fn height(tour: OnTour<'_>, theme: &Theme, area: Rect) -> u16 {
    let Some((tour, observed)) = tour else { return 0 };
    let inside = Rect { height: (area.height / PART).saturating_sub(2), ..area.inner(Margin::new(2, 0)) };
    let rows = |text: String| large(&text, inside, theme).map(|lines| lines.len());
    let large: Option<Vec<_>> = Tour::captions(observed).map(rows).collect();
    let rows = large.unwrap_or_else(|| {
        let is_low = area.height < ROOMY;
        let around = if is_low { 0 } else { 2 };
        let small = |text: String| wrapped(&text, usize::from(inside.width), LINES).len() + around;
        let texts = Tour::captions(observed).zip(1..).filter(|(_, at)| !is_low || *at == tour.position().0);
        texts.map(|(text, _)| text).chain([tour.caption(observed)]).map(small).collect()
    });
    cells(rows.into_iter().max().unwrap_or(0) + 2)
}

fn large(text: &str, inside: Rect, theme: &Theme) -> Option<Vec<Line<'static>>> {
    let [columns, rows] = [inside.width, inside.height].map(usize::from);
    theme.enlarges.then(|| large::lines(text, columns, rows, theme, theme.title))?
}

pub(in crate::tui) fn draw(tour: OnTour<'_>, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let Some((tour, observed)) = tour else { return };
    let theme = canvas.theme;
    let (at, of) = tour.position();
    let language = observed.cx.display.language();
    let keys = language.label(match (tour.is_over, tour.pressed) {
        (_, Pressed::Esc) => Id::TourReallyLeave,
        _ if tour.looks_back() => Id::TourLooksBack,
        _ if tour.is_at_last_text() => Id::TourEnds,
        (true, Pressed::Other) => Id::TourYourKeys,
        (true, _) => Id::TourGoesOn,
        (false, Pressed::TooEarly) => Id::TourNotYet,
        (false, _) => Id::TourLeave,
    });
    let position = language.say(&Id::TourPosition.with("at", at.to_string()).with("of", of.to_string()));
    let columns = usize::from(area.width.saturating_sub(2));
    let block = Block::bordered()
        .border_set(theme.borders())
        .border_style(theme.in_progress)
        .title(Span::styled(format!(" {position} "), theme.active_tab))
        .title_bottom(Line::styled(clean_fit(&format!(" {keys} "), columns), theme.key).right_aligned());
    let inner = block.inner(area);
    canvas.render(Clear, area);
    canvas.frame.buffer_mut().set_style(area, theme.text);
    canvas.render(block, area);
    let (text, inside) = (tour.caption(observed), inner.inner(Margin::new(1, 0)));
    let small = || wrapped(&text, usize::from(inside.width), LINES).iter().map(|line| with_keys(line, theme)).collect();
    let lines: Vec<_> = large(&text, inside, theme).unwrap_or_else(small);
    let above = inside.height.saturating_sub(cells(lines.len())) / 2;
    canvas.lines(lines, inside.inner(Margin::new(0, above)));
}

/// Renders a line of a caption: the keys in brackets as on a keyboard.
fn with_keys(line: &str, theme: &Theme) -> Line<'static> {
    let mut spans = Vec::new();
    let mut rest = line;
    while let Some((before, (key, after))) =
        rest.split_once('[').and_then(|(before, behind)| Some((before, behind.split_once(']')?)))
    {
        spans.extend([
            Span::styled(before.to_owned(), theme.title),
            Span::styled(format!(" {key} "), theme.key.reversed()),
        ]);
        rest = after;
    }
    spans.push(Span::styled(rest.to_owned(), theme.title));
    spans.into()
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::demo::WeatherPreset;
    use crate::domain::Language;
    use crate::text::Marks;
    use crate::tui::context::Context;
    use crate::tui::input::Keymap;
    use crate::tui::message::StoreInfo;
    use crate::tui::widgets::canvas::HitMap;
    use crate::tui::widgets::theme::{Depth, Palette};

    fn context(language: Language) -> Context {
        let info = StoreInfo::of("http://127.0.0.1:4000".parse().unwrap());
        let mut cx = Context::new(StoreInfo { demo: true, ..info }, Keymap::default(), None);
        cx.display.of_locale = language;
        cx
    }

    fn observed(cx: &Context) -> Observed<'_> {
        Observed { cx, last: None, form: None, is_warned: false, question: None, is_resolving: false, added: None }
    }

    #[test]
    fn in_every_language_a_caption_takes_two_lines_of_a_small_screen() {
        let area = Rect::new(0, 0, 60, 20);
        let (tour, _) = Tour::begin(WeatherPreset::Calm);
        for language in Language::ALL.into_iter().chain([Language::DeAscii]) {
            let cx = context(language);
            let observed = observed(&cx);
            let theme = &Theme::default();
            assert_eq!(height(Some((&tour, &observed)), theme, area), 4, "{language:?}");
            let at_its_end = [
                Id::TourGoesOn,
                Id::TourEnds,
                Id::TourLeave,
                Id::TourReallyLeave,
                Id::TourNotYet,
                Id::TourYourKeys,
                Id::TourLooksBack,
            ];
            assert!(at_its_end.iter().all(|id| Line::from(language.label(*id)).width() <= 56), "{language:?}");
        }
    }

    #[test]
    fn on_a_low_terminal_a_caption_has_no_empty_row() {
        let cx = context(Language::En);
        let (mut tour, _) = Tour::begin(WeatherPreset::Calm);
        let rows =
            |tour: &Tour, rows| height(Some((tour, &observed(&cx))), &Theme::default(), Rect::new(0, 0, 50, rows));
        assert_eq!((rows(&tour, 14), rows(&tour, ROOMY)), (4, 7));
        for text in [Id::TourShelves, Id::TourForm] {
            tour.is_over = true;
            let _ = tour.go_on(text);
        }
        assert_eq!((rows(&tour, 14), rows(&tour, ROOMY)), (5, 7));
        tour.go_back();
        assert_eq!(rows(&tour, 14), 4);
    }

    /// Returns the upper and the lower border of the caption.
    fn borders(tour: &Tour) -> [String; 2] {
        let cx = context(Language::En);
        let observed = observed(&cx);
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let mut terminal = Terminal::new(TestBackend::new(80, 4)).unwrap();
        let draws = |frame: &mut ratatui::Frame| {
            let (area, mut map) = (frame.area(), HitMap::default());
            let mut canvas = Canvas { theme: &theme, frame, map: &mut map, waiting: 0 };
            draw(Some((tour, &observed)), area, &mut canvas);
        };
        terminal.draw(draws).unwrap();
        let buffer = terminal.backend().buffer();
        [0, 3].map(|y| {
            let row: String = (0..80).map(|x| buffer[(x, y)].symbol()).collect();
            row.trim_matches(['╭', '╮', '╰', '╯', '─', ' ']).to_owned()
        })
    }

    #[test]
    fn the_border_of_the_caption_says_what_the_keys_do() {
        let (mut tour, _) = Tour::begin(WeatherPreset::Calm);
        assert_eq!(borders(&tour), ["Tour, 1 of 10", "Esc leaves"]);
        let _ = tour.go_on(Id::TourShelves);
        assert_eq!(borders(&tour), ["Tour, 1 of 10", "not yet: this is still under way"]);
        tour.is_over = true;
        assert_eq!(borders(&tour), ["Tour, 1 of 10", "Space goes on, Esc leaves"]);
        tour.pressed = Pressed::Other;
        let other_key = "your keys work after the tour: Space goes on, Esc leaves";
        assert_eq!(borders(&tour), ["Tour, 1 of 10", other_key]);
        for _ in 1..10 {
            let _ = tour.go_on(Id::TourShelves);
            (tour.is_over, tour.pressed) = (true, Pressed::Other);
        }
        assert_eq!(borders(&tour), ["Tour, 10 of 10", "Space ends the tour"]);
    }
}
