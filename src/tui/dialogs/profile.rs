//! The form that saves the store that is open as a profile: its name and where its token comes from. The token
//! itself is nowhere in it.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::config::new_profile::{NewProfile, SaveFault, TokenFrom, name_fault};
use crate::domain::text::clean_fit;
use crate::tui::component::{Action, Component, Typed, called, does};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::{Command, Key, Scope};
use crate::tui::message::{Msg, Target};
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::text_input::TextInput;
use crate::tui::widgets::theme::Theme;

#[derive(Debug, Default)]
pub(crate) struct ProfileForm {
    name: TextInput,
    source: Source,
    /// The variable's name, the file's path, or the command's words.
    value: TextInput,
    focus: Field,
    fault: Option<(Field, String)>,
    /// The name of a profile that is there: one more Enter replaces that one.
    exists: Option<String>,
    is_writing: bool,
    /// Why the file was not written, and the lines to write into it by hand.
    by_hand: Option<(String, Vec<String>)>,
}

/// What has the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Field {
    #[default]
    Name,
    Source,
    Value,
}

/// Where the token comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Source {
    /// Asked for each time.
    #[default]
    OperationKind,
    Variable,
    File,
    Command,
}

impl Source {
    /// In the order in which one key walks through them.
    const ALL: [Self; 4] = [Self::OperationKind, Self::Variable, Self::File, Self::Command];

    fn cycled(self, back: bool) -> Self {
        let at = Self::ALL.iter().position(|source| *source == self).unwrap_or(0);
        let step = if back { Self::ALL.len() - 1 } else { 1 };
        Self::ALL.into_iter().cycle().nth(at + step).unwrap_or(self)
    }
}

impl ProfileForm {
    fn token(&self) -> TokenFrom {
        let typed = self.value.text().trim();
        match self.source {
            Source::OperationKind => TokenFrom::Prompt,
            Source::Variable => TokenFrom::Variable(typed.to_owned()),
            Source::File => TokenFrom::File(typed.to_owned()),
            Source::Command => TokenFrom::Command(typed.split_whitespace().map(str::to_owned).collect()),
        }
    }

    fn next(&mut self, back: bool) {
        let has_value = self.source != Source::OperationKind;
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
        let profile = NewProfile {
            name: self.name.text().trim().to_owned(),
            base_url: cx.session.info.store.clone(),
            token: self.token(),
        };
        let fault = name_fault(&profile.name)
            .map(|why| (Field::Name, why))
            .or_else(|| profile.token.fault().map(|why| (Field::Value, why)));
        match fault {
            Some((field, why)) => {
                self.focus = field;
                self.fault = Some((field, why.to_owned()));
            }
            None => {
                let replace = self.exists.as_ref() == Some(&profile.name);
                (self.is_writing, self.fault, self.by_hand) = (true, None, None);
                cx.out.effect(Effect::SaveProfile(Box::new(profile), replace));
            }
        }
    }

    /// Left, right and Space choose where the token comes from. Whether that key was one of them.
    fn choose_source(&mut self, typed: Typed<'_>) -> bool {
        match typed {
            Typed::Key(Key::Left) => self.source = self.source.cycled(true),
            Typed::Key(Key::Right | Key::Char(' ')) => self.source = self.source.cycled(false),
            Typed::Key(_) | Typed::Paste(_) => {
                let why = "left, right or Space choose where the token comes from".to_owned();
                self.fault = Some((Field::Source, why));
                return false;
            }
        }
        true
    }
}

impl Component for ProfileForm {
    fn scope(&self) -> Scope {
        Scope::Form
    }

    fn action(&self, command: Command, _cx: &Context) -> Action<Self> {
        match command {
            Command::Next => does(|form, _| form.next(false)),
            Command::Previous => does(|form, _| form.next(true)),
            Command::Submit => called("write it", Self::submit),
            Command::Close => does(|_, cx| cx.out.close()),
            _ => None,
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        let has_changed = match self.focus {
            // What is being written is what was asked for.
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

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let (theme, width) = (canvas.theme, Form::width(area));
        let mut form = Form::default();
        let words = format!(
            "Saves {} under a name, with where its token comes from; the token itself is not written.",
            cx.session.info.store
        );
        form.words(&words, 3, theme.dim, width);
        form.blank();
        let fault = |field: Field| self.fault.as_ref().filter(|(at, _)| *at == field).map(|(_, why)| why);
        form.targets.push((form.lines.len(), Target::Field(0)));
        form.field("name", &self.name, self.focus == Field::Name, width, theme);
        form.fault(fault(Field::Name), width, theme);
        form.targets.push((form.lines.len(), Target::Field(1)));
        if self.focus == Field::Source {
            form.cursor = Some((form.lines.len(), 8));
        }
        form.lines.push(self.source_line(width, theme));
        form.fault(fault(Field::Source), width, theme);
        if let Some((label, hint)) = field_of(self.source) {
            form.targets.push((form.lines.len(), Target::Field(2)));
            form.field(label, &self.value, self.focus == Field::Value, width, theme);
            match fault(Field::Value) {
                Some(why) => form.fault(Some(why), width, theme),
                None => form.note(hint, theme.dim, width),
            }
        }
        let enter = cx.key(Command::Submit);
        if self.is_writing {
            form.words("Writing …", 1, theme.moving, width);
        } else if let Some(name) = &self.exists {
            let name = clean_fit(name, 40);
            let words = format!("! There is a profile {name} already: {enter} once more replaces it.");
            form.words(&words, 2, theme.doubt, width);
        } else if let Some((why, lines)) = &self.by_hand {
            let words = format!("{} Not written: {why}. These lines do it by hand:", theme.mark("✗", "x"));
            form.words(&words, 3, theme.bad, width);
            form.lines.extend(lines.iter().map(|line| Line::from(fitted(line, width, theme.text))));
        } else {
            form.words(&format!("{enter} writes it into the config file."), 1, theme.dim, width);
        }
        form.draw("Save as profile", area, canvas);
    }
}

impl ProfileForm {
    /// `▸ token ‹ asked for each time ›`
    fn source_line(&self, width: usize, theme: &Theme) -> Line<'static> {
        let focused = self.focus == Field::Source;
        let pointer = if focused { theme.mark("▸ ", "> ") } else { "  " };
        let words = match self.source {
            Source::OperationKind => "asked for each time",
            Source::Variable => "from an environment variable",
            Source::File => "from a file",
            Source::Command => "from a command",
        };
        let (open, close) = (theme.mark("‹", "<"), theme.mark("›", ">"));
        let style = if focused { theme.title } else { theme.text };
        Line::from(vec![
            Span::styled(pointer, theme.key),
            Span::styled("token ", if focused { theme.key } else { theme.dim }),
            fitted(&format!("{open} {words} {close}"), width.saturating_sub(8), style),
        ])
    }
}

/// Label and hint of the field of a source.
fn field_of(source: Source) -> Option<(&'static str, &'static str)> {
    match source {
        Source::OperationKind => None,
        Source::Variable => Some(("name", "the variable's name, without $")),
        Source::File => Some(("file", "its path; ~/ is your home, others are beside the config file")),
        Source::Command => Some(("run", "program and arguments, apart by spaces; its first line is the token")),
    }
}

/// Says that a profile whose form is closed was not saved.
pub(crate) fn not_saved(profile: &NewProfile, fault: &SaveFault) -> String {
    format!("Profile {} was not saved: {fault}.", profile.name)
}
