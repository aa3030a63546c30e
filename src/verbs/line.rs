//! A line of the command language, as it is typed into a shell, plain mode or the palette.

use std::ffi::OsString;
use std::iter;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use super::help::{asks_for_help, command, detail, is_spelled, listed, own_options, sentence, verb_meant, verb_of};
use super::interface::InterfaceVerb;
use super::program::Program;
use super::result_format::{Output, with_formats_of};
use super::table::Verb;
use super::values::RestOfLine;
use super::words::Words;

/// The arguments of a shell.
///
/// # Errors
///
/// The line is invalid, or asks for help; the error says so.
pub fn of_shell(arguments: impl IntoIterator<Item = OsString>) -> Result<Program, clap::Error> {
    // The help would repeat the name under which the program was started.
    let arguments: Vec<_> = ["plants".into()].into_iter().chain(arguments.into_iter().skip(1)).collect();
    let texts: Vec<_> = arguments.iter().skip(1).map(|argument| argument.to_string_lossy()).collect();
    let words: Vec<_> = texts.iter().map(AsRef::as_ref).collect();
    if let Some(why) = swallowed(&words) {
        return Err(clap::Error::raw(ErrorKind::InvalidValue, format!("{why}\n")));
    }
    let arguments = match asks_for_help(&words) {
        Some(verb) => ["plants"].iter().chain(verb).chain(&["--help"]).map(OsString::from).collect(),
        None => arguments.clone(),
    };
    let parsed = |command: Command| Program::from_arg_matches(&command.try_get_matches_from(&arguments)?);
    // Where that parses, the help of the whole command line is not needed.
    parsed(without_others(&Program::command(), &words))
        .or_else(|_| parsed(command().clone()))
        .map_err(|error| with_usage(error, &words))
}

/// Puts what is wrong into a sentence, with the usage of the verb below it.
fn with_usage(error: clap::Error, words: &[&str]) -> clap::Error {
    let kind = error.kind();
    if !error.use_stderr() || kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return error;
    }
    let usage = verb_meant(&error, command(), words).clone().render_usage();
    let why = sentence(error, command(), words);
    clap::Error::raw(kind, format!("{why}\n{usage}\nFor more information, try '--help'.\n"))
}

/// Says which option would become the value of another one that takes any text: an empty variable must not turn
/// `--dry-run` into a tag.
fn swallowed(words: &[&str]) -> Option<String> {
    let is_option = |word: &&str| word.starts_with('-') && word.len() > 1;
    let mut pairs = words
        .iter()
        .zip(words.iter().skip(1))
        .filter(|(option, value)| is_option(option) && is_option(value))
        .peekable();
    pairs.peek()?;
    let verb = verb_of(command(), words);
    let named = |word: &str| verb.get_arguments().find(|option| is_spelled(option, word));
    let (option, value) = pairs.find(|(option, value)| {
        let is_known = named(value.split('=').next().unwrap_or(value)).is_some();
        is_known && named(option).is_some_and(clap::Arg::is_allow_hyphen_values_set)
    })?;
    Some(format!("{option} has no value. If {value} is its value, write {option}={value}"))
}

/// Leaves out every verb but the one that the arguments name, because the options of all verbs are copied into each. Also
/// leaves out the help.
fn without_others(command: &Command, words: &[&str]) -> Command {
    let named = words.iter().find_map(|word| command.find_subcommand(word));
    let shared = Command::new("plants").args(command.get_arguments().cloned());
    match named {
        Some(verb) => with_formats_of(verb.get_name(), shared).subcommand(verb.clone()),
        None => shared,
    }
}

/// A line of plain mode or of the palette, inside a session whose connection stands.
#[derive(Debug, Parser)]
#[command(name = "plants", no_binary_name = true, disable_version_flag = true)]
struct InSession {
    #[command(subcommand)]
    typed: Typed,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Subcommand)]
pub enum Typed {
    #[command(flatten)]
    Verb(Verb),
    /// Take another token for the store
    #[command(visible_aliases = ["login"])]
    Token,
    /// End the program
    #[command(visible_aliases = ["exit", "q"])]
    Quit,
    #[command(flatten)]
    Interface(InterfaceVerb),
}

/// What a line means.
#[derive(Debug)]
pub enum Line {
    Typed(Typed, Output),
    /// Help that the line asks for.
    Help(String),
}

