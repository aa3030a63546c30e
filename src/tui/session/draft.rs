//! The text of an add form, open or closed, and why the form was reopened.

use crate::domain::language::Id;
use crate::domain::plant::Field;
use crate::domain::sentence::called;
use crate::domain::simple_words::about;
use crate::domain::{
    Details, Exchange, IdFault, Language, Message, Outcome, Plant, PlantId, StoreUrl, Unlisted, UnlistedReason,
};
use crate::tui::widgets::text_input::TextInput;

/// What the store rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    Plant,
    /// Another id may help.
    Id,
    /// Another token may help.
    Token,
}

impl Blame {
    /// Returns what the store has rejected, if it has.
    pub fn of(exchange: &Exchange) -> Self {
        match exchange.status() {
            _ if exchange.rejects_token() => Self::Token,
            Some(409) => Self::Id,
            Some(_) | None => Self::Plant,
        }
    }
}

/// Where the text of a form comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Origin {
    #[default]
    Typed,
    /// Copied from a plant that can be had again.
    Copied,
    /// Typed into a form that was closed.
    OfferedAgain,
    /// The same at another store.
    Elsewhere,
}

/// Why a form was opened with text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reasons {
    pub words: Vec<String>,
    /// In words for an audience.
    pub(crate) simple: Vec<Message>,
}

impl Reasons {
    pub fn new(words: impl Into<String>, simple: impl Into<Message>) -> Self {
        Self { words: vec![words.into()], simple: vec![simple.into()] }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// What it was opened for, as its title; `None` for an ordinary add.
    purpose: Option<Id>,
    pub name: TextInput,
    /// Text that is not necessarily an id.
    pub id: TextInput,
    pub tag: TextInput,
    /// The field that has the cursor.
    pub focus: Field,
    /// Whether Enter was pressed with an invalid id.
    pub complained: bool,
    /// See [`Self::reasons`].
    all_reasons: Reasons,
    /// The plant that the reasons are about; `None` if they stay for any id.
    about: Option<PlantId>,
    /// The plant whose add the store rejected.
    rejected: Option<(Plant, Blame)>,
    origin: Origin,
    /// Name, id and tag as they came from there.
    original: [String; 3],
    /// Where the text was typed, if that is another store.
    typed_at: Option<Box<StoreUrl>>,
}

impl Draft {
    /// Returns an empty form with a suggested id.
    pub fn suggesting(id: PlantId) -> Self {
        Self { id: TextInput::offering(id.to_string()), ..Self::default() }
    }

    /// Returns a form with what is given of a plant, at the first field that is not, or else at the name. `Err`: the id is a suggestion.
    pub fn given(name: Option<&str>, id: Result<PlantId, PlantId>, tag: Option<&str>) -> Self {
        let focus = match (name, id, tag) {
            (None, ..) | (Some(_), Ok(_), Some(_)) => Field::Name,
            (Some(_), _, None) => Field::Tag,
            (Some(_), Err(_), Some(_)) => Field::Id,
        };
        let id = id.map(|id| id.to_string()).map_err(|suggested| suggested.to_string());
        Self {
            name: TextInput::holding(name.unwrap_or_default()),
            tag: TextInput::holding(tag.unwrap_or_default()),
            id: id.map_or_else(TextInput::offering, TextInput::holding),
            focus,
            ..Self::default()
        }
    }

    /// Returns the form of a plant that was not accepted.
    pub fn back_with(plant: &Plant, reasons: Reasons) -> Self {
        Self {
            purpose: Some(Id::FormNotAdded),
            name: TextInput::holding(&plant.name),
            tag: TextInput::holding(&plant.tag),
            id: TextInput::holding(plant.id.to_string()),
            all_reasons: reasons,
            about: Some(plant.id),
            ..Self::default()
        }
    }

