//! Plain mode: the whole job by question and answer, line by line, for screen readers and simple terminals.
//!
//! Uses the same engine and the same words as the subcommands. Everything is printed once, on stdout.

mod command;
mod console;
mod lists;
mod operations;

use std::path::PathBuf;

use color_eyre::eyre::{self, bail};
use futures::FutureExt as _;
use tokio::task::JoinSet;
use tracing::instrument;

use super::access::{TokenNeed, fetch_access, no_token};
use super::connect::samples;
use super::error::{Exit, Failure};
use super::open::{Ready, listed};
use super::print::{self, Manner};
use super::stop::Stops;
use super::when_unknown::WhenUnknown;
use super::{clock, end};
use crate::client::Token;
use crate::config::{Environment, Settings, StoreChoice, TokenSource, warnings};
use crate::demo::Weather;
use crate::domain::OperationKind;
use crate::journal::Tally;
use crate::runtime::{log, trim};
use crate::text::number_format::counted;
use crate::worker::{Brake, Feed};

use command::{Command, help};
use console::{Console, End, Unanswered};

/// The end of a command: its exit code, or why it has none.
type Done = Result<Exit, Unanswered>;

/// An open store, and the person or script that works with it.
struct Conversation {
    settings: Settings,
    /// Replaces `~` at the beginning of a path.
    home: Option<PathBuf>,
    ready: Ready,
    console: Console,
}

/// Holds a conversation until the person quits or the input ends. Where a script speaks, returns the exit code of the
/// gravest outcome.
#[instrument(name = "plain", skip_all)]
pub(super) async fn run(settings: Settings, environment: Environment) -> eyre::Result<Exit> {
    if let StoreChoice::Deployed(connection) = &settings.store
        && matches!(connection.token_source, TokenSource::Stdin)
    {
        bail!(Failure::usage(
            "--token-stdin and plain mode contradict each other: stdin can be only one of them. Nothing was sent."
        ));
    }
    print::choose(Manner::Conversation);
    for warning in warnings(&settings) {
        print::message(format!("Warning: {warning}"));
    }
    let need = if settings.read_only { TokenNeed::Never } else { TokenNeed::Later };
    let access = fetch_access(&settings, need).await?;
    let ready = Ready::open_with(&settings, access, Weather::default(), print::message).await?;
    let console = Console::new(environment.is_dumb())?;
    let mut conversation = Conversation { settings, home: environment.home, ready, console };
    let opened = conversation.open().await;
    let _trimming = conversation.begin_trimming();
    let exit = match opened {
        Ok(()) => conversation.hold().await,
        Err(failure) => Err(failure),
    };
    conversation.ready.close().await;
    exit
}

impl Conversation {
    /// Says which store this is, and what is in the list.
    async fn open(&mut self) -> eyre::Result<()> {
        let store = self.ready.store.clone();
        print::message(format!("plants {}, plain mode.", env!("CARGO_PKG_VERSION")));
        if self.is_demo() {
            print::message(format!("This is the demo store at {store}, which ends with this program."));
            if !self.settings.read_only {
                self.add_samples().await?;
            }
        } else {
            let token = match (self.settings.read_only, &self.ready.token) {
                (true, _) => "read-only",
                (false, Some(_)) => "token set",
                (false, None) => "no token",
            };
            print::message(format!("The store is {store}: {token}."));
        }
        self.offer_token().await?;
        self.ready.notices().for_each(print::message);
        self.ready.catch_up().await;
        print::message(format!("The list has {}.", tally(self.ready.journal.tally().await?)));
        let unknown = self.ready.journal.unknown_rows().await?;
        if !unknown.is_empty() {
            print::message(format!("Unknown: {}. resolve decides about them.", listed(&unknown)));
        }
        Ok(())
    }

    /// Trims old requests in the background, if the settings say so. Dropping the result stops it.
    fn begin_trimming(&self) -> JoinSet<()> {
        let mut trimming = JoinSet::new();
        if let Some(age) = self.settings.trim_after.filter(|_| !self.is_demo()) {
            trimming.spawn(trim(self.ready.journal.clone(), age, clock::now()).boxed());
        }
        trimming
    }

    /// Asks for a missing token. A person who leaves the question can still read.
    async fn offer_token(&mut self) -> eyre::Result<()> {
        if self.settings.read_only || self.ready.token.is_some() || !self.console.has_person {
            return Ok(());
        }
        if let StoreChoice::Deployed(connection) = &self.settings.store
            && let Some(withheld) = &connection.withheld
        {
            print::message(format!("Not used here: {withheld}."));
        }
        match self.enter_token().await {
            Ok(_) => Ok(()),
            Err(Unanswered::Left(_)) => {
                print::message("Without a token nothing can be sent. token asks for one.");
                Ok(())
            }
            Err(Unanswered::Over(End::Input)) => Err(Failure::printed(Exit::Done).into()),
            Err(Unanswered::Over(End::Signal)) => Err(Failure::printed(Exit::Interrupted).into()),
            Err(Unanswered::Failed(why)) => Err(why),
        }
    }

