//! The colours of pixels, from `assets/palette.txt`, for the colours that the terminal has.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ratatui::style::Color;

use crate::tui::widgets::theme::{Depth, Palette, Theme};

/// The colours of one letter: true, of 256, of sixteen.
type Depths = [Color; 3];

/// A family and a letter.
type Name = (&'static str, char);

/// The family of what is neither leaf nor pot nor flower.
pub(super) const PLAIN: &str = "plain";

#[derive(Debug, Default)]
struct File {
    /// On a dark background, and on a light one.
    colors: BTreeMap<Name, [Depths; 2]>,
    /// The families by what they are of, in the order of the file.
    families: BTreeMap<&'static str, Vec<&'static str>>,
}

static FILE: LazyLock<File> = LazyLock::new(|| {
    let mut file = File::default();
    for line in include_str!("../../../assets/palette.txt").lines() {
        let Some((of, family, letter, colors)) = parsed(line) else { continue };
        file.colors.insert((family, letter), colors);
        let families = file.families.entry(of).or_default();
        if !families.contains(&family) {
            families.push(family);
        }
    }
    file
});

/// Reads `leaf jade l #7fd6a0 115 light-cyan | #5bbd84 78 cyan`.
fn parsed(line: &'static str) -> Option<(&'static str, &'static str, char, [Depths; 2])> {
    let (dark, light) = line.split_once('|').unwrap_or((line, ""));
    let mut words = dark.split_whitespace();
    let (of, family, letter) = (words.next()?, words.next()?, words.next()?.chars().next()?);
    let dark = depths(&mut words)?;
    let light = depths(&mut light.split_whitespace()).unwrap_or(dark);
    Some((of, family, letter, [dark, light]))
}

fn depths<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Depths> {
    let mut next = || words.next()?.parse().ok();
    Some([next()?, next()?, next()?])
}

/// Returns the families of leaves, pots or flowers.
pub(super) fn families(of: &str) -> &'static [&'static str] {
    FILE.families.get(of).map(Vec::as_slice).unwrap_or_default()
}

/// The colours for one terminal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paints {
    depth: usize,
    ground: usize,
}

impl Paints {
    /// Returns `None` where pictures are drawn as lines.
    pub(super) fn of(theme: &Theme) -> Option<Self> {
        let depth = match theme.pixels()? {
            Depth::True => 0,
            Depth::Many => 1,
            Depth::Sixteen => 2,
        };
        Some(Self { depth, ground: usize::from(theme.palette == Palette::Light) })
    }

    /// Returns a colour of a family; `None` for a letter that it does not have.
    pub(super) fn color(self, family: &'static str, letter: char) -> Option<Color> {
        FILE.colors.get(&(family, letter))?.get(self.ground)?.get(self.depth).copied()
    }

    pub(super) fn plain(self, letter: char) -> Option<Color> {
        self.color(PLAIN, letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_colour() {
        let lines = include_str!("../../../assets/palette.txt").lines();
        let lines: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with('%')).collect();
        for line in &lines {
            let (_, _, _, colors) = parsed(line).unwrap_or_else(|| unreachable!("{line}"));
            for [all, many, sixteen] in colors {
                assert!(matches!(all, Color::Rgb(..)) && matches!(many, Color::Indexed(16..)), "{line}");
                assert!(!matches!(sixteen, Color::Rgb(..) | Color::Indexed(_) | Color::Reset), "{line}");
            }
            assert_eq!(line.contains('|'), line.split_whitespace().count() == 10, "{line}");
        }
        // No colour has the name of another one.
        assert_eq!(FILE.colors.len(), lines.len());
    }
}
