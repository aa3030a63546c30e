//! The key table as it is in use: the default keys, remapped by the config file's `[keys]`, and those of its custom
//! commands.
//!
//! A key that would have two meanings in one scope is invalid. Must not know components.

use std::path::Path;

use super::bindings::{self, Binding};
use super::command::{Command, Scope};
use crate::config::{CustomCommand, Fault, KeySettings, Location, Remap};
use crate::terminal::Key;
use crate::text::similar::{did_you_mean, similar};
use crate::tui::widgets::text_input::edits;

/// The heading of [`EDITING_KEYS`](crate::tui::widgets::text_input::EDITING_KEYS) in the help.
pub const IN_A_FIELD: &str = "In a field, as in a shell";

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
    /// Applies what the config file says to the default table.
    ///
    /// # Errors
    ///
    /// All invalid actions and keys, all names of two commands, and all keys with two meanings in one scope, each with its
    /// line.
    pub fn configured(settings: &KeySettings, config_file: &Path) -> Result<Self, Vec<Fault>> {
        let KeySettings { remaps, commands } = settings;
        let mut table = Self::default();
        if remaps.is_empty() && commands.is_empty() {
            // The default keys are compared by a test.
            return Ok(table);
        }
        let mut faults = Vec::new();
        let at = |line: usize, key: String, what: String| Location::in_file(config_file, line, key).fault(what);
        let fault = |remap: &Remap, what: String| at(remap.line, format!("keys.{}", remap.action), what);
        let fault_of_key = |command: &CustomCommand, what| at(command.key_line, "command.key".to_owned(), what);
        for remap in remaps {
            let can_be_remapped = |binding: &&mut Binding| binding.scope != Scope::Everywhere;
            let mut bindings = table.bindings.iter_mut().filter(can_be_remapped);
            let Some(binding) = bindings.find(|binding| binding.name == remap.action) else {
                let mut known = bindings::all();
                known.retain(|binding| binding.scope != Scope::Everywhere);
                let known: Vec<_> = known.iter().map(|binding| &*binding.name).collect();
                let names = match similar(&remap.action, known.iter().copied()) {
                    Some(name) => format!("did you mean {name}?"),
                    None => format!("the actions are {}", known.join(", ")),
                };
                faults.push(fault(remap, format!("there is no such action; {names}")));
                continue;
            };
            let mut keys = Vec::new();
            for text in &remap.keys {
                match parsed(text, binding.scope) {
                    Ok(key) => keys.push(key),
                    Err(what) => faults.push(fault(remap, what)),
                }
            }
            if remap.keys.is_empty() {
                faults.push(fault(remap, "names no key: give at least one".to_owned()));
            }
            if !keys.is_empty() {
                binding.keys = keys;
            }
        }
        for (index, command) in commands.iter().enumerate() {
            let mut binding = bindings::custom(index, command);
            if table.bindings.iter().any(|other| other.name == binding.name) {
                let what =
                    format!("another command has the name {}: add another one, like name = \"pretty\"", binding.name);
                faults.push(at(command.name_line, "command.name".to_owned(), what));
            }
            match parsed(&command.key, binding.scope) {
                Ok(key) => binding.keys = vec![key],
                Err(what) => faults.push(fault_of_key(command, what)),
            }
            table.bindings.push(binding);
        }
        for (key, first, second) in table.clashes() {
            let what = format!("{key} would mean both {first} and {second}: give one of them another key");
            let is_meant = |name: &str| name == first || name == second;
            if let Some(command) = commands.iter().rfind(|command| is_meant(&command.name)) {
                faults.push(fault_of_key(command, what));
            } else if let Some(remap) = remaps.iter().rfind(|remap| is_meant(&remap.action)) {
                faults.push(fault(remap, what));
            }
        }
        if faults.is_empty() { Ok(table) } else { Err(faults) }
    }

    /// Returns what is invalid in the keys that the config file names.
    pub fn faults(settings: &KeySettings, config_file: &Path) -> Vec<Fault> {
        Self::configured(settings, config_file).err().unwrap_or_default()
    }

    /// Returns the keys with two meanings in one scope, each with the names of both bindings.
    fn clashes(&self) -> Vec<(Key, &str, &str)> {
        let mut found = Vec::new();
        for (at, first) in self.bindings.iter().enumerate() {
            for second in self.bindings.iter().skip(at + 1) {
                let (one, other) = (first.scope, second.scope);
                let meet = Scope::ALL.iter().any(|scope| one.applies_in(*scope) && other.applies_in(*scope));
                for key in first.keys.iter().filter(|key| meet && second.keys.contains(key)) {
                    found.push((*key, &*first.name, &*second.name));
                }
            }
        }
        found
    }

    /// Returns the binding of a key in a component of this scope. Without one, Ctrl or Shift changes nothing.
    pub fn binding(&self, component: Scope, key: Key) -> Option<&Binding> {
        let exact = |key| self.here(component).find(|binding| binding.keys.contains(&key));
        exact(key).or_else(|| key.unmodified().and_then(exact))
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
}

