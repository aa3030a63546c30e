//! Plain mode: the verbs, line by line in one session, for screen readers and simple terminals.
//!
//! Everything is printed once, on stdout.

use color_eyre::eyre::{self, bail};
use futures::FutureExt as _;
use tokio::task::JoinSet;
use tracing::instrument;

use super::access::{TokenNeed, fetch_access};
use super::bar::Bar;
use super::connect::samples;
use super::console::{Console, Over, prompt};
use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _, exit_of};
use super::open::{Ready, listed, place_of};
use super::print::{self, Manner};
use super::session::{Opened, Session, check_stdin, enter_token};
use super::spoken::{tally, text};
use super::verb::carry_out;
use super::{clock, end};
use crate::config::{Environment, Flags, Settings, warnings};
use crate::demo::Weather;
use crate::domain::{Language, OperationKind, PROGRAM};
use crate::runtime::trim;
use crate::text::capitalized;
use crate::text::number_format::counted;
use crate::verbs::{Line, Typed, lacking};

/// Holds a conversation until the person quits or the input ends. Where a script speaks, returns the exit code of the
/// gravest outcome.
#[instrument(name = "plain", skip_all)]
pub(super) async fn run(flags: Flags, settings: Settings, environment: Environment) -> eyre::Result<Exit> {
    check_stdin(&settings, "plain mode")?;
    print::choose(Manner::Conversation);
    for warning in warnings(&settings) {
        print::message(format!("Warning: {warning}"));
    }
    let need = if settings.read_only { TokenNeed::Never } else { TokenNeed::Later };
    let access = fetch_access(&settings, need).await?;
    let ready = Ready::open_at(place_of(&settings), &settings, access, Weather::default(), print::message).await?;
    let console = Console::of_conversation(environment.is_dumb());
    // A person reads that the journal lost everything, and decides.
    let ready = if console.has_person { ready } else { ready.unless_lost().await? };
    let mut session = Session { flags, environment, settings, console, ready: Some(ready) };
    let mut trimming = JoinSet::new();
    let exit = match greet(&mut session, &mut trimming).await {
        Ok(()) => hold(&mut session).await,
        Err(failure) => Err(failure),
    };
    drop(trimming);
    session.close().await;
    exit
}

/// Says which store this is, and what is in the list. Trims old requests in the background, if the settings say so;
/// dropping `trimming` stops it.
async fn greet(session: &mut Session, trimming: &mut JoinSet<()>) -> eyre::Result<()> {
    let Opened { ready, console, settings } = session.open(TokenNeed::Never).await?;
    let store = ready.store.clone();
    print::message(format!("{PROGRAM}, plain mode."));
    if ready.demo.is_some() {
        print::message(ready.about_demo("program", settings));
        if !settings.read_only {
            add_samples(ready).await?;
        }
    } else {
        let token = match (settings.read_only, &ready.token) {
            (true, _) => "read-only",
            (false, Some(_)) => "token set",
            (false, None) => "no token",
        };
        print::message(format!("The store is {store}: {token}."));
        if let Some(age) = settings.trim_after {
            trimming.spawn(trim(ready.journal.clone(), age, clock::now()).boxed());
        }
    }
    ready.notices().for_each(print::message);
    offer_token(ready, console, settings).await?;
    ready.catch_up().await;
    print::message(format!("The list has {}.", tally(ready.journal.tally().await?)));
    let unknown = ready.journal.unknown_rows().await?;
    if !unknown.is_empty() {
        print::message(format!("Unknown: {}. resolve decides about them.", listed(&unknown)));
    }
    Ok(())
}

/// Asks for a missing token. A person who leaves the question can still read.
async fn offer_token(ready: &mut Ready, console: &mut Console, settings: &Settings) -> eyre::Result<()> {
    if settings.read_only || ready.token.is_some() || !console.has_person {
        return Ok(());
    }
    if let Some(connection) = &settings.connection
        && let Some(withheld) = &connection.withheld
    {
        print::message(format!("Not used here: {withheld}."));
    }
    let Err(why) = enter_token(ready, console, "").await else { return Ok(()) };
    match why.downcast_ref::<Over>() {
        Some(Over(exit)) => Err(Failure::printed(*exit).into()),
        None if why.is::<Failure>() => {
            print::message("Nothing can be sent without a token. Type token to enter one.");
            Ok(())
        }
        None => Err(why),
    }
}

