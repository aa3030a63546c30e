//! The text of an add form, open or closed, and why the form was reopened.

use super::widgets::text_input::TextInput;
use crate::domain::plant::Field;
use crate::domain::{Details, IdFault, Outcome, Plant, PlantId, Unlisted, UnlistedReason};

/// What an add form was opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Add,
    /// Opened by itself, because the plant was not added.
    NotAdded,
    ReAdd,
    EditAndResend,
    Duplicate,
}

impl Purpose {
    pub fn title(self) -> &'static str {
        match self {
            Self::Add => "Add a plant",
            Self::NotAdded => "Not added",
            Self::ReAdd => "Re-add",
            Self::EditAndResend => "Edit and resend",
            Self::Duplicate => "Duplicate",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    purpose: Purpose,
    pub name: TextInput,
    /// Text that is not necessarily an id.
    pub id: TextInput,
    pub tag: TextInput,
    /// The field that has the cursor.
    pub focus: Field,
    /// Whether the id is a suggestion, which typing replaces.
    pub is_suggested: bool,
    /// Whether Enter was pressed with an invalid id.
    pub complained: bool,
    /// Why the form was opened with text; see [`Self::reasons`].
    all_reasons: Vec<String>,
    /// The reasons in the words of the Greenhouse.
    pub in_plain_words: Option<String>,
    /// Whether the same plant is in the list, unknown by an earlier request.
    pub is_listed: bool,
    /// The plant that the reasons are about; `None` if they stay for any id.
    about: Option<PlantId>,
    /// The plant that the store rejected; sent again unchanged, it would probably be rejected again.
    pub rejected: Option<Plant>,
    /// Name, id and tag at the time the form was last closed.
    kept: Option<[String; 3]>,
}

impl Draft {
    /// Returns an empty form with a suggested id.
    pub fn suggesting(id: PlantId) -> Self {
        Self {
            purpose: Purpose::Add,
            name: TextInput::default(),
            id: TextInput::holding(id.to_string()),
            tag: TextInput::default(),
            focus: Field::Name,
            is_suggested: true,
            complained: false,
            all_reasons: Vec::new(),
            in_plain_words: None,
            is_listed: false,
            about: None,
            rejected: None,
            kept: None,
        }
    }

    /// Returns the same form with a name, at the field of the tag.
    pub fn named(name: &str, id: PlantId) -> Self {
        Self { name: TextInput::holding(name), focus: Field::Tag, ..Self::suggesting(id) }
    }

    /// Returns the form of a plant that was not accepted.
    pub fn back_with(plant: &Plant, reasons: Vec<String>) -> Self {
        Self {
            purpose: Purpose::NotAdded,
            name: TextInput::holding(&plant.name),
            tag: TextInput::holding(&plant.tag),
            is_suggested: false,
            all_reasons: reasons,
            about: Some(plant.id),
            ..Self::suggesting(plant.id)
        }
    }

    /// Returns the form of a plant that the store rejected.
    pub fn rejected(plant: &Plant, reasons: Vec<String>) -> Self {
        Self { rejected: Some(plant.clone()), ..Self::back_with(plant, reasons) }
    }

    /// Returns the form that re-adds a plant that is not in the list any more.
    pub fn adding_again(unlisted: &Unlisted) -> Self {
        let was = match unlisted.how {
            UnlistedReason::Deleted => "It was deleted.",
            UnlistedReason::Forgotten => "It was forgotten here; the store may still have it.",
            UnlistedReason::Rejected => "The store rejected it the last time.",
            UnlistedReason::NotSent => "It was not sent.",
        };
        let back = Self::back_with(&unlisted.plant, vec![was.to_owned()]);
        Self { purpose: Purpose::ReAdd, ..back }.reopened()
    }

    /// Returns the form with the plant of an earlier request, which had this outcome. `of_check` means that the request
    /// differed from the document on purpose, beside its plant.
    pub fn editing(plant: &Plant, outcome: Outcome, of_check: bool) -> Self {
        let was = match outcome {
            Outcome::Accepted => "The store accepted this request.",
            Outcome::Rejected => "The store rejected this request.",
            Outcome::Unknown => "It is unknown whether this request took effect.",
            Outcome::NotSent => "This request was not sent.",
        };
        let check = "The check sent it with other headers; now it is sent as documented.";
        let reasons = [Some(was), of_check.then_some(check)].into_iter().flatten().map(str::to_owned).collect();
        let back = Self::back_with(plant, reasons);
        let rejected = Some(plant.clone()).filter(|_| outcome == Outcome::Rejected && !of_check);
        Self { purpose: Purpose::EditAndResend, rejected, ..back }.reopened()
    }

    /// Returns the form of another plant with the name and the tag of this one, and a suggested id.
    pub fn duplicating(plant: &Details, of: &str, id: PlantId) -> Self {
        Self {
            purpose: Purpose::Duplicate,
            name: TextInput::holding(&plant.name),
            tag: TextInput::holding(&plant.tag),
            all_reasons: vec![format!("A copy of {of}.")],
            ..Self::suggesting(id)
        }
        .reopened()
    }

    /// Marks the form as opened again: if closed unchanged, its text is discarded.
    #[must_use]
    pub fn reopened(mut self) -> Self {
        self.kept = Some(self.texts());
        self
    }

    pub fn was_kept(&self) -> bool {
        self.kept.is_some()
    }

    fn texts(&self) -> [String; 3] {
        [&self.name, &self.id, &self.tag].map(|field| field.text().to_owned())
    }

    /// Returns why the form was reopened; nothing once another id is typed, for that is another plant.
    pub fn reasons(&self) -> &[String] {
        let is_another = self.about.is_some_and(|about| self.id().is_ok_and(|id| id != about));
        if is_another { &[] } else { &self.all_reasons }
    }

    /// Returns the same in the words of the Greenhouse.
    pub fn plain_reasons(&self) -> &[String] {
        let all = self.reasons();
        self.in_plain_words.as_ref().filter(|_| !all.is_empty()).map_or(all, std::slice::from_ref)
    }

    /// Whether it contains only a plant that the store rejected, which the re-add list has, too.
    pub fn is_as_rejected(&self) -> bool {
        self.rejected.is_some() && self.rejected == self.plant()
    }

    /// Returns what the form is for; another id makes it an ordinary add.
    pub fn purpose(&self) -> Purpose {
        if self.reasons().is_empty() { Purpose::Add } else { self.purpose }
    }

    /// Whether name or tag has text.
    pub fn is_filled(&self) -> bool {
        !self.name.text().is_empty() || !self.tag.text().is_empty()
    }

    /// Whether closing would lose text: the form is not empty, and not as it was when it was last closed.
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
    /// Why the text is no id.
    pub fn id(&self) -> Result<PlantId, IdFault> {
        self.id.text().parse()
    }

    /// Returns the plant as it would be sent; `None` while the id is invalid.
    pub fn plant(&self) -> Option<Plant> {
        Some(Plant { name: self.name.text().to_owned(), id: self.id().ok()?, tag: self.tag.text().to_owned() })
    }

    /// Replaces the previous store's reasons by a remark; keeps the text.
    pub fn move_to_another_store(&mut self) {
        (self.purpose, self.rejected, self.about, self.in_plain_words) = (Purpose::Add, None, None, None);
        self.focus = Field::Name;
        self.all_reasons = vec!["This text was typed at another store.".to_owned()];
    }

    /// Replaces a suggested id.
    #[must_use]
    pub fn suggesting_again(self, id: PlantId) -> Self {
        if self.is_suggested { Self { id: TextInput::holding(id.to_string()), ..self } } else { self }
    }
}
