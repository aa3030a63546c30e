//! The form that deletes a plant by its id.

use ratatui::layout::Rect;

use super::id_fault;
use crate::domain::language::Id;
use crate::domain::plant::Field;
use crate::domain::{PlantId, Row};
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::Command;
use crate::tui::message::Msg;
use crate::tui::session::plant_questions;
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text_input::TextInput;

#[derive(Debug, Default)]
pub(crate) struct DeleteById {
    id: TextInput,
    /// Whether Enter was pressed while the id was invalid.
    complained: bool,
    /// Whether Enter was pressed and the journal is read for the plant.
    is_reading: bool,
}

impl DeleteById {
    /// Opens with this id in its field.
    pub(crate) fn open(id: Option<PlantId>) -> Self {
        let text = id.map(|id| id.to_string()).unwrap_or_default();
        Self { id: TextInput::holding(text), ..Self::default() }
    }

    /// Opens the question before the delete. The name of a plant that is not among the loaded rows is read first.
    fn submit(&mut self, cx: &mut Context) {
        let Ok(id) = self.id.text().parse::<PlantId>() else {
            self.complained = true;
            return;
        };
        match cx.session.plants.row(id).cloned() {
            Some(row) => confirm(id, Some(&row), cx),
            None => {
                self.is_reading = true;
                cx.out.effect(Effect::LoadPlantHistory(id));
            }
        }
    }
}

fn confirm(id: PlantId, row: Option<&Row>, cx: &mut Context) {
    let question = plant_questions::delete(id, row, &cx.session.info.store);
    cx.out.ui_effect(UiEffect::Replace(Open::Confirm(Box::new(question))));
}

impl Component for DeleteById {
    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Submit => called("go on", Self::submit),
            Command::Close => does(|_: &mut Self, cx: &mut Context| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        if self.id.take(typed) {
            (self.complained, self.is_reading) = (false, false);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::PlantHistory(id, Ok(history)) if self.is_reading && self.id.text().parse() == Ok(*id) => {
                confirm(*id, history.row.as_ref(), cx);
            }
            Msg::PlantHistory(_, Err(_)) => self.is_reading = false,
            _ => {}
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let mut form = Form::new(area, canvas.theme);
        form.page.blank();
        let words = "A delete of any id can be requested, also of one that is not in the list: the store decides.";
        form.page.dim(&cx.display.say(Id::DeleteAny, words), 3);
        form.page.blank();
        let field = Field::Id.word();
        let label = cx.display.say(Id::Field.with("field", field), field);
        form.make_room(&label);
        form.field(&label, &self.id, true);
        let fault = id_fault(self.id.text(), self.complained);
        form.fault(fault.map(|fault| cx.display.say(Id::NumberInvalid, fault.to_string())));
        form.draw(&cx.display.say(Id::DeleteByNumber, "Delete by id"), area, canvas);
    }
}
