//! The rules by which name, tag and id of a plant decide its looks, from `assets/plants.txt`.
//!
//! The same plant has the same looks in every release that does not change the file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::pots::hash;
use crate::domain::{Details, PlantId};
use crate::tui::widgets::drawings::drawings;

/// What grows for a name or a tag.
#[derive(Debug)]
pub(super) struct Species {
    pub name: &'static str,
    /// A name or tag with one of these words is of this species.
    words: Vec<&'static str>,
    pub leaves: Vec<&'static str>,
    /// The drawings of its flowers, and their colours.
    pub flowers: Vec<&'static str>,
    pub colors: Vec<&'static str>,
    /// The species of the line drawings that is most like it.
    pub lines: &'static str,
}

const FILE: &str = include_str!("../../../assets/plants.txt");

static SPECIES: LazyLock<Vec<Species>> =
    LazyLock::new(|| FILE.lines().filter_map(|line| parsed(line.strip_prefix("species ")?)).collect());

/// The rows of each drawing.
static DRAWINGS: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| drawings(FILE));

/// Reads `cactus | desert dry | jade olive | berry tuft | sun rose | cactus`.
fn parsed(line: &'static str) -> Option<Species> {
    let mut columns = line.split('|').map(str::trim);
    let mut list = || Some(columns.next()?.split_whitespace().collect::<Vec<_>>());
    let [name, words, leaves, flowers, colors, lines] = [list()?, list()?, list()?, list()?, list()?, list()?];
    Some(Species { name: name.first()?, words, leaves, flowers, colors, lines: lines.first()? })
}

/// Returns the species of a plant; its tag decides where its name does not.
pub(super) fn species(details: Option<&Details>) -> Option<&'static Species> {
    let all = &SPECIES;
    let [name, tag] =
        details.map(|details| [&details.name, &details.tag].map(|text| text.to_lowercase())).unwrap_or_default();
    let of_text = |text: &str| all.iter().find(|species| species.words.iter().any(|word| text.contains(word)));
    of_text(&name).or_else(|| of_text(&tag)).or_else(|| all.get(of(hash(tag.bytes()), all.len())))
}

/// Returns the rows of a drawing; none if there is no such drawing.
pub(super) fn drawing(name: &str) -> &'static [&'static str] {
    DRAWINGS.get(name).map(Vec::as_slice).unwrap_or_default()
}

/// Returns the names of the drawings that begin with a word, without it.
pub(super) fn drawings_of(word: &str) -> Vec<&'static str> {
    let names = DRAWINGS.keys().filter_map(|name| name.strip_prefix(word)?.strip_prefix(' '));
    names.collect()
}

/// Returns one of the choices for a plant; another `trait_of` chooses independently.
pub(super) fn choice<T: Copy>(id: PlantId, trait_of: &str, choices: &[T]) -> Option<T> {
    choices.get(of(dice(id, trait_of), choices.len())).copied()
}

/// Returns a number that depends on the plant and the trait alone.
pub(super) fn dice(id: PlantId, trait_of: &str) -> u32 {
    hash(trait_of.bytes().chain(id.0.to_le_bytes())) >> 7
}

fn of(dice: u32, count: usize) -> usize {
    usize::try_from(dice).unwrap_or(0) % count.max(1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::palette::families;
    use super::super::plants::SIZE;
    use super::super::sprites;
    use super::*;

    /// Rows of a pot.
    const POT: usize = 4;

    #[test]
    fn every_drawing_is_complete_and_every_name_in_the_rules_exists() {
        assert!(SPECIES.len() >= 8);
        for species in SPECIES.iter() {
            let drawings = drawings_of(species.name);
            assert!(drawings.contains(&"young") && drawings.len() >= 3, "{drawings:?}");
            assert!(species.leaves.iter().all(|leaf| families("leaf").contains(leaf)), "{species:?}");
            let flowers = drawings_of("flower");
            assert!(species.flowers.iter().all(|flower| flowers.contains(flower)), "{species:?}");
            assert!(species.colors.iter().all(|color| families("flower").contains(color)), "{species:?}");
            assert!(sprites::SPECIES.contains(&species.lines), "{species:?}");
        }
        for (name, rows) in DRAWINGS.iter() {
            let widths: BTreeSet<usize> = rows.iter().map(|row| row.chars().count()).collect();
            assert_eq!(widths.len(), 1, "{name}");
            // No plant loses its top.
            let above = rows.iter().position(|row| row.contains('e')).unwrap_or(0);
            assert!(above + 1 + POT <= SIZE.1, "{name}");
        }
    }

    #[test]
    fn a_word_of_name_or_tag_decides_the_species_else_all_species_occur() {
        let species =
            |name: &str, tag: &str| species(Some(&Details { name: name.into(), tag: tag.into() })).unwrap().name;
        for (tag, name) in [("Desert plants", "cactus"), ("herb garden", "lavender"), ("shade", "fern")] {
            assert_eq!(species("Ada", tag), name);
        }
        assert_eq!(species("Moon Cactus", "shade"), "cactus");
        let others: BTreeSet<_> = (0..300).map(|tag| species("Ada", &format!("{tag}"))).collect();
        assert_eq!(others.len(), SPECIES.len());
    }
}
