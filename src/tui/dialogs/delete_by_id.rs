//! The form that deletes by id.

use ratatui::layout::Rect;

use crate::domain::{IdFault, PlantId, Row};
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::Msg;
use crate::tui::question;
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text_input::TextInput;

#[derive(Debug, Default)]
pub(crate) struct DeleteById {
    /// As text.
    id: TextInput,
    /// Whether Enter was pressed on an id that is none.
    complained: bool,
    /// Whether Enter was pressed and the journal is being asked about the id.
    asked: bool,
}

impl DeleteById {
    /// Asks before it deletes. A plant that is not among the rows at hand may be in the list all the same: its name
    /// is read first.
    fn submit(&mut self, cx: &mut Context) {
        let Ok(id) = self.id.text().parse::<PlantId>() else {
            self.complained = true;
            return;
        };
        match cx.session.plants.row(id).cloned() {
            Some(row) => ask(id, Some(&row), cx),
            None => {
                self.asked = true;
                cx.out.effect(Effect::LoadPlantHistory(id));
            }
        }
    }

    /// Why the id is none, if a person should see that now.
    fn fault(&self) -> Option<IdFault> {
        let fault = self.id.text().parse::<PlantId>().err()?;
        (self.complained || fault != IdFault::Empty && self.id.text() != "-").then_some(fault)
    }
}

fn ask(id: PlantId, row: Option<&Row>, cx: &mut Context) {
    let question = question::delete(id, row, &cx.session.info.store);
    cx.out.ui_effect(UiEffect::Replace(Open::Confirm(Box::new(question))));
}

impl Component for DeleteById {
    fn scope(&self) -> Scope {
        Scope::Form
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Submit => called("go on", Self::submit),
            Command::Close => does(|_: &mut Self, cx| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        if self.id.take(typed) {
            (self.complained, self.asked) = (false, false);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        match message {
            Msg::PlantHistory(id, Ok(history)) if self.asked && self.id.text().parse() == Ok(*id) => {
                ask(*id, history.row.as_ref(), cx);
            }
            Msg::PlantHistory(_, Err(_)) => self.asked = false,
            _ => {}
        }
    }

    fn draw(&self, _cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, width) = (canvas.theme, Form::width(area));
        let mut form = Form::default();
        form.blank();
        let words = "The delete of any id can be requested, also of one that is not in the list: the store decides.";
        form.words(words, 2, theme.dim, width);
        form.blank();
        form.field("id", &self.id, true, width, theme);
        form.fault(self.fault(), width, theme);
        form.draw("Delete by id", area, canvas);
    }
}
