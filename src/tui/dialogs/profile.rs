//! The form that saves a profile: the open store, or a new one, which it opens. It asks for a name and where the token
//! comes from, for a new one also for the base URL. The token itself is not part of a profile.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::base_url::url_for_token;
use crate::config::new_profile::{NewProfile, SaveFault, name_fault, source_fault};
use crate::config::{ConnectionTarget, TokenSource};
use crate::domain::StoreUrl;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::dialogs::path_input::PathInput;
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::completion::PathKind;
use crate::tui::input::{Command, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::ui_effect::{Open, UiEffect};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::text_input::TextInput;

#[derive(Debug, Default)]
pub(crate) struct ProfileForm {
    name: TextInput,
    /// The base URL of a new store; `None` for the open one.
    url: Option<TextInput>,
    /// Index into [`SOURCES`].
    source: usize,
    /// The variable's name, the file's path, or the command's words.
    value: PathInput,
    is_default: bool,
    focus: Field,
    fault: Option<(Field, String)>,
    /// Whether one more Enter saves it although its source gives no token.
    without_token: bool,
    /// Whether the warning about that was seen.
    warning: Option<Arming>,
    is_writing: bool,
    /// Why the file was not written, and the lines to write into it by hand.
    by_hand: Option<(String, Vec<String>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Field {
    #[default]
    Name,
    Url,
    Source,
    Value,
    Start,
}

/// A source of the token.
struct Source {
    words: &'static str,
    /// Label and hint of its value; `None` if it has none.
    value: Option<(&'static str, &'static str)>,
    /// Whether the value is the path of a file.
    is_path: bool,
    token: fn(&str) -> TokenSource,
}

/// In the order in which left and right choose them.
const SOURCES: [Source; 4] = [
    Source { words: "asked for each time", value: None, is_path: false, token: |_| TokenSource::Prompt },
    Source {
        words: "from an environment variable",
        value: Some(("env", "the variable's name, without $")),
        is_path: false,
        token: |name| TokenSource::Env(name.to_owned()),
    },
    Source {
        words: "from a file",
        value: Some(("file", "its path; ~/ is your home, others are beside the config file")),
        is_path: true,
        token: |path| TokenSource::File(path.into()),
    },
    Source {
        words: "from a command",
        value: Some(("run", "program and arguments, separated by spaces; its first line is the token")),
        is_path: false,
        token: |words| TokenSource::Command(words.split_whitespace().map(str::to_owned).collect()),
    },
];

impl ProfileForm {
    /// The form for the open store, with the source of its token, or for a new one. The first profile is to be the default.
    pub(crate) fn open(is_new: bool, cx: &Context) -> Self {
        let info = &cx.session.info;
        let is_typed = cx.session.stores.typed_token(&info.store).is_some();
        let (source, value) = match &info.token_from {
            TokenSource::Env(name) if !is_new && !is_typed => (1, name.clone()),
            TokenSource::File(path) if !is_new => (2, path.display().to_string()),
            // A word with a space cannot be typed here.
            TokenSource::Command(words) if !is_new && !words.iter().any(|word| word.contains(char::is_whitespace)) => {
                (3, words.join(" "))
            }
            _ => (0, String::new()),
        };
        let is_named = is_new || info.profile.is_some();
        Self {
            name: if is_named { TextInput::default() } else { TextInput::offering(name_of(&info.store)) },
            url: is_new.then(TextInput::default),
            source,
            value: PathInput::suggesting(value, PathKind::BesideConfig),
            is_default: !cx.session.has_profiles(),
            ..Self::default()
        }
    }

    fn source(&self) -> &'static Source {
        SOURCES.get(self.source).unwrap_or(&SOURCES[0])
    }

    fn can_complete(&self) -> bool {
        self.focus == Field::Value && self.source().is_path && !self.is_writing
    }

    fn next(&mut self, back: bool) {
        let fields = self.fields();
        let at = fields.iter().position(|field| *field == self.focus).unwrap_or(0);
        let step = if back { fields.len() - 1 } else { 1 };
        self.focus = fields.get((at + step) % fields.len()).copied().unwrap_or_default();
    }

    /// Returns the fields, in the order of the screen.
    fn fields(&self) -> Vec<Field> {
        let url = self.url.is_some().then_some(Field::Url);
        let value = self.source().value.is_some().then_some(Field::Value);
        [Field::Name].into_iter().chain(url).chain([Field::Source]).chain(value).chain([Field::Start]).collect()
    }

    /// Returns the profile, or the first invalid field and why.
    fn profile(&self, cx: &Context) -> Result<NewProfile, (Field, String)> {
        let name = self.name.text().trim().to_owned();
        if let Some(why) = name_fault(&name) {
            return Err((Field::Name, why.to_owned()));
        }
        let base_url = match &self.url {
            None => cx.session.info.store.clone(),
            Some(url) => url_for_token(url.text().trim()).map_err(|why| (Field::Url, why))?,
        };
        let token = (self.source().token)(self.value.text().trim());
        match source_fault(&token) {
            Some(why) => Err((Field::Value, why.to_owned())),
            None => {
                let read_only = self.url.is_none() && cx.session.info.read_only;
                Ok(NewProfile { name, base_url, token, read_only, is_default: self.is_default })
            }
        }
    }

    fn submit(&mut self, cx: &mut Context) {
        if self.is_writing {
            return;
        }
        self.value.end_completion();
        match self.profile(cx) {
            Err((field, why)) => (self.focus, self.fault) = (field, Some((field, why))),
            Ok(profile) => {
                (self.is_writing, self.fault, self.by_hand) = (true, None, None);
                cx.out.effect(Effect::SaveProfile { new: Box::new(profile), without_token: self.without_token });
            }
        }
    }

    /// Chooses the value `step` further on in the field with the cursor; the first one follows the last.
    fn choose(&mut self, step: usize) {
        if self.is_writing {
            return;
        }
        if self.focus == Field::Start {
            self.is_default = !self.is_default;
        } else {
            self.source = (self.source + step) % SOURCES.len();
            self.value.end_completion();
        }
        self.changed();
    }

    /// Is called after a field has changed.
    fn changed(&mut self) {
        (self.fault, self.by_hand) = (None, None);
        (self.without_token, self.warning) = (false, None);
    }
}

impl Component for ProfileForm {
    fn scope(&self) -> Scope {
        if matches!(self.focus, Field::Source | Field::Start) { Scope::Choice } else { Scope::Form }
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Next if self.can_complete() => {
                called("complete, next field", |form: &mut Self, cx: &mut Context| {
                    if !form.value.complete(&mut cx.out) {
                        form.next(false);
                    }
                })
            }
            Command::Next | Command::Down => does(|form: &mut Self, _| form.next(false)),
            Command::Previous => does(|form: &mut Self, _| form.next(true)),
            Command::PreviousValue => does(|form: &mut Self, _| form.choose(SOURCES.len() - 1)),
            Command::NextValue => does(|form: &mut Self, _| form.choose(1)),
            Command::Submit if self.url.is_some() => called("save and open it", Self::submit),
            Command::Submit => called("write it", Self::submit),
            Command::Close if self.url.is_some() => called("back", |_, cx: &mut Context| cx.out.close()),
            Command::Close => does(|_, cx: &mut Context| cx.out.close()),
            _ => None,
        }
    }

    fn arming(&mut self) -> Option<&mut Arming> {
        self.warning.as_mut()
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        let has_changed = match self.focus {
            // The form stays as it is written.
            _ if self.is_writing => false,
            Field::Name => self.name.take(typed),
            Field::Url => self.url.as_mut().is_some_and(|url| url.take(typed)),
            Field::Value => self.value.take(typed),
            Field::Source | Field::Start => {
                let [before, next] = [Command::PreviousValue, Command::NextValue].map(|command| cx.key(command));
                let what = if self.focus == Field::Start { "when it is opened" } else { "where the token comes from" };
                self.fault = Some((self.focus, format!("{before} and {next} choose {what}")));
                false
            }
        };
        if has_changed {
            self.changed();
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        if self.value.receive(message) && self.can_complete() {
            self.next(false);
        }
        let Msg::ProfileSaved(profile, _, written) = message else { return };
        match written {
            Ok(()) if self.is_writing => {
                cx.out.close();
                if self.url.is_some() {
                    // The list of stores is behind the form.
                    let target = ConnectionTarget::Profile(profile.name.clone());
                    cx.out.ui_effect(UiEffect::Replace(Open::Stores(Some(target))));
                }
            }
            Ok(()) => {}
            Err(fault) if !self.is_writing => cx.out.say(not_saved(profile, fault)),
            Err(fault) => {
                (self.is_writing, self.focus) = (false, Field::Name);
                match fault {
                    SaveFault::Exists => self.fault = Some((Field::Name, fault.to_string())),
                    SaveFault::NoToken(why) => {
                        (self.focus, self.fault) = (Field::Value, Some((Field::Value, why.clone())));
                        (self.without_token, self.warning) = (true, Some(Arming::of_warning()));
                    }
                    SaveFault::Other(why) => self.by_hand = Some((why.clone(), profile.lines())),
                }
            }
        }
    }

    fn click(&mut self, target: Target, _cx: &mut Context) {
        if let Target::Field(at) = target {
            self.focus = self.fields().get(at).copied().unwrap_or(self.focus);
        }
    }

    /// `▸ token ‹ asked for each time ›` and the fields around it.
    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let mut form = Form::new(area, theme);
        let what = match &self.url {
            None => cx.session.info.store.to_string(),
            Some(_) => "a store".to_owned(),
        };
        // On a small terminal, the lines to write by hand need the room.
        if self.by_hand.is_none() {
            let words = "under a name, with the source of its token; the token itself is not saved.";
            let info = Some(&cx.session.info).filter(|_| self.url.is_none());
            let read_only = if info.is_some_and(|info| info.read_only) { " as read-only" } else { "" };
            form.page.dim(&format!("Saves {what}{read_only} {words}"), 3);
            if let Some(unsaved) = info.map(|info| info.unsaved.join(", ")).filter(|unsaved| !unsaved.is_empty()) {
                form.page.words(&format!("Not saved: {unsaved}. Add by hand what is needed."), 2, theme.warning);
            }
            form.page.blank();
        }
        let fault = |field: Field| self.fault.as_ref().filter(|(at, _)| *at == field).map(|(_, why)| why);
        form.field("name", &self.name, self.focus == Field::Name);
        match fault(Field::Name) {
            None if self.name.is_offered && self.focus == Field::Name => form.offered("a suggestion"),
            fault => form.fault(fault),
        }
        if let Some(url) = &self.url {
            form.field("url", url, self.focus == Field::Url);
            form.fault(fault(Field::Url));
        }
        let (open, close) = (theme.mark("‹", "<"), theme.mark("›", ">"));
        let source = self.source();
        form.labelled("token ", &format!("{open} {} {close}", source.words), self.focus == Field::Source, 6);
        form.fault(fault(Field::Source));
        if let Some((label, hint)) = source.value {
            let has_more = self.value.draw(label, self.focus == Field::Value, &mut form);
            match fault(Field::Value) {
                _ if has_more => {}
                Some(why) => form.fault(Some(why)),
                None => form.note(hint, theme.dim),
            }
        } else {
            // The room of a value and its hint, so that the form stays where it is while a source is chosen.
            form.page.blank();
            form.page.blank();
        }
        let default = if self.is_default { "yes" } else { "no" };
        form.labelled("default ", &format!("{open} {default} {close}"), self.focus == Field::Start, 8);
        form.fault(fault(Field::Start));
        let enter = cx.key(Command::Submit);
        if self.is_writing {
            let words =
                if source.value.is_some() { "Fetching its token once, then writing …" } else { "Writing …" };
            form.page.words(words, 1, theme.in_progress);
        } else if self.fault.is_some() && self.without_token {
            form.page.words(&format!("! {enter} once more writes it all the same."), 1, theme.warning);
        } else if let Some((why, lines)) = &self.by_hand {
            let words = format!("{} Not written: {why}. Add these lines by hand:", theme.mark("✗", "x"));
            form.page.words(&words, 3, theme.bad);
            let width = form.page.width;
            form.page.lines.extend(lines.iter().map(|line| Line::from(fitted(line, width, theme.text))));
        } else {
            let then = if self.url.is_some() { ", and opens it" } else { "" };
            form.page.dim(&format!("{enter} writes it into the config file{then}."), 1);
        }
        form.draw(if self.url.is_some() { "New profile" } else { "Save as profile" }, area, canvas);
    }
}

/// Returns a valid name for the profile of a store: its host and port.
fn name_of(store: &StoreUrl) -> String {
    let url = store.to_string();
    let host = url.split('/').nth(2).unwrap_or_default();
    host.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "-")
}

/// Reports that a profile was not saved, after its form was closed.
pub(crate) fn not_saved(profile: &NewProfile, fault: &SaveFault) -> String {
    format!("Profile {} was not saved: {fault}.", profile.name)
}
