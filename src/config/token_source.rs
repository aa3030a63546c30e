//! Where a token comes from, and fetching it from there, bounded in size and time.
//!
//! Neither a source nor an error can print the token; a command's arguments are not shown
//! either, for people put secrets there.

use std::fmt;
use std::io::{self, IsTerminal as _, Read};
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures::future::{Either, select};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::environment::variable;
use super::fault::{shown_error, shown_path};
use super::setting::TOKEN;
use crate::client::{Secrets, Token, TokenFault};
use crate::domain::text::{clean_bytes, clean_fit};

/// Bytes read from any source; real tokens have a few thousand at most.
const LIMIT: u64 = 64 * 1024;

/// How long a token command may take.
pub const COMMAND_TIME_LIMIT: Duration = Duration::from_secs(10);

/// How long to wait for the last words of a command that has failed: a child it left behind
/// may hold the pipe open for good.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// Shorter words of a command are no secrets.
const SECRET_LENGTH: usize = 6;

/// Bytes looked at of a line that a failed command wrote, of which fewer are shown.
const LINE: usize = 4096;

/// Columns kept of what a failed command said.
const SAID: usize = 160;

#[derive(Clone)]
pub enum TokenSource {
    File(PathBuf),
    /// Standard input, to its end.
    Stdin,
    /// A token that is here already, from `PLANTS_TOKEN`.
    Given(Token),
    Env(String),
    /// The first line that a program prints.
    Command(TokenCommand),
    /// A person, asked by the part of the program that has the terminal.
    OperationKind,
}

/// A program that prints a token, run without a shell.
#[derive(Clone)]
pub struct TokenCommand {
    pub words: Vec<String>,
    /// Variables that it does not inherit, for they hold tokens.
    pub withheld: Vec<String>,
}

impl fmt::Display for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "token from file {}", shown_path(path)),
            Self::Stdin => f.write_str("token from stdin"),
            Self::Given(_) => write!(f, "token from ${}", TOKEN.variable),
            Self::Env(name) => write!(f, "token from ${}", clean_fit(name, SAID)),
            Self::Command(command) => write!(f, "token from the command {}", program_in(&command.words)),
            Self::OperationKind => f.write_str("token asked for"),
        }
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenSource({self})")
    }
}

/// The program's name, fit to be shown; its arguments never are.
fn program_in(words: &[String]) -> String {
    words.first().map_or_else(String::new, |program| clean_fit(program, SAID))
}

/// Why a source gave no token. It holds no part of a token; sources and names in it are fit to be shown.
#[derive(Debug)]
pub enum TokenError {
    Unreadable {
        source: String,
        why: io::Error,
    },
    /// More than 64 KiB came.
    TooLong {
        source: String,
    },
    /// Something came that cannot be a token.
    Unfit {
        source: String,
        why: TokenFault,
    },
    /// The environment variable is not set, or empty.
    NotSet {
        name: String,
    },
    NotFound {
        program: String,
    },
    /// The program could not be run or waited for.
    NotRun {
        program: String,
        why: io::Error,
    },
    /// The program said that it failed; the first line of its stderr is neutralised.
    Failed {
        program: String,
        status: ExitStatus,
        said: Option<String>,
    },
    /// The program took too long, and was killed.
    TimedOut {
        program: String,
        limit: Duration,
    },
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { source, why } => {
                write!(f, "no {source}: it cannot be read: {}; check its name and its permissions", shown_error(why))
            }
            Self::TooLong { source } => {
                write!(f, "no {source}: there are more than 64 KiB; it must hold the token and nothing else")
            }
            Self::Unfit { source, why } => write!(f, "no {source}: {why}"),
            Self::NotSet { name } => {
                write!(f, "no token from ${name}: the variable is not set; set it and start again")
            }
            Self::NotFound { program } => {
                write!(f, "no token from the command {program}: there is no such program; check token_command")
            }
            Self::NotRun { program, why } => {
                write!(f, "no token from the command {program}: it cannot be run: {}", shown_error(why))
            }
            Self::Failed { program, status, said } => {
                write!(f, "no token from the command {program}: it failed ({status})")?;
                match said {
                    Some(said) => write!(f, " and said: {said}"),
                    None => f.write_str("; run it by hand to see why"),
                }
            }
            Self::TimedOut { program, limit } => write!(
                f,
                "no token from the command {program}: it was not done after {limit:?}; run it by hand to see what it waits for"
            ),
        }
    }
}

impl std::error::Error for TokenError {}

