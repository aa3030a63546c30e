//! Draws a pot as pixels: assembles the drawings that tag and id of the plant decide.
//!
//! ```text
//! tag ──▶ species ─┬▶ drawing of the stage ─▶ mirrored ─▶ flowers ─┬▶ pixels ─▶ sign of the stage
//! id ──▶ traits ───┴▶ colours of the leaf, the flower ▶ pot ───────┘
//! ```

use ratatui::style::Color;

use super::palette::{Paints, families};
use super::pixels::Pixels;
use super::pots::{Pot, Stage};
use super::rules::{Species, choice, dice, drawing, drawings_of, species};
use crate::domain::PlantId;

/// Pixels of a plant with its pot.
pub(super) const SIZE: (usize, usize) = (13, 14);

/// Rows of pixels above a sign.
const SIGN: usize = 2;

/// What the id decides, and the species.
struct Traits {
    species: &'static Species,
    id: PlantId,
    leaf: &'static str,
    flower: &'static str,
    pot: &'static str,
    ornament: &'static str,
    paints: Paints,
}

/// Returns a pot with what stands in it.
pub(super) fn drawn(pot: &Pot<'_>, paints: Paints) -> Pixels {
    let Some(traits) = species(pot.details).and_then(|species| Traits::of(species, pot.id, paints)) else {
        return Pixels::blank(SIZE.0, SIZE.1);
    };
    match pot.stage {
        Stage::Seed => traits.potted("seed"),
        Stage::Sprout => traits.potted("sprout"),
        Stage::Seedling => traits.potted("seedling"),
        Stage::Young => traits.potted(&format!("{} young", traits.species.name)),
        Stage::Grown => traits.grown(),
        Stage::Unknown => traits.signed(traits.hidden(), "unknown"),
        Stage::UnknownDelete => traits.signed(traits.fading(), "unknown"),
        Stage::Leaving => traits.fading(),
        Stage::Rejected => traits.signed(traits.potted("wilted"), "rejected"),
        Stage::Deleted => traits.alone("pot empty"),
        Stage::Unsent => traits.alone("packet"),
    }
}

/// Returns one of the two at the ends of the sequence picture.
pub(super) fn figure(name: &str, paints: Paints) -> Pixels {
    Pixels::of(drawing(name), |letter| paints.plain(letter))
}

impl Traits {
    fn of(species: &'static Species, id: PlantId, paints: Paints) -> Option<Self> {
        Some(Self {
            species,
            id,
            leaf: choice(id, "leaf", &species.leaves)?,
            flower: choice(id, "flower", &species.colors)?,
            pot: choice(id, "pot", families("pot"))?,
            ornament: choice(id, "ornament", families("pot"))?,
            paints,
        })
    }

    fn ink(&self, letter: char) -> Option<Color> {
        let Self { paints, leaf, flower, pot, ornament, .. } = *self;
        match letter {
            'l' | 'm' | 'd' => paints.color(leaf, letter),
            's' => paints.color(leaf, 'm'),
            'f' | 'g' | 'c' => paints.color(flower, letter),
            'h' | 'p' | 'q' | 'r' => paints.color(pot, letter),
            'u' => paints.color(ornament, 'h'),
            'v' => paints.color(ornament, 'q'),
            _ => paints.plain(letter),
        }
    }

    fn pixels(&self, rows: &[impl AsRef<str>]) -> Pixels {
        Pixels::of(rows, |letter| self.ink(letter))
    }

    /// Returns the shape of the plant's pot.
    fn shape(&self) -> Pixels {
        let shapes: Vec<_> = drawings_of("pot").into_iter().filter(|shape| *shape != "empty").collect();
        let shape = choice(self.id, "shape", &shapes).unwrap_or_default();
        self.pixels(drawing(&format!("pot {shape}")))
    }

    /// Returns a drawing that stands on the board by itself.
    fn alone(&self, name: &str) -> Pixels {
        let mut picture = Pixels::blank(SIZE.0, SIZE.1);
        let pixels = self.pixels(drawing(name));
        picture.stamp(&pixels, 0, SIZE.1.saturating_sub(pixels.height()));
        picture
    }

    /// Returns a drawing in the plant's pot.
    fn potted(&self, name: &str) -> Pixels {
        self.in_pot(drawing(name))
    }

    fn in_pot(&self, plant: &[impl AsRef<str>]) -> Pixels {
        let mut picture = Pixels::blank(SIZE.0, SIZE.1);
        let pot = self.shape();
        let rim = SIZE.1.saturating_sub(pot.height());
        picture.stamp(&pot, 0, rim);
        let soil = plant.iter().position(|row| row.as_ref().contains(['e', 'E'])).unwrap_or(0);
        let above = soil + 1;
        let shown = plant.get(above.saturating_sub(rim)..).unwrap_or_default();
        picture.stamp(&self.pixels(shown), 0, rim.saturating_sub(above));
        picture
    }

    /// Returns the plant with its flowers.
    fn grown(&self) -> Pixels {
        let Self { species, id, .. } = *self;
        let drawings: Vec<_> = drawings_of(species.name).into_iter().filter(|name| *name != "young").collect();
        let number = choice(id, "drawing", &drawings).unwrap_or_default();
        let mut plant: Vec<_> =
            drawing(&format!("{} {number}", species.name)).iter().map(ToString::to_string).collect();
        if dice(id, "mirror").is_multiple_of(2) {
            plant = mirrored(&plant);
        }
        let flower = choice(id, "bloom", &species.flowers).unwrap_or_default();
        self.in_pot(&bloomed(&plant, drawing(&format!("flower {flower}")), dice(id, "blooms")))
    }

