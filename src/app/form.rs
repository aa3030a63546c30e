//! The forms: add a plant, delete by id, enter a token. What is typed, and what stands beside it.

use std::fmt;

use super::field::Field;
use crate::domain::plant::Field as PlantField;
use crate::domain::text::clean_fit;
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
    /// The warning that was given.
    pub warned: Option<Warned>,
    /// Whether it opened by itself and was not drawn yet: Enter was meant for what was open before.
    pub unseen: bool,
    /// The plant in the view that has this id already, as far as is known.
    pub taken: Option<Row>,
    /// Why the form came back; see [`Self::reasons`].
    pub came_back: Vec<String>,
    /// The plant that this is the reason of.
    about: Option<PlantId>,
    /// The very plant that came back: sent again unchanged, it is probably rejected again.
    pub rejected: Option<Plant>,
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
            unseen: false,
            taken: None,
            came_back: Vec::new(),
            about: None,
            rejected: None,
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
            about: Some(plant.id),
            rejected: Some(plant.clone()),
            suggested: false,
            ..Self::suggesting(plant.id)
        }
    }

    /// A form filled with a plant that is not in the view any more, and what became of it.
    pub fn bringing_back(plant: &Plant, was: &str) -> Self {
        Self { rejected: None, ..Self::back_with(plant, vec![was.to_owned()]) }.reopened()
    }

    /// Whether it is such a form.
    pub fn is_bringing_back(&self) -> bool {
        self.rejected.is_none() && !self.reasons().is_empty()
    }

    /// Why the form came back; nothing once another id is typed, for that is another plant.
    pub fn reasons(&self) -> &[String] {
        let is_another = self.plant().is_ok_and(|plant| Some(plant.id) != self.about);
        if is_another { &[] } else { &self.came_back }
    }

    /// Whether a blank form would be another one.
    pub fn is_filled(&self) -> bool {
        !self.name.text().is_empty() || !self.tag.text().is_empty()
    }

    /// Whether closing it would lose something that a person typed: it is not empty, and not
    /// just as it was when it was kept before.
    pub fn is_worth_keeping(&self) -> bool {
        self.is_filled() && self.kept.as_ref() != Some(&self.texts())
    }

    /// The form as it is opened again after it was kept.
    #[must_use]
    pub fn reopened(mut self) -> Self {
        self.kept = Some(self.texts());
        self.warned = None;
        self
    }

    /// Takes note that it opens by itself, because of a response or because what was over it is closed.
    pub(super) fn opens_by_itself(&mut self) {
        (self.unseen, self.warned) = (true, None);
    }

    /// Takes note that a frame shows it as it is.
    pub(super) fn was_drawn(&mut self) {
        self.unseen = false;
        if let Some(warned) = &mut self.warned {
            warned.is_drawn = true;
        }
    }

    /// Whether the next frame matters to what Enter does.
    pub(super) fn awaits_frame(&self) -> bool {
        self.unseen || self.warned.as_ref().is_some_and(|warned| !warned.is_drawn)
    }

    /// Whether the plant as it stands in the form was warned about, so that Enter sends it.
    pub fn is_warned(&self) -> bool {
        self.plant().is_ok_and(|plant| self.warned_of(&plant).is_some())
    }

    fn warned_of(&self, plant: &Plant) -> Option<&Warned> {
        self.warned.as_ref().filter(|warned| warned.plant == *plant)
    }

    /// What another store said of it, and what that one has, is gone; what was typed stays.
    pub(super) fn is_for_another_store(&mut self) {
        (self.taken, self.warned, self.rejected) = (None, None, None);
        self.came_back.clear();
        self.about = None;
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

    /// Whether the first Enter warns, and only a second one sends.
    pub fn sends_on_the_second_enter(&self, plant: &Plant) -> bool {
        !self.slips(plant).is_empty() || self.rejected.as_ref() == Some(plant)
    }

    /// Decides what Enter does with this plant; `is_repeated` if it is already in flight.
    pub(super) fn on_enter(&self, plant: &Plant, is_repeated: bool) -> OnEnter {
        let unusual = is_repeated || self.sends_on_the_second_enter(plant);
        match self.warned_of(plant) {
            _ if self.unseen => OnEnter::Nothing,
            _ if !unusual => OnEnter::Send,
            None => OnEnter::Warn,
            Some(warned) if warned.is_drawn => OnEnter::Send,
            Some(_) => OnEnter::Nothing,
        }
    }

    /// What stands beside a field: a fault, or a warning that was given.
    pub fn beside(&self, field: PlantField) -> Option<Beside<'_>> {
        let plant = match self.plant() {
            Ok(plant) => plant,
            Err(fault) => {
                // An id that is still being typed is not scolded, except where it can no longer become one.
                let hopeless = !matches!(fault, IdFault::Empty) && self.id.text() != "-";
                return (field == PlantField::Id && (self.id_complained || hopeless)).then_some(Beside::Fault(fault));
            }
        };
        let slip = self.slips(&plant).into_iter().find(|slip| slip.field() == field)?;
        match &self.taken {
            Some(row) if slip == Slip::IdInView => Some(Beside::Taken(row)),
            Some(_) | None => self.warned_of(&plant).map(|_| Beside::Warning(slip)),
        }
    }
}

/// A warning about a plant that is probably a slip. It is of use only once it was drawn: an Enter
/// pressed before that was not meant for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warned {
    /// The very plant.
    pub plant: Plant,
    /// Whether a frame has shown it.
    pub is_drawn: bool,
}

/// What Enter does in the add form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnEnter {
    Send,
    Warn,
    /// It was pressed before the form, or its warning, could be seen.
    Nothing,
}

/// What stands beside a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beside<'a> {
    /// It cannot be sent.
    Fault(IdFault),
    /// It is probably a slip; one more Enter sends it.
    Warning(Slip),
    /// Likewise: this plant has the id.
    Taken(&'a Row),
}

impl fmt::Display for Beside<'_> {
    /// `7 is Monstera (tropical), stored`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = match self {
            Self::Fault(fault) => return fault.fmt(f),
            Self::Warning(slip) => return slip.fmt(f),
            Self::Taken(row) => row,
        };
        write!(f, "{} is ", row.id)?;
        match row.name() {
            None => f.write_str("a plant whose name is not known")?,
            Some("") => f.write_str("a plant with an empty name")?,
            Some(name) => f.write_str(&clean_fit(name, TAKEN_COLUMNS))?,
        }
        match row.tag() {
            None | Some("") => {}
            Some(tag) => write!(f, " ({})", clean_fit(tag, TAKEN_COLUMNS))?,
        }
        write!(f, ", {}", row.state.word())
    }
}

/// Columns of name and of tag of the plant that has an id already.
const TAKEN_COLUMNS: usize = 40;

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
