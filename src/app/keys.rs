//! The key table: the one place that says which key does what, where, and in which words.
//!
//! Dispatch, footer, help and the README's table all read it. The config file may remap it; a
//! key that would then mean two things in one place is refused with both names.

use std::fmt::Write as _;

use super::bindings;
use super::key::Key;
use crate::config::{Fault, Remap};

/// Where a key is pressed. Each scope has its own bindings; [`Scope::Everywhere`]'s hold in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In every scope.
    Everywhere,
    /// In every room, nothing open over it.
    Room,
    /// In the rooms of what was asked for: Plants, Exchanges and Greenhouse.
    Operations,
    /// In the rooms where a plant is selected: Plants and Greenhouse.
    Plant,
    /// In the Plants room.
    Plants,
    /// In the Exchanges room.
    Exchanges,
    /// In the Check room.
    Check,
    /// In the Greenhouse.
    Greenhouse,
    /// Where an exchange is at hand: the selected one, or a plant's last.
    Exchange,
    /// A form or prompt with text fields.
    Form,
    /// A dialog that offers a choice.
    Choice,
    /// What a file to import comes to.
    Preview,
    /// A text to read: help, a plant's whole story, an exchange.
    Reader,
    /// The reader that shows an exchange.
    Inspector,
    /// A list to choose from, found as one types, or a filter while one types it.
    List,
}

impl Scope {
    /// In the order of the help.
    pub const ALL: [Self; 15] = [
        Self::Room,
        Self::Operations,
        Self::Plant,
        Self::Plants,
        Self::Exchanges,
        Self::Check,
        Self::Greenhouse,
        Self::Exchange,
        Self::Inspector,
        Self::Reader,
        Self::Form,
        Self::Choice,
        Self::Preview,
        Self::List,
        Self::Everywhere,
    ];

    /// Whether its keys hold where one is.
    pub fn holds_in(self, at: Self) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Room => at.is_a_room(),
            Self::Operations => matches!(at, Self::Operations | Self::Plants | Self::Exchanges | Self::Greenhouse),
            Self::Plant => matches!(at, Self::Plant | Self::Plants | Self::Greenhouse),
            Self::Exchange => at.is_a_room() || at == Self::Inspector,
            Self::Reader => matches!(at, Self::Reader | Self::Inspector),
            Self::Choice => matches!(at, Self::Choice | Self::Preview),
            Self::Plants
            | Self::Exchanges
            | Self::Check
            | Self::Greenhouse
            | Self::Form
            | Self::Preview
            | Self::Inspector
            | Self::List => self == at,
        }
    }

    /// Whether its keys are pressed in a room, nothing open over it.
    fn is_a_room(self) -> bool {
        match self {
            Self::Room
            | Self::Operations
            | Self::Plant
            | Self::Plants
            | Self::Exchanges
            | Self::Check
            | Self::Greenhouse => true,
            Self::Everywhere
            | Self::Exchange
            | Self::Form
            | Self::Choice
            | Self::Preview
            | Self::Reader
            | Self::Inspector
            | Self::List => false,
        }
    }

    /// Its heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Room => "In every room",
            Self::Operations => "In the rooms Plants, Exchanges and Greenhouse",
            Self::Plant => "In the rooms Plants and Greenhouse",
            Self::Plants => "Plants",
            Self::Exchanges => "Exchanges",
            Self::Check => "Check",
            Self::Greenhouse => "Greenhouse",
            Self::Exchange => "The exchange at hand: the selected one, or the last of what is selected",
            Self::Form => "In a form",
            Self::Choice => "In a dialog",
            Self::Preview => "Before an import",
            Self::Reader => "In help, story and other texts",
            Self::Inspector => "In an opened exchange",
            Self::List => "In a list, or in the filter",
        }
    }
}