impl Line {
    /// Reads a line as a shell would: words with quotes, without variables and patterns.
    ///
    /// # Errors
    ///
    /// Says in one line what is wrong, and what to do.
    pub fn read(line: &str) -> Result<Self, String> {
        let words = words(line)?;
        let mut words: Vec<_> = words.iter().map(String::as_str).collect();
        if let Some(why) = swallowed(&words) {
            return Err(why);
        }
        if words == ["?"] {
            return Ok(Self::Help(summary()));
        }
        if asks_for_help(&words).is_some() {
            words.pop();
            words.push("--help");
        }
        match InSession::try_parse_from(&words) {
            Ok(InSession { typed: Typed::Verb(verb), .. }) if Verb::is_for_shell(verb.name()) => {
                Err(format!("{} is for a shell: plants {line}", verb.name()))
            }
            Ok(InSession { typed, output }) => Ok(Self::Typed(typed, output)),
            Err(error) if error.kind() == ErrorKind::DisplayHelp => Ok(Self::Help(match words.as_slice() {
                [_] => summary(),
                _ => error.render().to_string(),
            })),
            Err(error) => Err(sentence(error, &LANGUAGE, &words)),
        }
    }
}

/// Returns what a line lacks before its verb can be carried out: the option of a value, and the name of the value.
pub fn lacking(line: &str) -> Option<(String, String)> {
    let words = words(line).ok().filter(|words| !words.first().is_some_and(|verb| Verb::is_for_shell(verb)))?;
    let error = InSession::try_parse_from(words).err()?;
    let Some(ContextValue::Strings(lacking)) = error.get(ContextKind::InvalidArg) else { return None };
    let (option, value) =
        lacking.first()?.split_once('<').filter(|_| error.kind() == ErrorKind::MissingRequiredArgument)?;
    Some((option.to_owned(), value.trim_end_matches('>').to_owned()))
}

/// Splits a line into words. A line may be copied from a shell with the program's name.
///
/// # Errors
///
/// A quote is not closed.
pub fn words(line: &str) -> Result<Vec<String>, &'static str> {
    let read = typed_words(line.trim());
    if read.is_open() { Err("a quote is not closed") } else { Ok(read.words) }
}

/// Returns these words as a line for a shell, with the name of the program and in quotes where they need them.
pub fn shell_line(words: &[String]) -> String {
    let line = shlex::try_join(words.iter().map(String::as_str));
    // A word with a NUL is none that a program can be given.
    format!("plants {}", line.unwrap_or_else(|_| words.join(" ")))
}

/// Splits a line that is being typed.
pub(super) fn typed_words(line: &str) -> Words {
    let is_verb = |rest: &&str| rest.split_whitespace().next().is_some_and(|word| verb(word).is_some());
    let rest = line.trim_start();
    let rest = rest.strip_prefix("plants ").filter(is_verb).unwrap_or(rest);
    let read = Words::in_session(rest);
    let read = match read.words.first().and_then(|first| verb(first)) {
        Some(verb) if verb.get_positionals().any(|text| text.get::<RestOfLine>().is_some()) => {
            read.with_one_text(rest, own_options(verb).next().is_some())
        }
        _ => read,
    };
    Words { last: read.last + (line.len() - rest.len()), ..read }
}

/// The definition of each verb, with its arguments.
static LANGUAGE: LazyLock<Command> = LazyLock::new(|| {
    let mut command = InSession::command();
    command.build();
    command
});

/// Returns the definition of the verb with this name or alias.
fn verb(name: &str) -> Option<&'static Command> {
    LANGUAGE.find_subcommand(name)
}

/// Returns the definition of the verb with this name or alias, which is not built, and the options that all have.
pub(super) fn unbuilt(name: &str) -> Option<(Command, Command)> {
    let command = InSession::command();
    let verb = command.find_subcommand(name)?.clone();
    Some((verb, Command::new("plants").args(command.get_arguments().cloned())))
}

/// Returns the other names of a verb.
pub fn aliases(name: &str) -> impl Iterator<Item = &'static str> {
    verb(name).into_iter().flat_map(Command::get_all_aliases)
}

