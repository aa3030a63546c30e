//! Fetches what the store and a gateway before it ask for: the token, and the values of headers.
//!
//! A command that prints one of them may ask a person on the terminal. Sends nothing.

use std::io::IsTerminal as _;

use color_eyre::eyre::{self, bail};
use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::error::{Exit, Failure, NOTHING_SENT};
use super::print::Manner;
use super::stop::stopped;
use super::{print, prompt};
use crate::client::{SecretHeader, Token};
use crate::config::{Connection, HeaderSource, Patience, Settings, TokenError, TokenSource};
use crate::terminal::LentTerminal;

/// The secrets of a request: what proves to the store, and to a gateway before it, who sends.
#[derive(Default)]
pub(super) struct Access {
    pub(super) token: Option<Token>,
    pub(super) headers: Vec<SecretHeader>,
    /// Why the source of the token gave none.
    pub(super) no_token: Option<TokenError>,
    /// Resolves at a request to stop the program that came since a command was asked, if one was.
    pub(super) stop: Option<BoxFuture<'static, ()>>,
}

/// Whether a token must be there when the store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenNeed {
    /// No: the interface says why it is missing, and prompts for it.
    Later,
    /// Yes: on a terminal, a prompt asks for a missing one.
    Now,
    /// No: nothing will be sent.
    Never,
}

/// Fetches the token of the store and the headers for a gateway, if they are needed. There is no token if the interface
/// prompts for it later.
pub(super) async fn fetch_access(settings: &Settings, need: TokenNeed) -> eyre::Result<Access> {
    let Some(connection) = settings.connection.as_ref().filter(|_| need != TokenNeed::Never) else {
        return Ok(Access::default());
    };
    if matches!(connection.token_source, TokenSource::Stdin) && std::io::stdin().is_terminal() {
        bail!(Failure::usage(
            "--token-stdin reads a pipe or a file, and a terminal would show the token: leave the option out, and a masked prompt asks for the token. Nothing was sent."
        ));
    }
    let failed = |why: TokenError| {
        let exit = if why.is_stop() { Exit::Interrupted } else { Exit::Usage };
        Failure::new(exit, format!("{why}. {NOTHING_SENT}"))
    };
    let mut access = fetch(&connection.token_source, &connection.headers).await.map_err(failed)?;
    if let Some(why) = access.no_token.take_if(|_| need == TokenNeed::Now) {
        bail!(failed(why));
    }
    if access.token.is_none() && need == TokenNeed::Now {
        if !prompt::is_possible() {
            bail!(no_token(connection));
        }
        if let Some(withheld) = &connection.withheld {
            print::message(format!("Not used here: {withheld}."));
        }
        access.token = Some(prompt::token(&connection.url, NOTHING_SENT).await?);
    }
    Ok(access)
}

/// Fetches token and headers from their sources. There is no token if a person is to be prompted for it, or if
/// [`Access::no_token`] says why. Lends the terminal, if there are a command and a terminal: then there is no time limit.
pub(super) async fn fetch(source: &TokenSource, headers: &[HeaderSource]) -> Result<Access, TokenError> {
    let mut sources = headers.iter().map(|header| &header.source).chain([source]);
    let has_command = sources.any(|source| matches!(source, TokenSource::Command(_)));
    let mut lent = has_command.then(LentTerminal::lend).flatten();
    let mut patience = Patience::default();
    if let Some(lent) = &mut lent {
        // Until the command has its answer, what is typed is for the command.
        lent.drops_typed = true;
        patience = Patience::Until(stopped().boxed());
    }
    let mut access = Access::default();
    // Before a prompt, so that no token is typed in vain.
    for header in headers {
        access.headers.push(header.fetch(&mut patience).await?);
    }
    match source.fetch(&mut patience).await {
        Err(why) if !why.is_stop() => access.no_token = Some(why),
        token => access.token = token?,
    }
    if let Some(lent) = &mut lent {
        // What was typed since the last answer is for another program, unless the command has failed.
        lent.drops_typed = access.no_token.is_some();
    }
    if let Patience::Until(stop) = patience {
        access.stop = Some(stop);
    }
    Ok(access)
}

/// Says that nothing can be sent without a token, and where one can come from.
pub(super) fn no_token(connection: &Connection) -> Failure {
    let url = &connection.url;
    // Where a script answers questions, stdin has no room for a token.
    let takes_stdin = print::manner() != Manner::Conversation;
    Failure::usage(match &connection.withheld {
        Some(withheld) => {
            let stdin = if takes_stdin { " --token-stdin," } else { "" };
            format!(
                "no token for {url}: {withheld}. Give this store its own: --token-file,{stdin} or PLANTS_TOKEN together with PLANTS_BASE_URL={url}. Nothing was sent."
            )
        }
        None => {
            let stdin = if takes_stdin { " or --token-stdin" } else { "" };
            format!(
                "no token for {url}: set PLANTS_TOKEN, or give --token-file{stdin}, or name a source in the profile. Nothing was sent."
            )
        }
    })
}
