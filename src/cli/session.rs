//! The store in which verbs are carried out, opened when the first of them needs it: one verb in a shell, many in plain
//! mode.

use color_eyre::eyre::{self, bail};

use super::access::{TokenNeed, no_token};
use super::batch::print_unsent;
use super::console::Console;
use super::error::{Exit, Failure, NOTHING_SENT, exit_of};
use super::open::Ready;
use super::{end, print, prompt};
use crate::config::{Environment, Flags, Settings, TokenSource};
use crate::domain::{FailureKind, OperationKind};
use crate::runtime::log;

pub(super) struct Session {
    pub(super) flags: Flags,
    pub(super) environment: Environment,
    pub(super) settings: Settings,
    pub(super) console: Console,
    /// `None` until a verb needs the store.
    pub(super) ready: Option<Ready>,
}

/// The parts of a session that a verb needs at once.
pub(super) struct Opened<'a> {
    pub(super) ready: &'a mut Ready,
    pub(super) console: &'a mut Console,
    pub(super) settings: &'a Settings,
}

impl Session {
    /// Opens the store, unless it is open, and asks for a token, if one is needed and missing.
    pub(super) async fn open(&mut self, need: TokenNeed) -> eyre::Result<Opened<'_>> {
        let ready = match self.ready.take() {
            Some(ready) => ready,
            None => Ready::open(&self.settings, need).await?,
        };
        let ready = self.ready.insert(ready);
        let opened = Opened { ready, console: &mut self.console, settings: &self.settings };
        if need == TokenNeed::Now && opened.ready.token.is_none() {
            if let (Some(connection), false) = (&opened.settings.connection, opened.console.has_person) {
                // A source that gave none is what to look at, and not the sources that there could be.
                let failed = opened.ready.no_token.as_ref().map(|why| Failure::usage(format!("{why} {NOTHING_SENT}")));
                bail!(failed.unwrap_or_else(|| no_token(connection)));
            }
            enter_token(opened.ready, opened.console, NOTHING_SENT).await?;
        }
        Ok(opened)
    }

    /// Opens the store to send operations. If that fails, `--json` prints that the operation, if it is known, was not
    /// sent. With `dry_run` nothing will be sent.
    pub(super) async fn open_to_send(
        &mut self,
        operation: Option<OperationKind>,
        json: bool,
        dry_run: bool,
    ) -> eyre::Result<Opened<'_>> {
        if dry_run {
            return self.open(TokenNeed::Never).await;
        }
        check_writable(&self.settings)?;
        let is_demo = self.settings.connection.is_none();
        let kind = if is_demo { FailureKind::NotConnected } else { FailureKind::NotRecorded };
        let opened = self.open(TokenNeed::Now).await;
        if let (Err(error), Some(operation), true) = (&opened, operation, json)
            && exit_of(error) == Exit::NotSent
            && let Err(why) = print_unsent(kind, operation, None)
        {
            end::end(why);
        }
        opened
    }

    /// Opens the store for a verb that only reads the journal: see [`Ready::open_to_read`].
    pub(super) async fn open_to_read(&mut self, complete: bool) -> eyre::Result<Opened<'_>> {
        match &self.ready {
            Some(ready) => ready.bring_up_to_date(&self.settings, complete).await?,
            None => self.ready = Some(Ready::open_to_read(&self.settings, complete).await?),
        }
        self.open(TokenNeed::Never).await
    }

    /// Takes standard input for plants, and lets questions be answered on the terminal. `instead` says what else names them.
    ///
    /// # Errors
    ///
    /// Standard input is something else already.
    pub(super) fn take_stdin(&mut self, instead: &str) -> eyre::Result<()> {
        if self.console.is_conversation {
            bail!(Failure::usage(format!(
                "plain mode reads its commands from standard input: {instead}. {NOTHING_SENT}"
            )));
        }
        check_stdin(&self.settings, "plants on stdin")?;
        self.console.leave_stdin();
        Ok(())
    }

    /// Closes the store, if it is open.
    pub(super) async fn close(self) {
        if let Some(mut ready) = self.ready {
            ready.close().await;
        }
    }
}

/// Fails if standard input has the token, and not what it is for.
pub(super) fn check_stdin(settings: &Settings, is_for: &str) -> eyre::Result<()> {
    let source = settings.connection.as_ref().map(|connection| &connection.token_source);
    if matches!(source, Some(TokenSource::Stdin)) {
        bail!(Failure::usage(format!(
            "--token-stdin and {is_for} contradict each other: stdin can be only one of them. {NOTHING_SENT}"
        )));
    }
    Ok(())
}

/// Fails if the settings forbid to add and delete plants.
pub(super) fn check_writable(settings: &Settings) -> eyre::Result<()> {
    if settings.read_only {
        bail!(Failure::usage(
            "this store is read-only here: start without --read-only, PLANTS_READ_ONLY or read_only. Nothing was sent."
        ));
    }
    Ok(())
}

/// Asks for a token until a valid one is typed. `left` says what is true if the question is left.
pub(super) async fn enter_token(ready: &mut Ready, console: &mut Console, left: &str) -> eyre::Result<Exit> {
    if ready.demo.is_some() {
        print::message("The demo store has its own token.");
        return Ok(Exit::Done);
    }
    if !console.has_person {
        print::message("A token is typed on a terminal only: a script would show it to others.");
        return Ok(Exit::Usage);
    }
    console.drop_typed();
    let token = tokio::select! {
        biased;
        over = console.ended(left) => return Err(over),
        token = prompt::token(&ready.store, left) => token?,
    };
    log::conceal(Some(&token), &[]);
    ready.token = Some(token);
    print::message("The token is set.");
    Ok(Exit::Done)
}
