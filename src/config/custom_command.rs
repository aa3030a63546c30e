//! Reads one `[[command]]` of the config file: a program of the user's for the selected plant or request.
//!
//! Must not know which keys there are, nor what the program reads.

use std::fmt;
use std::path::Path;

use strum::{EnumString, IntoStaticStr, VariantNames};
use tokio::process::Command;

use super::fault::unknown_key;
use super::secret_command::composed;
use super::table::{Entry, Table};
use crate::text::{clean, clean_fit};

/// Columns of a name.
const NAME_COLUMNS: usize = 40;

/// How to write one.
pub(super) const WANTED: &str = "a table for each command: write [[command]]";

/// What a custom command is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum CommandSubject {
    Plant,
    Request,
}

impl CommandSubject {
    /// Returns its name in the config file.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A program of the user's, run without a shell; its key and its name are not validated. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomCommand {
    pub name: String,
    /// The line of the name, or else of the program that it is the name of.
    pub name_line: usize,
    pub key: String,
    pub key_line: usize,
    pub on: CommandSubject,
    /// The program and its arguments, which may contain secrets.
    pub words: Vec<String>,
}

impl fmt::Display for CustomCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} on a {})", clean(&self.name), clean(&self.key), self.on.word())
    }
}

impl CustomCommand {
    pub(super) fn read(command: &Entry<'_>) -> Option<Self> {
        let mut table = command.table(WANTED)?;
        let key = required(command, &mut table, "key", "key = \"X\"");
        let run = required(command, &mut table, "run", "run = [\"python3\", \"-m\", \"json.tool\"]");
        let on = required(command, &mut table, "on", "on = \"plant\" or on = \"request\"");
        let name = table.entry("name");
        table.report_unknown(|_, meant| unknown_key(meant));
        let key_text = key.as_ref().and_then(|key| key.text("a key in quotes, like \"X\""));
        let words = run.as_ref().and_then(|run| run.program("[\"python3\", \"-m\", \"json.tool\"]"));
        let on = on.and_then(|on| on.choice("\"plant\" or \"request\""));
        let name = match name {
            Some(name) => (named(&name), name.line),
            None => (words.as_deref().and_then(program_name), run.as_ref().map_or(0, |run| run.line)),
        };
        Some(Self {
            name: clean_fit(&name.0?, NAME_COLUMNS),
            name_line: name.1,
            key: key_text?.to_owned(),
            key_line: key.map_or(0, |key| key.line),
            on: on?,
            words: words?,
        })
    }

    /// Names the program, without its arguments.
    pub fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Composes the command, without a secret in its environment.
    pub fn composed(&self) -> Option<Command> {
        composed(&self.words)
    }
}

/// Takes a key that every command has.
fn required<'r>(command: &Entry<'r>, table: &mut Table<'r>, key: &'static str, how: &str) -> Option<Entry<'r>> {
    let entry = table.entry(key);
    if entry.is_none() {
        command.fault(format_args!("{key} is missing: write it like {how}"));
    }
    entry
}

fn named(entry: &Entry<'_>) -> Option<String> {
    let name = entry.text("a name in quotes")?;
    if name.trim().is_empty() {
        entry.fault("the name is empty: write one, or leave it out");
        return None;
    }
    Some(name.to_owned())
}

/// Returns the name of a program without its folder.
fn program_name(words: &[String]) -> Option<String> {
    let program = Path::new(words.first()?);
    Some(program.file_name()?.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::file::ConfigFile;

    fn parsed(text: &str) -> (Vec<CustomCommand>, Vec<String>) {
        let (file, faults) = ConfigFile::parse(Path::new("/etc/config.toml"), text, Some(Path::new("/home/ann")));
        let shown = faults.iter().map(|fault| fault.to_string().replace("/etc/config.toml:", "")).collect();
        (file.layer.command.unwrap_or_default(), shown)
    }

    #[test]
    fn a_command_is_read_with_the_lines_of_its_key_and_its_name() {
        let text = "
[[command]]
key = 'f'
run = ['~/bin/show-plant', '~/as-it-is']
on = 'plant'

[[command]]
key = 'F6'
run = ['jq', '.']
on = 'request'
name = 'pretty'
";
        let (commands, faults) = parsed(text);
        assert_eq!(faults, [""; 0]);
        let command = |(name, name_line): (&str, usize), (key, key_line): (&str, usize), on, words: [&str; 2]| {
            let (name, key) = (name.to_owned(), key.to_owned());
            let words = words.map(str::to_owned).to_vec();
            CustomCommand { name, name_line, key, key_line, on, words }
        };
        let program = Path::new("/home/ann").join("bin/show-plant").display().to_string();
        let show = [&program, "~/as-it-is"];
        assert_eq!(
            commands,
            [
                command(("show-plant", 4), ("f", 3), CommandSubject::Plant, show),
                command(("pretty", 11), ("F6", 8), CommandSubject::Request, ["jq", "."]),
            ]
        );
    }

    #[test]
    fn every_fault_of_a_command_is_reported_with_its_line() {
        let text = "
[[command]]
key = 7
run = []
on = 'plants'
name = ' '
nmae = 'x'

[[command]]
[[command]]
key = 'f'
run = 'jq'
on = 'request'
";
        assert_eq!(
            parsed(text).1,
            [
                "3: command.key: found a number, wanted a key in quotes, like \"X\"",
                "4: command.run: the command is empty: write it like [\"python3\", \"-m\", \"json.tool\"]",
                "5: command.on: \"plants\" is none of plant, request; did you mean plant?",
                "6: command.name: the name is empty: write one, or leave it out",
                "7: command.nmae: unknown key; did you mean name?",
                "9: command: key is missing: write it like key = \"X\"",
                "9: command: run is missing: write it like run = [\"python3\", \"-m\", \"json.tool\"]",
                "9: command: on is missing: write it like on = \"plant\" or on = \"request\"",
                "12: command.run: found a text in quotes, wanted an array of texts, like [\"python3\", \"-m\", \"json.tool\"]",
            ]
        );
        let one = "[command]\nkey = 'f'\n";
        let wanted = "wanted a table for each command: write [[command]]";
        assert_eq!(parsed(one).1, [format!("1: command: found a table, {wanted}")]);
        assert_eq!(parsed("command = ['jq']\n").1, [format!("1: command: found a text in quotes, {wanted}")]);
    }
}