/// Says why these words are the beginning of no line: an option or a value that their verb does not have, a value that is
/// invalid, or options that exclude each other; not because of the last word, while it can become an option or a value.
pub(super) fn unexpected(words: &[String], is_begun: bool) -> Option<String> {
    let (words, is_ended) = words.strip_suffix(&[String::new()]).map_or((words, false), |words| (words, true));
    let error = InSession::try_parse_from(words).err()?;
    let is_last =
        |text: &str| !is_ended && words.last().is_some_and(|last| last.starts_with(text) || last.ends_with(text));
    let kind = error.kind();
    let is_named = if kind == ErrorKind::UnknownArgument {
        detail(&error, ContextKind::InvalidArg)
            .is_some_and(|option| !is_last(option) || option.starts_with('-') && !is_begun)
    } else if matches!(kind, ErrorKind::InvalidValue | ErrorKind::ValueValidation) {
        // Without a value, it follows.
        detail(&error, ContextKind::InvalidValue).is_some_and(|value| !value.is_empty() && !is_last(value))
    } else {
        kind == ErrorKind::ArgumentConflict
    };
    is_named.then(|| sentence(error, &LANGUAGE, words))
}

/// Returns each verb of a session, also each that follows another one, as in `journal backup`, with what it does.
pub fn verbs() -> Vec<(String, String)> {
    let with_further = |verb: &'static Command| {
        let further =
            listed(verb).map(|further| (format!("{} {}", verb.get_name(), further.get_name()), about(further)));
        iter::once((verb.get_name().to_owned(), about(verb))).chain(further)
    };
    shown().flat_map(with_further).collect()
}

fn shown() -> impl Iterator<Item = &'static Command> {
    listed(&LANGUAGE).filter(|verb| !Verb::is_for_shell(verb.get_name()))
}

fn about(verb: &Command) -> String {
    verb.get_about().map(ToString::to_string).unwrap_or_default()
}

/// Lists the verbs of a session, one line each.
fn summary() -> String {
    let line = |verb: &Command| {
        let others: Vec<_> = verb.get_visible_aliases().collect();
        let others = if others.is_empty() { String::new() } else { format!(" (also {})", others.join(", ")) };
        format!("{}: {}{others}.", verb.get_name(), about(verb))
    };
    let mut lines: Vec<_> = shown().map(line).collect();
    lines.push("help: List the commands; help VERB explains one, with its options and examples.".to_owned());
    lines.push(
        "Write a command as in a shell, without the word plants. You are asked for what is missing; an empty answer \
         takes the default. Ctrl-C leaves a question, or cancels a request."
            .to_owned(),
    );
    lines.join("\n")
}

