//! The form that deletes a plant by its id.

use ratatui::layout::Rect;

use super::id_fault;
use crate::domain::PlantId;
use crate::domain::language::Id;
use crate::domain::plant::Field;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::input::Command;
use crate::tui::session::AboutSeveral;
use crate::tui::session::question::Several;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text_input::TextInput;

#[derive(Debug, Default)]
pub(crate) struct DeleteById {
    id: TextInput,
    /// Whether Enter was pressed while the id was invalid.
    complained: bool,
}

impl DeleteById {
    /// Opens with this id in its field.
    pub(crate) fn open(id: Option<PlantId>) -> Self {
        let text = id.map(|id| id.to_string()).unwrap_or_default();
        Self { id: TextInput::holding(text), ..Self::default() }
    }

    /// Closes, and asks before the delete.
    fn submit(&mut self, cx: &mut Context) {
        let Ok(id) = self.id.text().parse() else {
            self.complained = true;
            return;
        };
        cx.out.close();
        cx.session.ask_about(AboutSeveral::of(Several::Delete), vec![id], &mut cx.out);
    }
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
            self.complained = false;
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
