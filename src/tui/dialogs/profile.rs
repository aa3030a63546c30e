//! The form that saves the open store as a profile: its name, and where its token comes from. The token itself is
//! not part of a profile.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::config::new_profile::{NewProfile, SaveFault, TokenFrom, name_fault};
use crate::domain::text::clean_fit;
use crate::tui::completion::PathKind;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Key, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::path_input::PathInput;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::text_input::TextInput;

#[derive(Debug)]
pub(crate) struct ProfileForm {
    name: TextInput,
    /// Index into [`SOURCES`].
    source: usize,
    /// The variable's name, the file's path, or the command's words.
    value: PathInput,
    focus: Field,
    fault: Option<(Field, String)>,
    /// The name of an existing profile: one more Enter replaces it.
    exists: Option<String>,
    is_writing: bool,
    /// Why the file was not written, and the lines to write into it by hand.
    by_hand: Option<(String, Vec<String>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Field {
    #[default]
    Name,
    Source,
    Value,
}

/// A source of the token.
struct Source {
    words: &'static str,
    /// Label and hint of its value; `None` if it has none.
    value: Option<(&'static str, &'static str)>,
    /// Whether the value is the path of a file.
    is_path: bool,
    token: fn(&str) -> TokenFrom,
}

/// In the order in which left and right choose them.
const SOURCES: [Source; 4] = [
    Source { words: "asked for each time", value: None, is_path: false, token: |_| TokenFrom::Prompt },
    Source {
        words: "from an environment variable",
        value: Some(("name", "the variable's name, without $")),
        is_path: false,
        token: |name| TokenFrom::Variable(name.to_owned()),
    },
    Source {
        words: "from a file",
        value: Some(("file", "its path; ~/ is your home, others are beside the config file")),
        is_path: true,
        token: |path| TokenFrom::File(path.to_owned()),
    },
    Source {
        words: "from a command",
        value: Some(("run", "program and arguments, separated by spaces; its first line is the token")),
        is_path: false,
        token: |words| TokenFrom::Command(words.split_whitespace().map(str::to_owned).collect()),
    },
];

impl Default for ProfileForm {
    fn default() -> Self {
        Self {
            name: TextInput::default(),
            source: 0,
            value: PathInput::holding("", PathKind::BesideConfig),
            focus: Field::default(),
            fault: None,
            exists: None,
            is_writing: false,
            by_hand: None,
        }
    }
}

impl ProfileForm {
    fn source(&self) -> &'static Source {
        SOURCES.get(self.source).unwrap_or(&SOURCES[0])
    }

    /// Completes the path, or goes to the next field.
    fn complete_or_next(&mut self, cx: &mut Context) {
        if !self.value.complete(&mut cx.out) {
            self.next(false);
        }
    }

    fn can_complete(&self) -> bool {
        self.focus == Field::Value && self.source().is_path && !self.is_writing
    }

    fn next(&mut self, back: bool) {
        let has_value = self.source().value.is_some();
        self.focus = match (self.focus, back) {
            (Field::Source, false) | (Field::Name, true) if has_value => Field::Value,
            (Field::Name, _) | (Field::Value, true) => Field::Source,
            (Field::Source | Field::Value, _) => Field::Name,
        };
    }

    fn submit(&mut self, cx: &mut Context) {
        if self.is_writing {
            return;
        }
        self.value.settle();
        let profile = NewProfile {
            name: self.name.text().trim().to_owned(),
            base_url: cx.session.info.store.clone(),
            token: (self.source().token)(self.value.text().trim()),
        };
        let fault = name_fault(&profile.name)
            .map(|why| (Field::Name, why))
            .or_else(|| profile.token.fault().map(|why| (Field::Value, why)));
        match fault {
            Some((field, why)) => (self.focus, self.fault) = (field, Some((field, why.to_owned()))),
            None => {
                let replace = self.exists.as_ref() == Some(&profile.name);
                (self.is_writing, self.fault, self.by_hand) = (true, None, None);
                cx.out.effect(Effect::SaveProfile(Box::new(profile), replace));
            }
        }
    }

    /// Chooses the source by left, right or Space. Returns whether the key was one of them.
    fn choose_source(&mut self, typed: Typed<'_>) -> bool {
        let step = match typed {
            Typed::Key(Key::Left) => SOURCES.len() - 1,
            Typed::Key(Key::Right | Key::Char(' ')) => 1,
            Typed::Key(_) | Typed::Paste(_) => {
                let why = "left, right or Space choose where the token comes from".to_owned();
                self.fault = Some((Field::Source, why));
                return false;
            }
        };
        self.source = (self.source + step) % SOURCES.len();
        self.value.settle();
        true
    }
}

impl Component for ProfileForm {
    fn scope(&self) -> Scope {
        Scope::Form
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Next if self.can_complete() => called("complete, next field", Self::complete_or_next),
            Command::Next | Command::Down => does(|form, _| form.next(false)),
            Command::Previous => does(|form, _| form.next(true)),
            Command::Submit => called("write it", Self::submit),
            Command::Close => does(|_, cx| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        let has_changed = match self.focus {
            // The form stays as it is written.
            _ if self.is_writing => false,
            Field::Name => self.name.take(typed),
            Field::Value => self.value.take(typed),
            Field::Source => self.choose_source(typed),
        };
        if has_changed {
            (self.fault, self.exists, self.by_hand) = (None, None, None);
        }
    }

    fn receive(&mut self, message: &Msg, cx: &mut Context) {
        if self.value.receive(message) && self.can_complete() {
            self.next(false);
        }
        let Msg::ProfileSaved(profile, _, written) = message else { return };
        match written {
            Ok(()) if self.is_writing => cx.out.close(),
            Ok(()) => {}
            Err(fault) if !self.is_writing => cx.out.say(not_saved(profile, fault)),
            Err(fault) => {
                (self.is_writing, self.focus) = (false, Field::Name);
                match fault {
                    SaveFault::Exists => self.exists = Some(profile.name.clone()),
                    SaveFault::Other(why) => self.by_hand = Some((why.clone(), profile.lines())),
                }
            }
        }
    }

    fn click(&mut self, target: Target, _cx: &mut Context) {
        if let Target::Field(at) = target {
            self.focus = [Field::Name, Field::Source].get(at).copied().unwrap_or(Field::Value);
        }
    }

    fn wheel(&mut self, over: Target, down: bool, _cx: &mut Context) {
        if let Target::Field(_) = over {
            self.next(!down);
        }
    }

    /// `▸ token ‹ asked for each time ›` and the fields around it.
    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let theme = canvas.theme;
        let mut form = Form::new(area, theme);
        let store = &cx.session.info.store;
        form.hint(
            &format!("Saves {store} under a name, with the source of its token; the token itself is not saved."),
            3,
        );
        form.blank();
        let fault = |field: Field| self.fault.as_ref().filter(|(at, _)| *at == field).map(|(_, why)| why);
        form.field("name", &self.name, self.focus == Field::Name);
        form.fault(fault(Field::Name));
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
        }
        let enter = cx.key(Command::Submit);
        if self.is_writing {
            form.words("Writing …", 1, theme.in_progress);
        } else if let Some(name) = &self.exists {
            let name = clean_fit(name, 40);
            form.words(&format!("! Profile {name} exists already: {enter} once more replaces it."), 2, theme.warning);
        } else if let Some((why, lines)) = &self.by_hand {
            let words = format!("{} Not written: {why}. Add these lines by hand:", theme.mark("✗", "x"));
            form.words(&words, 3, theme.bad);
            let width = form.width;
            form.lines.extend(lines.iter().map(|line| Line::from(fitted(line, width, theme.text))));
        } else {
            form.hint(&format!("{enter} writes it into the config file."), 1);
        }
        form.draw("Save as profile", area, canvas);
    }
}

/// Reports that a profile was not saved, after its form was closed.
pub(crate) fn not_saved(profile: &NewProfile, fault: &SaveFault) -> String {
    format!("Profile {} was not saved: {fault}.", profile.name)
}
