//! The key table: which key does what, where, and in which words.
//!
//! The config file may remap it; a key that would then mean two things in one place is invalid, and both
//! names are said.

use std::fmt::Write as _;

use super::bindings::{self, Binding};
use super::command::{Command, Scope};
use super::key::Key;
use crate::config::{Fault, Remap};

/// All bindings, remapped as the config file wants.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self { bindings: bindings::all() }
    }
}

impl Keymap {
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
                .find(|binding| binding.name == remap.action && binding.scope != Scope::Everywhere)
            else {
                let known: Vec<_> =
                    Self::default().bindings.iter().filter(|b| b.scope != Scope::Everywhere).map(|b| b.name).collect();
                faults.push(fault(remap, format!("there is no such action; the actions are {}", known.join(", "))));
                continue;
            };
            let mut keys = Vec::new();
            for text in &remap.keys {
                match text.parse::<Key>() {
                    Ok(Key::Char(_)) if matches!(binding.scope, Scope::Form | Scope::Picker) => {
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
                let (one, other) = (first.scope, second.scope);
                let meet = Scope::ALL.iter().any(|at| one.holds_in(*at) && other.holds_in(*at));
                for key in first.keys.iter().filter(|key| meet && second.keys.contains(key)) {
                    found.push((*key, first.name, second.name));
                }
            }
        }
        found
    }

    /// The line that a key has in a component of this scope.
    pub fn binding(&self, component: Scope, key: Key) -> Option<&Binding> {
        self.here(component).find(|binding| binding.keys.contains(&key))
    }

    /// The lines that hold here, in order.
    pub fn here(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(move |binding| binding.scope.holds_in(scope))
    }

    /// The lines of one scope, in order.
    pub fn of(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(move |binding| binding.scope == scope)
    }

    /// The key that sentences name for a command of one scope.
    pub fn shown(&self, command: Command) -> String {
        self.first_key(|binding| binding.command == command)
    }

    /// The same for a command that several scopes have.
    pub fn shown_in(&self, scope: Scope, command: Command) -> String {
        self.first_key(|binding| binding.scope == scope && binding.command == command)
    }

    fn first_key(&self, is_it: impl Fn(&Binding) -> bool) -> String {
        let key = self.bindings.iter().find(|binding| is_it(binding)).and_then(|binding| binding.keys.first());
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
        Keymap::remapped(remaps, Path::new("c.toml")).unwrap_err().into_iter().map(|fault| fault.what).collect()
    }

    fn command(table: &Keymap, key: Key) -> Option<Command> {
        table.binding(Scope::Tabs, key).map(|binding| binding.command)
    }

    #[test]
    fn no_key_means_two_things() {
        assert_eq!(Keymap::default().clashes(), []);
    }

    #[test]
    fn the_help_has_every_line() {
        let table = Keymap::default();
        let listed: usize = Scope::ALL.iter().map(|scope| table.of(*scope).count()).sum();
        assert_eq!(listed, table.bindings.len());
        for binding in &table.bindings {
            assert!(table.markdown().contains(&format!("| {} |", binding.help)), "{}", binding.name);
        }
    }

    #[test]
    fn every_name_is_there_once() {
        let table = Keymap::default();
        let mut names: Vec<_> = table.bindings.iter().map(|binding| binding.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), table.bindings.len());
    }

    #[test]
    fn a_key_can_be_remapped() {
        let table = Keymap::remapped(&[remap("add", &["n", "f2"])], Path::new("c.toml")).unwrap();
        assert_eq!(command(&table, Key::Char('n')), Some(Command::Add));
        assert_eq!(command(&table, Key::F(2)), Some(Command::Add));
        assert_eq!(command(&table, Key::Char('a')), None);
        assert_eq!(table.shown(Command::Add), "n");
    }

    #[test]
    fn two_actions_may_trade_keys() {
        let table = Keymap::remapped(&[remap("add", &["d"]), remap("delete", &["a"])], Path::new("c.toml")).unwrap();
        assert_eq!(command(&table, Key::Char('d')), Some(Command::Add));
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
