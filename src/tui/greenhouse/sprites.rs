//! The pots as lines, from `assets/sprites.txt`: without colour, and in ASCII.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::pots::{Pot, Stage};
use super::rules::{dice, species};
use crate::tui::widgets::theme::Theme;

/// Columns and rows of a sprite.
pub(super) const SIZE: (usize, usize) = (11, 5);

/// Rows of the pot below the plant.
const POT_ROWS: usize = 2;

#[cfg(test)]
pub(super) const SPECIES: [&str; 5] = ["tree", "cactus", "fern", "vine", "flower"];

/// The rows of all sprites by name: `unicode fern 1`, `ascii seed` and so on.
static SPRITES: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut sprites = BTreeMap::new();
    let mut name = "";
    for line in include_str!("../../../assets/sprites.txt").lines() {
        if let Some(title) = line.strip_prefix("# ") {
            name = title;
        } else if let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) {
            sprites.entry(name).or_insert_with(Vec::new).push(row);
        }
    }
    sprites
});

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
        Stage::Deleted | Stage::Forgotten => Some(theme.dim),
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
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    #[test]
    fn every_stage_has_a_sprite_in_unicode_and_ascii() {
        let simple = [
            "seed",
            "sprout",
            "seedling",
            "unknown",
            "unknown delete",
            "leaving",
            "deleted",
            "forgotten",
            "rejected",
            "unsent",
        ]
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
}
