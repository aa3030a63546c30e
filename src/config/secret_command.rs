//! Runs a program that prints a secret, and returns the first line of its output, with limits of size and time.
//!
//! No error prints the secret, or the arguments of the program, which may contain secrets. Must not know whether the
//! program has a terminal to ask a person on.

use std::io;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::{BoxFuture, Either, select};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};
use zeroize::Zeroizing;

use super::fault::shown_error;
use super::withheld::withhold_secrets;
use crate::client::Secrets;
use crate::os::process;
use crate::text::{clean_bytes, clean_fit};

/// Bytes read from a source; real tokens have a few thousand at most.
pub(super) const SIZE_LIMIT: u64 = 64 * 1024;

/// The time limit of a command that cannot ask a person.
const COMMAND_TIME_LIMIT: Duration = Duration::from_secs(10);

/// How long to read the output of a command that has ended: a child process of it may keep the pipe open.
const OUTPUT_TIME_LIMIT: Duration = Duration::from_millis(250);

/// Bytes of the shortest word of a command that is masked as a secret.
const SECRET_LENGTH: usize = 6;

/// Bytes of an error line that are searched for secrets; fewer are shown.
const LINE_BYTES: usize = 4096;

/// Columns shown of a name, and of the error line of a failed command.
pub(super) const SHOWN_COLUMNS: usize = 160;

/// How long a command may take.
pub enum Patience {
    /// As long as a program needs that asks no person.
    Limited(Duration),
    /// Until this resolves: the command may ask a person on the terminal.
    Until(BoxFuture<'static, ()>),
}

impl Default for Patience {
    fn default() -> Self {
        Self::Limited(COMMAND_TIME_LIMIT)
    }
}

impl Patience {
    /// Whether Ctrl-C ended a command that failed: it ends this program, too, which may hear of it after the command.
    async fn is_over_after_all(&mut self, status: ExitStatus) -> bool {
        let Self::Until(stop) = self else { return false };
        yield_now().await;
        stop.now_or_never().is_some() || process::was_interrupted(status)
    }

