//! The form that saves the store that is open as a profile: its name and where its token comes
//! from. The token itself is nowhere in it.

use std::path::Path;

use super::field::Field;
use super::message::Effect;
use super::model::{Model, Overlay};
use crate::config::new_profile::{NewProfile, NotTaken, TokenFrom, fault_of_name};
use crate::config::{KnownStore, Wish};
use crate::domain::text::shown_path;

/// A line of the form that takes keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfileLine {
    /// The profile's name.
    Name,
    /// Which kind of source its token has.
    Source,
    /// What that source is called.
    Value,
}

/// A kind of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// Asked for each time.
    Ask,
    /// An environment variable.
    Variable,
    /// A file.
    File,
    /// A command.
    Command,
}

impl SourceKind {
    /// In the order in which one key walks through them.
    pub const ALL: [Self; 4] = [Self::Ask, Self::Variable, Self::File, Self::Command];

    fn beside(self, back: bool) -> Self {
        let at = Self::ALL.iter().position(|kind| *kind == self).unwrap_or(0);
        let step = if back { Self::ALL.len() - 1 } else { 1 };
        Self::ALL.into_iter().cycle().nth(at + step).unwrap_or(self)
    }
}

/// The form while it is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileForm {
    /// The profile's name.
    pub name: Field,
    /// Which kind of source its token has.
    pub source: SourceKind,
    /// The variable's name, the file's path, or the command's words.
    pub value: Field,
    /// What has the cursor.
    pub focus: ProfileLine,
    /// What is invalid, and why.
    pub fault: Option<(ProfileLine, String)>,
    /// The name of a profile that is there: one more Enter replaces that one.
    pub exists: Option<String>,
    /// Whether it is being written.
    pub writing: bool,
    /// Why the file was not written, and the lines to write into it by hand.
    pub by_hand: Option<(String, Vec<String>)>,
}

impl ProfileForm {
    fn new() -> Self {
        Self {
            name: Field::default(),
            source: SourceKind::Ask,
            value: Field::default(),
            focus: ProfileLine::Name,
            fault: None,
            exists: None,
            writing: false,
            by_hand: None,
        }
    }

    fn token(&self) -> TokenFrom {
        let typed = self.value.text().trim();
        match self.source {
            SourceKind::Ask => TokenFrom::Ask,
            SourceKind::Variable => TokenFrom::Variable(typed.to_owned()),
            SourceKind::File => TokenFrom::File(typed.to_owned()),
            SourceKind::Command => TokenFrom::Command(typed.split_whitespace().map(str::to_owned).collect()),
        }
    }

    /// Changes what has the cursor.
    pub(super) fn edit(&mut self, change: impl FnOnce(&mut Field) -> bool) {
        let focus = self.focus;
        let changed = match focus {
            // What is being written is what was asked for.
            _ if self.writing => return,
            ProfileLine::Name => change(&mut self.name),
            ProfileLine::Value => change(&mut self.value),
            ProfileLine::Source => {
                // In the middle of two characters, so that a step to either side is seen.
                let mut typed = Field::holding("..");
                typed.press(super::key::Key::Left);
                change(&mut typed);
                let at = typed.before_cursor().chars().count();
                match (typed.text(), at) {
                    (". .", _) | ("..", 2) => self.source = self.source.beside(false),
                    ("..", 0) => self.source = self.source.beside(true),
                    _ => {
                        let why = "left, right or Space choose where the token comes from".to_owned();
                        self.fault = Some((ProfileLine::Source, why));
                        return;
                    }
                }
                true
            }
        };
        if changed {
            self.fault = None;
            (self.exists, self.by_hand) = (None, None);
        }
    }

    pub(super) fn next(&mut self, back: bool) {
        let has_value = self.source != SourceKind::Ask;
        self.focus = match (self.focus, back) {
            (ProfileLine::Source, false) | (ProfileLine::Name, true) if has_value => ProfileLine::Value,
            (ProfileLine::Name, _) | (ProfileLine::Value, true) => ProfileLine::Source,
            (ProfileLine::Source | ProfileLine::Value, _) => ProfileLine::Name,
        };
    }
}

