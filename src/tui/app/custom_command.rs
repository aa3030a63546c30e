//! Custom commands about a request, and what is shown once a custom command has ended.
//!
//! Must not know how one is run.

use super::App;
use super::commands::OwnAction;
use crate::text::clean;
use crate::tui::component::{cannot, does};
use crate::tui::effect::{CommandInput, Effect};
use crate::tui::message::{Cause, CommandOutput};
use crate::tui::ui_effect::{Open, Reading, UiEffect};

impl App {
    /// Runs the custom command with this index on the request in front.
    pub(super) fn action_on_request(&self, at: usize) -> OwnAction {
        match self.behind_palette().exchange(&self.cx) {
            Some((exchange, _)) => {
                let input = CommandInput::Request(exchange.operation.id);
                does(move |app: &mut Self, ()| app.cx.out.effect(Effect::RunCommand(at, input)))
            }
            None => cannot("no request is selected"),
        }
    }

    /// Opens the output, or says that there is none, or why the command could not be run.
    pub(super) fn command_ended(&mut self, name: &str, ended: Result<Box<CommandOutput>, Cause>) {
        let out = &mut self.cx.out;
        match ended {
            Ok(output) if !output.printed.is_empty() => {
                out.ui_effect(UiEffect::OpenOver(Open::Pager(Reading::Output(output))));
            }
            Ok(output) => out.say(match output.failure {
                Some(failure) => format!("{name} failed ({failure}) and printed nothing."),
                None => format!("{name} printed nothing."),
            }),
            Err(why) => out.notice(format!("{name} was not run: {}", clean(&why.to_string()))),
        }
    }
}