    /// Returns why the command is to end, as soon as it is.
    async fn is_over(&mut self) -> CommandFault {
        match self {
            Self::Limited(limit) => {
                sleep(*limit).await;
                CommandFault::TimedOut(*limit)
            }
            Self::Until(stop) => {
                stop.await;
                CommandFault::Stopped
            }
        }
    }
}

#[derive(Debug, Error)]
pub(super) enum CommandFault {
    #[error("there is no such program; check its name")]
    NotFound,
    #[error("it cannot be run: {}; check its permissions", shown_error(.0))]
    NotRun(io::Error),
    #[error("it prints more than 64 KiB; it must print the secret and nothing else")]
    TooLong,
    /// `message` is what to do, or the masked first line of its stderr.
    #[error("it failed ({status}){message}")]
    Failed { status: ExitStatus, message: String },
    /// The program was ended.
    #[error("it did not end within {0:?}; run it by hand to see what it waits for")]
    TimedOut(Duration),
    /// The program was ended, because this one is to end.
    #[error("it was interrupted")]
    Stopped,
}

pub(super) type Secret = Zeroizing<Vec<u8>>;

/// Allocates a buffer for everything that will be read: a buffer that grows leaves copies in memory.
pub(super) fn buffer() -> Secret {
    Zeroizing::new(Vec::with_capacity(usize::try_from(SIZE_LIMIT).unwrap_or_default() + 64))
}

/// Runs a program with its arguments, without a shell, and returns the first line of its output.
///
/// # Errors
///
/// Says what to do.
pub(super) async fn first_line(words: &[String], patience: &mut Patience) -> Result<Secret, CommandFault> {
    let composed = composed(words);
    let mut command = composed.ok_or_else(|| CommandFault::NotRun(io::ErrorKind::InvalidInput.into()))?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if matches!(patience, Patience::Limited(_)) {
        process::keep_off_terminal(&mut command);
    }
    let mut child = command.spawn().map_err(|why| {
        if why.kind() == io::ErrorKind::NotFound { CommandFault::NotFound } else { CommandFault::NotRun(why) }
    })?;
    let ended = tokio::select! {
        // First: Ctrl-C ends the command, too.
        biased;
        why = patience.is_over() => {
            process::end(&mut child).await;
            return Err(why);
        }
        ended = run(&mut child) => ended,
    };
    let Ended { mut output, errors, status } = ended.map_err(CommandFault::NotRun)?;
    let status = status.ok_or(CommandFault::TooLong)?;
    if !status.success() && patience.is_over_after_all(status).await {
        return Err(CommandFault::Stopped);
    }
    if !status.success() {
        let message = match error_line(&errors, &output, words) {
            Some(line) => format!(" and said: {line}"),
            None => "; run it by hand to see why".to_owned(),
        };
        return Err(CommandFault::Failed { status, message });
    }
    if let Some(end) = output.iter().position(|byte| *byte == b'\n') {
        output.truncate(end);
    }
    Ok(output)
}
/// Composes a program and its arguments, run without a shell: its environment has no secret. It is killed when dropped.
pub(super) fn composed(words: &[String]) -> Option<Command> {
    let (name, arguments) = words.split_first()?;
    let mut command = Command::new(name);
    command.args(arguments).kill_on_drop(true);
    withhold_secrets(command.as_std_mut());
    Some(command)
}

struct Ended {
    output: Secret,
    errors: Secret,
    /// `None` if the output was too long.
    status: Option<ExitStatus>,
}

async fn run(child: &mut Child) -> io::Result<Ended> {
    let (mut output, mut errors) = (buffer(), buffer());
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let status = {
        let ending = pin!(async {
            let read = async { stdout.take(SIZE_LIMIT + 1).read_to_end(&mut output).await };
            let mut reading = pin!(read);
            let status = tokio::select! {
                read = &mut reading => {
                    if read? as u64 > SIZE_LIMIT {
                        child.kill().await?;
                        return Ok(None);
                    }
                    return child.wait().await.map(Some);
                }
                status = child.wait() => status?,
            };
            // A process that it leaves running may hold its output open.
            let Ok(read) = timeout(OUTPUT_TIME_LIMIT, reading).await else { return Ok(Some(status)) };
            Ok((read? as u64 <= SIZE_LIMIT).then_some(status))
        });
        let draining = pin!(drain(stderr, &mut errors));
        match select(ending, draining).await {
            Either::Left((status, draining)) => {
                if matches!(status, Ok(Some(status)) if !status.success()) {
                    let _ = timeout(OUTPUT_TIME_LIMIT, draining).await;
                }
                status
            }
            Either::Right(((), ending)) => ending.await,
        }
    }?;
    Ok(Ended { output, errors, status })
}

/// Reads to the end but stores only the beginning: a full pipe would block the command.
async fn drain(mut from: impl AsyncRead + Unpin, beginning: &mut Vec<u8>) {
    let read = (&mut from).take(SIZE_LIMIT).read_to_end(beginning).await;
    if read.is_ok() {
        let _ = tokio::io::copy(&mut from, &mut tokio::io::sink()).await;
    }
}

/// Returns the first line of a failed command's stderr. Masks parts of its output and of its arguments in any encoding:
/// either may contain the token.
fn error_line(errors: &[u8], output: &[u8], words: &[String]) -> Option<String> {
    let line = errors.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    let mut first = line.iter().copied().take(LINE_BYTES).collect::<Vec<_>>();
    let printed = String::from_utf8_lossy(output);
    let texts = words.iter().skip(1).map(String::as_str).chain([&*printed]);
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
    let parts = texts.flat_map(|text| text.split_whitespace().chain(text.split(move |c| !is_part(c))));
    let secrets = Secrets::default().with_words(parts.filter(|part| part.len() >= SECRET_LENGTH));
    if first.len() < line.len() {
        secrets.mask_cut(&mut first);
    }
    secrets.mask_in(&mut first);
    (!first.is_empty()).then(|| clean_fit(&clean_bytes(&first), SHOWN_COLUMNS))
}

#[cfg(test)]
#[cfg(unix)]
mod on_unix {
    use super::*;
    use crate::os::process::testing::{is_running, kill};