    /// Returns the outline of the plant: what grows in the pot is not known.
    fn hidden(&self) -> Pixels {
        let shadow = self.paints.plain('x');
        self.changed(|x, y, _| shadow.filter(|_| (x + y).is_multiple_of(2)))
    }

    /// Returns a plant that is half gone.
    fn fading(&self) -> Pixels {
        self.changed(|x, y, color| (y % 2 == x / 2 % 2).then_some(color))
    }

    /// Returns the plant with other pixels above its pot.
    fn changed(&self, to: impl Fn(usize, usize, Color) -> Option<Color>) -> Pixels {
        let mut picture = self.grown();
        let rim = SIZE.1.saturating_sub(self.shape().height());
        picture.change(rim.saturating_sub(1), to);
        picture
    }

    fn signed(&self, mut picture: Pixels, sign: &str) -> Pixels {
        let sign = self.pixels(drawing(&format!("sign {sign}")));
        picture.stamp(&sign, SIZE.0.saturating_sub(sign.width()).div_ceil(2), SIGN);
        picture
    }
}

/// Shades of the same part, from light to dark.
const SHADES: [&str; 4] = ["lmd", "fg", "tT", "kn"];

/// Mirrors a drawing, and keeps its light at the left.
fn mirrored(rows: &[String]) -> Vec<String> {
    let mirrored_row = |row: &String| {
        let lit = |(letter, before): (char, char)| {
            let Some(shades) = SHADES.iter().find(|shades| shades.contains(letter)) else { return letter };
            if shades.contains(before) {
                return before;
            }
            let at = shades.chars().position(|shade| shade == letter).unwrap_or(0);
            shades.chars().rev().nth(at).unwrap_or(letter)
        };
        row.chars().rev().zip(row.chars()).map(lit).collect()
    };
    rows.iter().map(mirrored_row).collect()
}

/// Puts flowers on the places that the dice choose, at least one; the others are leaves.
fn bloomed(rows: &[String], flower: &[&str], dice: u32) -> Vec<String> {
    let mut drawing: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let mut places = Vec::new();
    for (y, row) in drawing.iter_mut().enumerate() {
        for (x, letter) in row.iter_mut().enumerate().filter(|(_, letter)| letter.is_ascii_digit()) {
            places.push((x, y));
            *letter = 'm';
        }
    }
    let count = u32::try_from(places.len()).unwrap_or(1).max(1);
    for (nth, (x, y)) in (0_u32..).zip(places) {
        if nth != dice % count && dice >> (8 + nth) & 1 == 0 {
            continue;
        }
        let above = flower.len() / 2;
        for (row, line) in flower.iter().enumerate() {
            let before = line.chars().count() / 2;
            for (column, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != '.') {
                let at = (y + row).checked_sub(above).zip((x + column).checked_sub(before));
                let pixel = at.and_then(|(y, x)| drawing.get_mut(y)?.get_mut(x));
                if let Some(pixel) = pixel {
                    *pixel = letter;
                }
            }
        }
    }
    drawing.into_iter().map(String::from_iter).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::pots::Stage;
    use super::*;
    use crate::domain::Details;
    use crate::text::Marks;
    use crate::tui::widgets::theme::{Depth, Palette, Theme};

    const STAGES: [Stage; 11] = [
        Stage::Seed,
        Stage::Sprout,
        Stage::Seedling,
        Stage::Young,
        Stage::Grown,
        Stage::Unknown,
        Stage::UnknownDelete,
        Stage::Leaving,
        Stage::Deleted,
        Stage::Rejected,
        Stage::Unsent,
    ];

    fn paints() -> Paints {
        Paints::of(&Theme::new(Palette::Dark, Depth::True, Marks::Unicode)).unwrap()
    }

    fn picture(id: i64, tag: &str, stage: Stage) -> Pixels {
        let details = Details { name: String::new(), tag: tag.to_owned() };
        drawn(
            &Pot {
                id: PlantId(id),
                details: Some(&details),
                stage,
                is_here: true,
                is_alone: true,
                language: crate::domain::Language::En,
            },
            paints(),
        )
    }

    #[test]
    fn a_thousand_plants_of_a_tag_differ_and_each_always_looks_the_same() {
        for tag in ["desert", "shade", "kitchen"] {
            let all: HashSet<_> = (0..1_000).map(|id| picture(id, tag, Stage::Grown)).collect();
            assert!(all.len() >= 950, "{tag}: {}", all.len());
        }
        assert_eq!(picture(7, "desert", Stage::Grown), picture(7, "desert", Stage::Grown));
    }

    #[test]
    fn stages_differ_in_shape_not_only_in_colour() {
        for id in 0..40 {
            let shape = |stage| {
                let mut picture = picture(id, "desert", stage);
                picture.change(SIZE.1, |_, _, _| Some(Color::White));
                picture
            };
            let shapes: HashSet<_> = STAGES.map(shape).into_iter().collect();
            assert_eq!(shapes.len(), STAGES.len(), "plant {id}");
        }
    }

    #[test]
    fn a_mirrored_plant_has_its_light_at_the_left() {
        assert_eq!(mirrored(&["lmd..t.".to_owned()]), [".T..lmd"]);
        assert_eq!(mirrored(&["lm.md".to_owned()]), ["lm.md"]);
    }
}