impl Model {
    /// Why the store that is open cannot be saved as a profile.
    pub(super) fn unavailable_profile(&self) -> Option<&'static str> {
        self.facts.demo.then_some("the demo store ends with this program: there is nothing to save")
    }

    pub(super) fn open_profile_form(&mut self) -> Vec<Effect> {
        self.open(Overlay::Profile(Box::new(ProfileForm::new())));
        Vec::new()
    }

    pub(super) fn submit_profile(&mut self, mut form: Box<ProfileForm>) -> Vec<Effect> {
        let mut effects = Vec::new();
        let profile = NewProfile {
            name: form.name.text().trim().to_owned(),
            base_url: self.facts.store.clone(),
            token: form.token(),
        };
        let fault = fault_of_name(&profile.name)
            .map(|why| (ProfileLine::Name, why))
            .or_else(|| profile.token.fault().map(|why| (ProfileLine::Value, why)));
        match fault {
            _ if form.writing => {}
            Some((line, why)) => {
                form.focus = line;
                form.fault = Some((line, why.to_owned()));
            }
            None => {
                let replace = form.exists.as_ref() == Some(&profile.name);
                (form.writing, form.fault, form.by_hand) = (true, None, None);
                effects.push(Effect::SaveProfile(Box::new(profile), replace));
            }
        }
        self.overlay = Some(Overlay::Profile(form));
        effects
    }

    /// The profile was written into this file, or not: then the form says why.
    pub(super) fn profile_saved(&mut self, profile: NewProfile, file: &Path, written: Result<(), NotTaken>) {
        let form = match &mut self.overlay {
            Some(Overlay::Profile(form)) if form.writing => Some(form),
            Some(_) | None => None,
        };
        let why = match (written, form) {
            (Ok(()), form) => {
                if form.is_some() {
                    self.close();
                }
                return self.has_new_profile(profile, file);
            }
            (Err(fault), Some(form)) => {
                (form.writing, form.focus) = (false, ProfileLine::Name);
                match fault {
                    NotTaken::Exists => form.exists = Some(profile.name),
                    NotTaken::Other(why) => form.by_hand = Some((why, profile.lines())),
                }
                return;
            }
            (Err(NotTaken::Exists), None) => "there is such a profile already".to_owned(),
            (Err(NotTaken::Other(why)), None) => why,
        };
        self.says(&format!("Profile {} was not saved: {why}.", profile.name));
    }

    /// It is on offer from now on; a store that was opened by its URL has its name.
    fn has_new_profile(&mut self, profile: NewProfile, file: &Path) {
        let NewProfile { name, base_url, token } = profile;
        let wish = Wish::Profile(name.clone());
        let new = KnownStore {
            wish: wish.clone(),
            name: name.clone(),
            base_url: Some(base_url.to_string()),
            color: None,
            read_only: false,
        };
        match self.known.iter_mut().find(|store| store.wish == wish) {
            Some(there) => there.base_url = new.base_url,
            None => {
                let before_demo = self.known.iter().position(|store| store.wish == Wish::Demo);
                self.known.insert(before_demo.unwrap_or(self.known.len()), new);
            }
        }
        if matches!(self.here, Wish::BaseUrl(_)) && self.facts.store == base_url {
            (self.here, self.facts.profile) = (wish, Some(name.clone()));
        }
        let from = match token {
            TokenFrom::Ask => "its token is asked for each time".to_owned(),
            TokenFrom::Variable(variable) => format!("its token comes from ${variable}"),
            TokenFrom::File(path) => format!("its token comes from the file {path}"),
            TokenFrom::Command(words) => {
                format!("its token comes from the command {}", words.first().map_or("", String::as_str))
            }
        };
        let file = shown_path(file);
        self.says(&format!("Saved profile {name} ({base_url}) in {file}; {from}. plants --profile {name} opens it."));
    }
}