    /// Returns the form of a plant whose add the store rejected, at the field that was.
    pub fn rejected(plant: &Plant, reasons: Reasons, blame: Blame) -> Self {
        let focus = if blame == Blame::Id { Field::Id } else { Field::Name };
        Self { rejected: Some((plant.clone(), blame)), focus, ..Self::back_with(plant, reasons) }
    }

    /// Returns the form that re-adds a plant that is not in the list any more.
    pub fn adding_again(unlisted: &Unlisted) -> Self {
        let was = match unlisted.how {
            UnlistedReason::Deleted => Reasons::new("It was deleted.", Id::WasDeleted),
            UnlistedReason::Forgotten => {
                Reasons::new("It was forgotten here; the store may still have it.", Id::WasForgotten)
            }
            UnlistedReason::Rejected => Reasons::new("The store rejected it the last time.", Id::WasRejected),
            UnlistedReason::NotSent => Reasons::new("It was not sent.", Id::WasNotSent),
        };
        let back = Self::back_with(&unlisted.plant, was);
        Self { purpose: Some(Id::FormReAdd), ..back }.copied()
    }

    /// Returns the form with the plant of an earlier request, which had this outcome. `of_check` means that the request
    /// differed from the document on purpose, beside its plant.
    pub fn editing(plant: &Plant, outcome: Outcome, blame: Blame, of_check: bool) -> Self {
        let mut was = match outcome {
            Outcome::Accepted => Reasons::new("The store accepted this request.", Id::WasAccepted),
            Outcome::Rejected => Reasons::new("The store rejected this request.", Id::SaidNo),
            Outcome::Unknown => Reasons::new("It is unknown whether this request took effect.", Id::WasUnknown),
            Outcome::NotSent => Reasons::new("This request was not sent.", Id::WasNotSent),
        };
        if of_check {
            was.words.push("The check sent it with other headers; now it is sent as documented.".to_owned());
            was.simple.push(Id::SentOtherwise.into());
        }
        let back = Self::back_with(plant, was);
        let rejected = (outcome == Outcome::Rejected && !of_check).then(|| (plant.clone(), blame));
        Self { purpose: Some(Id::FormEdit), rejected, ..back }.copied()
    }

    /// Returns the form of another plant with the name and the tag of this one, and a suggested id.
    pub fn duplicating(plant: &Details, of: PlantId, id: PlantId) -> Self {
        Self {
            purpose: Some(Id::FormDuplicate),
            name: TextInput::holding(&plant.name),
            tag: TextInput::holding(&plant.tag),
            all_reasons: Reasons::new(
                format!("A copy of {}.", called(of, Some(&plant.name))),
                about(Id::CopyOf, of, Some(&plant.name)),
            ),
            ..Self::suggesting(id)
        }
        .copied()
    }

    /// Marks the text as a copy of something, which closing the form does not lose.
    fn copied(mut self) -> Self {
        self.came_from(Origin::Copied);
        self
    }

    fn came_from(&mut self, origin: Origin) {
        (self.origin, self.original) = (origin, self.texts());
    }

    /// Returns where the text comes from; any change makes it the person's own.
    fn origin(&self) -> Origin {
        if self.original == self.texts() { self.origin } else { Origin::Typed }
    }

    /// Marks the text as left in a closed form, with the cursor in the name, or in an id that the store rejected. It is
    /// offered only once, unless it changes.
    #[must_use]
    pub fn offered_again(mut self) -> Self {
        self.focus = if self.needs_another_id() { Field::Id } else { Field::Name };
        self.came_from(if self.origin == Origin::Elsewhere { Origin::Elsewhere } else { Origin::OfferedAgain });
        self
    }

    /// Whether it is as it was left in a closed form.
    pub fn is_offered_again(&self) -> bool {
        matches!(self.origin(), Origin::OfferedAgain | Origin::Elsewhere)
    }

    /// Whether typing replaces the text, which is of another store, as it was left.
    pub fn is_replaced_by_typing(&self) -> bool {
        self.focus == Field::Name && self.origin() == Origin::Elsewhere
    }

