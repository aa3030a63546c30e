//! Fetches a token, or the value of a header for a gateway, from its source: a file, standard input, a variable or a
//! command, with a limit of size.
//!
//! Neither a source nor an error prints the secret, or the arguments of a command, which may contain secrets. Must not
//! know how the user is prompted, nor whether a command has a terminal to prompt on.

use std::env::consts::EXE_SUFFIX;
use std::env::split_paths;
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;
use zeroize::Zeroizing;

use super::fault::{shown_error, shown_path};
use super::secret_command::{CommandFault, Patience, SHOWN_COLUMNS, SIZE_LIMIT, Secret, buffer, first_line};
use super::setting::{Setting, TOKEN, TOKEN_COMMAND, TOKEN_ENV, TOKEN_FILE};
use super::variable::variable;
use crate::client::{FieldName, HeaderValueFault, SecretHeader, Token, TokenFault};
use crate::domain::wire::MASKED;
use crate::text::clean_fit;

#[derive(Clone, PartialEq, Eq)]
pub enum TokenSource {
    File(PathBuf),
    /// Standard input, up to its end.
    Stdin,
    /// The token itself, from `PLANTS_TOKEN`.
    Given(Token),
    /// The variable of this name.
    Env(String),
    /// The first line of the output of a program, run with its arguments and without a shell.
    Command(Vec<String>),
    /// The user types it when it is needed.
    Prompt,
}

impl fmt::Display for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "token from {}", self.origin())
    }
}

impl TokenSource {
    /// Returns the file that has the secret.
    pub(super) fn file(&self) -> Option<&Path> {
        if let Self::File(path) = self { Some(path) } else { None }
    }

    /// Names the source: `file /x`, `$NAME`.
    pub fn origin(&self) -> String {
        match self {
            Self::File(path) => format!("file {}", shown_path(path)),
            Self::Stdin => "stdin".to_owned(),
            Self::Given(_) => format!("${}", TOKEN.variable),
            // In the place of a name there may be the secret itself.
            Self::Env(name) if name.contains(|c: char| c.is_lowercase()) && variable(name).is_none() => {
                format!("${MASKED}")
            }
            Self::Env(name) => format!("${}", clean_fit(name, SHOWN_COLUMNS)),
            Self::Command(words) => {
                format!("the command {}", clean_fit(words.first().map_or("", String::as_str), SHOWN_COLUMNS))
            }
            Self::Prompt => "a prompt".to_owned(),
        }
    }

    /// Returns the setting of a profile that names it, or else that of the token itself.
    pub(super) fn setting(&self) -> &'static Setting {
        match self {
            Self::File(_) => &TOKEN_FILE,
            Self::Env(_) => &TOKEN_ENV,
            Self::Command(_) => &TOKEN_COMMAND,
            Self::Stdin | Self::Given(_) | Self::Prompt => &TOKEN,
        }
    }

    /// Returns how a profile names it; the user types a token whose source it cannot name.
    #[must_use]
    pub fn in_profile(&self) -> Self {
        match self {
            Self::Given(_) => Self::Env(TOKEN.variable.to_owned()),
            Self::File(path) => {
                let path = std::path::absolute(path).ok().filter(|path| path.to_str().is_some());
                path.map_or(Self::Prompt, Self::File)
            }
            Self::Env(_) | Self::Command(_) => self.clone(),
            Self::Stdin | Self::Prompt => Self::Prompt,
        }
    }

    /// Whether it may give another token when it is asked again.
    pub fn can_change(&self) -> bool {
        matches!(self, Self::File(_) | Self::Env(_) | Self::Command(_))
    }
}

/// A header for a gateway, and where its value comes from.
#[derive(Debug, Clone)]
pub struct HeaderSource {
    pub name: FieldName,
    pub source: TokenSource,
}

impl fmt::Display for HeaderSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {}", self.name.as_str(), self.source.origin())
    }
}

