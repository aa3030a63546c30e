//! `plants serve`: the demo store alone, for others to call.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::open::failed;
use super::stop::stopped;
use super::{Exit, say};
use crate::client::Token;
use crate::config::{Environment, Flags, TokenSource, exposed_token_file};
use crate::demo::{DemoOptions, DemoStore, Received, Weather};
use crate::domain::sentence::span;
use crate::domain::text::clean_fit;

/// The token where none is given: it guards nothing, and is easy to type.
const TOKEN: &str = "demo";

/// Columns of a request's path in the log.
const PATH: usize = 100;

/// `plants serve`
#[derive(Debug, Args)]
pub struct ServeArguments {
    /// Port on 127.0.0.1; 0 takes any that is free
    #[arg(long, default_value_t = 8080)]
    pub port: u16,
    /// Wait this long before each response, like 200ms or 2s
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration, default_value = "0s")]
    pub latency: Duration,
    /// Carry out, then lose the response, with this probability: 0 to 1, or a percentage like 30%
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    pub lose_responses: f64,
    /// Respond 500 with this probability, half of the time after carrying out
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    pub fail: f64,
    /// Reject with this probability: respond 422 and do nothing
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    pub reject: f64,
    /// Respond in an order of its own: each request waits up to 2s more, by chance
    #[arg(long)]
    pub out_of_order: bool,
    /// Respond 401 whatever the token
    #[arg(long)]
    pub reject_token: bool,
}

fn probability(typed: &str) -> Result<f64, String> {
    let value = match typed.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
        None => typed.parse(),
    };
    match value {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        Ok(_) | Err(_) => Err("a probability lies between 0 and 1, or 0% and 100%".to_owned()),
    }
}

/// What `--json` prints once the store listens.
#[derive(Serialize)]
struct Listening<'a> {
    base_url: &'a str,
    port: u16,
    token: Option<&'a str>,
}

/// `plants serve`
pub(super) async fn run(flags: &Flags, environment: &Environment, arguments: ServeArguments, json: bool) -> Exit {
    if let Some(warning) = flags.token_file.as_deref().and_then(exposed_token_file) {
        say::words(&format!("Warning: {warning}"));
    }
    let given = match given_token(flags, environment).await {
        Ok(given) => given,
        Err(exit) => return exit,
    };
    let token = given.as_ref().map_or(TOKEN, Token::reveal).to_owned();
    let weather = Weather {
        latency: arguments.latency,
        lose_responses: arguments.lose_responses,
        fail: arguments.fail,
        refuse: arguments.reject,
        reject_token: arguments.reject_token,
        out_of_order: arguments.out_of_order,
    };
    let mut store = match DemoStore::start(DemoOptions { port: arguments.port, token, weather }).await {
        Ok(store) => store,
        Err(why) => return failed(Exit::Usage, &why.to_string()),
    };
    let mut received = store.received();
    let mut stop = std::pin::pin!(stopped());
    let base_url = store.base_url();
    let shown = if given.is_some() { "the one you gave".to_owned() } else { format!("`{TOKEN}`") };
    say::words(&format!(
        "The demo store listens at {base_url}; its token is {shown}. Ctrl-C ends it and everything in it."
    ));
    if json {
        say::json(&Listening { base_url: &base_url, port: store.port(), token: given.is_none().then_some(TOKEN) });
    }
    loop {
        tokio::select! {
            Some(request) = received.recv() => say::words(&log_line(&request)),
            end = store.stopped() => {
                let why = end.map_or_else(|why| why.to_string(), |()| "it ended by itself".to_owned());
                return failed(Exit::Rejected, &format!("the demo store has stopped: {why}"));
            }
            () = &mut stop => break,
        }
    }
    // Whoever is being answered is answered; a second signal ends it at once.
    let again = stopped();
    let finished = async {
        let _ = store.stop().await;
        while let Some(request) = received.recv().await {
            say::words(&log_line(&request));
        }
    };
    tokio::select! {
        () = finished => {}
        () = again => say::words("Ended with a request unanswered."),
    }
    Exit::Done
}

/// The token that callers must present, if one was given.
async fn given_token(flags: &Flags, environment: &Environment) -> Result<Option<Token>, Exit> {
    let source = if let Some(path) = &flags.token_file {
        TokenSource::File(path.clone())
    } else if flags.token_stdin {
        TokenSource::Stdin
    } else if let Some(raw) = &environment.token {
        TokenSource::Given(raw.judge().map_err(|why| failed(Exit::Usage, &format!("PLANTS_TOKEN: {why}")))?)
    } else {
        return Ok(None);
    };
    source.fetch().await.map_err(|why| failed(Exit::Usage, &why.to_string()))
}

fn log_line(request: &Received) -> String {
    let status = request.status.map_or_else(|| "answer lost".to_owned(), |status| status.to_string());
    format!(
        "{} {}  {status}  {}",
        clean_fit(&request.method, 16),
        clean_fit(&request.path, PATH),
        span(request.elapsed)
    )
}
