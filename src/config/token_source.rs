//! Fetches a token, or the value of a header for a gateway, from its source: a file, standard input, a variable or a
//! command, with limits of size and time.
//!
//! Neither a source nor an error prints the secret, or the arguments of a command, which may contain secrets. Must not
//! know how the user is prompted.

use std::fmt;
use std::io::{self, IsTerminal as _, Read};
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures::future::{Either, select};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::environment::variable;
use super::fault::{shown_error, shown_path};
use super::setting::TOKEN;
use crate::client::{FieldName, HeaderValueFault, SecretHeader, Secrets, Token, TokenFault};
use crate::domain::text::{clean_bytes, clean_fit};

/// Bytes read from a source; real tokens have a few thousand at most.
const SIZE_LIMIT: u64 = 64 * 1024;

/// The time limit of a token command.
const COMMAND_TIME_LIMIT: Duration = Duration::from_secs(10);

/// How long to read the output of a command that has ended: a child process of it may keep the pipe open.
const OUTPUT_TIME_LIMIT: Duration = Duration::from_millis(250);

/// Bytes of the shortest word of a command that is masked as a secret.
const SECRET_LENGTH: usize = 6;

/// Bytes of an error line that are searched for secrets; fewer are shown.
const LINE_BYTES: usize = 4096;

/// Columns shown of a name, and of the error line of a failed command.
const SHOWN_COLUMNS: usize = 160;

#[derive(Clone)]
pub enum TokenSource {
    File(PathBuf),
    /// Standard input, up to its end.
    Stdin,
    /// The token itself, from `PLANTS_TOKEN`.
    Given(Token),
    /// The variable of this name.
    Env(String),
    /// The first line of a program's output.
    Command(TokenCommand),
    /// The user types it when it is needed.
    Prompt,
}

/// A program and its arguments, run without a shell.
#[derive(Clone)]
pub struct TokenCommand {
    pub words: Vec<String>,
    /// Variables with tokens, which the program does not inherit.
    pub withheld: Vec<String>,
}

impl fmt::Display for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "token from {}", self.origin())
    }
}

impl TokenSource {
    /// Names the source: `file /x`, `$NAME`.
    pub fn origin(&self) -> String {
        match self {
            Self::File(path) => format!("file {}", shown_path(path)),
            Self::Stdin => "stdin".to_owned(),
            Self::Given(_) => format!("${}", TOKEN.variable),
            Self::Env(name) => format!("${}", clean_fit(name, SHOWN_COLUMNS)),
            Self::Command(command) => format!("the command {}", shown_program(&command.words)),
            Self::Prompt => "a prompt".to_owned(),
        }
    }
}

/// A header for a gateway, and where its value comes from.
#[derive(Debug, Clone)]
pub struct HeaderSource {
    pub name: FieldName,
    pub source: TokenSource,
}

impl HeaderSource {
    /// Fetches the value.
    ///
    /// # Errors
    ///
    /// Names the header and the source, and says what to do.
    pub async fn fetch(&self) -> Result<SecretHeader, TokenError> {
        let parse = |text: &str| Ok(SecretHeader::new(self.name.clone(), text)?);
        let why = match self.source.read_within(COMMAND_TIME_LIMIT, parse).await {
            Ok(Some(header)) => return Ok(header),
            Ok(None) => Why::NotSet,
            Err(why) => why,
        };
        Err(TokenError { from: format!("header {} from {}", self.name.as_str(), self.source.origin()), why })
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenSource({self})")
    }
}

/// Shows the program without its arguments.
fn shown_program(words: &[String]) -> String {
    words.first().map_or_else(String::new, |program| clean_fit(program, SHOWN_COLUMNS))
}

/// Why a source gave no secret. Contains no part of it, and is harmless to show.
#[derive(Debug, Error)]
#[error("no {from}: {why}")]
pub struct TokenError {
    from: String,
    why: Why,
}