impl HeaderSource {
    /// Fetches the value.
    ///
    /// # Errors
    ///
    /// Names the header and the source, and says what to do.
    pub async fn fetch(&self, patience: &mut Patience) -> Result<SecretHeader, TokenError> {
        let parse = |text: &str| Ok(SecretHeader::new(self.name.clone(), text)?);
        self.source.read(&format!("header {}", self.name.as_str()), patience, parse).await
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenSource({self})")
    }
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
    #[error("it is empty")]
    Empty,
    #[error("there is more than one line, or a control character; it must contain the secret and nothing else")]
    Control,
    /// Or the variable is empty.
    #[error("the variable is not set; set it and start again")]
    NotSet,
    #[error(transparent)]
    Command(#[from] CommandFault),
}

impl TokenError {
    /// Whether a request to stop this program ended the command.
    pub fn is_stop(&self) -> bool {
        matches!(self.why, Why::Command(CommandFault::Stopped))
    }
}

impl TokenSource {
    /// Fetches the token; `None` for [`TokenSource::Prompt`].
    ///
    /// The thread that reads standard input cannot be interrupted: a program that ends must not wait for it.
    ///
    /// # Errors
    ///
    /// Names the source and says what to do.
    pub async fn fetch(&self, patience: &mut Patience) -> Result<Option<Token>, TokenError> {
        match self {
            Self::Given(token) => Ok(Some(token.clone())),
            Self::Prompt => Ok(None),
            Self::File(_) | Self::Stdin | Self::Env(_) | Self::Command(_) => {
                self.read("token", patience, |text| Ok(Token::new(text)?)).await.map(Some)
            }
        }
    }

    /// Fetches a secret that is no token of a store: a text of one line. `what` names it in an error.
    ///
    /// # Errors
    ///
    /// Names the source and says what to do.
    pub async fn fetch_line(&self, what: &str, patience: &mut Patience) -> Result<Zeroizing<String>, TokenError> {
        let parse = |text: &str| match text.trim_ascii() {
            "" => Err(Why::Empty),
            line if line.contains(char::is_control) => Err(Why::Control),
            line => Ok(Zeroizing::new(line.to_owned())),
        };
        self.read(what, patience, parse).await
    }

    /// Says that there is no such file, variable or program, without reading a secret or running anything. `what` names
    /// the secret.
    pub(super) fn absence(&self, what: &str) -> Option<TokenError> {
        let why = match self {
            Self::Env(name) => from_variable(name).err()?,
            Self::File(path) => Why::Unreadable(fs::metadata(path).err()?),
            Self::Command(words) if !words.first().is_some_and(|program| is_there(program)) => {
                CommandFault::NotFound.into()
            }
            Self::Command(_) | Self::Stdin | Self::Given(_) | Self::Prompt => return None,
        };
        Some(self.error(what, why))
    }

    fn error(&self, what: &str, why: Why) -> TokenError {
        TokenError { from: format!("{what} from {}", self.origin()), why }
    }

    /// Reads the text of a source, and parses it. `what` names the secret in an error.
    async fn read<T>(
        &self,
        what: &str,
        patience: &mut Patience,
        parse: impl FnOnce(&str) -> Result<T, Why>,
    ) -> Result<T, TokenError> {
        let parsed = self.bytes(patience).await.and_then(|bytes| parse(text_of(&bytes)?));
        parsed.map_err(|why| self.error(what, why))
    }

