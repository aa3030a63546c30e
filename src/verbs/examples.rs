//! The examples in the help and on the manual page of each verb.

use clap::Command;

/// The examples of each verb, below its whole name in brackets.
const EXAMPLES: &str = include_str!("../../assets/examples.txt");

/// Returns the lines of the examples of a verb of a built definition.
pub fn lines(verb: &Command) -> impl Iterator<Item = &'static str> + use<> {
    let heading = format!("[{}]", whole_name(verb));
    let from = EXAMPLES.lines().skip_while(move |line| *line != heading).skip(1);
    from.take_while(|line| !line.starts_with('['))
}

fn whole_name(verb: &Command) -> &str {
    verb.get_bin_name().and_then(|name| name.strip_prefix("plants ")).unwrap_or_default()
}

/// Puts the examples of each verb before its options, and names its manual page at the end.
pub(super) fn in_help(command: Command) -> Command {
    let names: Vec<_> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(&name, |verb| {
            let examples: Vec<_> = lines(&verb).map(|line| format!("  {line}")).collect();
            if examples.is_empty() {
                return verb;
            }
            let template = format!(
                "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nExamples:\n{}\n\n{{all-args}}{{after-help}}",
                examples.join("\n")
            );
            in_help(verb.help_template(template))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::help::command;
    use super::*;

    /// Returns the verbs of a command, and theirs.
    fn verbs(command: &Command) -> Vec<&Command> {
        let below = |verb| [vec![verb], verbs(verb)].concat();
        command.get_subcommands().filter(|verb| verb.get_name() != "help").flat_map(below).collect()
    }

    #[test]
    fn every_verb_has_an_example_that_the_program_accepts() {
        let program = command();
        let verbs = verbs(program);
        let mut headings = EXAMPLES.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
        assert!(headings.all(|name| verbs.iter().any(|verb| whole_name(verb) == name)));
        for verb in verbs {
            let lines: Vec<_> = lines(verb).collect();
            assert!(!lines.is_empty(), "{} has no example", whole_name(verb));
            for call in lines.iter().flat_map(|line| line.split('|')) {
                let call = call.split(" # ").next().unwrap().split(" > ").next().unwrap().trim();
                if call.starts_with("plants ") {
                    let parsed = program.clone().try_get_matches_from(call.split_whitespace());
                    assert!(parsed.is_ok(), "{call}: {}", parsed.unwrap_err());
                }
            }
        }
    }

    #[test]
    fn the_help_of_a_verb_has_its_examples_before_its_options() {
        for name in ["add", "check"] {
            let mut program = command().clone();
            let verb = program.find_subcommand_mut(name).unwrap();
            let last = lines(verb).last().unwrap();
            for help in [verb.render_help(), verb.render_long_help()] {
                let help = help.to_string();
                let (before, _) = help.split_once("Options:").unwrap();
                assert!(before.contains(last), "{help}");
            }
        }
    }
}
