//! The examples that end the help and the manual page of each subcommand.

use clap::Command;

/// The examples of each subcommand, below its name in brackets.
const EXAMPLES: &str = include_str!("../../assets/examples.txt");

/// Returns the lines of a subcommand's examples.
pub(super) fn lines(subcommand: &str) -> impl Iterator<Item = &'static str> + use<> {
    let heading = format!("[{subcommand}]");
    let from = EXAMPLES.lines().skip_while(move |line| *line != heading).skip(1);
    from.take_while(|line| !line.starts_with('['))
}

/// Ends the help of each subcommand with its examples.
pub(super) fn at_end(command: Command) -> Command {
    let names: Vec<_> = command.get_subcommands().map(|subcommand| subcommand.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(&name, |subcommand| {
            let lines: Vec<_> = lines(&name).map(|line| format!("  {line}")).collect();
            let examples = format!("Examples:\n{}", lines.join("\n"));
            let long = subcommand.get_after_long_help().map(|long| format!("{long}\n\n{examples}"));
            let subcommand = subcommand.after_help(examples);
            at_end(if let Some(long) = long { subcommand.after_long_help(long) } else { subcommand })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the subcommands of a command, and of theirs.
    fn names(command: &Command) -> Vec<String> {
        let below = |command: &Command| [vec![command.get_name().to_owned()], names(command)].concat();
        command.get_subcommands().flat_map(below).collect()
    }

    #[test]
    fn every_subcommand_has_an_example_that_the_program_accepts() {
        let program = super::super::command();
        let names = names(&program);
        let mut headings = EXAMPLES.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
        assert!(headings.all(|name| names.iter().any(|other| other == name)));
        for name in names {
            let lines: Vec<_> = lines(&name).collect();
            assert!(!lines.is_empty(), "{name} has no example");
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
    fn the_help_of_a_subcommand_ends_with_its_examples() {
        for name in ["add", "check"] {
            let mut program = super::super::command();
            let subcommand = program.find_subcommand_mut(name).unwrap();
            for help in [subcommand.render_help(), subcommand.render_long_help()] {
                let last = lines(name).last().unwrap();
                assert!(help.to_string().trim_end().ends_with(last), "{help}");
            }
        }
    }
}
