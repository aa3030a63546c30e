//! The pots as lines, from `assets/sprites.txt`: without colour, and in ASCII.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::pots::{Pot, Stage};
use super::rules::{dice, species};
use crate::tui::widgets::drawings::drawings;
use crate::tui::widgets::theme::Theme;

/// Columns and rows of a sprite.
pub(super) const SIZE: (usize, usize) = (11, 5);

/// Rows of the pot below the plant.
const POT_ROWS: usize = 2;

#[cfg(test)]
pub(super) const SPECIES: [&str; 5] = ["tree", "cactus", "fern", "vine", "flower"];

/// The rows of all sprites by name: `unicode fern 1`, `ascii seed` and so on.
static SPRITES: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> =
    LazyLock::new(|| drawings(include_str!("../../../assets/sprites.txt")));

/// Returns the name of a pot's sprite, without `unicode` or `ascii`.
fn name(pot: &Pot<'_>) -> String {
    let size = match pot.stage {
        Stage::Young => 1,
        Stage::Grown => 2 + dice(pot.id, "size") % 2,
        stage => return stage.to_string(),
    };
    let species = species(pot.details).map(|species| species.lines).unwrap_or_default();
    format!("{species} {size}")
}

/// Returns a pot as [`SIZE`] lines.
pub(super) fn drawn(pot: &Pot<'_>, theme: &Theme) -> Vec<Line<'static>> {
    let spelling = theme.mark("unicode", "ascii");
    let sprite = SPRITES.get(format!("{spelling} {}", name(pot)).as_str());
    let rows = sprite.map(Vec::as_slice).unwrap_or_default();
    rows.iter().enumerate().map(|(at, row)| colored(row, at >= SIZE.1 - POT_ROWS, pot.stage, theme)).collect()
}

/// Returns the style of a whole pot; `None` where plant, blossom and pot have their own.
pub(super) fn style(stage: Stage, theme: &Theme) -> Option<Style> {
    match stage {
        Stage::Unknown | Stage::UnknownDelete => Some(theme.warning),
        Stage::Rejected | Stage::Unsent => Some(theme.bad),
        Stage::Deleted => Some(theme.dim),
        Stage::Leaving => Some(theme.in_progress),
        Stage::Seed | Stage::Sprout | Stage::Seedling | Stage::Young | Stage::Grown => None,
    }
}

fn colored(row: &'static str, is_pot: bool, stage: Stage, theme: &Theme) -> Line<'static> {
    if let Some(style) = style(stage, theme) {
        return Line::from(Span::styled(row, style));
    }
    let of = |letter: char| match letter {
        '✿' | 'o' => theme.in_progress,
        '@' if theme.is_ascii() => theme.in_progress,
        '~' | '╱' | '╲' => theme.good,
        _ if is_pot => theme.border,
        _ => theme.good,
    };
    row.chars().map(|letter| Span::styled(letter.to_string(), of(letter))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use unicode_width::UnicodeWidthStr as _;

    use super::*;
    use crate::domain::{Details, PlantId};
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette};

    #[test]
    fn every_stage_has_a_sprite_in_unicode_and_ascii() {
        let simple =
            ["seed", "sprout", "seedling", "unknown", "unknown delete", "leaving", "deleted", "rejected", "unsent"]
                .map(str::to_owned);
        let plants = SPECIES.iter().flat_map(|species| (1..=3).map(move |size| format!("{species} {size}")));
        let mut names = 0;
        for name in simple.into_iter().chain(plants) {
            for spelling in ["unicode", "ascii"] {
                let sprite = SPRITES.get(format!("{spelling} {name}").as_str()).unwrap();
                assert_eq!(sprite.len(), SIZE.1, "{name}");
                assert!(sprite.iter().all(|row| row.width() == SIZE.0), "{name}");
                assert!(spelling == "unicode" || sprite.iter().all(|row| row.is_ascii()), "{name}");
                names += 1;
            }
        }
        assert_eq!(names, SPRITES.len());
    }

    #[test]
    fn no_two_stages_look_the_same() {
        for spelling in ["unicode", "ascii"] {
            let mut all: Vec<_> =
                SPRITES.iter().filter(|(name, _)| name.starts_with(spelling)).map(|(_, rows)| rows).collect();
            let count = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count, "{spelling}");
        }
    }

    fn details(tag: &str) -> Details {
        Details { name: String::new(), tag: tag.to_owned() }
    }

    fn pot(id: i64, details: &Details, stage: Stage) -> Pot<'_> {
        Pot {
            id: PlantId(id),
            details: Some(details),
            stage,
            is_here: true,
            is_alone: true,
            language: crate::domain::Language::En,
        }
    }

    #[test]
    fn a_young_plant_is_small_and_a_grown_one_has_one_of_the_two_large_sprites() {
        let fern = details("shade");
        let grown: BTreeSet<_> = (0..20).map(|id| name(&pot(id, &fern, Stage::Grown))).collect();
        assert_eq!(grown, ["fern 2", "fern 3"].map(str::to_owned).into());
        assert_eq!(name(&pot(7, &fern, Stage::Young)), "fern 1");
        assert_eq!(name(&pot(7, &fern, Stage::Leaving)), "leaving");
    }

    /// Returns the rows of a grown plant, with only the letters that have one style.
    fn letters_of(sprite: &str, tag: &str, style: Style, theme: &Theme) -> Vec<String> {
        let of_tag = details(tag);
        let mut pots = (0..100).map(|id| pot(id, &of_tag, Stage::Grown));
        let pot = pots.find(|pot| name(pot) == sprite).unwrap();
        let shown = |span: &Span<'_>| if span.style == style { span.content.to_string() } else { " ".to_owned() };
        drawn(&pot, theme).iter().map(|line| line.spans.iter().map(shown).collect()).collect()
    }

    #[test]
    fn leaves_flowers_and_pots_have_colours_of_their_own() {
        const NONE: &str = "           ";
        let unicode = Theme::new(Palette::Dark, Depth::Many, Marks::Unicode);
        let ascii = Theme::new(Palette::Dark, Depth::Many, Marks::Ascii);
        let flower = |style| letters_of("flower 3", "meadow", style, &unicode);
        assert_eq!(flower(unicode.in_progress), ["   ✿ ✿ ✿   ", NONE, NONE, NONE, NONE]);
        assert_eq!(flower(unicode.good), [NONE, "    ╲│╱    ", "    ╲│╱    ", NONE, NONE]);
        assert_eq!(flower(unicode.border), [NONE, NONE, NONE, "   ╭─┴─╮   ", "   ╰───╯   "]);
        // An `@` is a flower in ASCII, and leaves elsewhere.
        let of_ascii = letters_of("flower 3", "meadow", ascii.in_progress, &ascii);
        assert_eq!(of_ascii, ["   @ @ @   ", NONE, NONE, NONE, NONE]);
        let tree = letters_of("tree 2", "orchard", unicode.good, &unicode);
        assert_eq!(tree, ["    (@)    ", "   (@@@)   ", "     │     ", NONE, NONE]);
        // Leaves hang over the pot.
        let vine = letters_of("vine 2", "ivy", unicode.good, &unicode);
        assert_eq!(vine, [NONE, "   ~╭╮╭~   ", "    ╰┤╯    ", "  ~     ~  ", "        ~  "]);
    }

    #[test]
    fn a_plant_that_is_not_stored_has_one_colour() {
        let theme = Theme::new(Palette::Dark, Depth::Many, Marks::Ascii);
        let rejected = drawn(&pot(7, &details("shade"), Stage::Rejected), &theme);
        let rows: Vec<_> = rejected.iter().map(ToString::to_string).collect();
        assert_eq!(rows, SPRITES["ascii rejected"]);
        assert!(rejected.iter().flat_map(|line| &line.spans).all(|span| span.style == theme.bad));
    }
}