/// Everything a key can do, by where it does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// In every room.
    Room(InRoom),
    /// In the rooms of what was asked for.
    Operations(InOperations),
    /// With the selected plant.
    Plant(WithPlant),
    /// In the Plants room.
    Plants(InPlants),
    /// In the Exchanges room.
    Exchanges(InExchanges),
    /// In the Check room.
    Check(InCheck),
    /// In the Greenhouse.
    Greenhouse(InGreenhouse),
    /// With the exchange at hand.
    Exchange(WithExchange),
    /// In a form.
    Form(InForm),
    /// In a dialog.
    Choice(InChoice),
    /// Before an import.
    Preview(InPreview),
    /// In a reader.
    Reader(InReader),
    /// In an opened exchange.
    Inspector(InInspector),
    /// In a list.
    List(InList),
    /// Everywhere.
    Everywhere(Anywhere),
}

impl Action {
    /// Where its keys are pressed.
    pub fn scope(self) -> Scope {
        match self {
            Self::Room(_) => Scope::Room,
            Self::Operations(_) => Scope::Operations,
            Self::Plant(_) => Scope::Plant,
            Self::Plants(_) => Scope::Plants,
            Self::Exchanges(_) => Scope::Exchanges,
            Self::Check(_) => Scope::Check,
            Self::Greenhouse(_) => Scope::Greenhouse,
            Self::Exchange(_) => Scope::Exchange,
            Self::Form(_) => Scope::Form,
            Self::Choice(_) => Scope::Choice,
            Self::Preview(_) => Scope::Preview,
            Self::Reader(_) => Scope::Reader,
            Self::Inspector(_) => Scope::Inspector,
            Self::List(_) => Scope::List,
            Self::Everywhere(_) => Scope::Everywhere,
        }
    }
}

/// What a key can do in every room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InRoom {
    Plants,
    Exchanges,
    Check,
    Greenhouse,
    NextRoom,
    PreviousRoom,
    Add,
    DeleteById,
    Settle,
    BringBack,
    Import,
    Export,
    Filter,
    Open,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Connection,
    Palette,
    Tour,
    Present,
    Mouse,
    Back,
    Help,
    Quit,
}

/// What a key can do in the rooms of what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InOperations {
    Mark,
    SendAgain,
}

/// What a key can do with the selected plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum WithPlant {
    Delete,
    ItsExchanges,
}

/// What a key can do in the Plants room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InPlants {
    Sort,
    Reverse,
    MarkAll,
}

/// What a key can do in the Exchanges room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InExchanges {
    ByOutcome,
    ByPlant,
    Compare,
    Report,
}

/// What a key can do in the Check room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InCheck {
    Run,
    Compare,
    Open,
    Report,
}

/// What a key can do in the Greenhouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InGreenhouse {
    Left,
    Right,
    Wire,
    Weather,
}

/// What a key can do with the exchange at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum WithExchange {
    CopyCurl,
    CopyAnswer,
    CopyId,
}

/// What a key can do in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InForm {
    Next,
    Previous,
    Submit,
    Close,
}

/// What a key can do in a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InChoice {
    Next,
    Previous,
    Choose,
    Close,
}

/// What a key can do before an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InPreview {
    Resend,
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
}

/// What a key can do in any text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InReader {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Find,
    NextMatch,
    PreviousMatch,
    Close,
}

/// What a key can do in an opened exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InInspector {
    Raw,
    Next,
    Previous,
}

/// What a key can do in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum InList {
    Choose,
    Up,
    Down,
    PageUp,
    PageDown,
    Close,
}

impl InList {
    /// Where it goes from a line of a list of so many, of which a page shows so many; `None` if it
    /// goes nowhere.
    pub(super) fn moves(self, from: usize, count: usize, page: usize) -> Option<usize> {
        let to = match self {
            Self::Down => from + 1,
            Self::Up => from.saturating_sub(1),
            Self::PageDown => from + page,
            Self::PageUp => from.saturating_sub(page),
            Self::Choose | Self::Close => return None,
        };
        Some(to.min(count.saturating_sub(1)))
    }
}