#[derive(Debug, Error)]
enum Why {
    #[error("it cannot be read: {}; check its name and its permissions", shown_error(.0))]
    Unreadable(io::Error),
    #[error("there are more than 64 KiB; it must contain the secret and nothing else")]
    TooLong,
    #[error(transparent)]
    Invalid(#[from] TokenFault),
    #[error(transparent)]
    InvalidHeader(#[from] HeaderValueFault),
    /// Or the variable is empty.
    #[error("the variable is not set; set it and start again")]
    NotSet,
    #[error("there is no such program; check its name")]
    NotFound,
    #[error("it cannot be run: {}; check its permissions", shown_error(.0))]
    NotRun(io::Error),
    /// `message` is what to do, or the masked first line of its stderr.
    #[error("it failed ({status}){message}")]
    Failed { status: ExitStatus, message: String },
    /// The program was killed.
    #[error("it did not end within {0:?}; run it by hand to see what it waits for")]
    TimedOut(Duration),
}

impl TokenSource {
    /// Fetches the token; `None` for [`TokenSource::Prompt`].
    ///
    /// The thread that reads standard input cannot be interrupted: a program that ends must not wait for it.
    ///
    /// # Errors
    ///
    /// Names the source and says what to do.
    pub async fn fetch(&self) -> Result<Option<Token>, TokenError> {
        self.fetch_within(COMMAND_TIME_LIMIT).await
    }

    async fn fetch_within(&self, command_limit: Duration) -> Result<Option<Token>, TokenError> {
        if let Self::Given(token) = self {
            return Ok(Some(token.clone()));
        }
        let fetched = self.read_within(command_limit, |text| Ok(Token::new(text)?)).await;
        fetched.map_err(|why| TokenError { from: self.to_string(), why })
    }

    /// Reads the text of a source that has one, and parses it.
    async fn read_within<T>(
        &self,
        command_limit: Duration,
        parse: impl FnOnce(&str) -> Result<T, Why>,
    ) -> Result<Option<T>, Why> {
        let bytes = match self {
            Self::Prompt | Self::Given(_) => return Ok(None),
            Self::Env(name) => from_variable(name)?,
            Self::Command(command) => from_command(command, command_limit).await?,
            Self::File(path) => {
                let path = path.clone();
                from_reading(move || std::fs::File::open(path).and_then(read_file)).await?
            }
            Self::Stdin => from_reading(|| read_bounded(io::stdin().lock())).await?,
        };
        parse(text_of(&bytes)?).map(Some)
    }
}

type Secret = Zeroizing<Vec<u8>>;

/// Allocates a buffer for everything that will be read: a buffer that grows leaves copies in memory.
fn buffer() -> Secret {
    Zeroizing::new(Vec::with_capacity(usize::try_from(SIZE_LIMIT).unwrap_or_default() + 64))
}

fn read_bounded(from: impl Read) -> io::Result<Secret> {
    let mut bytes = buffer();
    from.take(SIZE_LIMIT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file that is no terminal.
fn read_file(file: std::fs::File) -> io::Result<Secret> {
    if file.is_terminal() {
        return Err(io::Error::other("it is a terminal, which would show the token"));
    }
    read_bounded(file)
}

/// Reads on a thread that may block.
async fn from_reading(read: impl FnOnce() -> io::Result<Secret> + Send + 'static) -> Result<Secret, Why> {
    let read = tokio::task::spawn_blocking(read).await;
    read.unwrap_or_else(|panic| Err(io::Error::other(panic))).map_err(Why::Unreadable)
}

fn text_of(bytes: &[u8]) -> Result<&str, Why> {
    if bytes.len() as u64 > SIZE_LIMIT {
        return Err(Why::TooLong);
    }
    Ok(std::str::from_utf8(bytes).map_err(|_| TokenFault::NotAscii)?)
}

fn from_variable(name: &str) -> Result<Secret, Why> {
    let value = variable(name).filter(|value| !value.is_empty()).ok_or(Why::NotSet)?;
    Ok(Zeroizing::new(value.into_encoded_bytes()))
}

/// Runs a token command and returns the first line of its output.
async fn from_command(from: &TokenCommand, limit: Duration) -> Result<Secret, Why> {
    let mut command = command(from).ok_or_else(|| Why::NotRun(io::ErrorKind::InvalidInput.into()))?;
    let mut child = command
        .spawn()
        .map_err(|why| if why.kind() == io::ErrorKind::NotFound { Why::NotFound } else { Why::NotRun(why) })?;
    let Ok(ended) = timeout(limit, run(&mut child)).await else {
        // Waits for its end, so that the process is gone when the error is shown.
        let _ = child.kill().await;
        return Err(Why::TimedOut(limit));
    };
    let Ended { mut output, errors, status } = ended.map_err(Why::NotRun)?;
    let status = status.ok_or(Why::TooLong)?;
    if !status.success() {
        let message = match error_line(&errors, &output, &from.words) {
            Some(line) => format!(" and said: {line}"),
            None => "; run it by hand to see why".to_owned(),
        };
        return Err(Why::Failed { status, message });
    }
    if let Some(end) = output.iter().position(|byte| *byte == b'\n') {
        output.truncate(end);
    }
    Ok(output)
}

/// Composes the command: without a shell, without input, and without a token in its environment.
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
    let mut is_held_open = false;
    let status = {
        let ending = std::pin::pin!(async {
            let read = async { stdout.take(SIZE_LIMIT + 1).read_to_end(&mut output).await };
            let mut reading = std::pin::pin!(read);
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
            let Ok(read) = timeout(OUTPUT_TIME_LIMIT, reading).await else {
                is_held_open = true;
                return Ok(Some(status));
            };
            Ok((read? as u64 <= SIZE_LIMIT).then_some(status))
        });
        let draining = std::pin::pin!(drain(stderr, &mut errors));
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
    if is_held_open && !output.contains(&b'\n') {
        return Err(io::Error::other("it ended within its first line"));
    }
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
    let secrets = Secrets::words(parts.filter(|part| part.len() >= SECRET_LENGTH));
    if first.len() < line.len() {
        secrets.mask_cut(&mut first);
    }
    secrets.mask_in(&mut first);
    (!first.is_empty()).then(|| clean_fit(&clean_bytes(&first), SHOWN_COLUMNS))
}

#[cfg(test)]
mod tests {
    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    const CANARY: &str = "canary-token-7";

    async fn output_of(script: &str) -> Result<Token, TokenError> {
        let source = TokenSource::Command(token_command(&["sh", "-c", script]));
        source.fetch().await.map(Option::unwrap)
    }

    fn token_command(words: &[&str]) -> TokenCommand {
        TokenCommand { words: words.iter().map(|word| (*word).to_owned()).collect(), withheld: Vec::new() }
    }

    /// Whether the token is exactly the canary.
    fn is_canary(token: &Token) -> bool {
        token.is_in(CANARY) && !token.is_in("anary-token-7") && !token.is_in("canary-token-")
    }

    /// Shows an error after checking that it has no token.
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
    async fn a_token_is_read_from_a_file() {
        let (_place, source) = written(b"Bearer canary-token-7\n");
        assert!(is_canary(&source.fetch().await.unwrap().unwrap()));
    }

    #[tokio::test]
    async fn an_invalid_token_file_says_why() {
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
    fn standard_input_is_read_up_to_a_limit() {
        assert_eq!(read_bounded(io::repeat(b'c')).unwrap().len() as u64, SIZE_LIMIT + 1);
        let bytes = read_bounded(&b"canary-token-7\r\n"[..]).unwrap();
        assert!(is_canary(&Token::new(text_of(&bytes).unwrap()).unwrap()));
    }

    #[tokio::test]
    async fn a_token_is_read_from_a_variable() {
        // Set by cargo for every test; the environment of a running process cannot be changed safely.
        let token = TokenSource::Env("CARGO_PKG_NAME".to_owned()).fetch().await.unwrap().unwrap();
        assert!(token.is_in("plants"));
        let error = shown(&TokenSource::Env("PLANTS_NO_SUCH_THING".to_owned()).fetch().await.unwrap_err());
        assert_eq!(error, "no token from $PLANTS_NO_SUCH_THING: the variable is not set; set it and start again");
    }

    #[tokio::test]
    async fn a_given_token_is_returned_and_a_prompt_gives_none() {
        let given = TokenSource::Given(Token::new(CANARY).unwrap());
        assert!(is_canary(&given.fetch().await.unwrap().unwrap()));
        assert!(TokenSource::Prompt.fetch().await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_token_is_the_first_line_of_a_command() {
        let token = output_of("echo canary-token-7; echo user: ann; echo hint >&2").await.unwrap();
        assert!(is_canary(&token));
    }

    #[tokio::test]
    async fn a_command_gets_no_input_and_no_token() {
        // `cat` ends at once on an empty standard input.
        assert!(is_canary(&output_of("cat; echo canary-token-7").await.unwrap()));
        let withheld = vec!["STAGING_TOKEN".to_owned()];
        let command = command(&TokenCommand { withheld, ..token_command(&["printenv"]) }).unwrap();
        let removed: Vec<_> = command.as_std().get_envs().collect();
        assert_eq!(removed, [("PLANTS_TOKEN".as_ref(), None), ("STAGING_TOKEN".as_ref(), None)]);
    }

    #[tokio::test]
    async fn the_error_of_a_failed_command_is_shown_harmlessly() {
        let error = shown(&output_of("printf 'no such \\033[2Jent%s\\nmore\\n' ry >&2; exit 3").await.unwrap_err());
        assert_eq!(error, "no token from the command sh: it failed (exit status: 3) and said: no such ␛[2Jentry");
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
        let place = folder.path().join("pid");
        let script = format!("sleep 600 & echo $! > '{}'; echo canary-token-7", place.display());
        let token = output_of(&script).await.unwrap();
        assert!(is_canary(&token));
        let child = std::fs::read_to_string(place).unwrap().trim().parse().unwrap();
        kill_process(Pid::from_raw(child).unwrap(), Signal::KILL).unwrap();
    }

    #[tokio::test]
    async fn a_missing_command_is_named() {
        let missing = TokenSource::Command(token_command(&["no-such-program-here"]));
        let error = shown(&missing.fetch().await.unwrap_err());
        assert!(error.contains("no-such-program-here: there is no such program"), "{error}");
        let error = shown(&TokenSource::Command(token_command(&["/"])).fetch().await.unwrap_err());
        assert!(error.contains("it cannot be run"), "{error}");
    }

    #[tokio::test]
    async fn a_command_that_hangs_is_killed() {
        let source = TokenSource::Command(token_command(&["sleep", "600"]));
        let error = source.fetch_within(Duration::from_millis(50)).await.unwrap_err();
        assert!(matches!(error.why, Why::TimedOut(_)), "{error:?}");
        assert!(shown(&error).contains("the command sleep: it did not end within 50ms"), "{error}");
    }

    #[tokio::test]
    async fn too_much_output_ends_a_command_and_much_stderr_does_not() {
        let error = output_of("while :; do echo canary-canary-canary-canary; done").await.unwrap_err();
        assert!(matches!(error.why, Why::TooLong), "{error:?}");
        let token = output_of(
            "i=0; while [ $i -lt 9000 ]; do echo a long complaint >&2; i=$((i+1)); done; echo canary-token-7",
        );
        assert!(is_canary(&token.await.unwrap()), "a full stderr must not block the command");
    }

    #[tokio::test]
    async fn a_command_without_a_valid_token_says_why() {
        for (script, words) in [("true", "the token is empty"), ("echo canary two", "space or line break")] {
            let error = shown(&output_of(script).await.unwrap_err());
            assert!(error.starts_with("no token from the command sh: ") && error.contains(words), "{error}");
        }
    }

    #[tokio::test]
    async fn a_header_for_a_gateway_is_read_from_each_source_and_its_faults_name_it() {
        let header = |source| HeaderSource { name: "X-Api-Key".parse().unwrap(), source };
        let (_place, file) = written(b"canary of ann\n");
        let variable = TokenSource::Env("CARGO_PKG_NAME".to_owned());
        let printf = TokenSource::Command(token_command(&["printf", "canary two\nhint"]));
        for (source, value) in [(file, "canary of ann"), (variable, "plants"), (printf, "canary two")] {
            let expected = SecretHeader::new("x-api-key".parse().unwrap(), value).unwrap();
            assert!(header(source).fetch().await.unwrap() == expected, "{value}");
        }
        let (_place, lines) = written(b"canary\ncanary\n");
        let unset = TokenSource::Env("PLANTS_NO_SUCH_THING".to_owned());
        for (source, words) in [(lines, "the value has a line break"), (unset, "the variable is not set")] {
            let error = shown(&header(source).fetch().await.unwrap_err());
            assert!(error.starts_with("no header x-api-key from ") && error.contains(words), "{error}");
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
            (TokenSource::Prompt, "token from a prompt"),
        ] {
            assert_eq!(source.to_string(), shown);
            assert!(!format!("{source:?}").contains(CANARY));
        }
    }
}
