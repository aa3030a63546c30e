//! Which lines of the command language the interface carries out as a shell does: the palette promises that of no other.

use crate::verbs::{Line, Typed, Verb, options};

/// Returns why a line is for a shell; `None` if the interface does all that it says, or it is no line.
pub(in crate::tui) fn only_in_a_shell(line: &str) -> Option<String> {
    let Ok(Line::Typed(Typed::Verb(verb), _)) = Line::read(line) else { return None };
    let known: &[&str] = match &verb {
        Verb::Add(_) => &["--name", "--tag", "--id", "--next-id"],
        Verb::Delete(_) => &["--yes", "-y"],
        Verb::List(_) => &["--sort"],
        Verb::History(_) | Verb::Resolve(_) | Verb::Import(_) | Verb::Export(_) | Verb::Check(_) | Verb::Profile(_) => {
            &[]
        }
        Verb::Journal(_)
        | Verb::Team(_)
        | Verb::Config(_)
        | Verb::Paths
        | Verb::Serve(_)
        | Verb::Completions(_)
        | Verb::Man(_) => return Some(format!("this is done in a shell: plants {line}")),
    };
    let other = options(line).into_iter().find(|option| !known.contains(&option.as_str()))?;
    Some(format!("{other} is for a shell: plants {line}"))
}
