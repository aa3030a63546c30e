//! The prompt for the token of the open store.

use ratatui::layout::Rect;

use crate::domain::Message;
use crate::domain::language::Id;
use crate::tui::component::{Action, Component, Typed, called, cannot, does};
use crate::tui::context::Context;
use crate::tui::dialogs::typed_token::SecretInput;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Scope};
use crate::tui::message::Msg;
use crate::tui::ui_effect::{AfterToken, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::{Form, masked};

#[derive(Debug)]
pub(crate) struct TokenPrompt {
    /// Why a token is needed.
    pub why: Vec<String>,
    pub then: AfterToken,
    secret: SecretInput,
    /// Whether its source is asked for another one.
    is_fetching: bool,
    fault: Option<String>,
}

impl TokenPrompt {
    pub(crate) fn new(why: Vec<String>, then: AfterToken) -> Self {
        Self { why, then, secret: SecretInput::default(), is_fetching: false, fault: None }
    }

    fn submit(&mut self, cx: &mut Context) {
        if self.secret.0.text().is_empty() && cx.session.info.token_can_change {
            (self.is_fetching, self.fault) = (true, None);
            return cx.out.effect(Effect::RenewToken(cx.session.token.clone()));
        }
        match self.secret.token_for(&cx.session.store_name()) {
            Ok(token) => {
                cx.out.close();
                cx.session.use_token(token, &mut cx.out);
                cx.out.ui_effect(UiEffect::Begin(self.then));
            }
            Err(fault) => self.fault = Some(fault),
        }
    }
}

impl Component for TokenPrompt {
    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Submit if self.is_fetching => cannot("the token is being fetched"),
            Command::Submit => called("use it", Self::submit),
            Command::Close => does(|_: &mut Self, cx: &mut Context| {
                cx.out.close();
                cx.session.no_token_given(&mut cx.out);
            }),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        if self.secret.0.take(typed) {
            self.fault = None;
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        let Msg::TokenRenewed(renewed) = message else { return };
        match renewed {
            _ if !self.is_fetching => return,
            Ok(_) => {
                cx.out.close();
                cx.out.ui_effect(UiEffect::Begin(self.then));
            }
            Err(why) => self.fault = Some(why.to_string()),
        }
        self.is_fetching = false;
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let mut form = Form::new(area, canvas.theme);
        let say = |simple: Message, words: String| cx.display.say(simple, words);
        for line in say(Id::TokenNeeded.into(), self.why.join("\n")).lines() {
            form.page.words(line, 4, canvas.theme.text);
        }
        form.page.blank();
        let label = say(Id::Token.into(), "token".to_owned());
        form.make_room(&label);
        form.field(&label, &masked(&self.secret.0, cx.display.presenting), true);
        let origin = cx.session.info.token_origin.as_deref().unwrap_or_default();
        if self.is_fetching {
            let words = format!("fetching it again from {origin} …");
            form.note(&say(Id::TokenFetching.into(), words), canvas.theme.in_progress);
        } else {
            form.fault(self.fault.clone().map(|fault| say(Id::TokenInvalid.into(), fault)));
        }
        if cx.session.info.token_can_change {
            let key = cx.out.keys.shown_in(Scope::Form, Command::Submit);
            let words = format!("{key} on the empty field fetches it again from {origin}.");
            form.page.dim(&say(Id::TokenFetches.with("key", key), words), 2);
        }
        let words = "Sent to this store only, kept in memory until you quit, never shown and never stored.";
        form.page.dim(&say(Id::TokenStays.into(), words.to_owned()), 2);
        let waiting = cx.session.waiting_for_token.len();
        if waiting > 0 {
            let what = if waiting == 1 { "the operation is" } else { &format!("{waiting} operations are") };
            let words = format!("With it, {what} sent.");
            form.page.dim(&say(Id::TokenSends.with("count", waiting.to_string()), words), 2);
        }
        let title = format!("Token for {}", cx.session.store_name());
        form.draw(&say(Id::TokenFor.into(), title), area, canvas);
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.secret.0.text().to_owned()])
    }
}
