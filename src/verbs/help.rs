//! The help of the command line: the whole definition for the parser, and what is said about an invalid line.

use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory as _};

use super::examples;
use super::program::Program;
use super::result_format::with_own_formats;
use crate::text::alternatives;
use crate::text::similar::{did_you_mean, within};

/// Returns the definition of the command line with the help of each verb: its own options in `-h`, those that all verbs
/// share in `--help`, too.
pub fn command() -> &'static Command {
    &WHOLE
}

static WHOLE: LazyLock<Command> = LazyLock::new(|| {
    let hiding = |command: Command, hides: bool| {
        command.mut_args(|argument| {
            if !argument.is_global_set() {
                return argument;
            }
            // Each verb has formats of its own.
            let has_values = argument.get_action().takes_values();
            argument.hide_short_help(hides).hide_possible_values(hides && has_values)
        })
    };
    let mut command = hiding(Program::command(), true);
    // The definitions of the verbs are deferred until here; each gets the shared options.
    command.build();
    examples::in_help(with_own_formats(hiding(command, false)))
});

/// Words that are no verbs, and what to do.
const NO_VERBS: [(&[&str], &str); 8] = [
    (
        &["rename", "update", "change", "modify", "patch", "put", "edit"],
        "The service cannot change a plant: delete it, then re-add it with another name or tag.",
    ),
    (
        &["w", "w!", "save!"],
        "There is nothing to save: every request is in the journal before it leaves. export writes the plants into a file.",
    ),
    (
        &["refresh", "reload", "sync", "fetch", "pull"],
        "There is nothing to refresh: the lists are always up to date, and the service cannot list its plants.",
    ),
    (
        &["get", "describe", "search", "find", "filter"],
        "list QUERY finds plants, like list tag:desert; history QUERY finds requests, and history N prints one.",
    ),
    (
        &["login", "auth"],
        "There is no login. Give the token in PLANTS_TOKEN, --token-file or a profile, or when you are asked.",
    ),
    (&["forget"], "resolve PLANT --forget takes a plant from the list, and sends nothing."),
    (&["version"], "plants --version prints it."),
    (
        &["undo"],
        "The store has no undo. Delete what was added; add what was deleted with add --from N, its number in the history.",
    ),
];

/// Why there is no `--token`.
const NO_TOKEN: &str =
    "the token comes from PLANTS_TOKEN, --token-file or --token-stdin: on a command line other users would see it";

/// Returns what to do in place of a verb that people try and that cannot exist.
pub fn instead_of(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    NO_VERBS.iter().find(|(words, _)| words.contains(&word.as_str())).map(|(_, advice)| *advice)
}

/// Says that there is no such command, and what to do.
pub fn no_command<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    if let Some(advice) = instead_of(typed) {
        return format!("There is no command {typed}. {advice}");
    }
    let meant = did_you_mean(typed, known);
    let end = if meant.is_empty() { "." } else { "" };
    format!("There is no command {typed}{meant}{end} help lists the commands.")
}

/// Returns the verb whose help these words ask for with `help` behind it. A plant of this name is added with `--name`.
pub(super) fn asks_for_help<'a>(words: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let (_, verb) = words.split_last().filter(|(last, verb)| **last == "help" && !verb.is_empty())?;
    let mut program = Program::command().disable_help_subcommand(true);
    program.build();
    verb.iter().try_fold(&program, |program, word| program.find_subcommand(word)).map(|_| verb)
}

/// Returns the verb, of a verb if it has some, that these words begin with.
pub(super) fn verb_of<'c>(command: &'c Command, words: &[impl AsRef<str>]) -> &'c Command {
    words.iter().fold(command, |verb, word| verb.find_subcommand(word.as_ref()).unwrap_or(verb))
}

/// Returns the verb before the word that is none.
pub(super) fn verb_meant<'c>(error: &clap::Error, language: &'c Command, words: &[impl AsRef<str>]) -> &'c Command {
    let wrong = detail(error, ContextKind::InvalidSubcommand);
    let end = words.iter().position(|word| wrong == Some(word.as_ref())).unwrap_or(words.len());
    verb_of(language, &words[..end])
}

/// Whether a word is an option as it is typed, without a value.
pub(super) fn is_spelled(option: &Arg, word: &str) -> bool {
    let is_long = || word.strip_prefix("--").is_some_and(|name| option.get_long() == Some(name));
    let is_short = || word.strip_prefix('-').is_some_and(|name| name.chars().eq(option.get_short()));
    !option.is_positional() && (is_long() || is_short())
}

/// Returns the options that a verb has for itself.
pub(super) fn own_options(verb: &Command) -> impl Iterator<Item = &Arg> {
    let is_own = |option: &&Arg| !option.is_positional() && !option.is_global_set() && option.get_id() != "help";
    verb.get_arguments().filter(is_own)
}

/// The most values of an option that an error lists.
const MANY_VALUES: usize = 12;

