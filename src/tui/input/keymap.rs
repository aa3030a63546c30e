//! The key table as it is in use: the default keys, remapped by the config file's `[keys]`.
//!
//! A key that would have two meanings in one scope is invalid. Must not know components.

use std::fmt::Write as _;

use super::bindings::{self, Binding};
use super::command::{Command, Scope};
use crate::config::{Fault, Remap};
use crate::terminal::Key;
use crate::text::similar::{did_you_mean, similar};

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
    /// Applies the config file's `[keys]` to the default table.
    ///
    /// # Errors
    ///
    /// All invalid actions and keys, and all keys with two meanings in one scope, each with its line.
    pub fn remapped(remaps: &[Remap], config_file: &std::path::Path) -> Result<Self, Vec<Fault>> {
        let mut table = Self::default();
        if remaps.is_empty() {
            // The default keys are compared by a test.
            return Ok(table);
        }
        let mut faults = Vec::new();
        let fault = |remap: &Remap, what: String| Fault {
            file: Some(config_file.to_owned()),
            line: Some(remap.line),
            key: format!("keys.{}", remap.action),
            what,
        };
        for remap in remaps {
            let can_be_remapped = |binding: &&mut Binding| binding.scope != Scope::Everywhere;
            let mut bindings = table.bindings.iter_mut().filter(can_be_remapped);
            let Some(binding) = bindings.find(|binding| binding.name == remap.action) else {
                let mut known = bindings::all();
                known.retain(|binding| binding.scope != Scope::Everywhere);
                let known: Vec<_> = known.iter().map(|binding| binding.name).collect();
                let names = match similar(&remap.action, known.iter().copied()) {
                    Some(name) => format!("did you mean {name}?"),
                    None => format!("the actions are {}", known.join(", ")),
                };
                faults.push(fault(remap, format!("there is no such action; {names}")));
                continue;
            };
            let mut keys = Vec::new();
            for text in &remap.keys {
                match text.parse::<Key>() {
                    Ok(Key::Char(_)) if binding.scope.takes_text() => {
                        let what = format!("{text:?} would be typed into the field: use a key that is no character");
                        faults.push(fault(remap, what));
                    }
                    Ok(key) => keys.push(key),
                    Err(why) => {
                        let meant = did_you_mean(text, Key::names());
                        faults.push(fault(remap, format!("{text:?} {why}{meant}")));
                    }
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
            if let Some(remap) = remaps.iter().rfind(|remap| remap.action == first || remap.action == second) {
                let what = format!("{key} would mean both {first} and {second}: give one of them another key");
                faults.push(fault(remap, what));
            }
        }
        if faults.is_empty() { Ok(table) } else { Err(faults) }
    }

    /// Returns what is invalid in the config file's `[keys]`.
    pub fn faults(remaps: &[Remap], config_file: &std::path::Path) -> Vec<Fault> {
        Self::remapped(remaps, config_file).err().unwrap_or_default()
    }

    /// Returns the keys with two meanings in one scope, each with the names of both bindings.
    fn clashes(&self) -> Vec<(Key, &'static str, &'static str)> {
        let mut found = Vec::new();
        for (at, first) in self.bindings.iter().enumerate() {
            for second in self.bindings.iter().skip(at + 1) {
                let (one, other) = (first.scope, second.scope);
                let meet = Scope::ALL.iter().any(|scope| one.applies_in(*scope) && other.applies_in(*scope));
                for key in first.keys.iter().filter(|key| meet && second.keys.contains(key)) {
                    found.push((*key, first.name, second.name));
                }
            }
        }
        found
    }

    /// Returns the binding of a key in a component of this scope.
    pub fn binding(&self, component: Scope, key: Key) -> Option<&Binding> {
        self.here(component).find(|binding| binding.keys.contains(&key))
    }

    /// Returns the bindings that apply in a component of this scope, in order.
    pub fn here(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(move |binding| binding.scope.applies_in(scope))
    }

    /// Returns the bindings of exactly this scope, in order.
    pub fn of(&self, scope: Scope) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(move |binding| binding.scope == scope)
    }

    /// Returns the key that messages name for a command of a single scope.
    pub fn shown(&self, command: Command) -> String {
        self.first_key(|binding| binding.command == command)
    }

    /// Returns the key that messages name for a command in one of its scopes.
    pub fn shown_in(&self, scope: Scope, command: Command) -> String {
        self.first_key(|binding| binding.scope == scope && binding.command == command)
    }

    fn first_key(&self, is_it: impl Fn(&Binding) -> bool) -> String {
        let binding = self.bindings.iter().find(|binding| is_it(binding));
        binding.and_then(|binding| binding.shown_keys().into_iter().next()).unwrap_or_default()
    }

    /// Formats the table in Markdown, for the README.
    pub fn markdown(&self) -> String {
        let mut text = "| key | what it does | name |\n| --- | --- | --- |\n".to_owned();
        for &scope in Scope::ALL {
            let _ = writeln!(text, "| **{}** | | |", scope.heading());
            for binding in self.of(scope) {
                let keys: Vec<_> = binding.shown_keys().iter().map(|key| format!("`{key}`")).collect();
                let name = if scope == Scope::Everywhere { String::new() } else { format!("`{}`", binding.name) };
                let _ = writeln!(text, "| {} | {} | {name} |", keys.join(" "), binding.described());
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
    fn no_default_key_has_two_meanings() {
        assert_eq!(Keymap::default().clashes(), []);
    }

    #[test]
    fn the_help_lists_every_binding_with_its_sentence() {
        let table = Keymap::default();
        let listed: usize = Scope::ALL.iter().map(|scope| table.of(*scope).count()).sum();
        assert_eq!(listed, table.bindings.len());
        for binding in &table.bindings {
            assert!(!binding.help.is_empty(), "{}", binding.name);
            assert!(table.markdown().contains(&format!("| {} |", binding.described())), "{}", binding.name);
        }
    }

    #[test]
    fn every_binding_has_a_unique_name() {
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
    fn two_actions_can_swap_keys() {
        let table = Keymap::remapped(&[remap("add", &["d"]), remap("delete", &["a"])], Path::new("c.toml")).unwrap();
        assert_eq!(command(&table, Key::Char('d')), Some(Command::Add));
    }

    #[test]
    fn a_key_with_two_meanings_is_invalid_and_both_names_are_given() {
        assert_eq!(faults(&[remap("add", &["q"])]), ["q would mean both add and quit: give one of them another key"]);
    }

    #[test]
    fn a_key_with_two_meanings_is_reported_at_the_action_that_was_given_it() {
        let remaps = [remap("quit", &["a"]), remap("delete", &["f2"])];
        let faults = Keymap::remapped(&remaps, Path::new("c.toml")).unwrap_err();
        assert!(faults.iter().all(|fault| fault.key == "keys.quit"), "{faults:?}");
    }

    #[test]
    fn an_unknown_action_or_key_is_invalid() {
        assert!(faults(&[remap("water", &["w"])])[0].starts_with("there is no such action"));
        assert!(faults(&[remap("delte", &["w"])])[0].ends_with("; did you mean delete?"));
        assert!(faults(&[remap("add", &["Entr"])])[0].ends_with("; did you mean Enter?"));
        assert!(faults(&[remap("interrupt", &["x"])])[0].starts_with("there is no such action"));
        assert!(faults(&[remap("add", &["ctrl-alt-del"])])[0].contains("is no key"));
        assert!(faults(&[remap("add", &[])])[0].contains("names no key"));
        assert!(faults(&[remap("submit", &["x"])])[0].contains("typed into the field"));
    }
}