async fn add_samples(ready: &Ready) -> eyre::Result<()> {
    let (mut sender, samples) = (ready.start_worker(), samples(Language::En));
    let count = samples.len();
    for plant in samples {
        let operation = sender.operation(OperationKind::add(plant), None);
        sender.worker.send(operation);
    }
    for _ in 0..count {
        sender.next_end(&Bar::Hidden).await?;
    }
    sender.end([]).await;
    print::message(format!("It begins with {}.", counted(count as u64, "plant", "plants")));
    Ok(())
}

/// Reads a line, and asks for each value that its verb needs and that it lacks.
async fn read(console: &mut Console, mut line: String) -> eyre::Result<Line> {
    loop {
        let why = match Line::read(&line) {
            Ok(read) => return Ok(read),
            Err(why) => why,
        };
        let Some((option, value)) = lacking(&line) else { bail!(Failure::usage(why)) };
        let typed = console.ask(&prompt(&capitalized(&value.to_lowercase()), ""), NOTHING_SENT).await?;
        line = format!("{line} {option}{}", shlex::try_quote(&typed).or_exit(Exit::Usage)?);
    }
}

/// Whether to quit: a person is asked if plants that they added end with the demo store.
async fn quits(session: &mut Session) -> eyre::Result<bool> {
    let Opened { ready, console, .. } = session.open(TokenNeed::Never).await?;
    let has_own = console.has_person
        && ready.demo.is_some()
        && ready.journal.tally().await?.total() > samples(Language::En).len();
    let question = "The demo's plants and history are gone once you quit. Quit?";
    Ok(!has_own || console.confirm(question, false, "").await?)
}

async fn hold(session: &mut Session) -> eyre::Result<Exit> {
    // A person has read every outcome; a script needs the gravest.
    let mut gravest = Exit::Done;
    let is_script = !session.console.has_person;
    // Whether Ctrl-C was pressed at the last prompt.
    let mut is_leaving = false;
    loop {
        let line = match session.console.ask_for_command("Command (help lists them, quit ends): ").await {
            Ok(line) => line,
            Err(why) => match why.downcast_ref::<Over>() {
                Some(Over(exit)) => return Ok(gravest.or_graver(*exit)),
                None if is_leaving => return Ok(Exit::Interrupted),
                // A line of a script that is none.
                None if why.is::<Failure>() && exit_of(&why) == Exit::Usage => {
                    gravest = gravest.or_graver(Exit::Usage);
                    continue;
                }
                None if why.is::<Failure>() => {
                    is_leaving = !is_script;
                    print::message("Type quit to end the program, or press Ctrl-C again.");
                    continue;
                }
                None => return Err(why),
            },
        };
        is_leaving = false;
        if line.trim().is_empty() {
            continue;
        }
        let done = match read(&mut session.console, line).await {
            Ok(Line::Typed(Typed::Quit, _)) => match quits(session).await {
                Ok(true) => return Ok(gravest),
                Ok(false) => Ok(Exit::Done),
                Err(why) => Err(why),
            },
            Ok(Line::Typed(Typed::Token, _)) => {
                let Opened { ready, console, .. } = session.open(TokenNeed::Never).await?;
                enter_token(ready, console, "").await
            }
            Ok(Line::Typed(Typed::Verb(verb), output)) => match verb.format(output) {
                Ok(format) => {
                    print::be_quiet(output.quiet);
                    let done = carry_out(session, verb, format, output).await;
                    print::be_quiet(false);
                    if let Some(ready) = &session.ready {
                        ready.journal.hurry(false);
                    }
                    done
                }
                Err(why) => Err(Failure::usage(why).into()),
            },
            Ok(Line::Typed(Typed::Interface(_), _)) => {
                print::message("This is for the terminal interface only. list QUERY finds plants.");
                Ok(Exit::Usage)
            }
            Ok(Line::Help(help)) => text(&mut session.console, &help).await.map(|()| Exit::Done),
            Err(why) => Err(why),
        };
        let exit = match done {
            Ok(exit) => exit,
            Err(why) => match why.downcast_ref::<Over>() {
                Some(Over(Exit::Done)) if is_script => return Ok(gravest.or_graver(Exit::NotSent)),
                Some(Over(exit)) => return Ok(gravest.or_graver(*exit)),
                None => end::end(why),
            },
        };
        session.console.end_command(exit as u8);
        if is_script {
            gravest = gravest.or_graver(exit);
        }
    }
}
