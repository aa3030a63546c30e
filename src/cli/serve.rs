//! `plants serve`: the demo store alone, for others to call.

use std::time::Duration;

use clap::Args;
use color_eyre::eyre::{self, WrapErr as _, bail};
use serde::Serialize;
use tracing::instrument;

use super::error::{Failure, OrExit as _};
use super::exit::Exit;
use super::stop::stopped;
use super::{end, print};
use crate::client::Token;
use crate::config::{Environment, Flags, TokenSource, exposed_token_file, parse_duration};
use crate::demo::{DemoOptions, DemoStore, Received, Weather};
use crate::domain::sentence::span;
use crate::domain::text::clean_fit;

/// The token where none is given: it guards nothing, and is easy to type.
const TOKEN: &str = "demo";

/// Columns of a request's path in the log.
const PATH: usize = 100;

#[derive(Debug, Args)]
pub(super) struct ServeArguments {
    /// Port on 127.0.0.1; 0 takes any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Wait this long before each response, like 200ms or 2s
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "0s")]
    latency: Duration,
    /// Carry out, then lose the response, with this probability: 0 to 1, or a percentage like 30%
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    lose_responses: f64,
    /// Respond 500 with this probability, half of the time after carrying out
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    fail: f64,
    /// Reject with this probability: respond 422 and do nothing
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    reject: f64,
    /// Respond in an order of its own: each request waits up to 2s more, by chance
    #[arg(long)]
    out_of_order: bool,
    /// Respond 401 whatever the token
    #[arg(long)]
    reject_token: bool,
}

fn probability(typed: &str) -> eyre::Result<f64> {
    let value = match typed.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
        None => typed.parse(),
    };
    match value {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        Ok(_) | Err(_) => bail!("a probability lies between 0 and 1, or 0% and 100%"),
    }
}

#[derive(Serialize)]
struct Listening<'a> {
    base_url: &'a str,
    port: u16,
    token: Option<&'a str>,
}

#[instrument(name = "serve", skip_all)]
pub(super) async fn run(
    flags: &Flags,
    environment: &Environment,
    arguments: ServeArguments,
    json: bool,
) -> eyre::Result<Exit> {
    if let Some(warning) = flags.token_file.as_deref().and_then(exposed_token_file) {
        print::message(&format!("Warning: {warning}"));
    }
    let given = given_token(flags, environment).await?;
    let token = given.as_ref().map_or(TOKEN, Token::reveal).to_owned();
    let weather = Weather {
        latency: arguments.latency,
        lose_responses: arguments.lose_responses,
        fail: arguments.fail,
        refuse: arguments.reject,
        reject_token: arguments.reject_token,
        out_of_order: arguments.out_of_order,
    };
    let started = DemoStore::start(DemoOptions { port: arguments.port, token, weather }).await;
    let mut store = started.or_exit(Exit::Usage)?;
    let mut received = store.received();
    let mut stop = std::pin::pin!(stopped());
    let base_url = store.base_url();
    let shown = if given.is_some() { "the one you gave".to_owned() } else { format!("`{TOKEN}`") };
    print::message(&format!(
        "The demo store listens at {base_url}; its token is {shown}. Ctrl-C ends it and everything in it."
    ));
    if json {
        let token = given.is_none().then_some(TOKEN);
        end::succeeded(print::json(&Listening { base_url: &base_url, port: store.port(), token }));
    }
    loop {
        tokio::select! {
            Some(request) = received.recv() => print::message(&log_line(&request)),
            end = store.stopped() => {
                let why = end.map_or_else(|why| why.to_string(), |()| "it ended by itself".to_owned());
                bail!(Failure::new(Exit::Rejected, format!("the demo store has stopped: {why}")));
            }
            () = &mut stop => break,
        }
    }
    // Responses that are under way are sent; a second signal ends it at once.
    let again = stopped();
    let finished = async {
        let _ = store.stop().await;
        while let Some(request) = received.recv().await {
            print::message(&log_line(&request));
        }
    };
    tokio::select! {
        () = finished => {}
        () = again => print::message("Ended with a request unanswered."),
    }
    Ok(Exit::Done)
}

/// Returns the token that callers must present, if one was given.
async fn given_token(flags: &Flags, environment: &Environment) -> eyre::Result<Option<Token>> {
    let source = if let Some(path) = &flags.token_file {
        TokenSource::File(path.clone())
    } else if flags.token_stdin {
        TokenSource::Stdin
    } else if let Some(token) = environment.token.clone() {
        TokenSource::Given(token.wrap_err("PLANTS_TOKEN").or_exit(Exit::Usage)?)
    } else {
        return Ok(None);
    };
    source.fetch().await.or_exit(Exit::Usage)
}

fn log_line(request: &Received) -> String {
    let status = request.status.map_or_else(|| "response lost".to_owned(), |status| status.to_string());
    format!(
        "{} {}  {status}  {}",
        clean_fit(&request.method, 16),
        clean_fit(&request.path, PATH),
        span(request.elapsed)
    )
}