/// Renders the error of a shell's line, with the usage.
pub fn shell_error(error: &clap::Error) -> String {
    let text = error.render().to_string();
    text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(line: &str) -> &'static str {
        match Line::read(line) {
            Ok(Line::Typed(Typed::Verb(verb), _)) => verb.name(),
            Ok(Line::Typed(Typed::Token, _)) => "token",
            Ok(Line::Typed(Typed::Quit, _)) => "quit",
            Ok(Line::Typed(Typed::Interface(_), _)) => "interface",
            Ok(Line::Help(_)) => "help",
            Err(why) => panic!("{line}: {why}"),
        }
    }

    #[test]
    fn a_line_is_read_as_in_a_shell() {
        for (line, expected) in [
            ("add", "add"),
            ("add 'Big fern' --tag x --id -7", "add"),
            ("rm 3 4 7 --yes", "delete"),
            ("ls 'tag:desert !fern' -n 20 --sort -since", "list"),
            ("history 42 --json", "history"),
            ("show #42", "history"),
            ("plants rm 3", "delete"),
            ("plants tag:desert", "list"),
            ("resolve Monstera --stored", "resolve"),
            ("import 'my plants.csv' --dry-run", "import"),
            ("import /tmp/Ann's plants.csv", "import"),
            ("sort -name", "interface"),
            ("order -name", "interface"),
            ("new Baby's tears", "add"),
            ("ctx staging", "profile"),
            ("delete help", "help"),
            ("journal backup help", "help"),
            ("delete help --yes", "delete"),
            ("add --name help", "add"),
            ("journal trim --older-than 90d", "journal"),
            ("profile list", "profile"),
            ("exit", "quit"),
            ("login", "token"),
            ("help", "help"),
            ("?", "help"),
            ("help add", "help"),
            ("add --help", "help"),
        ] {
            assert_eq!(name(line), expected, "{line}");
        }
    }

    #[test]
    fn a_query_keeps_the_quotes_of_its_values_and_other_arguments_lose_theirs() {
        let of_list = |line: &str| match Line::read(line) {
            Ok(Line::Typed(Typed::Verb(Verb::List(list)), _)) => list.query,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(of_list("list tag:\"in door\" !fern"), ["tag:\"in door\"", "!fern"]);
        assert_eq!(of_list("list !name:\"\" 'tag:\"a b\" x'"), ["!name:\"\"", "tag:\"a b\" x"]);
        assert_eq!(of_list("list \"oak tree\" it\\'s"), ["oak tree", "it's"]);
        match Line::read("delete --match=tag:\"a b\" --yes") {
            Ok(Line::Typed(Typed::Verb(Verb::Delete(delete)), _)) => {
                assert_eq!(delete.selection.matching.as_deref(), Some("tag:\"a b\""));
            }
            other => panic!("{other:?}"),
        }
        match Line::read("add \"Big fern\" --tag=\"in door\" --id 7") {
            Ok(Line::Typed(Typed::Verb(Verb::Add(add)), _)) => {
                assert_eq!(add.name(), Some("Big fern"));
                assert_eq!(add.tag.as_deref(), Some("in door"));
            }
            other => panic!("{other:?}"),
        }
        match Line::read("add Baby's tears") {
            Ok(Line::Typed(Typed::Verb(Verb::Add(add)), _)) => assert_eq!(add.name(), Some("Baby's tears")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_line_lacks_the_values_that_its_verb_needs() {
        for (line, expected) in [
            ("import", Some(("", "FILE"))),
            ("import --dry-run", Some(("", "FILE"))),
            ("journal backup", Some(("", "FILE"))),
            ("profile use", Some(("", "NAME"))),
            ("journal trim", Some(("--older-than ", "AGE"))),
            ("history --force", Some(("--har ", "FILE"))),
            ("import x.csv", None),
            ("journal", None),
            ("water", None),
            ("completions", None),
        ] {
            let lacking = lacking(line);
            assert_eq!(lacking.as_ref().map(|(option, value)| (&**option, &**value)), expected, "{line}");
        }
    }

    #[test]
    fn an_invalid_line_says_what_to_do() {
        let why = |line| Line::read(line).unwrap_err();
        assert_eq!(why("delte 7"), "There is no command delte; did you mean delete? help lists the commands.");
        assert_eq!(why("water"), "There is no command water. help lists the commands.");
        assert!(why("undo").starts_with("There is no command undo. The store has no undo. Delete what was added"));
        assert_eq!(why("add 'Fern"), "a quote is not closed");
        assert_eq!(why("journal"), "journal needs one of its commands: backup, restore, verify or trim.");
        assert_eq!(why("serve --port 0"), "serve is for a shell: plants serve --port 0");
        assert_eq!(
            why("list --tag desert"),
            "unexpected argument '--tag' found; list takes --limit, --sort, --no-heading or --complete."
        );
        assert_eq!(
            why("list --base-url http://127.0.0.1:1"),
            "--base-url is given when the program starts: plants --base-url."
        );
        for line in ["add Fern --tag --dry-run", "add --name --json", "list --sort -n 5"] {
            assert!(why(line).contains("has no value. If -"), "an empty variable must not swallow an option: {line}");
        }
        assert!(why("journal bakcup").contains("has no command bakcup; did you mean backup?"));
        assert!(why("#1").contains("no command #1"));
    }

    #[test]
    fn a_suggestion_is_near() {
        let of = |line: &str| shell_error(&of_shell(line.split_whitespace().map(OsString::from)).unwrap_err());
        assert!(of("plants add --tga x").contains("'--tag'.\nUsage: plants add [OPTIONS] [NAME]\nFor more"));
        assert!(!of("plants list --tag x").contains("--team"));
        assert!(of("plants lst").contains("; did you mean list?"));
        assert!(of("plants rename 7 Fern").contains("no command rename. The service cannot change a plant"));
        assert!(of("plants --bogus").contains("; plants --help lists the options"));
        assert!(of("plants check --junit").contains("; check takes --output"));
        assert!(
            of("plants import a.csv b.csv").contains("; import takes one FILE: quotes keep several words together")
        );
        assert!(of("plants add Fern --token x").contains("; the token comes from PLANTS_TOKEN"));
        assert!(of("plants check --format ndjson").contains("[possible values: text, json, junit, markdown]"));
        assert!(of("plants journal verify -o csv").contains("[possible values: text, json]"));
        assert!(of("plants undo").contains("add --from N"));
        assert!(of("plants journal verify --bogus").contains("; verify has no options of its own"));
        for word in ["add", "help"] {
            let error = of_shell(["plants", word, "help"].map(OsString::from)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DisplayHelp, "{word}");
        }
    }
}