    async fn bytes(&self, patience: &mut Patience) -> Result<Secret, Why> {
        match self {
            Self::Prompt | Self::Given(_) => Err(Why::NotSet),
            Self::Env(name) => from_variable(name),
            Self::Command(words) => Ok(first_line(words, patience).await?),
            Self::File(path) => {
                let path = path.clone();
                from_reading(move || fs::File::open(path).and_then(read_file)).await
            }
            Self::Stdin => from_reading(|| read_bounded(io::stdin().lock())).await,
        }
    }
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
    let text = std::str::from_utf8(bytes).map_err(|_| TokenFault::NotAscii)?;
    // Some editors write a byte order mark.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn from_variable(name: &str) -> Result<Secret, Why> {
    let value = variable(name).filter(|value| !value.is_empty()).ok_or(Why::NotSet)?;
    Ok(Zeroizing::new(value.into_encoded_bytes()))
}

/// Whether there is a file that would be run, with permission or without.
fn is_there(program: &str) -> bool {
    let file = PathBuf::from(format!("{}{EXE_SUFFIX}", program.trim_end_matches(EXE_SUFFIX)));
    if file.components().count() > 1 {
        return file.exists();
    }
    variable("PATH").is_none_or(|folders| split_paths(&folders).any(|folder| folder.join(&file).is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANARY: &str = "canary-token-7";

    fn token_command(words: &[&str]) -> TokenSource {
        TokenSource::Command(words.iter().map(|word| (*word).to_owned()).collect())
    }

    /// Whether the token is exactly the canary.
    fn is_canary(token: &Token) -> bool {
        token.reveal() == CANARY
    }

    /// Shows an error after checking that it has no token.
    fn shown(error: &TokenError) -> String {
        assert!(!format!("{error:?}").contains("canary"), "{error:?}");
        error.to_string()
    }

    fn written(content: &[u8]) -> (tempfile::TempDir, TokenSource) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        std::fs::write(&path, content).unwrap();
        (folder, TokenSource::File(path))
    }

    #[tokio::test]
    async fn a_token_is_read_from_a_file() {
        let (_place, source) = written(b"Bearer canary-token-7\n");
        assert!(is_canary(&source.fetch(&mut Patience::default()).await.unwrap().unwrap()));
    }

    #[tokio::test]
    async fn an_invalid_token_file_says_why() {
        for (content, words) in [
            (&b""[..], "the token is empty"),
            (b"canary\ncanary\n", "space or line break"),
            (b"canary\xff", "outside ASCII"),
            ("c".repeat(70_000).as_bytes(), "more than 64 KiB"),
        ] {
            let (place, source) = written(content);
            let error = shown(&source.fetch(&mut Patience::default()).await.unwrap_err());
            let beginning = format!("no token from file {}: ", place.path().join("token").display());
            assert!(error.starts_with(&beginning) && error.contains(words), "{error}");
        }
        let error =
            shown(&TokenSource::File("/nowhere/token".into()).fetch(&mut Patience::default()).await.unwrap_err());
        let why = std::fs::read("/nowhere/token").unwrap_err();
        let beginning = format!("no token from file /nowhere/token: it cannot be read: {why}");
        assert!(error.starts_with(&beginning), "{error}");
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
        let token =
            TokenSource::Env("CARGO_PKG_NAME".to_owned()).fetch(&mut Patience::default()).await.unwrap().unwrap();
        assert_eq!(token.reveal(), "plants");
        let error = shown(
            &TokenSource::Env("PLANTS_NO_SUCH_THING".to_owned()).fetch(&mut Patience::default()).await.unwrap_err(),
        );
        assert_eq!(error, "no token from $PLANTS_NO_SUCH_THING: the variable is not set; set it and start again");
    }

    #[tokio::test]
    async fn a_given_token_is_returned_and_a_prompt_gives_none() {
        let given = TokenSource::Given(Token::new(CANARY).unwrap());
        assert!(is_canary(&given.fetch(&mut Patience::default()).await.unwrap().unwrap()));
        assert!(TokenSource::Prompt.fetch(&mut Patience::default()).await.unwrap().is_none());
    }

    #[test]
    fn a_source_is_shown_without_its_secrets() {
        let command = token_command(&["printf", CANARY]);
        for (source, shown) in [
            (TokenSource::File("/x".into()), "token from file /x"),
            (TokenSource::Stdin, "token from stdin"),
            (TokenSource::Given(Token::new(CANARY).unwrap()), "token from $PLANTS_TOKEN"),
            (TokenSource::Env("NAME".to_owned()), "token from $NAME"),
            (TokenSource::Env("ghp_Canary7".to_owned()), "token from $********"),
            (command, "token from the command printf"),
            (TokenSource::Prompt, "token from a prompt"),
        ] {
            assert_eq!(source.to_string(), shown);
            assert!(!format!("{source:?}").contains(CANARY));
        }
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;

        async fn output_of(script: &str) -> Result<Token, TokenError> {
            let source = token_command(&["sh", "-c", script]);
            source.fetch(&mut Patience::default()).await.map(Option::unwrap)
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
            let printf = token_command(&["printf", "canary two\nhint"]);
            for (source, value) in [(file, "canary of ann"), (variable, "plants"), (printf, "canary two")] {
                let expected = SecretHeader::new("x-api-key".parse().unwrap(), value).unwrap();
                assert!(header(source).fetch(&mut Patience::default()).await.unwrap() == expected, "{value}");
            }
            let (_place, lines) = written(b"canary\ncanary\n");
            let unset = TokenSource::Env("PLANTS_NO_SUCH_THING".to_owned());
            for (source, words) in [(lines, "the value has a line break"), (unset, "the variable is not set")] {
                let error = shown(&header(source).fetch(&mut Patience::default()).await.unwrap_err());
                assert!(error.starts_with("no header x-api-key from ") && error.contains(words), "{error}");
            }
        }

        #[tokio::test]
        async fn a_password_may_have_spaces_and_its_faults_name_it() {
            let password = async |script: &str| {
                let source = token_command(&["sh", "-c", script]);
                source.fetch_line("password", &mut Patience::default()).await
            };
            for secret in ["correct horse", "Bearer canary", "schlüssel"] {
                let script = format!("echo '{secret}'; echo hint");
                assert_eq!(*password(&script).await.unwrap(), secret);
            }
            for (script, words) in [("true", "it is empty"), ("printf 'canary\\tcanary'", "a control character")] {
                let error = shown(&password(script).await.unwrap_err());
                assert!(error.starts_with("no password from the command sh: ") && error.contains(words), "{error}");
            }
        }
    }
}