    fn texts(&self) -> [String; 3] {
        [&self.name, &self.id, &self.tag].map(|field| field.text().to_owned())
    }

    /// Returns why the form was reopened; nothing once another id is typed, for that is another plant.
    pub fn reasons(&self) -> &[String] {
        let is_another = self.about.is_some_and(|about| self.id().is_ok_and(|id| id != about));
        if is_another { &[] } else { &self.all_reasons.words }
    }

    /// Returns the same in words for an audience.
    pub fn simple_reasons(&self, language: Language) -> Option<String> {
        (!self.reasons().is_empty()).then(|| language.render(&self.all_reasons.simple))
    }

    /// Whether it contains only a plant that the store rejected, which the re-add list has, too.
    pub fn is_as_rejected(&self) -> bool {
        self.rejection().is_some()
    }

    /// Returns why the store rejected this very plant, if it has.
    fn rejection(&self) -> Option<Blame> {
        let plant = self.plant()?;
        self.rejected.as_ref().filter(|(rejected, _)| *rejected == plant).map(|(_, blame)| *blame)
    }

    /// Whether it was opened because the store rejected the add of this plant.
    pub fn is_rejection_of(&self, plant: &Plant) -> bool {
        self.rejected.as_ref().is_some_and(|(rejected, _)| rejected == plant)
    }

    /// Whether the store rejected this very plant, and would probably do so again.
    pub fn would_be_rejected(&self) -> bool {
        self.rejection().is_some_and(|blame| blame != Blame::Token)
    }

    /// Whether the store rejected this very plant, and may take it with another id.
    pub fn needs_another_id(&self) -> bool {
        self.rejection() == Some(Blame::Id)
    }

    /// Returns what the form is for, as its title; another id makes it an ordinary add.
    pub(in crate::tui) fn purpose(&self) -> Id {
        match self.reasons() {
            [] if self.is_offered_again() => Id::FormUnsent,
            [] => Id::FormAdd,
            _ => self.purpose.unwrap_or(Id::FormAdd),
        }
    }

    /// Whether name or tag has text.
    pub fn is_filled(&self) -> bool {
        !self.name.text().is_empty() || !self.tag.text().is_empty()
    }

    /// Lets typing replace each text of a plant that the store rejected: the re-add list has it.
    #[must_use]
    pub fn offering_rejected(mut self) -> Self {
        let is_rejected = self.is_as_rejected();
        for field in [&mut self.name, &mut self.id, &mut self.tag] {
            field.is_offered |= is_rejected && !field.text().is_empty();
        }
        self
    }

    /// Whether it has text that is nowhere else.
    pub fn has_own_text(&self) -> bool {
        self.is_filled() && self.origin() != Origin::Copied
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

    /// Replaces the previous store's reasons by a remark, unless the text was typed at the next one; keeps the text.
    pub fn move_to_another_store(&mut self, from: &StoreUrl, to: &StoreUrl) {
        // The id of a rejected plant was chosen.
        self.id.is_offered &= self.rejected.is_none();
        (self.purpose, self.rejected, self.about) = (None, None, None);
        if self.origin() != Origin::Elsewhere {
            self.typed_at = Some(Box::new(from.clone()));
        }
        if self.typed_at.as_deref() == Some(to) {
            self.came_from(Origin::OfferedAgain);
            self.all_reasons = Reasons::default();
            return;
        }
        self.focus = Field::Name;
        self.came_from(Origin::Elsewhere);
        let words = "This text was typed at another store. Typing replaces it, Tab keeps it.";
        self.all_reasons = Reasons::new(words, Id::TypedElsewhere);
    }

    /// Replaces a suggested id; that of a rejected plant was chosen.
    #[must_use]
    pub fn suggesting_again(self, id: PlantId) -> Self {
        if self.id.is_offered && self.rejected.is_none() {
            Self { id: TextInput::offering(id.to_string()), ..self }
        } else {
            self
        }
    }
}
