//! What is typed into an add form, open or not, and why the form came back.

use super::widgets::text_input::TextInput;
use crate::domain::plant::Field;
use crate::domain::{IdFault, Plant, PlantId, Unlisted, UnlistedReason};

/// What an add form opens with, and what is left of it once it is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub name: TextInput,
    /// As text: it may not be an id yet.
    pub id: TextInput,
    pub tag: TextInput,
    /// The field that has the cursor.
    pub focus: Field,
    /// Whether the id is a suggestion: typing takes its place.
    pub is_suggested: bool,
    /// Whether Enter was pressed on an id that is none.
    pub complained: bool,
    /// Why the form came back; see [`Self::reasons`].
    came_back: Vec<String>,
    /// The plant that this is the reason of: with another id it is another plant.
    about: Option<PlantId>,
    /// The plant that the store rejected: sent again unchanged, it is probably rejected again.
    pub rejected: Option<Plant>,
    /// Name, id and tag as they were when the form was closed before.
    kept: Option<[String; 3]>,
}

impl Draft {
    /// An empty form.
    pub fn suggesting(id: PlantId) -> Self {
        Self {
            name: TextInput::default(),
            id: TextInput::holding(id.to_string()),
            tag: TextInput::default(),
            focus: Field::Name,
            is_suggested: true,
            complained: false,
            came_back: Vec::new(),
            about: None,
            rejected: None,
            kept: None,
        }
    }

    /// The form of a plant that was not accepted.
    pub fn back_with(plant: &Plant, reasons: Vec<String>) -> Self {
        Self {
            name: TextInput::holding(&plant.name),
            tag: TextInput::holding(&plant.tag),
            is_suggested: false,
            came_back: reasons,
            about: Some(plant.id),
            rejected: Some(plant.clone()),
            ..Self::suggesting(plant.id)
        }
    }

    /// The form that adds a plant again that is not in the list any more: a new operation, shown before it is sent.
    pub fn adding_again(unlisted: &Unlisted) -> Self {
        let was = match unlisted.how {
            UnlistedReason::Deleted => "It was deleted.",
            UnlistedReason::Forgotten => "It was forgotten here; the store may still have it.",
            UnlistedReason::Rejected => "The store rejected it the last time.",
            UnlistedReason::NotSent => "It never reached the store.",
        };
        let back = Self::back_with(&unlisted.plant, vec![was.to_owned()]);
        Self { rejected: None, ..back }.reopened()
    }

    /// The form as it is opened again: closed once more unchanged, it is thrown away.
    #[must_use]
    pub fn reopened(mut self) -> Self {
        self.kept = Some(self.texts());
        self
    }

    /// Whether it is opened again.
    pub fn was_kept(&self) -> bool {
        self.kept.is_some()
    }

    fn texts(&self) -> [String; 3] {
        [&self.name, &self.id, &self.tag].map(|field| field.text().to_owned())
    }

    /// Why the form came back; nothing once another id is typed, for that is another plant.
    pub fn reasons(&self) -> &[String] {
        let is_another = self.id().is_ok_and(|id| Some(id) != self.about);
        if is_another { &[] } else { &self.came_back }
    }

    /// Whether it adds a plant again.
    pub fn is_adding_again(&self) -> bool {
        self.rejected.is_none() && !self.reasons().is_empty()
    }

    /// Whether a blank form would be another one.
    pub fn is_filled(&self) -> bool {
        !self.name.text().is_empty() || !self.tag.text().is_empty()
    }

    /// Whether closing would lose something that a person typed: it is not empty, and not as it was when it
    /// was closed before.
    pub fn is_worth_keeping(&self) -> bool {
        self.is_filled() && self.kept.as_ref() != Some(&self.texts())
    }

    pub fn focused(&mut self) -> &mut TextInput {
        match self.focus {
            Field::Name => &mut self.name,
            Field::Id => &mut self.id,
            Field::Tag => &mut self.tag,
        }
    }

    /// # Errors
    ///
    /// Why what is typed is no id.
    pub fn id(&self) -> Result<PlantId, IdFault> {
        self.id.text().parse()
    }

    /// The plant as it would be sent; `None` while the id is none.
    pub fn plant(&self) -> Option<Plant> {
        Some(Plant { name: self.name.text().to_owned(), id: self.id().ok()?, tag: self.tag.text().to_owned() })
    }

    /// Drops what another store said of it; what was typed stays.
    pub fn move_to_another_store(&mut self) {
        (self.rejected, self.about) = (None, None);
        self.came_back.clear();
    }
}