/// What a key can do everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the table below")]
pub enum Anywhere {
    Interrupt,
    Suspend,
}

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// Its name in the config file.
    pub name: &'static str,
    /// The keys that do it; the first is the one that is shown.
    pub keys: Vec<Key>,
    /// Its word in the footer; `None` if it does not stand there.
    pub footer: Option<&'static str>,
    /// Its sentence in the help.
    pub help: &'static str,
}

/// All bindings, remapped as the config file wants.
#[derive(Debug, Clone)]
pub struct KeyTable {
    bindings: Vec<Binding>,
}

impl Binding {
    /// Where its keys are pressed.
    pub fn scope(&self) -> Scope {
        self.action.scope()
    }
}

impl Default for KeyTable {
    fn default() -> Self {
        Self { bindings: bindings::all() }
    }
}

impl KeyTable {
    /// The table with the config file's `[keys]` applied.
    ///
    /// # Errors
    ///
    /// Every action that does not exist, every key that is none, and every key that would mean
    /// two things in one place, each with its line.
    pub fn remapped(remaps: &[Remap], config_file: &std::path::Path) -> Result<Self, Vec<Fault>> {
        let mut table = Self::default();
        let mut faults = Vec::new();
        let fault = |remap: &Remap, what: String| Fault {
            file: Some(config_file.to_owned()),
            line: Some(remap.line),
            key: format!("keys.{}", remap.action),
            what,
        };
        for remap in remaps {
            let Some(binding) = table
                .bindings
                .iter_mut()
                .find(|binding| binding.name == remap.action && binding.scope() != Scope::Everywhere)
            else {
                let known: Vec<_> = Self::default()
                    .bindings
                    .iter()
                    .filter(|b| b.scope() != Scope::Everywhere)
                    .map(|b| b.name)
                    .collect();
                faults.push(fault(remap, format!("there is no such action; the actions are {}", known.join(", "))));
                continue;
            };
            let mut keys = Vec::new();
            for text in &remap.keys {
                match text.parse::<Key>() {
                    Ok(Key::Char(_)) if matches!(binding.scope(), Scope::Form | Scope::List) => {
                        faults.push(fault(
                            remap,
                            format!("{text:?} would be typed into the field: use a key that is no character"),
                        ));
                    }
                    Ok(key) => keys.push(key),
                    Err(why) => faults.push(fault(remap, format!("{text:?} {why}"))),
                }
            }
            if remap.keys.is_empty() {
                faults.push(fault(remap, "names no key: give at least one".to_owned()));
            }
            if !keys.is_empty() {
                binding.keys = keys;
            }
        }
        for (key, first, second) in table.clashes() {
            let culprit = remaps.iter().rfind(|remap| remap.action == first || remap.action == second);
            if let Some(remap) = culprit {
                faults.push(fault(
                    remap,
                    format!("{key} would mean both {first} and {second}: give one of them another key"),
                ));
            }
        }
        if faults.is_empty() { Ok(table) } else { Err(faults) }
    }

    /// What is wrong with the config file's `[keys]`.
    pub fn faults(remaps: &[Remap], config_file: &std::path::Path) -> Vec<Fault> {
        Self::remapped(remaps, config_file).err().unwrap_or_default()
    }

    /// Keys with two meanings in one scope: key and both names.
    fn clashes(&self) -> Vec<(Key, &'static str, &'static str)> {
        let mut found = Vec::new();
        for (at, first) in self.bindings.iter().enumerate() {
            for second in self.bindings.iter().skip(at + 1) {
                let (one, other) = (first.scope(), second.scope());
                let meet = Scope::ALL.iter().any(|at| one.holds_in(*at) && other.holds_in(*at));
                for key in first.keys.iter().filter(|key| meet && second.keys.contains(key)) {
                    found.push((*key, first.name, second.name));
                }
            }
        }
        found
    }

