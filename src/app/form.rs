//! The forms: add a plant, delete by id, enter a token. What is typed, and what stands beside it.

use std::fmt;

use super::field::Field;
use crate::domain::plant::Field as PlantField;
use crate::domain::{Ask, IdFault, Plant, PlantId, Row, Slip};

/// The form that adds a plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddForm {
    /// The name.
    pub name: Field,
    /// The id, as text until it is read.
    pub id: Field,
    /// The tag.
    pub tag: Field,
    /// Which field has the cursor.
    pub focus: PlantField,
    /// Whether the id is still the one that was suggested: typing takes its place.
    pub suggested: bool,
    /// Whether Enter was pressed on an id that is none.
    pub id_complained: bool,
    /// The very plant that was warned about: Enter on the same one sends it.
    pub warned: Option<Plant>,
    /// The plant in the view that has this id already, as far as is known.
    pub taken: Option<Row>,
    /// Why the form came back.
    pub came_back: Vec<String>,
    /// The very plant that came back: sent again unchanged, it is probably refused again.
    pub refused: Option<Plant>,
    /// Name, id and tag as they were kept when the form was closed before.
    pub kept: Option<[String; 3]>,
}

impl AddForm {
    /// An empty form with an id suggested.
    pub fn suggesting(id: PlantId) -> Self {
        Self {
            name: Field::default(),
            id: Field::holding(id.to_string()),
            tag: Field::default(),
            focus: PlantField::Name,
            suggested: true,
            id_complained: false,
            warned: None,
            taken: None,
            came_back: Vec::new(),
            refused: None,
            kept: None,
        }
    }

    /// A form filled as it was typed, with the reason why it is back.
    pub fn back_with(plant: &Plant, reason: Vec<String>) -> Self {
        Self {
            name: Field::holding(&plant.name),
            id: Field::holding(plant.id.to_string()),
            tag: Field::holding(&plant.tag),
            came_back: reason,
            refused: Some(plant.clone()),
            suggested: false,
            ..Self::suggesting(plant.id)
        }
    }

    /// A form filled with a plant that is not in the view any more, and what became of it.
    pub fn bringing_back(plant: &Plant, was: &str) -> Self {
        Self { refused: None, ..Self::back_with(plant, vec![was.to_owned()]) }.reopened()
    }

    /// Whether it is such a form.
    pub fn is_bringing_back(&self) -> bool {
        self.refused.is_none() && !self.came_back.is_empty()
    }

    /// Whether closing it would lose something that a person typed: it is not empty, and not
    /// just as it was when it was kept before.
    pub fn is_worth_keeping(&self) -> bool {
        let empty = self.name.text().is_empty() && self.tag.text().is_empty();
        !empty && self.kept.as_ref() != Some(&self.texts())
    }

    /// The form as it is opened again after it was kept.
    #[must_use]
    pub fn reopened(mut self) -> Self {
        self.kept = Some(self.texts());
        self
    }

    /// What another store said of it, and what that one has, is gone; what was typed stays.
    pub(super) fn is_for_another_store(&mut self) {
        (self.taken, self.warned, self.refused) = (None, None, None);
        self.came_back.clear();
    }

    fn texts(&self) -> [String; 3] {
        [&self.name, &self.id, &self.tag].map(|field| field.text().to_owned())
    }

    /// The field that has the cursor.
    pub fn focused(&mut self) -> &mut Field {
        match self.focus {
            PlantField::Name => &mut self.name,
            PlantField::Id => &mut self.id,
            PlantField::Tag => &mut self.tag,
        }
    }

    /// The cursor to the next field.
    pub fn next(&mut self) {
        self.focus = match self.focus {
            PlantField::Name => PlantField::Id,
            PlantField::Id => PlantField::Tag,
            PlantField::Tag => PlantField::Name,
        };
    }

    /// The cursor to the field before.
    pub fn previous(&mut self) {
        self.focus = match self.focus {
            PlantField::Name => PlantField::Tag,
            PlantField::Id => PlantField::Name,
            PlantField::Tag => PlantField::Id,
        };
    }

