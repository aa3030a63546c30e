//! `plants serve`: runs the demo store as a server for other programs.

use color_eyre::eyre::{self, bail};
use serde_json::json;
use tracing::instrument;

use super::error::{Exit, Failure, OrExit as _};
use super::print;
use super::stop::Stops;
use crate::client::Token;
use crate::config::{Environment, Flags, Patience, TokenSource, exposed_token_file};
use crate::demo::{DemoOptions, DemoStore, Received, Weather};
use crate::domain::sentence::span;
use crate::text::clean_fit;
use crate::verbs::ServeArguments;

/// The default token: easy to type, because it protects nothing.
const TOKEN: &str = "demo";

/// Width of the path in the line of a request.
const PATH: usize = 100;

#[instrument(name = "serve", skip_all)]
pub(super) async fn run(
    flags: Flags,
    environment: Environment,
    arguments: ServeArguments,
    is_json: bool,
) -> eyre::Result<Exit> {
    if let Some(warning) = flags.token_file.as_deref().and_then(exposed_token_file) {
        print::message(format!("Warning: {warning}"));
    }
    let given = given_token(&flags, &environment).await?;
    let token = given.as_ref().map_or(TOKEN, Token::reveal).to_owned();
    let weather = Weather {
        latency: arguments.latency,
        lose_responses: arguments.lose_responses,
        fail: arguments.fail,
        reject: arguments.reject,
        reject_token: arguments.reject_token,
        out_of_order: arguments.out_of_order,
    };
    let started =
        DemoStore::start(DemoOptions { address: arguments.address, port: arguments.port, token, weather }).await;
    let mut store = started.or_exit(Exit::Usage)?;
    let mut received = store.received();
    let mut stops = Stops::listen();
    let base_url = store.base_url();
    let shown = if given.is_some() { "the configured token".to_owned() } else { format!("the token `{TOKEN}`") };
    print::message(format!(
        "The demo store listens at {base_url} with {shown}. Ctrl-C ends it and deletes its plants."
    ));
    if is_json {
        let token = given.is_none().then_some(TOKEN);
        print::json(&json!({ "base_url": base_url, "port": store.port(), "token": token }))?;
    }
    loop {
        tokio::select! {
            Some(request) = received.recv() => print::message(request_line(&request)),
            () = store.stopped() => {
                bail!(Failure::new(Exit::Rejected, "the demo store has stopped because of a bug in it; start it again"));
            }
            () = stops.next() => break,
        }
    }
    // Completes the requests in flight; a second signal ends the program at once.
    let finished = async {
        store.stop().await;
        while let Some(request) = received.recv().await {
            print::message(request_line(&request));
        }
    };
    tokio::select! {
        () = finished => {}
        () = stops.next() => print::message("Ended without a response to the requests in flight."),
    }
    Ok(Exit::Done)
}

/// Returns the configured token, which callers must present.
async fn given_token(flags: &Flags, environment: &Environment) -> eyre::Result<Option<Token>> {
    let source = if let Some(path) = &flags.token_file {
        TokenSource::File(path.clone())
    } else if flags.token_stdin {
        TokenSource::Stdin
    } else if let Some(fault) = environment.fault_of_token() {
        // Its token would be the one that everybody knows.
        bail!(Failure::usage(fault.to_string()));
    } else {
        return Ok(environment.token().cloned());
    };
    source.fetch(&mut Patience::default()).await.or_exit(Exit::Usage)
}

fn request_line(request: &Received) -> String {
    let status = request.status.map_or_else(|| "response lost".to_owned(), |status| status.to_string());
    format!(
        "{} {}  {status}  {}",
        clean_fit(&request.method, 16),
        clean_fit(&request.path, PATH),
        span(request.elapsed)
    )
}
