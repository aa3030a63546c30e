//! Completes a line of a shell: the scripts of `plants completions` run `COMPLETE=SHELL plants -- WORD…` at each Tab.
//!
//! Prints the ways in which the last word goes on, one on each line, and nothing else, whatever is wrong. Sends nothing,
//! writes nothing, reads no standard input.

use std::ffi::OsString;
use std::io::Write as _;
use std::{env, io};

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_complete::engine::{CompletionCandidate, complete};

use super::completion_values::completing;
use crate::config::completing_shell;
use crate::text::{clean_fit, has_hidden_characters};
use crate::verbs::{Program, Words, with_own_formats};

/// The width of a description, in columns.
const HELP: usize = 60;

/// Returns the shell that asks for completions, if these are the arguments of its script.
pub(super) fn asking(arguments: &[OsString]) -> Option<Shell> {
    let is_of_script = arguments.get(1).is_some_and(|first| first == "--") && arguments.len() > 2;
    completing_shell().filter(|_| is_of_script)?.to_str()?.parse().ok()
}

/// Returns the script of a shell.
pub(super) fn script(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("../../assets/completions/plants.bash"),
        Shell::Elvish => include_str!("../../assets/completions/plants.elv"),
        Shell::Fish => include_str!("../../assets/completions/plants.fish"),
        Shell::PowerShell => include_str!("../../assets/completions/plants.ps1"),
        Shell::Zsh => include_str!("../../assets/completions/plants.zsh"),
        // The enumeration is open for more shells.
        _ => "",
    }
}

/// Prints the completions for a shell, given what its script passes.
pub(super) fn run(shell: Shell, passed: &[OsString]) {
    // A path that is no text cannot be completed.
    let Some(passed) = passed.iter().map(|word| word.to_str()).collect::<Option<Vec<_>>>() else { return };
    let lines = match (shell, passed.as_slice()) {
        (Shell::Bash, [line, replaced]) => {
            let line = Words::of_shell(line);
            lines(&line.words, |value, _| completed(&line, replaced, value))
        }
        (Shell::Bash, _) => return,
        (_, words) => lines(&words_of(shell, words), |value, help| of_shell(shell, value, help)),
    };
    // The shell may be gone.
    let _ = io::stdout().write_all(lines.concat().as_bytes());
}

/// Returns the words that a shell passed, without the quotes of the last one.
fn words_of(shell: Shell, passed: &[&str]) -> Vec<String> {
    let mut words: Vec<_> = passed.iter().map(|word| (*word).to_owned()).collect();
    if let Some(last) = words.last_mut() {
        match shell {
            Shell::Fish => *last = unquoted(last),
            Shell::PowerShell => *last = last.chars().skip(1).skip_while(|c| matches!(c, '\'' | '"')).collect(),
            Shell::Bash | Shell::Elvish | Shell::Zsh | _ => {}
        }
    }
    words
}

/// Returns a line for each completion of the last word.
fn lines(words: &[String], line: impl Fn(&str, &str) -> Option<String>) -> Vec<String> {
    candidates(words)
        .iter()
        .filter_map(|candidate| {
            let value = candidate.get_value().to_str().filter(|value| !has_hidden_characters(value))?;
            let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
            line(value, &clean_fit(help.lines().next().unwrap_or_default(), HELP)).map(|line| line + "\n")
        })
        .collect()
}

fn candidates(words: &[String]) -> Vec<CompletionCandidate> {
    let Some((last, before)) = words.split_last() else { return Vec::new() };
    let mut program = Program::command();
    // The definitions of the verbs are deferred until here.
    program.build();
    let mut program = completing(with_own_formats(program), before);
    let folder = env::current_dir().ok();
    // Commands follow `man` as they follow `help`.
    let is_page = before.get(1).is_some_and(|verb| verb == "man") && !words.iter().any(|word| word.starts_with('-'));
    let word = |(at, word): (usize, &String)| OsString::from(if is_page && at == 1 { "help" } else { word });
    let arguments = words.iter().enumerate().map(word).collect();
    let mut found = complete(&mut program, arguments, before.len(), folder.as_deref()).unwrap_or_default();
    let is_option = |candidate: &CompletionCandidate| candidate.get_id().is_some_and(|id| id.starts_with("arg::"));
    if last.is_empty() && !found.iter().all(is_option) {
        found.retain(|candidate| !is_option(candidate));
    }
    found
}

/// Writes a completion as a shell's script reads it; bash has its own way. fish, zsh and elvish quote what they insert.
fn of_shell(shell: Shell, value: &str, help: &str) -> Option<String> {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace(':', "\\:");
    Some(match shell {
        // A quoted tilde is no home directory; without completions, zsh completes the path itself.
        Shell::Zsh if value.starts_with('~') => return None,
        Shell::Zsh => {
            let mark = if value.ends_with(['/', ':', '=']) { '+' } else { ' ' };
            let help = if help.is_empty() { String::new() } else { format!(":{}", escaped(help)) };
            format!("{mark}{}{help}", escaped(value))
        }
        Shell::PowerShell => format!("{}\t{help}", quoted_for_powershell(value)),
        Shell::Fish => format!("{value}\t{help}"),
        Shell::Bash | Shell::Elvish | _ => value.to_owned(),
    })
}

