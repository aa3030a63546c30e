//! The help of the command line: the whole definition for the parser, and what is said about an invalid line.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};

use super::examples;
use super::program::Program;
use crate::text::similar::within;

/// Options that people try where a query does it.
const OF_QUERIES: [&str; 9] =
    ["--id", "--name", "--tag", "--state", "--outcome", "--status", "--since", "--before", "--plant"];

/// Returns the definition of the command line with the help of each verb: its own options in `-h`, those that all verbs
/// share in `--help`, too.
pub fn command() -> Command {
    let hiding = |command: Command, hides: bool| {
        command.mut_args(|argument| if argument.is_global_set() { argument.hide_short_help(hides) } else { argument })
    };
    let mut command = hiding(Program::command(), true);
    // The definitions of the verbs are deferred until here; each gets the shared options.
    command.build();
    examples::in_help(hiding(command, false))
}

/// Suggests the option that is nearest to an unknown one, among those of the verb in these words, if one is near.
pub(super) fn improved<'a>(mut error: clap::Error, words: impl IntoIterator<Item = &'a str>) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return error };
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let typed = typed.split('=').next().unwrap_or_default().trim_start_matches('-').to_owned();
    // To pass the option as a value is not what was meant.
    error.remove(ContextKind::Suggested);
    error.remove(ContextKind::SuggestedArg);
    let command = command();
    let verb = words.into_iter().find_map(|word| command.find_subcommand(word)).unwrap_or(&command);
    // The usage that is there shows what was suggested.
    error.insert(ContextKind::Usage, ContextValue::StyledStr(verb.clone().render_usage()));
    let is_near = |name: &&str| within(&typed, [*name], (name.len() / 4).max(1)).is_some();
    if let Some(name) = verb.get_arguments().filter_map(|argument| argument.get_long()).find(is_near) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{name}")));
    }
    error
}

/// Returns what to do where an unknown option is a field of the queries.
pub(super) fn advice(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    let option = typed.split('=').next()?;
    let is_of_query = error.kind() == ErrorKind::UnknownArgument && OF_QUERIES.contains(&option);
    let field = if option == "--plant" { "name" } else { option.trim_start_matches('-') };
    is_of_query.then(|| format!("a query finds plants and requests: write {field}:VALUE"))
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::path::PathBuf;

    use clap::CommandFactory as _;

    use super::*;
    use crate::config::Environment;

    /// Returns how each path can be given to this command and those below it, with the value that is parsed.
    fn parsed(command: &clap::Command) -> Vec<(String, Option<PathBuf>)> {
        let program = command.clone().mut_args(|argument| argument.required(false)).ignore_errors(true);
        let paths =
            command.get_arguments().filter(|argument| argument.get_value_parser().type_id() == TypeId::of::<PathBuf>());
        let own = paths.map(|argument| {
            let word = argument.get_long().map_or_else(|| "~/x".to_owned(), |name| format!("--{name}=~/x"));
            let matches = program.clone().try_get_matches_from([command.get_name(), &word]).unwrap();
            let value = matches.get_one::<PathBuf>(argument.get_id().as_str()).cloned();
            (format!("{} {word}", command.get_name()), value)
        });
        own.chain(command.get_subcommands().flat_map(parsed)).collect()
    }

    #[test]
    fn a_tilde_is_expanded_in_every_path_of_the_command_line() {
        let mut program = Program::command();
        program.build();
        let parsed = parsed(&program);
        let expanded = Environment::read().home.unwrap().join("x");
        let wrong: Vec<_> = parsed.iter().filter(|(_, value)| value.as_ref() != Some(&expanded)).collect();
        assert!(wrong.is_empty() && parsed.len() > 10, "{wrong:?} of {parsed:?}");
    }
}