/// Parses a key of a scope.
fn parsed(text: &str, scope: Scope) -> Result<Key, String> {
    match text.parse::<Key>() {
        Ok(Key::Char(_)) if scope.takes_text() => {
            Err(format!("{text:?} would be typed into the field: use a key that is no character"))
        }
        Ok(key) if matches!(scope, Scope::Form | Scope::Picker) && edits(key) => {
            Err(format!("{text:?} edits in the field: use another key"))
        }
        Ok(key) => Ok(key),
        Err(why) => Err(format!("{text:?} {why}{}", did_you_mean(text, Key::names()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, CommandSubject, Environment, Flags};
    use crate::domain::Language;
    use crate::tui::ui_effect::Tab;

    fn remap(action: &str, keys: &[&str]) -> Remap {
        Remap { action: action.into(), keys: keys.iter().map(|key| (*key).to_owned()).collect(), line: 3 }
    }

    fn configured(remaps: &[Remap], commands: &[CustomCommand]) -> Result<Keymap, Vec<Fault>> {
        let settings = KeySettings { remaps: remaps.to_vec(), commands: commands.to_vec() };
        Keymap::configured(&settings, Path::new("c.toml"))
    }

    fn faults(remaps: &[Remap]) -> Vec<String> {
        configured(remaps, &[]).unwrap_err().into_iter().map(|fault| fault.what).collect()
    }

    fn command(table: &Keymap, key: Key) -> Option<Command> {
        table.binding(Scope::Tabs, key).map(|binding| binding.command)
    }

    #[test]
    fn no_default_key_has_two_meanings() {
        assert_eq!(Keymap::default().clashes(), []);
    }

    #[test]
    fn an_audience_reads_what_every_key_does_in_its_language() {
        let bindings = bindings::all();
        let keys = bindings.iter().filter_map(|binding| binding.footer.as_deref());
        for label in keys.chain(Tab::ALL.map(Tab::title)) {
            assert!(Language::ALL[1..].iter().all(|language| language.named(label) != label), "{label}");
        }
    }

    #[test]
    fn the_keys_of_the_example_of_the_config_file_are_valid() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("config.toml");
        let uncommented =
            |line: &str| format!("{}\n", line.strip_prefix('#').filter(|key| !key.starts_with(' ')).unwrap_or(line));
        std::fs::write(&path, config::example().lines().map(uncommented).collect::<String>()).unwrap();
        let (flags, mut read) = (Flags { config: Some(path), ..Flags::default() }, KeySettings::default());
        // The certificates that it names are not there.
        let _faults = config::resolve(&flags, &Environment::at_home(home.path()), |keys, _| {
            read = keys.clone();
            Vec::new()
        });
        assert_eq!((read.remaps.len(), read.commands.len()), (2, 1));
        assert_eq!(Keymap::faults(&read, Path::new("c.toml")), []);
    }

    #[test]
    fn no_key_that_edits_in_a_field_is_a_command_there() {
        let table = Keymap::default();
        for scope in [Scope::Form, Scope::Picker] {
            for binding in table.here(scope) {
                let editing = binding.keys.iter().find(|key| edits(**key));
                assert_eq!(editing, None, "{}", binding.name);
            }
        }
        assert!(faults(&[remap("list-down", &["Ctrl-Left"])])[0].ends_with("edits in the field: use another key"));
    }

    #[test]
    fn a_key_with_ctrl_or_shift_that_means_nothing_is_the_key_alone() {
        let table = Keymap::default();
        let at = |scope, key| table.binding(scope, key).map(|binding| binding.command);
        assert_eq!(at(Scope::Greenhouse, Key::CtrlLeft), Some(Command::Left));
        assert_eq!(at(Scope::History, Key::ShiftUp), Some(Command::Up));
        assert_eq!(at(Scope::Plants, Key::ShiftUp), Some(Command::MarkUp));
        assert_eq!(at(Scope::Form, Key::CtrlLeft), None);
    }

    #[test]
    fn the_help_lists_every_binding_with_its_sentence() {
        let table = Keymap::default();
        let listed: usize = Scope::ALL.iter().map(|scope| table.of(*scope).count()).sum();
        assert_eq!(listed, table.bindings.len());
        for binding in &table.bindings {
            assert!(!binding.help.is_empty(), "{}", binding.name);
        }
    }

    #[test]
    fn every_binding_has_a_unique_name() {
        let table = Keymap::default();
        let mut names: Vec<_> = table.bindings.iter().map(|binding| &*binding.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), table.bindings.len());
    }

    #[test]
    fn a_key_can_be_remapped() {
        let table = configured(&[remap("add", &["n", "f2"])], &[]).unwrap();
        assert_eq!(command(&table, Key::Char('n')), Some(Command::Add));
        assert_eq!(command(&table, Key::F(2)), Some(Command::Add));
        assert_eq!(command(&table, Key::Char('a')), None);
        assert_eq!(table.shown(Command::Add), "n");
    }

    #[test]
    fn two_actions_can_swap_keys() {
        let table = configured(&[remap("add", &["d"]), remap("delete", &["a"])], &[]).unwrap();
        assert_eq!(command(&table, Key::Char('d')), Some(Command::Add));
    }

    #[test]
    fn a_key_with_two_meanings_is_invalid_and_both_names_are_given() {
        assert_eq!(faults(&[remap("add", &["q"])]), ["q would mean both add and quit: give one of them another key"]);
    }

    #[test]
    fn a_key_with_two_meanings_is_reported_at_the_action_that_was_given_it() {
        let remaps = [remap("quit", &["a"]), remap("delete", &["f2"])];
        let faults = configured(&remaps, &[]).unwrap_err();
        assert!(faults.iter().all(|fault| fault.location.key == "keys.quit"), "{faults:?}");
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

    /// In the lines 5 (its name) and 6 (its key).
    fn custom(name: &str, key: &str, on: CommandSubject) -> CustomCommand {
        let [name, key] = [name, key].map(str::to_owned);
        let words = vec!["/bin/jq".to_owned(), ".".to_owned()];
        CustomCommand { name, name_line: 5, key, key_line: 6, on, words }
    }

    #[test]
    fn a_custom_command_is_a_binding_like_others() {
        let commands = [custom("pretty", "X", CommandSubject::Plant), custom("all", "F6", CommandSubject::Request)];
        let table = configured(&[], &commands).unwrap();
        let at = |scope, key| table.binding(scope, key).map(|binding| binding.command);
        for scope in [Scope::Plants, Scope::Greenhouse] {
            assert_eq!(at(scope, Key::Char('X')), Some(Command::RunOnPlant(0)));
        }
        assert_eq!(at(Scope::History, Key::Char('X')), None);
        for scope in [Scope::Plants, Scope::History, Scope::Check, Scope::Inspector] {
            assert_eq!(at(scope, Key::F(6)), Some(Command::RunOnRequest(1)));
        }
        let binding = table.binding(Scope::Plants, Key::Char('X')).unwrap();
        assert_eq!((&*binding.name, binding.footer.as_deref()), ("pretty", Some("pretty")));
        assert_eq!(binding.described(), "pretty, a command of your own: /bin/jq reads the plant as JSON");
    }

    #[test]
    fn the_faults_of_custom_commands_are_those_of_remapped_keys() {
        use CommandSubject::{Plant, Request};
        let faults = |remaps: &[Remap], commands: &[CustomCommand]| -> Vec<_> {
            let faults = configured(remaps, commands).unwrap_err().into_iter();
            faults.map(|fault| (fault.location.line.unwrap(), fault.location.key, fault.what)).collect()
        };
        let clash = |what: &str| vec![(6, "command.key".to_owned(), format!("{what}: give one of them another key"))];
        assert_eq!(faults(&[], &[custom("pretty", "x", Plant)]), clash("x would mean both its-requests and pretty"));
        let both = [custom("one", "X", Plant), custom("two", "X", Request)];
        assert_eq!(faults(&[], &both), clash("X would mean both one and two"));
        let remapped = faults(&[remap("add", &["X"])], &[custom("one", "X", Plant)]);
        assert_eq!(remapped, clash("X would mean both add and one"));
        let no_key = faults(&[], &[custom("one", "Entr", Plant)]);
        assert!(no_key[0].1 == "command.key" && no_key[0].2.ends_with("; did you mean Enter?"), "{no_key:?}");
        for (first, second) in [("delete", "one"), ("one", "one")] {
            let found = faults(&[], &[custom(first, "X", Plant), custom(second, "F6", Plant)]);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!((found[0].0, found[0].1.as_str()), (5, "command.name"));
        }
        // In tabs that never meet, a key can mean two things.
        assert!(configured(&[], &[custom("one", "n", Plant), custom("two", "F6", Request)]).is_ok());
    }
}