/// Returns the text that takes the place of `replaced`, the end of a line of bash, so that the last word becomes this
/// value; `None` if that cannot be. Bash splits words at colons and equals signs, too, and inserts what it is given.
fn completed(line: &Words, replaced: &str, value: &str) -> Option<String> {
    let word = line.words.last()?.as_str();
    let typed = if line.is_escaped { replaced.strip_suffix('\\').unwrap_or(replaced) } else { replaced };
    let (mut text, rest) = match value.strip_prefix(word) {
        Some(rest) => (typed.to_owned(), rest),
        // A query quotes a tag of several words from its first letter.
        None if line.quote.is_some() => return None,
        None => {
            let rest = value.strip_prefix(word.strip_suffix(replaced)?)?;
            (String::new(), Some(rest).filter(|rest| rest.starts_with('"'))?)
        }
    };
    for c in rest.chars() {
        match (line.quote, c) {
            (None, _) if is_plain(c) => text.push(c),
            (Some('\''), '\'') => text.push_str("'\\''"),
            (None, _) | (Some('"'), '"' | '\\' | '$' | '`') => text.extend(['\\', c]),
            // Bash would look for it in its history.
            (Some('"'), '!') => text.push_str("\"'!'\""),
            (Some(_), _) => text.push(c),
        }
    }
    Some(text)
}

/// Removes the quotes of a word that is being typed.
fn unquoted(word: &str) -> String {
    // Its spaces are in quotes.
    Words::of_shell(word).words.join(" ")
}

/// Quotes a value for PowerShell, unless it is plain.
fn quoted_for_powershell(value: &str) -> String {
    if value.chars().all(|c| is_plain(c) && !matches!(c, ',' | '@' | '%' | '+') || c == '\\') {
        return value.to_owned();
    }
    // PowerShell takes typographic quotes for straight ones.
    let is_quote = |c: &char| matches!(c, '\'' | '\u{2018}'..='\u{201b}');
    let doubled = value.chars().flat_map(|c| std::iter::repeat_n(c, if is_quote(&c) { 2 } else { 1 }));
    format!("'{}'", doubled.collect::<String>())
}

/// Whether no shell interprets a character, wherever in a word it is.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | ',' | '=' | '+' | '@' | '%')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_value_goes_on_in_the_quotes_that_are_open() {
        for (line, replaced, value, text) in [
            ("plants list tag:de", "de", "tag:desert", "desert"),
            ("plants list tag:de", "de", "tag:de $x", "de\\ \\$x"),
            ("plants list 'tag:de", "tag:de", "tag:de it's", "tag:de it'\\''s"),
            ("plants list \"tag:de", "tag:de", "tag:de \"$!", "tag:de \\\"\\$\"'!'\""),
            ("plants list tag:de\\ r", "de\\ r", "tag:de rose", "de\\ rose"),
            ("plants list tag:de\\", "de\\", "tag:de rose", "de\\ rose"),
            ("plants --log ~/a", "~/a", "~/a b", "~/a\\ b"),
            ("plants list tag:in", "in", "tag:\"in door\"", "\\\"in\\ door\\\""),
        ] {
            assert_eq!(completed(&Words::of_shell(line), replaced, value).as_deref(), Some(text), "{line} {value}");
        }
        assert_eq!(Words::of_shell("plants  'a b' c\\ d ").words, ["plants", "a b", "c d", ""]);
        assert_eq!(completed(&Words::of_shell("plants x"), "x", "y"), None);
    }

    #[test]
    fn no_quote_of_a_value_ends_a_text_of_powershell() {
        assert_eq!(quoted_for_powershell("tag:desert"), "tag:desert");
        assert_eq!(quoted_for_powershell("it's\u{2019} $(x)"), "'it''s\u{2019}\u{2019} $(x)'");
        assert_eq!(quoted_for_powershell("a,b"), "'a,b'");
    }

    proptest! {
        #[test]
        fn bash_reads_a_completed_word_as_the_value(value in "[ -~é]{1,20}", typed in 0_usize..20, quote in "['\"]?") {
            // What is typed in quotes is plain.
            let start: String = value.chars().take(typed).take_while(|c| is_plain(*c)).collect();
            let line = format!("plants {quote}{start}");
            let text = completed(&Words::of_shell(&line), &format!("{quote}{start}"), &value).unwrap();
            let read = Words::of_shell(&format!("plants {text}{quote}"));
            prop_assert_eq!(&read.words[1..], &[value][..]);
            prop_assert!(read.quote.is_none() && !read.is_escaped);
        }
    }
}