    fn command(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    async fn output_of(script: &str) -> Result<Secret, CommandFault> {
        first_line(&command(&["sh", "-c", script]), &mut Patience::default()).await
    }

    fn is_canary(secret: &Secret) -> bool {
        secret.as_slice() == b"canary-token-7"
    }

    /// Shows an error after checking that it has no secret.
    fn shown(error: &CommandFault) -> String {
        assert!(!format!("{error:?}").contains("canary"), "{error:?}");
        error.to_string()
    }

    #[tokio::test]
    async fn a_token_is_the_first_line_of_a_command() {
        let token = output_of("echo canary-token-7; echo user: ann; echo hint >&2").await.unwrap();
        assert!(is_canary(&token));
    }

    #[tokio::test]
    async fn a_command_gets_no_input() {
        // `cat` ends at once on an empty standard input.
        assert!(is_canary(&output_of("cat; echo canary-token-7").await.unwrap()));
    }

    #[tokio::test]
    async fn the_error_of_a_failed_command_is_shown_harmlessly() {
        let error = shown(&output_of("printf 'no such \\033[2Jent%s\\nmore\\n' ry >&2; exit 3").await.unwrap_err());
        assert_eq!(error, "it failed (exit status: 3) and said: no such ␛[2Jentry");
        let error = shown(&output_of("exit 1").await.unwrap_err());
        assert!(error.ends_with("it failed (exit status: 1); run it by hand to see why"), "{error}");
    }

    #[tokio::test]
    async fn the_error_of_a_failed_command_never_shows_the_token() {
        for script in [
            "echo canary-token-7; echo got canary-token-7 >&2; exit 1",
            "echo token: canary-token-7; echo got canary-token-7. >&2; exit 1",
            "echo '{\"token\":\"canary-token-7\"}'; echo got canary-token-7 >&2; exit 1",
            "echo invalid token canary-token-7 >&2; exit 1; --token=canary-token-7",
            "set -x; false canary-token-7",
            "canary-token-7",
            "echo canary!token!7; echo got canary!token!7 >&2; exit 1",
            "echo CaNaRy-token-7; echo got canary-token-7 >&2; exit 1",
            "echo canary+token/7; echo 'got canary token/7' >&2; exit 1",
            r#"echo canary/token/7; printf '%s' '{"e":"{\"canary\\\/token\\\/7\"}"}' >&2; exit 1"#,
            "echo canary/token+7; echo '?t=canary%252Ftoken%252B7' >&2; exit 1",
            "echo canary/token+7; echo 'canary&#x2F;token&plus;7' >&2; exit 1",
            "echo canary-token-=7; echo 'canary-token-=3D7' >&2; exit 1",
            "echo canary-token-7; echo 'got canary-token...' >&2; exit 1",
        ] {
            let error = shown(&output_of(script).await.unwrap_err());
            assert!(error.contains("it failed") && !error.contains("canary"), "{error}");
        }
    }

    #[tokio::test]
    async fn a_command_ends_although_its_child_keeps_the_pipe_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pid");
        for print in ["echo", "printf"] {
            let script = format!("sleep 600 & echo $! > '{}'; {print} canary-token-7", path.display());
            let token = output_of(&script).await.unwrap();
            assert!(is_canary(&token));
            let child = std::fs::read_to_string(&path).unwrap().trim().parse().unwrap();
            kill(child);
        }
    }

    #[tokio::test]
    async fn a_missing_command_is_reported() {
        let fault = async |program| first_line(&command(&[program]), &mut Patience::default()).await.unwrap_err();
        let missing = shown(&fault("no-such-program-here").await);
        assert!(missing.contains("there is no such program"), "{missing}");
        let error = shown(&fault("/").await);
        assert!(error.contains("it cannot be run"), "{error}");
    }

    #[tokio::test]
    async fn a_command_that_hangs_is_killed() {
        let mut patience = Patience::Limited(Duration::from_millis(50));
        let error = first_line(&command(&["sleep", "600"]), &mut patience).await.unwrap_err();
        assert!(shown(&error).contains("it did not end within 50ms"), "{error}");
    }

    #[tokio::test]
    async fn a_command_that_may_ask_ends_when_this_program_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pid");
        // It does not end by itself, and says that it is ready by a file.
        let script = format!("trap '' TERM; echo $$ >'{0}.new'; mv '{0}.new' '{0}'; exec sleep 600", path.display());
        let stop = {
            let path = path.clone();
            Box::pin(async move {
                while !path.exists() {
                    tokio::task::yield_now().await;
                }
            })
        };
        let error = first_line(&command(&["sh", "-c", &script]), &mut Patience::Until(stop)).await.unwrap_err();
        assert!(matches!(error, CommandFault::Stopped), "{error}");
        let child = std::fs::read_to_string(path).unwrap().trim().parse().unwrap();
        assert!(!is_running(child), "the command still runs");
    }

    #[tokio::test]
    async fn too_much_output_ends_a_command_and_much_stderr_does_not() {
        let error = output_of("while :; do echo canary-canary-canary-canary; done").await.unwrap_err();
        assert!(matches!(error, CommandFault::TooLong), "{error:?}");
        let token = output_of(
            "i=0; while [ $i -lt 9000 ]; do echo a long complaint >&2; i=$((i+1)); done; echo canary-token-7",
        );
        assert!(is_canary(&token.await.unwrap()), "a full stderr must not block the command");
    }
}