/// Returns the verbs of a language, or those that follow a verb, that its help lists.
pub(super) fn listed(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| verb.get_name() != "help" && !verb.is_hide_set())
}

fn verbs_of(command: &Command) -> String {
    alternatives(listed(command).map(Command::get_name))
}

/// Says that a language, or this verb of it, has no such command, and what to do.
pub fn no_command_of(verb: &Command, language: &Command, typed: &str) -> String {
    let help = verb.find_subcommand("help").map(Command::get_name);
    let names = listed(verb).flat_map(Command::get_name_and_visible_aliases).chain(help);
    let (name, verbs) = (verb.get_name(), verbs_of(verb));
    if name == language.get_name() || name == "help" {
        return no_command(typed, names);
    }
    let meant = did_you_mean(typed, names);
    let end = if meant.is_empty() { "." } else { "" };
    format!("{name} has no command {typed}{meant}{end} It has {}.", if verbs.is_empty() { "none" } else { &verbs })
}

/// Says in one line what is wrong with these words of a language, and what to do.
pub(super) fn sentence(mut error: clap::Error, language: &Command, words: &[impl AsRef<str>]) -> String {
    let verb = verb_meant(&error, language, words);
    if let Some(typed) = detail(&error, ContextKind::InvalidSubcommand) {
        return no_command_of(verb, language, typed);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return format!("{} needs one of its commands: {}.", verb.get_name(), verbs_of(verb));
    }
    let mut advice = None;
    if let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue)
        && known.len() > MANY_VALUES
    {
        advice = Some(format!("plants help {} lists the values", verb.get_name()));
        error.remove(ContextKind::ValidValue);
    }
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(typed) = detail(&error, ContextKind::InvalidArg)
    {
        if Program::command().get_arguments().any(|option| is_spelled(option, typed)) {
            return format!("{typed} is given when the program starts: plants {typed}.");
        }
        let option = typed.split([' ', '=']).next().unwrap_or_default();
        advice = instead_of_option(verb, language, words, option);
        // To pass the option as a value is not what was meant.
        error.remove(ContextKind::Suggested);
        error.remove(ContextKind::SuggestedArg);
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let is_before_usage = |line: &&str| !line.starts_with("Usage:") && !line.starts_with("For more information");
    let lines: Vec<_> =
        text.lines().take_while(is_before_usage).map(str::trim).filter(|line| !line.is_empty()).collect();
    let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
    format!("{}{advice}.", lines.join(" "))
}

/// Returns what to do in place of an argument that the verb does not have: the nearest option if one is
/// near, else those that there are.
fn instead_of_option(verb: &Command, language: &Command, words: &[impl AsRef<str>], option: &str) -> Option<String> {
    let typed = option.trim_start_matches('-');
    let is_near = |name: &&str| within(typed, [*name], (name.len() / 4).max(1)).is_some();
    let advice = if words.iter().any(|word| word.as_ref() == "--") {
        "options go before --".to_owned()
    } else if !option.starts_with('-') {
        let value = verb.get_positionals().last()?.get_value_names()?.first()?;
        format!("{} takes one {value}: quotes keep several words together", verb.get_name())
    } else if typed == "token" {
        NO_TOKEN.to_owned()
    } else if let Some(name) = verb.get_arguments().filter_map(Arg::get_long).find(is_near) {
        format!("a similar argument exists: '--{name}'")
    } else if verb.get_name() == language.get_name() {
        "plants --help lists the options".to_owned()
    } else {
        let names: Vec<_> = own_options(verb).filter_map(|option| Some(format!("--{}", option.get_long()?))).collect();
        let known = alternatives(names.iter().map(String::as_str));
        let known = if names.is_empty() { "has no options of its own".to_owned() } else { format!("takes {known}") };
        format!("{} {known}", verb.get_name())
    };
    Some(advice)
}

/// Returns a text that says what an error is about.
pub(super) fn detail(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
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

    /// Returns why a word is no value of each option of this command and of those below it.
    fn rejected(command: &clap::Command) -> Vec<String> {
        let program = command.clone().mut_args(|argument| argument.required(false));
        let options = own_options(command).filter_map(|option| option.get_long());
        let own = options.filter_map(|option| {
            let typed = [command.get_name().to_owned(), format!("--{option}=@")];
            program.clone().try_get_matches_from(typed).err().map(|error| error.to_string())
        });
        own.chain(command.get_subcommands().flat_map(rejected)).collect()
    }

    #[test]
    fn no_error_of_a_value_has_the_words_of_a_library() {
        let mut program = Program::command();
        program.build();
        let rejected = rejected(&program);
        let invalid: Vec<_> = rejected.iter().filter(|error| error.contains("invalid value '@'")).collect();
        let is_foreign = |error: &str| ["in string", "syntax", "literal"].iter().any(|word| error.contains(word));
        assert!(!invalid.iter().any(|error| is_foreign(error)) && invalid.len() > 15, "{invalid:?}");
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
