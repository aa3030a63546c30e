//! Carries a verb out: one place for the shell and plain mode.

use color_eyre::eyre;
use futures::FutureExt as _;
use futures::future::{LocalBoxFuture, ready};

use super::error::Exit;
use super::session::Session;
use super::terminal_output::Terminal;
use super::{add, check, config, delete, export, history, import, journal_verb, list, profile, resolve, team};
use crate::verbs::{JournalVerb, Output, ResultFormat, Verb};

/// Carries a verb out, whose result has this format. Not inlined: the stack of the caller would keep the room in which each
/// future is built for as long as the program runs.
#[inline(never)]
pub(super) fn carry_out(
    session: &mut Session,
    verb: Verb,
    format: Option<ResultFormat>,
    output: Output,
) -> LocalBoxFuture<'_, eyre::Result<Exit>> {
    let json = format == Some(ResultFormat::Json);
    let is_for_person = format.is_none_or(|format| format == ResultFormat::Text);
    let has_columns = is_for_person && !session.console.is_conversation && session.settings.plain != Some(true);
    // A terminal without escape sequences shows the columns, but no colours.
    let terminal = has_columns.then(|| Terminal::of_stdout(&session.settings, &session.environment)).flatten();
    match verb {
        Verb::Add(arguments) => add::run(session, arguments, json).boxed_local(),
        Verb::Delete(arguments) => delete::run(session, arguments, json).boxed_local(),
        Verb::List(arguments) => list::run(session, arguments, format, terminal).boxed_local(),
        Verb::History(arguments) => history::run(session, arguments, format, terminal).boxed_local(),
        Verb::Resolve(arguments) => resolve::run(session, arguments, json, terminal).boxed_local(),
        Verb::Import(arguments) => import::run(session, arguments, json).boxed_local(),
        Verb::Export(arguments) => export::run(session, arguments, format, output.json).boxed_local(),
        Verb::Check(arguments) => check::run(session, arguments, format, terminal).boxed_local(),
        Verb::Journal(verb) => match verb {
            JournalVerb::Backup { file, force } => journal_verb::backup(session, file, force, json).boxed_local(),
            JournalVerb::Verify { file } => journal_verb::verify(file, json).boxed_local(),
            JournalVerb::Restore(arguments) => journal_verb::restore(session, arguments, json).boxed_local(),
            JournalVerb::Trim(arguments) => journal_verb::trim(session, arguments, json).boxed_local(),
        },
        Verb::Team(verb) => team::run(session, verb, json).boxed_local(),
        Verb::Profile(arguments) => profile::run(session, arguments, json).boxed_local(),
        Verb::Config { example, .. } => {
            ready(config::run(&session.flags, &session.environment, example, json)).boxed_local()
        }
        Verb::Paths => ready(config::paths(&session.settings, json)).boxed_local(),
        // Carried out without a session.
        Verb::Serve(_) | Verb::Completions { .. } | Verb::Man { .. } => ready(Ok(Exit::Usage)).boxed_local(),
    }
}