    /// What a key does here.
    pub fn action(&self, scope: Scope, key: Key) -> Option<Action> {
        self.bindings
            .iter()
            .find(|binding| binding.scope().holds_in(scope) && binding.keys.contains(&key))
            .map(|binding| binding.action)
    }

    /// The lines that hold here, in order.
    pub fn here(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(move |binding| binding.scope().holds_in(scope))
    }

    /// The lines of one scope, in order.
    pub fn of(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(move |binding| binding.scope() == scope)
    }

    /// The key that is shown for an action.
    pub fn shown(&self, action: Action) -> String {
        let key =
            self.bindings.iter().find(|binding| binding.action == action).and_then(|binding| binding.keys.first());
        key.map(Key::to_string).unwrap_or_default()
    }

    /// The table as the README shows it, in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = "| key | what it does | name |\n| --- | --- | --- |\n".to_owned();
        for scope in Scope::ALL {
            let _ = writeln!(text, "| **{}** | | |", scope.heading());
            for binding in self.of(scope) {
                let keys: Vec<_> = binding.keys.iter().map(|key| format!("`{key}`")).collect();
                let name = if scope == Scope::Everywhere { String::new() } else { format!("`{}`", binding.name) };
                let _ = writeln!(text, "| {} | {} | {name} |", keys.join(" "), binding.help);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn remap(action: &str, keys: &[&str]) -> Remap {
        Remap { action: action.into(), keys: keys.iter().map(|key| (*key).to_owned()).collect(), line: 3 }
    }

    fn faults(remaps: &[Remap]) -> Vec<String> {
        KeyTable::remapped(remaps, Path::new("c.toml")).unwrap_err().into_iter().map(|fault| fault.what).collect()
    }

    #[test]
    fn no_key_means_two_things() {
        assert_eq!(KeyTable::default().clashes(), []);
    }

    #[test]
    fn the_help_has_every_line() {
        let table = KeyTable::default();
        let told: usize = Scope::ALL.iter().map(|scope| table.of(*scope).count()).sum();
        assert_eq!(told, table.bindings.len());
        for binding in &table.bindings {
            assert!(table.markdown().contains(&format!("| {} |", binding.help)), "{}", binding.name);
        }
    }

    #[test]
    fn every_name_is_there_once() {
        let table = KeyTable::default();
        let mut names: Vec<_> = table.bindings.iter().map(|binding| binding.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), table.bindings.len());
    }

    #[test]
    fn a_key_can_be_remapped() {
        let table = KeyTable::remapped(&[remap("add", &["n", "f2"])], Path::new("c.toml")).unwrap();
        assert_eq!(table.action(Scope::Room, Key::Char('n')), Some(Action::Room(InRoom::Add)));
        assert_eq!(table.action(Scope::Room, Key::F(2)), Some(Action::Room(InRoom::Add)));
        assert_eq!(table.action(Scope::Room, Key::Char('a')), None);
        assert_eq!(table.shown(Action::Room(InRoom::Add)), "n");
    }

    #[test]
    fn two_actions_may_trade_keys() {
        let table = KeyTable::remapped(&[remap("add", &["d"]), remap("delete", &["a"])], Path::new("c.toml")).unwrap();
        assert_eq!(table.action(Scope::Room, Key::Char('d')), Some(Action::Room(InRoom::Add)));
    }

    #[test]
    fn a_clash_is_refused_with_both_names() {
        assert_eq!(faults(&[remap("add", &["q"])]), ["q would mean both add and quit: give one of them another key"]);
    }

    #[test]
    fn what_is_no_action_or_no_key_is_refused() {
        assert!(faults(&[remap("water", &["w"])])[0].starts_with("there is no such action"));
        assert!(faults(&[remap("interrupt", &["x"])])[0].starts_with("there is no such action"));
        assert!(faults(&[remap("add", &["ctrl-alt-del"])])[0].contains("is no key"));
        assert!(faults(&[remap("add", &[])])[0].contains("names no key"));
        assert!(faults(&[remap("submit", &["x"])])[0].contains("typed into the field"));
    }
}