impl TokenSource {
    /// Fetches the token; `None` if it must be asked for.
    ///
    /// Standard input is read on a thread of its own that cannot be interrupted: a program
    /// that stops meanwhile must not wait for it.
    ///
    /// # Errors
    ///
    /// Names the source and what to do; never any part of a token.
    pub async fn fetch(&self) -> Result<Option<Token>, TokenError> {
        let source = self.to_string();
        let bytes = match self {
            Self::OperationKind => return Ok(None),
            Self::Given(token) => return Ok(Some(token.clone())),
            Self::Env(name) => return from_variable(name).map(Some),
            Self::Command(command) => return from_command(command, COMMAND_TIME_LIMIT).await.map(Some),
            Self::File(path) => {
                let path = path.clone();
                tokio::task::spawn_blocking(move || std::fs::File::open(path).and_then(read_file)).await
            }
            Self::Stdin => tokio::task::spawn_blocking(|| read_bounded(io::stdin().lock())).await,
        };
        let read = bytes.unwrap_or_else(|died| Err(io::Error::other(died)));
        let bytes = read.map_err(|why| TokenError::Unreadable { source: source.clone(), why })?;
        validate(&bytes, source).map(Some)
    }
}

type Secret = Zeroizing<Vec<u8>>;

/// A buffer that has room for all that will be read: one that grew would leave copies behind.
fn buffer() -> Secret {
    Zeroizing::new(Vec::with_capacity(usize::try_from(LIMIT).unwrap_or_default() + 64))
}