    async fn add_samples(&self) -> eyre::Result<()> {
        let mut sender = self.ready.start_worker();
        let samples: Vec<_> = samples().into_iter().map(OperationKind::add).collect();
        let count = samples.len() as u64;
        let mut feed = Feed::of(samples, Brake::default());
        sender.carry_out(&mut feed, &mut Stops::listen(), &mut WhenUnknown::Halts, drop).await?;
        sender.end().await;
        print::message(format!("It begins with {}.", counted(count, "plant", "plants")));
        Ok(())
    }

    async fn hold(&mut self) -> eyre::Result<Exit> {
        let mut gravest = Exit::Done;
        // Whether Ctrl-C was pressed at the last prompt.
        let mut is_leaving = false;
        loop {
            let line = match self.console.ask_for_command("Command (help lists them, quit ends): ").await {
                Ok(line) => line,
                Err(Unanswered::Left(_)) if is_leaving => return Ok(Exit::Interrupted),
                Err(Unanswered::Left(_)) => {
                    is_leaving = self.console.has_person;
                    print::message("Type quit to end the program, or press Ctrl-C again.");
                    continue;
                }
                Err(Unanswered::Over(End::Signal)) => return Ok(Exit::Interrupted),
                Err(Unanswered::Over(End::Input)) => return Ok(self.exit(gravest)),
                Err(Unanswered::Failed(why)) => return Err(why),
            };
            is_leaving = false;
            if line.trim().is_empty() {
                continue;
            }
            let done = match Command::parse(&line) {
                Ok((Command::Quit, _)) => return Ok(self.exit(gravest)),
                Ok((command, argument)) => {
                    let done = self.carry_out(command, argument).await;
                    if let (Err(Unanswered::Left(_)), Some(sentence)) = (&done, command.left()) {
                        print::message(sentence);
                    }
                    done
                }
                Err(why) => {
                    print::message(why.to_string());
                    Ok(Exit::Usage)
                }
            };
            let exit = match done {
                Ok(exit) | Err(Unanswered::Left(exit)) => exit,
                Err(Unanswered::Over(End::Signal)) => return Ok(Exit::Interrupted),
                Err(Unanswered::Over(End::Input)) => return Ok(self.exit(gravest.or_graver(Exit::NotSent))),
                Err(Unanswered::Failed(why)) => end::end(why),
            };
            self.console.end_command(exit as u8);
            gravest = gravest.or_graver(exit);
        }
    }

    /// A person has read every outcome; a script needs the gravest.
    fn exit(&self, gravest: Exit) -> Exit {
        if self.console.has_person { Exit::Done } else { gravest }
    }

    async fn carry_out(&mut self, command: Command, argument: &str) -> Done {
        match command {
            Command::Add => self.add().await,
            Command::Delete => self.delete(argument).await,
            Command::List => self.list(argument).await,
            Command::History => self.history(argument).await,
            Command::Resolve => self.resolve(argument).await,
            Command::Check => self.check().await,
            Command::Import => self.import(argument).await,
            Command::Token => self.enter_token().await,
            Command::Help | Command::Quit => {
                help().into_iter().for_each(print::message);
                Ok(Exit::Done)
            }
        }
    }

    fn is_demo(&self) -> bool {
        matches!(self.settings.store, StoreChoice::Demo)
    }

    /// Asks for a token if there is none, before something is sent.
    async fn need_token(&mut self) -> Result<(), Unanswered> {
        if self.ready.token.is_some() {
            return Ok(());
        }
        if let StoreChoice::Deployed(connection) = &self.settings.store
            && !self.console.has_person
        {
            return Err(no_token(connection).into());
        }
        self.enter_token().await.map(drop)
    }

    async fn enter_token(&mut self) -> Done {
        if self.is_demo() {
            print::message("The demo store has its own token.");
            return Ok(Exit::Done);
        }
        if !self.console.has_person {
            print::message("A token is typed on a terminal only: it would be in the script.");
            return Ok(Exit::Usage);
        }
        loop {
            let prompt = format!("Token for {}; it is not shown and not stored (Ctrl-C leaves): ", self.ready.store);
            let typed = self.console.ask_for_secret(&prompt).await?;
            match Token::new(&typed) {
                Ok(token) => {
                    log::conceal(Some(&token), &[]);
                    self.ready.token = Some(token);
                    print::message("The token is set.");
                    return Ok(Exit::Done);
                }
                Err(fault) => self.console.correct(&format!("{fault}."))?,
            }
        }
    }
}

/// Counts the plants in each state.
fn tally(tally: Tally) -> String {
    let states = [
        (tally.stored, "stored"),
        (tally.unknown, "unknown"),
        (tally.adding, "being added"),
        (tally.deleting, "being deleted"),
    ];
    let states: Vec<_> =
        states.into_iter().filter(|(count, _)| *count > 0).map(|(count, state)| format!("{count} {state}")).collect();
    let total = counted(tally.total() as u64, "plant", "plants");
    if states.is_empty() { total } else { format!("{total}: {}", states.join(", ")) }
}
