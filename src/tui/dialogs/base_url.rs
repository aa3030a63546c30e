//! The form that opens a store by its base URL, with its token.

use ratatui::layout::Rect;

use super::stop_connecting;
use crate::client::Token;
use crate::config::{ConnectionTarget, OtherStore};
use crate::domain::{StoreUrl, StoreUrlFault};
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::dialogs::typed_token::SecretInput;
use crate::tui::input::{Command, Scope};
use crate::tui::message::Target;
use crate::tui::session::Session;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::{Form, masked};
use crate::tui::widgets::text_input::TextInput;

const IN_CLEAR: &str = "over plain http to another machine, others can read the token: use https, or start plants with \
                        --base-url and --allow-http, or write a profile with allow_http = true";

/// Parses the base URL of a store that gets a token. Over plain http, only the config file permits it, after its reader
/// knows why.
pub(super) fn url_for_token(typed: &str) -> Result<StoreUrl, String> {
    let url = parsed(typed)?;
    if url.is_https() || url.is_loopback() { Ok(url) } else { Err(IN_CLEAR.to_owned()) }
}

fn parsed(typed: &str) -> Result<StoreUrl, String> {
    typed.parse().map_err(|why: StoreUrlFault| why.to_string())
}

#[derive(Debug)]
pub(crate) struct UrlForm {
    url: TextInput,
    secret: SecretInput,
    /// Whether the cursor is at the token, not at the base URL.
    at_token: bool,
    /// Whether a token is needed: not where everything is read-only.
    needs_token: bool,
    /// Why a field is invalid, and whether that is the token, not the base URL.
    fault: Option<(bool, String)>,
}

impl UrlForm {
    pub(crate) fn open(url: String, at_token: bool, cx: &Context) -> Self {
        // Only `--read-only` makes the demo store read-only, and every other store with it.
        let is_read_only =
            cx.session.stores.known.iter().any(|store| store.target == ConnectionTarget::Demo && store.read_only);
        Self {
            url: TextInput::holding(url),
            secret: SecretInput::default(),
            at_token: at_token && !is_read_only,
            needs_token: !is_read_only,
            fault: None,
        }
    }

    /// Shows beside the base URL why the store was not opened, or removes that.
    pub(crate) fn set_fault(&mut self, why: Option<String>) {
        self.fault = why.map(|why| (false, why));
    }

    fn next(&mut self) {
        self.at_token = self.needs_token && !self.at_token;
    }

    /// Returns the token that was typed for the store before, if none is typed now.
    fn earlier_token<'a>(&self, url: &StoreUrl, session: &'a Session) -> Option<&'a Token> {
        session.stores.typed_token(url).filter(|_| self.secret.0.text().is_empty())
    }

    /// Returns the store to open, or why a field is invalid, and whether that is the token.
    fn store(&self, session: &Session) -> Result<OtherStore, (bool, String)> {
        let typed = self.url.text();
        let url = if self.needs_token { url_for_token(typed) } else { parsed(typed) };
        let url = url.map_err(|why| (false, why))?;
        if !self.needs_token {
            return Ok(OtherStore { url, token: None });
        }
        let token = match self.earlier_token(&url, session) {
            Some(earlier) => earlier.clone(),
            None => self.secret.token_for(&url.to_string()).map_err(|why| (true, why))?,
        };
        Ok(OtherStore { url, token: Some(token) })
    }

    fn submit(&mut self, cx: &mut Context) {
        self.fault = None;
        match self.store(&cx.session) {
            Ok(store) => self.set_fault(cx.session.leave_for(ConnectionTarget::BaseUrl(store), false, &mut cx.out)),
            Err((at_token, why)) => (self.at_token, self.fault) = (at_token, Some((at_token, why))),
        }
    }
}

impl Component for UrlForm {
    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        let is_connecting = cx.session.stores.connecting.is_some();
        match command {
            Command::Close if is_connecting => called("stop waiting", |_, cx| stop_connecting(cx)),
            Command::Close => called("back", |_, cx: &mut Context| cx.out.close()),
            _ if is_connecting => None,
            Command::Submit => called("open it", Self::submit),
            Command::Next | Command::Down | Command::Previous => does(|form: &mut Self, _| form.next()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        if cx.session.stores.connecting.is_some() {
            return;
        }
        let field = if self.at_token { &mut self.secret.0 } else { &mut self.url };
        if field.take(typed) {
            self.fault.take_if(|(of_token, _)| *of_token == self.at_token);
        }
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        if cx.session.stores.connecting.is_none()
            && let Target::Field(at) = target
        {
            self.at_token = at > 0;
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let mut form = Form::new(area, canvas.theme);
        form.page.blank();
        let words = if self.needs_token {
            "The token belongs to this base URL and is sent to no other store. It is never shown and never stored."
        } else {
            "Started read-only: nothing that needs a token is sent to any store."
        };
        form.page.dim(words, 3);
        form.page.blank();
        let fault = |of_token| self.fault.as_ref().filter(|(at, _)| *at == of_token).map(|(_, why)| why);
        form.field("url", &self.url, !self.at_token);
        form.fault(fault(false));
        if self.needs_token {
            form.field("token", &masked(&self.secret.0, cx.display.presenting), self.at_token);
            form.fault(fault(true));
            if self.url.text().parse().is_ok_and(|url| self.earlier_token(&url, &cx.session).is_some()) {
                form.page.dim("Left empty, it is the token that you typed for this store before.", 1);
            }
        }
        match &cx.session.stores.connecting {
            Some(target) => {
                let stop = cx.out.keys.shown_in(Scope::Form, Command::Close);
                form.page.words(&cx.session.stores.opening(target, &stop), 3, canvas.theme.in_progress);
            }
            None => form.page.dim(&ready(self.url.text(), &cx.key(Command::Submit)), 3),
        }
        form.draw("Another store", area, canvas);
    }

    #[cfg(test)]
    fn typed(&self) -> Option<Vec<String>> {
        Some(vec![self.url.text().to_owned(), self.secret.0.text().to_owned()])
    }
}

/// Describes what Enter does with the base URL that is typed.
fn ready(typed: &str, enter: &str) -> String {
    let Ok(url) = typed.parse::<StoreUrl>() else {
        return format!("{enter} opens the store once the base URL is valid, like https://plants.example/api.");
    };
    if let Some(warning) = url.doubled_path() {
        warning
    } else if url.is_https() {
        format!("{enter} opens {url} (encrypted).")
    } else if url.is_loopback() {
        format!("{enter} opens {url} (plain http, on this machine only).")
    } else {
        format!("{url} is reached over plain http: others can read what is sent.")
    }
}