    /// The plant as it would be sent.
    ///
    /// # Errors
    ///
    /// Why the id is none.
    pub fn plant(&self) -> Result<Plant, IdFault> {
        let id = self.id.text().parse()?;
        Ok(Plant { name: self.name.text().to_owned(), id, tag: self.tag.text().to_owned() })
    }

    /// What is probably a slip in this plant, with what the view knows of its id.
    pub fn slips(&self, plant: &Plant) -> Vec<Slip> {
        let mut slips = plant.slips();
        if self.taken.as_ref().is_some_and(|row| row.id == plant.id) {
            slips.push(Slip::IdInView);
        }
        slips
    }

    /// Whether Enter must be pressed once more before this plant is sent.
    pub fn needs_a_second_enter(&self, plant: &Plant) -> bool {
        let unusual = !self.slips(plant).is_empty() || self.refused.as_ref() == Some(plant);
        unusual && self.warned.as_ref() != Some(plant)
    }

    /// What stands beside a field: a fault, or a warning that was given.
    pub fn beside(&self, field: PlantField) -> Option<Beside> {
        let plant = match self.plant() {
            Ok(plant) => plant,
            Err(fault) => {
                // An id that is still being typed is not scolded, except where it can no longer become one.
                let hopeless = !matches!(fault, IdFault::Empty) && self.id.text() != "-";
                return (field == PlantField::Id && (self.id_complained || hopeless)).then_some(Beside::Fault(fault));
            }
        };
        let slip = self.slips(&plant).into_iter().find(|slip| slip.field() == field)?;
        let told = self.warned.as_ref() == Some(&plant) || slip == Slip::IdInView;
        told.then_some(Beside::Warning(slip))
    }
}

/// What stands beside a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beside {
    /// It cannot be sent.
    Fault(IdFault),
    /// It is probably a slip; one more Enter sends it.
    Warning(Slip),
}

impl fmt::Display for Beside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Warning(slip) => slip.fmt(f),
        }
    }
}

/// "Delete which id?"
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdPrompt {
    /// The id, as text.
    pub id: Field,
    /// Whether Enter was pressed on an id that is none.
    pub complained: bool,
    /// Whether Enter was pressed and the journal is being asked about the id.
    pub asked: bool,
}

impl IdPrompt {
    /// Why the id is none, if a person should see that now.
    pub fn fault(&self) -> Option<IdFault> {
        let fault = self.id.text().parse::<PlantId>().err()?;
        (self.complained || !matches!(fault, IdFault::Empty) && self.id.text() != "-").then_some(fault)
    }
}

/// What begins once there is a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Nothing but what waits.
    Nothing,
    /// The check.
    Check,
    /// The import whose preview is behind the prompt.
    Import,
}

/// "The token?" Drawn as one mark per character, never as text.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenPrompt {
    /// What was typed.
    pub secret: Field,
    /// Why it is asked for.
    pub why: Vec<String>,
    /// Why what was typed is no token.
    pub fault: Option<String>,
    /// What is sent once there is a token.
    pub waiting: Vec<Ask>,
    /// What begins then.
    pub then: Then,
}

impl TokenPrompt {
    /// An empty prompt that says why it asks, and what is sent once there is a token.
    pub fn asking(why: Vec<String>, waiting: Vec<Ask>) -> Self {
        Self { secret: Field::default(), why, fault: None, waiting, then: Then::Nothing }
    }

    /// The same before something that begins once there is a token.
    pub(super) fn before(then: Then, why: Vec<String>) -> Self {
        let mut prompt = Self::asking(why, Vec::new());
        prompt.then = then;
        prompt
    }
}

impl fmt::Debug for TokenPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenPrompt").field("waiting", &self.waiting).finish_non_exhaustive()
    }
}

impl Drop for TokenPrompt {
    fn drop(&mut self) {
        self.secret.wipe();
    }
}