fn read_bounded(from: impl Read) -> io::Result<Secret> {
    let mut bytes = buffer();
    from.take(LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same of a file, which is not to show what is typed into it.
fn read_file(file: std::fs::File) -> io::Result<Secret> {
    if file.is_terminal() {
        return Err(io::Error::other("it is a terminal, which would show the token"));
    }
    read_bounded(file)
}

fn validate(bytes: &[u8], source: String) -> Result<Token, TokenError> {
    if bytes.len() as u64 > LIMIT {
        return Err(TokenError::TooLong { source });
    }
    let token = std::str::from_utf8(bytes).map_err(|_| TokenFault::NotAscii).and_then(Token::new);
    token.map_err(|why| TokenError::Unfit { source, why })
}

fn from_variable(name: &str) -> Result<Token, TokenError> {
    let shown = clean_fit(name, SAID);
    match variable(name).filter(|value| !value.is_empty()) {
        Some(value) => {
            let bytes = Zeroizing::new(value.into_encoded_bytes());
            validate(&bytes, format!("token from ${shown}"))
        }
        None => Err(TokenError::NotSet { name: shown }),
    }
}

/// Runs a token command, and takes the first line of its output, as `pass` has it.
async fn from_command(from: &TokenCommand, limit: Duration) -> Result<Token, TokenError> {
    let program = program_in(&from.words);
    let not_run = |why| TokenError::NotRun { program: program.clone(), why };
    let mut command = command(from).ok_or_else(|| not_run(io::ErrorKind::InvalidInput.into()))?;
    let mut child = command.spawn().map_err(|why| {
        if why.kind() == io::ErrorKind::NotFound {
            TokenError::NotFound { program: program.clone() }
        } else {
            not_run(why)
        }
    })?;
    let ended = timeout(limit, run(&mut child)).await;
    let Ok(ended) = ended else {
        // Killed here and waited for, so that nothing of it is left when the error is shown.
        let _ = child.kill().await;
        return Err(TokenError::TimedOut { program, limit });
    };
    let Ended { output, errors, status } = ended.map_err(not_run)?;
    let source = format!("token from the command {program}");
    let Some(status) = status else { return Err(TokenError::TooLong { source }) };
    let first = output.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let token = validate(first, source);
    if !status.success() {
        return Err(TokenError::Failed { program, status, said: last_words(&errors, &output, &from.words) });
    }
    token
}

/// The command, ready to run: no shell, nothing to read, and no token in its environment.
fn command(from: &TokenCommand) -> Option<Command> {
    let (name, arguments) = from.words.split_first()?;
    let mut command = Command::new(name);
    command.args(arguments).env_remove(TOKEN.variable).kill_on_drop(true);
    for token in &from.withheld {
        command.env_remove(token);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(command)
}

/// What a command left behind; no status if it was cut off for writing too much.
struct Ended {
    output: Secret,
    errors: Secret,
    status: Option<ExitStatus>,
}

async fn run(child: &mut Child) -> io::Result<Ended> {
    let (mut output, mut errors) = (buffer(), buffer());
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let mut is_held_open = false;
    let status = {
        let answering = std::pin::pin!(async {
            let read = async { stdout.take(LIMIT + 1).read_to_end(&mut output).await };
            let mut reading = std::pin::pin!(read);
            let status = tokio::select! {
                read = &mut reading => {
                    if read? as u64 > LIMIT {
                        child.kill().await?;
                        return Ok(None);
                    }
                    return child.wait().await.map(Some);
                }
                status = child.wait() => status?,
            };
            // A child that it left behind may hold the pipe open for good.
            let Ok(read) = timeout(LAST_WORDS, reading).await else {
                is_held_open = true;
                return Ok(Some(status));
            };
            Ok((read? as u64 <= LIMIT).then_some(status))
        });
        let listening = std::pin::pin!(drain(stderr, &mut errors));
        match select(answering, listening).await {
            Either::Left((status, listening)) => {
                if matches!(status, Ok(Some(status)) if !status.success()) {
                    let _ = timeout(LAST_WORDS, listening).await;
                }
                status
            }
            Either::Right(((), answering)) => answering.await,
        }
    }?;
    if is_held_open && !output.contains(&b'\n') {
        return Err(io::Error::other("it ended within its first line"));
    }
    Ok(Ended { output, errors, status })
}

/// Keeps the beginning of what comes, and lets the rest go: a full pipe would stop the command.
async fn drain(mut from: impl AsyncRead + Unpin, kept: &mut Vec<u8>) {
    let read = (&mut from).take(LIMIT).read_to_end(kept).await;
    if read.is_ok() {
        let _ = tokio::io::copy(&mut from, &mut tokio::io::sink()).await;
    }
}

/// The first line that a failed command wrote, masked where it repeats its output or its arguments in any
/// encoding: either may be the token, or hold it.
fn last_words(errors: &[u8], output: &[u8], words: &[String]) -> Option<String> {
    let line = errors.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    let mut first = line.iter().copied().take(LINE).collect::<Vec<_>>();
    let printed = String::from_utf8_lossy(output);
    let said = words.iter().skip(1).map(String::as_str).chain([&*printed]);
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
    let parts = said.flat_map(|text| text.split_whitespace().chain(text.split(move |c| !is_part(c))));
    let secrets = Secrets::words(parts.filter(|part| part.len() >= SECRET_LENGTH));
    if first.len() < line.len() {
        secrets.mask_cut(&mut first);
    }
    secrets.mask_in(&mut first);
    (!first.is_empty()).then(|| clean_fit(&clean_bytes(&first), SAID))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANARY: &str = "canary-token-7";

    async fn output_of(script: &str) -> Result<Token, TokenError> {
        from_command(&token_command(&["sh", "-c", script]), COMMAND_TIME_LIMIT).await
    }

    fn token_command(words: &[&str]) -> TokenCommand {
        TokenCommand { words: words.iter().map(|word| (*word).to_owned()).collect(), withheld: Vec::new() }
    }

    /// Whether it is the canary, whole: in its text, and in none of its parts.
    fn is_canary(token: &Token) -> bool {
        token.is_in(CANARY) && !token.is_in("anary-token-7") && !token.is_in("canary-token-")
    }

    /// What a person would see of an error, with a look for the token in it.
    fn shown(error: &TokenError) -> String {
        assert!(!format!("{error:?}").contains("canary"), "{error:?}");
        error.to_string()
    }

    fn written(content: &[u8]) -> (tempfile::TempDir, TokenSource) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("token");
        std::fs::write(&path, content).unwrap();
        (place, TokenSource::File(path))
    }

    #[tokio::test]
    async fn a_file_holds_one_token() {
        let (_place, source) = written(b"Bearer canary-token-7\n");
        assert!(is_canary(&source.fetch().await.unwrap().unwrap()));
    }

    #[tokio::test]
    async fn a_file_that_gives_none_says_why() {
        for (content, words) in [
            (&b""[..], "the token is empty"),
            (b"canary\ncanary\n", "space or line break"),
            (b"canary\xff", "outside ASCII"),
            ("c".repeat(70_000).as_bytes(), "more than 64 KiB"),
        ] {
            let (_place, source) = written(content);
            let error = shown(&source.fetch().await.unwrap_err());
            assert!(error.starts_with("no token from file /") && error.contains(words), "{error}");
        }
        let error = shown(&TokenSource::File("/nowhere/token".into()).fetch().await.unwrap_err());
        assert!(error.starts_with("no token from file /nowhere/token: it cannot be read: No such file"), "{error}");
    }

    #[test]
    fn standard_input_is_bounded() {
        assert_eq!(read_bounded(io::repeat(b'c')).unwrap().len() as u64, LIMIT + 1);
        let bytes = read_bounded(&b"canary-token-7\r\n"[..]).unwrap();
        assert!(is_canary(&validate(&bytes, TokenSource::Stdin.to_string()).unwrap()));
    }

    #[tokio::test]
    async fn a_variable_is_looked_up_when_it_is_needed() {
        // Set by cargo for every test; the environment of a running process cannot be changed safely.
        let token = TokenSource::Env("CARGO_PKG_NAME".to_owned()).fetch().await.unwrap().unwrap();
        assert!(token.is_in("plants"));
        let error = shown(&TokenSource::Env("PLANTS_NO_SUCH_THING".to_owned()).fetch().await.unwrap_err());
        assert_eq!(error, "no token from $PLANTS_NO_SUCH_THING: the variable is not set; set it and start again");
    }

    #[tokio::test]
    async fn what_is_here_or_must_be_asked_for_needs_no_fetching() {
        let given = TokenSource::Given(Token::new(CANARY).unwrap());
        assert!(is_canary(&given.fetch().await.unwrap().unwrap()));
        assert!(TokenSource::OperationKind.fetch().await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_command_gives_its_first_line() {
        let token = output_of("echo canary-token-7; echo user: ann; echo hint >&2").await.unwrap();
        assert!(is_canary(&token));
    }

    #[tokio::test]
    async fn a_command_hears_nothing_and_is_not_told_the_token() {
        // `cat` ends at once on an empty standard input.
        assert!(is_canary(&output_of("cat; echo canary-token-7").await.unwrap()));
        let withheld = vec!["STAGING_TOKEN".to_owned()];
        let command = command(&TokenCommand { withheld, ..token_command(&["printenv"]) }).unwrap();
        let kept_back: Vec<_> = command.as_std().get_envs().collect();
        assert_eq!(kept_back, [("PLANTS_TOKEN".as_ref(), None), ("STAGING_TOKEN".as_ref(), None)]);
    }

    #[tokio::test]
    async fn a_command_that_fails_is_quoted_harmlessly() {
        let error = shown(&output_of("printf 'no such \\033[2Jent%s\\nmore\\n' ry >&2; exit 3").await.unwrap_err());
        assert_eq!(error, "no token from the command sh: it failed (exit status: 3) and said: no such ␛[2Jentry");
        let error = shown(&output_of("exit 1").await.unwrap_err());
        assert!(error.ends_with("it failed (exit status: 1); run it by hand to see why"), "{error}");
    }

    #[tokio::test]
    async fn a_command_that_fails_with_the_token_on_its_lips_is_not_quoted() {
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
    async fn a_command_that_leaves_a_child_behind_has_ended() {
        let token = output_of("sleep 600 & echo canary-token-7").await.unwrap();
        assert!(is_canary(&token));
    }

    #[tokio::test]
    async fn a_command_that_is_not_there_is_named() {
        let missing = token_command(&["no-such-program-here"]);
        let error = shown(&from_command(&missing, COMMAND_TIME_LIMIT).await.unwrap_err());
        assert!(error.contains("no-such-program-here: there is no such program"), "{error}");
        let error = shown(&from_command(&token_command(&["/"]), COMMAND_TIME_LIMIT).await.unwrap_err());
        assert!(error.contains("it cannot be run"), "{error}");
    }

    #[tokio::test]
    async fn a_command_that_hangs_is_killed() {
        let error = from_command(&token_command(&["sleep", "600"]), Duration::from_millis(50)).await.unwrap_err();
        assert!(matches!(error, TokenError::TimedOut { .. }), "{error:?}");
        assert!(shown(&error).contains("the command sleep: it was not done after 50ms"), "{error}");
    }

    #[tokio::test]
    async fn a_command_that_never_stops_talking_is_cut_off() {
        let error = output_of("while :; do echo canary-canary-canary-canary; done").await.unwrap_err();
        assert!(matches!(error, TokenError::TooLong { .. }), "{error:?}");
        let token = output_of(
            "i=0; while [ $i -lt 9000 ]; do echo a long complaint >&2; i=$((i+1)); done; echo canary-token-7",
        );
        assert!(is_canary(&token.await.unwrap()), "a full stderr must not stop the command");
    }

    #[tokio::test]
    async fn a_command_without_a_token_says_so() {
        for (script, words) in [("true", "the token is empty"), ("echo canary two", "space or line break")] {
            let error = shown(&output_of(script).await.unwrap_err());
            assert!(error.starts_with("no token from the command sh: ") && error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_source_is_shown_without_its_secrets() {
        let command = token_command(&["printf", CANARY]);
        for (source, shown) in [
            (TokenSource::File("/x".into()), "token from file /x"),
            (TokenSource::Stdin, "token from stdin"),
            (TokenSource::Given(Token::new(CANARY).unwrap()), "token from $PLANTS_TOKEN"),
            (TokenSource::Env("NAME".to_owned()), "token from $NAME"),
            (TokenSource::Command(command), "token from the command printf"),
            (TokenSource::OperationKind, "token asked for"),
        ] {
            assert_eq!(source.to_string(), shown);
            assert!(!format!("{source:?}").contains(CANARY));
        }
    }
}
