//! Runs a custom command on the terminal, or this program in the background. A custom command reads a plant or a request as JSON, and what it prints is kept up to a limit.
//!
//! Must not know what becomes of the output, nor who gives it the terminal.

use std::io;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Output, Stdio};
use std::time::Duration;

use futures::FutureExt as _;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::child;
use super::json::{Entry, Listed};
use crate::client::Token;
use crate::config::CustomCommand;
use crate::journal::Journal;
use crate::os::process;
use crate::text::{clean, push_json};
use crate::tui::message::CommandOutput;
use crate::tui::{Cause, CommandInput, Msg};

/// Bytes of the output that are kept.
const SIZE_LIMIT: u64 = 1 << 20;

/// How long to read the output of a program that has ended: a child process of it may keep the pipe open.
const OUTPUT_TIME_LIMIT: Duration = Duration::from_millis(250);

/// How long a run of this program that is to end at once has to record what became of its requests.
const END_TIME_LIMIT: Duration = Duration::from_secs(2);

/// Runs a command up to its end, or to that of `stop`.
pub(super) async fn run(
    command: CustomCommand,
    config_file: PathBuf,
    journal: Journal,
    input: CommandInput,
    stop: CancellationToken,
) -> Msg {
    let ended = caught(printed(&command, config_file, journal, input, stop)).await;
    Msg::CommandEnded(command.name, ended)
}

/// Makes an error of a panic.
async fn caught(run: impl Future<Output = Result<CommandOutput, Cause>>) -> Result<Box<CommandOutput>, Cause> {
    let ended = AssertUnwindSafe(run).catch_unwind().await;
    ended.unwrap_or_else(|_| Err("the task that runs it has died".into())).map(Box::new)
}

async fn printed(
    command: &CustomCommand,
    config_file: PathBuf,
    journal: Journal,
    input: CommandInput,
    stop: CancellationToken,
) -> Result<CommandOutput, Cause> {
    let entry = entry(journal, input).await?;
    child::withhold_secrets(config_file).await?;
    let mut composed = command.composed().ok_or("it names no program")?;
    composed.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = composed.spawn().map_err(|why| not_started(command, &why))?;
    let (Some(stdin), Some(stdout)) = (program.stdin.take(), program.stdout.take()) else {
        return Err("it has no pipes".into());
    };
    let mut printed = Vec::new();
    let running = async { tokio::join!(read(&mut program, stdout, &mut printed), child::write(stdin, &entry)).0 };
    let status = tokio::select! {
        status = running => status?,
        () = stop.cancelled() => {
            process::end(&mut program).await;
            return Err("the program ended".into());
        }
    };
    let is_cut = printed.len() as u64 > SIZE_LIMIT;
    printed.truncate(usize::try_from(SIZE_LIMIT).unwrap_or(usize::MAX));
    if printed.ends_with(b"\n") {
        printed.pop();
    }
    // A program that cannot print the rest fails.
    let failure = (!status.success() && !is_cut).then(|| child::ending(status));
    Ok(CommandOutput { name: command.name.clone(), printed, cut_at: is_cut.then_some(SIZE_LIMIT), failure })
}

/// Runs this program once more, in the background, with a token; what it says is before its result. The first of `stops`
/// stops it, and the next one ends it.
pub(super) async fn run_own(
    name: String,
    composed: io::Result<Command>,
    token: Option<Token>,
    mut stops: watch::Receiver<()>,
) -> Msg {
    let ended = async {
        let mut child = composed?.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        if let Some(stdin) = child.stdin.take() {
            child::write(stdin, token.as_ref().map(Token::reveal).unwrap_or_default().as_bytes()).await;
        }
        let process = child.id();
        let mut output = pin!(child.wait_with_output());
        let mut is_asked = false;
        let Output { status, stdout, stderr } = loop {
            tokio::select! {
                output = &mut output => break output?,
                Ok(()) = stops.changed() => process::ask_to_end(process),
            }
            if std::mem::replace(&mut is_asked, true) {
                // It is killed when it is dropped.
                break timeout(END_TIME_LIMIT, output).await??;
            }
        };
        let failure = (!status.success()).then(|| child::ending(status));
        Ok(CommandOutput { name: name.clone(), printed: [stderr, stdout].concat(), cut_at: None, failure })
    };
    let ended = caught(ended).await;
    Msg::LineEnded(name, ended)
}

/// Composes what the command reads: the object of `plants list --json` or of `plants history --json`.
async fn entry(journal: Journal, input: CommandInput) -> Result<Vec<u8>, Cause> {
    let mut json = Vec::new();
    match input {
        CommandInput::Plant(id) => {
            let rows = journal.rows(vec![id]).await?;
            push_json(&mut json, &Listed::from(rows.first().ok_or("the plant is no longer in the list")?))?;
        }
        CommandInput::Request(operation) => {
            let stored = journal.exchanges_of(vec![operation]).await?;
            push_json(&mut json, &Entry::from(stored.first().ok_or("the request is no longer in the journal")?))?;
        }
    }
    json.push(b'\n');
    Ok(json)
}

fn not_started(command: &CustomCommand, why: &io::Error) -> Cause {
    let program = clean(command.program());
    let text = if why.kind() == io::ErrorKind::NotFound {
        format!("there is no program {program}; check its name in the config file.")
    } else {
        format!("{program} cannot be run: {why}; check its permissions.")
    };
    text.into()
}

/// Reads what the command prints, up to one byte more than the limit, and waits for its end. Then the pipe is closed, as
/// `head` does.
async fn read(child: &mut Child, stdout: ChildStdout, printed: &mut Vec<u8>) -> io::Result<ExitStatus> {
    let mut stdout = stdout.take(SIZE_LIMIT + 1);
    let ended = {
        let mut reading = std::pin::pin!(stdout.read_to_end(printed));
        tokio::select! {
            read = &mut reading => read.map(|_| None),
            status = child.wait() => {
                let _ = timeout(OUTPUT_TIME_LIMIT, reading).await;
                status.map(Some)
            }
        }
    };
    drop(stdout);
    match ended? {
        Some(status) => Ok(status),
        None => child.wait().await,
    }
}
